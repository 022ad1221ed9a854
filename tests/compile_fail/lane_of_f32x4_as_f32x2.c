/* SPDX-License-Identifier: Apache-2.0
 *
 * A lane is taken as of a vector of another width.
 *
 * expect: the value is a vector of another dtype or width
 * expect nvcc: to "ts_f32x2"
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) x_cells)) {
  ts_global_f32 x = ts_bind(ts_global, f32, x_cells);
  ts_f32x4 v = ts_load(ts_global, f32, 4, x, 0, 0);
#ifdef FIXED
  ts_store(ts_global, f32, 1, x, 0, ts_lane(f32, 4, v, 1), 0);
#else
  ts_store(ts_global, f32, 1, x, 0, ts_lane(f32, 2, v, 1), 0);
#endif
}
