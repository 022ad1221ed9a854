/* SPDX-License-Identifier: Apache-2.0
 *
 * vector.h: what kernels compute with: arithmetic, lanes, masks, a few functions and one atomic. This is no maths library.
 *
 * A ts_TxW of a dtype that computes (i8 … u64, f32, and f64 where TS_HAVE_F64) is an arithmetic type of the language:
 *
 *   + - * /     between two of one type, and with a scalar of the element type ts_T on either side, lane by lane. Another
 *               scalar or vector is not portable: most are compile errors, each language has exceptions of its own.
 *   W >= 2      lanes are never promoted: u8 and u16 wrap in their own size. Overflow of a signed lane is undefined, as is
 *               an integer divided by zero: compute modulo a power of two in the unsigned dtype.
 *   W == 1      C's own rules: i8, u8, i16 and u16 become int, so store back with a cast, and beware of the product of two
 *               u16, which can overflow int.
 *
 * Of the comparisons only ts_less … ts_not_equal are portable: native operators give a type that differs by language.
 * Arguments are evaluated once, in an order that is not specified. T and W may be macros.
 *
 * Names no backend: the words written in capitals that are not defined here are the prelude's.
 */
#ifndef TS_CORE_VECTOR_H
#define TS_CORE_VECTOR_H

#ifndef TS_INLINE
#error "core/vector.h is a part of TensorStorage: include tensorstorage.h instead."
#endif

/* ---- columns of a dtype's row, by its name ---------------------------------------------------------------------- */

/* The dtype of what memory holds: T itself, or the bits of a T that does not compute. */
#define TS_CELL_OF(T) TS_OF_DTYPE(TS_COLUMN_CELL, TS_DTYPE_ROW_##T)
#define TS_COLUMN_CELL(T, U, bytes, kind, computes) TS_CELL_##computes(T, U)
#define TS_CELL_NATIVE(T, U) T
#define TS_CELL_BITS(T, U) U
#if TS_HAVE_F64
#define TS_CELL_DOUBLE(T, U) T
#else
#define TS_CELL_DOUBLE(T, U) U
#endif

/* The dtype of a mask: the signed integer of T's size. */
#define TS_MASK_OF(T) TS_OF_DTYPE(TS_COLUMN_MASK, TS_DTYPE_ROW_##T)
#define TS_COLUMN_MASK(T, U, bytes, kind, computes) TS_MASK_##bytes
#define TS_MASK_1 i8
#define TS_MASK_2 i16
#define TS_MASK_4 i32
#define TS_MASK_8 i64

/* 1 for f32, and for f64 where it computes. */
#define TS_HAS_MATHS(T) TS_IF_DTYPE(TS_DTYPE_ROW_##T, TS_OF_DTYPE, TS_NOT_OF_DTYPE)(TS_COLUMN_HAS_MATHS, TS_DTYPE_ROW_##T)
#define TS_NOT_OF_DTYPE(column, row) 0
#define TS_COLUMN_HAS_MATHS(T, U, bytes, kind, computes) TS_HAS_MATHS_##kind
#define TS_HAS_MATHS_BOOL 0
#define TS_HAS_MATHS_INT 0
#define TS_HAS_MATHS_SMALL 0
#define TS_HAS_MATHS_SINGLE 1
#define TS_HAS_MATHS_DOUBLE TS_HAVE_F64

/* 1 for i32 and u32. */
#define TS_HAS_ATOMICS(T) TS_IF_DTYPE(TS_DTYPE_ROW_##T, TS_OF_DTYPE, TS_NOT_OF_DTYPE)(TS_COLUMN_HAS_ATOMICS, TS_DTYPE_ROW_##T)
#define TS_COLUMN_HAS_ATOMICS(T, U, bytes, kind, computes) TS_HAS_ATOMICS_##kind(bytes)
#define TS_HAS_ATOMICS_BOOL(bytes) 0
#define TS_HAS_ATOMICS_INT(bytes) ((bytes) == 4)
#define TS_HAS_ATOMICS_SMALL(bytes) 0
#define TS_HAS_ATOMICS_SINGLE(bytes) 0
#define TS_HAS_ATOMICS_DOUBLE(bytes) 0

/* `one` at width 1, where a vector is a scalar, `wide` at the others. */
#define TS_BY_WIDTH_1(one, wide) one
#define TS_BY_WIDTH_2(one, wide) wide
#define TS_BY_WIDTH_4(one, wide) wide
#define TS_BY_WIDTH_8(one, wide) wide
#define TS_BY_WIDTH_16(one, wide) wide

