/* SPDX-License-Identifier: Apache-2.0
 *
 * check_layout.c: the laws of core/layout_dynamic.h, on random layouts and on those of its comments. That kernels of every
 * language compute the same: conformance/layout_cases.c.
 */
#define TS_USE_i64 1
#define TS_USE_DYNAMIC_LAYOUTS 1
#include "../tensorstorage.h"

#include <check.h>
#include <stdlib.h>

#include "conformance/cases.h"
#include "conformance/layout_reference.h"

enum { ROUNDS = 1500 };

/* L(i) of the layout under test, for each i. */
static void own_offsets(offsets *o, ts_layout layout) {
  o->count = (int)ts_layout_size(layout);
  ck_assert_int_le(o->count, REFERENCE_MOST);
  for (int k = 0; k < o->count; ++k) o->at[k] = ts_layout_offset(layout, k);
}

/* Each L'(i) + added is L(i). */
static void assert_offsets(ts_layout layout, const offsets *wanted, integer added) {
  offsets own;
  own_offsets(&own, layout);
  ck_assert_int_eq(own.count, wanted->count);
  for (int k = 0; k < own.count; ++k) ck_assert_int_eq(own.at[k] + added, wanted->at[k]);
}

/* Rank, shape and stride; nothing is said of a stride where the extent is 1. */
static void assert_layout(ts_layout layout, ts_layout wanted) {
  ck_assert_int_eq(layout.rank, wanted.rank);
  for (int d = 0; d < wanted.rank; ++d) {
    ck_assert_int_eq(layout.shape[d], wanted.shape[d]);
    if (wanted.shape[d] != 1) ck_assert_int_eq(layout.stride[d], wanted.stride[d]);
  }
}

static void assert_same_shape(const ts_layout *a, const ts_layout *b) {
  ck_assert_int_eq(a->rank, b->rank);
  for (int d = 0; d < a->rank; ++d) ck_assert_int_eq(a->shape[d], b->shape[d]);
}

/* No mode of extent 1, and no two neighbours that both layouts could merge. */
static void assert_folded(const ts_layout *a, const ts_layout *b) {
  for (int d = 0; d < a->rank; ++d) {
    ck_assert_int_ne(a->shape[d], 1);
    if (d) ck_assert(a->stride[d - 1] != a->shape[d] * a->stride[d] || b->stride[d - 1] != b->shape[d] * b->stride[d]);
  }
}

START_TEST(layout__has_no_padding) { ck_assert_int_eq(sizeof(ts_layout), 17 * 8); }
END_TEST

START_TEST(layout_make__keeps_extents_and_strides) {
  ts_layout a = ts_layout_make_4(2, 3, 4, 5, 60, -20, 0, 1);
  const ts_i64 shape[4] = {2, 3, 4, 5}, stride[4] = {60, -20, 0, 1};
  ck_assert_int_eq(a.rank, 4);
  for (int d = 0; d < 4; ++d) {
    ck_assert_int_eq(a.shape[d], shape[d]);
    ck_assert_int_eq(a.stride[d], stride[d]);
  }
  assert_layout(ts_layout_make(4, shape, stride), a);
  ck_assert_int_eq(ts_layout_make_0().rank, 0);
  ck_assert_int_eq(ts_layout_size(ts_layout_make_0()), 1);
  ck_assert_int_eq(ts_layout_offset(ts_layout_make_0(), 0), 0);
}
END_TEST

START_TEST(layout_make__refuses_ranks_and_extents_that_there_are_not) {
  const ts_i64 nine[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1}, negative[2] = {2, -1};
  ck_assert_int_eq(ts_layout_make(8, nine, nine).rank, 8);
  ck_assert_int_eq(ts_layout_make(9, nine, nine).rank, -1);
  ck_assert_int_eq(ts_layout_make(-1, nine, nine).rank, -1);
  ck_assert_int_eq(ts_layout_make(2, negative, nine).rank, -1);
  ck_assert_int_eq(ts_layout_row_major(9, nine).rank, -1);
  ck_assert_int_eq(ts_layout_column_major(2, negative).rank, -1);
  ck_assert_int_eq(ts_layout_make_3(2, -1, 2, 1, 1, 1).rank, -1);
}
END_TEST

START_TEST(layout__compact_ones_have_the_strides_of_their_order) {
  const ts_i64 shape[3] = {2, 3, 4};
  assert_layout(ts_layout_row_major(3, shape), ts_layout_make_3(2, 3, 4, 12, 4, 1));
  assert_layout(ts_layout_column_major(3, shape), ts_layout_make_3(2, 3, 4, 1, 2, 6));
}
END_TEST

