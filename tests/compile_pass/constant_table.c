/* SPDX-License-Identifier: Apache-2.0
 *
 * Constant tables of computing and of storage dtypes, bound directly and by helpers.
 */
#include "tensorstorage.h"

#define TABLE_T f16

TS_CONSTANT_TABLE(weights, f32, 4, (0.25f, 0.5f, 1.0f, 2.0f));
TS_CONSTANT_TABLE(steps, i8, 3, (-1, 0, 1));
TS_CONSTANT_TABLE(halves, TABLE_T, 2, ({0x3c00}, {0xbc00}));
TS_CONSTANT_TABLE(booleans, b8, 2, ({0}, {1}));
TS_CONSTANT_TABLE(not_used, u64, 1, (7));

TS_KERNEL(look_up, (TS_GLOBAL_ARG(f32) y_cells, TS_GLOBAL_ARG(f16) z_cells, TS_GLOBAL_ARG(b8) b_cells)) {
  int i = ts_item_in_group(0);
  int step = ts_load(ts_constant, i8, 1, ts_bind(ts_constant, i8, steps), i, 0);
  ts_constant_f32 w = ts_bind(ts_constant, f32, weights);
  ts_constant_f16 h = ts_bind(ts_constant, TABLE_T, halves);
  ts_store(ts_global, f32, 1, ts_bind(ts_global, f32, y_cells), i, ts_load(ts_constant, f32, 1, w, 1 + step, 0), 0);
  ts_store(ts_global, f16, 1, ts_bind(ts_global, f16, z_cells), i, ts_load(ts_constant, f16, 1, h, i % 2, 0), 0);
  ts_store(ts_global, b8, 2, ts_bind(ts_global, b8, b_cells), 0,
           ts_load(ts_constant, b8, 2, ts_bind(ts_constant, b8, booleans), 0, TS_ALIGN(128)), 0);
}
