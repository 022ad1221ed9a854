/* SPDX-License-Identifier: Apache-2.0
 *
 * copy_size.c: the same copies of a tile of 32 x 32 and of one of 128 x 128, for copy_size_test.sh, which compares how many
 * instructions they have. Only to be compiled. A kernel is called <way>__<copy>__<extent>.
 */
#include "tensorstorage.h"

#define COPY(copy, N, T, D, U, S)                                                                                              \
  TS_COPY(copy##_##N, ts_global, T, D, TS_ALIGN(16), ts_global_const, U, S, TS_ALIGN(16))                                      \
  TS_KERNEL(item__##copy##__##N, (TS_GLOBAL_ARG(T) dst_cells, TS_GLOBAL_CONST_ARG(U) src_cells)) {                             \
    copy##_##N(ts_bind(ts_global, T, dst_cells), ts_bind(ts_global_const, U, src_cells));                                      \
  }                                                                                                                            \
  TS_KERNEL(group__##copy##__##N, (TS_GLOBAL_ARG(T) dst_cells, TS_GLOBAL_CONST_ARG(U) src_cells)) {                            \
    copy##_##N##_by_group(ts_bind(ts_global, T, dst_cells), ts_bind(ts_global_const, U, src_cells));                           \
  }
#define COPIES(N)                                                                                                              \
  TS_ROW_MAJOR_2(packed_##N, N, N)                                                                                             \
  TS_LAYOUT_2(padded_##N, N, N, N + 4, 1)                                                                                      \
  TS_LAYOUT_2(odd_##N, N, N, N + 3, 1)                                                                                         \
  TS_LAYOUT_2(rows_##N, N, N, 1024, 1)                                                                                         \
  TS_COLUMN_MAJOR_2(columns_##N, N, N)                                                                                         \
  TS_LAYOUT_3(folded_##N, N / 4, 4, N, 8 * N, 2 * N, 1)                                                                        \
  COPY(same, N, f32, packed_##N, f32, packed_##N)                                                                              \
  COPY(pad, N, f32, padded_##N, f32, rows_##N)                                                                                 \
  COPY(odd, N, u8, odd_##N, u8, rows_##N)                                                                                      \
  COPY(widen, N, f32, padded_##N, f16, rows_##N)                                                                               \
  COPY(transpose, N, f32, packed_##N, f32, columns_##N)                                                                        \
  COPY(reshape, N, f32, padded_##N, f32, folded_##N)
COPIES(32)
COPIES(128)