START_TEST(layout__without_a_layout_there_are_no_elements) {
  ts_layout none = ts_layout_make(-1, NULL, NULL), other = none;
  ts_i64 offset = 7;
  ck_assert_int_eq(ts_layout_size(none), 0);
  ck_assert_int_eq(ts_layout_cosize(none), 0);
  ck_assert_int_eq(ts_layout_lowest(none), 0);
  ck_assert_int_eq(ts_layout_fold(none).rank, -1);
  ck_assert_int_eq(ts_layout_append(none, 1, 1).rank, -1);
  ck_assert_int_eq(ts_layout_permute(none, NULL).rank, -1);
  ck_assert_int_eq(ts_layout_reshape(none, 0, NULL).rank, -1);
  ck_assert_int_eq(ts_layout_reshape(none, 1, (const ts_i64[]){0}).rank, -1);
  ck_assert_int_eq(ts_layout_restrict(none, 0, 0, 0, &offset).rank, -1);
  ck_assert_int_eq(ts_layout_fix(none, 0, 0, &offset).rank, -1);
  ck_assert_int_eq(ts_layout_tile_count(none, NULL), 0);
  ck_assert_int_eq(ts_layout_tile(none, NULL, 0, &offset).rank, -1);
  ts_layout_sort_two(&none, &other);
  ck_assert_int_eq(none.rank, -1);
  ck_assert_int_eq(offset, 7);
}
END_TEST

START_TEST(layout__size_cosize_and_lowest_are_those_of_its_offsets) {
  uint64_t random = 1;
  int negative = 0, empty = 0;
  for (int round = 0; round < ROUNDS; ++round) {
    ts_layout a = reference_random_layout(&random);
    offsets wanted;
    reference_offsets(&wanted, &a);
    assert_offsets(a, &wanted, 0);
    ck_assert_int_eq(ts_layout_cosize(a), reference_cosize(&wanted));
    ck_assert_int_eq(ts_layout_lowest(a), reference_lowest(&wanted));
    negative += ts_layout_lowest(a) < 0;
    empty += ts_layout_size(a) == 0;
  }
  ck_assert_int_gt(negative, ROUNDS / 20);
  ck_assert_int_gt(empty, ROUNDS / 20);
}
END_TEST

START_TEST(layout__counts_in_64_bits) {
  ts_layout a = ts_layout_make_2((ts_i64)1 << 20, (ts_i64)1 << 20, (ts_i64)1 << 21, 2);
  ck_assert_int_eq(ts_layout_size(a), (ts_i64)1 << 40);
  ck_assert_int_eq(ts_layout_cosize(a), ((ts_i64)1 << 41) - 1);
  ck_assert_int_eq(ts_layout_offset(a, ((ts_i64)1 << 40) - 1), ((ts_i64)1 << 41) - 2);
}
END_TEST

START_TEST(layout_is_one_to_one__is_true_only_where_all_offsets_differ) {
  uint64_t random = 2;
  int proven = 0;
  for (int round = 0; round < ROUNDS; ++round) {
    ts_layout a = reference_random_layout(&random);
    offsets own;
    reference_offsets(&own, &a);
    ck_assert_int_eq(ts_layout_is_one_to_one(a), reference_strides_nest(&a));
    if (!ts_layout_is_one_to_one(a)) continue;
    ck_assert(reference_all_differ(&own));
    ++proven;
  }
  ck_assert_int_gt(proven, ROUNDS / 4);
}
END_TEST

START_TEST(layout_is_one_to_one__is_sufficient_not_exact) {
  ck_assert_int_eq(ts_layout_is_one_to_one(ts_layout_make_2(2, 3, 3, 2)), 0); /* 0 2 4 3 5 7 */
  ck_assert_int_eq(ts_layout_is_one_to_one(ts_layout_make_2(2, 3, 1, -1)), 0);
  ck_assert_int_eq(ts_layout_is_one_to_one(ts_layout_make_2(3, 4, 4, -1)), 1);
  ck_assert_int_eq(ts_layout_is_one_to_one(ts_layout_make_2(3, 4, 3, 1)), 0);
  ck_assert_int_eq(ts_layout_is_one_to_one(ts_layout_make_2(3, 1, 4, 0)), 1); /* the stride of extent 1 is never used */
  ck_assert_int_eq(ts_layout_is_one_to_one(ts_layout_make_2(3, 0, 0, 0)), 1);
}
END_TEST

