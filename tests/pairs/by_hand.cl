/* SPDX-License-Identifier: Apache-2.0
 *
 * by_hand.cl: the kernels of by_hand.cu as one writes them in OpenCL C: with float4 and streaming stores exactly where the
 * handle promises or asks for the same. Nothing of TensorStorage is in here.
 */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

/* ---- saxpy: y = a x + y; nobody writes x -------------------------------------------------------------------------- */

__kernel void saxpy(const __global float4 *x, __global float4 *y, float a) {
  size_t i = get_global_id(0);
  y[i] = a * x[i] + y[i];
}

/* ---- add: c = a + b, W elements a work-item, aligned to all of them ------------------------------------------------- */

#define ADD(W, type)                                                                                                           \
  __kernel void add_##W(const __global type *a, const __global type *b, __global type *c) {                                    \
    size_t i = get_global_id(0);                                                                                               \
    c[i] = a[i] + b[i];                                                                                                        \
  }
ADD(1, float)
ADD(2, float2)
ADD(4, float4)
ADD(8, float8)
ADD(16, float16)

/* ---- gather: y[i] = x[i * stride], from memory that nobody writes to memory that is not read soon --------------------- */

__kernel void gather(const __global float *x, __global float *y, int stride) {
  long i = (long)get_global_id(0);
  __builtin_nontemporal_store(x[i * stride], &y[i]);
}

/* ---- reduce: y[group] = the sum of the 256 elements of a group ---------------------------------------------------------- */

__kernel void reduce(const __global float *x, __global float *y) {
  __local float cells[256];
  int item = (int)get_local_id(0);
  cells[item] = x[get_global_id(0)];
  for (int apart = 128; apart > 0; apart /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < apart) cells[item] += cells[item + apart];
  }
  if (item == 0) y[get_group_id(0)] = cells[0];
}

/* ---- stencil: y[i] = a x[i - 1] + b x[i] + a x[i + 1], but at both ends ----------------------------------------------- */

__kernel void stencil(const __global float *x, __global float *y, float a, float b, long count) {
  long i = (long)get_global_id(0);
  if (i < 1 || i + 1 >= count) return;
  y[i] = a * (x[i - 1] + x[i + 1]) + b * x[i];
}

/* ---- softmax of a row, as examples/softmax.c ------------------------------------------------------------------------------ */

enum { GROUP = 128 };

static inline __attribute__((always_inline)) float of_group(__local float *scratch, float value, int is_sum) {
  int item = (int)get_local_id(0);
  scratch[item] = value;
  for (int apart = GROUP / 2; apart > 0; apart /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < apart) {
      float other = scratch[item + apart];
      value = is_sum ? value + other : fmax(value, other);
      scratch[item] = value;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  value = scratch[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  return value;
}

__kernel void softmax(const __global float *x, __global float *y, int columns) {
  __local float scratch[GROUP];
  long row = (long)get_group_id(0) * columns;
  x += row;
  y += row;
  int first = 4 * (int)get_local_id(0);

  float4 v = (float4)(x[0]);
  for (int i = first; i < columns; i += 4 * GROUP) v = fmax(v, *(const __global float4 *)&x[i]);
  float largest = of_group(scratch, fmax(fmax(v.x, v.y), fmax(v.z, v.w)), 0);

  float4 sums = (float4)(0.0f);
  for (int i = first; i < columns; i += 4 * GROUP) {
    v = exp(*(const __global float4 *)&x[i] - largest);
    *(__global float4 *)&y[i] = v;
    sums += v;
  }
  float sum = of_group(scratch, sums.x + sums.y + sums.z + sums.w, 1);

  for (int i = first; i < columns; i += 4 * GROUP) *(__global float4 *)&y[i] = *(__global float4 *)&y[i] / sum;
}

/* ---- dequantise: y = x * scale, one scale for 32 elements; four elements a work-item ----------------------------------- */

static inline float of_f8e4m3fn(uchar x) {
  uint a = x & 0x7fu;
  float magnitude = a == 0x7fu ? NAN : a < 8u ? (float)a * 0x1p-9f : as_float((a << 20) + (120u << 23));
  return as_float(as_uint(magnitude) | (uint)(x & 0x80u) << 24);
}

#define DEQUANTISE(T, type, of)                                                                                                \
  __kernel void dequantise_##T(const __global type *x, const __global float *scales, __global float4 *y) {                     \
    long i = (long)get_global_id(0);                                                                                           \
    type q = x[i];                                                                                                             \
    y[i] = (float4)(of(q.x), of(q.y), of(q.z), of(q.w)) * scales[i / 8];                                                       \
  }
#define OF_F16(q) (float)(q)
#define OF_BF16(q) as_float((uint)(q) << 16)
#define OF_I8(q) (float)(q)
DEQUANTISE(f16, half4, OF_F16)
DEQUANTISE(bf16, ushort4, OF_BF16)
DEQUANTISE(f8e4m3fn, uchar4, of_f8e4m3fn)
DEQUANTISE(i8, char4, OF_I8)

/* ---- histogram of bytes, as examples/histogram.c --------------------------------------------------------------------------- */

enum { BINS = 256 };

__kernel void histogram(const __global uchar *x, __global uint *bins, long count) {
  __local uint counts[BINS];
  for (int b = (int)get_local_id(0); b < BINS; b += (int)get_local_size(0)) counts[b] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  long items = (long)get_local_size(0) * (long)get_num_groups(0);
  for (long i = (long)get_global_id(0); i < count; i += items) atomic_add(&counts[x[i]], 1u);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int b = (int)get_local_id(0); b < BINS; b += (int)get_local_size(0)) atomic_add(&bins[b], counts[b]);
}

