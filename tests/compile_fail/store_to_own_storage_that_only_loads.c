/* SPDX-License-Identifier: Apache-2.0
 *
 * A store to a storage of one's own that has only loads.
 *
 * expect: ring_store_f32x4
 */
#include "tensorstorage.h"

typedef struct ring_f32 {
  ts_global_f32 cells;
} ring_f32;
TS_FUNCTION float ring_load_f32x1(ring_f32 h, ts_index i, int flags) {
  (void)flags;
  return ts_load(ts_global, f32, 1, h.cells, i & 63, 0);
}
TS_STORAGE_LOAD_WIDTHS(ring, f32)

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) y_cells)) {
  ring_f32 y;
  y.cells = ts_bind(ts_global, f32, y_cells);
#ifdef FIXED
  ts_store(ts_global, f32, 4, y.cells, 0, ts_load(ring, f32, 4, y, 1, 0), 0);
#else
  ts_store(ring, f32, 4, y, 0, ts_load(ring, f32, 4, y, 1, 0), 0);
#endif
}
