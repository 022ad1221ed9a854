/* SPDX-License-Identifier: Apache-2.0
 *
 * copy.c: y = x on handles, by accesses and by TS_COPY. Each work-item has as many elements as its kernel's name ends with.
 *
 * STREAM  0: no hint, 1: stores are streamed, 2: loads too
 */
#define TS_USE_f32 1
#include "tensorstorage.h"

#define LOAD_HINT (STREAM >= 2 ? TS_NON_TEMPORAL : 0)
#define STORE_HINT (STREAM >= 1 ? TS_NON_TEMPORAL : 0)

/* Buffers start at a multiple of 128 bytes, so every vector is aligned to its size. */
#define COPY(W, bytes)                                                                                                         \
  TS_KERNEL(copy_x##W, (TS_GLOBAL_CONST_ARG(f32) x_cells, TS_GLOBAL_ARG(f32) y_cells)) {                                       \
    ts_global_const_f32 x = ts_bind(ts_global_const, f32, x_cells);                                                            \
    ts_global_f32 y = ts_bind(ts_global, f32, y_cells);                                                                        \
    ts_index i = W * (ts_index)ts_global_id(0);                                                                                \
    ts_vector(f32, W) v = ts_load(ts_global_const, f32, W, x, i, TS_ALIGN(bytes) | LOAD_HINT);                                 \
    ts_store(ts_global, f32, W, y, i, v, TS_ALIGN(bytes) | STORE_HINT);                                                        \
  }
COPY(1, 4)
COPY(4, 16)
COPY(8, 32)
COPY(16, 64)

enum { CHUNK = 4096 };
TS_ROW_MAJOR_1(chunk, CHUNK)
TS_COPY(copy_chunk, ts_global, f32, chunk, TS_ALIGN(64) | STORE_HINT, ts_global_const, f32, chunk, TS_ALIGN(64) | LOAD_HINT)

TS_KERNEL(chunk_x4096, (TS_GLOBAL_CONST_ARG(f32) x_cells, TS_GLOBAL_ARG(f32) y_cells)) {
  ts_index at = CHUNK * (ts_index)ts_global_id(0);
  copy_chunk(ts_offset(ts_global, f32, ts_bind(ts_global, f32, y_cells), at),
             ts_offset(ts_global_const, f32, ts_bind(ts_global_const, f32, x_cells), at));
}
