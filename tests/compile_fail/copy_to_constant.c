/* SPDX-License-Identifier: Apache-2.0
 *
 * A copy to constant memory.
 *
 * expect: ts_constant handles are read-only
 */
#include "tensorstorage.h"

TS_ROW_MAJOR_1(tile, 16)
#ifdef FIXED
TS_COPY(copy_tile, ts_shared, f16, tile, 0, ts_constant, f32, tile, 0)
#else
TS_COPY(copy_tile, ts_constant, f16, tile, 0, ts_constant, f32, tile, 0)
#endif
