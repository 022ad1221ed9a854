/* SPDX-License-Identifier: Apache-2.0
 *
 * shim.h: what CUDA's compilers know and a C++ compiler does not, so that cuda/prelude.h and a kernel compile as C++11 and
 * run on a CPU. The backend (backend.c) puts this text in front of a kernel's; it includes nothing, as the kernel header.
 *
 * It is no emulation of a GPU: no warps, no PTX, no memory model. It takes the place of cuda/instructions.h, whose list of
 * leaves it follows: each checks the address that it is given (checks.c) and then does the plain access. The rest of the
 * prelude is what runs.
 */
#define __CUDACC__ 1
#define TS_CUDA_INSTRUCTIONS_H /* this file is in its place */

/* The GPU that is meant: one with all instructions, or another by -D__CUDA_ARCH__=750. */
#ifndef __CUDA_ARCH__
#define __CUDA_ARCH__ 1000
#endif

/* ---- the language ------------------------------------------------------------------------------------------------ */

#define __device__
#define __global__
#define __constant__
#define __forceinline__ inline
#define __align__(bytes) __attribute__((aligned(bytes)))

/* A group runs on one thread, and a thread runs one group at a time. */
#define __shared__ thread_local

extern "C" {
struct ts_host_item;
struct ts_shim_index {
  unsigned int x, y, z;
};
void ts_shim_enter(struct ts_host_item *item);
struct ts_shim_index ts_shim_thread_index(void);
struct ts_shim_index ts_shim_block_index(void);
struct ts_shim_index ts_shim_block_size(void);
struct ts_shim_index ts_shim_grid_size(void);
void ts_shim_barrier(void);
void ts_shim_check(const char *what, int space, const void *address, unsigned int bytes, unsigned int align_bytes);
void ts_shim_copy_begin(void *to, const void *from, unsigned int bytes);
unsigned int ts_shim_copy_next(void **to, const void **from);
}
#define threadIdx ts_shim_thread_index()
#define blockIdx ts_shim_block_index()
#define blockDim ts_shim_block_size()
#define gridDim ts_shim_grid_size()
static inline void __syncthreads() { ts_shim_barrier(); }

template <class T> inline T atomicAdd(T *cells, T x) {
  ts_shim_check("an atomic addition", 0, cells, sizeof(T), sizeof(T));
  return __atomic_fetch_add(cells, x, __ATOMIC_RELAXED);
}

/* The bits of one type as another. */
#define TS_SHIM_BITS(name, To, From)                                                                                           \
  static inline To name(From from) {                                                                                           \
    To to;                                                                                                                     \
    __builtin_memcpy(&to, &from, sizeof to);                                                                                   \
    return to;                                                                                                                 \
  }
TS_SHIM_BITS(__float_as_uint, unsigned int, float)
TS_SHIM_BITS(__uint_as_float, float, unsigned int)
TS_SHIM_BITS(__double_as_longlong, long long, double)
TS_SHIM_BITS(__longlong_as_double, double, long long)
#undef TS_SHIM_BITS

