/* SPDX-License-Identifier: Apache-2.0
 *
 * layout_dynamic.h: layouts that are known at run time: ts_layout (layout_struct.h) and the functions on it.
 *
 * Read only where TS_USE_DYNAMIC_LAYOUTS is defined to 1, before the include or by a build option: it costs each build.
 *
 * Pure arithmetic: no memory but the layouts' own, no recursion, nothing of a backend: it takes TS_INLINE, ts_i64 and ts_index.
 * A function on one layout gives the new one; a function on two changes both in place. A function that has no layout to give
 * gives rank -1, and every function takes rank -1 for a layout without elements. Products and sums must fit 64 bits. A
 * remainder is written as a product and a difference: of `/` and `%` side by side LLVM makes code that SPIR-V can't say
 * (freeze).
 *
 * In the laws L(i) is ts_layout_offset(L, i), 0 <= i < ts_layout_size(L). Source: the layout algebra of CuTe, but row-major
 * (CuTe numbers elements with the first index moving fastest), flat, and with strides of either sign.
 */
#ifndef TS_CORE_LAYOUT_DYNAMIC_H
#define TS_CORE_LAYOUT_DYNAMIC_H

#ifndef TS_INLINE
#error "core/layout_dynamic.h is a part of TensorStorage: define TS_USE_DYNAMIC_LAYOUTS to 1 and include tensorstorage.h."
#endif

#include "layout_struct.h"

/* ---- making one ------------------------------------------------------------------------------------------------ */

/* The layout with one more mode, the innermost.
 *
 * n, s     its extent and stride
 * Law:     the result's (i * n + k) == L(i) + k * s, for 0 <= k < n.
 * Error    rank -1, where L has rank 8 or is none, or n < 0. */
TS_INLINE ts_layout ts_layout_append(ts_layout layout, ts_i64 n, ts_i64 s) {
  if (layout.rank < 0 || layout.rank >= TS_LAYOUT_MAX_RANK || n < 0) {
    layout.rank = -1;
    return layout;
  }
  layout.shape[layout.rank] = n;
  layout.stride[layout.rank++] = s;
  return layout;
}

/* Extents, then strides, the outermost first: ts_layout_make_2(32, 64, 72, 1) has 32 rows of 64 elements, 72 apart. */
TS_INLINE ts_layout ts_layout_make_0(void) {
  ts_layout layout;
  layout.rank = 0;
  return layout;
}
TS_INLINE ts_layout ts_layout_make_1(ts_i64 n0, ts_i64 s0) { return ts_layout_append(ts_layout_make_0(), n0, s0); }
TS_INLINE ts_layout ts_layout_make_2(ts_i64 n0, ts_i64 n1, ts_i64 s0, ts_i64 s1) {
  return ts_layout_append(ts_layout_make_1(n0, s0), n1, s1);
}
TS_INLINE ts_layout ts_layout_make_3(ts_i64 n0, ts_i64 n1, ts_i64 n2, ts_i64 s0, ts_i64 s1, ts_i64 s2) {
  return ts_layout_append(ts_layout_make_2(n0, n1, s0, s1), n2, s2);
}
TS_INLINE ts_layout ts_layout_make_4(ts_i64 n0, ts_i64 n1, ts_i64 n2, ts_i64 n3, ts_i64 s0, ts_i64 s1, ts_i64 s2, ts_i64 s3) {
  return ts_layout_append(ts_layout_make_3(n0, n1, n2, s0, s1, s2), n3, s3);
}

/* The layout of these extents and strides.
 *
 * shape, stride  [rank]
 * Error          rank -1, where rank is not 0 to 8, or an extent is negative. */
TS_INLINE ts_layout ts_layout_make(int rank, const ts_i64 *shape, const ts_i64 *stride) {
  ts_layout layout = ts_layout_make_0();
  if (rank < 0) layout.rank = -1;
  for (int d = 0; d < rank; ++d) layout = ts_layout_append(layout, shape[d], stride[d]);
  return layout;
}

/* The compact layout of a shape, the last index fastest. Law: L(i) == i. Error: as ts_layout_make. */
TS_INLINE ts_layout ts_layout_row_major(int rank, const ts_i64 *shape) {
  ts_layout layout = ts_layout_make(rank, shape, shape);
  ts_i64 stride = 1;
  for (int d = (int)layout.rank - 1; d >= 0; stride *= shape[d--]) layout.stride[d] = stride;
  return layout;
}

/* The compact layout of a shape, the first index fastest: stride[0] is 1, stride[d] the product of shape[0] … shape[d - 1].
 * Error: as ts_layout_make. */
