/* SPDX-License-Identifier: Apache-2.0
 *
 * A storage that TS_COPY takes has accesses of all widths, which TS_STORAGE_WIDTHS makes.
 * The tool's message says so (host/build_error.c).
 *
 * expect: ring_load_f32x16
 * errors: 17
 */
#include "tensorstorage.h"

typedef struct ring_f32 {
  ts_global_const_f32 cells;
} ring_f32;
enum { ring_element_size_f32 = 1 };
TS_FUNCTION float ring_load_f32x1(ring_f32 h, ts_index i, int flags) {
  (void)flags;
  return ts_load(ts_global_const, f32, 1, h.cells, i & 7, 0);
}
#ifdef FIXED
TS_STORAGE_LOAD_WIDTHS(ring, f32)
#endif
TS_ROW_MAJOR_1(tile, 16)
TS_COPY(copy_tile, ts_shared, f32, tile, 0, ring, f32, tile, 0)
