/* SPDX-License-Identifier: Apache-2.0
 *
 * A handle of shared memory goes to a helper that takes one of global memory.
 *
 * expect: ts_global_f32
 * expect gcc: first_of
 */
#include "tensorstorage.h"

TS_FUNCTION float first_of(ts_global_f32 h) { return ts_load(ts_global, f32, 1, h, 0, 0); }

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) y_cells)) {
  TS_SHARED(tile, f32, 64);
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
#ifdef FIXED
  ts_store(ts_global, f32, 1, y, 0, first_of(y), 0);
#else
  ts_store(ts_global, f32, 1, y, 0, first_of(tile), 0);
#endif
}
