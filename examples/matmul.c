/* SPDX-License-Identifier: Apache-2.0
 *
 * matmul.c: c = a b, for packed matrices of f32: a has ROWS x INNER elements, b has INNER x COLUMNS, all of any size.
 *
 * One group of 16 x 16 work-items for each tile of TILE x TILE elements of c: ts_group_id(0) counts tiles along its rows,
 * ts_group_id(1) along its columns. A work-item computes MINE x MINE elements of it. The group reads tiles of a and b, DEPTH
 * deep, into shared memory one after the other; beyond their ends there are zeros, which add nothing.
 */
#define TS_USE_f32 1
#include "tensorstorage.h"

#ifndef ROWS
#define ROWS 500
#define COLUMNS 300
#define INNER 400
#endif
enum { MINE = 4, TILE = 16 * MINE, DEPTH = 16, A_PITCH = DEPTH + 4 };

TS_LAYOUT_2(a_part, TILE, DEPTH, INNER, 1)
TS_LAYOUT_2(b_part, DEPTH, TILE, COLUMNS, 1)
TS_LAYOUT_2(c_part, MINE, MINE, COLUMNS, 1)
TS_LAYOUT_2(a_tile, TILE, DEPTH, A_PITCH, 1) /* padded: neighbouring rows lie in different banks */
TS_ROW_MAJOR_2(b_tile, DEPTH, TILE)
TS_ROW_MAJOR_2(c_mine, MINE, MINE)

/* Each part starts at a multiple of 16 bytes, whatever the sizes. Whether its rows do, too, the layouts know: then accesses are
 * four elements wide. */
TS_COPY_EDGE_2(fetch_a, ts_shared, f32, a_tile, TS_ALIGN(16), ts_global_const, f32, a_part, TS_ALIGN(16) | TS_INVARIANT)
TS_COPY_EDGE_2(fetch_b, ts_shared, f32, b_tile, TS_ALIGN(16), ts_global_const, f32, b_part, TS_ALIGN(16) | TS_INVARIANT)
TS_COPY_EDGE_2(put_c, ts_global, f32, c_part, TS_ALIGN(16) | TS_ASSUME_ONE_TO_ONE, ts_local, f32, c_mine, TS_ALIGN(16))

#define A_ROW(i) ts_load(ts_shared, f32, 4, my_a, (i)*A_PITCH + k, TS_ALIGN(16))
#define B_ROW(i) ts_load(ts_shared, f32, 4, my_b, (i)*TILE, TS_ALIGN(16))

TS_KERNEL(matmul, (TS_GLOBAL_CONST_ARG(f32) a_cells, TS_GLOBAL_CONST_ARG(f32) b_cells, TS_GLOBAL_ARG(f32) c_cells)) {
  TS_SHARED(tile_a, f32, a_tile_cosize);
  TS_SHARED(tile_b, f32, b_tile_cosize);
  TS_LOCAL(mine, f32, c_mine_cosize);
  ts_index row = (ts_index)TILE * ts_group_id(1), column = (ts_index)TILE * ts_group_id(0);
  int my_row = MINE * ts_item_in_group(1), my_column = MINE * ts_item_in_group(0);
  ts_global_const_f32 a = ts_offset(ts_global_const, f32, ts_bind(ts_global_const, f32, a_cells), row * INNER);
  ts_global_const_f32 b = ts_offset(ts_global_const, f32, ts_bind(ts_global_const, f32, b_cells), column);
  ts_shared_f32 my_a = ts_offset(ts_shared, f32, tile_a, my_row * A_PITCH);
  ts_shared_f32 my_b = ts_offset(ts_shared, f32, tile_b, my_column);

  for (int r = 0; r < MINE; ++r) ts_store(ts_local, f32, 4, mine, MINE * r, ts_splat(f32, 4, 0.0f), TS_ALIGN(16));
  for (ts_index depth = 0; depth < INNER; depth += DEPTH) {
    fetch_a_fill_by_group(tile_a, ts_offset(ts_global_const, f32, a, depth), ROWS - row, INNER - depth, 0.0f);
    fetch_b_fill_by_group(tile_b, ts_offset(ts_global_const, f32, b, depth * COLUMNS), INNER - depth, COLUMNS - column, 0.0f);
    ts_barrier();
    for (int k = 0; k < DEPTH; k += 4) {
      ts_f32x4 b0 = B_ROW(k), b1 = B_ROW(k + 1), b2 = B_ROW(k + 2), b3 = B_ROW(k + 3);
      TS_UNROLL_4 for (int r = 0; r < MINE; ++r) {
        ts_f32x4 v = A_ROW(r);
        ts_f32x4 sum = ts_load(ts_local, f32, 4, mine, MINE * r, TS_ALIGN(16));
        sum = sum + b0 * ts_lane(f32, 4, v, 0) + b1 * ts_lane(f32, 4, v, 1) + b2 * ts_lane(f32, 4, v, 2) +
              b3 * ts_lane(f32, 4, v, 3);
        ts_store(ts_local, f32, 4, mine, MINE * r, sum, TS_ALIGN(16));
      }
    }
    ts_barrier(); /* all have read the tiles: they are free again */
  }

  row += my_row;
  column += my_column;
  put_c(ts_offset(ts_global, f32, ts_bind(ts_global, f32, c_cells), row * COLUMNS + column), mine, ROWS - row,
        COLUMNS - column);
}
