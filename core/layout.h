/* SPDX-License-Identifier: Apache-2.0
 *
 * layout.h: static layouts: a name for a shape and strides that are known at compile time. Written at file scope:
 *
 *   TS_LAYOUT_2(tile, 32, 32, 36, 1)     shape (32, 32), strides (36, 1): rank 1 to 6, shape first, then strides
 *   TS_ROW_MAJOR_2(tile, 32, 32)         packed, the last index fastest: strides (32, 1)
 *   TS_COLUMN_MAJOR_2(tile, 32, 32)      packed, the first index fastest: strides (1, 32)
 *
 * Extents are at least 0. Strides count scalar elements and may be zero or negative; that of an extent of 1 is never used.
 * There are at most 2^62 elements, and about as many scalars from the lowest to the highest. All facts are integer constants of
 * 64 bits:
 *
 *   NAME_rank      number of modes
 *   NAME_size      logical elements: the product of the extents
 *   NAME_lowest    offset of the lowest element, <= 0: of element (0, 0 …) it is 0
 *   NAME_cosize    scalars from the lowest to the highest element, both included; 0 without elements. An array of NAME_cosize
 *                  scalars holds them all
 *
 * and, computed only where they are used, TS_RUN(NAME), TS_ROW_ALIGN(NAME), TS_IS_ONE_TO_ONE(NAME). The logical order of
 * elements is row-major, whatever the strides: the last index moves fastest.
 *
 * Names no backend: a prelude must have come before. Layouts that are known at run time are in layout_dynamic.h.
 */
#ifndef TS_CORE_LAYOUT_H
#define TS_CORE_LAYOUT_H

#ifndef TS_INLINE
#error "core/layout.h is a part of TensorStorage: include tensorstorage.h instead."
#endif

/* clang-format off */
#define TS_LAYOUT_1(name, n0, s0) \
  TS_LAYOUT(name, 1, TS_NO_MODE, TS_NO_MODE, TS_NO_MODE, TS_NO_MODE, TS_NO_MODE, 1, 1, 1, 1, 1, n0, 0, 0, 0, 0, 0, s0)
#define TS_LAYOUT_2(name, n0, n1, s0, s1) \
  TS_LAYOUT(name, 2, TS_NO_MODE, TS_NO_MODE, TS_NO_MODE, TS_NO_MODE, TS_MODE, 1, 1, 1, 1, n0, n1, 0, 0, 0, 0, s0, s1)
#define TS_LAYOUT_3(name, n0, n1, n2, s0, s1, s2) \
  TS_LAYOUT(name, 3, TS_NO_MODE, TS_NO_MODE, TS_NO_MODE, TS_MODE, TS_MODE, 1, 1, 1, n0, n1, n2, 0, 0, 0, s0, s1, s2)
#define TS_LAYOUT_4(name, n0, n1, n2, n3, s0, s1, s2, s3) \
  TS_LAYOUT(name, 4, TS_NO_MODE, TS_NO_MODE, TS_MODE, TS_MODE, TS_MODE, 1, 1, n0, n1, n2, n3, 0, 0, s0, s1, s2, s3)
#define TS_LAYOUT_5(name, n0, n1, n2, n3, n4, s0, s1, s2, s3, s4) \
  TS_LAYOUT(name, 5, TS_NO_MODE, TS_MODE, TS_MODE, TS_MODE, TS_MODE, 1, n0, n1, n2, n3, n4, 0, s0, s1, s2, s3, s4)
#define TS_LAYOUT_6(name, n0, n1, n2, n3, n4, n5, s0, s1, s2, s3, s4, s5) \
  TS_LAYOUT(name, 6, TS_MODE, TS_MODE, TS_MODE, TS_MODE, TS_MODE, n0, n1, n2, n3, n4, n5, s0, s1, s2, s3, s4, s5)
#define TS_LAYOUT_7(name, n0, n1, n2, n3, n4, n5, n6, s0, s1, s2, s3, s4, s5, s6) TS_NO_LAYOUT(name)
#define TS_ROW_MAJOR_7(name, n0, n1, n2, n3, n4, n5, n6) TS_NO_LAYOUT(name)
#define TS_COLUMN_MAJOR_7(name, n0, n1, n2, n3, n4, n5, n6) TS_NO_LAYOUT(name)
#define TS_NO_LAYOUT(name) \
  TS_STATIC_ASSERT(0, "the layout " #name " has seven modes, and static layouts have at most six; make one of two that follow " \
                      "each other in memory, or see core/layout_dynamic.h"); \
  TS_LAYOUT_1(name, 1, 1)

#define TS_TIMES(a, b) ((ts_i64)(a) * (b))
#define TS_ROW_MAJOR_1(name, n0) TS_LAYOUT_1(name, n0, 1)
#define TS_ROW_MAJOR_2(name, n0, n1) TS_LAYOUT_2(name, n0, n1, n1, 1)
#define TS_ROW_MAJOR_3(name, n0, n1, n2) TS_LAYOUT_3(name, n0, n1, n2, TS_TIMES(n1, n2), n2, 1)
#define TS_ROW_MAJOR_4(name, n0, n1, n2, n3) \
  TS_LAYOUT_4(name, n0, n1, n2, n3, TS_TIMES(n1, n2) * (n3), TS_TIMES(n2, n3), n3, 1)
