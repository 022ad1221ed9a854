/* SPDX-License-Identifier: Apache-2.0
 *
 * A file that chose its dtypes copies another one.
 *
 * expect: copy copy_tile: f16 is not among the dtypes that this file asked for
 * errors: 1
 */
#define TS_USE_f32 1
#ifdef FIXED
#define TS_USE_f16 1
#endif
#include "tensorstorage.h"

TS_ROW_MAJOR_1(tile, 16)
TS_COPY(copy_tile, ts_shared, f32, tile, 0, ts_global_const, f16, tile, 0)
