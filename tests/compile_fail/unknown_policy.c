/* SPDX-License-Identifier: Apache-2.0
 *
 * A policy that does not exist: OpenCL's word for global memory.
 *
 * expect: ts__global_load_f32x1
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) y_cells)) {
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
#ifdef FIXED
  ts_store(ts_global, f32, 1, y, 0, ts_load(ts_global, f32, 1, y, 1, 0), 0);
#else
  ts_store(ts_global, f32, 1, y, 0, ts_load(ts__global, f32, 1, y, 1, 0), 0);
#endif
}
