/* SPDX-License-Identifier: Apache-2.0
 *
 * permute_by_hand.cl: the work of permute.c in plain OpenCL C, by way of a private tile, which is what pays on a CPU. The tile
 * is transposed in registers, 16 x 4 elements at a time: row k of four goes to quarter k / 4 of vector k % 4.
 */
/* The lines of the next tile, shared out to the 16 x 4 elements that are stored at a time. */
#define LINES_AHEAD (ROWS * (COLUMNS / 16) / ((ROWS / 16) * (COLUMNS / 4)))
#define COLUMN(of_row, to)                                                                                                     \
  do {                                                                                                                         \
    float16 v;                                                                                                                 \
    v.even.even = rows[0].of_row;                                                                                              \
    v.odd.even = rows[1].of_row;                                                                                               \
    v.even.odd = rows[2].of_row;                                                                                               \
    v.odd.odd = rows[3].of_row;                                                                                                \
    __builtin_nontemporal_store(v, (__global float16 *)(to));                                                                  \
  } while (0)

__kernel void permute(__global float *y, const __global float *x) {
  float tile[ROWS][COLUMNS + 16] __attribute__((aligned(64)));
  long row = (long)get_group_id(0) * ROWS, column = (long)get_group_id(1) * COLUMNS, slice = get_group_id(2);
  const __global float *from = x + column + row * FROM_ROWS + slice * FROM_SLICES;
  __global float *to = y + column * TO_COLUMNS + row + slice * TO_SLICES;
  for (int r = 0; r < ROWS; ++r)
    for (int c = 0; c < COLUMNS; c += 16)
      *(float16 *)&tile[r][c] = *(const __global float16 *)(from + (long)r * FROM_ROWS + c);
  const __global float *next = from + (long)ROWS * FROM_ROWS;
  uint line = 0; /* unsigned: its division is a shift */
  for (int c = 0; c < COLUMNS; c += 4)
    for (int r = 0; r < ROWS; r += 16) {
      _Pragma("unroll") for (int k = 0; k < LINES_AHEAD; ++k, ++line)
        __builtin_prefetch(next + (ulong)(line / (COLUMNS / 16)) * FROM_ROWS + line % (COLUMNS / 16) * 16, 0, 2);
      float16 rows[4];
      _Pragma("unroll") for (int k = 0; k < 4; ++k)
        rows[k] = (float16)(*(float4 *)&tile[r + k][c], *(float4 *)&tile[r + k + 4][c], *(float4 *)&tile[r + k + 8][c],
                            *(float4 *)&tile[r + k + 12][c]);
      COLUMN(even.even, to + (long)c * TO_COLUMNS + r);
      COLUMN(odd.even, to + (long)(c + 1) * TO_COLUMNS + r);
      COLUMN(even.odd, to + (long)(c + 2) * TO_COLUMNS + r);
      COLUMN(odd.odd, to + (long)(c + 3) * TO_COLUMNS + r);
    }
}
