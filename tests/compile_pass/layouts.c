/* SPDX-License-Identifier: Apache-2.0
 *
 * Layouts that are known at run time: each function, from numbers, arrays and other layouts.
 */
#define TS_USE_i64 1
#define TS_USE_DYNAMIC_LAYOUTS 1
#include "tensorstorage.h"

TS_KERNEL(layouts, (TS_GLOBAL_ARG(i64) y_cells, ts_i64 n)) {
  ts_global_i64 y = ts_bind(ts_global, i64, y_cells);
  ts_i64 shape[2], offset = 0;
  int order[2];
  shape[0] = order[1] = 0;
  shape[1] = order[0] = 1;
  ts_layout a = ts_layout_make_4(n, 2, 3, 4, 24, 12, 4, 1);
  ts_layout b = ts_layout_append(ts_layout_make(2, shape, shape), n, -1);
  ts_layout c = ts_layout_fold(ts_layout_row_major(2, shape)), d = ts_layout_column_major(2, shape);
  if (ts_layout_refine(&a, &b)) ts_layout_sort_two(&a, &b);
  ts_layout_fold_two(&a, &b);
  c = ts_layout_permute(ts_layout_reshape(c, 2, shape), order);
  c = ts_layout_tile(c, shape, ts_layout_tile_count(c, shape) - 1, &offset);
  d = ts_layout_fix(ts_layout_restrict(d, 0, 1, n, &offset), 1, 2, &offset);
  if (ts_layout_is_one_to_one(d) && ts_layout_size(a) > 0 && ts_layout_cosize(b) > 1 && ts_layout_lowest(c) == 0)
    ts_store(ts_global, i64, 1, y, ts_layout_offset(d, 3), offset, 0);
}