/* ---- lanes: of all dtypes ---------------------------------------------------------------------------------------- */

/* Lane k of v, a ts_TxW, as a ts_T. Undefined unless 0 <= k < W; k need not be constant. */
#define ts_lane(T, W, v, k) TS_LANE(T, W, v, k)
#define TS_LANE(T, W, v, k) TS_IF_USED_AT(T, W, TS_LANE_USED, TS_LANE_UNUSED)(T, W, v, k)
#define TS_LANE_UNUSED(T, W, v, k) TS_UNUSED_VECTOR(T, W)
#define TS_LANE_USED(T, W, v, k)                                                                                               \
  TS_AS_VALUE(T, 1, TS_BY_WIDTH_##W(TS_LANE_ONE, TS_LANE_WIDE)(TS_AS_CELL(T, W, TS_CHECKED_VALUE(T, W, v)), k))
#define TS_LANE_ONE(cell, k) ((void)(k), cell)
#define TS_LANE_WIDE(cells, k) (cells)[k]

/* v with `value`, a ts_T, as its lane k. Law: ts_lane(T, W, ts_set_lane(T, W, v, k, x), j) is x for j == k, else v's lane j. */
#define ts_set_lane(T, W, v, k, value) TS_SET_LANE(T, W, v, k, value)
#define TS_SET_LANE(T, W, v, k, value)                                                                                         \
  TS_IF_USED_AT(T, W, TS_SET_LANE_CELLS, TS_SET_LANE_UNUSED)(TS_CELL_OF(T), T, W, v, k, value)
#define TS_SET_LANE_UNUSED(C, T, W, v, k, value) TS_UNUSED_VECTOR(T, W)
#define TS_SET_LANE_CELLS(C, T, W, v, k, value)                                                                                \
  TS_AS_VALUE(T, W,                                                                                                            \
              TS_BY_WIDTH_##W(TS_WITH_LANE_ONE, TS_WITH_LANE)(C, W, TS_AS_CELL(T, W, TS_CHECKED_VALUE(T, W, v)), k,            \
                                                              TS_AS_CELL(T, 1, value)))
#define TS_WITH_LANE_ONE(C, W, cells, k, cell) ((void)(cells), (void)(k), (cell))

/* The ts_TxW whose lanes are all `value`, a ts_T. */
#define ts_splat(T, W, value) TS_SPLAT(T, W, value)
#define TS_SPLAT(T, W, value) TS_IF_USED_AT(T, W, TS_SPLAT_CELLS, TS_SPLAT_UNUSED)(TS_CELL_OF(T), T, W, value)
#define TS_SPLAT_UNUSED(C, T, W, value) TS_UNUSED_VECTOR(T, W)
#define TS_SPLAT_CELLS(C, T, W, value) TS_AS_VALUE(T, W, TS_SPREAD(C, W, TS_AS_CELL(T, 1, value)))

/* ---- masks -------------------------------------------------------------------------------------------------------- */

/* The type of a mask for a ts_TxW: W signed integers of T's size, each all bits set (true) or 0 (false). ts_mask(f32, 4) is
 * ts_i32x4 and ts_mask_dtype(f32) is i32, on every backend and at every width. */
#define ts_mask(T, W) ts_vector(ts_mask_dtype(T), W)
#define ts_mask_dtype(T) TS_MASK_OF(T)

