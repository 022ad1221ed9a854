/* SPDX-License-Identifier: Apache-2.0
 *
 * convert.h: ts_convert(dst, src, W, v): a ts_srcxW as a ts_dstxW, the same bits on every backend and under every option.
 *
 *   float to float       to nearest even, once; too large is infinity, but the largest finite f8 for the 8-bit floats
 *   float to integer     truncated; too large is the integer's limit; NaN is 0
 *   integer to float     to nearest even, once
 *   integer to integer   the low bits
 *   anything to b8       1 if it is not 0, NaN too; 0 for -0
 *   b8 to anything       of 1 for every byte that is not 0, of 0
 *   dtype to itself      the same bits
 *
 * Subnormal numbers are kept; NaN stays NaN, with any payload. The work is in convert_width.h; here a matrix says which
 * functions make a pair. Written as macros, since 15 x 15 x 5 functions would cost each build more than a kernel does.
 *
 * Names no backend: a prelude must have come before.
 */
#ifndef TS_CORE_CONVERT_H
#define TS_CORE_CONVERT_H

#ifndef TS_INLINE
#error "core/convert.h is a part of TensorStorage: include tensorstorage.h instead."
#endif

/* ---- the functions ------------------------------------------------------------------------------------------------ */

/* Numbers of one type as another, by the language's conversion of it. */
#define TS_CAST_x1(T, v) ((ts_##T)(v))
#define TS_CAST_x2(T, v) __builtin_convertvector(v, ts_##T##x2)
#define TS_CAST_x4(T, v) __builtin_convertvector(v, ts_##T##x4)
#define TS_CAST_x8(T, v) __builtin_convertvector(v, ts_##T##x8)
#define TS_CAST_x16(T, v) __builtin_convertvector(v, ts_##T##x16)

/* What an f64 is in memory, and its bits. */
#if TS_HAVE_F64
#define TS_F64_CELL(W) ts_f64##W
#define TS_F64_BITS_AT(W, cell) TS_REINTERPRET(u64, f64, W, cell)
#define TS_F64_OF_BITS_AT(W, bits) TS_REINTERPRET(f64, u64, W, bits)
#else
#define TS_F64_CELL(W) ts_u64##W
#define TS_F64_BITS_AT(W, cell) (cell)
#define TS_F64_OF_BITS_AT(W, bits) (bits)
#endif

typedef TS_F64_CELL() ts_f64cell;
typedef TS_F64_CELL(x2) ts_f64cellx2;
typedef TS_F64_CELL(x4) ts_f64cellx4;
typedef TS_F64_CELL(x8) ts_f64cellx8;
typedef TS_F64_CELL(x16) ts_f64cellx16;
#undef TS_F64_CELL

/* The conversions for which a prelude may have instructions of exactly these bits: then it defines the capability as 1, and
 * TS_INSTRUCTION_AT(name, W, bits) for the names in convert_width.h that depend on it. */
#ifndef TS_HAVE_F16_CONVERSION /* f16 from and to f32 */
#define TS_HAVE_F16_CONVERSION 0
#endif
#ifndef TS_HAVE_BF16_CONVERSION /* bf16 from f32 */
#define TS_HAVE_BF16_CONVERSION 0
#endif
#ifndef TS_HAVE_F8_CONVERSION /* 8-bit floats from f32, saturating; f8e4m3fn to f32 */
#define TS_HAVE_F8_CONVERSION 0
#endif
#ifndef TS_HAVE_F64_CONVERSION /* f64 from and to f32, and to 64-bit integers */
#define TS_HAVE_F64_CONVERSION 0
#endif
#ifndef TS_HAVE_INTEGER_CONVERSION /* f32 to integers of 32 and 64 bits */
#define TS_HAVE_INTEGER_CONVERSION 0
#endif

/* The vocabulary of convert_width.h at each width: a type, a function's name, numbers of one type as another, all bits of a U
 * where a comparison holds and none where it does not, bits of one type as another. One level of macros: they are used often.
 */
#define TS_PICK(mask, a, b) (((mask) & (a)) | (~(mask) & (b)))

#define TS_V(T) ts_##T
#define TS_X(name) name##x1
#define TS_CAST(T, v) ((ts_##T)(v))
#define TS_MASK(U, condition) ((ts_##U)((ts_##U)0 - (ts_##U)(condition)))
#define TS_AS(dst, src, v) TS_REINTERPRET(dst, src, 1, v)
#define TS_F64_BITS(cell) TS_F64_BITS_AT(1, cell)
#define TS_F64(bits) TS_F64_OF_BITS_AT(1, bits)
#define TS_INSTRUCTION(name, bits) TS_INSTRUCTION_AT(name, 1, bits)
#include "convert_width.h"
#if TS_HAVE_VECTOR_OPERATORS
#include "convert_wide.h"
#endif
#undef TS_PICK

