/* SPDX-License-Identifier: Apache-2.0
 *
 * A destination that is one-to-one, although no nesting of its strides proves it: that must be said.
 *
 * expect: TS_ASSUME_ONE_TO_ONE
 */
#include "tensorstorage.h"

TS_ROW_MAJOR_1(source, 6)
TS_LAYOUT_2(tile, 2, 3, 3, 2)
#ifdef FIXED
TS_COPY(copy_tile, ts_global, f32, tile, TS_ASSUME_ONE_TO_ONE, ts_global_const, f32, source, 0)
#else
TS_COPY(copy_tile, ts_global, f32, tile, 0, ts_global_const, f32, source, 0)
#endif
