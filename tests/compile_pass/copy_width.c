/* SPDX-License-Identifier: Apache-2.0
 *
 * The width of a copy, row by row, worked out by hand from the rules of core/copy.h: it is the largest power of two, at most
 * 16, that fits into the run that both sides share, at which every run starts on each side, and whose bytes both promises
 * cover. copy_width_test.sh compiles the same kernels, and compares their instructions with the rows.
 *
 *   WIDTH(name, width, P, T, layout, flags, Q, U, layout, flags)    as TS_COPY
 *   WIDTH_ONLY(…)    the same without a kernel: compilers may do better where they see that the sides are not the same memory,
 *                    or that one element goes to many places
 *
 * A name ends with _tail where a run is no multiple of the width: its rest goes element by element.
 */
#include "tensorstorage.h"

#ifdef WIDTH_IS_NOT_ASSERTED
#define WIDTH_IS(name, width)
#else
#define WIDTH_IS(name, width) TS_STATIC_ASSERT(name##_width == width, #name ": the width must be " #width);
#endif
#define WIDTH_ONLY(name, width, P, T, D, dst_flags, Q, U, S, src_flags)                                                        \
  TS_COPY(name, P, T, D, dst_flags, Q, U, S, src_flags)                                                                        \
  WIDTH_IS(name, width)
