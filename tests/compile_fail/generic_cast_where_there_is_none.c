/* SPDX-License-Identifier: Apache-2.0
 *
 * A cast to generic where the language has no generic pointers.
 *
 * expect: ts_generic_bind_f32
 */
#define TS_HAVE_GENERIC 0
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) y_cells)) {
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
#ifdef FIXED
  (void)ts_unsafe_cast(ts_global_const, f32, ts_global, f32, y);
#else
  (void)ts_unsafe_cast(ts_generic, f32, ts_global, f32, y);
#endif
}
