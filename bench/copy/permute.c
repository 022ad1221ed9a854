/* SPDX-License-Identifier: Apache-2.0
 *
 * permute.c: a transpose or a permutation of three modes, of f32, tile by tile through scratch.
 *
 * Of a tile, ROWS lie along the mode that is packed in the destination, COLUMNS along the one that is packed in the source.
 * Groups follow each other along the rows, so that the lines of the destination that are written one after another are
 * neighbours.
 * Defined by the host: the steps of the three modes, TO_ROWS (1) … in the destination and FROM_ROWS … in the source.
 */
#include "tensorstorage.h"

TS_LAYOUT_2(to, COLUMNS, ROWS, TO_COLUMNS, 1)
TS_LAYOUT_2(from, COLUMNS, ROWS, 1, FROM_ROWS)
TS_COPY_THROUGH(tile, ts_global, f32, to, TS_ALIGN(64) | HINT, ts_global_const, f32, from, TS_ALIGN(64))

TS_KERNEL(permute, (TS_GLOBAL_ARG(f32) y_cells, TS_GLOBAL_CONST_ARG(f32) x_cells)) {
  TS_SCRATCH(scratch, f32, tile_scratch_cosize);
  ts_index row = (ts_index)ts_group_id(0) * ROWS, column = (ts_index)ts_group_id(1) * COLUMNS, slice = ts_group_id(2);
  ts_global_f32 to_tile =
      ts_offset(ts_global, f32, ts_bind(ts_global, f32, y_cells), column * TO_COLUMNS + row + slice * TO_SLICES);
  ts_global_const_f32 from_tile =
      ts_offset(ts_global_const, f32, ts_bind(ts_global_const, f32, x_cells), column + row * FROM_ROWS + slice * FROM_SLICES);
  tile_through_next(to_tile, from_tile, scratch, ts_offset(ts_global_const, f32, from_tile, (ts_index)ROWS * FROM_ROWS));
}
