/* SPDX-License-Identifier: Apache-2.0
 *
 * Cells in global memory are bound as shared memory. In host C and CUDA plain pointers carry no address space.
 *
 * expect opencl: the cells are of another dtype, address space or mutability
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) y_cells)) {
#ifdef FIXED
  ts_global_f32 h = ts_bind(ts_global, f32, y_cells);
  ts_store(ts_global, f32, 1, h, 0, 1.0f, 0);
#else
  ts_shared_f32 h = ts_bind(ts_shared, f32, y_cells);
  ts_store(ts_shared, f32, 1, h, 0, 1.0f, 0);
#endif
}
