/* SPDX-License-Identifier: Apache-2.0
 *
 * A handle of global memory goes to a store to shared memory.
 *
 * expect: ts_shared_f32
 * expect gcc: ts_shared_offset_f32
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) y_cells)) {
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
#ifdef FIXED
  ts_store(ts_global, f32, 1, y, 0, 1.0f, 0);
#else
  ts_store(ts_shared, f32, 1, y, 0, 1.0f, 0);
#endif
}
