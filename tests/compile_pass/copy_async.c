/* SPDX-License-Identifier: Apache-2.0
 *
 * Which copies go on in the background, by language: NAME_is_async.
 */
#include "tensorstorage.h"

#if TS_LANGUAGE_CUDA
#define PIECES (TS_CUDA_ARCH >= 800)
#define CALLS 0
#else
#define PIECES 0
#define CALLS (TS_LANGUAGE_OPENCL && !TS_GROUP_IS_SERIAL)
#endif

TS_LAYOUT_2(padded, 32, 32, 36, 1)
TS_LAYOUT_2(rows, 32, 32, 1024, 1)
TS_ROW_MAJOR_2(many, 65, 32)
TS_LAYOUT_2(many_apart, 65, 32, 40, 1)
TS_LAYOUT_2(short_rows, 32, 15, 16, 1)
TS_LAYOUT_2(padded_of_8, 8, 32, 36, 1)
TS_LAYOUT_2(every_other, 8, 32, 64, 2)

/* 32 rows of 128 bytes, in pieces of 16 and of 4 bytes. */
TS_COPY_ASYNC(wide, f32, padded, TS_ALIGN(16), rows, TS_ALIGN(16))
TS_STATIC_ASSERT(wide_width == 4 && wide_is_async == (PIECES || CALLS), "wide");
TS_COPY_ASYNC(narrow, f32, padded, 0, rows, TS_ALIGN(16))
TS_STATIC_ASSERT(narrow_width == 1 && narrow_is_async == (PIECES || CALLS), "narrow");

/* One row of 8 KiB against 65 of 128 bytes. */
TS_COPY_ASYNC(whole, f32, many, 0, many, 0)
TS_STATIC_ASSERT(whole_is_async == (PIECES || CALLS), "whole");
TS_COPY_ASYNC(too_many, f32, many_apart, 0, many, 0)
TS_STATIC_ASSERT(too_many_is_async == PIECES, "too_many");

/* Rows of 60 bytes. Elements that are not aligned to their size. Two bytes at once. Elements apart. */
TS_COPY_ASYNC(too_short, f32, short_rows, 0, short_rows, 0)
TS_STATIC_ASSERT(too_short_is_async == PIECES, "too_short");
TS_COPY_ASYNC(unaligned, f32, padded, TS_ALIGN(16), rows, TS_ALIGN(2))
TS_STATIC_ASSERT(unaligned_is_async == 0, "unaligned");
TS_COPY_ASYNC(two_bytes, f16, padded, 0, rows, 0)
TS_STATIC_ASSERT(two_bytes_is_async == CALLS, "two_bytes");
TS_COPY_ASYNC(apart, f32, padded_of_8, 0, every_other, 0)
TS_STATIC_ASSERT(apart_is_async == PIECES, "apart");

/* The dtype may be a macro, and a wait may take an expression. */
#define TILE_T f16
TS_COPY_ASYNC(by_macro, TILE_T, padded, TS_ALIGN(16), rows, TS_ALIGN(16))

TS_KERNEL(k, (TS_GLOBAL_CONST_ARG(TILE_T) x_cells, TS_GLOBAL_CONST_ARG(f32) y_cells, TS_GLOBAL_ARG(f32) z_cells)) {
  TS_SHARED(first, TILE_T, padded_cosize);
  TS_SHARED(second, f32, padded_cosize);
  int i = ts_item_in_group(0);
  ts_copy_event e = by_macro_async(first, ts_bind(ts_global_const, TILE_T, x_cells), ts_copy_begin());
  ts_copy_wait(wide_async(second, ts_bind(ts_global_const, f32, y_cells), e));
  ts_store(ts_global, f32, 1, ts_bind(ts_global, f32, z_cells), i,
           ts_convert(f32, TILE_T, 1, ts_load(ts_shared, TILE_T, 1, first, i, 0)) + ts_load(ts_shared, f32, 1, second, i, 0),
           0);
}
