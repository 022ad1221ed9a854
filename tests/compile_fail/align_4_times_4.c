/* SPDX-License-Identifier: Apache-2.0
 *
 * An alignment is a product: 16 * 32, taken as it is, would be another flag.
 *
 * expect: _must_be_a_power_of_two_up_to_256
 * expect nvcc: identifier "TS_ALIGN_4" is undefined
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) y_cells)) {
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
#ifdef FIXED
  ts_store(ts_global, f32, 1, y, 0, 1.0f, TS_ALIGN(16));
#else
  ts_store(ts_global, f32, 1, y, 0, 1.0f, TS_ALIGN(4 * 4));
#endif
}
