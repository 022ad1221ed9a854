/* SPDX-License-Identifier: Apache-2.0
 *
 * The mask of a select is of a dtype of another size.
 *
 * expect: the value is a vector of another dtype or width
 * expect nvcc: ts_i32x4
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) x_cells)) {
  ts_global_f32 x = ts_bind(ts_global, f32, x_cells);
  ts_f32x4 v = ts_load(ts_global, f32, 4, x, 0, 0), w = ts_load(ts_global, f32, 4, x, 4, 0);
  ts_i64x4 mask = ts_splat(i64, 4, -1);
#ifdef FIXED
  ts_store(ts_global, f32, 4, x, ts_lane(i64, 4, mask, 0) + 1, ts_select(f32, 4, ts_less(f32, 4, v, w), v, w), 0);
#else
  ts_store(ts_global, f32, 4, x, 0, ts_select(f32, 4, mask, v, w), 0);
#endif
}
