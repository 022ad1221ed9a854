/* SPDX-License-Identifier: Apache-2.0
 *
 * Asynchronous copies that no instruction can do: two bytes at once, and elements of 8 bytes aligned to 4. Work-items load and
 * store.
 *
 * lacks: cp\.async\.c[ag].*
 * has: ld\.global\.[bu]16
 * has: st\.shared\.[bu]16
 * has: ld\.global\.[bu]32
 */
#include "tensorstorage.h"

TS_ROW_MAJOR_1(row, 1000)
TS_COPY_ASYNC(load_u16, u16, row, TS_ALIGN(2), row, TS_ALIGN(2))
TS_COPY_ASYNC(load_u64, u64, row, TS_ALIGN(8), row, TS_ALIGN(4))

#define KERNEL(T)                                                                                                              \
  TS_KERNEL(k##T, (TS_GLOBAL_CONST_ARG(T) x_cells, TS_GLOBAL_ARG(T) y_cells)) {                                                \
    TS_SHARED(tile, T, 1000);                                                                                                  \
    int i = ts_item_in_group(0);                                                                                               \
    ts_copy_event e = ts_copy_begin();                                                                                         \
    e = load_##T##_async(tile, ts_bind(ts_global_const, T, x_cells), e);                                                       \
    ts_copy_wait(e);                                                                                                           \
    ts_store(ts_global, T, 1, ts_bind(ts_global, T, y_cells), i, ts_load(ts_shared, T, 1, tile, 999 - i, 0), 0);               \
  }
KERNEL(u16)
KERNEL(u64)
