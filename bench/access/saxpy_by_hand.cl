/* SPDX-License-Identifier: Apache-2.0
 *
 * saxpy_by_hand.cl: y = a x + y, in the ways that people write it.
 */
#include "stream.h"

#define SAXPY(W, TYPE)                                                                                                         \
  __kernel void saxpy_x##W(const __global TYPE *x, __global TYPE *y, float a) {                                                \
    size_t i = get_global_id(0);                                                                                               \
    STORE(a * LOAD(x + i) + LOAD(y + i), y + i);                                                                               \
  }
SAXPY(1, float)
SAXPY(4, float4)
SAXPY(8, float8)
SAXPY(16, float16)

__kernel void restrict_x1(const __global float *restrict x, __global float *restrict y, float a) {
  size_t i = get_global_id(0);
  STORE(a * LOAD(x + i) + LOAD(y + i), y + i);
}
__kernel void restrict_x16(const __global float16 *restrict x, __global float16 *restrict y, float a) {
  size_t i = get_global_id(0);
  STORE(a * LOAD(x + i) + LOAD(y + i), y + i);
}

__kernel void vload_x16(const __global float *x, __global float *y, float a) {
  size_t i = get_global_id(0);
  vstore16(a * vload16(i, x) + vload16(i, y), i, y);
}

/* A chunk for each work-item. */
__kernel void chunk_scalar_x1024(const __global float *restrict x, __global float *restrict y, float a) {
  x += 1024 * get_global_id(0);
  y += 1024 * get_global_id(0);
  for (int i = 0; i < 1024; ++i) STORE(a * LOAD(x + i) + LOAD(y + i), y + i);
}
__kernel void chunk_x1024(const __global float16 *x, __global float16 *y, float a) {
  x += 64 * get_global_id(0);
  y += 64 * get_global_id(0);
  for (int i = 0; i < 64; ++i) STORE(a * LOAD(x + i) + LOAD(y + i), y + i);
}

/* Strides of the whole grid. */
__kernel void grid_x1024(const __global float16 *x, __global float16 *y, float a) {
  size_t items = get_global_size(0);
  for (size_t k = 0, i = get_global_id(0); k < 64; ++k, i += items) STORE(a * LOAD(x + i) + LOAD(y + i), y + i);
}
