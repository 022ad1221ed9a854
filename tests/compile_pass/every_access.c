/* SPDX-License-Identifier: Apache-2.0
 *
 * Every policy, dtype and width: load, store, offset, distance, unsafe_cast and the rest, each once through its macro.
 */
#include "tensorstorage.h"

#define LOADS(P, T, W)                                                                                                         \
  TS_FUNCTION ts_vector(T, W) load_##P##_##T##x##W(ts_handle(P, T) h) { return ts_load(P, T, W, h, 1, TS_INVARIANT); }
#define STORES(P, T, W)                                                                                                        \
  TS_FUNCTION void store_##P##_##T##x##W(ts_handle(P, T) h, ts_vector(T, W) value) {                                           \
    ts_store(P, T, W, h, 1, value, TS_ALIGN(1) | TS_NON_TEMPORAL);                                                             \
  }
#define STORES_MUTABLE(P, T) STORES(P, T, 1) STORES(P, T, 2) STORES(P, T, 4) STORES(P, T, 8) STORES(P, T, 16)
#define STORES_CONST(P, T)

#define ACCESSES(P, S, M, T, B, C)                                                                                             \
  LOADS(P, T, 1)                                                                                                               \
  LOADS(P, T, 2)                                                                                                               \
  LOADS(P, T, 4)                                                                                                               \
  LOADS(P, T, 8) LOADS(P, T, 16) STORES_##M(P, T) TS_FUNCTION ts_index there_and_back_##P##_##T(ts_handle(P, T) h) {           \
    ts_handle(P, T) same = ts_unsafe_cast(P, T, P, T, h);                                                                      \
    P##_offset_result_##T there = ts_offset(P, T, same, -3 * ts_element_size(P, T));                                           \
    return ts_distance(P, T, there, h);                                                                                        \
  }
#define ROW(T, U, bytes, kind, computes) TS_POLICIES_NAMED(ACCESSES, T, , )
TS_DTYPES(ROW)
#undef ROW
#if TS_HAVE_GENERIC
#define ROW(T, U, bytes, kind, computes) TS_POLICIES_GENERIC(ACCESSES, T, , )
TS_DTYPES(ROW)
#endif

/* At least these become instructions. */
TS_KERNEL(copy, (TS_GLOBAL_CONST_ARG(bf16) x_cells, TS_GLOBAL_ARG(bf16) y_cells)) {
  ts_global_bf16 y = ts_bind(ts_global, bf16, y_cells);
  store_ts_global_bf16x16(y, load_ts_global_const_bf16x16(ts_bind(ts_global_const, bf16, x_cells)));
  store_ts_global_bf16x1(y, load_ts_global_bf16x1(y));
}
