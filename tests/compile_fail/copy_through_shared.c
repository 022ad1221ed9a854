/* SPDX-License-Identifier: Apache-2.0
 *
 * A copy through scratch into shared memory: it is for two sides in global memory.
 *
 * expect: both sides of TS_COPY_THROUGH are in global memory
 */
#include "tensorstorage.h"

TS_ROW_MAJOR_2(rows, 16, 16)
TS_COLUMN_MAJOR_2(columns, 16, 16)
#ifdef FIXED
TS_COPY_THROUGH(turn, ts_global, f32, columns, 0, ts_global_const, f32, rows, 0)
#else
TS_COPY_THROUGH(turn, ts_shared, f32, columns, 0, ts_global_const, f32, rows, 0)
#endif
