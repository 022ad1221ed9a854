/* SPDX-License-Identifier: Apache-2.0
 *
 * f64 is multiplied where the language lacks it: then it is a storage type.
 *
 * expect: invalid operands to binary
 * expect nvcc: no operator "*" matches
 */
#define TS_HAVE_F64 0
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f64) x_cells)) {
  ts_global_f64 x = ts_bind(ts_global, f64, x_cells);
  ts_f64 v = ts_load(ts_global, f64, 1, x, 1, 0);
#ifdef FIXED
  ts_store(ts_global, f64, 1, x, 0, v, 0);
#else
  ts_store(ts_global, f64, 1, x, 0, v * 2.0f, 0);
#endif
}
