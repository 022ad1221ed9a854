/* SPDX-License-Identifier: Apache-2.0
 *
 * handles.c: the kernels of by_hand.cu and by_hand.cl on handles. softmax and histogram are those of examples/.
 */
#include "tensorstorage.h"

/* ---- saxpy: y = a x + y; nobody writes x -------------------------------------------------------------------------- */

TS_KERNEL(saxpy, (TS_GLOBAL_CONST_ARG(f32) x_cells, TS_GLOBAL_ARG(f32) y_cells, float a)) {
  ts_global_const_f32 x = ts_bind(ts_global_const, f32, x_cells);
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
  ts_index i = 4 * (ts_index)ts_global_id(0);
  ts_f32x4 u = ts_load(ts_global_const, f32, 4, x, i, TS_INVARIANT | TS_ALIGN(16));
  ts_f32x4 v = ts_load(ts_global, f32, 4, y, i, TS_ALIGN(16));
  ts_store(ts_global, f32, 4, y, i, a * u + v, TS_ALIGN(16));
}

/* ---- add: c = a + b, W elements a work-item, aligned to all of them ------------------------------------------------- */

#define ADD(W, bytes)                                                                                                          \
  TS_KERNEL(add_##W, (TS_GLOBAL_CONST_ARG(f32) a_cells, TS_GLOBAL_CONST_ARG(f32) b_cells, TS_GLOBAL_ARG(f32) c_cells)) {       \
    ts_global_const_f32 a = ts_bind(ts_global_const, f32, a_cells);                                                            \
    ts_global_const_f32 b = ts_bind(ts_global_const, f32, b_cells);                                                            \
    ts_global_f32 c = ts_bind(ts_global, f32, c_cells);                                                                        \
    ts_index i = W * (ts_index)ts_global_id(0);                                                                                \
    ts_store(ts_global, f32, W, c, i,                                                                                          \
             ts_load(ts_global_const, f32, W, a, i, TS_ALIGN(bytes)) +                                                         \
                 ts_load(ts_global_const, f32, W, b, i, TS_ALIGN(bytes)),                                                      \
             TS_ALIGN(bytes));                                                                                                 \
  }
ADD(1, 4)
ADD(2, 8)
ADD(4, 16)
ADD(8, 32)
ADD(16, 64)

/* ---- gather: y[i] = x[i * stride], from memory that nobody writes to memory that is not read soon --------------------- */

TS_KERNEL(gather, (TS_GLOBAL_CONST_ARG(f32) x_cells, TS_GLOBAL_ARG(f32) y_cells, int stride)) {
  ts_global_const_f32 x = ts_bind(ts_global_const, f32, x_cells);
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
  ts_index i = (ts_index)ts_global_id(0);
  ts_store(ts_global, f32, 1, y, i, ts_load(ts_global_const, f32, 1, x, i * stride, TS_INVARIANT), TS_NON_TEMPORAL);
}

/* ---- reduce: y[group] = the sum of the 256 elements of a group ---------------------------------------------------------- */

TS_KERNEL(reduce, (TS_GLOBAL_CONST_ARG(f32) x_cells, TS_GLOBAL_ARG(f32) y_cells)) {
  TS_SHARED(cells, f32, 256);
  ts_global_const_f32 x = ts_bind(ts_global_const, f32, x_cells);
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
  int item = ts_item_in_group(0);
  ts_store(ts_shared, f32, 1, cells, item, ts_load(ts_global_const, f32, 1, x, ts_global_id(0), TS_INVARIANT), 0);
  for (int apart = 128; apart > 0; apart /= 2) {
    ts_barrier();
    if (item < apart)
      ts_store(ts_shared, f32, 1, cells, item,
               ts_load(ts_shared, f32, 1, cells, item, 0) + ts_load(ts_shared, f32, 1, cells, item + apart, 0), 0);
  }
  if (item == 0) ts_store(ts_global, f32, 1, y, ts_group_id(0), ts_load(ts_shared, f32, 1, cells, 0, 0), 0);
}

/* ---- stencil: y[i] = a x[i - 1] + b x[i] + a x[i + 1], but at both ends ----------------------------------------------- */

