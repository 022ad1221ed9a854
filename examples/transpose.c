/* SPDX-License-Identifier: Apache-2.0
 *
 * transpose.c: y = x transposed, for a matrix of f32 with ROWS rows and COLUMNS columns, both of any size and packed.
 *
 * One group of work-items, of any size, for each tile of TILE x TILE elements: ts_group_id(0) counts tiles along x's rows,
 * ts_group_id(1) along its columns. A tile that lies inside goes through scratch, which is shared memory on a GPU: then both
 * matrices are accessed along their rows. One that hangs over an end of x is few among many, and is copied directly.
 */
#define TS_USE_f32 1
#include "tensorstorage.h"

#ifndef ROWS
#define ROWS 1000
#define COLUMNS 1500
#endif
enum { TILE = 32 };

TS_LAYOUT_2(x_tile, TILE, TILE, COLUMNS, 1)
TS_LAYOUT_2(y_tile, TILE, TILE, 1, ROWS) /* by x's indices */

/* Each tile starts at a multiple of 32 elements; from row to row the layouts tell how far that holds. And no two elements of
 * a tile share a place: with fewer than TILE rows in x nested strides don't prove it, but then no tile lies inside. */
#define Y_FLAGS (TS_ALIGN(128) | TS_ASSUME_ONE_TO_ONE)
#define X_FLAGS (TS_ALIGN(128) | TS_INVARIANT)
TS_COPY_THROUGH(transpose_tile, ts_global, f32, y_tile, Y_FLAGS, ts_global_const, f32, x_tile, X_FLAGS)
TS_COPY_EDGE_2(transpose_edge, ts_global, f32, y_tile, Y_FLAGS, ts_global_const, f32, x_tile, X_FLAGS)

TS_KERNEL(transpose, (TS_GLOBAL_CONST_ARG(f32) x_cells, TS_GLOBAL_ARG(f32) y_cells)) {
  TS_SCRATCH(scratch, f32, transpose_tile_scratch_cosize);
  ts_index row = (ts_index)TILE * ts_group_id(1), column = (ts_index)TILE * ts_group_id(0);
  ts_global_const_f32 x = ts_offset(ts_global_const, f32, ts_bind(ts_global_const, f32, x_cells), row * COLUMNS + column);
  ts_global_f32 y = ts_offset(ts_global, f32, ts_bind(ts_global, f32, y_cells), column * ROWS + row);
  if (row + TILE <= ROWS && column + TILE <= COLUMNS)
    transpose_tile_through(y, x, scratch);
  else
    transpose_edge_by_group(y, x, ROWS - row, COLUMNS - column);
}
