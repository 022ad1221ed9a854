/* SPDX-License-Identifier: Apache-2.0
 *
 * A dtype that does not exist.
 *
 * expect: float32 is no dtype; use one such as f32, bf16 or i64
 * errors: 1
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) y_cells)) {
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
#ifdef FIXED
  ts_store(ts_global, f32, 1, y, 0, ts_load(ts_global, f32, 1, y, 1, 0), 0);
#else
  ts_store(ts_global, f32, 1, y, 0, ts_load(ts_global, float32, 1, y, 1, 0), 0);
#endif
}