/* ---- which functions make a pair: TS_<kind of dst>_OF_<kind of src>, of cells -------------------------------------- */

/* clang-format off */
#define TS_BOOL_OF_INT(dst, src, W, c)      TS_TRUE(TS_BITS_OF(src), W, TS_REINTERPRET_BITS(TS_BITS_OF(src), src, W, c), 0)
#define TS_BOOL_OF_SMALL(dst, src, W, c)    TS_TRUE(TS_BITS_OF(src), W, c, 1)
#define TS_BOOL_OF_SINGLE(dst, src, W, c)   TS_TRUE(u32, W, TS_REINTERPRET(u32, f32, W, c), 1)
#define TS_BOOL_OF_DOUBLE(dst, src, W, c)   TS_TRUE(u64, W, TS_F64_BITS_AT(W, c), 1)

#define TS_INT_OF_BOOL(dst, src, W, c)      TS_CAST_x##W(dst, TS_TRUE(u8, W, c, 0))
#define TS_INT_OF_INT(dst, src, W, c)       TS_CAST_x##W(dst, c)
#define TS_INT_OF_SMALL(dst, src, W, c)     TS_##dst##_OF_F32(W, ts_wide_##src##x##W(c))
#define TS_INT_OF_SINGLE(dst, src, W, c)    TS_##dst##_OF_F32(W, ts_wide_##src##x##W(c))
#define TS_INT_OF_DOUBLE(dst, src, W, c)    TS_##dst##_OF_F64(W, c)

#define TS_SMALL_OF_BOOL(dst, src, W, c)    TS_NARROW(dst, W)(ts_wide_u8x##W(TS_TRUE(u8, W, c, 0)))
#define TS_SMALL_OF_INT(dst, src, W, c)     TS_NARROW(dst, W)(ts_wide_##src##x##W(c))
#define TS_SMALL_OF_SMALL(dst, src, W, c)   TS_NARROW(dst, W)(ts_wide_##src##x##W(c))
#define TS_SMALL_OF_SINGLE(dst, src, W, c)  TS_NARROW(dst, W)(ts_wide_##src##x##W(c))
#define TS_SMALL_OF_DOUBLE(dst, src, W, c)  TS_NARROW(dst, W)(ts_wide_##src##x##W(c))

#define TS_SINGLE_OF_BOOL(dst, src, W, c)   TS_CAST_x##W(f32, TS_TRUE(u8, W, c, 0))
#define TS_SINGLE_OF_INT(dst, src, W, c)    TS_CAST_x##W(f32, c)
#define TS_SINGLE_OF_SMALL(dst, src, W, c)  TS_REINTERPRET(f32, u32, W, ts_wide_##src##x##W(c))
#define TS_SINGLE_OF_DOUBLE(dst, src, W, c) TS_REINTERPRET(f32, u32, W, ts_f32_of_f64x##W(TS_F64_BITS_AT(W, c), 0))

#define TS_DOUBLE_OF_BOOL(dst, src, W, c)   TS_F64_OF_u8(W, TS_TRUE(u8, W, c, 0))
#define TS_DOUBLE_OF_INT(dst, src, W, c)    TS_F64_OF_##src(W, c)
#define TS_DOUBLE_OF_SMALL(dst, src, W, c)  ts_f64_of_f32x##W(ts_wide_##src##x##W(c))
#define TS_DOUBLE_OF_SINGLE(dst, src, W, c) ts_f64_of_f32x##W(ts_wide_##src##x##W(c))

#define TS_i8_OF_F32(W, x)  TS_CAST_x##W(i8, ts_clamp_i32x##W(ts_i32_of_f32x##W(x), -128, 127))
#define TS_u8_OF_F32(W, x)  TS_CAST_x##W(u8, ts_clamp_i32x##W(ts_i32_of_f32x##W(x), 0, 255))
#define TS_i16_OF_F32(W, x) TS_CAST_x##W(i16, ts_clamp_i32x##W(ts_i32_of_f32x##W(x), -32768, 32767))
#define TS_u16_OF_F32(W, x) TS_CAST_x##W(u16, ts_clamp_i32x##W(ts_i32_of_f32x##W(x), 0, 65535))
#define TS_i32_OF_F32(W, x) ts_i32_of_f32x##W(x)
#define TS_u32_OF_F32(W, x) ts_u32_of_f32x##W(x)
#define TS_i64_OF_F32(W, x) ts_i64_of_f32x##W(x)
#define TS_u64_OF_F32(W, x) ts_u64_of_f32x##W(x)

