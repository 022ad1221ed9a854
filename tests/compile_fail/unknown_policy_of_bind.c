/* SPDX-License-Identifier: Apache-2.0
 *
 * A handle of a policy that does not exist.
 *
 * expect: ts_bind: ts_globl is no policy of the header
 * errors: 2
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) y_cells)) {
#ifdef FIXED
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
#else
  ts_global_f32 y = ts_bind(ts_globl, f32, y_cells);
#endif
  ts_store(ts_global, f32, 1, y, 0, 1.0f, 0);
}
