/* SPDX-License-Identifier: Apache-2.0
 *
 * Constant memory that is an argument is read as constant memory, also at an index that only the run knows.
 *
 * has: ld.const.v4.[fb]32
 * has: ld.const.[ub]8
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_CONSTANT_ARG(f32) x_cells, TS_CONSTANT_ARG(u8) b_cells, TS_GLOBAL_ARG(f32) y_cells, int n)) {
  ts_constant_f32 x = ts_bind(ts_constant, f32, x_cells);
  ts_constant_u8 b = ts_bind(ts_constant, u8, b_cells);
  int i = ts_item_in_group(0);
  ts_f32x4 v = ts_load(ts_constant, f32, 4, x, 4 * n * i, TS_ALIGN(16)) * (ts_f32)ts_load(ts_constant, u8, 1, b, n + i, 0);
  ts_store(ts_global, f32, 4, ts_bind(ts_global, f32, y_cells), 4 * i, v, TS_ALIGN(16));
}
