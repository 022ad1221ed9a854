/* SPDX-License-Identifier: Apache-2.0
 *
 * copies.c: fifty copies of tiles of 32 by 32 from global to shared memory, each between layouts of its own. They are built,
 * and run only for another number than the bench gives.
 */
#include "tensorstorage.h"

#define TEN(X, tens)                                                                                                           \
  X(tens##0) X(tens##1) X(tens##2) X(tens##3) X(tens##4) X(tens##5) X(tens##6) X(tens##7) X(tens##8) X(tens##9)
#define FIFTY(X) TEN(X, 1) TEN(X, 2) TEN(X, 3) TEN(X, 4) TEN(X, 5)

#define DEFINE(i)                                                                                                              \
  TS_LAYOUT_2(to_##i, 32, 32, 32 + 4 * (i), 1)                                                                                 \
  TS_LAYOUT_2(from_##i, 32, 32, 1024 + 16 * (i), 1)                                                                            \
  TS_COPY(copy_##i, ts_shared, f32, to_##i, TS_ALIGN(16), ts_global_const, f32, from_##i, TS_ALIGN(16))
FIFTY(DEFINE)

#define CALL(i) copy_##i##_by_group(tile, ts_offset(ts_global_const, f32, x, 4 * (i)));
TS_KERNEL(copies, (TS_GLOBAL_CONST_ARG(f32) x_cells, TS_GLOBAL_ARG(f32) y_cells, float a)) {
  TS_SHARED(tile, f32, to_59_cosize);
  ts_global_const_f32 x = ts_bind(ts_global_const, f32, x_cells);
  ts_store(ts_shared, f32, 1, tile, ts_item_in_group(0), a, 0);
  if (a != 1.0f) {
    FIFTY(CALL)
  }
  ts_barrier();
  ts_store(ts_global, f32, 1, ts_bind(ts_global, f32, y_cells), (ts_index)ts_global_id(0),
           ts_load(ts_shared, f32, 1, tile, ts_item_in_group(0), 0), 0);
}
