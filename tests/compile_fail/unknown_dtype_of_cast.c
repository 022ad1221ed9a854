/* SPDX-License-Identifier: Apache-2.0
 *
 * A handle cast to a dtype that does not exist.
 *
 * expect: uint is no dtype; use one such as f32, bf16 or i64
 * errors: 1
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) y_cells)) {
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
#ifdef FIXED
  ts_store(ts_global, u32, 1, ts_unsafe_cast(ts_global, u32, ts_global, f32, y), 0, 1, 0);
#else
  (void)ts_unsafe_cast(ts_global, uint, ts_global, f32, y);
#endif
}
