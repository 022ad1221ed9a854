/* SPDX-License-Identifier: Apache-2.0
 *
 * An f32 is added to atomically.
 *
 * expect: ts_global_atomic_add: for i32 and u32, not for f32
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) x_cells, TS_GLOBAL_ARG(i32) y_cells)) {
  ts_global_f32 x = ts_bind(ts_global, f32, x_cells);
  ts_global_i32 y = ts_bind(ts_global, i32, y_cells);
#ifdef FIXED
  ts_store(ts_global, f32, 1, x, 0, 1.0f, 0);
  ts_global_atomic_add(i32, y, 0, 1);
#else
  ts_global_atomic_add(i32, y, 0, 1);
  ts_global_atomic_add(f32, x, 0, 1.0f);
#endif
}
