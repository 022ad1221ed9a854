/* SPDX-License-Identifier: Apache-2.0
 *
 * Maths of C's name for f32.
 *
 * expect: ts_sqrt: for f32 and f64 where it computes, not for float
 * errors: 5
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) y_cells)) {
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
#ifdef FIXED
  ts_store(ts_global, f32, 1, y, 0, ts_sqrt(f32, 1, 2.0f), 0);
#else
  ts_store(ts_global, f32, 1, y, 0, ts_sqrt(float, 1, 2.0f), 0);
#endif
}
