/* SPDX-License-Identifier: Apache-2.0
 *
 * A file that chose its dtypes binds a handle of another one. gcc says no more once a parameter's type does not exist.
 *
 * expect: f32 is not among the dtypes that this file asked for
 * expect gcc: f32_is_not_chosen_define_TS_USE_f32_to_1
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
