/* SPDX-License-Identifier: Apache-2.0
 *
 * prelude.h (CUDA): the vocabulary of core in CUDA C++11 and later, for nvcc and NVRTC.
 *
 * C++11 and built-in functions over the leaves of instructions.h, and nothing included. Pointers carry no address space here:
 * each access promises the compiler the space of its policy. What a run-time compiler pays for decides the form: few functions,
 * no loops over lanes, templates that only a use instantiates (docs/cuda.md).
 */
#ifndef TS_CUDA_PRELUDE_H
#define TS_CUDA_PRELUDE_H

#define TS_LANGUAGE_OPENCL 0
#define TS_LANGUAGE_CUDA 1
#define TS_LANGUAGE_HOST 0

/* Capabilities. Define one to 0 before the include to do without it. */
#ifndef TS_HAVE_F64
#define TS_HAVE_F64 1
#endif
#ifndef TS_HAVE_GENERIC
#define TS_HAVE_GENERIC 1
#endif

/* Conversions by instructions of exactly the bits that ts_convert promises, from the architecture on that has them. */
#ifdef __CUDA_ARCH__
#define TS_CUDA_ARCH __CUDA_ARCH__
#else
#define TS_CUDA_ARCH 0 /* nvcc also reads device code for the host, and drops it */
#endif
#ifndef TS_HAVE_F16_CONVERSION
#define TS_HAVE_F16_CONVERSION 1
#endif
#ifndef TS_HAVE_BF16_CONVERSION
#define TS_HAVE_BF16_CONVERSION (TS_CUDA_ARCH >= 800)
#endif
#ifndef TS_HAVE_F8_CONVERSION
#define TS_HAVE_F8_CONVERSION (TS_CUDA_ARCH >= 890)
#endif
#ifndef TS_HAVE_F64_CONVERSION
#define TS_HAVE_F64_CONVERSION TS_HAVE_F64
#endif
#ifndef TS_HAVE_INTEGER_CONVERSION
#define TS_HAVE_INTEGER_CONVERSION 1
#endif

/* ---- functions, address spaces, types ------------------------------------------------------------------------- */

#define TS_INLINE static __device__ __forceinline__ __attribute__((unused))
#define TS_FUNCTION static __device__ __forceinline__ __attribute__((unused))
#define TS_OUTLINE static __device__ __attribute__((noinline, unused)) /* of a long one that is used in many places */
#define TS_PROTOTYPE __device__                                        /* of a function that is never defined */
#define TS_NO_TYPE(name) decltype(name) /* a type that does not exist, whose name the compiler's error tells */
#define TS_KERNEL(name, params) extern "C" __global__ void name params
#define TS_STATIC_ASSERT(condition, sentence) static_assert(condition, sentence)
#define TS_ENUM enum
#ifdef __CUDACC__
#define TS_UNROLL_4 _Pragma("unroll 4") /* of a loop of any number of rounds: no more than four are side by side */
#else
#define TS_UNROLL_4
#endif
#define TS_GROUP_IS_SERIAL 0
#define TS_IS_INTEGER(n) ((decltype(n))0.5 == 0)
template <bool condition, class A, class B> struct ts_cuda_type_if { typedef A type; };
template <class A, class B> struct ts_cuda_type_if<false, A, B> { typedef B type; };
#define TS_TYPE_IF(condition, A, B) ts_cuda_type_if<(condition), A, B>::type
#define TS_WITHOUT_PARENTHESES(...) __VA_ARGS__
#define TS_NINTH(a, b, c, d, e, f, g, h, i, ...) i

#define TS_QUALIFIER_generic
#define TS_QUALIFIER_global
#define TS_QUALIFIER_shared
#define TS_QUALIFIER_constant
#define TS_QUALIFIER_local
#define TS_TEXT const char *

/* What a pointer moves by: an integer of any type, as a ts_index. The sum refuses pointers, by a sentence that a cast would not
 * have; a pointer moved by an int costs registers. */
#ifdef TS_INDEX_32
typedef int ts_index;
#define TS_CUDA_INDEX(n) static_cast<ts_index>(n)
#else
typedef long long ts_index;
#define TS_CUDA_INDEX(n) ((ts_index)0 + (n))
#endif

/* A vector, aligned to its size as in the other languages. It has the numbers of its lanes in its type, so that functions can
 * list them: a loop over lanes costs the compiler twice as much. */
template <class E, int... k> struct alignas(sizeof...(k) * sizeof(E)) ts_cuda_vector {
  E lane[sizeof...(k)];
  __device__ __forceinline__ E &operator[](int i) { return lane[i]; }
  __device__ __forceinline__ const E &operator[](int i) const { return lane[i]; }
};

