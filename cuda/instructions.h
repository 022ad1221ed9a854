/* clang-format off */
/* SPDX-License-Identifier: Apache-2.0
 *
 * instructions.h (CUDA): what a GPU can do and C++ has no words for. All inline assembly of the prelude is here, in leaves
 * that decide nothing: prelude.h chooses among them. docs/cuda.md has the reasons.
 *
 *   TS_CUDA_PROMISE(way, cells);           the address is in the memory of the way: TS_CUDA_PLAIN … TS_CUDA_CS_NC global,
 *                                           TS_CUDA_SHARED and so on; of another address, code disappears
 *   C ts_cuda_load_nc(const C *cells)       from global memory that nobody writes while the kernel runs
 *   C ts_cuda_load_cs(const C *cells)       from global memory, streaming
 *   C ts_cuda_load_cs_nc(const C *cells)    both
 *   void ts_cuda_store_cs(C *cells, C c)    to global memory, streaming
 *   R ts_cuda_cvt_NAME(x)                   a conversion of bits: the table at the end
 *   TS_CUDA_WIDEST                          bytes that one access of global memory moves at most
 *
 * A C is a ts_cuda_cells<E, N>: what one instruction moves, aligned to its size. Loads of read-only memory may move across
 * other accesses; the other streaming accesses stay where they are.
 */
/* clang-format on */
#ifndef TS_CUDA_INSTRUCTIONS_H
#define TS_CUDA_INSTRUCTIONS_H

/* ---- address spaces --------------------------------------------------------------------------------------------- */

/* TS_CUDA_GENERIC promises nothing. `way` is constant. */
#define TS_CUDA_PROMISE(way, cells)                                                                                            \
  __builtin_assume((way) < TS_CUDA_GENERIC     ? __isGlobal(cells)                                                             \
                   : (way) == TS_CUDA_SHARED   ? __isShared(cells)                                                             \
                   : (way) == TS_CUDA_CONSTANT ? __isConstant(cells)                                                           \
                   : (way) == TS_CUDA_LOCAL    ? __isLocal(cells)                                                              \
                                               : 1)

/* ---- global memory: up to 16 bytes, by the language's built-in functions -------------------------------------------- */

/* The type by which they know it. There is none of 16-bit floats: those functions are assembly that moves across stores. */
template <class C> struct ts_cuda_native;
/* clang-format off */
#define TS_CUDA_NATIVE(E, N, native) template <> struct ts_cuda_native<ts_cuda_cells<E, N> > { typedef native type; }
TS_CUDA_NATIVE(unsigned char, 1, unsigned char);
TS_CUDA_NATIVE(unsigned char, 4, uchar4);
TS_CUDA_NATIVE(unsigned short, 1, unsigned short);
TS_CUDA_NATIVE(unsigned short, 2, ushort2);
TS_CUDA_NATIVE(unsigned short, 4, ushort4);
TS_CUDA_NATIVE(unsigned int, 1, unsigned int);
TS_CUDA_NATIVE(unsigned int, 2, uint2);
TS_CUDA_NATIVE(unsigned int, 4, uint4);
TS_CUDA_NATIVE(unsigned long long, 1, unsigned long long);
TS_CUDA_NATIVE(unsigned long long, 2, ulonglong2);
TS_CUDA_NATIVE(float, 1, float);
TS_CUDA_NATIVE(float, 2, float2);
TS_CUDA_NATIVE(float, 4, float4);
TS_CUDA_NATIVE(double, 1, double);
TS_CUDA_NATIVE(double, 2, double2);
#undef TS_CUDA_NATIVE
/* clang-format on */

template <class C> TS_INLINE C ts_cuda_load_nc(const C *cells) {
  C c;
  *(typename ts_cuda_native<C>::type *)&c = __ldg((const typename ts_cuda_native<C>::type *)cells);
  return c;
}
template <class C> TS_INLINE C ts_cuda_load_cs(const C *cells) {
  C c;
  *(typename ts_cuda_native<C>::type *)&c = __ldcs((const typename ts_cuda_native<C>::type *)cells);
  return c;
}
template <class C> TS_INLINE void ts_cuda_store_cs(C *cells, C c) {
  __stcs((typename ts_cuda_native<C>::type *)cells, *(typename ts_cuda_native<C>::type *)&c);
}