#define TS_i8_OF_F64(W, x)  TS_CAST_x##W(i8, ts_clamp_i64x##W(ts_i64_of_f64x##W(x), -128, 127))
#define TS_u8_OF_F64(W, x)  TS_CAST_x##W(u8, ts_clamp_i64x##W(ts_i64_of_f64x##W(x), 0, 255))
#define TS_i16_OF_F64(W, x) TS_CAST_x##W(i16, ts_clamp_i64x##W(ts_i64_of_f64x##W(x), -32768, 32767))
#define TS_u16_OF_F64(W, x) TS_CAST_x##W(u16, ts_clamp_i64x##W(ts_i64_of_f64x##W(x), 0, 65535))
#define TS_i32_OF_F64(W, x) TS_CAST_x##W(i32, ts_clamp_i64x##W(ts_i64_of_f64x##W(x), -2147483647 - 1, 2147483647))
#define TS_u32_OF_F64(W, x) TS_CAST_x##W(u32, ts_clamp_i64x##W(ts_i64_of_f64x##W(x), 0, 4294967295u))
#define TS_i64_OF_F64(W, x) ts_i64_of_f64x##W(x)
#define TS_u64_OF_F64(W, x) ts_u64_of_f64x##W(x)

#if TS_HAVE_F64
#define TS_F64_OF_i8(W, c)  TS_CAST_x##W(f64, c)
#define TS_F64_OF_u8(W, c)  TS_CAST_x##W(f64, c)
#define TS_F64_OF_i16(W, c) TS_CAST_x##W(f64, c)
#define TS_F64_OF_u16(W, c) TS_CAST_x##W(f64, c)
#define TS_F64_OF_i32(W, c) TS_CAST_x##W(f64, c)
#define TS_F64_OF_u32(W, c) TS_CAST_x##W(f64, c)
#define TS_F64_OF_i64(W, c) TS_CAST_x##W(f64, c)
#define TS_F64_OF_u64(W, c) TS_CAST_x##W(f64, c)
#else
#define TS_F64_OF_i8(W, c)  ts_f64_of_i64x##W(TS_CAST_x##W(i64, c))
#define TS_F64_OF_u8(W, c)  ts_f64_of_i64x##W(TS_CAST_x##W(i64, c))
#define TS_F64_OF_i16(W, c) ts_f64_of_i64x##W(TS_CAST_x##W(i64, c))
#define TS_F64_OF_u16(W, c) ts_f64_of_i64x##W(TS_CAST_x##W(i64, c))
#define TS_F64_OF_i32(W, c) ts_f64_of_i64x##W(TS_CAST_x##W(i64, c))
#define TS_F64_OF_u32(W, c) ts_f64_of_i64x##W(TS_CAST_x##W(i64, c))
#define TS_F64_OF_i64(W, c) ts_f64_of_i64x##W(c)
#define TS_F64_OF_u64(W, c) ts_f64_of_u64x##W(c)
#endif

/* 1 where bits of the unsigned dtype U are not 0, 0 elsewhere; `signs` of the high bits do not count. */
#define TS_TRUE(U, W, bits, signs) TS_TRUE_EXPANDED(U, W, bits, signs)
#define TS_TRUE_EXPANDED(U, W, bits, signs) ts_true_##U##x##W(bits, (ts_##U)((ts_##U)~(ts_##U)0 >> signs))
#define TS_REINTERPRET_BITS(U, src, W, c) TS_REINTERPRET_BITS_EXPANDED(U, src, W, c)
#define TS_REINTERPRET_BITS_EXPANDED(U, src, W, c) TS_REINTERPRET(U, src, W, c)

/* The same dtype on both sides moves bits. */
#define TS_SAME_b8_b8 ,
#define TS_SAME_i8_i8 ,
#define TS_SAME_u8_u8 ,
#define TS_SAME_i16_i16 ,
#define TS_SAME_u16_u16 ,
#define TS_SAME_i32_i32 ,
#define TS_SAME_u32_u32 ,
#define TS_SAME_i64_i64 ,
#define TS_SAME_u64_u64 ,
#define TS_SAME_f16_f16 ,
#define TS_SAME_bf16_bf16 ,
#define TS_SAME_f32_f32 ,
#define TS_SAME_f64_f64 ,
#define TS_SAME_f8e4m3fn_f8e4m3fn ,
#define TS_SAME_f8e5m2_f8e5m2 ,
/* clang-format on */

/* ---- what kernels write --------------------------------------------------------------------------------------------- */

