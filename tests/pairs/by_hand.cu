/* SPDX-License-Identifier: Apache-2.0
 *
 * by_hand.cu: the kernels that those of handles.c and of two examples are compared with, as one writes them in CUDA: with
 * float4, __ldg and __ldcs exactly where the handle promises or asks for the same. Nothing of TensorStorage is in here.
 *
 * Without the language's own index arithmetic nothing is equal: an index is 64-bit before it is multiplied, as there.
 */
#include <cuda_fp16.h>
#include <cuda_fp8.h>

static __device__ __forceinline__ long long global_id() { return (long long)blockIdx.x * blockDim.x + threadIdx.x; }

/* ---- saxpy: y = a x + y; nobody writes x -------------------------------------------------------------------------- */

extern "C" __global__ void saxpy(const float4 *x, float4 *y, float a) {
  long long i = global_id();
  float4 u = __ldg(&x[i]);
  float4 v = y[i];
  v.x = a * u.x + v.x;
  v.y = a * u.y + v.y;
  v.z = a * u.z + v.z;
  v.w = a * u.w + v.w;
  y[i] = v;
}

/* ---- add: c = a + b, W elements a work-item, aligned to all of them ------------------------------------------------- */

struct alignas(32) float8 {
  float lane[8];
};
struct alignas(64) float16 {
  float8 half[2];
};
static __device__ __forceinline__ float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
static __device__ __forceinline__ float4 operator+(float4 a, float4 b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
static __device__ __forceinline__ float8 operator+(const float8 &a, const float8 &b) {
  float8 c;
  for (int k = 0; k < 8; ++k) c.lane[k] = a.lane[k] + b.lane[k];
  return c;
}
static __device__ __forceinline__ float16 operator+(const float16 &a, const float16 &b) {
  float16 c;
  for (int k = 0; k < 2; ++k) c.half[k] = a.half[k] + b.half[k];
  return c;
}

#define ADD(W, type)                                                                                                           \
  extern "C" __global__ void add_##W(const type *a, const type *b, type *c) {                                                  \
    long long i = global_id();                                                                                                 \
    type u = a[i], v = b[i]; /* whole: of a reference, nvcc loads one lane after the other */                                  \
    c[i] = u + v;                                                                                                              \
  }
ADD(1, float)
ADD(2, float2)
ADD(4, float4)
ADD(8, float8)
ADD(16, float16)

/* ---- gather: y[i] = x[i * stride], from memory that nobody writes to memory that is not read soon --------------------- */

extern "C" __global__ void gather(const float *x, float *y, int stride) {
  long long i = global_id();
  __stcs(&y[i], __ldg(&x[i * stride]));
}

/* ---- reduce: y[group] = the sum of the 256 elements of a group ---------------------------------------------------------- */

extern "C" __global__ void reduce(const float *x, float *y) {
  __shared__ float cells[256];
  int item = (int)threadIdx.x;
  cells[item] = __ldg(&x[global_id()]);
  for (int apart = 128; apart > 0; apart /= 2) {
    __syncthreads();
    if (item < apart) cells[item] += cells[item + apart];
  }
  if (item == 0) y[blockIdx.x] = cells[0];
}

/* ---- stencil: y[i] = a x[i - 1] + b x[i] + a x[i + 1], but at both ends ----------------------------------------------- */

extern "C" __global__ void stencil(const float *x, float *y, float a, float b, long long count) {
  long long i = global_id();
  if (i < 1 || i + 1 >= count) return;
  y[i] = a * (__ldg(&x[i - 1]) + __ldg(&x[i + 1])) + b * __ldg(&x[i]);
}

/* ---- softmax of a row, as examples/softmax.c ------------------------------------------------------------------------------ */

enum { GROUP = 128 };

static __device__ __forceinline__ float of_group(float *scratch, float value, bool is_sum) {
  int item = (int)threadIdx.x;
  scratch[item] = value;
  for (int apart = GROUP / 2; apart > 0; apart /= 2) {
    __syncthreads();
    if (item < apart) {
      float other = scratch[item + apart];
      value = is_sum ? value + other : fmaxf(value, other);
      scratch[item] = value;
    }
  }
  __syncthreads();
  value = scratch[0];
  __syncthreads();
  return value;
}