/* What lanes are computed in: themselves, since C's promotion is undone by the result's type. The product of two u16 alone
 * could overflow the int that they would become. */
template <class E> struct ts_cuda_promoted { typedef E type; };
template <> struct ts_cuda_promoted<unsigned short> { typedef unsigned int type; };

/* Between vectors, and with a scalar of the element type on either side. */
#define TS_CUDA_OPERATOR(op)                                                                                                   \
  TS_CUDA_OPERATOR_OF(op, TS_CUDA_COMMA(const ts_cuda_vector<E, k...> &a, const ts_cuda_vector<E, k...> &b), a.lane[k],        \
                      b.lane[k])                                                                                               \
  TS_CUDA_OPERATOR_OF(op, TS_CUDA_COMMA(const ts_cuda_vector<E, k...> &a, E b), a.lane[k], b)                                  \
  TS_CUDA_OPERATOR_OF(op, TS_CUDA_COMMA(E a, const ts_cuda_vector<E, k...> &b), a, b.lane[k])
#define TS_CUDA_COMMA(...) __VA_ARGS__
#define TS_CUDA_OPERATOR_OF(op, operands, x, y)                                                                                \
  template <class E, int... k> TS_INLINE ts_cuda_vector<E, k...> operator op(operands) {                                       \
    typedef typename ts_cuda_promoted<E>::type lane;                                                                           \
    return {{(E)((lane)x op(lane) y)...}};                                                                                     \
  }
TS_CUDA_OPERATOR(+)
TS_CUDA_OPERATOR(-)
TS_CUDA_OPERATOR(*)
TS_CUDA_OPERATOR(/)
#undef TS_CUDA_OPERATOR
#undef TS_CUDA_OPERATOR_OF
#undef TS_CUDA_COMMA

#define TS_CUDA_VECTORS(T, type)                                                                                               \
  typedef type ts_##T;                                                                                                         \
  typedef type ts_##T##x1;                                                                                                     \
  typedef ts_cuda_vector<type, 0, 1> ts_##T##x2;                                                                               \
  typedef ts_cuda_vector<type, 0, 1, 2, 3> ts_##T##x4;                                                                         \
  typedef ts_cuda_vector<type, 0, 1, 2, 3, 4, 5, 6, 7> ts_##T##x8;                                                             \
  typedef ts_cuda_vector<type, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15> ts_##T##x16
TS_CUDA_VECTORS(i8, signed char);
TS_CUDA_VECTORS(u8, unsigned char);
TS_CUDA_VECTORS(i16, short);
TS_CUDA_VECTORS(u16, unsigned short);
TS_CUDA_VECTORS(i32, int);
TS_CUDA_VECTORS(u32, unsigned int);
TS_CUDA_VECTORS(i64, long long);
TS_CUDA_VECTORS(u64, unsigned long long);
TS_CUDA_VECTORS(f32, float);
#if TS_HAVE_F64
TS_CUDA_VECTORS(f64, double);
#endif
#undef TS_CUDA_VECTORS
/* clang-format on */

/* The bits of one scalar as another of the same size: by way of its bits. */
#define TS_REINTERPRET(dst, src, W, v) TS_CUDA_OF_BITS_##dst(TS_CUDA_BITS_OF_##src(v))
/* clang-format off */
#define TS_CUDA_BITS_OF_i8(v) (v)
#define TS_CUDA_BITS_OF_u8(v) (v)
#define TS_CUDA_BITS_OF_i16(v) (v)
#define TS_CUDA_BITS_OF_u16(v) (v)
#define TS_CUDA_BITS_OF_i32(v) (v)
#define TS_CUDA_BITS_OF_u32(v) (v)
#define TS_CUDA_BITS_OF_i64(v) (v)
#define TS_CUDA_BITS_OF_u64(v) (v)
#define TS_CUDA_BITS_OF_f32(v) __float_as_uint(v)
#define TS_CUDA_BITS_OF_f64(v) __double_as_longlong(v)
#define TS_CUDA_OF_BITS_u8(v) ((ts_u8)(v))
#define TS_CUDA_OF_BITS_u16(v) ((ts_u16)(v))
#define TS_CUDA_OF_BITS_i32(v) ((ts_i32)(v))
#define TS_CUDA_OF_BITS_u32(v) ((ts_u32)(v))
#define TS_CUDA_OF_BITS_i64(v) ((ts_i64)(v))
#define TS_CUDA_OF_BITS_u64(v) ((ts_u64)(v))
#define TS_CUDA_OF_BITS_f32(v) __uint_as_float(v)
#define TS_CUDA_OF_BITS_f64(v) __longlong_as_double((ts_i64)(v))
/* clang-format on */

