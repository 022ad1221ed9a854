/* clang-format off */
/* SPDX-License-Identifier: Apache-2.0
 *
 * instructions.h (CUDA): what a GPU can do and C++ has no words for. All inline assembly of the prelude is here, in leaves
 * that decide nothing: prelude.h chooses among them. docs/cuda.md has the reasons.
 *
 *   ts_cuda_in_global(cells) …             the address `cells`, which is in that space: of another address, code disappears
 *   ts_cuda_chunk<E, bytes>::type           what one instruction moves of `bytes` of E, aligned to its size
 *   ts_cuda_piece<V, C, hints>              a C in memory, by one instruction, with the hints of flags: read and assigned as
 *                                           a V of the same size
 *   ts_cuda_copy_async<bytes>(to, from)     from sm_80 on: begin to copy 4, 8 or 16 bytes from global to shared memory, both
 *                                           aligned to as many
 *   ts_cuda_copy_wait()                     what this work-item began to copy is there; others see it after a barrier
 *   R ts_cuda_cvt_NAME(x)                   a conversion of bits: the table at the end
 *   TS_CUDA_WIDEST                          bytes that one access of global memory moves at most
 *
 * Hints are for global memory. Loads of read-only memory may move across other accesses; the other streaming accesses stay
 * where they are.
 */
/* clang-format on */
#ifndef TS_CUDA_INSTRUCTIONS_H
#define TS_CUDA_INSTRUCTIONS_H

/* ---- address spaces --------------------------------------------------------------------------------------------- */

/* A function that is no template and moves nothing is what costs a build least. Generic memory is promised nothing. */
#define TS_CUDA_IN(S, is_in_space)                                                                                             \
  TS_INLINE void *ts_cuda_in_##S(const void *cells) {                                                                          \
    __builtin_assume(is_in_space(cells));                                                                                      \
    return (void *)cells;                                                                                                      \
  }
TS_CUDA_IN(global, __isGlobal)
TS_CUDA_IN(shared, __isShared)
TS_CUDA_IN(constant, __isConstant)
TS_CUDA_IN(local, __isLocal)
#undef TS_CUDA_IN
TS_INLINE void *ts_cuda_in_generic(const void *cells) { return (void *)cells; }

/* ---- what one instruction moves ----------------------------------------------------------------------------------- */

/* Unsigned integers and floats, by the types that CUDA's functions have. There are none of 16-bit floats: those functions are
 * assembly that moves across stores. Where there is none of E, the same bits. */
struct alignas(32) ts_cuda_eight {
  unsigned int lane[8];
};
template <class E, int bytes> struct ts_cuda_chunk : ts_cuda_chunk<void, bytes> {};
/* clang-format off */
#define TS_CUDA_CHUNK(E, bytes, native) template <> struct ts_cuda_chunk<E, bytes> { typedef native type; }
TS_CUDA_CHUNK(void, 1, unsigned char);
TS_CUDA_CHUNK(void, 2, unsigned short);
TS_CUDA_CHUNK(void, 4, unsigned int);
TS_CUDA_CHUNK(void, 8, uint2);
TS_CUDA_CHUNK(void, 16, uint4);
TS_CUDA_CHUNK(void, 32, ts_cuda_eight);
TS_CUDA_CHUNK(unsigned char, 4, uchar4);
TS_CUDA_CHUNK(unsigned short, 4, ushort2);
TS_CUDA_CHUNK(unsigned short, 8, ushort4);
TS_CUDA_CHUNK(unsigned long long, 8, unsigned long long);
TS_CUDA_CHUNK(unsigned long long, 16, ulonglong2);
TS_CUDA_CHUNK(float, 4, float);
TS_CUDA_CHUNK(float, 8, float2);
TS_CUDA_CHUNK(float, 16, float4);
TS_CUDA_CHUNK(double, 8, double);
TS_CUDA_CHUNK(double, 16, double2);
#undef TS_CUDA_CHUNK
template <int bytes> struct ts_cuda_chunk<signed char, bytes> : ts_cuda_chunk<unsigned char, bytes> {};
template <int bytes> struct ts_cuda_chunk<short, bytes> : ts_cuda_chunk<unsigned short, bytes> {};
template <int bytes> struct ts_cuda_chunk<long long, bytes> : ts_cuda_chunk<unsigned long long, bytes> {};
/* clang-format on */

/* ---- one instruction ------------------------------------------------------------------------------------------------ */

template <class C> TS_INLINE C ts_cuda_load_cs_nc(const C *cells) {
  C c;
  unsigned int *to = (unsigned int *)&c;
  unsigned short register_of_16; /* a branch that is not taken may look behind c */
  if (sizeof(C) == 1) {
    asm("ld.global.cs.nc.b8 %0, [%1];" : "=h"(register_of_16) : "l"(cells));
    *(unsigned char *)&c = (unsigned char)register_of_16;
  } else if (sizeof(C) == 2) {
    asm("ld.global.cs.nc.b16 %0, [%1];" : "=h"(register_of_16) : "l"(cells));
    *(unsigned short *)&c = register_of_16;
  } else if (sizeof(C) == 4) {
    asm("ld.global.cs.nc.b32 %0, [%1];" : "=r"(*to) : "l"(cells));
  } else if (sizeof(C) == 8) {
    asm("ld.global.cs.nc.v2.b32 {%0, %1}, [%2];" : "=r"(to[0]), "=r"(to[1]) : "l"(cells));
  } else {
    asm("ld.global.cs.nc.v4.b32 {%0, %1, %2, %3}, [%4];" : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "l"(cells));
  }
  return c;
}

