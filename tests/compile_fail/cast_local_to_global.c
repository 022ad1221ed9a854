/* SPDX-License-Identifier: Apache-2.0
 *
 * unsafe_cast from local to global memory.
 *
 * expect: the address spaces differ
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) y_cells)) {
  TS_LOCAL(scratch, f32, 8);
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
#ifdef FIXED
  (void)ts_unsafe_cast(ts_local_const, f32, ts_local, f32, scratch);
  ts_store(ts_global, f32, 1, y, 0, 1.0f, 0);
#else
  (void)ts_unsafe_cast(ts_global_const, f32, ts_local, f32, scratch);
  ts_store(ts_global, f32, 1, y, 0, 1.0f, 0);
#endif
}
