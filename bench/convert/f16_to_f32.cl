/* SPDX-License-Identifier: Apache-2.0
 *
 * f16_to_f32.cl: by hand, in the ways that people write it.
 */
#include "convert/kernel.h"

/* The language's own. Its load has no streaming form. */
#if STREAM != 2
#define VLOAD(W, N)                                                                                                            \
  __kernel void vload_half_x##W(const __global half *src, __global float##N *dst) {                                            \
    size_t i = get_global_id(0);                                                                                               \
    STORE(vload_half##N(i, src), dst + i);                                                                                     \
  }
VLOAD(1, ) VLOAD(2, 2) VLOAD(4, 4) VLOAD(8, 8) VLOAD(16, 16)
#endif

/* The same by way of a private copy. */
#define BY_WAY(W)                                                                                                              \
  static inline float##W by_way_##W(ushort##W bits) { return vload_half##W(0, (const half *)&bits); }
BY_WAY(4) BY_WAY(8) BY_WAY(16)
KERNEL(private_half, 4, float4, ushort4, by_way_4)
KERNEL(private_half, 8, float8, ushort8, by_way_8)
KERNEL(private_half, 16, float16, ushort16, by_way_16)

/* Integer code that is right for every number: a multiplication by 2^112 moves the exponent, subnormals too. */
#define BITS(N)                                                                                                                \
  static inline float##N bits_##N(ushort##N h) {                                                                               \
    uint##N x = convert_uint##N(h), a = (x & 0x7fffu) << 13;                                                                   \
    uint##N r = as_uint##N(as_float##N(a) * 0x1p112f);                                                                         \
    r = a >= 0x0f800000u ? a | 0x7f800000u : r;                                                                                \
    return as_float##N(r | (x & 0x8000u) << 16);                                                                               \
  }
BITS() BITS(4) BITS(8) BITS(16)
KERNEL(bits, 1, float, ushort, bits_)
KERNEL(bits, 4, float4, ushort4, bits_4)
KERNEL(bits, 8, float8, ushort8, bits_8)
KERNEL(bits, 16, float16, ushort16, bits_16)

/* Integer code that is right for normal numbers only: less work than the rest do. */
#define NORMAL(N)                                                                                                              \
  static inline float##N normal_##N(ushort##N h) {                                                                             \
    uint##N x = convert_uint##N(h);                                                                                            \
    return as_float##N(((x & 0x7fffu) << 13) + 0x38000000u | (x & 0x8000u) << 16);                                             \
  }
NORMAL(4) NORMAL(16)
KERNEL(normal_only, 4, float4, ushort4, normal_4)
KERNEL(normal_only, 16, float16, ushort16, normal_16)