template <class V, class C, int hints> struct ts_cuda_piece;
#define TS_CUDA_PIECE(parameters, C, hints, load, store)                                                                       \
  template <parameters> struct __attribute__((may_alias)) ts_cuda_piece<V, C, hints> {                                         \
    C cells;                                                                                                                   \
    __device__ __forceinline__ operator V() const {                                                                            \
      V v;                                                                                                                     \
      ((ts_cuda_piece *)&v)->cells = load(&cells);                                                                             \
      return v;                                                                                                                \
    }                                                                                                                          \
    __device__ __forceinline__ void operator=(const V &v) { store(&cells, ((const ts_cuda_piece *)&v)->cells); }               \
  };
#define TS_CUDA_COMMA ,
#define TS_CUDA_ASSIGN(cells, c) *cells = c
TS_CUDA_PIECE(class V TS_CUDA_COMMA class C, C, 0, *, TS_CUDA_ASSIGN)
TS_CUDA_PIECE(class V TS_CUDA_COMMA class C, C, TS_INVARIANT, __ldg, TS_CUDA_ASSIGN)
TS_CUDA_PIECE(class V TS_CUDA_COMMA class C, C, TS_NON_TEMPORAL, __ldcs, __stcs)
TS_CUDA_PIECE(class V TS_CUDA_COMMA class C, C, TS_INVARIANT | TS_NON_TEMPORAL, ts_cuda_load_cs_nc, TS_CUDA_ASSIGN)

/* 32 bytes at once: from sm_100 on, by PTX 8.8. What is volatile and clobbers memory stays in its place. */
#if TS_CUDA_ARCH >= 1000 && __CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ >= 1209
#define TS_CUDA_WIDEST 32
#define TS_CUDA_LANES(c, a, b) c(lane[a]), c(lane[b])
#define TS_CUDA_EIGHT(c) TS_CUDA_LANES(c, 0, 1), TS_CUDA_LANES(c, 2, 3), TS_CUDA_LANES(c, 4, 5), TS_CUDA_LANES(c, 6, 7)
#define TS_CUDA_LOAD_EIGHT(name, in_place, instruction, ...)                                                                   \
  TS_INLINE ts_cuda_eight name(const ts_cuda_eight *cells) {                                                                   \
    ts_cuda_eight v;                                                                                                           \
    unsigned int *lane = v.lane;                                                                                               \
    asm in_place(instruction " {%0, %1, %2, %3, %4, %5, %6, %7}, [%8];" : TS_CUDA_EIGHT("=r") : "l"(cells)__VA_ARGS__);        \
    return v;                                                                                                                  \
  }
TS_CUDA_LOAD_EIGHT(ts_cuda_load_eight_nc, , "ld.global.nc.v8.b32")
TS_CUDA_LOAD_EIGHT(ts_cuda_load_eight_cs, volatile, "ld.global.cs.v8.b32", : "memory")
TS_CUDA_LOAD_EIGHT(ts_cuda_load_eight_cs_nc, , "ld.global.cs.nc.v8.b32")
TS_INLINE void ts_cuda_store_eight_cs(ts_cuda_eight *cells, const ts_cuda_eight &v) {
  const unsigned int *lane = v.lane;
  asm volatile("st.global.cs.v8.b32 [%8], {%0, %1, %2, %3, %4, %5, %6, %7};" : : TS_CUDA_EIGHT("r"), "l"(cells) : "memory");
}
TS_CUDA_PIECE(class V, ts_cuda_eight, TS_INVARIANT, ts_cuda_load_eight_nc, TS_CUDA_ASSIGN)
TS_CUDA_PIECE(class V, ts_cuda_eight, TS_NON_TEMPORAL, ts_cuda_load_eight_cs, ts_cuda_store_eight_cs)
TS_CUDA_PIECE(class V, ts_cuda_eight, TS_INVARIANT | TS_NON_TEMPORAL, ts_cuda_load_eight_cs_nc, TS_CUDA_ASSIGN)
#undef TS_CUDA_LANES
#undef TS_CUDA_EIGHT
#undef TS_CUDA_LOAD_EIGHT
#else
#define TS_CUDA_WIDEST 16
#endif
#undef TS_CUDA_PIECE
#undef TS_CUDA_COMMA
#undef TS_CUDA_ASSIGN

/* ---- copies from global to shared memory that go on in the background -------------------------------------------------- */

/* Past the cache that is near, where there is an instruction for it: it takes 16 bytes. Of fewer than 4 nothing is ever copied,
 * but a compiler that optimises nothing leaves the instruction in. */
#if TS_CUDA_ARCH >= 800
template <int bytes> TS_INLINE void ts_cuda_copy_async(void *to, const void *from) {
  unsigned int shared = (unsigned int)__cvta_generic_to_shared(to);
  if (bytes == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" : : "r"(shared), "l"(from) : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" : : "r"(shared), "l"(from), "n"(bytes < 4 ? 4 : bytes) : "memory");
}
TS_INLINE void ts_cuda_copy_wait() { asm volatile("cp.async.wait_all;" : : : "memory"); }
#endif

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
