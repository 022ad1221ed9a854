/* SPDX-License-Identifier: Apache-2.0
 *
 * A pointer goes where a handle is asked for.
 *
 * expect: ts_global_f32
 * expect nvcc: from "ts_f32 *" (aka "float *") to "ts_global_handle<ts_f32>"
 * expect gcc: ts_global_offset_f32
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) y_cells)) {
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
#ifdef FIXED
  ts_store(ts_global, f32, 1, y, 0, ts_load(ts_global, f32, 1, y, 1, 0), 0);
#else
  ts_store(ts_global, f32, 1, y, 0, ts_load(ts_global, f32, 1, y_cells, 1, 0), 0);
#endif
}
