/* SPDX-License-Identifier: Apache-2.0
 *
 * f32 cells are given to the bind function of f16, without the macro.
 *
 * expect: ts_f16 *
 * expect nvcc: ts_global_bind [with E=ts_f16]" matches the argument list
 * expect gcc: ts_global_bind_f16
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) y_cells)) {
#ifdef FIXED
  ts_global_f32 h = ts_global_bind_f32(y_cells);
  ts_store(ts_global, f32, 1, h, 0, ts_load(ts_global, f32, 1, h, 1, 0), 0);
#else
  ts_global_f16 h = ts_global_bind_f16(y_cells);
  ts_store(ts_global, f16, 1, h, 0, ts_load(ts_global, f16, 1, h, 1, 0), 0);
#endif
}
