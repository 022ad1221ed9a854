/* SPDX-License-Identifier: Apache-2.0
 *
 * matmul_by_hand.cl: the work of examples/matmul.c in plain OpenCL C, in the same form: a group of 16 x 16 work-items for 64 x 64
 * elements of c, by tiles of a and b in local memory. ROWS, COLUMNS and INNER are any multiples of 4.
 */
enum { MINE = 4, TILE = 64, DEPTH = 16 };

__kernel void matmul(const __global float *a, const __global float *b, __global float *c) {
  __local float4 tile_a[TILE * 5], tile_b[DEPTH * 16]; /* rows of a: four vectors and one of padding */
  int row = TILE * (int)get_group_id(1), column = TILE * (int)get_group_id(0);
  int my_row = MINE * (int)get_local_id(1), my_vector = (int)get_local_id(0);
  int item = (int)get_local_id(0) + 16 * (int)get_local_id(1);
  float4 sums[MINE] = {0.0f, 0.0f, 0.0f, 0.0f};
  for (int depth = 0; depth < INNER; depth += DEPTH) {
    int r = item / 4, k = item % 4 * 4; /* a tile has as many vectors as the group has work-items */
    bool is_in_a = row + r < ROWS && depth + k < INNER;
    tile_a[r * 5 + k / 4] = is_in_a ? *(const __global float4 *)(a + (long)(row + r) * INNER + depth + k) : (float4)0.0f;
    r = item / 16;
    k = item % 16 * 4;
    bool is_in_b = depth + r < INNER && column + k < COLUMNS;
    tile_b[item] = is_in_b ? *(const __global float4 *)(b + (long)(depth + r) * COLUMNS + column + k) : (float4)0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < DEPTH; i += 4) {
      float4 b0 = tile_b[i * 16 + my_vector], b1 = tile_b[(i + 1) * 16 + my_vector];
      float4 b2 = tile_b[(i + 2) * 16 + my_vector], b3 = tile_b[(i + 3) * 16 + my_vector];
#pragma unroll
      for (int m = 0; m < MINE; ++m) {
        float4 v = tile_a[(my_row + m) * 5 + i / 4];
        sums[m] = sums[m] + b0 * v.x + b1 * v.y + b2 * v.z + b3 * v.w;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  row += my_row;
  column += 4 * my_vector;
  for (int m = 0; m < MINE; ++m)
    if (row + m < ROWS && column < COLUMNS) *(__global float4 *)(c + (long)(row + m) * COLUMNS + column) = sums[m];
}

/* The same for whole tiles alone. */
__kernel void matmul_whole(const __global float *a, const __global float *b, __global float *c) {
  __local float4 tile_a[TILE * 5], tile_b[DEPTH * 16];
  int my_row = MINE * (int)get_local_id(1), my_vector = (int)get_local_id(0);
  int item = (int)get_local_id(0) + 16 * (int)get_local_id(1);
  a += (long)TILE * get_group_id(1) * INNER;
  b += TILE * get_group_id(0);
  c += ((long)TILE * get_group_id(1) + my_row) * COLUMNS + TILE * get_group_id(0) + 4 * my_vector;
  float4 sums[MINE] = {0.0f, 0.0f, 0.0f, 0.0f};
  for (int depth = 0; depth < INNER; depth += DEPTH) {
    tile_a[item / 4 * 5 + item % 4] = *(const __global float4 *)(a + (long)(item / 4) * INNER + depth + item % 4 * 4);
    tile_b[item] = *(const __global float4 *)(b + (long)(depth + item / 16) * COLUMNS + item % 16 * 4);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < DEPTH; i += 4) {
      float4 b0 = tile_b[i * 16 + my_vector], b1 = tile_b[(i + 1) * 16 + my_vector];
      float4 b2 = tile_b[(i + 2) * 16 + my_vector], b3 = tile_b[(i + 3) * 16 + my_vector];
#pragma unroll
      for (int m = 0; m < MINE; ++m) {
        float4 v = tile_a[(my_row + m) * 5 + i / 4];
        sums[m] = sums[m] + b0 * v.x + b1 * v.y + b2 * v.z + b3 * v.w;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int m = 0; m < MINE; ++m) *(__global float4 *)(c + (long)m * COLUMNS) = sums[m];
}
