/* SPDX-License-Identifier: Apache-2.0
 *
 * A bit among the flags that is none.
 *
 * expect: the flags have a bit that is no flag
 * errors: 1
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) y_cells)) {
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
#ifdef FIXED
  ts_store(ts_global, f32, 1, y, 0, ts_load(ts_global, f32, 1, y, 1, TS_ALIGN(4)), 0);
#else
  ts_store(ts_global, f32, 1, y, 0, ts_load(ts_global, f32, 1, y, 1, 0x40000000 | TS_ALIGN(4)), 0);
#endif
}
