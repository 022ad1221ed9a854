/* SPDX-License-Identifier: Apache-2.0
 *
 * A copy whose destination is read-only.
 *
 * expect: ts_global_const handles are read-only
 */
#define TS_USE_DYNAMIC_LAYOUTS 1
#include "tensorstorage.h"

#ifdef FIXED
#define P ts_global
#else
#define P ts_global_const
#endif
TS_COPY_DYNAMIC(move, P, f32, 0, ts_global_const, f32, 0)

TS_KERNEL(k, (TS_GLOBAL_CONST_ARG(f32) x_cells, TS_GLOBAL_ARG(f32) y_cells)) {
  move(ts_bind(P, f32, y_cells), ts_layout_make_1(16, 1), ts_bind(ts_global_const, f32, x_cells), ts_layout_make_1(16, 2));
}