/* No vector operators that convert_width.h could be written in: what core does to vectors of cells is done to each lane, by
 * the macro `pair`. */
#define TS_HAVE_VECTOR_OPERATORS 0
#define TS_EACH_LANE(D, C, dst, src, W, cells, pair) TS_CUDA_EACH_IN(D, C, dst, src, W, cells, pair)
#define TS_CUDA_EACH_IN(D, C, dst, src, W, cells, pair) TS_CUDA_EACH_##W(D, C, dst, src, cells, pair)
#define TS_CUDA_EACH_1(D, C, dst, src, cells, pair) pair(dst, src, 1, cells)
#define TS_CUDA_EACH_2(D, C, dst, src, cells, pair) TS_CUDA_EACH(D, C, 2, cells, TS_CUDA_TWO(pair, dst, src, 0, 1))
#define TS_CUDA_EACH_4(D, C, dst, src, cells, pair) TS_CUDA_EACH(D, C, 4, cells, TS_CUDA_FOUR(pair, dst, src, 0, 1, 2, 3))
#define TS_CUDA_EACH_8(D, C, dst, src, cells, pair)                                                                            \
  TS_CUDA_EACH(D, C, 8, cells, TS_CUDA_FOUR(pair, dst, src, 0, 1, 2, 3), TS_CUDA_FOUR(pair, dst, src, 4, 5, 6, 7))
#define TS_CUDA_EACH_16(D, C, dst, src, cells, pair)                                                                           \
  TS_CUDA_EACH(D, C, 16, cells, TS_CUDA_FOUR(pair, dst, src, 0, 1, 2, 3), TS_CUDA_FOUR(pair, dst, src, 4, 5, 6, 7),            \
               TS_CUDA_FOUR(pair, dst, src, 8, 9, 10, 11), TS_CUDA_FOUR(pair, dst, src, 12, 13, 14, 15))
#define TS_CUDA_EACH(D, C, W, cells, ...) ([](const ts_##C##x##W &ts_cells_) -> ts_##D##x##W { return {{__VA_ARGS__}}; }(cells))
#define TS_CUDA_TWO(pair, dst, src, a, b) pair(dst, src, 1, ts_cells_.lane[a]), pair(dst, src, 1, ts_cells_.lane[b])
#define TS_CUDA_FOUR(pair, dst, src, a, b, c, d) TS_CUDA_TWO(pair, dst, src, a, b), TS_CUDA_TWO(pair, dst, src, c, d)

/* ---- accesses ------------------------------------------------------------------------------------------------- */

#include "instructions.h"

/* Memory that holds a V, whose lanes are E: `whole` is read as a V and assigned one. Most accesses are one instruction without
 * hints: then it is the V itself, in its place, and no function. may_alias: the same memory may also be accessed as another
 * dtype. */
#define TS_CUDA_LESSER(a, b) ((a) < (b) ? (a) : (b))
/* Whether one instruction moves `bytes` of E in registers of E. Two bytes are one unsigned short: of a pair nvcc makes two
 * accesses, and does not always join them. */
#define TS_CUDA_IS_ONE(E, bytes)                                                                                               \
  ((sizeof(E) != 1 || bytes == 1 || bytes == 4) && bytes / (int)sizeof(E) <= (bytes == 32 ? 8 : 4))
template <class V, class E, int flags, bool is_global, int hints = is_global ? (TS_INVARIANT | TS_NON_TEMPORAL) & flags : 0,
          int bytes =
              TS_CUDA_LESSER(TS_CUDA_LESSER((int)sizeof(V), is_global ? TS_CUDA_WIDEST : 16), TS_PROMISE(flags, sizeof(E))),
          int pieces = hints || !TS_CUDA_IS_ONE(E, bytes) || bytes != (int)sizeof(V) ? (int)sizeof(V) / bytes : 0>
struct ts_cuda_memory {
  static_assert(TS_ARE_FLAGS(flags), TS_FLAGS_SENTENCE);
  typedef typename ts_cuda_chunk<E, bytes>::type chunk;
  typedef ts_cuda_piece<chunk, chunk, hints> piece;
  struct {
    piece at[pieces];
    __device__ __forceinline__ operator V() const {
      V v;
      for (int k = 0; k < pieces; ++k) ((piece *)&v)[k].cells = at[k];
      return v;
    }
    __device__ __forceinline__ void operator=(const V &v) {
      for (int k = 0; k < pieces; ++k) at[k] = ((const piece *)&v)[k].cells;
    }
  } whole;
};
template <class V, class E, int flags, bool is_global, int hints, int bytes>
struct ts_cuda_memory<V, E, flags, is_global, hints, bytes, 1> {
  static_assert(TS_ARE_FLAGS(flags), TS_FLAGS_SENTENCE);
  ts_cuda_piece<V, typename ts_cuda_chunk<E, bytes>::type, hints> whole;
};
template <class V, class E, int flags, bool is_global, int hints, int bytes>
struct __attribute__((may_alias)) ts_cuda_memory<V, E, flags, is_global, hints, bytes, 0> {
  static_assert(TS_ARE_FLAGS(flags), TS_FLAGS_SENTENCE);
  V whole;
};