#define X(i) ts_load(ts_global_const, f32, 1, x, i, TS_INVARIANT)
TS_KERNEL(stencil, (TS_GLOBAL_CONST_ARG(f32) x_cells, TS_GLOBAL_ARG(f32) y_cells, float a, float b, ts_i64 count)) {
  ts_global_const_f32 x = ts_bind(ts_global_const, f32, x_cells);
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
  ts_index i = (ts_index)ts_global_id(0);
  if (i < 1 || i + 1 >= count) return;
  ts_store(ts_global, f32, 1, y, i, a * (X(i - 1) + X(i + 1)) + b * X(i), 0);
}

/* ---- dequantise: y = x * scale, one scale for 32 elements; four elements a work-item ----------------------------------- */

#define DEQUANTISE(T, bytes)                                                                                                   \
  TS_KERNEL(dequantise_##T,                                                                                                    \
            (TS_GLOBAL_CONST_ARG(T) x_cells, TS_GLOBAL_CONST_ARG(f32) scale_cells, TS_GLOBAL_ARG(f32) y_cells)) {              \
    ts_global_const_##T x = ts_bind(ts_global_const, T, x_cells);                                                              \
    ts_global_const_f32 scales = ts_bind(ts_global_const, f32, scale_cells);                                                   \
    ts_global_f32 y = ts_bind(ts_global, f32, y_cells);                                                                        \
    ts_index i = (ts_index)ts_global_id(0);                                                                                    \
    ts_##T##x4 q = ts_load(ts_global_const, T, 4, x, 4 * i, TS_INVARIANT | TS_ALIGN(bytes));                                   \
    ts_f32 scale = ts_load(ts_global_const, f32, 1, scales, i / 8, TS_INVARIANT);                                              \
    ts_store(ts_global, f32, 4, y, 4 * i, ts_convert(f32, T, 4, q) * scale, TS_ALIGN(16));                                     \
  }
DEQUANTISE(f16, 8)
DEQUANTISE(bf16, 8)
DEQUANTISE(f8e4m3fn, 4)
DEQUANTISE(i8, 4)

/* ---- lookup: two 4-bit codes of a byte, by a table in constant memory --------------------------------------------------- */

TS_CONSTANT_TABLE(table, f32, 16,
                  (-8.0f, -6.0f, -4.0f, -3.0f, -2.0f, -1.5f, -1.0f, -0.5f, 0.0f, 0.5f, 1.0f, 1.5f, 2.0f, 3.0f, 4.0f, 6.0f));

TS_KERNEL(lookup, (TS_GLOBAL_CONST_ARG(u8) x_cells, TS_GLOBAL_ARG(f32) y_cells)) {
  ts_constant_f32 values = ts_bind(ts_constant, f32, table);
  ts_index i = (ts_index)ts_global_id(0);
  ts_u8 codes = ts_load(ts_global_const, u8, 1, ts_bind(ts_global_const, u8, x_cells), i, TS_INVARIANT);
  ts_f32x2 both = ts_splat(f32, 2, ts_load(ts_constant, f32, 1, values, codes & 15, 0));
  both = ts_set_lane(f32, 2, both, 1, ts_load(ts_constant, f32, 1, values, codes >> 4, 0));
  ts_store(ts_global, f32, 2, ts_bind(ts_global, f32, y_cells), 2 * i, both, TS_ALIGN(8));
}

/* ---- tiles: a group of any size shares each --------------------------------------------------------------------------- */

/* transpose_tile: 32 x 32 elements of a matrix with 1024 columns, to one with 2048. */
TS_LAYOUT_2(transpose_src, 32, 32, 1024, 1)
TS_LAYOUT_2(transpose_dst, 32, 32, 1, 2048)
TS_COPY_THROUGH(transpose, ts_global, f32, transpose_dst, 0, ts_global_const, f32, transpose_src, TS_INVARIANT)
TS_KERNEL(transpose_tile, (TS_GLOBAL_CONST_ARG(f32) x_cells, TS_GLOBAL_ARG(f32) y_cells)) {
  TS_SCRATCH(tile, f32, transpose_scratch_cosize);
  ts_index row = ts_group_id(1), column = ts_group_id(0);
  transpose_through(ts_offset(ts_global, f32, ts_bind(ts_global, f32, y_cells), column * (32 * 2048) + row * 32),
                    ts_offset(ts_global_const, f32, ts_bind(ts_global_const, f32, x_cells), row * (32 * 1024) + column * 32),
                    tile);
}

