/* SPDX-License-Identifier: Apache-2.0
 *
 * A copy between a storage whose elements are pairs of scalars and one of single scalars.
 *
 * expect: copy unpair: the elements have different sizes
 */
#define TS_USE_DYNAMIC_LAYOUTS 1
#include "tensorstorage.h"

typedef ts_global_f32 pairs_f32;
#ifdef FIXED
enum { pairs_element_size_f32 = 1 };
#else
enum { pairs_element_size_f32 = 2 };
#endif
#define PAIRS(W)                                                                                                               \
  TS_FUNCTION ts_vector(f32, W) pairs_load_f32x##W(pairs_f32 h, ts_index i, int flags) {                                       \
    (void)flags;                                                                                                               \
    return ts_load(ts_global, f32, W, h, i, 0);                                                                                \
  }
PAIRS(1)
PAIRS(2)
PAIRS(4)
PAIRS(8)
PAIRS(16)

TS_COPY_DYNAMIC(unpair, ts_global, f32, 0, pairs, f32, 0)

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) x_cells, TS_GLOBAL_ARG(f32) y_cells)) {
  pairs_f32 x = ts_bind(ts_global, f32, x_cells);
  unpair(ts_bind(ts_global, f32, y_cells), ts_layout_make_1(16, 1), x, ts_layout_make_1(16, 2));
}
