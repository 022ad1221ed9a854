/* SPDX-License-Identifier: Apache-2.0
 *
 * scale_by_hand.cl: the work of scale.c in plain OpenCL C.
 */
enum { TILE_ROW = 36 };

__kernel void scale(const __global half *x, const __global char *q, __global float *y, float a) {
  __local float tile[32 * TILE_ROW] __attribute__((aligned(128)));
  int i = 4 * (int)get_local_id(0);
  __local float4 *in_tile = (__local float4 *)(tile + i / 32 * TILE_ROW + i % 32);

  *in_tile = vload_half4(0, x + i);
  barrier(CLK_LOCAL_MEM_FENCE);
  float4 offset = convert_float4(*(const __global char4 *)(q + i));
  __builtin_nontemporal_store(*in_tile * a + offset, (__global float4 *)(y + i));
}
