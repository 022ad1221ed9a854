/* SPDX-License-Identifier: Apache-2.0
 *
 * copy_dynamic.h: copies between two layouts that are known at run time, in any two spaces and dtypes. At file scope:
 *
 *   TS_COPY_DYNAMIC(name, P, T, flags,  Q, U, flags)      destination first, as in the functions it defines:
 *
 *   name(dst, dst_layout, src, src_layout)             one work-item copies all; dst is a P_T, src a Q_U, each at its element 0
 *   name_by_group(dst, dst_layout, src, src_layout)    the work-items of a group share it by their linear id, for any size of
 *                                                      group. All must call it, with the same arguments; there is no barrier
 *                                                      inside. A local side is a compile error: each item has its own
 *   name_width                                         elements of the widest access, an integer constant
 *
 * Read only where TS_USE_DYNAMIC_LAYOUTS is defined to 1. A tile whose layout is known when the kernel is written is copied by
 * fewer instructions, and with more errors found, by TS_COPY (copy.h).
 *
 * Law: with D and S the layouts' offsets, dst[D(i)] becomes ts_convert(T, U, 1, src[S(i)]) for each 0 <= i < size, and no other
 * byte changes. Where the numbers of elements differ nothing is copied; so too for rank -1. The caller sees to it that no two
 * elements of the destination share a place (ts_layout_is_one_to_one), and that source and destination do not overlap.
 *
 * Flags promise and ask as those of ts_load and ts_store do; TS_ALIGN promises the address of element 0. name_width is the
 * widest access, up to 16 elements, that both promises allow. It is made where the innermost common mode has stride 1 on both
 * sides and all others have strides that are multiples of it; the tails of such rows, and all else, go element by element.
 * Modes go in the order of the destination's strides. Index arithmetic has 64 bits, or 32 under TS_INDEX_32.
 *
 * A storage of one's own needs its accesses at all widths (TS_STORAGE_WIDTHS). Its elements of several scalars take one of the
 * eight modes of a layout.
 *
 * Names no backend: a prelude must have come before.
 */
#ifndef TS_CORE_COPY_DYNAMIC_H
#define TS_CORE_COPY_DYNAMIC_H

#ifndef TS_INLINE
#error "core/copy_dynamic.h is a part of TensorStorage: define TS_USE_DYNAMIC_LAYOUTS to 1 and include tensorstorage.h."
#endif

#include "copy.h" /* what copies of both kinds are made of */
#include "layout_dynamic.h"

/* ---- what is decided before any element moves --------------------------------------------------------------------- */

/* One work-item's part of a copy: rows row, row + row_step … of `rows`; of each row `wide` wide accesses and then single
 * elements up to `count`, of both those of number lane, lane + lanes …
 *
 * dst, src            where rows begin: L(row)
 * dst_step, src_step  from an element of a row to the next, in scalars */
typedef struct ts_copy_plan {
  ts_layout dst, src;
  ts_index rows, row, row_step, count, wide, lanes, lane, dst_step, src_step;
} ts_copy_plan;

/* Whether each stride is a multiple of n. */
TS_INLINE int ts_layout_has_multiples(ts_layout layout, int n) {
  ts_i64 all = 0;
  for (int d = 0; d < layout.rank; ++d) all |= layout.stride[d];
  return !(all & (n - 1));
}

/* Plan the part of work-item `item` of `items`. Without common modes each element is a row.
 *
 * scalars  in an element of either storage
 * width    elements of the widest access, a power of two
 * Law:     the parts of all items have each element of the copy once; consecutive items have neighbours. */
TS_OUTLINE ts_copy_plan ts_plan_copy(ts_layout dst, ts_layout src, int scalars, int width, int item, int items) {
  ts_copy_plan plan;
  ts_i64 size = 0;
  if (scalars > 1) {
    dst = ts_layout_append(dst, scalars, 1);
    src = ts_layout_append(src, scalars, 1);
  }
  if (ts_layout_size(dst) == ts_layout_size(src)) size = ts_layout_size(dst);
  plan.rows = (ts_index)size;
  plan.count = 1;
  plan.wide = plan.dst_step = plan.src_step = 0;
  if (size > 1 && ts_layout_refine(&dst, &src)) {
    ts_layout_sort_two(&dst, &src);
    ts_layout_fold_two(&dst, &src);
    src.rank = --dst.rank;
    plan.count = (ts_index)dst.shape[dst.rank];
    plan.dst_step = (ts_index)dst.stride[dst.rank];
    plan.src_step = (ts_index)src.stride[dst.rank];
    plan.rows = (ts_index)(size / plan.count);
    if (width > 1 && plan.dst_step == 1 && plan.src_step == 1 && ts_layout_has_multiples(dst, width) &&
        ts_layout_has_multiples(src, width))
      plan.wide = plan.count / width;
  }
  plan.dst = dst;
  plan.src = src;
  plan.lanes = plan.count - plan.wide * (width - 1); /* accesses of a row, until there are more than items */
  if (plan.lanes > items) plan.lanes = items;
  plan.row = item / plan.lanes;
  plan.lane = item - plan.row * plan.lanes;
  plan.row_step = items / plan.lanes;
  if (plan.row >= plan.row_step) plan.row = plan.rows; /* too few items are left for another row */
  return plan;
}