/* CUDA's own overloads, by the type of the argument. */
#define TS_SHIM_MATHS(name, parameters, arguments)                                                                             \
  extern "C" double name parameters(double);                                                                                   \
  static inline float name parameters(float) { return __builtin_##name##f arguments; }
#define TS_SHIM_1(type) (type a)
#define TS_SHIM_2(type) (type a, type b)
#define TS_SHIM_3(type) (type a, type b, type c)
TS_SHIM_MATHS(fma, TS_SHIM_3, (a, b, c))
TS_SHIM_MATHS(fmin, TS_SHIM_2, (a, b))
TS_SHIM_MATHS(fmax, TS_SHIM_2, (a, b))
TS_SHIM_MATHS(fabs, TS_SHIM_1, (a))
TS_SHIM_MATHS(sqrt, TS_SHIM_1, (a))
TS_SHIM_MATHS(exp, TS_SHIM_1, (a))
#undef TS_SHIM_MATHS
#undef TS_SHIM_1
#undef TS_SHIM_2
#undef TS_SHIM_3

/* ---- the leaves of cuda/instructions.h ----------------------------------------------------------------------------- */

#define TS_CUDA_WIDEST (__CUDA_ARCH__ >= 1000 ? 32 : 16)

/* An address that is said to be in a space, and is accessed there as what it is cast to. */
struct ts_shim_address {
  int space;
  const void *cells;
  template <class M> operator M *() const {
    ts_shim_check("an access", space, cells, sizeof(M), alignof(M));
    return (M *)cells;
  }
};
static inline ts_shim_address ts_cuda_in_generic(const void *cells) { return {0, cells}; }
static inline ts_shim_address ts_cuda_in_global(const void *cells) { return {1, cells}; }
static inline ts_shim_address ts_cuda_in_shared(const void *cells) { return {3, cells}; }
static inline ts_shim_address ts_cuda_in_constant(const void *cells) { return {4, cells}; }
static inline ts_shim_address ts_cuda_in_local(const void *cells) { return {5, cells}; }

template <class E, int bytes> struct ts_cuda_chunk {
  struct alignas(bytes) type {
    unsigned char byte[bytes];
  };
};

template <class V, class C, int hints> struct __attribute__((may_alias)) ts_cuda_piece {
  C cells;
  operator V() const {
    ts_shim_check("a load", hints ? 1 : 0, this, sizeof(C), alignof(C));
    V v;
    ((ts_cuda_piece *)&v)->cells = cells;
    return v;
  }
  void operator=(const V &v) {
    ts_shim_check("a store", hints ? 1 : 0, this, sizeof(C), alignof(C));
    cells = ((const ts_cuda_piece *)&v)->cells;
  }
};

/* Nothing is copied before the wait, so that a kernel whose wait is missing reads what was there. */
template <int bytes> inline void ts_cuda_copy_async(void *to, const void *from) {
  ts_shim_check("cp.async, which reads,", 1, from, bytes, bytes);
  ts_shim_check("cp.async, which writes,", 3, to, bytes, bytes);
  ts_shim_copy_begin(to, from, bytes);
}
static inline void ts_cuda_copy_wait() {
  void *to;
  const void *from;
  while (unsigned int bytes = ts_shim_copy_next(&to, &from)) __builtin_memcpy(to, from, bytes);
}

/* ---- its conversions: what PTX says of each instruction, on integers, so that no option of the compiler's matters ---- */

/* A number as -1^sign * significand * 2^exponent, or no number. */
struct ts_shim_number {
  bool sign, is_infinite, is_nan;
  int exponent;
  unsigned long long significand;
};

/* A binary format: bits of the fraction and of the exponent. has_infinity: as IEEE 754 has it, else the one NaN is all ones. */
struct ts_shim_format {
  int fraction, exponent;
  bool has_infinity;
};
static const ts_shim_format ts_shim_f16 = {10, 5, true}, ts_shim_bf16 = {7, 8, true}, ts_shim_f32 = {23, 8, true},
                            ts_shim_f64 = {52, 11, true}, ts_shim_e4m3 = {3, 4, false}, ts_shim_e5m2 = {2, 5, true};
enum ts_shim_rounding { TS_SHIM_NEAREST, TS_SHIM_TOWARD_ZERO };

static inline ts_shim_number ts_shim_decode(ts_shim_format f, unsigned long long bits) {
  unsigned long long one = 1, fraction = bits & ((one << f.fraction) - 1);
  int all_ones = (1 << f.exponent) - 1, biased = (int)(bits >> f.fraction) & all_ones;
  ts_shim_number x = {(bits >> (f.fraction + f.exponent) & 1) != 0, false, false, 0, 0};
  x.is_infinite = f.has_infinity && biased == all_ones && fraction == 0;
  x.is_nan = biased == all_ones && !x.is_infinite && (f.has_infinity || fraction == (one << f.fraction) - 1);
  x.significand = biased ? fraction | one << f.fraction : fraction;
  x.exponent = (biased ? biased : 1) - (all_ones >> 1) - f.fraction;
  return x;
}

/* The largest finite number of a format, without a sign. */
static inline unsigned long long ts_shim_largest(ts_shim_format f) {
  unsigned long long all = (1ull << (f.fraction + f.exponent)) - 1;
  return f.has_infinity ? all - (1ull << f.fraction) : all - 1;
}

/* saturates: what is too large, or infinite, becomes the largest finite number. */
static inline unsigned long long ts_shim_encode(ts_shim_format f, ts_shim_rounding rounding, bool saturates, ts_shim_number x) {
  unsigned long long sign = (unsigned long long)x.sign << (f.fraction + f.exponent), largest = ts_shim_largest(f);
  unsigned long long too_large = saturates || rounding == TS_SHIM_TOWARD_ZERO ? largest : largest + 1, magnitude;
  if (x.is_nan) return (1ull << (f.fraction + f.exponent)) - 1;
  if (x.is_infinite) return sign | (saturates ? largest : largest + 1);
  if (x.significand == 0) return sign;
  /* The leading bit at fraction, but no unit smaller than that of the subnormal numbers. */
  int unit = x.exponent + 63 - __builtin_clzll(x.significand) - f.fraction, least = 2 - (1 << (f.exponent - 1)) - f.fraction;
  if (unit < least) unit = least;
  int drop = unit - x.exponent;
  if (drop > 63) {
    magnitude = 0;
  } else if (drop > 0) {
    unsigned long long rest = x.significand & ((1ull << drop) - 1), half = 1ull << (drop - 1);
    magnitude = x.significand >> drop;
    if (rounding == TS_SHIM_NEAREST && (rest > half || (rest == half && (magnitude & 1)))) ++magnitude;
  } else {
    magnitude = x.significand << -drop;
  }
  /* As bits: units, and the exponent; the implicit bit counts it up by one. A carry out of the fraction does, too. */
  magnitude += (unsigned long long)(unit - least) << f.fraction;
  return sign | (magnitude > largest ? too_large : magnitude);
}

/* Truncated and saturated to [lowest, highest]; of a NaN, nan. */
template <class I> inline I ts_shim_integer(ts_shim_number x, I lowest, I highest, I nan) {
  if (x.is_nan) return nan;
  int top = x.significand ? x.exponent + 63 - __builtin_clzll(x.significand) : -1; /* the value is below 2^(top + 1) */
  unsigned long long magnitude = 0, most = x.sign ? -(unsigned long long)lowest : (unsigned long long)highest;
  if (x.is_infinite || top > 63)
    magnitude = ~0ull;
  else if (top >= 0)
    magnitude = x.exponent < 0 ? x.significand >> -x.exponent : x.significand << x.exponent;
  if (magnitude > most) magnitude = most;
  return (I)(x.sign ? -magnitude : magnitude);
}

#define TS_SHIM_CVT(name, R, X, value)                                                                                         \
  static inline R ts_cuda_cvt_##name(X bits) { return (R)(value); }
#define TS_SHIM_FLOAT(to, rounding, saturates, from, bits)                                                                     \
  ts_shim_encode(ts_shim_##to, TS_SHIM_##rounding, saturates, ts_shim_decode(ts_shim_##from, bits))
/* clang-format off */
TS_SHIM_CVT(wide_f16,               unsigned int,       unsigned short,     TS_SHIM_FLOAT(f32, NEAREST, false, f16, bits))
TS_SHIM_CVT(narrow_f16,             unsigned short,     unsigned int,       TS_SHIM_FLOAT(f16, NEAREST, false, f32, bits))
TS_SHIM_CVT(narrow_bf16,            unsigned short,     unsigned int,       TS_SHIM_FLOAT(bf16, NEAREST, false, f32, bits))
TS_SHIM_CVT(f16x2_of_f8e4m3fnx2,    unsigned int,       unsigned short,     TS_SHIM_FLOAT(f16, NEAREST, false, e4m3, bits & 255) | TS_SHIM_FLOAT(f16, NEAREST, false, e4m3, bits >> 8) << 16)
TS_SHIM_CVT(f8e4m3fnx2_of_f32,      unsigned short,     unsigned int,       TS_SHIM_FLOAT(e4m3, NEAREST, true, f32, bits))
TS_SHIM_CVT(f8e5m2x2_of_f32,        unsigned short,     unsigned int,       TS_SHIM_FLOAT(e5m2, NEAREST, true, f32, bits))
TS_SHIM_CVT(f32_of_f64,             unsigned int,       unsigned long long, TS_SHIM_FLOAT(f32, NEAREST, false, f64, bits))
TS_SHIM_CVT(f32_of_f64_toward_zero, unsigned int,       unsigned long long, TS_SHIM_FLOAT(f32, TOWARD_ZERO, false, f64, bits))
TS_SHIM_CVT(f64_of_f32,             unsigned long long, unsigned int,       TS_SHIM_FLOAT(f64, NEAREST, false, f32, bits))
TS_SHIM_CVT(i32_of_f32,             int,                unsigned int,       ts_shim_integer<int>(ts_shim_decode(ts_shim_f32, bits), -2147483647 - 1, 2147483647, 0))
TS_SHIM_CVT(u32_of_f32,             unsigned int,       unsigned int,       ts_shim_integer<unsigned int>(ts_shim_decode(ts_shim_f32, bits), 0, ~0u, 0))
TS_SHIM_CVT(i64_of_f32_number,      long long,          unsigned int,       ts_shim_integer<long long>(ts_shim_decode(ts_shim_f32, bits), -0x7fffffffffffffffll - 1, 0x7fffffffffffffffll, -0x7fffffffffffffffll - 1))
TS_SHIM_CVT(u64_of_f32_number,      unsigned long long, unsigned int,       ts_shim_integer<unsigned long long>(ts_shim_decode(ts_shim_f32, bits), 0, ~0ull, 1ull << 63))
TS_SHIM_CVT(i64_of_f64_number,      long long,          unsigned long long, ts_shim_integer<long long>(ts_shim_decode(ts_shim_f64, bits), -0x7fffffffffffffffll - 1, 0x7fffffffffffffffll, -0x7fffffffffffffffll - 1))
TS_SHIM_CVT(u64_of_f64_number,      unsigned long long, unsigned long long, ts_shim_integer<unsigned long long>(ts_shim_decode(ts_shim_f64, bits), 0, ~0ull, 1ull << 63))
/* clang-format on */
#undef TS_SHIM_CVT
#undef TS_SHIM_FLOAT
