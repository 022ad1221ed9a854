/* SPDX-License-Identifier: Apache-2.0
 *
 * A boolean byte decides an if: it is stored, and 2 would be neither true nor false.
 *
 * expect: ts_b8
 * expect gcc: used struct type value where scalar is required
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(b8) x_cells, TS_GLOBAL_ARG(f32) y_cells)) {
  ts_global_b8 x = ts_bind(ts_global, b8, x_cells);
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
#ifdef FIXED
  if (ts_load(ts_global, b8, 1, x, 0, 0).bits) ts_store(ts_global, f32, 1, y, 0, 1.0f, 0);
#else
  if (ts_load(ts_global, b8, 1, x, 0, 0)) ts_store(ts_global, f32, 1, y, 0, 1.0f, 0);
#endif
}
