/* SPDX-License-Identifier: Apache-2.0
 *
 * A copy whose layouts and policies have changed places.
 *
 * expect: copy copy_tile: ts_shared and ts_global_const stand for its layouts; each side is a policy, dtype, layout and flags
 * errors: 1
 */
#include "tensorstorage.h"

TS_ROW_MAJOR_1(tile, 16)
#ifdef FIXED
TS_COPY(copy_tile, ts_shared, f32, tile, 0, ts_global_const, f32, tile, 0)
#else
TS_COPY(copy_tile, tile, f32, ts_shared, 0, tile, f32, ts_global_const, 0)
#endif