/* ---- global memory: what has no built-in function ------------------------------------------------------------------ */

/* The bits of N cells. What is volatile and clobbers memory stays in its place. */
#define TS_CUDA_LOAD(name, E, N, in_place, instruction, registers, ...)                                                        \
  TS_INLINE ts_cuda_cells<E, N> name(const ts_cuda_cells<E, N> *cells) {                                                       \
    ts_cuda_cells<E, N> v;                                                                                                     \
    asm in_place(instruction:registers : "l"(cells)__VA_ARGS__);                                                               \
    return v;                                                                                                                  \
  }
#define TS_CUDA_LANES(c, a, b) c(v.lane[a]), c(v.lane[b])
#define TS_CUDA_EIGHT(c) TS_CUDA_LANES(c, 0, 1), TS_CUDA_LANES(c, 2, 3), TS_CUDA_LANES(c, 4, 5), TS_CUDA_LANES(c, 6, 7)
/* As templates, since a build pays for what it does not use otherwise. A branch that is not taken may look behind v. */
template <class E> TS_INLINE ts_cuda_cells<E, 1> ts_cuda_load_cs_nc(const ts_cuda_cells<E, 1> *cells) {
  unsigned short register_of_16;
  if (sizeof(E) == 1)
    asm("ld.global.cs.nc.b8 %0, [%1];" : "=h"(register_of_16) : "l"(cells));
  else
    asm("ld.global.cs.nc.b16 %0, [%1];" : "=h"(register_of_16) : "l"(cells));
  ts_cuda_cells<E, 1> v = {{(E)register_of_16}};
  return v;
}
template <int N> TS_INLINE ts_cuda_cells<unsigned int, N> ts_cuda_load_cs_nc(const ts_cuda_cells<unsigned int, N> *cells) {
  ts_cuda_cells<unsigned int, N> v;
  unsigned int *to = v.lane;
  if (N == 2)
    asm("ld.global.cs.nc.v2.b32 {%0, %1}, [%2];" : "=r"(to[0]), "=r"(to[1]) : "l"(cells));
  else
    asm("ld.global.cs.nc.v4.b32 {%0, %1, %2, %3}, [%4];" : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "l"(cells));
  return v;
}
/* clang-format off */
TS_CUDA_LOAD(ts_cuda_load_cs_nc, unsigned int, 1, , "ld.global.cs.nc.b32 %0, [%1];", "=r"(v.lane[0]))

/* 32 bytes at once: from sm_100 on, by PTX 8.8. */
#if TS_CUDA_ARCH >= 1000 && __CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ >= 1209
#define TS_CUDA_WIDEST 32
#define TS_CUDA_8_OF " {%0, %1, %2, %3, %4, %5, %6, %7}, [%8];"
TS_CUDA_LOAD(ts_cuda_load_nc, unsigned int, 8, , "ld.global.nc.v8.b32" TS_CUDA_8_OF, TS_CUDA_EIGHT("=r"))
TS_CUDA_LOAD(ts_cuda_load_cs, unsigned int, 8, volatile, "ld.global.cs.v8.b32" TS_CUDA_8_OF, TS_CUDA_EIGHT("=r"), : "memory")
TS_CUDA_LOAD(ts_cuda_load_cs_nc, unsigned int, 8, , "ld.global.cs.nc.v8.b32" TS_CUDA_8_OF, TS_CUDA_EIGHT("=r"))
TS_INLINE void ts_cuda_store_cs(ts_cuda_cells<unsigned int, 8> *cells, ts_cuda_cells<unsigned int, 8> v) {
  asm volatile("st.global.cs.v8.b32 [%8], {%0, %1, %2, %3, %4, %5, %6, %7};" : : TS_CUDA_EIGHT("r"), "l"(cells) : "memory");
}
#undef TS_CUDA_8_OF
#else
#define TS_CUDA_WIDEST 16
#endif
/* clang-format on */
#undef TS_CUDA_LOAD
#undef TS_CUDA_LANES
#undef TS_CUDA_EIGHT

