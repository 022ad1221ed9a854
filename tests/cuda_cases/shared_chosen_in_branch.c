/* SPDX-License-Identifier: Apache-2.0
 *
 * Which of two shared arrays a handle is of, a branch decides at run time. The space is known all the same.
 *
 * has: ld.shared.v4.[fb]32
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) y_cells, int n)) {
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
  TS_SHARED(even, f32, 1024);
  TS_SHARED(odd, f32, 1024);
  int i = 4 * ts_item_in_group(0);
  ts_store(ts_shared, f32, 4, even, i, ts_load(ts_global, f32, 4, y, i, TS_ALIGN(16)), TS_ALIGN(16));
  ts_store(ts_shared, f32, 4, odd, i, ts_load(ts_global, f32, 4, y, i + 1024, TS_ALIGN(16)), TS_ALIGN(16));
  ts_barrier();
  ts_shared_f32 chosen = even;
  if (n & 1) chosen = odd;
  ts_store(ts_global, f32, 4, y, i, ts_load(ts_shared, f32, 4, chosen, 4 * n, TS_ALIGN(16)), TS_ALIGN(16));
}
