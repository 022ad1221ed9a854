/* SPDX-License-Identifier: Apache-2.0
 *
 * A group that shares a copy from local memory, of which each work-item has its own.
 *
 * expect: by_group_but_local_memory_is_one_work_items_own
 */
#define TS_USE_DYNAMIC_LAYOUTS 1
#include "tensorstorage.h"

TS_COPY_DYNAMIC(give, ts_global, f32, 0, ts_local, f32, 0)

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) y_cells)) {
  TS_LOCAL(mine, f32, 16);
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
  for (int k = 0; k < 16; ++k) ts_store(ts_local, f32, 1, mine, k, 1.0f, 0);
#ifdef FIXED
  give(y, ts_layout_make_1(16, 1), mine, ts_layout_make_1(16, 1));
#else
  give_by_group(y, ts_layout_make_1(16, 1), mine, ts_layout_make_1(16, 1));
#endif
}
