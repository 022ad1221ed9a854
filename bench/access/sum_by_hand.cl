/* SPDX-License-Identifier: Apache-2.0
 *
 * sum_by_hand.cl: the sum of x, in the ways that people write it: y gets the sum of what a work-item, or a group, has read.
 */
#include "stream.h"

enum { GROUP = 256 };

static inline float sum_of_4(float4 v) { return v.x + v.y + v.z + v.w; }
static inline float sum_of_8(float8 v) { return sum_of_4(v.lo + v.hi); }
static inline float sum_of_16(float16 v) { return sum_of_8(v.lo + v.hi); }

/* A chunk for each work-item: one sum, four of it side by side, or the compiler's choice. */
__kernel void scalar_x4096(const __global float *restrict x, __global float *restrict y) {
  x += 4096 * get_global_id(0);
  float sum = 0;
  for (int i = 0; i < 4096; ++i) sum += LOAD(x + i);
  y[get_global_id(0)] = sum;
}
#define CHUNK(W)                                                                                                               \
  __kernel void chunk##W##_x4096(const __global float##W *x, __global float *y) {                                              \
    x += 4096 / W * get_global_id(0);                                                                                          \
    float##W sums = 0;                                                                                                         \
    for (int i = 0; i < 4096 / W; ++i) sums += LOAD(x + i);                                                                    \
    y[get_global_id(0)] = sum_of_##W(sums);                                                                                    \
  }
CHUNK(4)
CHUNK(8)
CHUNK(16)
#define FOUR(W)                                                                                                                \
  __kernel void chunk_four##W##_x4096(const __global float##W *restrict x, __global float *restrict y) {                       \
    x += 4096 / W * get_global_id(0);                                                                                          \
    float##W a = 0, b = 0, c = 0, d = 0;                                                                                       \
    for (int i = 0; i < 4096 / W; i += 4) {                                                                                    \
      a += LOAD(x + i);                                                                                                        \
      b += LOAD(x + i + 1);                                                                                                    \
      c += LOAD(x + i + 2);                                                                                                    \
      d += LOAD(x + i + 3);                                                                                                    \
    }                                                                                                                          \
    y[get_global_id(0)] = sum_of_##W(a + b + c + d);                                                                           \
  }
FOUR(4)
FOUR(16)

/* Strides of the whole grid. */
__kernel void grid_x4096(const __global float16 *x, __global float *y) {
  size_t items = get_global_size(0);
  float16 sums = 0;
  for (size_t k = 0, i = get_global_id(0); k < 256; ++k, i += items) sums += LOAD(x + i);
  y[get_global_id(0)] = sum_of_16(sums);
}

/* Vectors of the group in turn, and a tree in local memory: as on a GPU. */
__kernel void tree_x256(const __global float16 *x, __global float *y) {
  __local float cells[GROUP];
  int item = (int)get_local_id(0), items = (int)get_local_size(0);
  x += (size_t)16 * items * get_group_id(0) + item;
  float16 sums = 0;
  for (int k = 0; k < 16; ++k) sums += LOAD(x + items * k);
  cells[item] = sum_of_16(sums);
  for (int apart = items / 2; apart > 0; apart /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < apart) cells[item] += cells[item + apart];
  }
  if (item == 0) y[get_group_id(0)] = cells[0];
}
