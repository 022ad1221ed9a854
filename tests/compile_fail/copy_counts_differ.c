/* SPDX-License-Identifier: Apache-2.0
 *
 * A tile of 6 elements is copied from one of 4.
 *
 * expect: have different numbers of elements
 */
#include "tensorstorage.h"

#ifdef FIXED
TS_ROW_MAJOR_2(source, 3, 2)
#else
TS_ROW_MAJOR_2(source, 2, 2)
#endif
TS_ROW_MAJOR_2(tile, 2, 3)
TS_COPY(copy_tile, ts_global, f32, tile, 0, ts_global_const, f32, source, 0)