/* A vector by another type. Loads and stores move this one and take its bits: of a struct of an array that is returned or
 * passed on as it is, nvcc loads lane by lane. */
template <class V> struct __attribute__((may_alias)) ts_cuda_copy { V vector; };

/* ---- handles and cells: what core/storage.h would make of functions --------------------------------------------------- */

/* One template for a space. Functions for every policy and dtype would cost each build more than a kernel does, so P_bind_T and
 * P_offset_T are constructors, by names of their own. Core's macros make handles in place and take the members, which the
 * compiler's errors name. */
#define TS_CUDA_HANDLE(S)                                                                                                      \
  template <class E> struct ts_##S##_handle { E *S##_cells; };                                                                 \
  template <class E> struct ts_##S##_bind : ts_##S##_handle<E> {                                                               \
    explicit __device__ __forceinline__ ts_##S##_bind(E *cells) : ts_##S##_handle<E>{cells} {}                                 \
    __device__ __forceinline__ ts_##S##_bind(ts_##S##_handle<E> h, ts_index n) : ts_##S##_handle<E>{h.S##_cells + n} {}        \
  };
TS_CUDA_HANDLE(generic)
TS_CUDA_HANDLE(global)
TS_CUDA_HANDLE(shared)
TS_CUDA_HANDLE(constant)
TS_CUDA_HANDLE(local)
#undef TS_CUDA_HANDLE
#define TS_STORAGE(P, S, M, T, B, C)                                                                                           \
  typedef ts_##S##_handle<TS_CONST_##M ts_##T> P##_##T, P##_offset_result_##T;                                                 \
  typedef ts_##S##_bind<TS_CONST_##M ts_##T> P##_bind_##T, P##_offset_##T;
#if !TS_HAVE_GENERIC
#define TS_ROW(T, U, bytes, kind, computes)                                                                                    \
  typedef struct ts_generic_pointers_are_turned_off ts_generic_##T, ts_generic_const_##T;
TS_DTYPES(TS_ROW)
#undef TS_ROW
#endif
#define TS_BIND_CELLS(S, M, P, T, cells) (P##_##T{cells})
#define TS_OFFSET_HANDLE(P, T, h, n) (P##_##T{static_cast<P##_##T>(h).TS_MEMBER_OF(P) + TS_CUDA_INDEX(n)})

/* W cells of a dtype that does not compute, which its scalar type tells from another. */
template <class T, class V> struct ts_cuda_stored { V bits; };
#define TS_BITS_WIDTH(T, U, W) typedef ts_cuda_stored<ts_##T, ts_##U##x##W> ts_##T##x##W;

/* In place, since functions of every dtype and width cost more. Casts that refuse pointers and other vectors. */
#define TS_AS_CELL(T, W, value) TS_CUDA_COMPUTES(TS_CUDA_CELL_OF_, T)(T, W, value)
#define TS_AS_VALUE(T, W, cell) TS_CUDA_COMPUTES(TS_CUDA_VALUE_OF_, T)(T, W, cell)
#define TS_CUDA_COMPUTES(name, T) TS_CUDA_COMPUTES_IN(name, TS_DTYPE_ROW_##T)
#define TS_CUDA_COMPUTES_IN(name, row) TS_CUDA_COMPUTES_COLUMN(name, row)
#define TS_CUDA_COMPUTES_COLUMN(name, T, U, bytes, kind, computes) name##computes
#define TS_CUDA_CELL_OF_NATIVE(T, W, value) static_cast<ts_##T##x##W>(value)
#define TS_CUDA_VALUE_OF_NATIVE(T, W, cell) ts_##T##x##W(cell)
#define TS_CUDA_CELL_OF_BITS(T, W, value) ((0 ? ts_##T##x##W() : (value)).bits)
#define TS_CUDA_VALUE_OF_BITS(T, W, cell) (ts_##T##x##W{cell})
#if TS_HAVE_F64
#define TS_CUDA_CELL_OF_DOUBLE TS_CUDA_CELL_OF_NATIVE
#define TS_CUDA_VALUE_OF_DOUBLE TS_CUDA_VALUE_OF_NATIVE
#else
#define TS_CUDA_CELL_OF_DOUBLE TS_CUDA_CELL_OF_BITS
#define TS_CUDA_VALUE_OF_DOUBLE TS_CUDA_VALUE_OF_BITS
#endif
#define TS_CELLS_NATIVE(T, U)
#define TS_CELLS_BITS(T, U) TS_BITS_WIDTHS(T, U)

