/* SPDX-License-Identifier: Apache-2.0
 *
 * The same, in the background.
 *
 * expect: copy copy_tile: float is no dtype; use one such as f32, bf16 or i64
 * errors: 1
 */
#include "tensorstorage.h"

TS_ROW_MAJOR_1(tile, 16)
#ifdef FIXED
TS_COPY_ASYNC(copy_tile, f32, tile, 0, tile, 0)
#else
TS_COPY_ASYNC(copy_tile, float, tile, 0, tile, 0)
#endif
