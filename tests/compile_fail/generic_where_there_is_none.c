/* SPDX-License-Identifier: Apache-2.0
 *
 * A generic handle where the language has no generic pointers.
 *
 * expect: ts_generic_offset_f32
 * expect nvcc: ts_generic_pointers_are_turned_off
 */
#define TS_HAVE_GENERIC 0
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) y_cells)) {
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
#ifdef FIXED
  ts_store(ts_global, f32, 1, y, 0, ts_load(ts_global, f32, 1, y, 1, 0), 0);
#else
  ts_store(ts_global, f32, 1, y, 0, ts_load(ts_generic, f32, 1, y, 1, 0), 0);
#endif
}
