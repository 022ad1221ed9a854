/* SPDX-License-Identifier: Apache-2.0
 *
 * TS_LOCAL of fewer than no elements.
 *
 * expect: cells: its count is an integer constant, 1 or more
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) y_cells, int n)) {
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
#ifdef FIXED
  TS_LOCAL(cells, f32, 4);
#else
  TS_LOCAL(cells, f32, -4);
#endif
  ts_store(ts_local, f32, 1, cells, 0, 1.0f, 0);
  ts_store(ts_global, f32, 1, y, n, ts_load(ts_local, f32, 1, cells, 0, 0), 0);
}
