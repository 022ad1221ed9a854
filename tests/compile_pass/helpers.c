/* SPDX-License-Identifier: Apache-2.0
 *
 * Helpers that take and return handles and vectors, in two and three dimensions, with every work-item id.
 */
#include "tensorstorage.h"

enum { TILE = 8 };

TS_FUNCTION ts_shared_f32 row_of(ts_shared_f32 tile, int row) { return ts_offset(ts_shared, f32, tile, row * TILE); }

TS_FUNCTION ts_f32x4 sum_of(ts_shared_const_f32 a, ts_local_const_f32 b) {
  return ts_load(ts_shared_const, f32, 4, a, 0, 0) + ts_load(ts_local_const, f32, 4, b, 0, TS_ALIGN(16));
}

TS_FUNCTION void put(ts_global_f32 y, ts_index i, ts_f32x4 v) {
  ts_store(ts_global, f32, 4, y, i, (v + v) * 0.5f, TS_ALIGN(4));
}

TS_KERNEL(rows, (TS_GLOBAL_ARG(f32) y_cells, int rows)) {
  TS_SHARED(tile, f32, TILE * TILE);
  TS_LOCAL(mine, f32, 4);
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
  int column = ts_item_in_group(0), row = ts_item_in_group(1);

  ts_store(ts_shared, f32, 1, row_of(tile, row), column, 1.0f, 0);
  for (int k = 0; k < 4; k++) ts_store(ts_local, f32, 1, mine, k, 2.0f, 0);
  ts_barrier();
  if (ts_global_id(1) < rows && column + 4 <= TILE)
    put(y, (ts_index)(ts_global_id(1) * TILE + column),
        sum_of(ts_unsafe_cast(ts_shared_const, f32, ts_shared, f32, ts_offset(ts_shared, f32, row_of(tile, row), column)),
               ts_unsafe_cast(ts_local_const, f32, ts_local, f32, mine)));
}

TS_KERNEL(cube, (TS_GLOBAL_ARG(i32) y_cells)) {
  ts_global_i32 y = ts_bind(ts_global, i32, y_cells);
  for (int d = 0; d < 3; d++) {
    int first = ts_group_id(d) * ts_group_size(d);
    ts_store(ts_global, i32, 1, y, d, (int)(ts_global_id(d) - first) + ts_group_count(d), 0);
  }
}
