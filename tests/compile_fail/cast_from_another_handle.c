/* SPDX-License-Identifier: Apache-2.0
 *
 * unsafe_cast is told another policy than that of the handle.
 *
 * expect: ts_shared_f32
 * expect gcc: ts_shared_offset_f32
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) y_cells)) {
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
#ifdef FIXED
  (void)ts_unsafe_cast(ts_global, u32, ts_global, f32, y);
#else
  (void)ts_unsafe_cast(ts_shared, u32, ts_shared, f32, y);
#endif
}