#define TS_ROW_MAJOR_5(name, n0, n1, n2, n3, n4) \
  TS_LAYOUT_5(name, n0, n1, n2, n3, n4, TS_TIMES(n1, n2) * (n3) * (n4), TS_TIMES(n2, n3) * (n4), TS_TIMES(n3, n4), n4, 1)
#define TS_ROW_MAJOR_6(name, n0, n1, n2, n3, n4, n5) \
  TS_LAYOUT_6(name, n0, n1, n2, n3, n4, n5, TS_TIMES(n1, n2) * (n3) * (n4) * (n5), TS_TIMES(n2, n3) * (n4) * (n5), \
              TS_TIMES(n3, n4) * (n5), TS_TIMES(n4, n5), n5, 1)
#define TS_COLUMN_MAJOR_1(name, n0) TS_LAYOUT_1(name, n0, 1)
#define TS_COLUMN_MAJOR_2(name, n0, n1) TS_LAYOUT_2(name, n0, n1, 1, n0)
#define TS_COLUMN_MAJOR_3(name, n0, n1, n2) TS_LAYOUT_3(name, n0, n1, n2, 1, n0, TS_TIMES(n0, n1))
#define TS_COLUMN_MAJOR_4(name, n0, n1, n2, n3) \
  TS_LAYOUT_4(name, n0, n1, n2, n3, 1, n0, TS_TIMES(n0, n1), TS_TIMES(n0, n1) * (n2))
#define TS_COLUMN_MAJOR_5(name, n0, n1, n2, n3, n4) \
  TS_LAYOUT_5(name, n0, n1, n2, n3, n4, 1, n0, TS_TIMES(n0, n1), TS_TIMES(n0, n1) * (n2), TS_TIMES(n0, n1) * (n2) * (n3))
#define TS_COLUMN_MAJOR_6(name, n0, n1, n2, n3, n4, n5) \
  TS_LAYOUT_6(name, n0, n1, n2, n3, n4, n5, 1, n0, TS_TIMES(n0, n1), TS_TIMES(n0, n1) * (n2), TS_TIMES(n0, n1) * (n2) * (n3), \
              TS_TIMES(n0, n1) * (n2) * (n3) * (n4))

/* Mode k, from 0 (outermost) to 5 (innermost), ranks below 6 having extents of 1 in front, is known by
 *
 *   Nk   its extent; 0 is kept as 1, since nobody may divide by it: NAME_size alone says that there is nothing
 *   Sk   its stride, 0 if the extent is 1
 *   Ak   its stride without the sign, and longer than any if the extent is 1
 *   Gk   scalars from its first to its last element; -1 if it is too far for 64 bits
 *   Pk   elements within one step of it */
