/* SPDX-License-Identifier: Apache-2.0
 *
 * copy_dynamic.c: the conformance kernels of copies between layouts that are known at run time: built once.
 *
 * The suite writes the lists of copies in front of this text, one list for each kernel, of COPY(number, dst dtype, dst flags,
 * src dtype, src flags). A kernel defines the copies of its list and has a switch over them. number_cells holds the two
 * layouts, in 17 numbers each, and which elements of the payloads are element 0 of destination and source.
 */
#define TS_USE_DYNAMIC_LAYOUTS 1
#include "tensorstorage.h"

#define GUARD 256
#define MOST 400 /* elements of a copy by way of a tile */

/* The layout in 17 numbers: rank, shape, stride. */
TS_FUNCTION ts_layout layout_at(ts_global_const_i64 source, int at) {
  ts_layout layout;
  layout.rank = ts_load(ts_global_const, i64, 1, source, at, 0);
  for (int d = 0; d < 8; ++d) {
    layout.shape[d] = ts_load(ts_global_const, i64, 1, source, at + 1 + d, 0);
    layout.stride[d] = ts_load(ts_global_const, i64, 1, source, at + 9 + d, 0);
  }
  return layout;
}

/* The tile of the layout's shape, the other way round than most are. */
TS_FUNCTION ts_layout tile_of(ts_layout layout) { return ts_layout_column_major((int)layout.rank, layout.shape); }

/* What each kernel starts with. */
#define BIND(P)                                                                                                                \
  ts_global_const_i64 numbers = ts_bind(ts_global_const, i64, number_cells);                                                   \
  ts_handle(P, u8) source = ts_offset(P, u8, ts_bind(P, u8, source_cells), GUARD);                                             \
  ts_global_u8 target = ts_offset(ts_global, u8, ts_bind(ts_global, u8, target_cells), GUARD);                                 \
  ts_layout to = layout_at(numbers, 0), from = layout_at(numbers, 17);                                                         \
  ts_index dst = (ts_index)ts_load(ts_global_const, i64, 1, numbers, 34, 0);                                                   \
  ts_index src = (ts_index)ts_load(ts_global_const, i64, 1, numbers, 35, 0)
#define SOURCE(P, T) ts_offset(P, T, ts_unsafe_cast(P, T, P, u8, source), src)
#define TARGET(T) ts_offset(ts_global, T, ts_unsafe_cast(ts_global, T, ts_global, u8, target), dst)

/* ---- global to global ------------------------------------------------------------------------------------------- */

