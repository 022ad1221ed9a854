/* SPDX-License-Identifier: Apache-2.0
 *
 * permute_by_hand.cl: the work of permute.c in plain OpenCL C, by way of a private tile, which is what pays on a CPU.
 */
__kernel void permute(__global float *y, const __global float *x) {
  float tile[ROWS][COLUMNS + 16] __attribute__((aligned(64)));
  long row = (long)get_group_id(1) * ROWS, column = (long)get_group_id(0) * COLUMNS, slice = get_group_id(2);
  const __global float *from = x + column + row * FROM_ROWS + slice * FROM_SLICES;
  __global float *to = y + column * TO_COLUMNS + row + slice * TO_SLICES;
  for (int r = 0; r < ROWS; ++r)
    for (int c = 0; c < COLUMNS; c += 16) *(float16 *)&tile[r][c] = *(const __global float16 *)(from + (long)r * FROM_ROWS + c);
  for (int c = 0; c < COLUMNS; ++c)
    for (int r = 0; r < ROWS; r += 16) {
      float16 v = (float16)(tile[r][c], tile[r + 1][c], tile[r + 2][c], tile[r + 3][c], tile[r + 4][c], tile[r + 5][c],
                            tile[r + 6][c], tile[r + 7][c], tile[r + 8][c], tile[r + 9][c], tile[r + 10][c], tile[r + 11][c],
                            tile[r + 12][c], tile[r + 13][c], tile[r + 14][c], tile[r + 15][c]);
      __builtin_nontemporal_store(v, (__global float16 *)(to + (long)c * TO_COLUMNS + r));
    }
}
