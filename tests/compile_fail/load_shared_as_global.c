/* SPDX-License-Identifier: Apache-2.0
 *
 * A handle of shared memory goes to a load from global memory.
 *
 * expect: ts_global_f32
 * expect gcc: ts_global_offset_f32
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) y_cells)) {
  TS_SHARED(tile, f32, 64);
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
#ifdef FIXED
  ts_f32x4 v = ts_load(ts_shared, f32, 4, tile, 0, TS_ALIGN(16));
  ts_store(ts_global, f32, 4, y, 0, v, 0);
#else
  ts_f32x4 v = ts_load(ts_global, f32, 4, tile, 0, TS_ALIGN(16));
  ts_store(ts_global, f32, 4, y, 0, v, 0);
#endif
}
