/* SPDX-License-Identifier: Apache-2.0
 *
 * dequantise_rows.c: y = x * scale, with one scale for each row of a matrix. x is of any dtype: -DSRC_T=i8, f16, …
 *
 * One work-item for PIECE elements of a row: ts_global_id(0) counts pieces, ts_global_id(1) rows. A whole piece stays in
 * registers. One that hangs over the row's end is copied to memory of the work-item's own, converted on the way, and what there
 * is of it to y. Rows may have any number of columns; each starts a multiple of PIECE elements (`pitch`) after the one before,
 * in x and in y.
 */
#include "tensorstorage.h"

#ifndef SRC_T
#define SRC_T i8
#endif
enum { PIECE = 16 };

TS_ROW_MAJOR_1(piece, PIECE)
TS_COPY_EDGE_1(fetch, ts_local, f32, piece, TS_ALIGN(64), ts_global_const, SRC_T, piece, TS_ALIGN(16) | TS_INVARIANT)
TS_COPY_EDGE_1(put, ts_global, f32, piece, TS_ALIGN(64), ts_local, f32, piece, TS_ALIGN(64))

TS_KERNEL(dequantise_rows, (TS_GLOBAL_CONST_ARG(SRC_T) x_cells, TS_GLOBAL_CONST_ARG(f32) scale_cells,
                            TS_GLOBAL_ARG(f32) y_cells, int columns, int pitch)) {
  TS_LOCAL(mine, f32, PIECE);
  ts_index row = (ts_index)ts_global_id(1), column = PIECE * (ts_index)ts_global_id(0), at = row * pitch + column;
  ts_handle(ts_global_const, SRC_T) x = ts_bind(ts_global_const, SRC_T, x_cells);
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
  ts_f32 scale = ts_load(ts_global_const, f32, 1, ts_bind(ts_global_const, f32, scale_cells), row, TS_INVARIANT);

  if (columns - column >= PIECE) {
    ts_f32x16 v = ts_convert(f32, SRC_T, 16, ts_load(ts_global_const, SRC_T, 16, x, at, TS_ALIGN(16) | TS_INVARIANT));
    ts_store(ts_global, f32, 16, y, at, v * scale, TS_ALIGN(64));
  } else {
    fetch(mine, ts_offset(ts_global_const, SRC_T, x, at), columns - column);
    ts_store(ts_local, f32, 16, mine, 0, ts_load(ts_local, f32, 16, mine, 0, TS_ALIGN(64)) * scale, TS_ALIGN(64));
    put(ts_offset(ts_global, f32, y, at), mine, columns - column);
  }
}