TS_INLINE ts_layout ts_layout_column_major(int rank, const ts_i64 *shape) {
  ts_layout layout = ts_layout_make(rank, shape, shape);
  ts_i64 stride = 1;
  for (int d = 0; d < layout.rank; stride *= shape[d++]) layout.stride[d] = stride;
  return layout;
}

/* ---- asking one ------------------------------------------------------------------------------------------------ */

/* Elements: the product of the extents; 1 of rank 0, and 0 of rank -1. Source: CuTe's size. */
TS_INLINE ts_i64 ts_layout_size(ts_layout layout) {
  ts_i64 size = layout.rank >= 0;
  for (int d = 0; d < layout.rank; ++d) size *= layout.shape[d];
  return size;
}

/* The lowest offset of an element, <= 0; 0 if there is none. */
TS_INLINE ts_i64 ts_layout_lowest(ts_layout layout) {
  ts_i64 lowest = 0;
  if (!ts_layout_size(layout)) return 0;
  for (int d = 0; d < layout.rank; ++d)
    if (layout.stride[d] < 0) lowest += layout.stride[d] * (layout.shape[d] - 1);
  return lowest;
}

/* Scalars from the lowest element to the highest, both included; 0 if there is no element.
 * Law: 1 + the greatest L(i) - the least. Source: CuTe's cosize, for strides of either sign. */
TS_INLINE ts_i64 ts_layout_cosize(ts_layout layout) {
  ts_i64 cosize = 1;
  if (!ts_layout_size(layout)) return 0;
  for (int d = 0; d < layout.rank; ++d)
    cosize += (layout.stride[d] < 0 ? -layout.stride[d] : layout.stride[d]) * (layout.shape[d] - 1);
  return cosize;
}

/* L(i): the offset of element i, in scalars. Undefined unless 0 <= i < size. Under TS_INDEX_32, and then only, extents, i and
 * the result must fit 32 bits. */
TS_INLINE ts_index ts_layout_offset(ts_layout layout, ts_index i) {
  ts_index offset = 0;
  for (int d = (int)layout.rank - 1; d > 0; --d) {
    ts_index n = (ts_index)layout.shape[d], rows = i / n;
    offset += (i - rows * n) * (ts_index)layout.stride[d];
    i = rows;
  }
  return layout.rank > 0 ? offset + i * (ts_index)layout.stride[0] : 0;
}

/* 1 if each stride exceeds the reach of all smaller ones together, which proves that no two elements share an offset; else 0.
 * Law:     1: all L(i) differ. 0 proves nothing: (2,3):(3,2) is one-to-one and gives 0. */
TS_INLINE int ts_layout_is_one_to_one(ts_layout layout) {
  if (!ts_layout_size(layout)) return 1;
  for (int d = 0; d < layout.rank; ++d) {
    ts_i64 own = layout.stride[d] < 0 ? -layout.stride[d] : layout.stride[d], reach = 0;
    for (int e = 0; e < layout.rank; ++e) {
      ts_i64 other = layout.stride[e] < 0 ? -layout.stride[e] : layout.stride[e];
      if (e != d && other <= own) reach += other * (layout.shape[e] - 1);
    }
    if (layout.shape[d] > 1 && own <= reach) return 0;
  }
  return 1;
}

/* ---- the same elements in other modes ---------------------------------------------------------------------------- */

/* Merge neighbouring modes that are contiguous in both layouts, and drop those of extent 1.
 *
 *   (4,8,16):(128,16,1) and (4,8,16):(256,32,2)  ->  (512):(1) and (512):(2)
 *
 * a, b     two layouts of one shape
 * Law:     a'(i) == a(i) and b'(i) == b(i) for each i; the shapes are alike; no two neighbours can be merged.
 * Source:  CuTe's coalesce, for two layouts at once. Cannot fail. */
TS_INLINE void ts_layout_fold_two(ts_layout *a, ts_layout *b) {
  int last = -1; /* the mode that was kept last */
  if (a->rank < 0) return;
  for (int d = 0; d < a->rank; ++d) {
    ts_i64 n = a->shape[d];
    if (n == 1) continue;
    if (last >= 0 && a->stride[last] == n * a->stride[d] && b->stride[last] == n * b->stride[d])
      n *= a->shape[last];
    else
      ++last;
    a->shape[last] = b->shape[last] = n;
    a->stride[last] = a->stride[d];
    b->stride[last] = b->stride[d];
  }
  a->rank = b->rank = last + 1;
}

