/* SPDX-License-Identifier: Apache-2.0
 *
 * copy_by_hand.cl: y = x, in the ways that people write it.
 */
#include "stream.h"

#define COPY(W, TYPE)                                                                                                          \
  __kernel void copy_x##W(const __global TYPE *x, __global TYPE *y) {                                                          \
    size_t i = get_global_id(0);                                                                                               \
    STORE(LOAD(x + i), y + i);                                                                                                 \
  }
COPY(1, float)
COPY(4, float4)
COPY(8, float8)
COPY(16, float16)

__kernel void restrict_x1(const __global float *restrict x, __global float *restrict y) {
  size_t i = get_global_id(0);
  STORE(LOAD(x + i), y + i);
}
__kernel void restrict_x16(const __global float16 *restrict x, __global float16 *restrict y) {
  size_t i = get_global_id(0);
  STORE(LOAD(x + i), y + i);
}

__kernel void vload_x16(const __global float *x, __global float *y) {
  size_t i = get_global_id(0);
  vstore16(vload16(i, x), i, y);
}

/* A chunk for each work-item. */
__kernel void chunk_scalar_x4096(const __global float *restrict x, __global float *restrict y) {
  x += 4096 * get_global_id(0);
  y += 4096 * get_global_id(0);
  for (int i = 0; i < 4096; ++i) STORE(LOAD(x + i), y + i);
}
__kernel void chunk_x4096(const __global float16 *x, __global float16 *y) {
  x += 256 * get_global_id(0);
  y += 256 * get_global_id(0);
  for (int i = 0; i < 256; ++i) STORE(LOAD(x + i), y + i);
}

/* Strides of the whole grid. */
__kernel void grid_x4096(const __global float16 *x, __global float16 *y) {
  size_t items = get_global_size(0);
  for (size_t k = 0, i = get_global_id(0); k < 256; ++k, i += items) STORE(LOAD(x + i), y + i);
}
