/* SPDX-License-Identifier: Apache-2.0
 *
 * copy.c: the kernels of copies between static layouts. What is copied, copy_pair.c writes in front of this text: the include
 * of tensorstorage.h, the layouts and the TS_COPY of each pair (copy_0, copy_1 …), and lists with a line for each (in those
 * called GENERIC, of the pairs with a generic side, for which there may be none),
 *
 *   COPY(number, P, T, space, start, Q, U, space, start)    policies and dtypes, destination first; the memory, of those
 *                                                           below, that a side is in, and the byte of its element (0, 0 …)
 *
 * The bytes of a side's memory are those of its buffer, and all bytes of the destination's come back. There is a barrier where
 * a group has filled shared memory together: in a kernel of its own for each pair, since PoCL 3.1 ends with a failed assertion
 * (ParallelRegion::Verify) where by_group is in one of several branches behind a barrier.
 */
#define MEMORY_BYTES 4096

#define MOVE_BYTES(P, to, Q, from, first, count)                                                                               \
  for (ts_index k = first; k < MEMORY_BYTES; k += count) ts_store(P, u8, 1, to, k, ts_load(Q, u8, 1, from, k, 0), 0)

/* dst_space: the id of the destination's space, as in core/tables.h. */
#define PARAMETERS                                                                                                             \
  (TS_GLOBAL_ARG(u8) dst_cells, TS_GLOBAL_ARG(u8) src_cells, TS_CONSTANT_ARG(u8) constant_cells, int number, int dst_space)
#define DST(P, T, space, start) ts_unsafe_cast(P, T, ts_##space, u8, ts_offset(ts_##space, u8, dst_in_##space, start))
#define SRC(Q, U, space, start) ts_unsafe_cast(Q, U, ts_##space, u8, ts_offset(ts_##space, u8, src_in_##space, start))

/* Global and constant memory are the buffers themselves. Generic handles are of global memory. */
#if TS_HAVE_GENERIC
#define GENERIC_MEMORY                                                                                                         \
  ts_generic_u8 dst_in_generic = ts_unsafe_cast(ts_generic, u8, ts_global, u8, dst_in_global);                                 \
  ts_generic_u8 src_in_generic = ts_unsafe_cast(ts_generic, u8, ts_global, u8, src_in_global);
#else
#define GENERIC_MEMORY
#endif
#define MEMORY                                                                                                                 \
  ts_global_u8 dst_in_global = ts_bind(ts_global, u8, dst_cells);                                                              \
  ts_global_u8 src_in_global = ts_bind(ts_global, u8, src_cells);                                                              \
  ts_constant_u8 src_in_constant = ts_bind(ts_constant, u8, constant_cells);                                                   \
  GENERIC_MEMORY

/* ---- by one item, alone in its group ---------------------------------------------------------------------------- */

#define COPY(number, P, T, dst_memory, dst_start, Q, U, src_memory, src_start)                                                 \
  case number: copy_##number(DST(P, T, dst_memory, dst_start), SRC(Q, U, src_memory, src_start)); break;
TS_KERNEL(copy_by_item, PARAMETERS) {
  TS_SHARED(dst_in_shared, u8, MEMORY_BYTES);
  TS_SHARED(src_in_shared, u8, MEMORY_BYTES);
  TS_LOCAL(dst_in_local, u8, MEMORY_BYTES);
  TS_LOCAL(src_in_local, u8, MEMORY_BYTES);
  MEMORY
  MOVE_BYTES(ts_shared, dst_in_shared, ts_global, dst_in_global, 0, 1);
  MOVE_BYTES(ts_shared, src_in_shared, ts_global, src_in_global, 0, 1);
  MOVE_BYTES(ts_local, dst_in_local, ts_global, dst_in_global, 0, 1);
  MOVE_BYTES(ts_local, src_in_local, ts_global, src_in_global, 0, 1);
  switch (number) {
    COPY_BY_ITEM_CASES
    COPY_GENERIC_BY_ITEM_CASES
  default: break;
  }
  if (dst_space == 3) MOVE_BYTES(ts_global, dst_in_global, ts_shared, dst_in_shared, 0, 1);
  if (dst_space == 5) MOVE_BYTES(ts_global, dst_in_global, ts_local, dst_in_local, 0, 1);
}
#undef COPY

/* ---- by a group ------------------------------------------------------------------------------------------------- */

#define COPY(number, P, T, dst_memory, dst_start, Q, U, src_memory, src_start)                                                 \
  case number: copy_##number##_by_group(DST(P, T, dst_memory, dst_start), SRC(Q, U, src_memory, src_start)); break;
TS_KERNEL(copy_by_group, PARAMETERS) {
  MEMORY
  switch (number) {
    COPY_BY_GROUP_CASES
    COPY_GENERIC_BY_GROUP_CASES
  default: break;
  }
}
#undef COPY

#define COPY(number, P, T, dst_memory, dst_start, Q, U, src_memory, src_start)                                                 \
  TS_KERNEL(copy_shared_##number, PARAMETERS) {                                                                                \
    TS_SHARED(dst_in_shared, u8, MEMORY_BYTES);                                                                                \
    TS_SHARED(src_in_shared, u8, MEMORY_BYTES);                                                                                \
    MEMORY                                                                                                                     \
    int item = ts_item_linear_id();                                                                                            \
    int items = ts_group_items();                                                                                              \
    MOVE_BYTES(ts_shared, dst_in_shared, ts_global, dst_in_global, item, items);                                               \
    MOVE_BYTES(ts_shared, src_in_shared, ts_global, src_in_global, item, items);                                               \
    ts_barrier();                                                                                                              \
    copy_##number##_by_group(DST(P, T, dst_memory, dst_start), SRC(Q, U, src_memory, src_start));                              \
    ts_barrier();                                                                                                              \
    if (dst_space == 3) MOVE_BYTES(ts_global, dst_in_global, ts_shared, dst_in_shared, item, items);                           \
  }
COPY_SHARED_KERNELS
COPY_GENERIC_SHARED_KERNELS
