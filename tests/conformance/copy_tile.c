/* SPDX-License-Identifier: Apache-2.0
 *
 * copy_tile.c: the kernels of copies through scratch and of tiles that hang over an end: tile_0, tile_1 …, and
 * tile_local_N where the tile goes by way of local memory. What they copy, copy_tile_cases.c writes in front of this text, as
 * two macros:
 *
 *   TILE_LAYOUTS    the layouts dst_0, src_0, dst_1 …, and via_N of a tile that goes by way of shared or local memory
 *   TILE_KERNELS    for each tile a line
 *     THROUGH(number, T, U, dst_flags, src_flags)              by a group; of 7 work-items, it says where the next tile is
 *     EDGE(number, rank, T, U, dst_flags, src_flags)           by a group or by its first item, with `fills` or without
 *     EDGE_LOCAL(number, rank, T, U, dst_flags, src_flags)     by the first item, in and out of memory of its own
 *     EDGE_SHARED(number, rank, T, U, dst_flags, src_flags)    by a group, in and out of shared memory
 *
 * A side's element (0, 0 …) is `…_start` bytes into its buffer. What is filled in is the first element of the source's buffer.
 */
#include "tensorstorage.h"

TILE_LAYOUTS

#define DST(T)                                                                                                                 \
  ts_unsafe_cast(ts_global, T, ts_global, u8, ts_offset(ts_global, u8, ts_bind(ts_global, u8, dst_cells), dst_start))
#define SRC(U)                                                                                                                 \
  ts_unsafe_cast(ts_global_const, U, ts_global_const, u8,                                                                      \
                 ts_offset(ts_global_const, u8, ts_bind(ts_global_const, u8, src_cells), src_start))
#define VALUE(T)                                                                                                               \
  ts_load(ts_global_const, T, 1,                                                                                               \
          ts_unsafe_cast(ts_global_const, T, ts_global_const, u8, ts_bind(ts_global_const, u8, src_cells)), 0, 0)

#define THROUGH(n, T, U, dst_flags, src_flags)                                                                                 \
  TS_COPY_THROUGH(copy_##n, ts_global, T, dst_##n, dst_flags, ts_global_const, U, src_##n, src_flags)                          \
  TS_KERNEL(tile_##n, (TS_GLOBAL_ARG(u8) dst_cells, TS_GLOBAL_CONST_ARG(u8) src_cells, int dst_start, int src_start)) {        \
    TS_SCRATCH(scratch, T, copy_##n##_scratch_cosize);                                                                         \
    ts_global_const_##U next = ts_offset(ts_global_const, U, SRC(U), 1 << 20); /* where no memory is */                        \
    if (ts_group_items() == 7)                                                                                                 \
      copy_##n##_through_next(DST(T), SRC(U), scratch, next);                                                                  \
    else                                                                                                                       \
      copy_##n##_through(DST(T), SRC(U), scratch);                                                                             \
  }

/* What is left along the indices of a tile. What is not filled when it is fetched, is not put. */
#define LIMITS_1(L) L(0)
#define LIMITS_2(L) L(0), L(1)
#define LIMITS_3(L) L(0), L(1), L(2)
#define LIMITS_4(L) L(0), L(1), L(2), L(3)
#define LEFT(k) left##k
#define PUT(k) (fills ? 1000 : left##k)

/* clang-format off */
#define EDGE_PARAMETERS                                                                                                        \
  (TS_GLOBAL_ARG(u8) dst_cells, TS_GLOBAL_CONST_ARG(u8) src_cells, int dst_start, int src_start, int left0, int left1,         \
   int left2, int left3, int by_group, int fills)

#define EDGE(n, rank, T, U, dst_flags, src_flags)                                                                              \
  TS_COPY_EDGE_##rank(copy_##n, ts_global, T, dst_##n, dst_flags, ts_global_const, U, src_##n, src_flags)                      \
  TS_KERNEL(tile_##n, EDGE_PARAMETERS) {                                                                                       \
    if (by_group && fills) copy_##n##_fill_by_group(DST(T), SRC(U), LIMITS_##rank(LEFT), VALUE(T));                            \
    if (by_group && !fills) copy_##n##_by_group(DST(T), SRC(U), LIMITS_##rank(LEFT));                                          \
    if (by_group || ts_item_linear_id() != 0) return;                                                                          \
    if (fills) copy_##n##_fill(DST(T), SRC(U), LIMITS_##rank(LEFT), VALUE(T));                                                 \
    if (!fills) copy_##n(DST(T), SRC(U), LIMITS_##rank(LEFT));                                                                 \
  }

#define EDGE_LOCAL(n, rank, T, U, dst_flags, src_flags)                                                                        \
  TS_COPY_EDGE_##rank(fetch_##n, ts_local, T, via_##n, TS_ALIGN(128), ts_global_const, U, src_##n, src_flags)                  \
  TS_COPY_EDGE_##rank(put_##n, ts_global, T, dst_##n, dst_flags, ts_local, T, via_##n, TS_ALIGN(128))                          \
  TS_KERNEL(tile_local_##n, EDGE_PARAMETERS) {                                                                                 \
    TS_LOCAL(via, T, via_##n##_cosize);                                                                                        \
    if (by_group || ts_item_linear_id() != 0) return;                                                                          \
    if (fills) fetch_##n##_fill(via, SRC(U), LIMITS_##rank(LEFT), VALUE(T));                                                   \
    if (!fills) fetch_##n(via, SRC(U), LIMITS_##rank(LEFT));                                                                   \
    put_##n(DST(T), via, LIMITS_##rank(PUT));                                                                                  \
  }

#define EDGE_SHARED(n, rank, T, U, dst_flags, src_flags)                                                                       \
  TS_COPY_EDGE_##rank(fetch_##n, ts_shared, T, via_##n, TS_ALIGN(128), ts_global_const, U, src_##n, src_flags)                 \
  TS_COPY_EDGE_##rank(put_##n, ts_global, T, dst_##n, dst_flags, ts_shared, T, via_##n, TS_ALIGN(128))                         \
  TS_KERNEL(tile_##n, EDGE_PARAMETERS) {                                                                                       \
    TS_SHARED(via, T, via_##n##_cosize);                                                                                       \
    (void)by_group;                                                                                                            \
    fetch_##n##_fill_by_group(via, SRC(U), LIMITS_##rank(LEFT), VALUE(T));                                                     \
    ts_barrier();                                                                                                              \
    put_##n##_by_group(DST(T), via, LIMITS_##rank(PUT));                                                                       \
  }

/* clang-format on */

TILE_KERNELS
