/* SPDX-License-Identifier: Apache-2.0
 *
 * u8_to_i32.cl: by hand, with the language's own conversion.
 */
#include "convert/kernel.h"

KERNEL(convert, 1, int, uchar, convert_int)
KERNEL(convert, 2, int2, uchar2, convert_int2)
KERNEL(convert, 4, int4, uchar4, convert_int4)
KERNEL(convert, 8, int8, uchar8, convert_int8)
KERNEL(convert, 16, int16, uchar16, convert_int16)

/* By the operators of the vector extension, which the compiler sees into. */
#define CAST(N) \
  static inline int##N cast_##N(uchar##N v) { return __builtin_convertvector(v, int##N); }
CAST(4) CAST(8) CAST(16)
KERNEL(vector_cast, 4, int4, uchar4, cast_4)
KERNEL(vector_cast, 8, int8, uchar8, cast_8)
KERNEL(vector_cast, 16, int16, uchar16, cast_16)

/* By the language's cast of scalars, for the compiler to gather. */
#define CAST_ONE(v) ((int)(v))
KERNEL(cast, 1, int, uchar, CAST_ONE)
