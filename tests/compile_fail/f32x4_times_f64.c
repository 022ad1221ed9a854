/* SPDX-License-Identifier: Apache-2.0
 *
 * A vector is multiplied by a scalar of a larger dtype.
 *
 * expect gcc: involves truncation
 * expect clang: would cause truncation
 * expect opencl: greater rank than the type of the vector element
 * expect nvcc: no operator "*" matches
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) x_cells, ts_f64 factor)) {
  ts_global_f32 x = ts_bind(ts_global, f32, x_cells);
  ts_f32x4 v = ts_load(ts_global, f32, 4, x, 0, 0);
#ifdef FIXED
  ts_store(ts_global, f32, 4, x, 0, v * (ts_f32)factor, 0);
#else
  ts_store(ts_global, f32, 4, x, 0, v * factor, 0);
#endif
}
