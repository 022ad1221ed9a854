/* SPDX-License-Identifier: Apache-2.0
 *
 * const cells are given to the bind function of a policy that stores, without the macro.
 *
 * expect gcc: discards 'const' qualifier
 * expect clang: discards qualifiers
 * expect opencl: discards qualifiers
 * expect nvcc: ts_global_bind [with E=ts_f32]" matches the argument list
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_CONST_ARG(f32) x_cells, TS_GLOBAL_ARG(f32) y_cells)) {
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
#ifdef FIXED
  ts_global_const_f32 h = ts_global_const_bind_f32(x_cells);
  ts_store(ts_global, f32, 1, y, 0, ts_load(ts_global_const, f32, 1, h, 0, 0), 0);
#else
  ts_global_f32 h = ts_global_bind_f32(x_cells);
  ts_store(ts_global, f32, 1, y, 0, ts_load(ts_global, f32, 1, h, 0, 0), 0);
#endif
}
