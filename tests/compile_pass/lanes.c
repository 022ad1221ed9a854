/* SPDX-License-Identifier: Apache-2.0
 *
 * Lanes, splats and selects of every dtype at every width, one inside another. Compiled with SRC_T defined as each dtype.
 */
#include "tensorstorage.h"

#define LANES(W)                                                                                                               \
  {                                                                                                                            \
    ts_vector(SRC_T, W) v = ts_load(ts_global, SRC_T, W, x, i, 0);                                                             \
    ts_mask(SRC_T, W) mask = ts_load(ts_global, ts_mask_dtype(SRC_T), W, masks, i, 0);                                         \
    ts_vector(SRC_T, W) first = ts_splat(SRC_T, W, ts_lane(SRC_T, W, ts_select(SRC_T, W, mask, v, v), 0));                     \
    v = ts_set_lane(SRC_T, W, ts_set_lane(SRC_T, W, v, W - 1, ts_lane(SRC_T, W, first, i % W)), i % W, one);                   \
    ts_store(ts_global, SRC_T, W, x, i, ts_select(SRC_T, W, mask, ts_splat(SRC_T, W, one), v), 0);                             \
  }

TS_KERNEL(lanes, (TS_GLOBAL_ARG(SRC_T) x_cells, TS_GLOBAL_ARG(u8) mask_cells)) {
  ts_handle(ts_global, SRC_T) x = ts_bind(ts_global, SRC_T, x_cells);
  ts_handle(ts_global, ts_mask_dtype(SRC_T)) masks =
      ts_unsafe_cast(ts_global, ts_mask_dtype(SRC_T), ts_global, u8, ts_bind(ts_global, u8, mask_cells));
  ts_scalar(SRC_T) one = ts_load(ts_global, SRC_T, 1, x, 0, 0);
  int i = ts_item_in_group(0);
  LANES(1)
  LANES(2)
  LANES(4)
  LANES(8)
  LANES(16)
}
