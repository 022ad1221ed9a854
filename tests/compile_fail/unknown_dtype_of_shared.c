/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared memory of a dtype that does not exist.
 *
 * expect: tile: float is no dtype; use one such as f32, bf16 or i64
 * errors: 1
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) y_cells)) {
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
#ifdef FIXED
  TS_SHARED(tile, f32, 32);
  ts_store(ts_shared, f32, 1, tile, 0, 1.0f, 0);
#else
  TS_SHARED(tile, float, 32);
#endif
  ts_store(ts_global, f32, 1, y, 0, 1.0f, 0);
}
