/* SPDX-License-Identifier: Apache-2.0
 *
 * A vector of a dtype that the file did not ask for.
 *
 * expect: u8 is not among the dtypes that this file asked for
 */
#define TS_USE_f32 1
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) x_cells)) {
  ts_global_f32 x = ts_bind(ts_global, f32, x_cells);
#ifdef FIXED
  ts_store(ts_global, f32, 1, x, 0, ts_lane(f32, 4, ts_splat(f32, 4, 1.0f), 1), 0);
#else
  ts_store(ts_global, f32, 1, x, 0, ts_lane(u8, 4, ts_splat(u8, 4, 1), 1), 0);
#endif
}
