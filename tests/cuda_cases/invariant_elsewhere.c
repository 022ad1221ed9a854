/* SPDX-License-Identifier: Apache-2.0
 *
 * TS_INVARIANT and TS_NON_TEMPORAL change nothing in shared, constant and local memory: ld.global.nc of such an address, which
 * __ldg gives without a word, reads something else.
 *
 * has: ld.shared.v4.[fb]32
 * has: ld.const.v4.[fb]32
 * lacks: .*\.(nc|cs)\..*
 * same with: -DFLAGS=TS_ALIGN(16)
 */
#include "tensorstorage.h"

#ifndef FLAGS
#define FLAGS TS_ALIGN(16) | TS_INVARIANT | TS_NON_TEMPORAL
#endif

TS_CONSTANT_TABLE(table, f32, 8, (0, 1, 2, 3, 4, 5, 6, 7));

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) y_cells, int n)) {
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
  TS_SHARED(tile, f32, 256);
  TS_LOCAL(mine, f32, 4);
  int i = 4 * ts_item_in_group(0);
  ts_store(ts_shared, f32, 4, tile, i, ts_load(ts_global, f32, 4, y, i, TS_ALIGN(16)), FLAGS);
  ts_barrier();
  ts_f32x4 sum = ts_load(ts_shared, f32, 4, tile, 252 - i, FLAGS);
  ts_store(ts_local, f32, 4, mine, 0, sum, FLAGS);
  sum =
      ts_load(ts_local, f32, 4, mine, 0, FLAGS) + ts_load(ts_constant, f32, 4, ts_bind(ts_constant, f32, table), 4 * n, FLAGS);
  ts_store(ts_global, f32, 4, y, i, sum, TS_ALIGN(16));
}
