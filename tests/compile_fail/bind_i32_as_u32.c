/* SPDX-License-Identifier: Apache-2.0
 *
 * i32 cells are bound as u32: pointers that differ in signedness only.
 *
 * expect: the cells are of another dtype, address space or mutability
 * expect nvcc: cannot be used to initialize an entity of type "ts_u32 *"
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(i32) y_cells)) {
#ifdef FIXED
  ts_global_i32 h = ts_bind(ts_global, i32, y_cells);
  ts_store(ts_global, i32, 1, h, 0, 1, 0);
#else
  ts_global_u32 h = ts_bind(ts_global, u32, y_cells);
  ts_store(ts_global, u32, 1, h, 0, 1, 0);
#endif
}
