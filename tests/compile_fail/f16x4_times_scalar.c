/* SPDX-License-Identifier: Apache-2.0
 *
 * A vector of f16 is multiplied by a number.
 *
 * expect: invalid operands to binary
 * expect nvcc: no operator "*" matches
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f16) x_cells)) {
  ts_global_f16 x = ts_bind(ts_global, f16, x_cells);
  ts_f16x4 v = ts_load(ts_global, f16, 4, x, 1, 0);
#ifdef FIXED
  ts_store(ts_global, f16, 4, x, 0, v, 0);
#else
  ts_store(ts_global, f16, 4, x, 0, v * 2.0f, 0);
#endif
}
