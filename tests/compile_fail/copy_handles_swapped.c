/* SPDX-License-Identifier: Apache-2.0
 *
 * Source and destination are swapped.
 *
 * expect: ts_shared_f32
 * expect gcc: copy_tile
 */
#include "tensorstorage.h"

TS_ROW_MAJOR_1(tile, 16)
TS_COPY(copy_tile, ts_shared, f32, tile, 0, ts_global_const, f32, tile, 0)

TS_KERNEL(k, (TS_GLOBAL_CONST_ARG(f32) x_cells, TS_GLOBAL_ARG(f32) y_cells)) {
  TS_SHARED(shared, f32, 16);
  ts_global_const_f32 x = ts_bind(ts_global_const, f32, x_cells);
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
#ifdef FIXED
  copy_tile(shared, x);
#else
  copy_tile(x, shared);
#endif
  ts_store(ts_global, f32, 1, y, 0, ts_load(ts_shared, f32, 1, shared, 7, 0), 0);
}
