/* SPDX-License-Identifier: Apache-2.0
 *
 * A vector is multiplied by one of another dtype. Not for clang, which takes any vector of the same size in C by default; the
 * host device tells it not to.
 *
 * expect gcc: invalid operands to binary
 * expect opencl: ts_f32x4
 * expect nvcc: no operator "*" matches
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) x_cells)) {
  ts_global_f32 x = ts_bind(ts_global, f32, x_cells);
  ts_f32x4 v = ts_load(ts_global, f32, 4, x, 0, 0);
  ts_i32x4 two = ts_splat(i32, 4, 2);
#ifdef FIXED
  ts_store(ts_global, f32, 4, x, ts_lane(i32, 4, two, 0), v * v, 0);
#else
  ts_store(ts_global, f32, 4, x, ts_lane(i32, 4, two, 0), v * two, 0);
#endif
}
