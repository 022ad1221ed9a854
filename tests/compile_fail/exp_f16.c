/* SPDX-License-Identifier: Apache-2.0
 *
 * The exponential of f16, which is stored and never computed on.
 *
 * expect: ts_exp: for f32 and f64 where it computes, not for f16
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f16) x_cells)) {
  ts_global_f16 x = ts_bind(ts_global, f16, x_cells);
  ts_f16x4 v = ts_load(ts_global, f16, 4, x, 0, 0);
#ifdef FIXED
  ts_store(ts_global, f16, 4, x, 0, v, 0);
#else
  ts_store(ts_global, f16, 4, x, 0, ts_exp(f16, 4, v), 0);
#endif
}