/* What core calls: W cells of dtype T, in the space of the policy P. `flags` must be constant. */
#define TS_LOAD_CELLS(P, T, W, cells, flags) TS_CUDA_LOAD_CELLS(TS_SPACE_OF(P), TS_CELL_OF(T), W, cells, flags)
#define TS_CUDA_LOAD_CELLS(S, C, W, cells, flags) TS_CUDA_LOAD_FROM(S, C, W, cells, flags)
#define TS_CUDA_LOAD_FROM(S, C, W, cells, flags)                                                                               \
  TS_BY_WIDTH_##W(TS_CUDA_LOAD_ONE, TS_CUDA_LOAD_WIDE)(S, ts_##C##x##W, ts_##C, const, cells, flags)
#define TS_CUDA_LOAD_ONE(S, V, E, qualifier, cells, flags) V(TS_CUDA_IN(S, V, E, qualifier, cells, flags)->whole)
#define TS_CUDA_LOAD_WIDE(S, V, E, qualifier, cells, flags)                                                                    \
  V((const V &)(const ts_cuda_copy<V> &)ts_cuda_copy<V>(TS_CUDA_IN(S, ts_cuda_copy<V>, E, qualifier, cells, flags)->whole))
#define TS_STORE_CELLS(P, T, W, cells, value, flags)                                                                           \
  TS_CUDA_STORE_CELLS(TS_SPACE_OF(P), TS_CELL_OF(T), W, cells, value, (flags) & ~TS_INVARIANT)
#define TS_CUDA_STORE_CELLS(S, C, W, cells, value, flags) TS_CUDA_STORE_TO(S, C, W, cells, value, flags)
#define TS_CUDA_STORE_TO(S, C, W, cells, value, flags)                                                                         \
  TS_BY_WIDTH_##W(TS_CUDA_STORE_ONE, TS_CUDA_STORE_WIDE)(S, ts_##C##x##W, ts_##C, cells, value, flags)
#define TS_CUDA_STORE_ONE(S, V, E, cells, value, flags) ((void)(TS_CUDA_IN(S, V, E, , cells, flags)->whole = value))
#define TS_CUDA_STORE_WIDE(S, V, E, cells, value, flags)                                                                       \
  ((void)(TS_CUDA_IN(S, ts_cuda_copy<V>, E, , cells, flags)->whole = (const ts_cuda_copy<V> &)(const V &)value))
