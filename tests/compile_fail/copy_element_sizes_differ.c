/* SPDX-License-Identifier: Apache-2.0
 *
 * A storage whose elements are four scalars is copied into one whose elements are single.
 *
 * expect: the elements have different sizes
 */
#include "tensorstorage.h"

typedef struct quads_f32 {
  ts_global_const_f32 scalars;
} quads_f32;
#ifdef FIXED
enum { quads_element_size_f32 = 1 };
#else
enum { quads_element_size_f32 = 4 };
#endif
TS_FUNCTION float quads_load_f32x1(quads_f32 h, ts_index i, int flags) {
  (void)flags;
  return ts_load(ts_global_const, f32, 1, h.scalars, i, 0);
}
TS_STORAGE_LOAD_WIDTHS(quads, f32)
TS_ROW_MAJOR_1(tile, 16)
TS_COPY(copy_tile, ts_global, f32, tile, 0, quads, f32, tile, 0)
