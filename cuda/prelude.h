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
#define TS_HAVE_F16_CONVERSION 0

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

/* The instructions of global memory that C++ has no spelling for, for N lanes of E, in registers of type R. What may change
 * while the kernel runs is volatile and clobbers memory, or the compiler would move it across other accesses. */
#define TS_CUDA_REGISTERS_1(c) c(r[0])
#define TS_CUDA_REGISTERS_2(c) c(r[0]), c(r[1])
#define TS_CUDA_REGISTERS_4(c) c(r[0]), c(r[1]), c(r[2]), c(r[3])
#define TS_CUDA_SUFFIX_1 "."
#define TS_CUDA_SUFFIX_2 ".v2."
#define TS_CUDA_SUFFIX_4 ".v4."
#define TS_CUDA_VALUE_1 "%0"
#define TS_CUDA_VALUE_2 "{%0, %1}"
#define TS_CUDA_VALUE_4 "{%0, %1, %2, %3}"
#define TS_CUDA_ADDRESS_1 "[%1]"
#define TS_CUDA_ADDRESS_2 "[%2]"
#define TS_CUDA_ADDRESS_4 "[%4]"
#define TS_CUDA_INSTRUCTIONS(E, N, ptx, R, c)                                                                                  \
  TS_INLINE ts_cuda_vector<E, N> ts_cuda_read_invariant(const ts_cuda_vector<E, N> *cells) {                                   \
    R r[N];                                                                                                                    \
    asm("ld.global.nc" TS_CUDA_SUFFIX_##N ptx " " TS_CUDA_VALUE_##N ", " TS_CUDA_ADDRESS_##N ";"                               \
        : TS_CUDA_REGISTERS_##N("=" c)                                                                                         \
        : "l"(cells));                                                                                                         \
    return ts_cuda_lanes<E, N>(r);                                                                                             \
  }                                                                                                                            \
  TS_INLINE ts_cuda_vector<E, N> ts_cuda_read_streaming(const ts_cuda_vector<E, N> *cells) {                                   \
    R r[N];                                                                                                                    \
    asm volatile("ld.global.cs" TS_CUDA_SUFFIX_##N ptx " " TS_CUDA_VALUE_##N ", " TS_CUDA_ADDRESS_##N ";"                      \
                 : TS_CUDA_REGISTERS_##N("=" c)                                                                                \
                 : "l"(cells)                                                                                                  \
                 : "memory");                                                                                                  \
    return ts_cuda_lanes<E, N>(r);                                                                                             \
  }                                                                                                                            \
  TS_INLINE void ts_cuda_write_streaming(ts_cuda_vector<E, N> *cells, const ts_cuda_vector<E, N> &value) {                     \
    R r[N];                                                                                                                    \
    for (int k = 0; k < N; ++k) r[k] = value[k];                                                                               \
    asm volatile("st.global.cs" TS_CUDA_SUFFIX_##N ptx " " TS_CUDA_ADDRESS_##N ", " TS_CUDA_VALUE_##N ";"                      \
                 :                                                                                                             \
                 : TS_CUDA_REGISTERS_##N(c), "l"(cells)                                                                        \
                 : "memory");                                                                                                  \
  }
template <class E, int N, class R> TS_INLINE ts_cuda_vector<E, N> ts_cuda_lanes(const R *r) {
  ts_cuda_vector<E, N> value;
  for (int k = 0; k < N; ++k) value[k] = (E)r[k];
  return value;
}
TS_CUDA_INSTRUCTIONS(unsigned char, 1, "u8", unsigned short, "h");
TS_CUDA_INSTRUCTIONS(unsigned short, 1, "u16", unsigned short, "h");
TS_CUDA_INSTRUCTIONS(unsigned short, 2, "u16", unsigned short, "h");
TS_CUDA_INSTRUCTIONS(unsigned short, 4, "u16", unsigned short, "h");
TS_CUDA_INSTRUCTIONS(unsigned int, 1, "u32", unsigned int, "r");
TS_CUDA_INSTRUCTIONS(unsigned int, 2, "u32", unsigned int, "r");
TS_CUDA_INSTRUCTIONS(unsigned int, 4, "u32", unsigned int, "r");
TS_CUDA_INSTRUCTIONS(unsigned long long, 1, "u64", unsigned long long, "l");
TS_CUDA_INSTRUCTIONS(unsigned long long, 2, "u64", unsigned long long, "l");
TS_CUDA_INSTRUCTIONS(float, 1, "f32", float, "f");
TS_CUDA_INSTRUCTIONS(float, 2, "f32", float, "f");
TS_CUDA_INSTRUCTIONS(float, 4, "f32", float, "f");
#undef TS_CUDA_INSTRUCTIONS

