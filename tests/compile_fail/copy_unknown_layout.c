/* SPDX-License-Identifier: Apache-2.0
 *
 * A copy of a layout that was not declared. What a name of C is, no macro can ask: an error follows for each fact of it.
 *
 * expect: tiel_must_be_declared_as_a_layout
 * errors: 26
 */
#include "tensorstorage.h"

TS_ROW_MAJOR_1(tile, 16)
#ifdef FIXED
TS_COPY(copy_tile, ts_shared, f32, tile, 0, ts_global_const, f32, tile, 0)
#else
TS_COPY(copy_tile, ts_shared, f32, tile, 0, ts_global_const, f32, tiel, 0)
#endif
