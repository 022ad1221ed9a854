/* SPDX-License-Identifier: Apache-2.0
 *
 * A copy through scratch of a layout that was not declared.
 *
 * expect: turnd_must_be_declared_as_a_layout
 * errors: 40
 */
#include "tensorstorage.h"

TS_ROW_MAJOR_2(tile, 4, 4)
TS_COLUMN_MAJOR_2(turned, 4, 4)
#ifdef FIXED
TS_COPY_THROUGH(copy_tile, ts_global, f32, tile, 0, ts_global_const, f32, turned, 0)
#else
TS_COPY_THROUGH(copy_tile, ts_global, f32, tile, 0, ts_global_const, f32, turnd, 0)
#endif
