/* SPDX-License-Identifier: Apache-2.0
 *
 * sum_by_hand.cl: the work of sum.c in plain OpenCL C.
 */
static inline float of_e4m3fn(uchar x) {
  uint a = x & 0x7fu;
  float magnitude = a == 0x7fu ? NAN : a < 8u ? (float)a * 0x1p-9f : as_float((a << 20) + (120u << 23));
  return as_float(as_uint(magnitude) | (uint)(x & 0x80u) << 24);
}

static inline float of_e5m2(uchar x) {
  ushort bits = (ushort)((uint)x << 8);
  return vload_half(0, (const half *)&bits);
}

__kernel void sum(const __global uchar *p, const __global char *a, const __global uchar *b, const __global short *c,
                  const __global ushort *d, const __global int *e, const __global uint *f, const __global long *g,
                  const __global ulong *h, const __global half *j, const __global ushort *k, const __global float *l,
                  const __global double *m, const __global uchar *n, const __global uchar *o, __global float *y) {
  size_t i = get_global_id(0);
  float integers = (float)(p[i] != 0) + (float)a[i] + (float)b[i] + (float)c[i] + (float)d[i] + (float)e[i] + (float)f[i] +
                   (float)g[i] + (float)h[i];
  float floats =
      vload_half(i, j) + as_float((uint)k[i] << 16) + l[i] + (float)m[i] + of_e4m3fn(n[i]) + of_e5m2(o[i]);
  y[i] = integers + floats;
}
