/* SPDX-License-Identifier: Apache-2.0
 *
 * An alignment of 512 bytes is promised: more than 256.
 *
 * expect: TS_ALIGN_512_must_be_a_power_of_two_up_to_256
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) y_cells)) {
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
#ifdef FIXED
  ts_store(ts_global, f32, 1, y, 0, 1.0f, TS_ALIGN(256));
#else
  ts_store(ts_global, f32, 1, y, 0, 1.0f, TS_ALIGN(512));
#endif
}
