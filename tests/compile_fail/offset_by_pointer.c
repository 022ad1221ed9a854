/* SPDX-License-Identifier: Apache-2.0
 *
 * A pointer goes where a number of elements is asked for.
 *
 * expect gcc: makes integer from pointer
 * expect clang: incompatible pointer to integer conversion
 * expect opencl: incompatible pointer to integer conversion
 * expect nvcc: expression must have integral
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) y_cells)) {
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
#ifdef FIXED
  ts_store(ts_global, f32, 1, ts_offset(ts_global, f32, y, 1), 0, 1.0f, 0);
#else
  ts_store(ts_global, f32, 1, ts_offset(ts_global, f32, y, y_cells), 0, 1.0f, 0);
#endif
}