/* permute_tile: y[c][b][a] = x[a][b][c], of 256 x 64 x 128 elements; a tile is 16 x 2 x 16. */
TS_LAYOUT_3(permute_src, 16, 2, 16, 64 * 128, 128, 1)
TS_LAYOUT_3(permute_dst, 16, 2, 16, 1, 256, 64 * 256)
TS_COPY_THROUGH(permute, ts_global, f32, permute_dst, 0, ts_global_const, f32, permute_src, TS_INVARIANT)
TS_KERNEL(permute_tile, (TS_GLOBAL_CONST_ARG(f32) x_cells, TS_GLOBAL_ARG(f32) y_cells)) {
  TS_SCRATCH(tile, f32, permute_scratch_cosize);
  ts_index a = ts_group_id(2), b = ts_group_id(1), c = ts_group_id(0);
  permute_through(
      ts_offset(ts_global, f32, ts_bind(ts_global, f32, y_cells), c * (16 * 64 * 256) + b * (2 * 256) + a * 16),
      ts_offset(ts_global_const, f32, ts_bind(ts_global_const, f32, x_cells), a * (16 * 64 * 128) + b * (2 * 128) + c * 16),
      tile);
}

/* dequantise_tile: 16 elements a work-item, one scale for 64 of these. */
TS_ROW_MAJOR_1(piece, 16)
TS_COPY(dequantise, ts_local, f32, piece, TS_ALIGN(64), ts_global_const, i8, piece, TS_ALIGN(16) | TS_INVARIANT)
TS_COPY(put, ts_global, f32, piece, TS_ALIGN(16), ts_local, f32, piece, TS_ALIGN(64))
TS_KERNEL(dequantise_tile,
          (TS_GLOBAL_CONST_ARG(i8) x_cells, TS_GLOBAL_CONST_ARG(f32) scale_cells, TS_GLOBAL_ARG(f32) y_cells)) {
  TS_LOCAL(mine, f32, 16);
  ts_index i = (ts_index)ts_global_id(0);
  dequantise(mine, ts_offset(ts_global_const, i8, ts_bind(ts_global_const, i8, x_cells), 16 * i));
  ts_f32 scale = ts_load(ts_global_const, f32, 1, ts_bind(ts_global_const, f32, scale_cells), i / 64, TS_INVARIANT);
  for (int k = 0; k < 16; k += 4)
    ts_store(ts_local, f32, 4, mine, k, ts_load(ts_local, f32, 4, mine, k, TS_ALIGN(16)) * scale, TS_ALIGN(16));
  put(ts_offset(ts_global, f32, ts_bind(ts_global, f32, y_cells), 16 * i), mine);
}

/* halo_tile: y = what is above and below in x, of 8 x 32 elements, with one row more at either end. 1024 columns lie between
 * rows; `rows` are left, and beyond there is `border`. */
TS_LAYOUT_2(halo_src, 10, 32, 1024, 1)
TS_ROW_MAJOR_2(halo, 10, 32)
TS_COPY_EDGE_2(halo_fetch, ts_shared, f32, halo, TS_ALIGN(16), ts_global_const, f32, halo_src, TS_ALIGN(16) | TS_INVARIANT)
TS_KERNEL(halo_tile, (TS_GLOBAL_CONST_ARG(f32) x_cells, TS_GLOBAL_ARG(f32) y_cells, int rows, float border)) {
  TS_SHARED(tile, f32, halo_cosize);
  int row = 8 * ts_group_id(1);
  ts_index at = (ts_index)row * 1024 + (ts_index)ts_group_id(0) * 32;
  ts_global_f32 y = ts_offset(ts_global, f32, ts_bind(ts_global, f32, y_cells), at);
  halo_fetch_fill_by_group(tile, ts_offset(ts_global_const, f32, ts_bind(ts_global_const, f32, x_cells), at), rows - row, 32,
                           border);
  ts_barrier();
  for (ts_u32 v = (ts_u32)ts_item_linear_id(); v < 256; v += (ts_u32)ts_group_items())
    ts_store(ts_global, f32, 1, y, (ts_index)(v / 32) * 1024 + v % 32,
             ts_load(ts_shared, f32, 1, tile, v, 0) + ts_load(ts_shared, f32, 1, tile, v + 64, 0), 0);
}

