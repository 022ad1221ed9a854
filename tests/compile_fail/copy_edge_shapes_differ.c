/* SPDX-License-Identifier: Apache-2.0
 *
 * An edge of two shapes: what is left along an index of the one says nothing of the other.
 *
 * expect: are not of rank 2 and one shape
 */
#include "tensorstorage.h"

#ifdef FIXED
TS_ROW_MAJOR_2(source, 4, 8)
#else
TS_ROW_MAJOR_2(source, 8, 4)
#endif
TS_ROW_MAJOR_2(tile, 4, 8)
TS_COPY_EDGE_2(copy_tile, ts_global, f32, tile, 0, ts_global_const, f32, source, 0)
