/* SPDX-License-Identifier: Apache-2.0
 *
 * prelude.h (CUDA): the vocabulary of core in CUDA C++11 and later, for nvcc and NVRTC.
 *
 * A first page: it is compiled to PTX and assembled in tests, and has not been run on a GPU. It shows that one text of a
 * kernel serves all three languages; the CUDA backend will replace parts of it, the arguments in shared and constant
 * memory first.
 *
 * Pointers carry no address space here. The compiler finds it by inlining, so everything is inlined.
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
#define TS_KERNEL(name, params) extern "C" __global__ void name params
#define TS_STATIC_ASSERT(condition, sentence) static_assert(condition, sentence)
#define TS_WITHOUT_PARENTHESES(...) __VA_ARGS__
#define TS_NINTH(a, b, c, d, e, f, g, h, i, ...) i

#define TS_QUALIFIER_generic
#define TS_QUALIFIER_global
#define TS_QUALIFIER_shared
#define TS_QUALIFIER_constant
#define TS_QUALIFIER_local
#define TS_TEXT const char *

#ifdef TS_INDEX_32
typedef int ts_index;
#else
typedef long long ts_index;
#endif

/* A vector, aligned to its size but to 16 bytes at most: no instruction of every GPU moves more. */
template <class E, int N> struct alignas(N * sizeof(E) < 16 ? N * sizeof(E) : 16) ts_cuda_vector {
  E lane[N];
  __device__ __forceinline__ E &operator[](int k) { return lane[k]; }
  __device__ __forceinline__ const E &operator[](int k) const { return lane[k]; }
};

/* clang-format off */

/* What lanes are computed in: themselves, since C's promotion is undone by the result's type. The product of two u16 alone
 * could overflow the int that they would become. */
template <class E> struct ts_cuda_promoted { typedef E type; };
template <> struct ts_cuda_promoted<unsigned short> { typedef unsigned int type; };

/* Between vectors, and with a scalar of the element type on either side. */
#define TS_CUDA_LANES(x, op, y)                                      \
  {                                                                  \
    typedef typename ts_cuda_promoted<E>::type lane;                 \
    ts_cuda_vector<E, N> result;                                     \
    for (int k = 0; k < N; ++k) result[k] = (E)((lane)x op (lane)y); \
    return result;                                                   \
  }
#define TS_CUDA_OPERATOR(op)                                                                                     \
  template <class E, int N>                                                                                      \
  TS_INLINE ts_cuda_vector<E, N> operator op(const ts_cuda_vector<E, N> &a, const ts_cuda_vector<E, N> &b)       \
      TS_CUDA_LANES(a[k], op, b[k])                                                                              \
  template <class E, int N>                                                                                      \
  TS_INLINE ts_cuda_vector<E, N> operator op(const ts_cuda_vector<E, N> &a, E b) TS_CUDA_LANES(a[k], op, b)      \
  template <class E, int N>                                                                                      \
  TS_INLINE ts_cuda_vector<E, N> operator op(E a, const ts_cuda_vector<E, N> &b) TS_CUDA_LANES(a, op, b[k])
TS_CUDA_OPERATOR(+)
TS_CUDA_OPERATOR(-)
TS_CUDA_OPERATOR(*)
TS_CUDA_OPERATOR(/)
#undef TS_CUDA_OPERATOR
#undef TS_CUDA_LANES

#define TS_CUDA_VECTORS(T, type) \
  typedef type ts_##T; typedef type ts_##T##x1; typedef ts_cuda_vector<type, 2> ts_##T##x2; \
  typedef ts_cuda_vector<type, 4> ts_##T##x4; typedef ts_cuda_vector<type, 8> ts_##T##x8; \
  typedef ts_cuda_vector<type, 16> ts_##T##x16
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

/* The bits of one type as another of the same size. */
template <class To, class From> TS_INLINE To ts_cuda_reinterpret(const From &from) {
  static_assert(sizeof(To) == sizeof(From), "the sizes are the same");
  union {
    From from;
    To to;
  } bits;
  bits.from = from;
  return bits.to;
}
#define TS_REINTERPRET(dst, src, W, v) (ts_cuda_reinterpret<ts_##dst##x##W, ts_##src##x##W>(v))