/* matmul_tile: c = a b, 1024 x 1024 each; 64 x 64 elements of c by 16 x 16 work-items, 16 deep, as examples/matmul.c. */
TS_LAYOUT_2(a_part, 64, 16, 1024, 1)
TS_LAYOUT_2(b_part, 16, 64, 1024, 1)
TS_LAYOUT_2(a_tile, 64, 16, 20, 1)
TS_ROW_MAJOR_2(b_tile, 16, 64)
TS_COPY(fetch_a, ts_shared, f32, a_tile, TS_ALIGN(16), ts_global_const, f32, a_part, TS_ALIGN(16) | TS_INVARIANT)
TS_COPY(fetch_b, ts_shared, f32, b_tile, TS_ALIGN(16), ts_global_const, f32, b_part, TS_ALIGN(16) | TS_INVARIANT)
#define A_ROW(i) ts_load(ts_shared, f32, 4, tile_a, (i)*20 + k, TS_ALIGN(16))
#define B_ROW(i) ts_load(ts_shared, f32, 4, tile_b, (i)*64 + my_column, TS_ALIGN(16))
TS_KERNEL(matmul_tile, (TS_GLOBAL_CONST_ARG(f32) a_cells, TS_GLOBAL_CONST_ARG(f32) b_cells, TS_GLOBAL_ARG(f32) c_cells)) {
  TS_SHARED(tile_a, f32, a_tile_cosize);
  TS_SHARED(tile_b, f32, b_tile_cosize);
  int my_row = 4 * ts_item_in_group(1), my_column = 4 * ts_item_in_group(0);
  ts_index row = (ts_index)ts_group_id(1) * 64, column = (ts_index)ts_group_id(0) * 64;
  ts_global_const_f32 a = ts_offset(ts_global_const, f32, ts_bind(ts_global_const, f32, a_cells), row * 1024);
  ts_global_const_f32 b = ts_offset(ts_global_const, f32, ts_bind(ts_global_const, f32, b_cells), column);
  ts_global_f32 c =
      ts_offset(ts_global, f32, ts_bind(ts_global, f32, c_cells), row * 1024 + column + (ts_index)my_row * 1024 + my_column);
  ts_f32x4 sums[4];
  for (int r = 0; r < 4; ++r) sums[r] = ts_splat(f32, 4, 0.0f);
  for (ts_index depth = 0; depth < 1024; depth += 16) {
    fetch_a_by_group(tile_a, ts_offset(ts_global_const, f32, a, depth));
    fetch_b_by_group(tile_b, ts_offset(ts_global_const, f32, b, depth * 1024));
    ts_barrier();
    for (int k = 0; k < 16; k += 4) {
      ts_f32x4 b0 = B_ROW(k), b1 = B_ROW(k + 1), b2 = B_ROW(k + 2), b3 = B_ROW(k + 3);
      for (int r = 0; r < 4; ++r) {
        ts_f32x4 v = A_ROW(my_row + r);
        sums[r] = sums[r] + b0 * ts_lane(f32, 4, v, 0) + b1 * ts_lane(f32, 4, v, 1) + b2 * ts_lane(f32, 4, v, 2) +
                  b3 * ts_lane(f32, 4, v, 3);
      }
    }
    ts_barrier();
  }
  for (int r = 0; r < 4; ++r) ts_store(ts_global, f32, 4, c, r * 1024, sums[r], TS_ALIGN(16));
}
