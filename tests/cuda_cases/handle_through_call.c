/* SPDX-License-Identifier: Apache-2.0
 *
 * Handles passed to functions that are not inlined keep their space. The private array has its address taken, so it is in local
 * memory.
 *
 * local memory
 * has: ld.global.v4.[fb]32
 * has: ld.global.nc.v4.[fb]32
 * has: st.global.v4.[fb]32
 * has: ld.shared.v4.[fb]32
 * has: st.shared.v4.[fb]32
 * has: ld.const.v4.[fb]32
 * has: ld.local.v4.[fb]32
 * has: st.local.v4.[fb]32
 */
#include "tensorstorage.h"

#define LOADS(P, flags)                                                                                                        \
  static __device__ __noinline__ ts_f32x4 load_##P(ts_handle(P, f32) h, ts_index i) {                                          \
    return ts_load(P, f32, 4, h, i, TS_ALIGN(16) | (flags));                                                                   \
  }
#define STORES(P)                                                                                                              \
  static __device__ __noinline__ void store_##P(ts_handle(P, f32) h, ts_index i, ts_f32x4 v) {                                 \
    ts_store(P, f32, 4, h, i, v, TS_ALIGN(16));                                                                                \
  }
LOADS(ts_global, 0)
LOADS(ts_global_const, TS_INVARIANT)
LOADS(ts_shared, TS_INVARIANT)
LOADS(ts_constant, 0)
LOADS(ts_local, 0)
STORES(ts_global)
STORES(ts_shared)
STORES(ts_local)

TS_CONSTANT_TABLE(table, f32, 8, (0, 1, 2, 3, 4, 5, 6, 7));

TS_KERNEL(k, (TS_GLOBAL_CONST_ARG(f32) x_cells, TS_GLOBAL_ARG(f32) y_cells, int n)) {
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
  TS_SHARED(tile, f32, 1024);
  TS_LOCAL(mine, f32, 8);
  int i = 4 * ts_item_in_group(0);
  store_ts_local(mine, 0, load_ts_global_const(ts_bind(ts_global_const, f32, x_cells), i));
  store_ts_local(mine, 4, load_ts_global(y, i));
  store_ts_shared(tile, i, load_ts_local(mine, 4 * n));
  ts_barrier();
  store_ts_global(y, i, load_ts_shared(tile, 1020 - i) + load_ts_constant(ts_bind(ts_constant, f32, table), 4 * n));
}
