/* SPDX-License-Identifier: Apache-2.0
 *
 * Vectors of f16, which is stored and never computed on, are compared.
 *
 * expect: invalid operands to binary
 * expect nvcc: no operator "<" matches
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f16) x_cells, TS_GLOBAL_ARG(i16) y_cells)) {
  ts_global_f16 x = ts_bind(ts_global, f16, x_cells);
  ts_global_i16 y = ts_bind(ts_global, i16, y_cells);
  ts_f16x4 v = ts_load(ts_global, f16, 4, x, 0, 0);
  ts_i16x4 w = ts_load(ts_global, i16, 4, y, 0, 0);
#ifdef FIXED
  ts_store(ts_global, i16, 4, y, 0, ts_less(i16, 4, w, ts_splat(i16, 4, ts_lane(i16, 4, w, 0))), 0);
  ts_store(ts_global, f16, 4, x, 0, v, 0);
#else
  ts_store(ts_global, i16, 4, y, 0, ts_less(f16, 4, v, v), 0);
  ts_store(ts_global, i16, 4, y, 0, w, 0);
#endif
}