/* ---- lookup: two 4-bit codes of a byte, by a table in constant memory --------------------------------------------------- */

__constant float table[16] = {-8, -6, -4, -3, -2, -1.5f, -1, -0.5f, 0, 0.5f, 1, 1.5f, 2, 3, 4, 6};

__kernel void lookup(const __global uchar *x, __global float2 *y) {
  size_t i = get_global_id(0);
  uchar codes = x[i];
  y[i] = (float2)(table[codes & 15], table[codes >> 4]);
}

/* ---- tiles: a group of any size shares each, its work-items take elements, or vectors, in turn ------------------------------- */

static uint linear_id(void) {
  return (uint)get_local_id(0) + (uint)get_local_size(0) * ((uint)get_local_id(1) + (uint)get_local_size(1) * (uint)get_local_id(2));
}
static uint group_items(void) { return (uint)get_local_size(0) * (uint)get_local_size(1) * (uint)get_local_size(2); }

__kernel void transpose_tile(const __global float *x, __global float *y) {
  __local float tile[32 * 33];
  x += (long)get_group_id(1) * (32 * 1024) + (long)get_group_id(0) * 32;
  y += (long)get_group_id(0) * (32 * 2048) + (long)get_group_id(1) * 32;
  uint id = linear_id(), items = group_items();
  for (uint v = id; v < 1024; v += items) tile[v / 32 * 33 + v % 32] = x[(long)(v / 32) * 1024 + v % 32];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint v = id; v < 1024; v += items) y[(long)(v / 32) * 2048 + v % 32] = tile[v % 32 * 33 + v / 32];
}

__kernel void permute_tile(const __global float *x, __global float *y) {
  __local float tile[32 * 17];
  x += (long)get_group_id(2) * (16 * 64 * 128) + (long)get_group_id(1) * (2 * 128) + (long)get_group_id(0) * 16;
  y += (long)get_group_id(0) * (16 * 64 * 256) + (long)get_group_id(1) * (2 * 256) + (long)get_group_id(2) * 16;
  uint id = linear_id(), items = group_items();
  for (uint v = id; v < 512; v += items)
    tile[v / 32 * 34 + v / 16 % 2 * 17 + v % 16] = x[(long)(v / 32) * (64 * 128) + (long)(v / 16 % 2) * 128 + v % 16];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint v = id; v < 512; v += items)
    y[(long)(v / 32) * (64 * 256) + (long)(v / 16 % 2) * 256 + v % 16] = tile[v % 16 * 34 + v / 16 % 2 * 17 + v / 32];
}

__kernel void dequantise_tile(const __global char16 *x, const __global float *scales, __global float4 *y) {
  long i = (long)get_global_id(0);
  char16 q = x[i];
  float scale = scales[i / 64];
  y[4 * i] = convert_float4(q.s0123) * scale;
  y[4 * i + 1] = convert_float4(q.s4567) * scale;
  y[4 * i + 2] = convert_float4(q.s89ab) * scale;
  y[4 * i + 3] = convert_float4(q.scdef) * scale;
}

__kernel void halo_tile(const __global float *x, __global float *y, int rows, float border) {
  __local float4 tile4[10 * 8];
  const __local float *tile = (const __local float *)tile4;
  int row = 8 * (int)get_group_id(1);
  x += (long)row * 1024 + (long)get_group_id(0) * 32;
  y += (long)row * 1024 + (long)get_group_id(0) * 32;
  uint id = linear_id(), items = group_items();
  for (uint v = id; v < 80; v += items)
    tile4[v] = (int)(v / 8) < rows - row ? *(const __global float4 *)&x[(long)(v / 8) * 1024 + v % 8 * 4] : (float4)border;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint v = id; v < 256; v += items) y[(long)(v / 32) * 1024 + v % 32] = tile[v] + tile[v + 64];
}

__kernel void matmul_tile(const __global float *a, const __global float *b, __global float *c) {
  __local float4 tile_a[64 * 5], tile_b[16 * 16];
  int my_row = 4 * (int)get_local_id(1), my_column = (int)get_local_id(0);
  a += (long)get_group_id(1) * (64 * 1024);
  b += (long)get_group_id(0) * 64;
  c += (long)get_group_id(1) * (64 * 1024) + (long)get_group_id(0) * 64 + (long)my_row * 1024 + 4 * my_column;
  uint id = linear_id(), items = group_items();
  float4 sums[4] = {0.0f, 0.0f, 0.0f, 0.0f};
  for (long depth = 0; depth < 1024; depth += 16) {
    for (uint v = id; v < 256; v += items)
      tile_a[v / 4 * 5 + v % 4] = *(const __global float4 *)&a[depth + (long)(v / 4) * 1024 + v % 4 * 4];
    for (uint v = id; v < 256; v += items)
      tile_b[v] = *(const __global float4 *)&b[depth * 1024 + (long)(v / 16) * 1024 + v % 16 * 4];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; k += 4) {
      float4 b0 = tile_b[k * 16 + my_column], b1 = tile_b[(k + 1) * 16 + my_column];
      float4 b2 = tile_b[(k + 2) * 16 + my_column], b3 = tile_b[(k + 3) * 16 + my_column];
      for (int r = 0; r < 4; ++r) {
        float4 v = tile_a[(my_row + r) * 5 + k / 4];
        sums[r] = sums[r] + b0 * v.x + b1 * v.y + b2 * v.z + b3 * v.w;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int r = 0; r < 4; ++r) *(__global float4 *)&c[r * 1024] = sums[r];
}
