/* SPDX-License-Identifier: Apache-2.0
 *
 * A file that chose its dtypes binds a handle of another one.
 *
 * expect: f32 is not among the dtypes that this file asked for
 */
#define TS_USE_i32 1
#ifdef FIXED
#define TS_USE_f32 1
#endif
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) x_cells)) {
  ts_global_f32 x = ts_bind(ts_global, f32, x_cells);
  ts_store(ts_global, f32, 1, x, 0, ts_load(ts_global, f32, 1, x, 1, 0), 0);
}
