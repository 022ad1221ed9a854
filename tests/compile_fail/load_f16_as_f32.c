/* SPDX-License-Identifier: Apache-2.0
 *
 * An f16 handle goes to a load of f32.
 *
 * expect: ts_global_f32
 * expect gcc: ts_global_offset_f32
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f16) x_cells, TS_GLOBAL_ARG(f32) y_cells)) {
  ts_global_f16 x = ts_bind(ts_global, f16, x_cells);
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
#ifdef FIXED
  ts_f16x4 v = ts_load(ts_global, f16, 4, x, 0, 0);
  ts_store(ts_global, f16, 4, x, 4, v, 0);
  ts_store(ts_global, f32, 1, y, 0, 1.0f, 0);
#else
  ts_f32x4 v = ts_load(ts_global, f32, 4, x, 0, 0);
  ts_store(ts_global, f32, 4, y, 0, v, 0);
#endif
}
