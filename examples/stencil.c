/* SPDX-License-Identifier: Apache-2.0
 *
 * stencil.c: y = centre * x + side * (the sum of its four neighbours), for a packed matrix of f32 with ROWS rows and COLUMNS
 * columns of any size. What lies outside of x counts as `border`.
 *
 * One group of work-items, of any size, for each tile of TILE_ROWS x TILE_COLUMNS elements of y: ts_group_id(0) counts tiles
 * along a row, ts_group_id(1) along a column. The group reads the tile of x with a halo, one element on each side, into
 * shared memory.
 */
#define TS_USE_f32 1
#include "tensorstorage.h"

#ifndef ROWS
#define ROWS 1000
#define COLUMNS 1500
#endif
enum { TILE_ROWS = 8, TILE_COLUMNS = 32, HALO_ROWS = TILE_ROWS + 2, HALO_COLUMNS = TILE_COLUMNS + 2 };

TS_LAYOUT_2(x_halo, HALO_ROWS, HALO_COLUMNS, COLUMNS, 1)
TS_ROW_MAJOR_2(halo, HALO_ROWS, HALO_COLUMNS)
TS_COPY_EDGE_2(fetch, ts_shared, f32, halo, 0, ts_global_const, f32, x_halo, TS_INVARIANT)

TS_FUNCTION int lesser(int a, int b) { return a < b ? a : b; }

TS_KERNEL(stencil, (TS_GLOBAL_CONST_ARG(f32) x_cells, TS_GLOBAL_ARG(f32) y_cells, float centre, float side, float border)) {
  TS_SHARED(tile, f32, halo_cosize);
  ts_global_const_f32 x = ts_bind(ts_global_const, f32, x_cells);
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
  int row = TILE_ROWS * ts_group_id(1), column = TILE_COLUMNS * ts_group_id(0);

  /* The halo starts at (row - 1, column - 1). In the first tiles this is outside: then the border goes everywhere, and what
   * there is of x, which starts `above` rows and `before` columns later, on it. */
  int above = row == 0, before = column == 0;
  x = ts_offset(ts_global_const, f32, x, (ts_index)(row - 1 + above) * COLUMNS + (column - 1 + before));
  if (above || before) {
    fetch_fill_by_group(tile, x, 0, 0, border);
    ts_barrier();
    fetch_by_group(ts_offset(ts_shared, f32, tile, above * HALO_COLUMNS + before), x,
                   lesser(ROWS - (row - 1 + above), HALO_ROWS - above),
                   lesser(COLUMNS - (column - 1 + before), HALO_COLUMNS - before));
  } else {
    fetch_fill_by_group(tile, x, ROWS - (row - 1), COLUMNS - (column - 1), border);
  }
  ts_barrier();

  for (int i = ts_item_linear_id(); i < TILE_ROWS * TILE_COLUMNS; i += ts_group_items()) {
    int r = i / TILE_COLUMNS, c = i % TILE_COLUMNS, at = (r + 1) * HALO_COLUMNS + (c + 1);
    if (row + r >= ROWS || column + c >= COLUMNS) continue;
    ts_f32 sides = ts_load(ts_shared, f32, 1, tile, at - HALO_COLUMNS, 0) + ts_load(ts_shared, f32, 1, tile, at - 1, 0) +
                   ts_load(ts_shared, f32, 1, tile, at + 1, 0) + ts_load(ts_shared, f32, 1, tile, at + HALO_COLUMNS, 0);
    ts_store(ts_global, f32, 1, y, (ts_index)(row + r) * COLUMNS + (column + c),
             centre * ts_load(ts_shared, f32, 1, tile, at, 0) + side * sides, 0);
  }
}
