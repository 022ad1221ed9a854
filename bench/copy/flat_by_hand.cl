/* SPDX-License-Identifier: Apache-2.0
 *
 * flat_by_hand.cl: the work of flat.c in plain OpenCL C. HINT is TS_NON_TEMPORAL or 0, as there.
 */
#define TS_NON_TEMPORAL 1
#if HINT
#define PUT(to, value) __builtin_nontemporal_store(value, to)
#else
#define PUT(to, value) (*(to) = (value))
#endif
enum { CHUNK = 4096 };

__kernel void copy(__global float *y, const __global float *x) {
  __global float16 *to = (__global float16 *)(y + get_group_id(0) * CHUNK);
  const __global float16 *from = (const __global float16 *)(x + get_group_id(0) * CHUNK);
  for (int i = 0; i < CHUNK / 16; ++i) {
    __builtin_prefetch(from + i + 32, 0, 2);
    PUT(to + i, from[i]);
  }
}

__kernel void gather(__global float *y, const __global float *x) {
  __global float16 *to = (__global float16 *)(y + get_group_id(0) * CHUNK);
  const __global float *from = x + 2 * get_group_id(0) * CHUNK;
  for (int i = 0; i < CHUNK / 16; ++i) {
    __builtin_prefetch(from + 32 * i + 512, 0, 2);
    __builtin_prefetch(from + 32 * i + 528, 0, 2);
    float16 low = vload16(0, from + 32 * i), high = vload16(0, from + 32 * i + 15); /* no further than the last */
    PUT(to + i, (float16)(low.even, high.odd));
  }
}
