/* SPDX-License-Identifier: Apache-2.0
 *
 * A vector of 32.
 *
 * expect: 32 is no width of a vector; use 1, 2, 4, 8 or 16
 * errors: 2
 */
#include "tensorstorage.h"

enum { N = 4 };

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) y_cells)) {
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
  ts_f32x4 v = ts_load(ts_global, f32, 4, y, 0, 0);
#ifdef FIXED
  v = ts_splat(f32, 4, ts_lane(f32, 4, v, 0));
  ts_store(ts_global, f32, 4, y, N, v, 0);
#else
  v = ts_splat(f32, 32, ts_lane(f32, 4, v, 0));
  ts_store(ts_global, f32, 4, y, N, v, 0);
#endif
}
