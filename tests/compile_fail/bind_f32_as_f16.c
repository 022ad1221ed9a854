/* SPDX-License-Identifier: Apache-2.0
 *
 * f32 cells are bound as f16.
 *
 * expect: the cells are of another dtype, address space or mutability
 * expect nvcc: cannot be used to initialize an entity of type "ts_f16 *"
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) y_cells)) {
#ifdef FIXED
  ts_global_f32 h = ts_bind(ts_global, f32, y_cells);
  ts_store(ts_global, f32, 1, h, 0, ts_load(ts_global, f32, 1, h, 1, 0), 0);
#else
  ts_global_f16 h = ts_bind(ts_global, f16, y_cells);
  ts_store(ts_global, f16, 1, h, 0, ts_load(ts_global, f16, 1, h, 1, 0), 0);
#endif
}
