/* SPDX-License-Identifier: Apache-2.0
 *
 * handle.c: dst = src, converted, on the header: each work-item converts as many elements as its kernel's name ends with.
 *
 * DST, SRC  dtypes
 * STREAM    0: no hint, 1: stores are streamed, 2: loads too
 */
#include "tensorstorage.h"

#define LOAD_HINT (STREAM >= 2 ? TS_NON_TEMPORAL : 0)
#define STORE_HINT (STREAM >= 1 ? TS_NON_TEMPORAL : 0)

#define CONVERT(W)                                                                                                             \
  TS_KERNEL(handle_x##W, (TS_GLOBAL_CONST_ARG(SRC) src_cells, TS_GLOBAL_ARG(DST) dst_cells)) {                                 \
    ts_handle(ts_global_const, SRC) src = ts_bind(ts_global_const, SRC, src_cells);                                            \
    ts_handle(ts_global, DST) dst = ts_bind(ts_global, DST, dst_cells);                                                        \
    ts_index i = W * ts_global_id(0);                                                                                          \
    ts_vector(SRC, W) v = ts_load(ts_global_const, SRC, W, src, i, TS_ALIGN_FOR(SRC, W) | LOAD_HINT);                          \
    ts_store(ts_global, DST, W, dst, i, ts_convert(DST, SRC, W, v), TS_ALIGN_FOR(DST, W) | STORE_HINT);                        \
  }
/* Buffers start at a multiple of 128 bytes, so every vector is aligned to its size. */
#define TS_ALIGN_FOR(T, W) (W * (int)sizeof(ts_scalar(T)))

CONVERT(1) CONVERT(2) CONVERT(4) CONVERT(8) CONVERT(16)
