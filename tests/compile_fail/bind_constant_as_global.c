/* SPDX-License-Identifier: Apache-2.0
 *
 * Cells in constant memory are bound as global memory that is only read. Only OpenCL C can tell.
 *
 * expect opencl: the cells are of another dtype, address space or mutability
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_CONSTANT_ARG(f32) x_cells, TS_GLOBAL_ARG(f32) y_cells)) {
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
#ifdef FIXED
  ts_constant_f32 x = ts_bind(ts_constant, f32, x_cells);
  ts_store(ts_global, f32, 1, y, 0, ts_load(ts_constant, f32, 1, x, 0, 0), 0);
#else
  ts_global_const_f32 x = ts_bind(ts_global_const, f32, x_cells);
  ts_store(ts_global, f32, 1, y, 0, ts_load(ts_global_const, f32, 1, x, 0, 0), 0);
#endif
}
