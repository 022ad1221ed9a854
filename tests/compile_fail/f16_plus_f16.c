/* SPDX-License-Identifier: Apache-2.0
 *
 * Two f16 are added.
 *
 * expect: invalid operands to binary
 * expect nvcc: no operator "+" matches
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f16) x_cells)) {
  ts_global_f16 x = ts_bind(ts_global, f16, x_cells);
  ts_f16 v = ts_load(ts_global, f16, 1, x, 1, 0);
#ifdef FIXED
  ts_store(ts_global, f16, 1, x, 0, v, 0);
#else
  ts_store(ts_global, f16, 1, x, 0, v + v, 0);
#endif
}
