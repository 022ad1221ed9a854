/* SPDX-License-Identifier: Apache-2.0
 *
 * sum_by_hand.cu: the work of header/sum.c in plain CUDA.
 */
static __device__ __forceinline__ float of_half(unsigned short h) {
  float x;
  asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(h));
  return x;
}

static __device__ __forceinline__ float of_e4m3fn(unsigned char x) {
  unsigned int halves;
  asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(halves) : "h"((unsigned short)x));
  return of_half((unsigned short)halves);
}

extern "C" __global__ void sum(const unsigned char *p, const signed char *a, const unsigned char *b, const short *c,
                               const unsigned short *d, const int *e, const unsigned int *f, const long long *g,
                               const unsigned long long *h, const unsigned short *j, const unsigned short *k, const float *l,
                               const double *m, const unsigned char *n, const unsigned char *o, float *y) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  float integers = (float)(p[i] != 0) + (float)a[i] + (float)b[i] + (float)c[i] + (float)d[i] + (float)e[i] + (float)f[i] +
                   (float)g[i] + (float)h[i];
  float floats = of_half(j[i]) + __uint_as_float((unsigned int)k[i] << 16) + l[i] + (float)m[i] + of_e4m3fn(n[i]) +
                 of_half((unsigned short)(o[i] << 8));
  y[i] = integers + floats;
}
