/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies of layouts without elements: each way compiles, to nothing.
 */
#define TS_USE_f32 1
#include "tensorstorage.h"

TS_LAYOUT_2(empty, 0, 4, 4, 1)
TS_LAYOUT_3(empty_inside, 3, 0, 4, 4, 4, 1)
TS_COPY(copy, ts_global, f32, empty, 0, ts_global_const, f32, empty_inside, 0)
TS_COPY_EDGE_2(edge, ts_global, f32, empty, 0, ts_global_const, f32, empty, 0)
TS_COPY_THROUGH(tile, ts_global, f32, empty, 0, ts_global_const, f32, empty, 0)
TS_COPY_THROUGH(other, ts_global, f32, empty, 0, ts_global_const, f32, empty_inside, 0)

TS_KERNEL(nothing, (TS_GLOBAL_ARG(f32) y_cells, TS_GLOBAL_CONST_ARG(f32) x_cells)) {
  TS_SCRATCH(scratch, f32, tile_scratch_cosize);
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
  ts_global_const_f32 x = ts_bind(ts_global_const, f32, x_cells);
  copy(y, x);
  edge_by_group(y, x, 1, 1);
  tile_through_next(y, x, scratch, x);
  ts_barrier();
  other_through(y, x, scratch);
}
