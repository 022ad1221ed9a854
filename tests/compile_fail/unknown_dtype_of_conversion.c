/* SPDX-License-Identifier: Apache-2.0
 *
 * A conversion from the language's name for f16.
 *
 * expect: half is no dtype; use one such as f32, bf16 or i64
 * errors: 1
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) y_cells)) {
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
#ifdef FIXED
  ts_store(ts_global, f32, 1, y, 0, ts_convert(f32, f16, 1, ts_convert(f16, f32, 1, 1.0f)), 0);
#else
  ts_store(ts_global, f32, 1, y, 0, ts_convert(f32, half, 1, 1.0f), 0);
#endif
}
