/* SPDX-License-Identifier: Apache-2.0
 *
 * The same, through scratch.
 *
 * expect: copy copy_tile: float is no dtype; use one such as f32, bf16 or i64
 * errors: 1
 */
#include "tensorstorage.h"

TS_ROW_MAJOR_2(tile, 4, 4)
TS_COLUMN_MAJOR_2(turned, 4, 4)
#ifdef FIXED
TS_COPY_THROUGH(copy_tile, ts_global, f32, tile, 0, ts_global_const, f32, turned, 0)
#else
TS_COPY_THROUGH(copy_tile, ts_global, float, tile, 0, ts_global_const, f32, turned, 0)
#endif