extern "C" __global__ void softmax(const float *x, float *y, int columns) {
  __shared__ float scratch[GROUP];
  long long row = (long long)blockIdx.x * columns;
  x += row;
  y += row;
  int first = 4 * (int)threadIdx.x;

  float4 v = make_float4(x[0], x[0], x[0], x[0]);
  for (int i = first; i < columns; i += 4 * GROUP) {
    float4 u = *(const float4 *)&x[i];
    v = make_float4(fmaxf(v.x, u.x), fmaxf(v.y, u.y), fmaxf(v.z, u.z), fmaxf(v.w, u.w));
  }
  float largest = of_group(scratch, fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w)), false);

  float4 sums = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (int i = first; i < columns; i += 4 * GROUP) {
    v = *(const float4 *)&x[i];
    v = make_float4(expf(v.x - largest), expf(v.y - largest), expf(v.z - largest), expf(v.w - largest));
    *(float4 *)&y[i] = v;
    sums = sums + v;
  }
  float sum = of_group(scratch, sums.x + sums.y + sums.z + sums.w, true);

  for (int i = first; i < columns; i += 4 * GROUP) {
    v = *(float4 *)&y[i];
    *(float4 *)&y[i] = make_float4(v.x / sum, v.y / sum, v.z / sum, v.w / sum);
  }
}

/* ---- dequantise: y = x * scale, one scale for 32 elements; four elements a work-item ----------------------------------- */

#define DEQUANTISE(T, type, of)                                                                                                \
  extern "C" __global__ void dequantise_##T(const type *x, const float *scales, float4 *y) {                                   \
    long long i = global_id();                                                                                                 \
    type q = __ldg(&x[i]);                                                                                                     \
    float scale = __ldg(&scales[i / 8]);                                                                                       \
    y[i] = make_float4(of(q.x) * scale, of(q.y) * scale, of(q.z) * scale, of(q.w) * scale);                                    \
  }
#define OF_F16(q) __half2float(__ushort_as_half(q))
#define OF_BF16(q) __uint_as_float((unsigned int)(q) << 16)
#define OF_F8E4M3FN(q) __half2float(__half(__nv_cvt_fp8_to_halfraw(q, __NV_E4M3)))
#define OF_I8(q) (float)(q)
DEQUANTISE(f16, ushort4, OF_F16)
DEQUANTISE(bf16, ushort4, OF_BF16)
DEQUANTISE(f8e4m3fn, uchar4, OF_F8E4M3FN)
DEQUANTISE(i8, char4, OF_I8)

/* ---- histogram of bytes, as examples/histogram.c --------------------------------------------------------------------------- */

enum { BINS = 256 };

extern "C" __global__ void histogram(const unsigned char *x, unsigned int *bins, long long count) {
  __shared__ unsigned int counts[BINS];
  for (int b = (int)threadIdx.x; b < BINS; b += (int)blockDim.x) counts[b] = 0;
  __syncthreads();
  long long items = (long long)blockDim.x * gridDim.x;
  for (long long i = global_id(); i < count; i += items) atomicAdd(&counts[__ldg(&x[i])], 1u);
  __syncthreads();
  for (int b = (int)threadIdx.x; b < BINS; b += (int)blockDim.x) atomicAdd(&bins[b], counts[b]);
}

/* ---- lookup: two 4-bit codes of a byte, by a table in constant memory --------------------------------------------------- */

static __constant__ const float table[16] = {-8, -6, -4, -3, -2, -1.5f, -1, -0.5f, 0, 0.5f, 1, 1.5f, 2, 3, 4, 6};

extern "C" __global__ void lookup(const unsigned char *x, float2 *y) {
  long long i = global_id();
  unsigned char codes = __ldg(&x[i]);
  y[i] = make_float2(table[codes & 15], table[codes >> 4]);
}