/* The same for one layout. Law: L'(i) == L(i). */
TS_INLINE ts_layout ts_layout_fold(ts_layout layout) {
  ts_layout same = layout;
  ts_layout_fold_two(&layout, &same);
  return layout;
}

/* Give two layouts common modes.
 *
 *   (4,6):(8,1) and (12,2):(1,12)  ->  (4,3,2):(8,2,1) and (4,3,2):(3,1,12)
 *
 * a, b     two layouts of equal size, of any shapes
 * Law:     a'(i) == a(i) and b'(i) == b(i) for each i; the shapes are alike, with as few modes as that takes.
 * Returns  1, or 0 with both left as they were: where the sizes differ; where there are no common modes, as for (2,3):(1,2) and
 *          (3,2):(1,3), whose rows end after 3 and 2 elements; or where they are more than 8. Without elements: 1, and (0):(0).
 * Source:  composition and complement of CuTe; here the ends of both layouts' modes, counted in elements from the innermost,
 * must divide one another. */
TS_INLINE int ts_layout_refine(ts_layout *a, ts_layout *b) {
  ts_layout x = ts_layout_fold(*a), y = ts_layout_fold(*b), p, q;
  ts_i64 left = ts_layout_size(x), n = 1;
  int i = (int)x.rank - 1, j = (int)y.rank - 1, d = TS_LAYOUT_MAX_RANK;
  if (left != ts_layout_size(y)) return 0;
  if (!left) {
    *a = *b = ts_layout_make_1(0, 0);
    return 1;
  }
  for (; left > 1; left /= n) { /* modes of p and q are filled from the back */
    ts_i64 u = x.shape[i], v = y.shape[j];
    n = u < v ? u : v;
    x.shape[i] = u / n;
    y.shape[j] = v / n;
    if (x.shape[i] * n != u || y.shape[j] * n != v || d == 0) return 0;
    p.shape[--d] = n;
    p.stride[d] = x.stride[i];
    q.stride[d] = y.stride[j];
    x.stride[i] *= n;
    y.stride[j] *= n;
    if (x.shape[i] == 1) --i;
    if (y.shape[j] == 1) --j;
  }
  *a = *b = ts_layout_make_0();
  for (; d < TS_LAYOUT_MAX_RANK; ++d) {
    *a = ts_layout_append(*a, p.shape[d], p.stride[d]);
    *b = ts_layout_append(*b, p.shape[d], q.stride[d]);
  }
  return 1;
}

/* Put the modes of two layouts of one shape into one order: a's strides, by magnitude, from the largest to the smallest.
 *
 * Law:     the set of the pairs (a(i), b(i)) stays; the order in which i counts them need not. */
TS_INLINE void ts_layout_sort_two(ts_layout *a, ts_layout *b) {
  for (int d = 1; d < a->rank; ++d) {
    ts_i64 n = a->shape[d], s = a->stride[d], t = b->stride[d], magnitude = s < 0 ? -s : s;
    int e = d;
    for (; e > 0 && (a->stride[e - 1] < 0 ? -a->stride[e - 1] : a->stride[e - 1]) < magnitude; --e) {
      a->shape[e] = b->shape[e] = a->shape[e - 1];
      a->stride[e] = a->stride[e - 1];
      b->stride[e] = b->stride[e - 1];
    }
    a->shape[e] = b->shape[e] = n;
    a->stride[e] = s;
    b->stride[e] = t;
  }
}

/* The same elements, in the same order, in another shape.
 *
 *   (4,6):(6,1) as (2,12)  ->  (2,12):(12,1)
 *
 * shape    [rank] extents
 * Law:     L'(i) == L(i).
 * Error    rank -1: the number of elements differs, or no strides do that, as for (2,3):(1,2) as (3,2).
 * Source:  CuTe's composition with a compact layout; numpy's reshape, where that makes no copy. */
TS_INLINE ts_layout ts_layout_reshape(ts_layout layout, int rank, const ts_i64 *shape) {
  ts_layout result = ts_layout_row_major(rank, shape);
  ts_i64 size = ts_layout_size(layout);
  int mode = -1;
  if (ts_layout_size(result) != size || layout.rank < 0) result.rank = -1;
  if (!size) return result;
  layout = ts_layout_fold(layout);
  mode = (int)layout.rank - 1;
  for (int d = (int)result.rank - 1; d >= 0; --d) {
    ts_i64 n = shape[d], whole = 0;
    if (n == 1) continue;
    whole = layout.shape[mode];
    layout.shape[mode] = whole / n;
    if (layout.shape[mode] * n != whole) {
      result.rank = -1;
      break;
    }
    result.stride[d] = layout.stride[mode];
    layout.stride[mode] *= n;
    if (layout.shape[mode] == 1) --mode;
  }
  return result;
}