#define TS_CUDA_IN(S, V, E, qualifier, cells, flags)                                                                           \
  ((qualifier ts_cuda_memory<V, E, (flags), TS_ID_##S == TS_ID_global> *)ts_cuda_in_##S(cells))

/* What core/copy.h calls: NAME_width cells of dtype T, with NAME_dst_flags and NAME_src_flags. */
template <class E, int count> struct alignas(count * sizeof(E)) ts_cuda_run {
  typedef E element;
  E lane[count];
};
#define TS_MOVE_TYPES(name, C) TS_CUDA_MOVE_TYPE(name, C)
#define TS_CUDA_MOVE_TYPE(name, C) typedef ts_cuda_run<ts_##C, name##_width> name##_cells;
#define TS_MOVE_CELLS(name, P, Q, T, dst, src)                                                                                 \
  TS_CUDA_MOVE(TS_SPACE_OF(P), TS_SPACE_OF(Q), name##_cells, dst, name##_dst_flags & ~TS_INVARIANT, src, name##_src_flags)
#define TS_CUDA_MOVE(to, from, V, dst, dst_flags, src, src_flags)                                                              \
  TS_CUDA_MOVE_BETWEEN(to, from, V, dst, dst_flags, src, src_flags)
#define TS_CUDA_MOVE_BETWEEN(to, from, V, dst, dst_flags, src, src_flags)                                                      \
  ((void)(TS_CUDA_IN(to, V, V::element, , dst, dst_flags)->whole =                                                             \
              V(TS_CUDA_IN(from, V, V::element, const, src, src_flags)->whole)))

/* ---- conversions: what core/convert_width.h calls, at width 1 ------------------------------------------------------ */

#define TS_INSTRUCTION_AT(name, W, bits) ts_cuda_cvt_##name(bits)

#if TS_USES(f8e4m3fn) || TS_USES(f8e5m2)
TS_INLINE ts_u32 ts_cuda_cvt_wide_f8e4m3fn(ts_u8 bits) {
  return ts_cuda_cvt_wide_f16((ts_u16)ts_cuda_cvt_f16x2_of_f8e4m3fnx2(bits));
}
TS_INLINE ts_u8 ts_cuda_cvt_narrow_f8e4m3fn(ts_u32 bits) { return (ts_u8)ts_cuda_cvt_f8e4m3fnx2_of_f32(bits); }
TS_INLINE ts_u8 ts_cuda_cvt_narrow_f8e5m2(ts_u32 bits) { return (ts_u8)ts_cuda_cvt_f8e5m2x2_of_f32(bits); }
#endif

#if TS_USES(f64)
/* Toward zero, with the last bit set if that changed the number. */
TS_INLINE ts_u32 ts_cuda_cvt_f32_of_f64_to_odd(ts_u64 bits) {
  ts_u32 low = ts_cuda_cvt_f32_of_f64_toward_zero(bits);
  return low | (ts_cuda_cvt_f64_of_f32(low) != bits);
}
#endif

/* The instructions saturate, and the 32-bit ones give 0 for NaN. */
#if TS_USES(i64) || TS_USES(u64)
TS_INLINE bool ts_cuda_is_nan(ts_u32 bits) { return (bits & 0x7fffffffu) > 0x7f800000u; }
TS_INLINE ts_i64 ts_cuda_cvt_i64_of_f32(ts_u32 bits) { return ts_cuda_is_nan(bits) ? 0 : ts_cuda_cvt_i64_of_f32_number(bits); }
TS_INLINE ts_u64 ts_cuda_cvt_u64_of_f32(ts_u32 bits) { return ts_cuda_is_nan(bits) ? 0 : ts_cuda_cvt_u64_of_f32_number(bits); }
#endif
#if TS_USES(f64)
TS_INLINE bool ts_cuda_is_nan(ts_u64 bits) { return (bits & 0x7fffffffffffffffu) > 0x7ff0000000000000u; }
TS_INLINE ts_i64 ts_cuda_cvt_i64_of_f64(ts_u64 bits) { return ts_cuda_is_nan(bits) ? 0 : ts_cuda_cvt_i64_of_f64_number(bits); }
TS_INLINE ts_u64 ts_cuda_cvt_u64_of_f64(ts_u64 bits) { return ts_cuda_is_nan(bits) ? 0 : ts_cuda_cvt_u64_of_f64_number(bits); }
#endif

/* ---- vectors, maths, atomics: what core/vector.h is written in -------------------------------------------------- */

/* The R whose lanes are those of function(lane of each vector …); of scalars, function's own. */
template <class R, class F, class A, int... k> TS_INLINE R ts_cuda_map(F function, const ts_cuda_vector<A, k...> &a) {
  return {{function(a.lane[k])...}};
}
template <class R, class F, class A, class B, int... k>
TS_INLINE R ts_cuda_map(F function, const ts_cuda_vector<A, k...> &a, const ts_cuda_vector<B, k...> &b) {
  return {{function(a.lane[k], b.lane[k])...}};
}
template <class R, class F, class A, class B, int... k>
TS_INLINE R ts_cuda_map(F function, const ts_cuda_vector<A, k...> &a, const ts_cuda_vector<B, k...> &b,
                        const ts_cuda_vector<B, k...> &c) {
  return {{function(a.lane[k], b.lane[k], c.lane[k])...}};
}
template <class R, class F, class... A> TS_INLINE R ts_cuda_map(F function, A... a) { return function(a...); }
template <class E, int... k> TS_INLINE void ts_cuda_spread(ts_cuda_vector<E, k...> &v, E cell) { v = {{((void)k, cell)...}}; }
template <class E> TS_INLINE void ts_cuda_spread(E &v, E cell) { v = cell; }
template <class V, class E> TS_INLINE V ts_cuda_spread_as(E cell) {
  V v;
  ts_cuda_spread(v, cell);
  return v;
}
template <class V, class E> TS_INLINE V ts_cuda_with_lane(V v, int k, E lane) {
  v[k] = lane;
  return v;
}

#define TS_SPREAD(C, W, cell) (ts_cuda_spread_as<ts_##C##x##W, ts_##C>(cell))
#define TS_WITH_LANE(C, W, cells, k, cell) ts_cuda_with_lane(cells, k, cell)
#define TS_COMPARE(M, T, W, a, op, b)                                                                                          \
  (ts_cuda_map<ts_##M##x##W>(                                                                                                  \
      [](ts_##T x, ts_##T y) -> ts_##M { return (ts_##M) - (x op y); }, (ts_##T##x##W)(a), (ts_##T##x##W)(b)))
#define TS_SELECT_CELLS(C, M, W, mask, a, b)                                                                                   \
  (ts_cuda_map<ts_##C##x##W>(                                                                                                  \
      [](ts_##M m, ts_##C x, ts_##C y) -> ts_##C { return m ? x : y; }, (ts_##M##x##W)(mask), (ts_##C##x##W)(a),               \
      (ts_##C##x##W)(b)))
#define TS_CALL_1(T, W, function, a)                                                                                           \
  (ts_cuda_map<ts_##T##x##W>(                                                                                                  \
      [](ts_##T x) -> ts_##T { return function(x); }, (ts_##T##x##W)(a)))
#define TS_CALL_2(T, W, function, a, b)                                                                                        \
  (ts_cuda_map<ts_##T##x##W>(                                                                                                  \
      [](ts_##T x, ts_##T y) -> ts_##T { return function(x, y); }, (ts_##T##x##W)(a), (ts_##T##x##W)(b)))
#define TS_CALL_3(T, W, function, a, b, c)                                                                                     \
  (ts_cuda_map<ts_##T##x##W>(                                                                                                  \
      [](ts_##T x, ts_##T y, ts_##T z) -> ts_##T { return function(x, y, z); }, (ts_##T##x##W)(a), (ts_##T##x##W)(b),          \
      (ts_##T##x##W)(c)))
#define TS_ATOMIC_ADD(S, T, cells, x) atomicAdd(cells, (ts_##T)(x))

/* ---- binding, memory, arguments ------------------------------------------------------------------------------- */

/* C++ itself refuses pointers and vectors of another type, so only other conditions are checked here. */
#define TS_CHECKED_VECTOR(T, W, value) (value)
#define TS_INDEX(n) (n)
#define TS_OVERLOADED
#define TS_REFUSE_OTHER_CELLS(P, S, T)
#define TS_CHECKED(condition, value, sentence) ([] { static_assert(condition, sentence); }(), (value))

#define TS_SHARED(name, T, count) TS_SHARED_EXPANDED(name, T, count)
#define TS_SHARED_EXPANDED(name, T, count) TS_IF_USED(T, TS_SHARED_USED, TS_UNUSED_MEMORY)(name, T, count)
#define TS_SHARED_USED(name, T, count)                                                                                         \
  TS_CHECK_COUNT(name, count);                                                                                                 \
  __shared__ __align__(128) ts_##T name##_cells[count];                                                                        \
  ts_shared_##T name __attribute__((unused)) = {name##_cells}
#define TS_LOCAL(name, T, count) TS_LOCAL_EXPANDED(name, T, count)
#define TS_LOCAL_EXPANDED(name, T, count) TS_IF_USED(T, TS_LOCAL_USED, TS_UNUSED_MEMORY)(name, T, count)
#define TS_LOCAL_USED(name, T, count)                                                                                          \
  TS_CHECK_COUNT(name, count);                                                                                                 \
  __align__(128) ts_##T name##_cells[count];                                                                                   \
  ts_local_##T name __attribute__((unused)) = {name##_cells}
#define TS_CONSTANT_TABLE(name, T, count, values) TS_CONSTANT_TABLE_EXPANDED(name, T, count, values)
#define TS_CONSTANT_TABLE_EXPANDED(name, T, count, values) TS_IF_USED(T, TS_TABLE_USED, TS_UNUSED_TABLE)(name, T, count, values)
#define TS_TABLE_USED(name, T, count, values)                                                                                  \
  static __constant__ __align__(128) __attribute__((unused)) const ts_##T name[] = {TS_WITHOUT_PARENTHESES values};            \
  TS_CHECK_TABLE(name, count)

/* Arguments in shared and in constant memory are byte offsets into one array of each, 4 bytes by value; they read as pointers.
 * docs/cuda.md tells how a host fills them. The array of constants is a template, from C++14 on, so that it is only in a module
 * one of whose kernels has a TS_CONSTANT_ARG, and behind its tables, which are faster to reach when they come first. */
#ifndef TS_CUDA_CONSTANT_BYTES /* of the 64 KiB, the rest is for tables */
#define TS_CUDA_CONSTANT_BYTES 49152
#endif
extern __shared__ __align__(128) unsigned char ts_cuda_shared_bytes[];
template <int bytes> struct alignas(256) ts_cuda_block { unsigned char at[bytes]; };
#if __cplusplus >= 201402L
template <int bytes> __constant__ ts_cuda_block<bytes> ts_cuda_constant;
#define TS_CUDA_CONSTANT_ARRAY ts_cuda_constant<TS_CUDA_CONSTANT_BYTES>
#else
static __constant__ __attribute__((unused)) ts_cuda_block<TS_CUDA_CONSTANT_BYTES> ts_cuda_constant;
#define TS_CUDA_CONSTANT_ARRAY ts_cuda_constant
#endif

template <class E> struct ts_cuda_shared_arg {
  unsigned int byte_offset;
  __device__ __forceinline__ operator E *() const { return (E *)(ts_cuda_shared_bytes + byte_offset); }
};
template <class E> struct ts_cuda_constant_arg {
  unsigned int byte_offset;
  __device__ __forceinline__ operator const E *() const { return (const E *)(TS_CUDA_CONSTANT_ARRAY.at + byte_offset); }
};

#define TS_GLOBAL_ARG(T) TS_ARG_EXPANDED(T, *)
#define TS_GLOBAL_CONST_ARG(T) TS_ARG_EXPANDED(T, const *)
#define TS_ARG_EXPANDED(T, pointer) TS_TYPE_OF_ARG(T) pointer
#define TS_CONSTANT_ARG(T) TS_CONSTANT_ARG_EXPANDED(T)
#define TS_CONSTANT_ARG_EXPANDED(T) ts_cuda_constant_arg<TS_TYPE_OF_ARG(T)>
#define TS_SHARED_ARG(T) TS_SHARED_ARG_EXPANDED(T)
#define TS_SHARED_ARG_EXPANDED(T) ts_cuda_shared_arg<TS_TYPE_OF_ARG(T)>

/* ---- work-items and barriers ---------------------------------------------------------------------------------- */

#define TS_CUDA_OF(dimensions, d) (int)((d) == 0 ? dimensions.x : (d) == 1 ? dimensions.y : dimensions.z)
TS_INLINE int ts_item_in_group(int d) { return TS_CUDA_OF(threadIdx, d); }
TS_INLINE int ts_group_id(int d) { return TS_CUDA_OF(blockIdx, d); }
TS_INLINE int ts_group_size(int d) { return TS_CUDA_OF(blockDim, d); }
TS_INLINE int ts_group_count(int d) { return TS_CUDA_OF(gridDim, d); }
#undef TS_CUDA_OF
/* Of unsigned factors, from which the compiler knows that it is not negative: a division of it by 8 is one shift. */
#define TS_CUDA_OF(dimensions, d) ((d) == 0 ? dimensions.x : (d) == 1 ? dimensions.y : dimensions.z)
TS_INLINE long long ts_global_id(int d) {
  return (long long)TS_CUDA_OF(blockIdx, d) * TS_CUDA_OF(blockDim, d) + TS_CUDA_OF(threadIdx, d);
}
#undef TS_CUDA_OF

/* __syncthreads orders all memory for the group. */
TS_INLINE void ts_barrier(void) { __syncthreads(); }
TS_INLINE void ts_barrier_global(void) { __syncthreads(); }

/* ---- asynchronous copies: what core/copy_async.h is written in --------------------------------------------------- */

/* In pieces of 4, 8 or 16 bytes that items take in turn. */
#if TS_CUDA_ARCH >= 800
typedef int ts_copy_event;
#define ts_copy_begin() 0
#define ts_copy_wait(e) ((void)(e), ts_cuda_copy_wait(), ts_barrier())
#define TS_ASYNC_FACTS(name, T)                                                                                                \
  enum {                                                                                                                       \
    name##_piece_bytes = TS_LESSER((int)name##_width * (int)name##_dst_bytes, 16),                                             \
    name##_piece = (int)name##_piece_bytes / (int)name##_dst_bytes,                                                            \
    name##_pieces = ((ts_i64)name##_run - name##_rest) / (int)name##_piece,                                                    \
    name##_is_async =                                                                                                          \
        name##_piece_bytes >= 4 && name##_dst_align >= name##_piece_bytes && name##_src_align >= name##_piece_bytes            \
  };                                                                                                                           \
  TS_INLINE void name##_move_async(ts_shared_##T dst, ts_index d, ts_global_const_##T src, ts_index s) {                       \
    ts_cuda_copy_async<name##_piece_bytes>(dst.shared_cells + d, src.global_cells + s);                                        \
  }
#define TS_ASYNC_BODY(name, T)                                                                                                 \
  if (name##_is_async) {                                                                                                       \
    TS_BY_GROUP(name##_unit, TS_COPY_SHARE(name, name##_move_async, name##_piece, name##_pieces))                              \
  } else {                                                                                                                     \
    name##_by_group(dst, src);                                                                                                 \
  }
#endif

#endif
