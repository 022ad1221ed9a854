/* SPDX-License-Identifier: Apache-2.0
 *
 * permute.c: y[c][b][a] = x[a][b][c], for a packed tensor of f16 with A_SIZE x B_SIZE x C_SIZE elements, or any other
 * permutation.
 *
 * One group of work-items, of any size, for each tile of TILE_A x TILE_B x TILE_C elements: ts_group_id(0) counts tiles along
 * c, (1) along b, (2) along a. The tile is long along the index that moves fastest in x, and along that in y. See transpose.c
 * for the rest: what lies inside goes through scratch, and what hangs over does not.
 */
#define TS_USE_f16 1
#include "tensorstorage.h"

#ifndef A_SIZE
#define A_SIZE 100
#define B_SIZE 60
#define C_SIZE 200
#endif
#ifndef Y_A /* how far one step along an index of x leads in y */
#define Y_A 1
#define Y_B A_SIZE
#define Y_C (A_SIZE * B_SIZE)
#endif
#ifndef TILE_A
#define TILE_A 32
#define TILE_B 1
#define TILE_C 32
#endif

TS_LAYOUT_3(x_tile, TILE_A, TILE_B, TILE_C, B_SIZE *C_SIZE, C_SIZE, 1)
TS_LAYOUT_3(y_tile, TILE_A, TILE_B, TILE_C, Y_A, Y_B, Y_C)
#define Y_FLAGS TS_ASSUME_ONE_TO_ONE /* of what lies inside */
TS_COPY_THROUGH(permute_tile, ts_global, f16, y_tile, Y_FLAGS, ts_global_const, f16, x_tile, TS_INVARIANT)
TS_COPY_EDGE_3(permute_edge, ts_global, f16, y_tile, Y_FLAGS, ts_global_const, f16, x_tile, TS_INVARIANT)

TS_KERNEL(permute, (TS_GLOBAL_CONST_ARG(f16) x_cells, TS_GLOBAL_ARG(f16) y_cells)) {
  TS_SCRATCH(scratch, f16, permute_tile_scratch_cosize);
  ts_index a = (ts_index)TILE_A * ts_group_id(2), b = (ts_index)TILE_B * ts_group_id(1), c = (ts_index)TILE_C * ts_group_id(0);
  ts_global_const_f16 x =
      ts_offset(ts_global_const, f16, ts_bind(ts_global_const, f16, x_cells), (a * B_SIZE + b) * C_SIZE + c);
  ts_global_f16 y = ts_offset(ts_global, f16, ts_bind(ts_global, f16, y_cells), a * Y_A + b * Y_B + c * Y_C);
  if (a + TILE_A <= A_SIZE && b + TILE_B <= B_SIZE && c + TILE_C <= C_SIZE)
    permute_tile_through(y, x, scratch);
  else
    permute_edge_by_group(y, x, A_SIZE - a, B_SIZE - b, C_SIZE - c);
}
