/* SPDX-License-Identifier: Apache-2.0
 *
 * A copy from a dtype that does not exist.
 *
 * expect: copy copy_tile: float is no dtype; use one such as f32, bf16 or i64
 * errors: 1
 */
#include "tensorstorage.h"

TS_ROW_MAJOR_1(tile, 16)
#ifdef FIXED
TS_COPY(copy_tile, ts_shared, f32, tile, 0, ts_global_const, f32, tile, 0)
#else
TS_COPY(copy_tile, ts_shared, f32, tile, 0, ts_global_const, float, tile, 0)
#endif
