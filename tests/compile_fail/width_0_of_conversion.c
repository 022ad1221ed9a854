/* SPDX-License-Identifier: Apache-2.0
 *
 * A conversion of no elements.
 *
 * expect: 0 is no width of a vector; use 1, 2, 4, 8 or 16
 * errors: 1
 */
#include "tensorstorage.h"

enum { N = 4 };

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) y_cells)) {
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
  ts_f32x4 v = ts_load(ts_global, f32, 4, y, 0, 0);
#ifdef FIXED
  ts_store(ts_global, f32, 1, y, 0, ts_convert(f32, i32, 1, N) + ts_lane(f32, 4, v, 0), 0);
#else
  ts_store(ts_global, f32, 1, y, 0, ts_convert(f32, i32, 0, N) + ts_lane(f32, 4, v, 0), 0);
#endif
}
