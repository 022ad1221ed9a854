/* SPDX-License-Identifier: Apache-2.0
 *
 * A store through a handle of constant memory.
 *
 * expect: handles are read-only
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_CONSTANT_ARG(f32) x_cells, TS_GLOBAL_ARG(f32) y_cells)) {
  ts_constant_f32 x = ts_bind(ts_constant, f32, x_cells);
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
#ifdef FIXED
  ts_store(ts_global, f32, 1, y, 0, ts_load(ts_constant, f32, 1, x, 0, 0), 0);
#else
  ts_store(ts_constant, f32, 1, x, 0, 1.0f, 0);
  ts_store(ts_global, f32, 1, y, 0, 1.0f, 0);
#endif
}