/* What one instruction moves of `bytes` of lanes E: lanes if there is such an instruction, else the same bits. */
template <class E, int bytes> struct ts_cuda_chunk : ts_cuda_chunk<unsigned int, bytes> {};
#define TS_CUDA_CHUNK(E, bytes, lane, N)                                                                                       \
  template <> struct ts_cuda_chunk<E, bytes> { typedef ts_cuda_vector<lane, N> type; }
TS_CUDA_CHUNK(unsigned int, 1, unsigned char, 1);
TS_CUDA_CHUNK(unsigned int, 2, unsigned short, 1);
TS_CUDA_CHUNK(unsigned int, 4, unsigned int, 1);
TS_CUDA_CHUNK(unsigned int, 8, unsigned int, 2);
TS_CUDA_CHUNK(unsigned int, 16, unsigned int, 4);
TS_CUDA_CHUNK(unsigned short, 4, unsigned short, 2);
TS_CUDA_CHUNK(unsigned short, 8, unsigned short, 4);
TS_CUDA_CHUNK(unsigned long long, 8, unsigned long long, 1);
TS_CUDA_CHUNK(unsigned long long, 16, unsigned long long, 2);
TS_CUDA_CHUNK(float, 4, float, 1);
TS_CUDA_CHUNK(float, 8, float, 2);
TS_CUDA_CHUNK(float, 16, float, 4);
#undef TS_CUDA_CHUNK

/* The lanes that move a cell: unsigned ones of its size, and an f32's own. */
template <int bytes> struct ts_cuda_unsigned;
template <> struct ts_cuda_unsigned<1> { typedef unsigned char type; };
template <> struct ts_cuda_unsigned<2> { typedef unsigned short type; };
template <> struct ts_cuda_unsigned<4> { typedef unsigned int type; };
template <> struct ts_cuda_unsigned<8> { typedef unsigned long long type; };
template <class C> struct ts_cuda_lane : ts_cuda_unsigned<sizeof(C)> {};
template <> struct ts_cuda_lane<float> { typedef float type; };

/* One chunk. In spaces other than global the flags ask for nothing: ld.global.nc of a shared address would be wrong. */
template <bool is_global, int flags, class C> TS_INLINE C ts_cuda_read(const C *cells) {
  if (is_global && (flags & TS_INVARIANT)) return ts_cuda_read_invariant(cells);
  if (is_global && (flags & TS_NON_TEMPORAL)) return ts_cuda_read_streaming(cells);
  return *cells;
}
template <bool is_global, int flags, class C> TS_INLINE void ts_cuda_write(C *cells, const C &value) {
  if (is_global && (flags & TS_NON_TEMPORAL))
    ts_cuda_write_streaming(cells, value);
  else
    *cells = value;
}

/* A V, moved as lanes of E, in chunks as large as the promised alignment covers. */
template <class V, class E, bool is_global, int flags> struct ts_cuda_access {
  static const int most = sizeof(V) < 16 ? (int)sizeof(V) : 16;
  static const int promise = TS_PROMISE(flags, sizeof(E));
  static const int bytes = promise < most ? promise : most;
  static const int chunks = sizeof(V) / bytes;
  typedef typename ts_cuda_chunk<E, bytes>::type chunk;
  union value {
    V whole;
    chunk part[chunks];
  };
  static __device__ __forceinline__ V load(const void *cells) {
    value v;
    for (int k = 0; k < chunks; ++k) v.part[k] = ts_cuda_read<is_global, flags>((const chunk *)cells + k);
    return v.whole;
  }
  static __device__ __forceinline__ void store(void *cells, const V &whole) {
    value v;
    v.whole = whole;
    for (int k = 0; k < chunks; ++k) ts_cuda_write<is_global, flags>((chunk *)cells + k, v.part[k]);
  }
};

#define TS_CUDA_IS_GLOBAL_generic false
#define TS_CUDA_IS_GLOBAL_global true
#define TS_CUDA_IS_GLOBAL_shared false
#define TS_CUDA_IS_GLOBAL_constant false
#define TS_CUDA_IS_GLOBAL_local false

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
  ts_cuda_access<ts_cuda_cell_##T##x##W, ts_cuda_lane<ts_cuda_cell_##T##x1>::type, TS_CUDA_IS_GLOBAL_##S, (flags)>
#define TS_ADVANCE(cells, elements) ((cells) + (elements))

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
