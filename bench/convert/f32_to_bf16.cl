/* SPDX-License-Identifier: Apache-2.0
 *
 * f32_to_bf16.cl: by hand, in the ways that people write it.
 */
#include "convert/kernel.h"

/* To nearest even, NaN kept. */
#define BITS(N)                                                                                                                \
  static inline ushort##N bits_##N(float##N v) {                                                                               \
    uint##N x = as_uint##N(v);                                                                                                 \
    uint##N r = (x + 0x7fffu + (x >> 16 & 1u)) >> 16;                                                                          \
    return convert_ushort##N((x & 0x7fffffffu) > 0x7f800000u ? (uint##N)0x7fc0u : r);                                          \
  }
BITS() BITS(2) BITS(4) BITS(8) BITS(16)
KERNEL(bits, 1, ushort, float, bits_)
KERNEL(bits, 2, ushort2, float2, bits_2)
KERNEL(bits, 4, ushort4, float4, bits_4)
KERNEL(bits, 8, ushort8, float8, bits_8)
KERNEL(bits, 16, ushort16, float16, bits_16)

/* To nearest even, where there is no NaN: less work than the rest do. */
#define FINITE(N)                                                                                                              \
  static inline ushort##N finite_##N(float##N v) {                                                                             \
    uint##N x = as_uint##N(v);                                                                                                 \
    return convert_ushort##N((x + 0x7fffu + (x >> 16 & 1u)) >> 16);                                                            \
  }
FINITE() FINITE(4) FINITE(16)
KERNEL(finite_only, 1, ushort, float, finite_)
KERNEL(finite_only, 4, ushort4, float4, finite_4)
KERNEL(finite_only, 16, ushort16, float16, finite_16)