START_TEST(layout_fold__keeps_every_offset) {
  uint64_t random = 3;
  for (int round = 0; round < ROUNDS; ++round) {
    ts_layout a = reference_random_layout(&random), folded = ts_layout_fold(a);
    offsets wanted;
    reference_offsets(&wanted, &a);
    assert_offsets(folded, &wanted, 0);
    assert_folded(&folded, &folded);
  }
  assert_layout(ts_layout_fold(ts_layout_make_3(4, 8, 16, 128, 16, 1)), ts_layout_make_1(512, 1));
  assert_layout(ts_layout_fold(ts_layout_make_3(1, 1, 1, 5, 6, 7)), ts_layout_make_0());
  assert_layout(ts_layout_fold(ts_layout_make_3(4, 1, 16, -32, 99, -2)), ts_layout_make_1(64, -2));
}
END_TEST

START_TEST(layout_fold_two__keeps_every_pair_of_offsets) {
  uint64_t random = 4;
  for (int round = 0; round < ROUNDS; ++round) {
    ts_layout a = reference_random_layout(&random);
    ts_layout b = reference_random_strides(&random, (int)a.rank, a.shape, false);
    offsets wanted_a, wanted_b;
    reference_offsets(&wanted_a, &a);
    reference_offsets(&wanted_b, &b);
    ts_layout_fold_two(&a, &b);
    assert_offsets(a, &wanted_a, 0);
    assert_offsets(b, &wanted_b, 0);
    assert_same_shape(&a, &b);
    assert_folded(&a, &b);
  }
  ts_layout a = ts_layout_make_3(4, 8, 16, 128, 16, 1), b = ts_layout_make_3(4, 8, 16, 256, 32, 2);
  ts_layout_fold_two(&a, &b);
  assert_layout(a, ts_layout_make_1(512, 1));
  assert_layout(b, ts_layout_make_1(512, 2));
}
END_TEST

START_TEST(layout_refine__gives_common_modes_exactly_where_there_are_some) {
  uint64_t random = 5;
  int refined = 0, refused = 0;
  for (int round = 0; round < ROUNDS; ++round) {
    ts_layout a = reference_random_layout(&random), b;
    integer shape[8];
    int rank = reference_random_shape(&random, reference_size((int)a.rank, a.shape), shape);
    b = reference_random_strides(&random, rank, shape, false);
    offsets wanted_a, wanted_b;
    reference_offsets(&wanted_a, &a);
    reference_offsets(&wanted_b, &b);
    int ok = ts_layout_refine(&a, &b);
    ck_assert_int_eq(ok, reference_has_common_modes(&wanted_a, &wanted_b, TS_LAYOUT_MAX_RANK));
    assert_offsets(a, &wanted_a, 0);
    assert_offsets(b, &wanted_b, 0);
    if (ok) {
      assert_same_shape(&a, &b);
      assert_folded(&a, &b);
    }
    refined += ok;
    refused += !ok;
  }
  ck_assert_int_gt(refined, ROUNDS / 4);
  ck_assert_int_gt(refused, ROUNDS / 20);
}
END_TEST

START_TEST(layout_refine__does_what_its_comment_shows) {
  ts_layout a = ts_layout_make_2(4, 6, 8, 1), b = ts_layout_make_2(12, 2, 1, 12);
  ck_assert_int_eq(ts_layout_refine(&a, &b), 1);
  assert_layout(a, ts_layout_make_3(4, 3, 2, 8, 2, 1));
  assert_layout(b, ts_layout_make_3(4, 3, 2, 3, 1, 12));
  a = ts_layout_make_2(2, 3, 1, 2), b = ts_layout_make_2(3, 2, 1, 3);
  ck_assert_int_eq(ts_layout_refine(&a, &b), 0);
  assert_layout(a, ts_layout_make_2(2, 3, 1, 2));
  assert_layout(b, ts_layout_make_2(3, 2, 1, 3));
  b = ts_layout_make_1(5, 1);
  ck_assert_int_eq(ts_layout_refine(&a, &b), 0);
  a = ts_layout_make_2(0, 3, 7, 1), b = ts_layout_make_1(0, 1);
  ck_assert_int_eq(ts_layout_refine(&a, &b), 1);
  assert_layout(a, ts_layout_make_1(0, 0));
  assert_layout(b, ts_layout_make_1(0, 0));
}
END_TEST

