/* SPDX-License-Identifier: Apache-2.0
 *
 * sum.c: the sum of x on handles: y gets the sum of what a work-item, or a group, has read. Each work-item has as many elements
 * as its kernel's name ends with.
 *
 * STREAM  0: no hint, 2: loads are streamed
 */
#define TS_USE_f32 1
#include "tensorstorage.h"

#define LOAD_HINT (STREAM >= 2 ? TS_NON_TEMPORAL : 0)
enum { GROUP = 256 };

/* The sum of the lanes of v, by halves: written out, since PoCL leaves a loop over lanes a loop. */
#define OF_2(k) (ts_lane(f32, 16, v, k) + ts_lane(f32, 16, v, k + 8))
#define OF_4(k) (OF_2(k) + OF_2(k + 4))
#define OF_8(k) (OF_4(k) + OF_4(k + 2))
TS_FUNCTION ts_f32 sum_of(ts_f32x16 v) { return OF_8(0) + OF_8(1); }
#define X(i) ts_load(ts_global_const, f32, 16, x, i, TS_ALIGN(64) | LOAD_HINT)

/* A chunk for each work-item, with one sum or four side by side. */
TS_KERNEL(chunk_x4096, (TS_GLOBAL_CONST_ARG(f32) x_cells, TS_GLOBAL_ARG(f32) y_cells)) {
  ts_global_const_f32 x =
      ts_offset(ts_global_const, f32, ts_bind(ts_global_const, f32, x_cells), 4096 * (ts_index)ts_global_id(0));
  ts_f32x16 sums = ts_splat(f32, 16, 0.0f);
  for (int i = 0; i < 4096; i += 16) sums = sums + X(i);
  ts_store(ts_global, f32, 1, ts_bind(ts_global, f32, y_cells), ts_global_id(0), sum_of(sums), 0);
}
TS_KERNEL(chunk_four_x4096, (TS_GLOBAL_CONST_ARG(f32) x_cells, TS_GLOBAL_ARG(f32) y_cells)) {
  ts_global_const_f32 x =
      ts_offset(ts_global_const, f32, ts_bind(ts_global_const, f32, x_cells), 4096 * (ts_index)ts_global_id(0));
  ts_f32x16 a = ts_splat(f32, 16, 0.0f), b = a, c = a, d = a;
  for (int i = 0; i < 4096; i += 64) {
    a = a + X(i);
    b = b + X(i + 16);
    c = c + X(i + 32);
    d = d + X(i + 48);
  }
  ts_store(ts_global, f32, 1, ts_bind(ts_global, f32, y_cells), ts_global_id(0), sum_of(a + b + c + d), 0);
}

/* Vectors of the group in turn, and a tree in shared memory: as on a GPU. */
TS_KERNEL(tree_x256, (TS_GLOBAL_CONST_ARG(f32) x_cells, TS_GLOBAL_ARG(f32) y_cells)) {
  TS_SHARED(cells, f32, GROUP);
  ts_global_const_f32 x = ts_bind(ts_global_const, f32, x_cells);
  int item = ts_item_in_group(0), items = ts_group_size(0);
  ts_index first = 256 * items * (ts_index)ts_group_id(0) + 16 * item;
  ts_f32x16 sums = ts_splat(f32, 16, 0.0f);
  for (int k = 0; k < 16; ++k) sums = sums + X(first + 16 * items * k);
  ts_store(ts_shared, f32, 1, cells, item, sum_of(sums), 0);
  for (int apart = items / 2; apart > 0; apart /= 2) {
    ts_barrier();
    if (item < apart)
      ts_store(ts_shared, f32, 1, cells, item,
               ts_load(ts_shared, f32, 1, cells, item, 0) + ts_load(ts_shared, f32, 1, cells, item + apart, 0), 0);
  }
  if (item == 0)
    ts_store(ts_global, f32, 1, ts_bind(ts_global, f32, y_cells), ts_group_id(0), ts_load(ts_shared, f32, 1, cells, 0, 0), 0);
}
