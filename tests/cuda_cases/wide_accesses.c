/* SPDX-License-Identifier: Apache-2.0
 *
 * 32 bytes that are promised to be aligned to 32 are one access from sm_100 on, plain, invariant and streaming; two of 16 bytes
 * before. All but the plain ones are assembly, which moves bits.
 *
 * has 100 120: ld.global.v8.[fb]32
 * has 100 120: st.global.v8.[fb]32
 * has 100 120: ld.global.nc.v8.b32
 * has 100 120: ld.global.cs.v8.b32
 * has 100 120: ld.global.cs.nc.v8.b32
 * has 100 120: st.global.cs.v8.b32
 * has 100 120: ld.global.v4.[fb]64
 * has 100 120: st.global.v4.[fb]64
 * lacks 100 120: .*\.v4.[fub]32
 * lacks 100 120: .*\.v2..*
 * lacks 75 80 90: .*\.v8..*
 * has 75 80 90: ld.global.v4.[fb]32
 * has 75 80 90: ld.global.nc.v4.[fb]32
 * has 75 80 90: ld.global.cs.v4.[fb]32
 * has 75 80 90: ld.global.cs.nc.v4.[fb]32
 * has 75 80 90: st.global.cs.v4.[fb]32
 * has 75 80 90: ld.global.v2.[fb]64
 */
#include "tensorstorage.h"

#define COPY(name, T, W, load_flags, store_flags)                                                                              \
  TS_KERNEL(name, (TS_GLOBAL_CONST_ARG(T) x_cells, TS_GLOBAL_ARG(T) y_cells)) {                                                \
    ts_index i = W * (ts_index)ts_global_id(0);                                                                                \
    ts_vector(T, W) v = ts_load(ts_global_const, T, W, ts_bind(ts_global_const, T, x_cells), i, TS_ALIGN(32) | (load_flags));  \
    ts_store(ts_global, T, W, ts_bind(ts_global, T, y_cells), i, v, TS_ALIGN(32) | (store_flags));                             \
  }
COPY(f32_plain, f32, 8, 0, 0)
COPY(f32_invariant, f32, 8, TS_INVARIANT, 0)
COPY(f32_streaming, f32, 8, TS_NON_TEMPORAL, TS_NON_TEMPORAL)
COPY(f32_both, f32, 8, TS_INVARIANT | TS_NON_TEMPORAL, 0)
COPY(f64_plain, f64, 4, 0, 0)
COPY(f64_invariant, f64, 4, TS_INVARIANT, TS_NON_TEMPORAL)
COPY(f16_both, f16, 16, TS_INVARIANT | TS_NON_TEMPORAL, 0)
COPY(i64_plain, i64, 4, 0, 0)
