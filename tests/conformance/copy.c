/* SPDX-License-Identifier: Apache-2.0
 *
 * copy.c: the kernels of copies. What is copied, copy_pair.c writes in front of this text: the include of tensorstorage.h, the
 * TS_COPY of each pair with its layouts, or if COPY_IS_DYNAMIC its TS_COPY_DYNAMIC (copy_0, copy_1 …), and lists with a line
 * for each (in those called GENERIC, of the pairs with a generic side, for which there may be none),
 *
 *   COPY(number, P, T, space, Q, U, space)    policies and dtypes, destination first, and the memory, of those below, of a side
 *
 * number_cells has the byte of the memory that element (0, 0 …) of the destination is at, that of the source, and then the two
 * layouts: rank, 8 extents, 8 strides.
 *
 * The bytes of a side's memory are those of its buffer, and all bytes of the destination's come back. There is a barrier where
 * a group has filled shared memory together: in a kernel of its own for each pair, since PoCL 3.1 ends with a failed assertion
 * (ParallelRegion::Verify) where by_group is in one of several branches behind a barrier: docs/driver-issues.
 */
#define MEMORY_BYTES 4096

#define MOVE_BYTES(P, to, Q, from, first, count)                                                                               \
  for (ts_index k = first; k < MEMORY_BYTES; k += count) ts_store(P, u8, 1, to, k, ts_load(Q, u8, 1, from, k, 0), 0)

/* dst_space: the id of the destination's space, as in core/tables.h. */
#define PARAMETERS                                                                                                             \
  (TS_GLOBAL_ARG(u8) dst_cells, TS_GLOBAL_ARG(u8) src_cells, TS_CONSTANT_ARG(u8) constant_cells,                               \
   TS_GLOBAL_CONST_ARG(i64) number_cells, int number, int dst_space)
#define DST(P, T, space) ts_unsafe_cast(P, T, ts_##space, u8, ts_offset(ts_##space, u8, dst_in_##space, dst_start))
#define SRC(Q, U, space) ts_unsafe_cast(Q, U, ts_##space, u8, ts_offset(ts_##space, u8, src_in_##space, src_start))

#if COPY_IS_DYNAMIC
TS_FUNCTION ts_layout layout_at(ts_global_const_i64 numbers, int at) {
  ts_layout layout;
  layout.rank = ts_load(ts_global_const, i64, 1, numbers, at, 0);
  for (int d = 0; d < 8; ++d) {
    layout.shape[d] = ts_load(ts_global_const, i64, 1, numbers, at + 1 + d, 0);
    layout.stride[d] = ts_load(ts_global_const, i64, 1, numbers, at + 9 + d, 0);
  }
  return layout;
}
#define LAYOUTS ts_layout dst_layout = layout_at(numbers, 2), src_layout = layout_at(numbers, 19);
#define CALL(function, dst, src) function(dst, dst_layout, src, src_layout)
#else
#define LAYOUTS
#define CALL(function, dst, src) function(dst, src)
#endif

/* Global and constant memory are the buffers themselves. Generic handles are of global memory. */
#if TS_HAVE_GENERIC
#define GENERIC_MEMORY                                                                                                         \
  ts_generic_u8 dst_in_generic = ts_unsafe_cast(ts_generic, u8, ts_global, u8, dst_in_global);                                 \
  ts_generic_u8 src_in_generic = ts_unsafe_cast(ts_generic, u8, ts_global, u8, src_in_global);
#else
#define GENERIC_MEMORY
#endif
#define MEMORY                                                                                                                 \
  ts_global_const_i64 numbers = ts_bind(ts_global_const, i64, number_cells);                                                   \
  ts_index dst_start = (ts_index)ts_load(ts_global_const, i64, 1, numbers, 0, 0);                                              \
  ts_index src_start = (ts_index)ts_load(ts_global_const, i64, 1, numbers, 1, 0);                                              \
  LAYOUTS                                                                                                                      \
  ts_global_u8 dst_in_global = ts_bind(ts_global, u8, dst_cells);                                                              \
  ts_global_u8 src_in_global = ts_bind(ts_global, u8, src_cells);                                                              \
  ts_constant_u8 src_in_constant = ts_bind(ts_constant, u8, constant_cells);                                                   \
  GENERIC_MEMORY

/* ---- by one item, alone in its group ---------------------------------------------------------------------------- */

#define COPY(number, P, T, dst_memory, Q, U, src_memory)                                                                       \
  case number: CALL(copy_##number, DST(P, T, dst_memory), SRC(Q, U, src_memory)); break;
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

#define COPY(number, P, T, dst_memory, Q, U, src_memory)                                                                       \
  case number: CALL(copy_##number##_by_group, DST(P, T, dst_memory), SRC(Q, U, src_memory)); break;
TS_KERNEL(copy_by_group, PARAMETERS) {
  MEMORY
  switch (number) {
    COPY_BY_GROUP_CASES
    COPY_GENERIC_BY_GROUP_CASES
  default: break;
  }
}
#undef COPY

#define COPY(number, P, T, dst_memory, Q, U, src_memory)                                                                       \
  TS_KERNEL(copy_shared_##number, PARAMETERS) {                                                                                \
    TS_SHARED(dst_in_shared, u8, MEMORY_BYTES);                                                                                \
    TS_SHARED(src_in_shared, u8, MEMORY_BYTES);                                                                                \
    MEMORY                                                                                                                     \
    int item = ts_item_linear_id();                                                                                            \
    int items = ts_group_items();                                                                                              \
    MOVE_BYTES(ts_shared, dst_in_shared, ts_global, dst_in_global, item, items);                                               \
    MOVE_BYTES(ts_shared, src_in_shared, ts_global, src_in_global, item, items);                                               \
    ts_barrier_global(); /* the destination's memory was read, and may be global */                                            \
    CALL(copy_##number##_by_group, DST(P, T, dst_memory), SRC(Q, U, src_memory));                                              \
    ts_barrier();                                                                                                              \
    if (dst_space == 3) MOVE_BYTES(ts_global, dst_in_global, ts_shared, dst_in_shared, item, items);                           \
  }
COPY_SHARED_KERNELS
COPY_GENERIC_SHARED_KERNELS
