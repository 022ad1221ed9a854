/* SPDX-License-Identifier: Apache-2.0
 *
 * The distance between handles of different dtypes.
 *
 * expect: ts_global_f32
 * expect gcc: ts_global_offset_f32
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) y_cells)) {
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
#ifdef FIXED
  ts_index n = ts_distance(ts_global, f32, ts_offset(ts_global, f32, y, 4), y);
  ts_store(ts_global, f32, 1, y, n, 1.0f, 0);
#else
  ts_index n = ts_distance(ts_global, f32, ts_offset(ts_global, f32, y, 4), ts_unsafe_cast(ts_global, u32, ts_global, f32, y));
  ts_store(ts_global, f32, 1, y, n, 1.0f, 0);
#endif
}
