/* SPDX-License-Identifier: Apache-2.0
 *
 * accesses.c: one kernel for each row of README.md's table of accesses and instructions. Only to be compiled and looked at:
 * docs/backends.md has the command lines.
 */
#include "tensorstorage.h"

/* Copy W elements for each work-item, from one storage to another. */
#define COPY(to, y, from, x, W, flags)                                                                                         \
  ts_store(to, f32, W, y, ts_global_id(0) * W, ts_load(from, f32, W, x, ts_global_id(0) * W, flags), flags)

TS_KERNEL(own_alignment, (TS_GLOBAL_CONST_ARG(f32) x, TS_GLOBAL_ARG(f32) y)) {
  COPY(ts_global, ts_bind(ts_global, f32, y), ts_global_const, ts_bind(ts_global_const, f32, x), 4, 0);
}

TS_KERNEL(plain, (TS_GLOBAL_CONST_ARG(f32) x, TS_GLOBAL_ARG(f32) y)) {
  COPY(ts_global, ts_bind(ts_global, f32, y), ts_global_const, ts_bind(ts_global_const, f32, x), 4, TS_ALIGN(16));
}

TS_KERNEL(invariant, (TS_GLOBAL_CONST_ARG(f32) x, TS_GLOBAL_ARG(f32) y)) {
  COPY(ts_global, ts_bind(ts_global, f32, y), ts_global_const, ts_bind(ts_global_const, f32, x), 4,
       TS_ALIGN(16) | TS_INVARIANT);
}

TS_KERNEL(non_temporal, (TS_GLOBAL_CONST_ARG(f32) x, TS_GLOBAL_ARG(f32) y)) {
  COPY(ts_global, ts_bind(ts_global, f32, y), ts_global_const, ts_bind(ts_global_const, f32, x), 4,
       TS_ALIGN(16) | TS_NON_TEMPORAL);
}

TS_KERNEL(invariant_non_temporal, (TS_GLOBAL_CONST_ARG(f32) x, TS_GLOBAL_ARG(f32) y)) {
  COPY(ts_global, ts_bind(ts_global, f32, y), ts_global_const, ts_bind(ts_global_const, f32, x), 4,
       TS_ALIGN(16) | TS_INVARIANT | TS_NON_TEMPORAL);
}

TS_KERNEL(shared, (TS_SHARED_ARG(f32) x, TS_SHARED_ARG(f32) y)) {
  COPY(ts_shared, ts_bind(ts_shared, f32, y), ts_shared, ts_bind(ts_shared, f32, x), 4, TS_ALIGN(16));
}

TS_CONSTANT_TABLE(table, f32, 8, (0, 1, 2, 3, 4, 5, 6, 7));

TS_KERNEL(constant_table, (TS_GLOBAL_ARG(f32) y, int i)) {
  ts_store(ts_global, f32, 4, ts_bind(ts_global, f32, y), 4 * ts_global_id(0),
           ts_load(ts_constant, f32, 4, ts_bind(ts_constant, f32, table), 4 * i, TS_ALIGN(16)), TS_ALIGN(16));
}

TS_KERNEL(eight_wide, (TS_GLOBAL_CONST_ARG(f32) x, TS_GLOBAL_ARG(f32) y)) {
  COPY(ts_global, ts_bind(ts_global, f32, y), ts_global_const, ts_bind(ts_global_const, f32, x), 8, TS_ALIGN(32));
}
