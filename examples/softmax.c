/* SPDX-License-Identifier: Apache-2.0
 *
 * softmax.c: y = exp(x - max x) / sum of exp(x - max x), for each row of a matrix of f32, by one group of GROUP work-items a
 * row.
 *
 * A row has a multiple of four columns and starts at a multiple of 16 bytes. The group agrees on the largest and on the sum
 * by way of shared memory.
 */
#define TS_USE_f32 1 /* no other dtype is paid for */
#include "tensorstorage.h"

enum { GROUP = 128 }; /* a power of two */

/* The sum, or the largest, of what all work-items of the group give: each of them gets it. */
TS_FUNCTION ts_f32 of_group(ts_shared_f32 scratch, ts_f32 value, int is_sum) {
  int item = ts_item_in_group(0);
  ts_store(ts_shared, f32, 1, scratch, item, value, 0);
  for (int apart = GROUP / 2; apart > 0; apart /= 2) {
    ts_barrier();
    if (item < apart) {
      ts_f32 other = ts_load(ts_shared, f32, 1, scratch, item + apart, 0);
      value = is_sum ? value + other : ts_max(f32, 1, value, other);
      ts_store(ts_shared, f32, 1, scratch, item, value, 0);
    }
  }
  ts_barrier();
  value = ts_load(ts_shared, f32, 1, scratch, 0, 0);
  ts_barrier(); /* all have read it: scratch is free again */
  return value;
}

TS_KERNEL(softmax, (TS_GLOBAL_CONST_ARG(f32) x_cells, TS_GLOBAL_ARG(f32) y_cells, int columns)) {
  TS_SHARED(scratch, f32, GROUP);
  ts_index row = (ts_index)ts_group_id(0) * columns;
  ts_global_const_f32 x = ts_offset(ts_global_const, f32, ts_bind(ts_global_const, f32, x_cells), row);
  ts_global_f32 y = ts_offset(ts_global, f32, ts_bind(ts_global, f32, y_cells), row);
  int first = 4 * ts_item_in_group(0); /* each work-item takes every GROUP-th vector of the row */

  ts_f32x4 v = ts_splat(f32, 4, ts_load(ts_global_const, f32, 1, x, 0, 0));
  for (int i = first; i < columns; i += 4 * GROUP) v = ts_max(f32, 4, v, ts_load(ts_global_const, f32, 4, x, i, TS_ALIGN(16)));
  ts_f32 largest = ts_max(f32, 1, ts_max(f32, 1, ts_lane(f32, 4, v, 0), ts_lane(f32, 4, v, 1)),
                          ts_max(f32, 1, ts_lane(f32, 4, v, 2), ts_lane(f32, 4, v, 3)));
  largest = of_group(scratch, largest, 0);

  ts_f32x4 sums = ts_splat(f32, 4, 0.0f);
  for (int i = first; i < columns; i += 4 * GROUP) {
    v = ts_exp(f32, 4, ts_load(ts_global_const, f32, 4, x, i, TS_ALIGN(16)) - largest);
    ts_store(ts_global, f32, 4, y, i, v, TS_ALIGN(16));
    sums = sums + v;
  }
  ts_f32 sum = ts_lane(f32, 4, sums, 0) + ts_lane(f32, 4, sums, 1) + ts_lane(f32, 4, sums, 2) + ts_lane(f32, 4, sums, 3);
  sum = of_group(scratch, sum, 1);

  for (int i = first; i < columns; i += 4 * GROUP) /* what this work-item stored itself */
    ts_store(ts_global, f32, 4, y, i, ts_load(ts_global, f32, 4, y, i, TS_ALIGN(16)) / sum, TS_ALIGN(16));
}
