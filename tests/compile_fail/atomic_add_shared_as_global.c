/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared memory is added to as if it were global.
 *
 * expect: ts_global_i32
 * expect gcc: ts_global_offset_i32
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(i32) x_cells)) {
  TS_SHARED(s, i32, 1);
  ts_global_i32 x = ts_bind(ts_global, i32, x_cells);
#ifdef FIXED
  ts_global_atomic_add(i32, x, 0, ts_shared_atomic_add(i32, s, 0, 1));
#else
  ts_global_atomic_add(i32, s, 0, ts_global_atomic_add(i32, x, 0, 1));
#endif
}
