/* SPDX-License-Identifier: Apache-2.0
 *
 * copy_edge.h: copies of tiles that hang over the end of a tensor. Written at file scope, for layouts of rank 2 (1 to 6):
 *
 *   TS_COPY_EDGE_2(name, P, T, layout, flags,  Q, U, layout, flags)      arguments as those of TS_COPY, of one shape
 *
 *   name(dst, src, n0, n1)                 the elements (i0, i1) with i0 < n0 and i1 < n1, and no other byte is touched
 *   name_fill(dst, src, n0, n1, value)     and the others of dst become `value`, a ts_T: src is read inside only
 *   name_by_group(dst, src, n0, n1)        the same, shared by the work-items of a group, as TS_COPY's
 *   name_fill_by_group(dst, src, n0, n1, value)
 *   name_width                             elements of the widest access where the tile hangs over; inside it is
 * name_whole_width
 *
 * nk is what is left of the tensor from the tile's first element on along index k: more than the tile's extent is all of it, 0
 * or less is nothing. A tile that lies inside is copied by name_whole, a TS_COPY; of others, accesses go along one mode.
 *
 * Names no backend: a prelude must have come before.
 */
#ifndef TS_CORE_COPY_EDGE_H
#define TS_CORE_COPY_EDGE_H

#ifndef TS_INLINE
#error "core/copy_edge.h is a part of TensorStorage: include tensorstorage.h instead."
#endif

/* clang-format off */
#define TS_COPY_EDGE_1(name, P, T, D, df, Q, U, S, sf) TS_COPY_EDGE(1, name, P, T, D, df, Q, U, S, sf)
#define TS_COPY_EDGE_2(name, P, T, D, df, Q, U, S, sf) TS_COPY_EDGE(2, name, P, T, D, df, Q, U, S, sf)
#define TS_COPY_EDGE_3(name, P, T, D, df, Q, U, S, sf) TS_COPY_EDGE(3, name, P, T, D, df, Q, U, S, sf)
#define TS_COPY_EDGE_4(name, P, T, D, df, Q, U, S, sf) TS_COPY_EDGE(4, name, P, T, D, df, Q, U, S, sf)
#define TS_COPY_EDGE_5(name, P, T, D, df, Q, U, S, sf) TS_COPY_EDGE(5, name, P, T, D, df, Q, U, S, sf)
#define TS_COPY_EDGE_6(name, P, T, D, df, Q, U, S, sf) TS_COPY_EDGE(6, name, P, T, D, df, Q, U, S, sf)
#define TS_COPY_EDGE(rank, name, P, T, D, df, Q, U, S, sf) \
  TS_COPY_CHECKED(TS_COPY_EDGE_OF, name, P, T, D, U, S, (df) | (sf), (rank, name, P, T, D, df, Q, U, S, sf))

/* What is left along each index: parameters, and the indices in front that the rank does not have. */
#define TS_LEFT_1 ts_index l5
#define TS_LEFT_2 ts_index l4, ts_index l5
#define TS_LEFT_3 ts_index l3, ts_index l4, ts_index l5
#define TS_LEFT_4 ts_index l2, ts_index l3, ts_index l4, ts_index l5
#define TS_LEFT_5 ts_index l1, ts_index l2, ts_index l3, ts_index l4, ts_index l5
#define TS_LEFT_6 ts_index l0, ts_index l1, ts_index l2, ts_index l3, ts_index l4, ts_index l5
#define TS_NOT_LEFT_1 const ts_index l0 = 1, l1 = 1, l2 = 1, l3 = 1, l4 = 1;
#define TS_NOT_LEFT_2 const ts_index l0 = 1, l1 = 1, l2 = 1, l3 = 1;
#define TS_NOT_LEFT_3 const ts_index l0 = 1, l1 = 1, l2 = 1;
#define TS_NOT_LEFT_4 const ts_index l0 = 1, l1 = 1;
#define TS_NOT_LEFT_5 const ts_index l0 = 1;
#define TS_NOT_LEFT_6

