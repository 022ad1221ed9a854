/* SPDX-License-Identifier: Apache-2.0
 *
 * A read-only handle goes where one that stores is asked for.
 *
 * expect: ts_global_f32
 * expect gcc: ts_global_offset_f32
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_CONST_ARG(f32) x_cells, TS_GLOBAL_ARG(f32) y_cells)) {
  ts_global_const_f32 x = ts_bind(ts_global_const, f32, x_cells);
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
#ifdef FIXED
  ts_store(ts_global, f32, 1, y, 0, ts_load(ts_global_const, f32, 1, x, 0, 0), 0);
#else
  ts_store(ts_global, f32, 1, x, 0, 1.0f, 0);
#endif
}