/* The modes in another order: mode d of the result is mode order[d].
 *
 * order    [rank of L] a permutation of 0 … rank - 1
 * Law:     the result at (i[order[0]], i[order[1]], …) is L at (i0, i1, …).
 * Error    rank -1: order is no permutation.
 * Source:  numpy's transpose. */
TS_INLINE ts_layout ts_layout_permute(ts_layout layout, const int *order) {
  ts_layout result = layout;
  int seen = 0;
  for (int d = 0; d < layout.rank; ++d) {
    int from = order[d];
    if (from < 0 || from >= layout.rank || (seen >> from & 1)) {
      result.rank = -1;
      return result;
    }
    seen |= 1 << from;
    result.shape[d] = layout.shape[from];
    result.stride[d] = layout.stride[from];
  }
  return result;
}

/* ---- parts of one ------------------------------------------------------------------------------------------------ */

/* The elements whose index of mode d is in begin … begin + count - 1. The rank stays.
 *
 * *offset  in, out: what the offset of the part's element 0 is added to
 * Law:     the part at (…, i, …), plus what was added, is L at (…, begin + i, …).
 * Error    rank -1, *offset left alone: L has no such mode, or the range is not inside its extent. */
TS_INLINE ts_layout ts_layout_restrict(ts_layout layout, int d, ts_i64 begin, ts_i64 count, ts_i64 *offset) {
  if (d < 0 || d >= layout.rank || begin < 0 || count < 0 || begin > layout.shape[d] - count) {
    layout.rank = -1;
    return layout;
  }
  if (count) *offset += begin * layout.stride[d];
  layout.shape[d] = count;
  return layout;
}

/* The elements whose index of mode d is i, without that mode.
 *
 * *offset  as above
 * Law:     the part at (…), plus what was added, is L at (…, i, …).
 * Error    rank -1, *offset left alone: L has no such mode, or i is not an index of it.
 * Source:  CuTe's slice. */
TS_INLINE ts_layout ts_layout_fix(ts_layout layout, int d, ts_i64 i, ts_i64 *offset) {
  layout = ts_layout_restrict(layout, d, i, 1, offset);
  for (--layout.rank; d >= 0 && d < layout.rank; ++d) {
    layout.shape[d] = layout.shape[d + 1];
    layout.stride[d] = layout.stride[d + 1];
  }
  if (layout.rank < 0) layout.rank = -1;
  return layout;
}

/* How many tiles of this shape cover the layout; those at its ends may hang over. 0 for a shape with an extent < 1.
 *
 * tile     [rank of L] extents of a tile */
TS_INLINE ts_i64 ts_layout_tile_count(ts_layout layout, const ts_i64 *tile) {
  ts_i64 count = layout.rank >= 0;
  for (int d = 0; d < layout.rank; ++d) count *= tile[d] < 1 ? 0 : (layout.shape[d] + tile[d] - 1) / tile[d];
  return count;
}

/* What is inside the layout of tile `number`, of as many as ts_layout_tile_count says, the last index fastest. It has the
 * shape of the tile, less what hangs over: so its size is the number of elements inside.
 *
 * tile     [rank of L] extents of a tile
 * *offset  as above
 * Law:     the tile (t0, t1, …) at (i0, i1, …), plus what was added, is L at (t0 * tile[0] + i0, t1 * tile[1] + i1, …). Each
 *          element of L is in one tile.
 * Error    rank -1, *offset left alone: there is no such tile.
 * Source:  CuTe's zipped_divide, one tile of it, but for any extent. */
TS_INLINE ts_layout ts_layout_tile(ts_layout layout, const ts_i64 *tile, ts_i64 number, ts_i64 *offset) {
  if (number < 0 || number >= ts_layout_tile_count(layout, tile)) {
    layout.rank = -1;
    return layout;
  }
  for (int d = (int)layout.rank - 1; d >= 0; --d) {
    ts_i64 tiles = (layout.shape[d] + tile[d] - 1) / tile[d], outer = number / tiles;
    ts_i64 begin = (number - outer * tiles) * tile[d];
    ts_i64 inside = layout.shape[d] - begin < tile[d] ? layout.shape[d] - begin : tile[d];
    number = outer;
    *offset += begin * layout.stride[d];
    layout.shape[d] = inside;
  }
  return layout;
}

#endif
