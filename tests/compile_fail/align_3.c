/* SPDX-License-Identifier: Apache-2.0
 *
 * An alignment of 3 bytes is promised: no power of two.
 *
 * expect: TS_ALIGN_3_must_be_a_power_of_two_up_to_256
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) y_cells)) {
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
#ifdef FIXED
  ts_store(ts_global, f32, 1, y, 0, 1.0f, TS_ALIGN(4));
#else
  ts_store(ts_global, f32, 1, y, 0, 1.0f, TS_ALIGN(3));
#endif
}
