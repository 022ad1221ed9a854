/* SPDX-License-Identifier: Apache-2.0
 *
 * histogram.c: bins[b] += how often the byte b is among the `count` bytes of x. Any number of work-items, in groups of any
 * size.
 *
 * A group counts in shared memory, where additions are cheap, and adds its counts to those of all groups at the end.
 */
#include "tensorstorage.h"

enum { BINS = 256 };

TS_KERNEL(histogram, (TS_GLOBAL_CONST_ARG(u8) x_cells, TS_GLOBAL_ARG(u32) bin_cells, ts_i64 count)) {
  TS_SHARED(counts, u32, BINS);
  ts_global_const_u8 x = ts_bind(ts_global_const, u8, x_cells);
  ts_global_u32 bins = ts_bind(ts_global, u32, bin_cells);
  ts_index items = (ts_index)ts_group_size(0) * ts_group_count(0);

  for (int b = ts_item_in_group(0); b < BINS; b += ts_group_size(0)) ts_store(ts_shared, u32, 1, counts, b, 0u, 0);
  ts_barrier();
  for (ts_index i = (ts_index)ts_global_id(0); i < count; i += items)
    ts_shared_atomic_add(u32, counts, ts_load(ts_global_const, u8, 1, x, i, TS_INVARIANT), 1u);
  ts_barrier();
  for (int b = ts_item_in_group(0); b < BINS; b += ts_group_size(0))
    ts_global_atomic_add(u32, bins, b, ts_load(ts_shared, u32, 1, counts, b, 0));
}