/* ---- the functions of a copy -------------------------------------------------------------------------------------- */

/* Elements that a promise covers, of 1 to 16. */
#define TS_PROMISED_ELEMENTS(T, flags) TS_OF_1_TO_16(TS_PROMISE(flags, sizeof(ts_##T)) / (int)sizeof(ts_##T))
#define TS_OF_1_TO_16(n) ((n) < 1 ? 1 : (n) > 16 ? 16 : (n))
/* The flags of an access of W elements at a multiple of W from element 0. */
#define TS_FLAGS_AT(T, W, flags)                                                                                               \
  (((flags)&TS_COPY_FLAGS) | TS_LESSER(TS_PROMISE(flags, sizeof(ts_##T)), W * (int)sizeof(ts_##T)))

#define TS_COPY_DYNAMIC(name, P, T, dst_flags, Q, U, src_flags)                                                                \
  TS_COPY_CHECKED(TS_COPY_DYNAMIC_OF, name, P, T, ts_any, U, ts_any, (dst_flags) | (src_flags),                                \
                  (name, P, T, dst_flags, Q, U, src_flags))
enum { ts_any_must_be_declared_as_a_layout }; /* a layout that is not known yet */
#define TS_COPY_DYNAMIC_OF(name, P, T, dst_flags, Q, U, src_flags)                                                             \
  TS_STATIC_ASSERT((int)ts_element_size(P, T) == (int)ts_element_size(Q, U),                                                   \
                   "copy " #name ": the elements have different sizes");                                                       \
  enum {                                                                                                                       \
    name##_dst_width = TS_PROMISED_ELEMENTS(T, dst_flags),                                                                     \
    name##_src_width = TS_PROMISED_ELEMENTS(U, src_flags),                                                                     \
    name##_width = (int)name##_dst_width < (int)name##_src_width ? (int)name##_dst_width : (int)name##_src_width               \
  };                                                                                                                           \
  TS_INLINE void name##_move_1(P##_##T dst, ts_index d, Q##_##U src, ts_index s) {                                             \
    TS_MOVE_DYNAMIC(P, T, dst_flags, Q, U, src_flags, 1);                                                                      \
  }                                                                                                                            \
  TS_INLINE void name##_move(P##_##T dst, ts_index d, Q##_##U src, ts_index s) {                                               \
    if (name##_width == 16) TS_MOVE_DYNAMIC(P, T, dst_flags, Q, U, src_flags, 16);                                             \
    if (name##_width == 8) TS_MOVE_DYNAMIC(P, T, dst_flags, Q, U, src_flags, 8);                                               \
    if (name##_width == 4) TS_MOVE_DYNAMIC(P, T, dst_flags, Q, U, src_flags, 4);                                               \
    if (name##_width == 2) TS_MOVE_DYNAMIC(P, T, dst_flags, Q, U, src_flags, 2);                                               \
    if (name##_width == 1) TS_MOVE_DYNAMIC(P, T, dst_flags, Q, U, src_flags, 1);                                               \
  }                                                                                                                            \
  TS_INLINE void name##_part(P##_##T dst, ts_layout dst_layout, Q##_##U src, ts_layout src_layout, int item, int items) {      \
    ts_copy_plan plan = ts_plan_copy(dst_layout, src_layout, ts_element_size(P, T), name##_width, item, items);                \
    for (ts_index row = plan.row; row < plan.rows; row += plan.row_step) {                                                     \
      ts_index d = ts_layout_offset(plan.dst, row), s = ts_layout_offset(plan.src, row), k = plan.lane;                        \
      for (; k < plan.wide; k += plan.lanes) name##_move(dst, d + k * name##_width, src, s + k * name##_width);                \
      k += plan.wide * (name##_width - 1);                                                                                     \
      for (; k < plan.count; k += plan.lanes) name##_move_1(dst, d + k * plan.dst_step, src, s + k * plan.src_step);           \
    }                                                                                                                          \
  }                                                                                                                            \
  TS_INLINE void name(P##_##T dst, ts_layout dst_layout, Q##_##U src, ts_layout src_layout) {                                  \
    name##_part(dst, dst_layout, src, src_layout, 0, 1);                                                                       \
  }                                                                                                                            \
  TS_UNLESS_LOCAL(TS_POLICY_ROW_##P, TS_POLICY_ROW_##Q, TS_COPY_DYNAMIC_BY_GROUP, TS_COPY_DYNAMIC_ALONE)(name, P, T, Q, U)
#define TS_MOVE_DYNAMIC(P, T, dst_flags, Q, U, src_flags, W)                                                                   \
  TS_COPY_ELEMENTS(, P, T, Q, U, W, d, s, TS_FLAGS_AT(T, W, dst_flags), TS_FLAGS_AT(U, W, src_flags))

#define TS_COPY_DYNAMIC_BY_GROUP(name, P, T, Q, U)                                                                             \
  TS_INLINE void name##_by_group(P##_##T dst, ts_layout dst_layout, Q##_##U src, ts_layout src_layout) {                       \
    name##_part(dst, dst_layout, src, src_layout, ts_item_linear_id(), ts_group_items());                                      \
  }
#define TS_COPY_DYNAMIC_ALONE(name, P, T, Q, U) TS_NOT_BY_GROUP(name, (P##_##T, ts_layout, Q##_##U, ts_layout))

#endif
