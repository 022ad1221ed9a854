/* SPDX-License-Identifier: Apache-2.0
 *
 * A copy from a storage whose elements are vectors of four to one of scalars.
 *
 * expect: the elements have different sizes
 */
#include "tensorstorage.h"

typedef struct fours_f32 {
  ts_global_f32 cells;
} fours_f32;
#ifdef FIXED
enum { fours_element_size_f32 = 1 };
#else
enum { fours_element_size_f32 = 4 };
#endif
TS_FUNCTION float fours_load_f32x1(fours_f32 h, ts_index i, int flags) {
  (void)flags;
  return ts_load(ts_global, f32, 1, h.cells, i, 0);
}
TS_STORAGE_LOAD_WIDTHS(fours, f32)

TS_ROW_MAJOR_1(row, 64)
TS_COPY(scalars_of_fours, ts_shared, f32, row, 0, fours, f32, row, 0)

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) y_cells)) {
  TS_SHARED(x, f32, 64);
  fours_f32 y;
  y.cells = ts_bind(ts_global, f32, y_cells);
  scalars_of_fours_by_group(x, y);
}