#define COPY(number, T, dst_flags, U, src_flags)                                                                               \
  TS_COPY_DYNAMIC(alone_##number, ts_global, T, dst_flags, ts_global_const, U, src_flags)
ALONE_COPIES
#undef COPY
#define COPY(number, T, dst_flags, U, src_flags)                                                                               \
  case number: alone_##number(TARGET(T), to, SOURCE(ts_global_const, U), from); break;
TS_KERNEL(dynamic_alone, (TS_GLOBAL_CONST_ARG(u8) source_cells, TS_GLOBAL_ARG(u8) target_cells,
                          TS_GLOBAL_CONST_ARG(i64) number_cells, int number)) {
  BIND(ts_global_const);
  if (ts_item_linear_id() > 0) return;
  switch (number) {
    ALONE_COPIES
  default: break;
  }
}
#undef COPY

#define COPY(number, T, dst_flags, U, src_flags)                                                                               \
  TS_COPY_DYNAMIC(group_##number, ts_global, T, dst_flags, ts_global_const, U, src_flags)
GROUP_COPIES
#undef COPY
#define COPY(number, T, dst_flags, U, src_flags)                                                                               \
  case number: group_##number##_by_group(TARGET(T), to, SOURCE(ts_global_const, U), from); break;
TS_KERNEL(dynamic_group, (TS_GLOBAL_CONST_ARG(u8) source_cells, TS_GLOBAL_ARG(u8) target_cells,
                          TS_GLOBAL_CONST_ARG(i64) number_cells, int number)) {
  BIND(ts_global_const);
  switch (number) {
    GROUP_COPIES
  default: break;
  }
}
#undef COPY

/* ---- constant to global ----------------------------------------------------------------------------------------- */

#define COPY(number, T, dst_flags, U, src_flags)                                                                               \
  TS_COPY_DYNAMIC(constant_##number, ts_global, T, dst_flags, ts_constant, U, src_flags)
CONSTANT_COPIES
#undef COPY
#define COPY(number, T, dst_flags, U, src_flags)                                                                               \
  case number: constant_##number##_by_group(TARGET(T), to, SOURCE(ts_constant, U), from); break;
TS_KERNEL(dynamic_constant, (TS_CONSTANT_ARG(u8) source_cells, TS_GLOBAL_ARG(u8) target_cells,
                             TS_GLOBAL_CONST_ARG(i64) number_cells, int number)) {
  BIND(ts_constant);
  switch (number) {
    CONSTANT_COPIES
  default: break;
  }
}
#undef COPY

/* ---- global to global by way of a tile: shared by the group, or one work-item's own ------------------------------- */

#define COPY(number, T, dst_flags, U, src_flags)                                                                               \
  TS_COPY_DYNAMIC(share_##number, ts_shared, T, dst_flags, ts_global_const, U, src_flags)                                      \
  TS_COPY_DYNAMIC(unshare_##number, ts_global, T, dst_flags, ts_shared, T, dst_flags)
SHARED_COPIES
#undef COPY
TS_KERNEL(dynamic_shared, (TS_GLOBAL_CONST_ARG(u8) source_cells, TS_GLOBAL_ARG(u8) target_cells,
                           TS_GLOBAL_CONST_ARG(i64) number_cells, int number)) {
  TS_SHARED(tile, u64, MOST);
  BIND(ts_global_const);
#define COPY(number, T, dst_flags, U, src_flags)                                                                               \
  case number:                                                                                                                 \
    share_##number##_by_group(ts_unsafe_cast(ts_shared, T, ts_shared, u64, tile), tile_of(to), SOURCE(ts_global_const, U),     \
                              from);                                                                                           \
    break;
  switch (number) {
    SHARED_COPIES
  default: break;
  }
#undef COPY
  ts_barrier();
#define COPY(number, T, dst_flags, U, src_flags)                                                                               \
  case number:                                                                                                                 \
    unshare_##number##_by_group(TARGET(T), to, ts_unsafe_cast(ts_shared, T, ts_shared, u64, tile), tile_of(to));               \
    break;
  switch (number) {
    SHARED_COPIES
  default: break;
  }
#undef COPY
}

#define COPY(number, T, dst_flags, U, src_flags)                                                                               \
  TS_COPY_DYNAMIC(take_##number, ts_local, T, dst_flags, ts_global_const, U, src_flags)                                        \
  TS_COPY_DYNAMIC(give_##number, ts_global, T, dst_flags, ts_local, T, dst_flags)
LOCAL_COPIES
#undef COPY
TS_KERNEL(dynamic_local, (TS_GLOBAL_CONST_ARG(u8) source_cells, TS_GLOBAL_ARG(u8) target_cells,
                          TS_GLOBAL_CONST_ARG(i64) number_cells, int number)) {
  TS_LOCAL(tile, u64, MOST);
  BIND(ts_global_const);
  if (ts_item_linear_id() > 0) return;
#define COPY(number, T, dst_flags, U, src_flags)                                                                               \
  case number:                                                                                                                 \
    take_##number(ts_unsafe_cast(ts_local, T, ts_local, u64, tile), tile_of(to), SOURCE(ts_global_const, U), from);            \
    give_##number(TARGET(T), to, ts_unsafe_cast(ts_local, T, ts_local, u64, tile), tile_of(to));                               \
    break;
  switch (number) {
    LOCAL_COPIES
  default: break;
  }
}
