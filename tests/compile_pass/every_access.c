/* SPDX-License-Identifier: Apache-2.0
 *
 * Every policy, dtype and width: load, store, offset, distance and unsafe_cast, each once through its macro.
 *
 * The lists are written again here, since a macro of the header finds nothing inside the list that it looks into. They are
 * counted against the header's.
 */
#include "tensorstorage.h"

/* clang-format off */
#define DTYPES(X, P, M)                                                                  \
  X(P, M, b8) X(P, M, i8) X(P, M, u8) X(P, M, i16) X(P, M, u16) X(P, M, i32) X(P, M, u32) \
  X(P, M, i64) X(P, M, u64) X(P, M, f16) X(P, M, bf16) X(P, M, f32) X(P, M, f64)         \
  X(P, M, f8e4m3fn) X(P, M, f8e5m2)
/* clang-format on */
#define COUNT(P, M, T) +1
#define COUNT_DTYPE(T, U, bytes, kind, computes) +1
#define COUNT_POLICY(P, S, M, A, B, C) +1
TS_STATIC_ASSERT(DTYPES(COUNT, , ) == TS_DTYPES(COUNT_DTYPE), "DTYPES lists all dtypes");
TS_STATIC_ASSERT(7 == TS_POLICIES_NAMED(COUNT_POLICY, , , ), "all policies are below");
TS_STATIC_ASSERT(2 == TS_POLICIES_GENERIC(COUNT_POLICY, , , ), "all generic policies are below");

#define LOADS(P, T, W)                                                                                                         \
  TS_FUNCTION ts_vector(T, W) load_##P##_##T##x##W(ts_handle(P, T) h) { return ts_load(P, T, W, h, 1, TS_INVARIANT); }
#define STORES(P, T, W)                                                                                                        \
  TS_FUNCTION void store_##P##_##T##x##W(ts_handle(P, T) h, ts_vector(T, W) value) {                                           \
    ts_store(P, T, W, h, 1, value, TS_ALIGN(1) | TS_NON_TEMPORAL);                                                             \
  }
#define STORES_MUTABLE(P, T) STORES(P, T, 1) STORES(P, T, 2) STORES(P, T, 4) STORES(P, T, 8) STORES(P, T, 16)
#define STORES_CONST(P, T)
#define ACCESSES(P, M, T)                                                                                                      \
  LOADS(P, T, 1)                                                                                                               \
  LOADS(P, T, 2)                                                                                                               \
  LOADS(P, T, 4)                                                                                                               \
  LOADS(P, T, 8) LOADS(P, T, 16) STORES_##M(P, T) TS_FUNCTION ts_index there_and_back_##P##_##T(ts_handle(P, T) h) {           \
    ts_handle(P, T) same = ts_unsafe_cast(P, T, P, T, h);                                                                      \
    P##_offset_result_##T there = ts_offset(P, T, same, -3 * ts_element_size(P, T));                                           \
    return ts_distance(P, T, there, h);                                                                                        \
  }
DTYPES(ACCESSES, ts_global, MUTABLE)
DTYPES(ACCESSES, ts_global_const, CONST)
DTYPES(ACCESSES, ts_shared, MUTABLE)
DTYPES(ACCESSES, ts_shared_const, CONST)
DTYPES(ACCESSES, ts_constant, CONST)
DTYPES(ACCESSES, ts_local, MUTABLE)
DTYPES(ACCESSES, ts_local_const, CONST)
#if TS_HAVE_GENERIC
DTYPES(ACCESSES, ts_generic, MUTABLE)
DTYPES(ACCESSES, ts_generic_const, CONST)
#endif

/* At least these become instructions. */
TS_KERNEL(copy, (TS_GLOBAL_CONST_ARG(bf16) x_cells, TS_GLOBAL_ARG(bf16) y_cells)) {
  ts_global_bf16 y = ts_bind(ts_global, bf16, y_cells);
  store_ts_global_bf16x16(y, load_ts_global_const_bf16x16(ts_bind(ts_global_const, bf16, x_cells)));
  store_ts_global_bf16x1(y, load_ts_global_bf16x1(y));
}
