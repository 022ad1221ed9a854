/* SPDX-License-Identifier: Apache-2.0
 *
 * The square root of integers.
 *
 * expect: ts_sqrt: for f32 and f64 where it computes, not for i32
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(i32) x_cells)) {
  ts_global_i32 x = ts_bind(ts_global, i32, x_cells);
  ts_i32x4 v = ts_load(ts_global, i32, 4, x, 0, 0);
#ifdef FIXED
  ts_store(ts_global, i32, 4, x, 0, v, 0);
#else
  ts_store(ts_global, i32, 4, x, 0, ts_sqrt(i32, 4, v), 0);
#endif
}
