/* SPDX-License-Identifier: Apache-2.0
 *
 * A group that shares a copy to local memory, of which each work-item has its own.
 *
 * expect: by_group_but_local_memory_is_one_work_items_own
 */
#define TS_USE_DYNAMIC_LAYOUTS 1
#include "tensorstorage.h"

TS_COPY_DYNAMIC(take, ts_local, f32, 0, ts_global_const, f32, 0)

TS_KERNEL(k, (TS_GLOBAL_CONST_ARG(f32) x_cells, TS_GLOBAL_ARG(f32) y_cells)) {
  TS_LOCAL(mine, f32, 16);
  ts_global_const_f32 x = ts_bind(ts_global_const, f32, x_cells);
#ifdef FIXED
  take(mine, ts_layout_make_1(16, 1), x, ts_layout_make_1(16, 2));
#else
  take_by_group(mine, ts_layout_make_1(16, 1), x, ts_layout_make_1(16, 2));
#endif
  ts_store(ts_global, f32, 1, ts_bind(ts_global, f32, y_cells), 0, ts_load(ts_local, f32, 1, mine, 3, 0), 0);
}