#define WIDTH(name, width, P, T, D, dst_flags, Q, U, S, src_flags)                                                             \
  WIDTH_ONLY(name, width, P, T, D, dst_flags, Q, U, S, src_flags)                                                              \
  TS_KERNEL(width_##name, (ARG_##P(T) dst_cells, ARG_##Q(U) src_cells)) {                                                      \
    name(ts_offset(P, T, ts_bind(P, T, dst_cells), PLACE_##P), ts_offset(Q, U, ts_bind(Q, U, src_cells), PLACE_##Q));          \
  }

/* Another place for each work-item where that makes a difference: AMDGPU has instructions of its own where it is the same. */
#ifdef __AMDGCN__
#define WIDTH_ITEM (256 * (int)__builtin_amdgcn_workitem_id_x())
#else
#define WIDTH_ITEM 0
#endif
#define ARG_ts_global TS_GLOBAL_ARG
#define ARG_ts_global_const TS_GLOBAL_CONST_ARG
#define ARG_ts_shared TS_SHARED_ARG
#define ARG_ts_constant TS_CONSTANT_ARG
#define PLACE_ts_global WIDTH_ITEM
#define PLACE_ts_global_const WIDTH_ITEM
#define PLACE_ts_shared WIDTH_ITEM
#define PLACE_ts_constant 0

/* clang-format off */

/* ---- one run: the promises decide, then its length ---- */
TS_ROW_MAJOR_1(n1024, 1024)
WIDTH(no_promise,          1, ts_global, f32, n1024, 0,             ts_global_const, f32, n1024, 0)
WIDTH(align_16,            4, ts_global, f32, n1024, TS_ALIGN(16),  ts_global_const, f32, n1024, TS_ALIGN(16))
WIDTH(align_64,           16, ts_global, f32, n1024, TS_ALIGN(64),  ts_global_const, f32, n1024, TS_ALIGN(64))
WIDTH(only_dst_promises,   1, ts_global, f32, n1024, TS_ALIGN(64),  ts_global_const, f32, n1024, 0)
WIDTH(only_src_promises,   1, ts_global, f32, n1024, 0,             ts_global_const, f32, n1024, TS_ALIGN(64))
WIDTH(unequal_promises,    2, ts_global, f32, n1024, TS_ALIGN(64),  ts_global_const, f32, n1024, TS_ALIGN(8))
WIDTH(two_in_one_word,     2, ts_global, f32, n1024, TS_ALIGN(8) | TS_ALIGN(32), ts_global_const, f32, n1024, TS_ALIGN(64))
WIDTH(odd_base,            1, ts_global, f32, n1024, TS_ALIGN(4),   ts_global_const, f32, n1024, TS_ALIGN(4))
WIDTH(even_base,           2, ts_global, f32, n1024, TS_ALIGN(8),   ts_global_const, f32, n1024, TS_ALIGN(8))
WIDTH(below_an_element,    1, ts_global, f32, n1024, TS_ALIGN(2),   ts_global_const, f32, n1024, TS_ALIGN(16))
WIDTH(bytes_at_1,          1, ts_global, u8,  n1024, TS_ALIGN(1),   ts_global_const, u8,  n1024, TS_ALIGN(16))
WIDTH(bytes_at_8,          8, ts_global, u8,  n1024, TS_ALIGN(8),   ts_global_const, u8,  n1024, TS_ALIGN(16))
WIDTH(bytes_at_16,        16, ts_global, u8,  n1024, TS_ALIGN(16),  ts_global_const, u8,  n1024, TS_ALIGN(16))
WIDTH(never_above_16,     16, ts_global, u8,  n1024, TS_ALIGN(256), ts_global_const, u8,  n1024, TS_ALIGN(256))
WIDTH(doubles_at_64,       8, ts_global, f64, n1024, TS_ALIGN(64),  ts_global_const, f64, n1024, TS_ALIGN(64))
WIDTH(doubles_at_256,     16, ts_global, f64, n1024, TS_ALIGN(256), ts_global_const, f64, n1024, TS_ALIGN(256))
TS_ROW_MAJOR_1(n17, 17)
TS_ROW_MAJOR_1(n7, 7)
TS_ROW_MAJOR_1(n3, 3)
TS_ROW_MAJOR_1(n1, 1)
WIDTH(n17_tail,           16, ts_global, u8,  n17, TS_ALIGN(16),    ts_global_const, u8,  n17, TS_ALIGN(16))
WIDTH(n7_tail,             4, ts_global, f32, n7,  TS_ALIGN(32),    ts_global_const, f32, n7,  TS_ALIGN(32))
WIDTH(n3_tail,             2, ts_global, f32, n3,  TS_ALIGN(16),    ts_global_const, f32, n3,  TS_ALIGN(16))
WIDTH(n1_of_one,           1, ts_global, f32, n1,  TS_ALIGN(16),    ts_global_const, f32, n1,  TS_ALIGN(16))

/* ---- two dtypes: each side by its own bytes ---- */
WIDTH(f32_of_f16,          4, ts_global, f32, n1024, TS_ALIGN(16),  ts_global_const, f16, n1024, TS_ALIGN(16))
WIDTH(f16_of_f32,          8, ts_global, f16, n1024, TS_ALIGN(16),  ts_global_const, f32, n1024, TS_ALIGN(64))
WIDTH(f64_of_u8,           2, ts_global, f64, n1024, TS_ALIGN(16),  ts_global_const, u8,  n1024, TS_ALIGN(16))
WIDTH(bf16_of_f8e5m2,      8, ts_global, bf16, n1024, TS_ALIGN(16), ts_global_const, f8e5m2, n1024, TS_ALIGN(16))
WIDTH(i8_of_i32,          16, ts_global, i8,  n1024, TS_ALIGN(16),  ts_global_const, i32, n1024, TS_ALIGN(64))

/* ---- padded rows: the pitch has to be a multiple of the width ---- */
TS_ROW_MAJOR_2(rows, 32, 32)
TS_LAYOUT_2(pitch_33, 32, 32, 33, 1)
TS_LAYOUT_2(pitch_34, 32, 32, 34, 1)
TS_LAYOUT_2(pitch_36, 32, 32, 36, 1)
TS_LAYOUT_2(pitch_40, 32, 32, 40, 1)
TS_LAYOUT_2(pitch_1024, 32, 32, 1024, 1)
WIDTH(to_pitch_33,         1, ts_global, f32, pitch_33, TS_ALIGN(64), ts_global_const, f32, rows, TS_ALIGN(64))
WIDTH(to_pitch_34,         2, ts_global, f32, pitch_34, TS_ALIGN(64), ts_global_const, f32, rows, TS_ALIGN(64))
WIDTH(to_pitch_36,         4, ts_global, f32, pitch_36, TS_ALIGN(64), ts_global_const, f32, rows, TS_ALIGN(64))
WIDTH(from_pitch_40,       8, ts_global, f32, rows, TS_ALIGN(64),  ts_global_const, f32, pitch_40, TS_ALIGN(64))
WIDTH(pitch_40_to_36,      4, ts_global, f32, pitch_36, TS_ALIGN(64), ts_global_const, f32, pitch_40, TS_ALIGN(64))
WIDTH_ONLY(tile_of_f16,         4, ts_shared, f32, pitch_36, TS_ALIGN(16), ts_global_const, f16, pitch_1024, TS_ALIGN(16))
/* Rows of 12 are one 8 and a tail of 4, at pitch 16; in 48 packed elements a row starts at each multiple of 12, thus of 4. */
TS_LAYOUT_2(twelve_in_16, 4, 12, 16, 1)
TS_ROW_MAJOR_2(twelve, 4, 12)
WIDTH(twelve_tail,         8, ts_global, u8, twelve_in_16, TS_ALIGN(16), ts_global_const, u8, twelve_in_16, TS_ALIGN(16))
WIDTH(twelve_packed,       4, ts_global, u8, twelve, TS_ALIGN(16),  ts_global_const, u8, twelve_in_16, TS_ALIGN(16))
TS_LAYOUT_3(slices, 6, 5, 8, 128, 16, 1)
WIDTH(padded_slices,       8, ts_global, f16, slices, TS_ALIGN(16), ts_global_const, f16, slices, TS_ALIGN(16))

/* ---- order of modes: that of the destination's strides, where shapes are the same ---- */
TS_COLUMN_MAJOR_2(columns, 32, 32)
TS_LAYOUT_2(columns_36, 30, 8, 1, 36)
TS_COLUMN_MAJOR_2(columns_30, 30, 8)
TS_COLUMN_MAJOR_3(columns_3, 8, 4, 6)
TS_LAYOUT_3(columns_3_padded, 8, 4, 6, 1, 16, 64)
WIDTH(column_major,       16, ts_global, f32, columns, TS_ALIGN(64), ts_global_const, f32, columns, TS_ALIGN(64))
WIDTH(columns_36_tail,     4, ts_global, f32, columns_36, TS_ALIGN(64), ts_global_const, f32, columns_36, TS_ALIGN(64))
WIDTH(columns_to_30,       2, ts_global, f32, columns_30, TS_ALIGN(64), ts_global_const, f32, columns_36, TS_ALIGN(64))
WIDTH(columns_of_3,        8, ts_global, f64, columns_3, TS_ALIGN(64), ts_global_const, f64, columns_3_padded, TS_ALIGN(64))
WIDTH(transposed,          1, ts_global, f32, rows, TS_ALIGN(64),   ts_global_const, f32, columns, TS_ALIGN(64))
TS_ROW_MAJOR_3(blocks, 4, 2, 16)
TS_LAYOUT_3(blocks_swapped, 4, 2, 16, 16, 64, 1)
WIDTH(inner_mode_stays,   16, ts_global, f32, blocks, TS_ALIGN(64), ts_global_const, f32, blocks_swapped, TS_ALIGN(64))

/* ---- reshapes: the common run ---- */
TS_ROW_MAJOR_2(by_3, 16, 3)
TS_ROW_MAJOR_2(by_6, 8, 6)
TS_LAYOUT_2(six_in_8, 8, 6, 8, 1)
TS_LAYOUT_2(four_in_8, 12, 4, 8, 1)
TS_LAYOUT_3(two_in_4, 12, 2, 2, 8, 4, 1)
WIDTH(packed_reshape,     16, ts_global, u8,  by_6, TS_ALIGN(16),   ts_global_const, u8, by_3, TS_ALIGN(16))
WIDTH(six_of_packed,       2, ts_global, f32, six_in_8, TS_ALIGN(32), ts_global_const, f32, by_3, TS_ALIGN(32))
WIDTH(six_and_four,        2, ts_global, f32, six_in_8, TS_ALIGN(32), ts_global_const, f32, four_in_8, TS_ALIGN(32))
WIDTH(two_of_four,         2, ts_global, f32, four_in_8, TS_ALIGN(32), ts_global_const, f32, two_in_4, TS_ALIGN(32))

/* ---- strides that are negative, zero, or of an extent of 1 ---- */
TS_ROW_MAJOR_2(eight_rows, 8, 16)
TS_LAYOUT_2(rows_upward, 8, 16, -16, 1)
TS_LAYOUT_2(same_row, 8, 16, 0, 1)
TS_LAYOUT_2(same_element, 8, 16, 1, 0)
TS_LAYOUT_2(backwards, 8, 16, 16, -1)
TS_LAYOUT_3(extents_of_1, 1, 128, 1, 1000003, 1, -7)
WIDTH(upward,             16, ts_global, f32, eight_rows, TS_ALIGN(64), ts_global_const, f32, rows_upward, TS_ALIGN(64))
WIDTH(to_upward,          16, ts_global, f32, rows_upward, TS_ALIGN(64), ts_global_const, f32, eight_rows, TS_ALIGN(64))
WIDTH(broadcast_row,       8, ts_global, f32, eight_rows, TS_ALIGN(32), ts_global_const, f32, same_row, TS_ALIGN(32))
WIDTH_ONLY(broadcast_element,   1, ts_global, f32, eight_rows, TS_ALIGN(64), ts_global_const, f32, same_element, TS_ALIGN(64))
WIDTH(reversed,            1, ts_global, f32, eight_rows, TS_ALIGN(64), ts_global_const, f32, backwards, TS_ALIGN(64))
WIDTH(both_reversed,       1, ts_global, f32, backwards, TS_ALIGN(64), ts_global_const, f32, backwards, TS_ALIGN(64))
WIDTH(unused_strides,     16, ts_global, f32, extents_of_1, TS_ALIGN(64), ts_global_const, f32, eight_rows, TS_ALIGN(64))

/* ---- other ranks and spaces ---- */
TS_LAYOUT_6(six_modes, 2, 2, 2, 2, 2, 4, 128, 64, 32, 16, 8, 1)
TS_ROW_MAJOR_6(six_packed, 2, 2, 2, 2, 2, 4)
WIDTH(rank_6,              4, ts_global, i16, six_packed, TS_ALIGN(8), ts_global_const, i16, six_modes, TS_ALIGN(8))
TS_ROW_MAJOR_2(n7_by_16, 7, 16)
WIDTH_ONLY(of_constant,         4, ts_global, f32, n7_by_16, TS_ALIGN(16), ts_constant, f32, n7_by_16, TS_ALIGN(16))
WIDTH(of_shared,           4, ts_global, f32, rows, TS_ALIGN(16),   ts_shared, f32, pitch_36, TS_ALIGN(16))

/* ---- 2^33 elements, and strides beyond 2^31 ---- */
TS_ROW_MAJOR_3(huge, 2048, 2048, 2048)
TS_LAYOUT_2(huge_rows, 4, 64, 4294967296, 1)
TS_LAYOUT_2(huge_rows_and_2, 4, 64, 4294967298, 1)
TS_ROW_MAJOR_2(small_rows, 4, 64)
WIDTH(all_of_2_33,        16, ts_global, u8, huge, TS_ALIGN(16),    ts_global_const, u8, huge, TS_ALIGN(16))
WIDTH(stride_2_32,        16, ts_global, u8, small_rows, TS_ALIGN(16), ts_global_const, u8, huge_rows, TS_ALIGN(16))
WIDTH(stride_2_32_and_2,   2, ts_global, u8, huge_rows_and_2, TS_ALIGN(16), ts_global_const, u8, small_rows, TS_ALIGN(16))

/* clang-format on */
