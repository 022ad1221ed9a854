/* SPDX-License-Identifier: Apache-2.0
 *
 * A handle that only loads is added to atomically.
 *
 * expect: ts_global_i32
 * expect gcc: ts_global_offset_i32
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(i32) x_cells)) {
  ts_global_i32 x = ts_bind(ts_global, i32, x_cells);
  ts_global_const_i32 y = ts_bind(ts_global_const, i32, x_cells);
  ts_i32 one = ts_load(ts_global_const, i32, 1, y, 0, 0);
#ifdef FIXED
  ts_global_atomic_add(i32, x, 0, one);
#else
  ts_global_atomic_add(i32, y, 0, one);
#endif
}
