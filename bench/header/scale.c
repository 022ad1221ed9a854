/* SPDX-License-Identifier: Apache-2.0
 *
 * scale.c: y = a * f32(x) + f32(q), by way of a padded tile in shared memory: three dtypes, on the header.
 */
#include "tensorstorage.h"

enum { TILE_ROW = 36 };

TS_KERNEL(scale, (TS_GLOBAL_CONST_ARG(f16) x_cells, TS_GLOBAL_CONST_ARG(i8) q_cells, TS_GLOBAL_ARG(f32) y_cells, float a)) {
  TS_SHARED(tile, f32, 32 * TILE_ROW);
  ts_global_const_f16 x = ts_bind(ts_global_const, f16, x_cells);
  ts_global_const_i8 q = ts_bind(ts_global_const, i8, q_cells);
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
  int i = 4 * ts_item_in_group(0);
  int in_tile = i / 32 * TILE_ROW + i % 32;

  ts_f16x4 h = ts_load(ts_global_const, f16, 4, x, i, TS_INVARIANT | TS_ALIGN(8));
  ts_store(ts_shared, f32, 4, tile, in_tile, ts_convert(f32, f16, 4, h), TS_ALIGN(16));
  ts_barrier();
  ts_f32x4 v = ts_load(ts_shared, f32, 4, tile, in_tile, TS_ALIGN(16));
  ts_f32x4 offset = ts_convert(f32, i8, 4, ts_load(ts_global_const, i8, 4, q, i, TS_ALIGN(4)));
  ts_store(ts_global, f32, 4, y, i, v * a + offset, TS_ALIGN(16) | TS_NON_TEMPORAL);
}
