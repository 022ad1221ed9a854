/* SPDX-License-Identifier: Apache-2.0
 *
 * A load of three elements.
 *
 * expect: 3 is no width of a vector; use 1, 2, 4, 8 or 16
 * errors: 1
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) y_cells)) {
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
#ifdef FIXED
  ts_store(ts_global, f32, 1, y, 0, ts_load(ts_global, f32, 1, y, 1, 0), 0);
#else
  ts_store(ts_global, f32, 1, y, 0, ts_load(ts_global, f32, 3, y, 1, 0), 0);
#endif
}
