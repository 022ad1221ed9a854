/* SPDX-License-Identifier: Apache-2.0
 *
 * An edge of rank 2 between layouts of rank 3.
 *
 * expect: are not of rank 2 and one shape
 */
#include "tensorstorage.h"

#ifdef FIXED
TS_ROW_MAJOR_2(tile, 4, 8)
#else
TS_ROW_MAJOR_3(tile, 4, 8, 2)
#endif
TS_COPY_EDGE_2(copy_tile, ts_global, f32, tile, 0, ts_global_const, f32, tile, 0)
