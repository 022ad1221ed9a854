/* SPDX-License-Identifier: Apache-2.0
 *
 * kernel.h: the shape of the hand-written kernels that convert.
 */
#include "stream.h"

/* A kernel NAME_xW: dst[i] = CONVERT(src[i]) for vectors DST and SRC of W elements. */
#define KERNEL(NAME, W, DST, SRC, CONVERT)                                                                                     \
  __kernel void NAME##_x##W(const __global SRC *src, __global DST *dst) {                                                      \
    size_t i = get_global_id(0);                                                                                               \
    STORE(CONVERT(LOAD(src + i)), dst + i);                                                                                    \
  }
