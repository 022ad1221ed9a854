/* SPDX-License-Identifier: Apache-2.0
 *
 * A store through a read-only handle of local memory.
 *
 * expect: handles are read-only
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) y_cells)) {
  TS_LOCAL(scratch, f16, 8);
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
  ts_local_const_f16 t = ts_unsafe_cast(ts_local_const, f16, ts_local, f16, scratch);
#ifdef FIXED
  ts_store(ts_local, f16, 1, scratch, 1, ts_load(ts_local_const, f16, 1, t, 0, 0), 0);
  ts_store(ts_global, f32, 1, y, 0, 1.0f, 0);
#else
  ts_store(ts_local_const, f16, 1, t, 0, ts_load(ts_local, f16, 1, scratch, 0, 0), 0);
  ts_store(ts_global, f32, 1, y, 0, 1.0f, 0);
#endif
}
