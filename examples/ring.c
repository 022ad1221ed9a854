/* SPDX-License-Identifier: Apache-2.0
 *
 * ring.c: smooth a row whose ends meet, by a storage that this file defines: element -1 of a ring is its last one. Work-groups
 * of 32 work-items, one element each; `count` is a power of two and a multiple of 32. The same text in OpenCL C, CUDA and C11.
 */
#include "tensorstorage.h"

enum { ROW = 32 };

/* The storage: f32 in global memory, only loaded from. Of this policy, `ring`, each name below is one that the macros call. */
typedef struct ring_f32 {
  ts_global_const_f32 cells;
  ts_index first; /* element 0, counted from the cells' first */
  int count;      /* a power of two */
} ring_f32, ring_offset_result_f32;
enum { ring_element_size_f32 = 1 };

TS_FUNCTION float ring_load_f32x1(ring_f32 h, ts_index i, int flags) {
  (void)flags;
  return ts_load(ts_global_const, f32, 1, h.cells, (h.first + i) & (h.count - 1), 0);
}
TS_STORAGE_LOAD_WIDTHS(ring, f32)
TS_FUNCTION ring_f32 ring_offset_f32(ring_f32 h, ts_index n) {
  h.first += n;
  return h;
}
TS_FUNCTION ts_index ring_distance_f32(ring_f32 to, ring_f32 from) { return to.first - from.first; }
TS_FUNCTION TS_TEXT ring_name_f32(void) { return "ring_f32"; }

/* A copy takes it like any other: a group's elements, and one more on either side. */
TS_ROW_MAJOR_1(row_and_halo, ROW + 2)
TS_COPY(load_row, ts_shared, f32, row_and_halo, 0, ring, f32, row_and_halo, 0)

TS_KERNEL(smooth, (TS_GLOBAL_CONST_ARG(f32) x_cells, TS_GLOBAL_ARG(f32) y_cells, int count)) {
  TS_SHARED(row, f32, ROW + 2);
  ring_f32 x;
  x.cells = ts_bind(ts_global_const, f32, x_cells);
  x.first = 0;
  x.count = count;
  load_row_by_group(row, ts_offset(ring, f32, x, ROW * ts_group_id(0) - 1));
  ts_barrier();
  int i = ts_item_in_group(0) + 1;
  float sides = ts_load(ts_shared, f32, 1, row, i - 1, 0) + ts_load(ts_shared, f32, 1, row, i + 1, 0);
  float y = 0.25f * sides + 0.5f * ts_load(ts_shared, f32, 1, row, i, 0);
  ts_store(ts_global, f32, 1, ts_bind(ts_global, f32, y_cells), (ts_index)ts_global_id(0), y, 0);
}
