/* SPDX-License-Identifier: Apache-2.0
 *
 * swizzled.h: a tile of 32 x 32 f32 in shared memory whose rows and whose columns a warp reads without bank conflicts.
 *
 *   TS_SHARED(cells, f32, 32 * 32);
 *   swizzled_f32 tile = swizzled_bind_f32(cells);
 *
 * Element 32 * row + column lies at 32 * row + (column ^ row). Of 32 banks of 4 bytes, 32 elements of a row take each once, and
 * so do 32 elements of a column, which in a plain tile share one. A padded tile of 32 x 33 has that too, with 32 more cells.
 *
 * Neighbours of a row do not stay neighbours, so wide accesses are made of narrow ones.
 */
#ifndef SWIZZLED_H
#define SWIZZLED_H

#include "tensorstorage.h"

typedef struct swizzled_f32 {
  ts_shared_f32 cells;
  ts_index first; /* the element of the tile that is element 0 of this storage */
} swizzled_f32, swizzled_offset_result_f32;
enum { swizzled_element_size_f32 = 1 };

/* Where element i of the tile lies. */
TS_FUNCTION ts_index swizzled_place(ts_index i) { return i ^ (i >> 5 & 31); }

TS_FUNCTION swizzled_f32 swizzled_bind_f32(ts_shared_f32 cells) {
  swizzled_f32 h;
  h.cells = cells;
  h.first = 0;
  return h;
}
TS_FUNCTION swizzled_f32 swizzled_offset_f32(swizzled_f32 h, ts_index n) {
  h.first += n;
  return h;
}
TS_FUNCTION ts_index swizzled_distance_f32(swizzled_f32 to, swizzled_f32 from) { return to.first - from.first; }
TS_FUNCTION TS_TEXT swizzled_name_f32(void) { return "swizzled_f32"; }

TS_FUNCTION float swizzled_load_f32x1(swizzled_f32 h, ts_index i, int flags) {
  (void)flags; /* shared memory has no hints, and one f32 no promise that would matter */
  return ts_load(ts_shared, f32, 1, h.cells, swizzled_place(h.first + i), 0);
}
TS_FUNCTION void swizzled_store_f32x1(swizzled_f32 h, ts_index i, float value, int flags) {
  (void)flags;
  ts_store(ts_shared, f32, 1, h.cells, swizzled_place(h.first + i), value, 0);
}
TS_STORAGE_WIDTHS(swizzled, f32)

#endif
