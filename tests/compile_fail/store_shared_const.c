/* SPDX-License-Identifier: Apache-2.0
 *
 * A store through a read-only handle of shared memory.
 *
 * expect: handles are read-only
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) y_cells)) {
  TS_SHARED(tile, f32, 64);
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
  ts_shared_const_f32 t = ts_unsafe_cast(ts_shared_const, f32, ts_shared, f32, tile);
#ifdef FIXED
  ts_store(ts_global, f32, 1, y, 0, ts_load(ts_shared_const, f32, 1, t, 0, 0), 0);
#else
  ts_store(ts_shared_const, f32, 1, t, 0, 1.0f, 0);
  ts_store(ts_global, f32, 1, y, 0, 1.0f, 0);
#endif
}
