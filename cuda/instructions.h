/* SPDX-License-Identifier: Apache-2.0
 *
 * instructions.h (CUDA): what a GPU can do and C++ has no words for. All inline assembly of the prelude is here, in leaves
 * that decide nothing: prelude.h chooses among them. docs/cuda.md has the reasons.
 *
 *   C *ts_cuda_in<space>(C *cells)            the same address, in the space of that id (core/tables.h): a wrong id deletes
 * code C ts_cuda_load_nc(const C *cells)         from global memory that nobody writes while the kernel runs C
 * ts_cuda_load_cs(const C *cells)         from global memory, streaming C ts_cuda_load_cs_nc(const C *cells)      both void
 * ts_cuda_store_cs(C *cells, C value)  to global memory, streaming R ts_cuda_cvt_NAME(x)                     a conversion of
 * bits: the table at the end TS_CUDA_WIDEST                            bytes that one access of global memory moves at most
 *
 * A C is a ts_cuda_cells<E, N>: what one instruction moves, aligned to its size. Loads of read-only memory may move across
 * other accesses; the other streaming accesses stay where they are.
 */
#ifndef TS_CUDA_INSTRUCTIONS_H
#define TS_CUDA_INSTRUCTIONS_H

/* ---- address spaces --------------------------------------------------------------------------------------------- */

template <int space, class C> TS_INLINE C *ts_cuda_in(C *cells) {
  if (space == 1) __builtin_assume(__isGlobal(cells));
  if (space == 3) __builtin_assume(__isShared(cells));
  if (space == 4) __builtin_assume(__isConstant(cells));
  if (space == 5) __builtin_assume(__isLocal(cells));
  return cells;
}

/* ---- global memory: up to 16 bytes, by the language's built-in functions -------------------------------------------- */

/* The type by which they know it. There is none of 16-bit floats: those functions are assembly that moves across stores. */
template <class C> struct ts_cuda_native;
/* clang-format off */
#define TS_CUDA_NATIVE(E, N, native) template <> struct ts_cuda_native<ts_cuda_cells<E, N> > { typedef native type; }
TS_CUDA_NATIVE(unsigned char, 1, unsigned char);
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
  return ts_cuda_reinterpret<C>(__ldg((const typename ts_cuda_native<C>::type *)cells));
}
template <class C> TS_INLINE C ts_cuda_load_cs(const C *cells) {
  return ts_cuda_reinterpret<C>(__ldcs((const typename ts_cuda_native<C>::type *)cells));
}
template <class C> TS_INLINE void ts_cuda_store_cs(C *cells, C value) {
  typedef typename ts_cuda_native<C>::type native;
  __stcs((native *)cells, ts_cuda_reinterpret<native>(value));
}

/* ---- global memory: what has no built-in function ------------------------------------------------------------------ */

/* N cells of E, which PTX calls `type`, in registers of C++ type R and constraint c. What is volatile and clobbers memory
 * stays in its place. */
#define TS_CUDA_REGISTERS_1(c) c(r[0])
#define TS_CUDA_REGISTERS_2(c) c(r[0]), c(r[1])
#define TS_CUDA_REGISTERS_4(c) TS_CUDA_REGISTERS_2(c), c(r[2]), c(r[3])
#define TS_CUDA_REGISTERS_8(c) TS_CUDA_REGISTERS_4(c), c(r[4]), c(r[5]), c(r[6]), c(r[7])
#define TS_CUDA_VECTOR_1 "."
#define TS_CUDA_VECTOR_2 ".v2."
#define TS_CUDA_VECTOR_4 ".v4."
#define TS_CUDA_VECTOR_8 ".v8."
#define TS_CUDA_VALUE_1 " %0"
#define TS_CUDA_VALUE_2 " {%0, %1}"
#define TS_CUDA_VALUE_4 " {%0, %1, %2, %3}"
#define TS_CUDA_VALUE_8 " {%0, %1, %2, %3, %4, %5, %6, %7}"
#define TS_CUDA_ADDRESS_1 " [%1]"
#define TS_CUDA_ADDRESS_2 " [%2]"
#define TS_CUDA_ADDRESS_4 " [%4]"
#define TS_CUDA_ADDRESS_8 " [%8]"

#define TS_CUDA_LOAD(name, instruction, in_place, clobbers, E, N, type, R, c)                                                  \
  TS_INLINE ts_cuda_cells<E, N> name(const ts_cuda_cells<E, N> *cells) {                                                       \
    R r[N];                                                                                                                    \
    asm in_place(instruction TS_CUDA_VECTOR_##N type TS_CUDA_VALUE_##N "," TS_CUDA_ADDRESS_##N ";"                             \
                 : TS_CUDA_REGISTERS_##N("=" c)                                                                                \
                 : "l"(cells)clobbers);                                                                                        \
    ts_cuda_cells<E, N> value;                                                                                                 \
    for (int k = 0; k < N; ++k) value.lane[k] = (E)r[k];                                                                       \
    return value;                                                                                                              \
  }