#define TS_LAYOUT(name, rank, M0, M1, M2, M3, M4, n0, n1, n2, n3, n4, n5, s0, s1, s2, s3, s4, s5) \
  TS_ENUM { \
    name##_has_integers = TS_IS_INTEGER((n0) + (n1) + (n2) + (n3) + (n4) + (n5) + (s0) + (s1) + (s2) + (s3) + (s4) + (s5)) \
  }; \
  TS_STATIC_ASSERT(name##_has_integers, "the layout " #name " has an extent or a stride that is no integer"); \
  TS_STATIC_ASSERT((n0) >= 0 && (n1) >= 0 && (n2) >= 0 && (n3) >= 0 && (n4) >= 0 && (n5) >= 0, \
                   "the layout " #name " has a negative extent"); \
  TS_ENUM { \
    M0(name, 0, n0, s0) M1(name, 1, n1, s1) M2(name, 2, n2, s2) M3(name, 3, n3, s3) M4(name, 4, n4, s4) TS_MODE(name, 5, n5, s5) \
    TS_WITHIN_STEPS(1, name##_P, name##_N) \
    name##_rank = rank, \
    name##_size = (n0) == 0 || (n1) == 0 || (n2) == 0 || (n3) == 0 || (n4) == 0 || (n5) == 0 ? 0 : (ts_i64)name##_P0 * name##_N0, \
    name##_lowest = name##_size ? (ts_i64)0 + TS_BELOW(name, 0) + TS_BELOW(name, 1) + TS_BELOW(name, 2) + TS_BELOW(name, 3) + \
      TS_BELOW(name, 4) + TS_BELOW(name, 5) : 0, \
    name##_cosize = name##_size ? (ts_i64)1 + name##_G0 + name##_G1 + name##_G2 + name##_G3 + name##_G4 + name##_G5 : 0, \
    name##_must_be_declared_as_a_layout = name##_size, /* what the error says of a layout that was not */ \
    name##_fits = TS_FARTHEST / name##_N0 / name##_N1 / name##_N2 / name##_N3 / name##_N4 / name##_N5 > 0 && \
      (+name##_G0 | +name##_G1 | +name##_G2 | +name##_G3 | +name##_G4 | +name##_G5) >= 0 && \
      name##_G0 / 8 + name##_G1 / 8 + name##_G2 / 8 + name##_G3 / 8 + name##_G4 / 8 + name##_G5 / 8 < TS_FARTHEST / 4 - 8 \
  }; \
  TS_STATIC_ASSERT(name##_fits, "the layout " #name " has more elements, or reaches further, than 64 bits count");
#define TS_NO_MODE(name, k, n, s) name##_N##k = 1, name##_S##k = 0, name##_A##k = TS_FARTHEST, name##_G##k = 0,
#define TS_MODE(name, k, n, s) \
  name##_N##k = (n) == 0 ? 1 : (ts_i64)(n), name##_S##k = name##_N##k == 1 ? 0 : (ts_i64)(s), \
  name##_A##k = name##_N##k == 1 ? TS_FARTHEST : name##_S##k < 0 ? -(ts_i64)name##_S##k : name##_S##k, \
  name##_G##k = name##_N##k == 1 ? 0 : name##_A##k > TS_FARTHEST / name##_N##k + 1 ? -1 : (ts_i64)name##_A##k * (name##_N##k - 1),
#define TS_FARTHEST ((ts_i64)1 << 62)
#define TS_BELOW(name, k) (name##_S##k < 0 ? -(ts_i64)name##_G##k : 0)
/* P##k of modes of N##k elements of E. */
#define TS_WITHIN_STEPS(E, P, N) \
  P##5 = (ts_i64)(E), P##4 = (ts_i64)P##5 * N##5, P##3 = (ts_i64)P##4 * N##4, P##2 = (ts_i64)P##3 * N##3, \
  P##1 = (ts_i64)P##2 * N##2, P##0 = (ts_i64)P##1 * N##1,

/* 1 if no two elements share a place, as nested strides prove it: each is longer than all that are no longer reach together. It
 * is sufficient, not exact: shape (2, 3) with strides (3, 2) is one-to-one and gives 0. 1 without elements. */
#define TS_IS_ONE_TO_ONE(layout) TS_ONE_TO_ONE(layout, 1)
/* The same of elements of E scalars. */
#define TS_ONE_TO_ONE(layout, E) \
  (layout##_size == 0 || (TS_CLEARS(layout, E, 0) && TS_CLEARS(layout, E, 1) && TS_CLEARS(layout, E, 2) && \
                          TS_CLEARS(layout, E, 3) && TS_CLEARS(layout, E, 4) && TS_CLEARS(layout, E, 5)))
#define TS_CLEARS(layout, E, k) \
  (layout##_N##k == 1 || (ts_i64)layout##_A##k * layout##_N##k >= \
      (ts_i64)(E) + TS_REACHES(layout, k, 0) + TS_REACHES(layout, k, 1) + TS_REACHES(layout, k, 2) + \
      TS_REACHES(layout, k, 3) + TS_REACHES(layout, k, 4) + TS_REACHES(layout, k, 5))
#define TS_REACHES(layout, k, j) (layout##_A##j <= layout##_A##k ? layout##_G##j : 0)

/* Elements that follow each other in memory, in logical order, from each multiple of this number on: the product of the last
 * extents that are packed; at least 1. */
#define TS_RUN(layout) TS_RUN_OF(layout##_P, layout##_N, layout##_S)
/* The largest power of two, at most 256, that divides the offset of each run's first element. */
#define TS_ROW_ALIGN(layout) TS_LOWEST_BIT((ts_i64)256 | TS_STEPS_OUTSIDE(TS_RUN(layout), layout##_P, layout##_N, layout##_S))

/* The same of any modes: N##k elements, S##k apart, and P##k elements within one step of mode k. */
#define TS_RUN_OF(P, N, S) \
  (N##5 != 1 && S##5 != P##5 ? P##5 : N##4 != 1 && S##4 != P##4 ? P##4 : N##3 != 1 && S##3 != P##3 ? P##3 : \
   N##2 != 1 && S##2 != P##2 ? P##2 : N##1 != 1 && S##1 != P##1 ? P##1 : N##0 != 1 && S##0 != P##0 ? P##0 : (ts_i64)P##0 * N##0)
/* All strides of the modes that are no part of runs of `run` elements, or-ed. */
#define TS_STEPS_OUTSIDE(run, P, N, S) \
  (TS_STEP_OUTSIDE(run, P##0, N##0, S##0) | TS_STEP_OUTSIDE(run, P##1, N##1, S##1) | TS_STEP_OUTSIDE(run, P##2, N##2, S##2) | \
   TS_STEP_OUTSIDE(run, P##3, N##3, S##3) | TS_STEP_OUTSIDE(run, P##4, N##4, S##4) | TS_STEP_OUTSIDE(run, P##5, N##5, S##5))
#define TS_STEP_OUTSIDE(run, p, n, s) ((ts_i64)(p) * (n) <= (run) ? 0 : (s))
#define TS_LOWEST_BIT(x) ((x) & -(x))
/* clang-format on */

#endif
