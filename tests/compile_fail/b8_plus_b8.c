/* SPDX-License-Identifier: Apache-2.0
 *
 * Two boolean bytes are added.
 *
 * expect: invalid operands to binary
 * expect nvcc: no operator "+" matches
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(b8) x_cells)) {
  ts_global_b8 x = ts_bind(ts_global, b8, x_cells);
  ts_b8 v = ts_load(ts_global, b8, 1, x, 1, 0);
#ifdef FIXED
  ts_store(ts_global, b8, 1, x, 0, v, 0);
#else
  ts_store(ts_global, b8, 1, x, 0, v + v, 0);
#endif
}
