/* SPDX-License-Identifier: Apache-2.0
 *
 * A handle is assigned a pointer.
 *
 * expect: ts_global_f32
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) y_cells)) {
  ts_global_f32 y;
#ifdef FIXED
  y = ts_bind(ts_global, f32, y_cells);
  ts_store(ts_global, f32, 1, y, 0, 1.0f, 0);
#else
  y = y_cells;
  ts_store(ts_global, f32, 1, y, 0, 1.0f, 0);
#endif
}
