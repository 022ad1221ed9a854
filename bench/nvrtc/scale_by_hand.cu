/* SPDX-License-Identifier: Apache-2.0
 *
 * scale_by_hand.cu: the work of header/scale.c in plain CUDA.
 */
enum { TILE_ROW = 36 };

static __device__ __forceinline__ float of_half(unsigned short h) {
  float x;
  asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(h));
  return x;
}

extern "C" __global__ void scale(const unsigned short *x, const signed char *q, float *y, float a) {
  __shared__ __align__(128) float tile[32 * TILE_ROW];
  int i = 4 * (int)threadIdx.x;
  float4 *in_tile = (float4 *)(tile + i / 32 * TILE_ROW + i % 32);

  ushort4 h = __ldg((const ushort4 *)(x + i));
  *in_tile = make_float4(of_half(h.x), of_half(h.y), of_half(h.z), of_half(h.w));
  __syncthreads();
  float4 v = *in_tile;
  char4 b = *(const char4 *)(q + i);
  float4 scaled = make_float4(v.x * a + (float)b.x, v.y * a + (float)b.y, v.z * a + (float)b.z, v.w * a + (float)b.w);
  __stcs((float4 *)(y + i), scaled);
}
