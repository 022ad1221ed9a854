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

#define CASE(n, d0, d1, d2, e0, e1, e2, dst_bytes, s0, s1, s2, t0, t1, t2, src_bytes)                                          \
  TS_LAYOUT_3(dst_##n, d0, d1, d2, e0, e1, e2)                                                                                 \
  TS_LAYOUT_3(src_##n, s0, s1, s2, t0, t1, t2)                                                                                 \
  TS_COPY_ASYNC(copy_##n, COPY_T, dst_##n, TS_ALIGN(dst_bytes), src_##n, TS_ALIGN(src_bytes))
COPY_ASYNC_CASES
#undef CASE

/* `copies` times on one event, from half to half of both sides; then what shared memory has become, byte by byte. */
#define CASE(n, d0, d1, d2, e0, e1, e2, dst_bytes, s0, s1, s2, t0, t1, t2, src_bytes)                                          \
  case n:                                                                                                                      \
    for (int k = 0; k < copies; ++k)                                                                                           \
      e = copy_##n##_async(                                                                                                    \
          ts_offset(ts_shared, COPY_T, dst, (ts_index)k * HALF_BYTES / (ts_index)sizeof(ts_scalar(COPY_T))),                   \
          ts_offset(ts_global_const, COPY_T, src, (ts_index)k * SOURCE_HALF_BYTES / (ts_index)sizeof(ts_scalar(COPY_T))), e);  \
    break;

TS_KERNEL(copy_async, (TS_GLOBAL_CONST_ARG(u8) source_cells, TS_GLOBAL_ARG(u8) target_cells, int number, int copies,
                       int dst_byte, int src_byte)) {
  TS_SHARED(image, u8, IMAGE_BYTES);
  ts_global_u8 target = ts_bind(ts_global, u8, target_cells);
  int items = ts_group_size(0) * ts_group_size(1);
  int item = ts_item_in_group(0) + ts_group_size(0) * ts_item_in_group(1);
  for (int k = item; k < IMAGE_BYTES; k += items) ts_store(ts_shared, u8, 1, image, k, (ts_u8)(7 * k + 3), 0);
  ts_barrier();

  ts_handle(ts_shared, COPY_T) dst =
      ts_unsafe_cast(ts_shared, COPY_T, ts_shared, u8, ts_offset(ts_shared, u8, image, dst_byte));
  ts_handle(ts_global_const, COPY_T) src =
      ts_unsafe_cast(ts_global_const, COPY_T, ts_global_const, u8,
                     ts_offset(ts_global_const, u8, ts_bind(ts_global_const, u8, source_cells), src_byte));
  ts_copy_event e = ts_copy_begin();
  switch (number) { COPY_ASYNC_CASES }
  ts_copy_wait(e);
  for (int k = item; k < IMAGE_BYTES; k += items)
    ts_store(ts_global, u8, 1, target, GUARD + k, ts_load(ts_shared, u8, 1, image, k, 0), 0);
}