/* ---- conversions ------------------------------------------------------------------------------------------------- */

/* Of bits, by one instruction each. None says .ftz, so subnormal numbers are kept whatever the options. */
#define TS_CUDA_CVT(name, R, r, X, x, instruction)                                                                             \
  TS_INLINE R ts_cuda_cvt_##name(X bits) {                                                                                     \
    R result;                                                                                                                  \
    asm(instruction : r(result) : x(bits));                                                                                    \
    return result;                                                                                                             \
  }
/* clang-format off */
TS_CUDA_CVT(wide_f16,               unsigned int,       "=r", unsigned short,     "h", "cvt.f32.f16 %0, %1;")
TS_CUDA_CVT(narrow_f16,             unsigned short,     "=h", unsigned int,       "r", "cvt.rn.f16.f32 %0, %1;")
#if TS_USES(bf16)
TS_CUDA_CVT(narrow_bf16,            unsigned short,     "=h", unsigned int,       "r", "cvt.rn.bf16.f32 %0, %1;") /* sm_80 */
#endif
#if TS_USES(f8e4m3fn) || TS_USES(f8e5m2)
/* sm_89; two at once, of which the low one counts. From f32: saturated, and so is infinity. */
TS_CUDA_CVT(f16x2_of_f8e4m3fnx2,    unsigned int,       "=r", unsigned short,     "h", "cvt.rn.f16x2.e4m3x2 %0, %1;")
TS_CUDA_CVT(f8e4m3fnx2_of_f32,      unsigned short,     "=h", unsigned int,       "r", "cvt.rn.satfinite.e4m3x2.f32 %0, 0f00000000, %1;")
TS_CUDA_CVT(f8e5m2x2_of_f32,        unsigned short,     "=h", unsigned int,       "r", "cvt.rn.satfinite.e5m2x2.f32 %0, 0f00000000, %1;")
#endif
#if TS_USES(f64)
TS_CUDA_CVT(f32_of_f64,             unsigned int,       "=r", unsigned long long, "l", "cvt.rn.f32.f64 %0, %1;")
TS_CUDA_CVT(f32_of_f64_toward_zero, unsigned int,       "=r", unsigned long long, "l", "cvt.rz.f32.f64 %0, %1;")
TS_CUDA_CVT(f64_of_f32,             unsigned long long, "=l", unsigned int,       "r", "cvt.f64.f32 %0, %1;")
#endif
/* Truncated and saturated; NaN is 0. */
TS_CUDA_CVT(i32_of_f32,             int,                "=r", unsigned int,       "r", "cvt.rzi.s32.f32 %0, %1;")
TS_CUDA_CVT(u32_of_f32,             unsigned int,       "=r", unsigned int,       "r", "cvt.rzi.u32.f32 %0, %1;")
/* The same of what is no NaN. */
#if TS_USES(i64) || TS_USES(u64)
TS_CUDA_CVT(i64_of_f32_number,      long long,          "=l", unsigned int,       "r", "cvt.rzi.s64.f32 %0, %1;")
TS_CUDA_CVT(u64_of_f32_number,      unsigned long long, "=l", unsigned int,       "r", "cvt.rzi.u64.f32 %0, %1;")
#endif
#if TS_USES(f64)
TS_CUDA_CVT(i64_of_f64_number,      long long,          "=l", unsigned long long, "l", "cvt.rzi.s64.f64 %0, %1;")
TS_CUDA_CVT(u64_of_f64_number,      unsigned long long, "=l", unsigned long long, "l", "cvt.rzi.u64.f64 %0, %1;")
#endif
/* clang-format on */
#undef TS_CUDA_CVT

#endif
