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

/* ---- tiles: a group of any size shares each, its work-items take elements, or vectors, in turn ------------------------------- */

static __device__ __forceinline__ unsigned linear_id() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
static __device__ __forceinline__ unsigned group_items() { return blockDim.x * blockDim.y * blockDim.z; }

/* transpose_tile: 32 x 32 elements of a matrix with 1024 columns, to one with 2048; a padded tile of shared memory in between. */
extern "C" __global__ void transpose_tile(const float *x, float *y) {
  __shared__ float tile[32 * 33];
  x += (long long)blockIdx.y * (32 * 1024) + (long long)blockIdx.x * 32;
  y += (long long)blockIdx.x * (32 * 2048) + (long long)blockIdx.y * 32;
  for (unsigned v = linear_id(); v < 1024; v += group_items())
    tile[v / 32 * 33 + v % 32] = __ldg(&x[(long long)(v / 32) * 1024 + v % 32]);
  __syncthreads();
  for (unsigned v = linear_id(); v < 1024; v += group_items())
    y[(long long)(v / 32) * 2048 + v % 32] = tile[v % 32 * 33 + v / 32];
}

/* permute_tile: y[c][b][a] = x[a][b][c], of 256 x 64 x 128 elements; a tile is 16 x 2 x 16. */
extern "C" __global__ void permute_tile(const float *x, float *y) {
  __shared__ float tile[32 * 17];
  x += (long long)blockIdx.z * (16 * 64 * 128) + (long long)blockIdx.y * (2 * 128) + (long long)blockIdx.x * 16;
  y += (long long)blockIdx.x * (16 * 64 * 256) + (long long)blockIdx.y * (2 * 256) + (long long)blockIdx.z * 16;
  for (unsigned v = linear_id(); v < 512; v += group_items())
    tile[v / 32 * 34 + v / 16 % 2 * 17 + v % 16] =
        __ldg(&x[(long long)(v / 32) * (64 * 128) + (long long)(v / 16 % 2) * 128 + v % 16]);
  __syncthreads();
  for (unsigned v = linear_id(); v < 512; v += group_items())
    y[(long long)(v / 32) * (64 * 256) + (long long)(v / 16 % 2) * 256 + v % 16] =
        tile[v % 16 * 34 + v / 16 % 2 * 17 + v / 32];
}

/* dequantise_tile: 16 elements a work-item, one scale for 64 of these. */
extern "C" __global__ void dequantise_tile(const int4 *x, const float *scales, float4 *y) {
  long long i = global_id();
  union {
    int4 vector;
    signed char lane[16];
  } q;
  q.vector = __ldg(&x[i]);
  float scale = __ldg(&scales[i / 64]);
  for (int k = 0; k < 4; ++k)
    y[4 * i + k] = make_float4((float)q.lane[4 * k] * scale, (float)q.lane[4 * k + 1] * scale, (float)q.lane[4 * k + 2] * scale,
                               (float)q.lane[4 * k + 3] * scale);
}

/* halo_tile: y = what is above and below in x, of 8 x 32 elements, with one row more at either end. 1024 columns lie between
 * rows; `rows` are left, and beyond there is `border`. */
extern "C" __global__ void halo_tile(const float *x, float *y, int rows, float border) {
  __shared__ float tile[10 * 32];
  int row = 8 * (int)blockIdx.y;
  x += (long long)row * 1024 + (long long)blockIdx.x * 32;
  y += (long long)row * 1024 + (long long)blockIdx.x * 32;
  for (unsigned v = linear_id(); v < 80; v += group_items()) {
    float4 lanes = make_float4(border, border, border, border);
    if ((int)(v / 8) < rows - row) lanes = __ldg((const float4 *)&x[(long long)(v / 8) * 1024 + v % 8 * 4]);
    *(float4 *)&tile[v / 8 * 32 + v % 8 * 4] = lanes;
  }
  __syncthreads();
  for (unsigned v = linear_id(); v < 256; v += group_items())
    y[(long long)(v / 32) * 1024 + v % 32] = tile[v] + tile[v + 64];
}

/* matmul_tile: c = a b, 1024 x 1024 each; 64 x 64 elements of c by 16 x 16 work-items, 16 deep, as examples/matmul.c. */
static __device__ __forceinline__ float4 add_row(float4 sum, float4 b, float a) {
  return make_float4(sum.x + b.x * a, sum.y + b.y * a, sum.z + b.z * a, sum.w + b.w * a);
}
extern "C" __global__ void matmul_tile(const float *a, const float *b, float *c) {
  __shared__ __align__(16) float tile_a[64 * 20], tile_b[16 * 64];
  int my_row = 4 * (int)threadIdx.y, my_column = 4 * (int)threadIdx.x;
  a += (long long)blockIdx.y * (64 * 1024);
  b += (long long)blockIdx.x * 64;
  c += (long long)blockIdx.y * (64 * 1024) + (long long)blockIdx.x * 64 + (long long)my_row * 1024 + my_column;
  float4 sums[4];
  for (int r = 0; r < 4; ++r) sums[r] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (long long depth = 0; depth < 1024; depth += 16) {
    for (unsigned v = linear_id(); v < 256; v += group_items())
      *(float4 *)&tile_a[v / 4 * 20 + v % 4 * 4] = __ldg((const float4 *)&a[depth + (long long)(v / 4) * 1024 + v % 4 * 4]);
    for (unsigned v = linear_id(); v < 256; v += group_items())
      *(float4 *)&tile_b[v / 16 * 64 + v % 16 * 4] =
          __ldg((const float4 *)&b[depth * 1024 + (long long)(v / 16) * 1024 + v % 16 * 4]);
    __syncthreads();
    for (int k = 0; k < 16; k += 4) {
      float4 row[4];
      for (int j = 0; j < 4; ++j) row[j] = *(const float4 *)&tile_b[(k + j) * 64 + my_column];
      for (int r = 0; r < 4; ++r) {
        float4 v = *(const float4 *)&tile_a[(my_row + r) * 20 + k];
        sums[r] = add_row(add_row(add_row(add_row(sums[r], row[0], v.x), row[1], v.y), row[2], v.z), row[3], v.w);
      }
    }
    __syncthreads();
  }
  for (int r = 0; r < 4; ++r) *(float4 *)&c[r * 1024] = sums[r];
}
