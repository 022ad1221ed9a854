/* SPDX-License-Identifier: Apache-2.0
 *
 * unsafe_cast from constant to global memory.
 *
 * expect: the address spaces differ
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_CONSTANT_ARG(f32) x_cells)) {
  ts_constant_f32 x = ts_bind(ts_constant, f32, x_cells);
#ifdef FIXED
  (void)ts_unsafe_cast(ts_constant, u32, ts_constant, f32, x);
#else
  (void)ts_unsafe_cast(ts_global_const, f32, ts_constant, f32, x);
#endif
}
