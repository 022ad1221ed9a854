/* SPDX-License-Identifier: Apache-2.0
 *
 * copy_async.c: the conformance kernel of asynchronous copies from global to shared memory: built once for each of some dtypes,
 * COPY_T. COPY_ASYNC_CASES is a list of
 *
 *   CASE(number, destination, promise in bytes, source, promise in bytes)
 *
 * where a side is a shape of three extents, then the strides.
 */
#include "tensorstorage.h"

/* The same numbers as in copy_async_cases.c. */
enum { GUARD = 256, HALF_BYTES = 5120, IMAGE_BYTES = 2 * HALF_BYTES, SOURCE_HALF_BYTES = 16384 };

/* Byte k of shared memory starts as 7 k + 3. */
TS_FUNCTION void fill(ts_shared_u8 image) {
  for (int k = ts_item_linear_id(); k < IMAGE_BYTES; k += ts_group_items())
    ts_store(ts_shared, u8, 1, image, k, (ts_u8)(7 * k + 3), 0);
  ts_barrier();
}
TS_FUNCTION void dump(ts_global_u8 target, ts_shared_u8 image) {
  for (int k = ts_item_linear_id(); k < IMAGE_BYTES; k += ts_group_items())
    ts_store(ts_global, u8, 1, target, GUARD + k, ts_load(ts_shared, u8, 1, image, k, 0), 0);
}

#define DST(bytes) ts_unsafe_cast(ts_shared, COPY_T, ts_shared, u8, ts_offset(ts_shared, u8, image, bytes))
#define SRC(bytes)                                                                                                             \
  ts_unsafe_cast(ts_global_const, COPY_T, ts_global_const, u8,                                                                 \
                 ts_offset(ts_global_const, u8, ts_bind(ts_global_const, u8, source_cells), bytes))

/* `copies` times on one event, from half to half of both sides; then what shared memory has become. A kernel for each case,
 * since the drivers of CPUs have barriers in these functions, and PoCL 3.1 fails on some that stand in a branch. */
#define CASE(n, d0, d1, d2, e0, e1, e2, dst_bytes, s0, s1, s2, t0, t1, t2, src_bytes)                                          \
  TS_LAYOUT_3(dst_##n, d0, d1, d2, e0, e1, e2)                                                                                 \
  TS_LAYOUT_3(src_##n, s0, s1, s2, t0, t1, t2)                                                                                 \
  TS_COPY_ASYNC(load_##n, COPY_T, dst_##n, TS_ALIGN(dst_bytes), src_##n, TS_ALIGN(src_bytes))                                  \
  TS_KERNEL(copy_async_##n,                                                                                                    \
            (TS_GLOBAL_CONST_ARG(u8) source_cells, TS_GLOBAL_ARG(u8) target_cells, int copies, int dst_byte, int src_byte)) {  \
    TS_SHARED(image, u8, IMAGE_BYTES);                                                                                         \
    fill(image);                                                                                                               \
    ts_copy_event e = ts_copy_begin();                                                                                         \
    for (int k = 0; k < copies; ++k)                                                                                           \
      e = load_##n##_async(DST(dst_byte + k * HALF_BYTES), SRC(src_byte + k * SOURCE_HALF_BYTES), e);                          \
    ts_copy_wait(e);                                                                                                           \
    dump(ts_bind(ts_global, u8, target_cells), image);                                                                         \
  }
COPY_ASYNC_CASES
