/* SPDX-License-Identifier: Apache-2.0
 *
 * A bit among the flags of a copy that is none.
 *
 * expect: copy copy_tile: the flags have a bit that is no flag
 * errors: 1
 */
#include "tensorstorage.h"

TS_ROW_MAJOR_1(tile, 16)
#ifdef FIXED
TS_COPY(copy_tile, ts_shared, f32, tile, 0, ts_global_const, f32, tile, 0)
#else
TS_COPY(copy_tile, ts_shared, f32, tile, 0, ts_global_const, f32, tile, 0x40000000 | TS_ALIGN(4))
#endif
