/* SPDX-License-Identifier: Apache-2.0
 *
 * faults.c: kernels for tests/opencl_x86_test.sh, each right where `fault` is 0 and else wrong in the way that it is named for.
 * A group of 16 work-items; x and y have 16 elements each, and so has s.
 */
#include "tensorstorage.h"

#define PARAMETERS (TS_GLOBAL_CONST_ARG(f32) x_cells, TS_GLOBAL_ARG(f32) y_cells, TS_SHARED_ARG(f32) s_cells, int fault)
#define BIND                                                                                                                   \
  ts_global_const_f32 x = ts_bind(ts_global_const, f32, x_cells);                                                              \
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);                                                                          \
  ts_shared_f32 s = ts_bind(ts_shared, f32, s_cells);                                                                          \
  int i = ts_item_in_group(0);                                                                                                 \
  ts_store(ts_shared, f32, 1, s, i, 0.0f, 0);                                                                                  \
  ts_store(ts_global, f32, 1, y, i, ts_load(ts_global_const, f32, 1, x, i, 0), 0)

TS_KERNEL(read_beyond, PARAMETERS) {
  BIND;
  ts_store(ts_global, f32, 4, y, 12, ts_load(ts_global_const, f32, 4, x, 12 + fault, 0), 0);
}
TS_KERNEL(shared_beyond, PARAMETERS) {
  BIND;
  ts_store(ts_shared, f32, 1, s, 15 + fault, 0.0f, 0);
}
TS_KERNEL(local_beyond, PARAMETERS) {
  TS_LOCAL(mine, f32, 16);
  BIND;
  ts_store(ts_local, f32, 1, mine, 15 + fault, 0.0f, 0);
}
TS_KERNEL(promise, PARAMETERS) {
  BIND;
  ts_store(ts_global, f32, 4, y, fault, ts_load(ts_global_const, f32, 4, x, 0, TS_ALIGN(16)), TS_ALIGN(16));
}
TS_KERNEL(streaming_promise, PARAMETERS) {
  BIND;
  ts_store(ts_global, f32, 4, y, fault, ts_load(ts_global_const, f32, 4, x, 0, TS_ALIGN(16)), TS_ALIGN(16) | TS_NON_TEMPORAL);
}
TS_KERNEL(overflow, PARAMETERS) {
  BIND;
  ts_store(ts_shared, f32, 1, s, i, (float)(2147483647 + fault), 0);
}
TS_KERNEL(divergent_barrier, PARAMETERS) {
  BIND;
  if (!fault || i < 8) ts_barrier();
}

/* Each work-item reads what the next one wrote: of what nobody has written yet there is a constant that is no element of x. */
TS_KERNEL(missing_barrier, PARAMETERS) {
  TS_SHARED(tile, f32, 16);
  BIND;
  ts_store(ts_shared, f32, 1, tile, (i + 15) % 16, ts_load(ts_global_const, f32, 1, x, (i + 15) % 16, 0), 0);
  if (!fault) ts_barrier();
  ts_store(ts_global, f32, 1, y, i, ts_load(ts_shared, f32, 1, tile, i, 0), 0);
}

TS_ROW_MAJOR_1(row, 16)
TS_COPY_ASYNC(load_row, f32, row, 0, row, 0)
TS_KERNEL(missing_wait, PARAMETERS) {
  TS_SHARED(tile, f32, 16);
  BIND;
  ts_copy_event e = ts_copy_begin();
  e = load_row_async(tile, x, e);
  if (!fault) ts_copy_wait(e);
  ts_barrier();
  ts_store(ts_global, f32, 1, y, i, ts_load(ts_shared, f32, 1, tile, i, 0), 0);
}
