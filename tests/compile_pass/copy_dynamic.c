/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies between layouts that are known at run time: dtypes and policies by macros, by one work-item and by the group, from a
 * storage of the user's own, and one that is never called.
 */
#define TS_USE_f16 1
#define TS_USE_f32 1
#define TS_USE_DYNAMIC_LAYOUTS 1
#include "tensorstorage.h"

#define SRC_P ts_global_const
#define DST_T f32

/* Twice the value of what is there: a storage of its own, at all widths. */
typedef ts_global_f32 twice_f32;
enum { twice_element_size_f32 = 1 };
#define TWICE(W)                                                                                                               \
  TS_FUNCTION ts_vector(f32, W) twice_load_f32x##W(twice_f32 h, ts_index i, int flags) {                                       \
    (void)flags;                                                                                                               \
    return ts_load(ts_global, f32, W, h, i, 0) * 2.0f;                                                                         \
  }
TWICE(1)
TWICE(2)
TWICE(4)
TWICE(8)
TWICE(16)

TS_COPY_DYNAMIC(load, ts_shared, DST_T, TS_ALIGN(16), SRC_P, f16, TS_ALIGN(8) | TS_INVARIANT)
TS_COPY_DYNAMIC(put, ts_global, f32, TS_ALIGN(64) | TS_NON_TEMPORAL, ts_shared, f32, TS_ALIGN(64))
TS_COPY_DYNAMIC(own, ts_local, f32, TS_ALIGN(4), twice, f32, TS_ALIGN(4))
TS_COPY_DYNAMIC(under, ts_global, f32, TS_ALIGN(1), ts_local, f16, TS_ALIGN(1))

TS_STATIC_ASSERT(load_width == 4, "load_width");
TS_STATIC_ASSERT(put_width == 16, "put_width");
TS_STATIC_ASSERT(own_width == 1, "own_width");
TS_STATIC_ASSERT(under_width == 1, "under_width");

TS_KERNEL(copy, (TS_GLOBAL_CONST_ARG(f16) x_cells, TS_GLOBAL_ARG(f32) y_cells, ts_i64 n)) {
  TS_SHARED(tile, f32, 32 * 36);
  TS_LOCAL(mine, f32, 4);
  ts_global_const_f16 x = ts_bind(ts_global_const, f16, x_cells);
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
  twice_f32 z = y;
  load_by_group(tile, ts_layout_make_2(32, 32, 36, 1), x, ts_layout_make_2(32, 32, n, 1));
  ts_barrier();
  put_by_group(y, ts_layout_make_2(32, 32, n, 1), tile, ts_layout_make_2(32, 32, 1, 36));
  own(mine, ts_layout_make_1(4, 1), z, ts_layout_make_1(4, n));
  ts_store(ts_global, f32, 1, y, 0, ts_load(ts_local, f32, 1, mine, 3, 0), 0);
}
