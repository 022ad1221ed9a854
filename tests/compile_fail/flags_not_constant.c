/* SPDX-License-Identifier: Apache-2.0
 *
 * The flags of an access are chosen at run time.
 *
 * expect: constant
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) y_cells, int flags)) {
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
#ifdef FIXED
  ts_store(ts_global, f32, 1, y, flags, 1.0f, TS_NON_TEMPORAL);
#else
  ts_store(ts_global, f32, 1, y, 0, 1.0f, flags);
#endif
}
