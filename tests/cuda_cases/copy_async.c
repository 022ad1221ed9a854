/* SPDX-License-Identifier: Apache-2.0
 *
 * Asynchronous copies of 16, 8 and 4 bytes each: from sm_80 on no register takes part, before
 * it is a load and a store.
 *
 * has 80 90 100 120: cp\.async\.cg\.shared\.global 16
 * has 80 90 100 120: cp\.async\.ca\.shared\.global 8
 * has 80 90 100 120: cp\.async\.ca\.shared\.global 4
 * has 80 90 100 120: cp\.async\.wait_all
 * lacks 80 90 100 120: ld\.global.*
 * lacks 80 90 100 120: st\.shared.*
 * lacks 75: cp\.async.*
 * has 75: ld\.global\.v4\.[fb]32
 * has 75: ld\.global\.v2\.[fb]32
 * has 75: ld\.global\.[fb]32
 * has 75: st\.shared\.v4\.[fb]32
 * has 75: st\.shared\.v2\.[fb]32
 * has 75: st\.shared\.[fb]32
 */
#include "tensorstorage.h"

TS_LAYOUT_2(padded, 32, 32, 36, 1)
TS_LAYOUT_2(rows, 32, 32, 1024, 1)
TS_COPY_ASYNC(load_16, f32, padded, TS_ALIGN(16), rows, TS_ALIGN(16))
TS_COPY_ASYNC(load_8, f32, padded, TS_ALIGN(16), rows, TS_ALIGN(8))
TS_COPY_ASYNC(load_4, f32, padded, TS_ALIGN(4), rows, TS_ALIGN(16))

#define KERNEL(bytes)                                                                                                          \
  TS_KERNEL(k##bytes, (TS_GLOBAL_CONST_ARG(f32) x_cells, TS_GLOBAL_ARG(f32) y_cells)) {                                        \
    TS_SHARED(tile, f32, 32 * 36);                                                                                             \
    int i = ts_item_in_group(0);                                                                                               \
    ts_copy_event e = ts_copy_begin();                                                                                         \
    e = load_##bytes##_async(tile, ts_bind(ts_global_const, f32, x_cells), e);                                                 \
    ts_copy_wait(e);                                                                                                           \
    ts_store(ts_global, f32, 1, ts_bind(ts_global, f32, y_cells), i, ts_load(ts_shared, f32, 1, tile, 36 * i, 0), 0);          \
  }
KERNEL(16)
KERNEL(8)
KERNEL(4)
