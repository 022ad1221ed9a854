/* SPDX-License-Identifier: Apache-2.0
 *
 * A store of a number of elements that is no number to the preprocessor, but an enumerator.
 *
 * expect: N is no width of a vector; use 1, 2, 4, 8 or 16
 * errors: 1
 */
#include "tensorstorage.h"

enum { N = 4 };

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) y_cells)) {
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
  ts_f32x4 v = ts_load(ts_global, f32, 4, y, 0, 0);
#ifdef FIXED
  ts_store(ts_global, f32, 4, y, N, v, 0);
#else
  ts_store(ts_global, f32, N, y, 0, v, 0);
#endif
}
