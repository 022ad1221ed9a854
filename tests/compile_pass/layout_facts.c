/* SPDX-License-Identifier: Apache-2.0
 *
 * The facts of static layouts, row by row, worked out by hand from the words of core/layout.h.
 *
 *   FACTS(layout, rank, size, lowest, cosize, run, row align, one-to-one)
 */
#include "tensorstorage.h"

#define FACTS(layout, rank, size, lowest, cosize, run, row_align, one_to_one)                                                  \
  FACT(layout##_rank, rank)                                                                                                    \
  FACT(layout##_size, size)                                                                                                    \
  FACT(layout##_lowest, lowest)                                                                                                \
  FACT(layout##_cosize, cosize)                                                                                                \
  FACT(TS_RUN(layout), run) FACT(TS_ROW_ALIGN(layout), row_align) FACT(TS_IS_ONE_TO_ONE(layout), one_to_one)
#define FACT(fact, value) TS_STATIC_ASSERT((ts_i64)(fact) == (ts_i64)(value), #fact " must be " #value);

/* clang-format off */

/* Packed: one run, which starts at 0. Without any other step the alignment of rows is the largest there is, 256. */
TS_ROW_MAJOR_1(one, 1)
TS_ROW_MAJOR_1(hundred, 100)
TS_ROW_MAJOR_2(row_2, 5, 7)
TS_ROW_MAJOR_6(row_6, 2, 3, 4, 5, 6, 7)
FACTS(one,             1, 1,    0,    1,    1,    256, 1)
FACTS(hundred,         1, 100,  0,    100,  100,  256, 1)
FACTS(row_2,           2, 35,   0,    35,   35,   256, 1)
FACTS(row_6,           6, 5040, 0,    5040, 5040, 256, 1)

/* Column-major: the last index is not the fastest, so runs are of one element. Its steps are or-ed: 1 is among them. */
TS_COLUMN_MAJOR_2(column_2, 4, 8)
TS_COLUMN_MAJOR_4(column_4, 2, 3, 4, 5)
TS_COLUMN_MAJOR_6(column_6, 2, 1, 3, 1, 2, 2)
FACTS(column_2,        2, 32,   0,    32,   1,    1,   1)
FACTS(column_4,        4, 120,  0,    120,  1,    1,   1)
FACTS(column_6,        6, 24,   0,    24,   1,    1,   1)

/* Padded: the highest element is (n0 - 1) * s0 + … above the first. */
TS_LAYOUT_2(pitch_36, 32, 32, 36, 1)
TS_LAYOUT_3(slices, 6, 5, 7, 70, 14, 1)
TS_LAYOUT_3(inner_packed, 3, 4, 8, 64, 8, 1)
TS_LAYOUT_1(every_third, 10, 3)
FACTS(pitch_36,        2, 1024, 0,    1148, 32,   4,   1) /* 31 * 36 + 31 + 1 */
FACTS(slices,          3, 210,  0,    413,  7,    2,   1) /* 5 * 70 + 4 * 14 + 6 + 1 */
FACTS(inner_packed,    3, 96,   0,    160,  32,   64,  1) /* 2 * 64 + 3 * 8 + 7 + 1; the inner two modes are one run */
FACTS(every_third,     1, 10,   0,    28,   1,    1,   1)

/* Negative: the lowest element is (n - 1) * |s| below the first. */
TS_LAYOUT_1(backwards, 6, -1)
TS_LAYOUT_2(upward, 8, 16, -16, 1)
TS_LAYOUT_2(both_negative, 3, 4, -10, -2)
FACTS(backwards,       1, 6,    -5,   6,    1,    1,   1)
FACTS(upward,          2, 128,  -112, 128,  16,   16,  1)
FACTS(both_negative,   2, 12,   -26,  27,   1,    2,   1) /* 2 * 10 + 3 * 2 */

/* Places that elements share, or that nothing proves they don't. */
TS_LAYOUT_2(same_row, 4, 8, 0, 1)
TS_LAYOUT_1(same_element, 5, 0)
TS_LAYOUT_2(overlapping, 4, 8, 7, 1)
TS_LAYOUT_2(just_nested, 4, 8, 8, 1)
TS_LAYOUT_2(coprime, 2, 3, 3, 2)
FACTS(same_row,        2, 32,   0,    8,    8,    256, 0)
FACTS(same_element,    1, 5,    0,    1,    1,    256, 0)
FACTS(overlapping,     2, 32,   0,    29,   8,    1,   0)
FACTS(just_nested,     2, 32,   0,    32,   32,   256, 1)
FACTS(coprime,         2, 6,    0,    8,    1,    1,   0) /* 0 2 4 3 5 7: one-to-one, but 3 does not clear 2 * 2 */

/* The stride of an extent of 1 is never used. */
TS_LAYOUT_3(extents_of_1, 1, 4, 1, 1000003, 1, -7)
TS_LAYOUT_2(one_row, 1, 4, 0, 2)
FACTS(extents_of_1,    3, 4,    0,    4,    4,    256, 1)
FACTS(one_row,         2, 4,    0,    7,    1,    2,   1)

/* Nothing there. */
TS_LAYOUT_2(none, 0, 5, -5, 1)
TS_ROW_MAJOR_4(none_inside, 3, 0, 7, 2)
FACT(none_size, 0)
FACT(none_lowest, 0)
FACT(none_cosize, 0)
FACT(TS_IS_ONE_TO_ONE(none), 1)
FACT(none_inside_rank, 4)
FACT(none_inside_size, 0)
FACT(none_inside_cosize, 0)

/* More than 32 bits hold. */
TS_ROW_MAJOR_3(huge, 2048, 2048, 2048)
TS_LAYOUT_2(far_rows, 3, 64, 4294967296, 1)
TS_LAYOUT_2(far_below, 3, 64, -4294967298, 1)
TS_LAYOUT_1(far_elements, 4294967297, 1073741824)
FACTS(huge,            3, 8589934592, 0,           8589934592,          8589934592, 256, 1)
FACTS(far_rows,        2, 192,        0,           8589934656,          64,         256, 1) /* 2 * 2^32 + 63 + 1 */
FACTS(far_below,       2, 192,        -8589934596, 8589934660,          64,         2,   1)
FACTS(far_elements,    1, 4294967297, 0,           4611686018427387905, 1,          256, 1) /* 2^32 * 2^30 + 1 */

/* clang-format on */
