/* SPDX-License-Identifier: Apache-2.0
 *
 * layout.c: the conformance kernel of layouts that are known at run time: built once.
 *
 * One item does an operation on the layouts and numbers that it is given, and writes what it got: whether there is a layout,
 * what was added to the offset, size, cosize, lowest offset, whether the strides nest, and the offset of each element; then the
 * offsets of the other layout, if the operation is on two.
 */
#define TS_USE_i64 1
#define TS_USE_DYNAMIC_LAYOUTS 1
#include "tensorstorage.h"

#define GUARD 32 /* elements in front of the payload */
#define MOST 400 /* elements of a layout */

/* The layout in 17 numbers: rank, shape, stride. */
TS_FUNCTION ts_layout layout_at(ts_global_const_i64 source, int at) {
  ts_layout layout;
  layout.rank = ts_load(ts_global_const, i64, 1, source, at, 0);
  for (int d = 0; d < 8; ++d) {
    layout.shape[d] = ts_load(ts_global_const, i64, 1, source, at + 1 + d, 0);
    layout.stride[d] = ts_load(ts_global_const, i64, 1, source, at + 9 + d, 0);
  }
  return layout;
}

TS_FUNCTION void write_offsets(ts_global_i64 target, int at, ts_layout layout) {
  ts_i64 size = ts_layout_size(layout);
  for (int k = 0; k < MOST && k < size; ++k) ts_store(ts_global, i64, 1, target, at + k, ts_layout_offset(layout, k), 0);
}

TS_KERNEL(layout, (TS_GLOBAL_CONST_ARG(i64) source_cells, TS_GLOBAL_ARG(i64) target_cells, int operation)) {
  ts_global_const_i64 source = ts_bind(ts_global_const, i64, source_cells);
  ts_global_i64 target = ts_offset(ts_global, i64, ts_bind(ts_global, i64, target_cells), GUARD);
  ts_layout a = layout_at(source, 0), b = layout_at(source, 17), numbers = layout_at(source, 34);
  int rank = (int)numbers.rank, ok = 1, order[8];
  ts_i64 offset = 0;
  for (int d = 0; d < 8; ++d) order[d] = (int)numbers.shape[d];
  switch (operation) {
  case 0: a = ts_layout_make((int)a.rank, a.shape, a.stride); break;
  case 1: a = ts_layout_row_major((int)a.rank, a.shape); break;
  case 2: a = ts_layout_column_major((int)a.rank, a.shape); break;
  case 3: a = ts_layout_fold(a); break;
  case 4: ts_layout_fold_two(&a, &b); break;
  case 5: ok = ts_layout_refine(&a, &b); break;
  case 6: a = ts_layout_reshape(a, rank, numbers.shape); break;
  case 7: a = ts_layout_permute(a, order); break;
  case 8: a = ts_layout_restrict(a, rank, numbers.shape[0], numbers.shape[1], &offset); break;
  case 9: a = ts_layout_fix(a, rank, numbers.shape[0], &offset); break;
  case 10: a = ts_layout_tile(a, numbers.shape, rank, &offset); break;
  default: ts_layout_sort_two(&a, &b); break;
  }
  ts_store(ts_global, i64, 1, target, 0, ok && a.rank >= 0, 0);
  ts_store(ts_global, i64, 1, target, 1, offset, 0);
  ts_store(ts_global, i64, 1, target, 2, ts_layout_size(a), 0);
  ts_store(ts_global, i64, 1, target, 3, ts_layout_cosize(a), 0);
  ts_store(ts_global, i64, 1, target, 4, ts_layout_lowest(a), 0);
  ts_store(ts_global, i64, 1, target, 5, operation == 0 && ts_layout_is_one_to_one(a), 0);
  write_offsets(target, 6, a);
  if (operation == 4 || operation == 5 || operation == 11) write_offsets(target, 6 + MOST, b);
}
