/* SPDX-License-Identifier: Apache-2.0
 *
 * An f32 is stored as f16 without a conversion.
 *
 * expect: ts_f16
 * expect gcc: ts_cell_f16x1
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f16) x_cells, TS_GLOBAL_ARG(f32) y_cells)) {
  ts_global_f16 x = ts_bind(ts_global, f16, x_cells);
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
#ifdef FIXED
  ts_store(ts_global, f16, 1, x, 0, ts_load(ts_global, f16, 1, x, 1, 0), 0);
  ts_store(ts_global, f32, 1, y, 0, 1.0f, 0);
#else
  ts_store(ts_global, f16, 1, x, 0, ts_load(ts_global, f32, 1, y, 0, 0), 0);
#endif
}
