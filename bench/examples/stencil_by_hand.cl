/* SPDX-License-Identifier: Apache-2.0
 *
 * stencil_by_hand.cl: the work of examples/stencil.c in plain OpenCL C, in the same form: a group of any size reads a tile with its
 * halo into local memory; ROWS and COLUMNS are any numbers.
 */
enum { TILE_ROWS = 8, TILE_COLUMNS = 32, HALO_ROWS = TILE_ROWS + 2, HALO_COLUMNS = TILE_COLUMNS + 2 };

__kernel void stencil(const __global float *x, __global float *y, float centre, float side, float border) {
  __local float tile[HALO_ROWS * HALO_COLUMNS];
  int row = TILE_ROWS * (int)get_group_id(1), column = TILE_COLUMNS * (int)get_group_id(0);
  int item = (int)get_local_id(0), items = (int)get_local_size(0);
  for (int i = item; i < HALO_ROWS * HALO_COLUMNS; i += items) {
    int r = row - 1 + i / HALO_COLUMNS, c = column - 1 + i % HALO_COLUMNS;
    tile[i] = r >= 0 && r < ROWS && c >= 0 && c < COLUMNS ? x[(long)r * COLUMNS + c] : border;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = item; i < TILE_ROWS * TILE_COLUMNS; i += items) {
    int r = i / TILE_COLUMNS, c = i % TILE_COLUMNS, at = (r + 1) * HALO_COLUMNS + (c + 1);
    if (row + r < ROWS && column + c < COLUMNS)
      y[(long)(row + r) * COLUMNS + (column + c)] =
          centre * tile[at] + side * (tile[at - HALO_COLUMNS] + tile[at - 1] + tile[at + 1] + tile[at + HALO_COLUMNS]);
  }
}

/* The same, but that tiles which lie inside, of which most do, ask no question of their elements. */
__kernel void stencil_inside(const __global float *x, __global float *y, float centre, float side, float border) {
  __local float tile[HALO_ROWS * HALO_COLUMNS];
  int row = TILE_ROWS * (int)get_group_id(1), column = TILE_COLUMNS * (int)get_group_id(0);
  int item = (int)get_local_id(0), items = (int)get_local_size(0);
  bool is_inside = row > 0 && row + TILE_ROWS < ROWS && column > 0 && column + TILE_COLUMNS < COLUMNS;
  for (int i = item; i < HALO_ROWS * HALO_COLUMNS; i += items) {
    int r = row - 1 + i / HALO_COLUMNS, c = column - 1 + i % HALO_COLUMNS;
    tile[i] = is_inside || (r >= 0 && r < ROWS && c >= 0 && c < COLUMNS) ? x[(long)r * COLUMNS + c] : border;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = item; i < TILE_ROWS * TILE_COLUMNS; i += items) {
    int r = i / TILE_COLUMNS, c = i % TILE_COLUMNS, at = (r + 1) * HALO_COLUMNS + (c + 1);
    if (is_inside || (row + r < ROWS && column + c < COLUMNS))
      y[(long)(row + r) * COLUMNS + (column + c)] =
          centre * tile[at] + side * (tile[at - HALO_COLUMNS] + tile[at - 1] + tile[at + 1] + tile[at + HALO_COLUMNS]);
  }
}
