/* SPDX-License-Identifier: Apache-2.0
 *
 * TS_LOCAL whose count is known at run time only.
 *
 * expect gcc: expression in static assertion is not
 * expect clang: is not an integral constant expression
 * expect opencl: variable length arrays
 * expect nvcc: must have a constant value
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) y_cells, int n)) {
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
#ifdef FIXED
  TS_LOCAL(cells, f32, 4);
#else
  TS_LOCAL(cells, f32, n);
#endif
  ts_store(ts_local, f32, 1, cells, 0, 1.0f, 0);
  ts_store(ts_global, f32, 1, y, n, ts_load(ts_local, f32, 1, cells, 0, 0), 0);
}
