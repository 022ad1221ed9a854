/* SPDX-License-Identifier: Apache-2.0
 *
 * An asynchronous copy to global memory: it is from global to shared memory, whatever the handles are.
 *
 * expect: ts_shared_f32
 * expect gcc: load_row_async
 */
#include "tensorstorage.h"

TS_ROW_MAJOR_1(row, 64)
TS_COPY_ASYNC(load_row, f32, row, 0, row, 0)

TS_KERNEL(k, (TS_GLOBAL_CONST_ARG(f32) x_cells, TS_GLOBAL_ARG(f32) y_cells)) {
  TS_SHARED(tile, f32, 64);
  ts_global_const_f32 x = ts_bind(ts_global_const, f32, x_cells);
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
  ts_copy_event e = ts_copy_begin();
#ifdef FIXED
  e = load_row_async(tile, x, e);
#else
  e = load_row_async(y, x, e);
#endif
  ts_copy_wait(e);
  ts_store(ts_global, f32, 1, y, 0, ts_load(ts_shared, f32, 1, tile, 0, 0), 0);
}
