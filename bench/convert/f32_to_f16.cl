/* SPDX-License-Identifier: Apache-2.0
 *
 * f32_to_f16.cl: by hand, in the ways that people write it.
 */
#include "convert/kernel.h"

/* The language's own. It has no streaming form: these kernels ignore the hint. */
#if STREAM != 1
#define VSTORE(W, N)                                                                                                           \
  __kernel void vstore_half_x##W(const __global float##N *src, __global half *dst) {                                           \
    size_t i = get_global_id(0);                                                                                               \
    vstore_half##N(LOAD(src + i), i, dst);                                                                                     \
  }
VSTORE(1, ) VSTORE(2, 2) VSTORE(4, 4) VSTORE(8, 8) VSTORE(16, 16)
#endif

/* The same by way of a private copy, which can be streamed. */
#define BY_WAY(W)                                                                                                              \
  static inline ushort##W by_way_##W(float##W v) {                                                                             \
    ushort##W bits;                                                                                                            \
    vstore_half##W##_rte(v, 0, (half *)&bits);                                                                                 \
    return bits;                                                                                                               \
  }
BY_WAY(4) BY_WAY(8) BY_WAY(16)
KERNEL(private_half, 4, ushort4, float4, by_way_4)
KERNEL(private_half, 8, ushort8, float8, by_way_8)
KERNEL(private_half, 16, ushort16, float16, by_way_16)

/* Integer code that is right for every number. */
#define BITS(N)                                                                                                                \
  static inline ushort##N bits_##N(float##N v) {                                                                               \
    uint##N x = as_uint##N(v), a = x & 0x7fffffffu;                                                                            \
    uint##N subnormal = as_uint##N(as_float##N(a) + 0.5f) - 0x3f000000u;                                                       \
    uint##N normal = (a + 0xc8000fffu + (a >> 13 & 1u)) >> 13;                                                                 \
    uint##N r = a < 0x38800000u ? subnormal : normal;                                                                          \
    r = a >= 0x47800000u ? (a > 0x7f800000u ? (uint##N)0x7e00u : (uint##N)0x7c00u) : r;                                        \
    return convert_ushort##N(r | (x >> 16 & 0x8000u));                                                                         \
  }
BITS() BITS(4) BITS(8) BITS(16)
KERNEL(bits, 1, ushort, float, bits_)
KERNEL(bits, 4, ushort4, float4, bits_4)
KERNEL(bits, 8, ushort8, float8, bits_8)
KERNEL(bits, 16, ushort16, float16, bits_16)

/* Integer code that is right for normal results only: less work than the rest do. */
#define NORMAL(N)                                                                                                              \
  static inline ushort##N normal_##N(float##N v) {                                                                             \
    uint##N x = as_uint##N(v), a = x & 0x7fffffffu;                                                                            \
    return convert_ushort##N((a + 0xc8000fffu + (a >> 13 & 1u)) >> 13 | (x >> 16 & 0x8000u));                                  \
  }
NORMAL(4) NORMAL(16)
KERNEL(normal_only, 4, ushort4, float4, normal_4)
KERNEL(normal_only, 16, ushort16, float16, normal_16)