/* The mask of the lanes where a is … b; T computes. With a NaN, less, less_equal and equal are false, not_equal is true. */
#define ts_less(T, W, a, b) TS_COMPARED(T, W, a, <, b)
#define ts_less_equal(T, W, a, b) TS_COMPARED(T, W, a, <=, b)
#define ts_equal(T, W, a, b) TS_COMPARED(T, W, a, ==, b)
#define ts_not_equal(T, W, a, b) TS_COMPARED(T, W, a, !=, b)
#define TS_COMPARED(T, W, a, op, b)                                                                                            \
  TS_IF_DTYPE(TS_DTYPE_ROW_##T, TS_IF_WIDTH(W, TS_COMPARED_KNOWN, TS_COMPARED_UNKNOWN), TS_COMPARED_UNKNOWN)(T, W, a, op, b)
#define TS_COMPARED_UNKNOWN(T, W, a, op, b) TS_UNUSED_VECTOR(T, W)
#define TS_COMPARED_KNOWN(T, W, a, op, b)                                                                                      \
  TS_COMPARED_TO(TS_MASK_OF(T), T, W, TS_CHECKED_VALUE(T, W, a), op, TS_CHECKED_VALUE(T, W, b))
#define TS_COMPARED_TO(M, T, W, a, op, b) TS_COMPARE(M, T, W, a, op, b)

/* The ts_TxW that has a's lane where the mask, a ts_mask(T, W), is true, and b's elsewhere. Of all dtypes: bits are moved. */
#define ts_select(T, W, mask, a, b) TS_SELECT(T, W, mask, a, b)
#define TS_SELECT(T, W, mask, a, b)                                                                                            \
  TS_IF_USED_AT(T, W, TS_SELECT_BY, TS_SELECT_UNUSED)(TS_CELL_OF(T), TS_MASK_OF(T), T, W, mask, a, b)
#define TS_SELECT_UNUSED(C, M, T, W, mask, a, b) TS_UNUSED_VECTOR(T, W)
#define TS_SELECT_BY(C, M, T, W, mask, a, b)                                                                                   \
  TS_AS_VALUE(T, W,                                                                                                            \
              TS_SELECT_CELLS(C, M, W, TS_CHECKED_VALUE(M, W, mask), TS_AS_CELL(T, W, TS_CHECKED_VALUE(T, W, a)),              \
                              TS_AS_CELL(T, W, TS_CHECKED_VALUE(T, W, b))))

/* ---- maths: f32, and f64 where it computes ------------------------------------------------------------------------ */

/* Lane by lane, in the platform's own accuracy: ts_fma (a * b + c), ts_min, ts_max and ts_abs are exact, the others are
 * within some ulps. ts_min and ts_max of a number and a NaN are the number; of two zeros, either. Fast-math options, by
 * their nature, may change any of this. */
#define ts_fma(T, W, a, b, c) TS_MATHS_3(T, W, ts_fma, fma, a, b, c)
#define ts_min(T, W, a, b) TS_MATHS_2(T, W, ts_min, fmin, a, b)
#define ts_max(T, W, a, b) TS_MATHS_2(T, W, ts_max, fmax, a, b)
#define ts_abs(T, W, a) TS_MATHS_1(T, W, ts_abs, fabs, a)
#define ts_sqrt(T, W, a) TS_MATHS_1(T, W, ts_sqrt, sqrt, a)
#define ts_exp(T, W, a) TS_MATHS_1(T, W, ts_exp, exp, a)
#define TS_MATHS_1(T, W, name, function, a) TS_MATHS(T, name, TS_CALL_1(T, W, function, TS_CHECKED_VALUE(T, W, a)))
#define TS_MATHS_2(T, W, name, function, a, b)                                                                                 \
  TS_MATHS(T, name, TS_CALL_2(T, W, function, TS_CHECKED_VALUE(T, W, a), TS_CHECKED_VALUE(T, W, b)))
#define TS_MATHS_3(T, W, name, function, a, b, c)                                                                              \
  TS_MATHS(T, name, TS_CALL_3(T, W, function, TS_CHECKED_VALUE(T, W, a), TS_CHECKED_VALUE(T, W, b), TS_CHECKED_VALUE(T, W, c)))
#define TS_MATHS(T, name, value) TS_CHECKED(TS_HAS_MATHS(T), value, #name ": for f32 and f64 where it computes, not for " #T)

/* ---- atomics: i32 and u32 ----------------------------------------------------------------------------------------- */

/* Add x to element i of the handle h, modulo 2^32, and give its value from before, all in one step that no other work-item
 * can see half done. Orders no other access. The element's address must be a multiple of 4. */
#define ts_shared_atomic_add(T, h, i, x) TS_ATOMIC(shared, T, ts_shared_atomic_add, h, TS_INDEX(i), x)
#define ts_global_atomic_add(T, h, i, x) TS_ATOMIC(global, T, ts_global_atomic_add, h, TS_INDEX(i), x)
#define TS_ATOMIC(S, T, name, h, i, x)                                                                                         \
  TS_CHECKED(TS_HAS_ATOMICS(T), TS_ATOMIC_ADD(S, T, TS_OFFSET_HANDLE(ts_##S, T, h, i).S##_cells, x),                           \
             #name ": for i32 and u32, not for " #T)

#endif
