/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel whose policy, dtype and width are macros. Compiled with SRC_T defined as each dtype.
 */
#include "tensorstorage.h"

#define SRC ts_global_const
#define DST ts_global
#define WIDTH 4
#define GROUP 64

TS_KERNEL(reverse, (TS_GLOBAL_CONST_ARG(SRC_T) x_cells, TS_GLOBAL_ARG(SRC_T) y_cells, TS_CONSTANT_ARG(SRC_T) one_cells,
                    TS_SHARED_ARG(SRC_T) scratch_cells)) {
  TS_SHARED(tile, SRC_T, GROUP * WIDTH);
  TS_LOCAL(mine, SRC_T, 2 * WIDTH);
  ts_handle(SRC, SRC_T) x = ts_bind(SRC, SRC_T, x_cells);
  ts_handle(DST, SRC_T) y = ts_bind(DST, SRC_T, y_cells);
  ts_handle(ts_constant, SRC_T) one = ts_bind(ts_constant, SRC_T, one_cells);
  ts_handle(ts_shared, SRC_T) scratch = ts_bind(ts_shared, SRC_T, scratch_cells);
  int i = WIDTH * ts_item_in_group(0);

  ts_store(ts_shared, SRC_T, WIDTH, tile, i, ts_load(SRC, SRC_T, WIDTH, x, i, TS_INVARIANT | TS_ALIGN(1)), TS_ALIGN(1));
  ts_barrier();
  ts_store(ts_local, SRC_T, WIDTH, mine, 0, ts_load(ts_shared, SRC_T, WIDTH, tile, WIDTH * (GROUP - 1) - i, 0), 0);
  ts_store(ts_local, SRC_T, 1, mine, WIDTH, ts_load(ts_constant, SRC_T, 1, one, 0, 0), 0);
  ts_store(ts_shared, SRC_T, 1, scratch, 0, ts_load(ts_local, SRC_T, 1, mine, WIDTH, 0), 0);
  ts_barrier_global();
  ts_vector(SRC_T, WIDTH) v = ts_load(ts_local, SRC_T, WIDTH, mine, 0, 0);
  ts_scalar(SRC_T) last = ts_load(ts_shared, SRC_T, 1, scratch, 0, 0);
  ts_store(DST, SRC_T, WIDTH, ts_offset(DST, SRC_T, y, i), 0, v, TS_NON_TEMPORAL);
  ts_store(DST, SRC_T, 1, y, ts_distance(DST, SRC_T, ts_offset(DST, SRC_T, y, GROUP * WIDTH), y), last, 0);

  ts_handle(SRC, SRC_T) again = ts_unsafe_cast(SRC, SRC_T, DST, SRC_T, y);
  ts_handle(DST, u8) bytes = ts_unsafe_cast(DST, u8, DST, SRC_T, y);
  ts_store(DST, u8, 1, bytes, 0, ts_load(SRC, u8, 1, ts_unsafe_cast(SRC, u8, SRC, SRC_T, again), 1, 0), 0);
}
