/* SPDX-License-Identifier: Apache-2.0
 *
 * A generic handle, in a function that is not inlined: nothing is assumed of its space.
 *
 * generic
 * has: ld.v4.[fb]32
 * has: st.v4.[fb]32
 */
#include "tensorstorage.h"

static __device__ __noinline__ void twice(ts_generic_f32 h, ts_index i) {
  ts_f32x4 v = ts_load(ts_generic, f32, 4, h, i, TS_ALIGN(16) | TS_INVARIANT);
  ts_store(ts_generic, f32, 4, h, i, v + v, TS_ALIGN(16));
}

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) y_cells, int n)) {
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
  TS_SHARED(tile, f32, 1024);
  int i = 4 * ts_item_in_group(0);
  ts_store(ts_shared, f32, 4, tile, i, ts_load(ts_global, f32, 4, y, i, TS_ALIGN(16)), TS_ALIGN(16));
  twice(ts_unsafe_cast(ts_generic, f32, ts_shared, f32, tile), i);
  twice(ts_unsafe_cast(ts_generic, f32, ts_global, f32, y), i);
  ts_store(ts_global, f32, 4, y, i, ts_load(ts_shared, f32, 4, tile, i, TS_ALIGN(16)), TS_ALIGN(16));
}
