/* SPDX-License-Identifier: Apache-2.0
 *
 * i8_to_f32.cl: by hand, with the language's own conversion.
 */
#include "convert/kernel.h"

KERNEL(convert, 1, float, char, convert_float)
KERNEL(convert, 2, float2, char2, convert_float2)
KERNEL(convert, 4, float4, char4, convert_float4)
KERNEL(convert, 8, float8, char8, convert_float8)
KERNEL(convert, 16, float16, char16, convert_float16)

/* By the operators of the vector extension, which the compiler sees into. */
#define CAST(N) \
  static inline float##N cast_##N(char##N v) { return __builtin_convertvector(v, float##N); }
CAST(4) CAST(8) CAST(16)
KERNEL(vector_cast, 4, float4, char4, cast_4)
KERNEL(vector_cast, 8, float8, char8, cast_8)
KERNEL(vector_cast, 16, float16, char16, cast_16)

/* By the language's cast of scalars, for the compiler to gather. */
#define CAST_ONE(v) ((float)(v))
KERNEL(cast, 1, float, char, CAST_ONE)