/* NAME_whole is the copy of a tile that lies inside. NAME_row is that of its innermost mode alone. */
#define TS_COPY_EDGE_OF(rank, name, P, T, D, dst_flags, Q, U, S, src_flags) \
  TS_COPY_OF(name##_whole, P, T, D, dst_flags, Q, U, S, src_flags) \
  TS_STATIC_ASSERT(D##_rank == rank && S##_rank == rank && name##_whole_same, \
                   "copy " #name ": " #D " and " #S " are not of rank " #rank " and one shape"); \
  TS_STATIC_ASSERT(name##_whole_element == 1, "copy " #name ": elements of more than one scalar have no edge"); \
  TS_LAYOUT_1(name##_dst_row, name##_whole_n5, name##_whole_d5) \
  TS_LAYOUT_1(name##_src_row, name##_whole_n5, name##_whole_s5) \
  TS_ENUM { \
    name##_dst_steps = (ts_i64)name##_whole_d0 | name##_whole_d1 | name##_whole_d2 | name##_whole_d3 | name##_whole_d4, \
    name##_src_steps = (ts_i64)name##_whole_s0 | name##_whole_s1 | name##_whole_s2 | name##_whole_s3 | name##_whole_s4, \
    name##_dst_flags = ((dst_flags) & (TS_COPY_FLAGS | TS_ASSUME_ONE_TO_ONE)) | \
                       TS_COPY_ALIGN(dst_flags, name##_whole_dst_bytes, (ts_i64)name##_dst_steps), \
    name##_src_flags = ((src_flags) & TS_COPY_FLAGS) | \
                       TS_COPY_ALIGN(src_flags, name##_whole_src_bytes, (ts_i64)name##_src_steps) \
  }; \
  TS_COPY_OF(name##_row, P, T, name##_dst_row, name##_dst_flags, Q, U, name##_src_row, name##_src_flags) \
  TS_ENUM { \
    name##_width = name##_row_width, \
    name##_in_row = ((ts_i64)name##_whole_n5 + name##_row_lanes - 1) / name##_row_lanes, \
    name##_vectors = (ts_i64)D##_size / name##_whole_n5 * name##_in_row \
  }; \
  TS_EDGE_FUNCTIONS(name, name, P, T, D, Q, U, S, rank, TS_EDGE_KEEPS, TS_NO_VALUE) \
  TS_EDGE_FUNCTIONS(name, name##_fill, P, T, D, Q, U, S, rank, TS_EDGE_FILLS, TS_VALUE)
#define TS_NO_VALUE(T)
#define TS_VALUE(T) , ts_scalar(T) value
#define TS_EDGE_KEEPS(name, P, T, d)
#define TS_EDGE_FILLS(name, P, T, d) else ts_store(P, T, 1, dst, d, value, name##_row_dst_flags_1);

#define TS_EDGE_FUNCTIONS(name, function, P, T, D, Q, U, S, rank, outside, extra) \
  TS_INLINE void function(ts_handle(P, T) dst, ts_handle(Q, U) src, TS_LEFT_##rank extra(T)) { \
    TS_NOT_LEFT_##rank \
    TS_EDGE_LIMITS(name, D, S) \
    if (TS_IS_WHOLE(D)) name##_whole(dst, src); \
    else for (name##_whole_unit v = 0; v != (name##_whole_unit)name##_vectors; ++v) { TS_EDGE_VECTOR(name, P, T, outside) } \
  } \
  TS_UNLESS_LOCAL(TS_POLICY_ROW_##P, TS_POLICY_ROW_##Q, TS_EDGE_BY_GROUP, TS_EDGE_NOT_BY_GROUP) \
  (name, function, P, T, D, Q, U, S, rank, outside, extra)
#define TS_EDGE_BY_GROUP(name, function, P, T, D, Q, U, S, rank, outside, extra) \
  TS_INLINE void function##_by_group(ts_handle(P, T) dst, ts_handle(Q, U) src, TS_LEFT_##rank extra(T)) { \
    TS_BY_GROUP(name##_whole_unit, TS_EDGE_SHARE(name, P, T, D, S, rank, outside)) \
  }
#define TS_EDGE_SHARE(name, P, T, D, S, rank, outside) \
  TS_NOT_LEFT_##rank \
  TS_EDGE_LIMITS(name, D, S) \
  name##_whole_unit vectors = (name##_whole_unit)name##_vectors; \
  if (TS_IS_WHOLE(D)) name##_whole_by_group(dst, src); \
  else for (name##_whole_unit v = id; v < vectors; v += items) { TS_EDGE_VECTOR(name, P, T, outside) }
#define TS_EDGE_NOT_BY_GROUP(name, function, P, T, D, Q, U, S, rank, outside, extra) \
  TS_NOT_BY_GROUP(function, (ts_handle(P, T), ts_handle(Q, U), TS_LEFT_##rank extra(T)))

/* How far the tile's modes, in the order in which they are copied, lie inside: nowhere, if nothing is left along one index. */
#define TS_EDGE_LIMITS(name, D, S) \
  const ts_index k0 = TS_LIMIT(name, D, S, 0), k1 = TS_LIMIT(name, D, S, 1), k2 = TS_LIMIT(name, D, S, 2), \
                 k3 = TS_LIMIT(name, D, S, 3), k4 = TS_LIMIT(name, D, S, 4), \
                 k5 = l0 <= 0 || l1 <= 0 || l2 <= 0 || l3 <= 0 || l4 <= 0 || l5 <= 0 ? 0 : TS_LIMIT(name, D, S, 5);
/* Mode k of the copy is the index of the same strides. */
#define TS_LIMIT(name, D, S, k) \
  (TS_IS_MODE(name, D, S, k, 0) ? l0 : TS_IS_MODE(name, D, S, k, 1) ? l1 : TS_IS_MODE(name, D, S, k, 2) ? l2 : \
   TS_IS_MODE(name, D, S, k, 3) ? l3 : TS_IS_MODE(name, D, S, k, 4) ? l4 : l5)
#define TS_IS_MODE(name, D, S, k, j) (+D##_A##j == +name##_whole_a##k && +S##_S##j == +name##_whole_s##k)
#define TS_IS_WHOLE(D) \
  l0 >= (ts_index)D##_N0 && l1 >= (ts_index)D##_N1 && l2 >= (ts_index)D##_N2 && l3 >= (ts_index)D##_N3 && \
  l4 >= (ts_index)D##_N4 && l5 >= (ts_index)D##_N5

/* Vector v: at element c of row r. */
#define TS_EDGE_VECTOR(name, P, T, outside) \
  name##_whole_unit r = v / (name##_whole_unit)name##_in_row; \
  ts_index c = (ts_index)(v % (name##_whole_unit)name##_in_row) * name##_row_lanes; \
  ts_index x0 = TS_ROW_INDEX(name, r, 0), x1 = TS_ROW_INDEX(name, r, 1), x2 = TS_ROW_INDEX(name, r, 2), \
           x3 = TS_ROW_INDEX(name, r, 3), x4 = TS_ROW_INDEX(name, r, 4); \
  ts_index d = TS_ROW_START(name, name##_whole_d), s = TS_ROW_START(name, name##_whole_s); \
  ts_index inside = x0 < k0 && x1 < k1 && x2 < k2 && x3 < k3 && x4 < k4 ? k5 : 0; \
  if (c + name##_row_lanes <= TS_LESSER(inside, (ts_index)name##_whole_n5)) \
    name##_row_move(dst, d + c * (ts_index)name##_whole_d5, src, s + c * (ts_index)name##_whole_s5); \
  else for (ts_index e = c; e < TS_LESSER(c + name##_row_lanes, (ts_index)name##_whole_n5); ++e) { \
    if (e < inside) name##_row_move_1(dst, d + e * (ts_index)name##_whole_d5, src, s + e * (ts_index)name##_whole_s5); \
    outside(name, P, T, d + e * (ts_index)name##_whole_d5) \
  }
#define TS_ROW_INDEX(name, r, k) \
  (ts_index)(TS_INDEX_OF(name##_whole_unit, r / (name##_whole_unit)(name##_whole_p##k / name##_whole_n5), \
                         name##_whole_p, name##_whole_n, k))
#define TS_ROW_START(name, step) \
  x0 * (ts_index)step##0 + x1 * (ts_index)step##1 + x2 * (ts_index)step##2 + x3 * (ts_index)step##3 + x4 * (ts_index)step##4
/* clang-format on */

#endif