#define TS_CUDA_READ_ONLY(E, N, type, R, c) TS_CUDA_LOAD(ts_cuda_load_cs_nc, "ld.global.cs.nc", , , E, N, type, R, c)
TS_CUDA_READ_ONLY(unsigned char, 1, "u8", unsigned short, "h")
TS_CUDA_READ_ONLY(unsigned short, 1, "u16", unsigned short, "h")
TS_CUDA_READ_ONLY(unsigned short, 2, "u16", unsigned short, "h")
TS_CUDA_READ_ONLY(unsigned short, 4, "u16", unsigned short, "h")
TS_CUDA_READ_ONLY(unsigned int, 1, "u32", unsigned int, "r")
TS_CUDA_READ_ONLY(unsigned int, 2, "u32", unsigned int, "r")
TS_CUDA_READ_ONLY(unsigned int, 4, "u32", unsigned int, "r")
TS_CUDA_READ_ONLY(unsigned long long, 1, "u64", unsigned long long, "l")
TS_CUDA_READ_ONLY(unsigned long long, 2, "u64", unsigned long long, "l")
TS_CUDA_READ_ONLY(float, 1, "f32", float, "f")
TS_CUDA_READ_ONLY(float, 2, "f32", float, "f")
TS_CUDA_READ_ONLY(float, 4, "f32", float, "f")
TS_CUDA_READ_ONLY(double, 1, "f64", double, "d")
TS_CUDA_READ_ONLY(double, 2, "f64", double, "d")

/* 32 bytes at once: from sm_100 on, by PTX 8.8. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000 && __CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ >= 1209
#define TS_CUDA_WIDEST 32
#define TS_CUDA_ACCESSES(E, N, type, c)                                                                                        \
  TS_CUDA_READ_ONLY(E, N, type, E, c)                                                                                          \
  TS_CUDA_LOAD(ts_cuda_load_nc, "ld.global.nc", , , E, N, type, E, c)                                                          \
  TS_CUDA_LOAD(ts_cuda_load_cs, "ld.global.cs", volatile, : "memory", E, N, type, E, c)                                        \
  TS_INLINE void ts_cuda_store_cs(ts_cuda_cells<E, N> *cells, ts_cuda_cells<E, N> value) {                                     \
    const E *r = value.lane;                                                                                                   \
    asm volatile("st.global.cs" TS_CUDA_VECTOR_##N type TS_CUDA_ADDRESS_##N "," TS_CUDA_VALUE_##N ";"                          \
                 :                                                                                                             \
                 : TS_CUDA_REGISTERS_##N(c), "l"(cells)                                                                        \
                 : "memory");                                                                                                  \
  }
TS_CUDA_ACCESSES(unsigned int, 8, "u32", "r")
TS_CUDA_ACCESSES(float, 8, "f32", "f")
TS_CUDA_ACCESSES(unsigned long long, 4, "u64", "l")
TS_CUDA_ACCESSES(double, 4, "f64", "d")
#undef TS_CUDA_ACCESSES
#else
#define TS_CUDA_WIDEST 16
#endif
#undef TS_CUDA_READ_ONLY
#undef TS_CUDA_LOAD

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
TS_CUDA_CVT(narrow_bf16,            unsigned short,     "=h", unsigned int,       "r", "cvt.rn.bf16.f32 %0, %1;") /* sm_80 */
/* sm_89; two at once, of which the low one counts. From f32: saturated, and so is infinity. */
TS_CUDA_CVT(f16x2_of_f8e4m3fnx2,    unsigned int,       "=r", unsigned short,     "h", "cvt.rn.f16x2.e4m3x2 %0, %1;")
TS_CUDA_CVT(f8e4m3fnx2_of_f32,      unsigned short,     "=h", unsigned int,       "r", "cvt.rn.satfinite.e4m3x2.f32 %0, 0f00000000, %1;")
TS_CUDA_CVT(f8e5m2x2_of_f32,        unsigned short,     "=h", unsigned int,       "r", "cvt.rn.satfinite.e5m2x2.f32 %0, 0f00000000, %1;")
TS_CUDA_CVT(f32_of_f64,             unsigned int,       "=r", unsigned long long, "l", "cvt.rn.f32.f64 %0, %1;")
TS_CUDA_CVT(f32_of_f64_toward_zero, unsigned int,       "=r", unsigned long long, "l", "cvt.rz.f32.f64 %0, %1;")
TS_CUDA_CVT(f64_of_f32,             unsigned long long, "=l", unsigned int,       "r", "cvt.f64.f32 %0, %1;")
/* Truncated and saturated; NaN is 0. */
TS_CUDA_CVT(i32_of_f32,             int,                "=r", unsigned int,       "r", "cvt.rzi.s32.f32 %0, %1;")
TS_CUDA_CVT(u32_of_f32,             unsigned int,       "=r", unsigned int,       "r", "cvt.rzi.u32.f32 %0, %1;")
/* The same of what is no NaN. */
TS_CUDA_CVT(i64_of_f32_number,      long long,          "=l", unsigned int,       "r", "cvt.rzi.s64.f32 %0, %1;")
TS_CUDA_CVT(u64_of_f32_number,      unsigned long long, "=l", unsigned int,       "r", "cvt.rzi.u64.f32 %0, %1;")
TS_CUDA_CVT(i64_of_f64_number,      long long,          "=l", unsigned long long, "l", "cvt.rzi.s64.f64 %0, %1;")
TS_CUDA_CVT(u64_of_f64_number,      unsigned long long, "=l", unsigned long long, "l", "cvt.rzi.u64.f64 %0, %1;")
/* clang-format on */
#undef TS_CUDA_CVT

#endif
