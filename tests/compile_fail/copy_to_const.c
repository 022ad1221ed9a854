/* SPDX-License-Identifier: Apache-2.0
 *
 * The destination of a copy only loads.
 *
 * expect: copy copy_tile: ts_global_const handles are read-only
 * errors: 1
 */
#include "tensorstorage.h"

TS_ROW_MAJOR_1(tile, 16)
#ifdef FIXED
TS_COPY(copy_tile, ts_global, f32, tile, 0, ts_global, f32, tile, 0)
#else
TS_COPY(copy_tile, ts_global_const, f32, tile, 0, ts_global, f32, tile, 0)
#endif
