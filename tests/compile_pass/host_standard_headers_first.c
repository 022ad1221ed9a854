/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel file for the host that includes standard headers first: their macros (bool, I, …) change nothing here.
 */
#include <stdbool.h>
#include <stdio.h>
#include <math.h>
#include <complex.h>
#include <tgmath.h>
#include <stdint.h>
#include <limits.h>
#include <string.h>
#include <stdalign.h>
#include <stdnoreturn.h>
#include <errno.h>
#include <signal.h>
#include <time.h>
#include "tensorstorage.h"

TS_KERNEL(root, (TS_GLOBAL_ARG(f32) y_cells, TS_GLOBAL_ARG(b8) b_cells)) {
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
  ts_global_b8 b = ts_bind(ts_global, b8, b_cells);
  bool is_set = ts_load(ts_global, b8, 1, b, 0, 0).bits != 0;
  ts_store(ts_global, f32, 1, y, 0, is_set ? sqrtf(ts_load(ts_global, f32, 1, y, 0, 0)) : 0.0f, 0);
}
