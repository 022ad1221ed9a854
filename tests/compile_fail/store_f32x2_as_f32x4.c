/* SPDX-License-Identifier: Apache-2.0
 *
 * A vector of another width is stored.
 *
 * expect: the value is a vector of another dtype or width
 * expect nvcc: to "ts_f32x4"
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) y_cells)) {
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
#ifdef FIXED
  ts_store(ts_global, f32, 2, y, 4, ts_load(ts_global, f32, 2, y, 0, 0), 0);
#else
  ts_store(ts_global, f32, 4, y, 4, ts_load(ts_global, f32, 2, y, 0, 0), 0);
#endif
}
