/* SPDX-License-Identifier: Apache-2.0
 *
 * saxpy.c: y = a x + y on handles. Each work-item has as many elements as its kernel's name ends with.
 *
 * STREAM  0: no hint, 1: stores are streamed, 2: loads too
 */
#define TS_USE_f32 1
#include "tensorstorage.h"

#define LOAD_HINT (STREAM >= 2 ? TS_NON_TEMPORAL : 0)
#define STORE_HINT (STREAM >= 1 ? TS_NON_TEMPORAL : 0)

/* W elements from i on, which lie at a multiple of `bytes`: buffers start at a multiple of 128. */
#define UPDATE(W, bytes, i)                                                                                                    \
  {                                                                                                                            \
    ts_vector(f32, W) u = ts_load(ts_global_const, f32, W, x, i, TS_ALIGN(bytes) | LOAD_HINT);                                 \
    ts_vector(f32, W) v = ts_load(ts_global, f32, W, y, i, TS_ALIGN(bytes) | LOAD_HINT);                                       \
    ts_store(ts_global, f32, W, y, i, a *u + v, TS_ALIGN(bytes) | STORE_HINT);                                                 \
  }

#define SAXPY(W, bytes)                                                                                                        \
  TS_KERNEL(saxpy_x##W, (TS_GLOBAL_CONST_ARG(f32) x_cells, TS_GLOBAL_ARG(f32) y_cells, float a)) {                             \
    ts_global_const_f32 x = ts_bind(ts_global_const, f32, x_cells);                                                            \
    ts_global_f32 y = ts_bind(ts_global, f32, y_cells);                                                                        \
    ts_index i = W * (ts_index)ts_global_id(0);                                                                                \
    UPDATE(W, bytes, i)                                                                                                        \
  }
SAXPY(1, 4)
SAXPY(4, 16)
SAXPY(8, 32)
SAXPY(16, 64)

enum { CHUNK = 1024 };
TS_KERNEL(chunk_x1024, (TS_GLOBAL_CONST_ARG(f32) x_cells, TS_GLOBAL_ARG(f32) y_cells, float a)) {
  ts_index at = CHUNK * (ts_index)ts_global_id(0);
  ts_global_const_f32 x = ts_offset(ts_global_const, f32, ts_bind(ts_global_const, f32, x_cells), at);
  ts_global_f32 y = ts_offset(ts_global, f32, ts_bind(ts_global, f32, y_cells), at);
  for (int i = 0; i < CHUNK; i += 16) UPDATE(16, 64, i)
}
