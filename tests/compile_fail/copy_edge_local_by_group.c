/* SPDX-License-Identifier: Apache-2.0
 *
 * A group shares an edge in local memory, of which each work-item has its own.
 *
 * expect: ts_by_group_but_local_memory
 */
#include "tensorstorage.h"

TS_ROW_MAJOR_1(tile, 16)
TS_COPY_EDGE_1(copy_tile, ts_local, f32, tile, 0, ts_global_const, f32, tile, 0)

TS_KERNEL(k, (TS_GLOBAL_CONST_ARG(f32) x_cells, TS_GLOBAL_ARG(f32) y_cells)) {
  TS_LOCAL(mine, f32, 16);
  ts_global_const_f32 x = ts_bind(ts_global_const, f32, x_cells);
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
#ifdef FIXED
  copy_tile(mine, x, 5);
#else
  copy_tile_by_group(mine, x, 5);
#endif
  ts_store(ts_global, f32, 1, y, 0, ts_load(ts_local, f32, 1, mine, 3, 0), 0);
}
