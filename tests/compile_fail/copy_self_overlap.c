/* SPDX-License-Identifier: Apache-2.0
 *
 * All rows of the destination are one place.
 *
 * expect: may share a place
 */
#include "tensorstorage.h"

TS_ROW_MAJOR_2(source, 4, 8)
#ifdef FIXED
TS_LAYOUT_2(tile, 4, 8, 8, 1)
#else
TS_LAYOUT_2(tile, 4, 8, 0, 1)
#endif
TS_COPY(copy_tile, ts_global, f32, tile, 0, ts_global_const, f32, source, 0)
