/* SPDX-License-Identifier: Apache-2.0
 *
 * Two shared arrays that change places in every turn of a loop, in a struct.
 *
 * has: ld.shared.[fb]32
 * has: st.shared.[fb]32
 */
#include "tensorstorage.h"

struct tiles {
  ts_shared_f32 from, to;
};

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) y_cells, int n)) {
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
  TS_SHARED(one, f32, 256);
  TS_SHARED(other, f32, 256);
  int i = ts_item_in_group(0);
  ts_store(ts_shared, f32, 1, one, i, ts_load(ts_global, f32, 1, y, i, 0), 0);
  tiles t = {one, other};
  for (int k = 0; k < n; k++) {
    ts_barrier();
    ts_store(ts_shared, f32, 1, t.to, i, 2 * ts_load(ts_shared, f32, 1, t.from, i ^ 1, 0), 0);
    tiles swapped = {t.to, t.from};
    t = swapped;
  }
  ts_store(ts_global, f32, 1, y, i, ts_load(ts_shared, f32, 1, t.from, i, 0), 0);
}