START_TEST(layout_refine__refuses_more_than_eight_modes) {
  const ts_i64 stride_a[8] = {3000, 900, 300, 90, 30, 9, 3, 1}, stride_b[8] = {1, 3, 9, 30, 90, 300, 900, 3000};
  const ts_i64 shape_a[8] = {2, 4, 4, 4, 4, 4, 4, 4}, shape_b[8] = {4, 4, 4, 4, 4, 4, 4, 2};
  ts_layout a = ts_layout_make(8, shape_a, stride_a), b = ts_layout_make(8, shape_b, stride_b);
  ts_layout kept = a;
  ck_assert_int_eq(ts_layout_refine(&a, &b), 0); /* modes end at each power of two: 15 */
  assert_layout(a, kept);
  b = ts_layout_make(8, shape_a, stride_b);
  ck_assert_int_eq(ts_layout_refine(&a, &b), 1);
  ck_assert_int_eq(a.rank, 8);
}
END_TEST

static int by_first(const void *x, const void *y) {
  const integer *a = x, *b = y;
  for (int k = 0; k < 2; ++k)
    if (a[k] != b[k]) return a[k] < b[k] ? -1 : 1;
  return 0;
}

START_TEST(layout_sort_two__keeps_the_set_of_pairs) {
  uint64_t random = 6;
  for (int round = 0; round < ROUNDS; ++round) {
    ts_layout a = reference_random_layout(&random);
    ts_layout b = reference_random_strides(&random, (int)a.rank, a.shape, false);
    integer before[REFERENCE_MOST][2], after[REFERENCE_MOST][2];
    offsets own_a, own_b;
    own_offsets(&own_a, a);
    own_offsets(&own_b, b);
    for (int k = 0; k < own_a.count; ++k) before[k][0] = own_a.at[k], before[k][1] = own_b.at[k];
    ts_layout_sort_two(&a, &b);
    assert_same_shape(&a, &b);
    for (int d = 1; d < a.rank; ++d) ck_assert_int_ge(llabs(a.stride[d - 1]), llabs(a.stride[d]));
    ck_assert_int_eq(ts_layout_size(a), own_a.count);
    own_offsets(&own_a, a);
    own_offsets(&own_b, b);
    for (int k = 0; k < own_a.count; ++k) after[k][0] = own_a.at[k], after[k][1] = own_b.at[k];
    qsort(before, (size_t)own_a.count, sizeof *before, by_first);
    qsort(after, (size_t)own_a.count, sizeof *after, by_first);
    for (int k = 0; k < own_a.count; ++k) ck_assert_int_eq(by_first(before[k], after[k]), 0);
  }
}
END_TEST

START_TEST(layout_reshape__keeps_every_offset_exactly_where_strides_can) {
  uint64_t random = 7;
  int kept = 0, refused = 0;
  for (int round = 0; round < ROUNDS; ++round) {
    ts_layout a = reference_random_layout(&random);
    integer shape[8];
    int rank = reference_random_shape(&random, reference_size((int)a.rank, a.shape), shape);
    offsets wanted;
    reference_offsets(&wanted, &a);
    ts_layout b = ts_layout_reshape(a, rank, shape);
    ck_assert_int_eq(b.rank, reference_has_strides(&wanted, rank, shape) ? rank : -1);
    refused += b.rank < 0;
    if (b.rank < 0) continue;
    assert_offsets(b, &wanted, 0);
    for (int d = 0; d < rank; ++d) ck_assert_int_eq(b.shape[d], shape[d]);
    ++kept;
  }
  ck_assert_int_gt(kept, ROUNDS / 4);
  ck_assert_int_gt(refused, ROUNDS / 20);
  const ts_i64 shape[2] = {2, 12}, rows[2] = {3, 2};
  assert_layout(ts_layout_reshape(ts_layout_make_2(4, 6, 6, 1), 2, shape), ts_layout_make_2(2, 12, 12, 1));
  ck_assert_int_eq(ts_layout_reshape(ts_layout_make_2(2, 3, 1, 2), 2, rows).rank, -1);
  ck_assert_int_eq(ts_layout_reshape(ts_layout_make_2(2, 3, 3, 1), 2, shape).rank, -1);
}
END_TEST