/* TS_NO_SATURATE, defined before the include, makes all conversions to 8-bit floats of the second kind. */
#define ts_convert(dst, src, W, v) TS_CONVERT(dst, src, W, v)
/* To f8e4m3fn or f8e5m2: what is too large becomes NaN or infinity, and infinity stays. */
#define ts_convert_no_saturate(dst, src, W, v) TS_CONVERT_NO_SATURATE(dst, src, W, v)

#ifdef TS_NO_SATURATE
#define TS_NARROW(dst, W) TS_NARROW_NO_SATURATE_##dst(W)
#else
#define TS_NARROW(dst, W) ts_narrow_##dst##x##W
#endif
#define TS_NARROW_NO_SATURATE_f16(W) ts_narrow_f16x##W
#define TS_NARROW_NO_SATURATE_bf16(W) ts_narrow_bf16x##W
#define TS_NARROW_NO_SATURATE_f8e4m3fn(W) ts_narrow_no_saturate_f8e4m3fnx##W
#define TS_NARROW_NO_SATURATE_f8e5m2(W) ts_narrow_no_saturate_f8e5m2x##W
#define TS_NARROW_NO_SATURATE_no_saturate_f8e4m3fn(W) ts_narrow_no_saturate_f8e4m3fnx##W
#define TS_NARROW_NO_SATURATE_no_saturate_f8e5m2(W) ts_narrow_no_saturate_f8e5m2x##W

#define TS_CONVERT(dst, src, W, v)                                                                                             \
  TS_IF_USED(dst, TS_IF_USED_AT(src, W, TS_CONVERT_USED, TS_CONVERT_UNUSED_SRC), TS_CONVERT_UNUSED_DST)(dst, src, W, v)
#define TS_CONVERT_UNUSED_DST(dst, src, W, v) TS_UNUSED_DTYPE(dst)
#define TS_CONVERT_UNUSED_SRC(dst, src, W, v) TS_UNUSED_VECTOR(src, W)
#define TS_CONVERT_USED(dst, src, W, v) TS_IF_COMMA(TS_SAME_##dst##_##src, TS_CONVERT_SAME, TS_CONVERT_OTHER)(dst, src, W, v)
#define TS_CONVERT_SAME(dst, src, W, v) TS_AS_VALUE(dst, W, TS_AS_CELL(src, W, TS_CHECKED_VALUE(src, W, v)))
#define TS_CONVERT_OTHER(dst, src, W, v)                                                                                       \
  TS_AS_VALUE(                                                                                                                 \
      dst, W,                                                                                                                  \
      TS_CONVERT_CELLS(TS_CELL_OF(dst), TS_KIND_OF(dst), dst, src, W, TS_AS_CELL(src, W, TS_CHECKED_VALUE(src, W, v))))

#define TS_CONVERT_NO_SATURATE(dst, src, W, v)                                                                                 \
  TS_IF_USED(dst, TS_IF_USED_AT(src, W, TS_CONVERT_USED_NO_SATURATE, TS_CONVERT_UNUSED_SRC), TS_CONVERT_UNUSED_DST)            \
  (dst, src, W, v)
#define TS_CONVERT_USED_NO_SATURATE(dst, src, W, v)                                                                            \
  TS_IF_COMMA(TS_SAME_##dst##_##src, TS_CONVERT_SAME, TS_CONVERT_OTHER_NO_SATURATE)(dst, src, W, v)
#define TS_CONVERT_OTHER_NO_SATURATE(dst, src, W, v)                                                                           \
  TS_AS_VALUE(                                                                                                                 \
      dst, W,                                                                                                                  \
      TS_CONVERT_CELLS(TS_CELL_OF(dst), SMALL, no_saturate_##dst, src, W, TS_AS_CELL(src, W, TS_CHECKED_VALUE(src, W, v))))

/* Cells of one dtype, which are a ts_D, from cells of another: as a vector, or lane by lane in a language without vector
 * operators. */
#if TS_HAVE_VECTOR_OPERATORS
#define TS_CONVERT_CELLS(D, kind, dst, src, W, cells) TS_PAIR(kind, TS_KIND_OF(src))(dst, src, W, cells)
#else
#define TS_CONVERT_CELLS(D, kind, dst, src, W, cells)                                                                          \
  TS_EACH_LANE(D, TS_CELL_OF(src), dst, src, W, cells, TS_PAIR(kind, TS_KIND_OF(src)))
#endif
#define TS_PAIR(dst_kind, src_kind) TS_PAIR_EXPANDED(dst_kind, src_kind)
#define TS_PAIR_EXPANDED(dst_kind, src_kind) TS_##dst_kind##_OF_##src_kind

#endif