/* No vector operators that convert_width.h could be written in: what core does to vectors of cells is done to each lane.
 * `lane` is the name that `expression` has for a cell of dtype src. */
#define TS_HAVE_VECTOR_OPERATORS 0
#define TS_EACH_LANE(dst, src, W, cells, lane, expression)                                                                     \
  (ts_cuda_map<ts_cuda_cell_##dst##x##W, W>([](ts_cuda_cell_##src##x1 lane) { return expression; }, cells))

/* ---- accesses ------------------------------------------------------------------------------------------------- */

/* What one instruction moves: N cells in registers of E. may_alias: the same memory may also be accessed as another dtype. */
template <class E, int N> struct alignas(N * sizeof(E)) __attribute__((may_alias)) ts_cuda_cells { E lane[N]; };

#include "instructions.h"

/* The registers that move a dtype's cells: unsigned ones of a cell's size, and those of f32 and f64. */
template <int bytes> struct ts_cuda_unsigned { typedef unsigned int type; };
template <> struct ts_cuda_unsigned<1> { typedef unsigned char type; };
template <> struct ts_cuda_unsigned<2> { typedef unsigned short type; };
template <> struct ts_cuda_unsigned<8> { typedef unsigned long long type; };
template <class C> struct ts_cuda_register : ts_cuda_unsigned<sizeof(C)> {};
template <> struct ts_cuda_register<float> { typedef float type; };
template <> struct ts_cuda_register<double> { typedef double type; };

/* What one instruction moves of `bytes` of them: in E if there is such an instruction, else the same bits in unsigned ones. */
template <class E, int bytes,
          bool in_e = sizeof(E) != 1 && bytes >= (int)sizeof(E) && bytes / (int)sizeof(E) <= (bytes == 32 ? 8 : 4)>
struct ts_cuda_chunk {
  typedef ts_cuda_cells<E, bytes / (int)sizeof(E)> type;
};
template <class E, int bytes> struct ts_cuda_chunk<E, bytes, false> {
  typedef typename ts_cuda_unsigned<(bytes < 4 ? bytes : 4)>::type bits;
  typedef ts_cuda_cells<bits, bytes / (int)sizeof(bits)> type;
};

/* The ways to read and write one chunk. Only global memory has more than one: ld.global.nc of a shared address would be
 * wrong. */
template <int way> struct ts_cuda_way {};
enum { TS_CUDA_PLAIN = 0, TS_CUDA_NC = 1, TS_CUDA_CS = 2, TS_CUDA_CS_NC = 3 };
template <class C> TS_INLINE C ts_cuda_read(const C *cells, ts_cuda_way<TS_CUDA_PLAIN>) { return *cells; }
template <class C> TS_INLINE C ts_cuda_read(const C *cells, ts_cuda_way<TS_CUDA_NC>) { return ts_cuda_load_nc(cells); }
template <class C> TS_INLINE C ts_cuda_read(const C *cells, ts_cuda_way<TS_CUDA_CS>) { return ts_cuda_load_cs(cells); }
template <class C> TS_INLINE C ts_cuda_read(const C *cells, ts_cuda_way<TS_CUDA_CS_NC>) { return ts_cuda_load_cs_nc(cells); }
template <class C> TS_INLINE void ts_cuda_write(C *cells, C value, ts_cuda_way<TS_CUDA_PLAIN>) { *cells = value; }
template <class C> TS_INLINE void ts_cuda_write(C *cells, C value, ts_cuda_way<TS_CUDA_CS>) { ts_cuda_store_cs(cells, value); }

/* A V in registers of E, in the space of that id, moved in chunks as large as the promised alignment covers. */
template <class V, class E, int space, int flags> struct ts_cuda_access {
  static const bool is_global = space == 1;
  static const int widest = is_global ? TS_CUDA_WIDEST : 16;
  static const int most = (int)sizeof(V) < widest ? (int)sizeof(V) : widest;
  static const int promise = TS_PROMISE(flags, sizeof(E));
  static const int bytes = promise < most ? promise : most;
  static const int chunks = (int)sizeof(V) / bytes;
  static const int store_way = is_global && (flags & TS_NON_TEMPORAL) ? TS_CUDA_CS : TS_CUDA_PLAIN;
  static const int load_way = store_way + (is_global && (flags & TS_INVARIANT) ? TS_CUDA_NC : TS_CUDA_PLAIN);
  typedef typename ts_cuda_chunk<E, bytes>::type chunk;
  union value {
    V whole;
    chunk part[chunks];
  };
  static __device__ __forceinline__ V load(const void *cells) {
    const chunk *from = ts_cuda_in<space>((const chunk *)cells);
    value v;
    for (int k = 0; k < chunks; ++k) v.part[k] = ts_cuda_read(from + k, ts_cuda_way<load_way>());
    return v.whole;
  }
  static __device__ __forceinline__ void store(void *cells, const V &whole) {
    chunk *to = ts_cuda_in<space>((chunk *)cells);
    value v;
    v.whole = whole;
    for (int k = 0; k < chunks; ++k) ts_cuda_write(to + k, v.part[k], ts_cuda_way<store_way>());
  }
};

/* A cell of dtype T is a ts_C. */
#define TS_DEFINE_CELLS(T, C)                                                                                                  \
  typedef ts_##C##x1 ts_cuda_cell_##T##x1;                                                                                     \
  typedef ts_##C##x2 ts_cuda_cell_##T##x2;                                                                                     \
  typedef ts_##C##x4 ts_cuda_cell_##T##x4;                                                                                     \
  typedef ts_##C##x8 ts_cuda_cell_##T##x8;                                                                                     \
  typedef ts_##C##x16 ts_cuda_cell_##T##x16;

/* What core calls: W cells of dtype T, in the space of the policy P. `flags` must be constant. */
#define TS_LOAD_CELLS(P, T, W, cells, flags) TS_CUDA_ACCESS(TS_SPACE_OF(P), T, W, flags)::load(cells)
#define TS_STORE_CELLS(P, T, W, cells, value, flags) TS_CUDA_ACCESS(TS_SPACE_OF(P), T, W, flags)::store(cells, value)
#define TS_CUDA_ACCESS(S, T, W, flags) TS_CUDA_ACCESS_IN(S, T, W, flags)
#define TS_CUDA_ACCESS_IN(S, T, W, flags)                                                                                      \
  ts_cuda_access<ts_cuda_cell_##T##x##W, ts_cuda_register<ts_cuda_cell_##T##x1>::type, TS_ID_##S, (flags)>
#define TS_ADVANCE(cells, elements) ((cells) + (elements))

/* ---- conversions: what core/convert_width.h calls, at width 1 ------------------------------------------------------ */

#define TS_INSTRUCTION_AT(name, W, bits) ts_cuda_cvt_##name(bits)

TS_INLINE ts_u32 ts_cuda_cvt_wide_f8e4m3fn(ts_u8 bits) {
  return ts_cuda_cvt_wide_f16((ts_u16)ts_cuda_cvt_f16x2_of_f8e4m3fnx2(bits));
}
TS_INLINE ts_u8 ts_cuda_cvt_narrow_f8e4m3fn(ts_u32 bits) { return (ts_u8)ts_cuda_cvt_f8e4m3fnx2_of_f32(bits); }
TS_INLINE ts_u8 ts_cuda_cvt_narrow_f8e5m2(ts_u32 bits) { return (ts_u8)ts_cuda_cvt_f8e5m2x2_of_f32(bits); }

/* Toward zero, with the last bit set if that changed the number. */
TS_INLINE ts_u32 ts_cuda_cvt_f32_of_f64_to_odd(ts_u64 bits) {
  ts_u32 low = ts_cuda_cvt_f32_of_f64_toward_zero(bits);
  return low | (ts_cuda_cvt_f64_of_f32(low) != bits);
}

/* The instructions saturate, and the 32-bit ones give 0 for NaN. */
TS_INLINE bool ts_cuda_is_nan(ts_u32 bits) { return (bits & 0x7fffffffu) > 0x7f800000u; }
TS_INLINE bool ts_cuda_is_nan(ts_u64 bits) { return (bits & 0x7fffffffffffffffu) > 0x7ff0000000000000u; }
TS_INLINE ts_i64 ts_cuda_cvt_i64_of_f32(ts_u32 bits) { return ts_cuda_is_nan(bits) ? 0 : ts_cuda_cvt_i64_of_f32_number(bits); }
TS_INLINE ts_u64 ts_cuda_cvt_u64_of_f32(ts_u32 bits) { return ts_cuda_is_nan(bits) ? 0 : ts_cuda_cvt_u64_of_f32_number(bits); }
TS_INLINE ts_i64 ts_cuda_cvt_i64_of_f64(ts_u64 bits) { return ts_cuda_is_nan(bits) ? 0 : ts_cuda_cvt_i64_of_f64_number(bits); }
TS_INLINE ts_u64 ts_cuda_cvt_u64_of_f64(ts_u64 bits) { return ts_cuda_is_nan(bits) ? 0 : ts_cuda_cvt_u64_of_f64_number(bits); }

/* ---- vectors, maths, atomics: what core/vector.h is written in -------------------------------------------------- */

/* Lane k of a vector, and of a scalar, which counts as a vector whose lanes are all the same. */
template <class E, int N> TS_INLINE E &ts_cuda_at(ts_cuda_vector<E, N> &v, int k) { return v[k]; }
template <class E, int N> TS_INLINE const E &ts_cuda_at(const ts_cuda_vector<E, N> &v, int k) { return v[k]; }
template <class E> TS_INLINE E &ts_cuda_at(E &scalar, int) { return scalar; }

/* The R of W lanes function(lane k of each v …). */
template <class R, int W, class F, class... V> TS_INLINE R ts_cuda_map(F function, const V &...v) {
  R result;
  for (int k = 0; k < W; ++k) ts_cuda_at(result, k) = function(ts_cuda_at(v, k)...);
  return result;
}
template <class V, class E> TS_INLINE V ts_cuda_with_lane(V v, int k, E lane) {
  v[k] = lane;
  return v;
}

#define TS_SPREAD(C, W, cell) (ts_cuda_map<ts_##C##x##W, W>([](ts_##C x) { return x; }, cell))
#define TS_WITH_LANE(C, W, cells, k, cell) ts_cuda_with_lane(cells, k, cell)
#define TS_COMPARE(M, T, W, a, op, b)                                                                                          \
  (ts_cuda_map<ts_##M##x##W, W>([](ts_##T x, ts_##T y) { return -(x op y); }, (ts_##T##x##W)(a), (ts_##T##x##W)(b)))
#define TS_SELECT_CELLS(C, M, W, mask, a, b)                                                                                   \
  (ts_cuda_map<ts_##C##x##W, W>([](ts_##M m, ts_##C x, ts_##C y) { return m ? x : y; }, (ts_##M##x##W)(mask), a, b))
#define TS_CALL_1(T, W, function, a) (ts_cuda_map<ts_##T##x##W, W>([](ts_##T x) { return function(x); }, a))
#define TS_CALL_2(T, W, function, a, b) (ts_cuda_map<ts_##T##x##W, W>([](ts_##T x, ts_##T y) { return function(x, y); }, a, b))
#define TS_CALL_3(T, W, function, a, b, c)                                                                                     \
  (ts_cuda_map<ts_##T##x##W, W>([](ts_##T x, ts_##T y, ts_##T z) { return function(x, y, z); }, a, b, c))
#define TS_ATOMIC_ADD(S, T, cells, x) atomicAdd(cells, (ts_##T)(x))

/* ---- binding, memory, arguments ------------------------------------------------------------------------------- */

/* C++ itself refuses pointers and vectors of another type, so only other conditions are checked here. */
#define TS_SAME_TYPE(expression, type) true
#define TS_CHECKED_VECTOR(T, W, value) (value)
#define TS_INDEX(n) (n)
#define TS_OVERLOADED
#define TS_REFUSE_OTHER_CELLS(P, S, T)
#define TS_CHECKED(condition, value, sentence) ([] { static_assert(condition, sentence); }(), (value))

#define TS_SHARED(name, T, count) TS_SHARED_EXPANDED(name, T, count)
#define TS_SHARED_EXPANDED(name, T, count)                                                                                     \
  TS_DEMAND_DTYPE(T);                                                                                                          \
  __shared__ __align__(128) ts_##T name##_cells[count];                                                                        \
  ts_shared_##T name = ts_shared_bind_##T(name##_cells)
#define TS_LOCAL(name, T, count) TS_LOCAL_EXPANDED(name, T, count)
#define TS_LOCAL_EXPANDED(name, T, count)                                                                                      \
  TS_DEMAND_DTYPE(T);                                                                                                          \
  __align__(128) ts_##T name##_cells[count];                                                                                   \
  ts_local_##T name = ts_local_bind_##T(name##_cells)
#define TS_CONSTANT_TABLE(name, T, count, values) TS_CONSTANT_TABLE_EXPANDED(name, T, count, values)
#define TS_CONSTANT_TABLE_EXPANDED(name, T, count, values)                                                                     \
  static __constant__ __align__(128) __attribute__((unused)) const ts_##T name[count] = {TS_WITHOUT_PARENTHESES values}

/* Arguments in shared and in constant memory are byte offsets into one array of each. They read as pointers. */
#ifndef TS_CUDA_CONSTANT_BYTES /* of the 64 KiB, the rest is for tables */
#define TS_CUDA_CONSTANT_BYTES 49152
#endif
extern __shared__ __align__(128) unsigned char ts_cuda_shared_bytes[];
static __constant__ __align__(256) __attribute__((unused)) unsigned char ts_cuda_constant_bytes[TS_CUDA_CONSTANT_BYTES];

template <class E> struct ts_cuda_shared_arg {
  unsigned int byte_offset;
  __device__ __forceinline__ operator E *() const { return (E *)(ts_cuda_shared_bytes + byte_offset); }
};
template <class E> struct ts_cuda_constant_arg {
  unsigned int byte_offset;
  __device__ __forceinline__ operator const E *() const { return (const E *)(ts_cuda_constant_bytes + byte_offset); }
};

#define TS_GLOBAL_ARG(T) TS_ARG_EXPANDED(T, *)
#define TS_GLOBAL_CONST_ARG(T) TS_ARG_EXPANDED(T, const *)
#define TS_ARG_EXPANDED(T, pointer) ts_##T pointer
#define TS_CONSTANT_ARG(T) TS_CONSTANT_ARG_EXPANDED(T)
#define TS_CONSTANT_ARG_EXPANDED(T) ts_cuda_constant_arg<ts_##T>
#define TS_SHARED_ARG(T) TS_SHARED_ARG_EXPANDED(T)
#define TS_SHARED_ARG_EXPANDED(T) ts_cuda_shared_arg<ts_##T>

/* ---- work-items and barriers ---------------------------------------------------------------------------------- */

#define TS_CUDA_OF(dimensions, d) (int)((d) == 0 ? dimensions.x : (d) == 1 ? dimensions.y : dimensions.z)
TS_INLINE int ts_item_in_group(int d) { return TS_CUDA_OF(threadIdx, d); }
TS_INLINE int ts_group_id(int d) { return TS_CUDA_OF(blockIdx, d); }
TS_INLINE int ts_group_size(int d) { return TS_CUDA_OF(blockDim, d); }
TS_INLINE int ts_group_count(int d) { return TS_CUDA_OF(gridDim, d); }
TS_INLINE long long ts_global_id(int d) { return (long long)ts_group_id(d) * ts_group_size(d) + ts_item_in_group(d); }
#undef TS_CUDA_OF

/* __syncthreads orders all memory for the group. */
TS_INLINE void ts_barrier(void) { __syncthreads(); }
TS_INLINE void ts_barrier_global(void) { __syncthreads(); }

#endif