START_TEST(layout_permute__moves_the_index_with_the_mode) {
  uint64_t random = 8;
  for (int round = 0; round < ROUNDS; ++round) {
    ts_layout a = reference_random_layout(&random);
    int order[8], rank = (int)a.rank;
    for (int d = 0; d < rank; ++d) order[d] = d;
    for (int d = rank - 1; d > 0; --d) {
      int e = (int)reference_random_below(&random, d + 1), swapped = order[d];
      order[d] = order[e];
      order[e] = swapped;
    }
    ts_layout b = ts_layout_permute(a, order);
    ck_assert_int_eq(b.rank, rank);
    integer index[8] = {0}, own[8] = {0};
    for (int k = 0; k < ts_layout_size(a); ++k, reference_next(index, rank, b.shape)) {
      for (int d = 0; d < rank; ++d) own[order[d]] = index[d];
      ck_assert_int_eq(ts_layout_offset(b, k), reference_offset(&a, own));
    }
  }
}
END_TEST

START_TEST(layout_permute__refuses_what_is_no_permutation) {
  ts_layout a = ts_layout_make_3(2, 3, 4, 12, 4, 1);
  const int orders[][3] = {{0, 1, 1}, {0, 1, 3}, {-1, 1, 2}}, good[3] = {2, 0, 1};
  for (int k = 0; k < 3; ++k) ck_assert_int_eq(ts_layout_permute(a, orders[k]).rank, -1);
  assert_layout(ts_layout_permute(a, good), ts_layout_make_3(4, 2, 3, 1, 12, 4));
}
END_TEST

/* A layout that has modes and elements. */
static ts_layout random_with_modes(uint64_t *random) {
  ts_layout a = reference_random_layout(random);
  while (!a.rank || !ts_layout_size(a)) a = reference_random_layout(random);
  return a;
}

START_TEST(layout_restrict_and_fix__see_the_elements_of_the_range) {
  uint64_t random = 9;
  for (int round = 0; round < ROUNDS; ++round) {
    ts_layout a = random_with_modes(&random);
    int d = (int)reference_random_below(&random, a.rank), rank = (int)a.rank;
    ts_i64 begin = reference_random_below(&random, a.shape[d]), offset = 100;
    ts_i64 count = reference_random_below(&random, a.shape[d] - begin + 1);
    offsets wanted = {.count = 0}, fixed = {.count = 0};
    integer index[8] = {0};
    do {
      if (index[d] >= begin && index[d] < begin + count) wanted.at[wanted.count++] = reference_offset(&a, index);
      if (index[d] == begin) fixed.at[fixed.count++] = reference_offset(&a, index);
    } while (reference_next(index, rank, a.shape));
    ts_layout part = ts_layout_restrict(a, d, begin, count, &offset);
    ck_assert_int_eq(part.rank, rank);
    assert_offsets(part, &wanted, offset - 100);
    offset = 100;
    part = ts_layout_fix(a, d, begin, &offset);
    ck_assert_int_eq(part.rank, rank - 1);
    assert_offsets(part, &fixed, offset - 100);
  }
}
END_TEST

START_TEST(layout_restrict_and_fix__refuse_what_is_outside) {
  ts_layout a = ts_layout_make_2(3, 4, 4, 1);
  ts_i64 offset = 5;
  ck_assert_int_eq(ts_layout_restrict(a, 2, 0, 1, &offset).rank, -1);
  ck_assert_int_eq(ts_layout_restrict(a, -1, 0, 1, &offset).rank, -1);
  ck_assert_int_eq(ts_layout_restrict(a, 0, -1, 1, &offset).rank, -1);
  ck_assert_int_eq(ts_layout_restrict(a, 0, 0, -1, &offset).rank, -1);
  ck_assert_int_eq(ts_layout_restrict(a, 0, 1, 3, &offset).rank, -1);
  ck_assert_int_eq(ts_layout_fix(a, 1, 4, &offset).rank, -1);
  ck_assert_int_eq(ts_layout_fix(a, 2, 0, &offset).rank, -1);
  ck_assert_int_eq(offset, 5);
  ck_assert_int_eq(ts_layout_restrict(a, 0, 3, 0, &offset).rank, 2); /* empty at the end */
  ck_assert_int_eq(offset, 5);
}
END_TEST

