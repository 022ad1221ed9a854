/* SPDX-License-Identifier: Apache-2.0
 *
 * A store through what unsafe_cast made read-only.
 *
 * expect: handles are read-only
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) y_cells)) {
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
#ifdef FIXED
  ts_store(ts_global, u32, 1, ts_unsafe_cast(ts_global, u32, ts_global, f32, y), 0, 1, 0);
#else
  ts_store(ts_global_const, u32, 1, ts_unsafe_cast(ts_global_const, u32, ts_global, f32, y), 0, 1, 0);
#endif
}
