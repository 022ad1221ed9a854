/* SPDX-License-Identifier: Apache-2.0
 *
 * Two 8-bit floats are subtracted.
 *
 * expect: invalid operands to binary
 * expect nvcc: no operator "-" matches
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f8e4m3fn) x_cells)) {
  ts_global_f8e4m3fn x = ts_bind(ts_global, f8e4m3fn, x_cells);
  ts_f8e4m3fn v = ts_load(ts_global, f8e4m3fn, 1, x, 1, 0);
#ifdef FIXED
  ts_store(ts_global, f8e4m3fn, 1, x, 0, v, 0);
#else
  ts_store(ts_global, f8e4m3fn, 1, x, 0, v - v, 0);
#endif
}