START_TEST(layout_tile__puts_each_element_into_one_tile) {
  uint64_t random = 10;
  int hang_over = 0;
  for (int round = 0; round < ROUNDS; ++round) {
    ts_layout a = reference_random_layout(&random);
    int rank = (int)a.rank, seen[REFERENCE_MOST] = {0};
    ts_i64 tile[8], tiles[8], count = 1, size = ts_layout_size(a);
    integer at[8] = {0};
    for (int d = 0; d < rank; ++d) {
      tile[d] = 1 + reference_random_below(&random, a.shape[d] + 1);
      tiles[d] = 0;
      for (ts_i64 k = 0; k < a.shape[d]; k += tile[d]) ++tiles[d];
      count *= tiles[d];
    }
    ck_assert_int_eq(ts_layout_tile_count(a, tile), count);
    for (ts_i64 number = 0; number < count; ++number, reference_next(at, rank, tiles)) {
      ts_i64 offset = 100;
      ts_layout part = ts_layout_tile(a, tile, number, &offset);
      ck_assert_int_eq(part.rank, rank);
      integer inside[8] = {0};
      for (int k = 0; k < ts_layout_size(part); ++k, reference_next(inside, rank, part.shape)) {
        integer index[8] = {0}, element = 0;
        for (int d = 0; d < rank; ++d) {
          index[d] = at[d] * tile[d] + inside[d];
          element = element * a.shape[d] + index[d];
        }
        ck_assert_int_lt(element, size);
        ck_assert_int_eq(ts_layout_offset(part, k) + offset - 100, reference_offset(&a, index));
        ++seen[element];
      }
      hang_over += ts_layout_size(part) < reference_size(rank, tile);
    }
    for (int k = 0; k < size; ++k) ck_assert_int_eq(seen[k], 1);
  }
  ck_assert_int_gt(hang_over, ROUNDS / 4);
}
END_TEST

START_TEST(layout_tile__refuses_a_tile_that_there_is_not) {
  ts_layout a = ts_layout_make_2(5, 7, 7, 1);
  const ts_i64 tile[2] = {2, 4}, none[2] = {2, 0};
  ts_i64 offset = 3;
  ck_assert_int_eq(ts_layout_tile_count(a, tile), 6);
  ck_assert_int_eq(ts_layout_tile(a, tile, 6, &offset).rank, -1);
  ck_assert_int_eq(ts_layout_tile(a, tile, -1, &offset).rank, -1);
  ck_assert_int_eq(ts_layout_tile_count(a, none), 0);
  ck_assert_int_eq(ts_layout_tile(a, none, 0, &offset).rank, -1);
  ck_assert_int_eq(offset, 3);
  assert_layout(ts_layout_tile(a, tile, 5, &offset), ts_layout_make_2(1, 3, 7, 1));
  ck_assert_int_eq(offset, 3 + 4 * 7 + 4);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("layout");
  TCase *tests = tcase_create("layout");
  tcase_add_test(tests, layout__has_no_padding);
  tcase_add_test(tests, layout_make__keeps_extents_and_strides);
  tcase_add_test(tests, layout_make__refuses_ranks_and_extents_that_there_are_not);
  tcase_add_test(tests, layout__compact_ones_have_the_strides_of_their_order);
  tcase_add_test(tests, layout__without_a_layout_there_are_no_elements);
  tcase_add_test(tests, layout__size_cosize_and_lowest_are_those_of_its_offsets);
  tcase_add_test(tests, layout__counts_in_64_bits);
  tcase_add_test(tests, layout_is_one_to_one__is_true_only_where_all_offsets_differ);
  tcase_add_test(tests, layout_is_one_to_one__is_sufficient_not_exact);
  tcase_add_test(tests, layout_fold__keeps_every_offset);
  tcase_add_test(tests, layout_fold_two__keeps_every_pair_of_offsets);
  tcase_add_test(tests, layout_refine__gives_common_modes_exactly_where_there_are_some);
  tcase_add_test(tests, layout_refine__does_what_its_comment_shows);
  tcase_add_test(tests, layout_refine__refuses_more_than_eight_modes);
  tcase_add_test(tests, layout_sort_two__keeps_the_set_of_pairs);
  tcase_add_test(tests, layout_reshape__keeps_every_offset_exactly_where_strides_can);
  tcase_add_test(tests, layout_permute__moves_the_index_with_the_mode);
  tcase_add_test(tests, layout_permute__refuses_what_is_no_permutation);
  tcase_add_test(tests, layout_restrict_and_fix__see_the_elements_of_the_range);
  tcase_add_test(tests, layout_restrict_and_fix__refuse_what_is_outside);
  tcase_add_test(tests, layout_tile__puts_each_element_into_one_tile);
  tcase_add_test(tests, layout_tile__refuses_a_tile_that_there_is_not);
  suite_add_tcase(suite, tests);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
