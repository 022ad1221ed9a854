/* SPDX-License-Identifier: Apache-2.0
 *
 * check_storages.c: what the storages of examples/storages/ know at compile time, and the bank conflicts of a swizzled tile.
 * That they load and store is the conformance suite's business (conformance/storage.c).
 */
#include <check.h>
#include <stdbool.h>
#include <stdlib.h>

#include "examples/storages/scaled.h"
#include "examples/storages/static_offset.h"
#include "examples/storages/swizzled.h"
#include "examples/storages/vectorised.h"

/* ---- bank conflicts ------------------------------------------------------------------------------------------------- */

/* A warp, and the banks of shared memory, each 4 bytes wide. */
enum { LANES = 32, BANKS = 32, SIDE = 32 };

/* Where an element of a tile of f32 lies, in elements. */
static ts_index plain_place(int row, int column) { return 32 * row + column; }
static ts_index padded_by_1_place(int row, int column) { return 33 * row + column; }
static ts_index padded_by_4_place(int row, int column) { return 36 * row + column; }
static ts_index swizzled_tile_place(int row, int column) { return swizzled_place(32 * row + column); }

/* How many lanes, at most, go to one bank at once, where the lanes take the elements of one row, or column. The worst of all
 * rows, or columns. Lanes go to different words, so each more of a bank is a conflict. */
static int lanes_of_a_bank(ts_index (*place)(int row, int column), bool by_columns) {
  int worst = 0;
  for (int line = 0; line < SIDE; ++line) {
    int lanes[BANKS] = {0};
    for (int lane = 0; lane < LANES; ++lane)
      if (++lanes[(by_columns ? place(lane, line) : place(line, lane)) % BANKS] > worst) ++worst;
  }
  return worst;
}

START_TEST(rows__never_conflict) {
  ck_assert_int_eq(lanes_of_a_bank(plain_place, false), 1);
  ck_assert_int_eq(lanes_of_a_bank(padded_by_1_place, false), 1);
  ck_assert_int_eq(lanes_of_a_bank(padded_by_4_place, false), 1);
  ck_assert_int_eq(lanes_of_a_bank(swizzled_tile_place, false), 1);
}
END_TEST

START_TEST(columns__conflict_unless_padded_by_1_or_swizzled) {
  ck_assert_int_eq(lanes_of_a_bank(plain_place, true), 32);
  ck_assert_int_eq(lanes_of_a_bank(padded_by_4_place, true), 4);
  ck_assert_int_eq(lanes_of_a_bank(padded_by_1_place, true), 1);
  ck_assert_int_eq(lanes_of_a_bank(swizzled_tile_place, true), 1);
}
END_TEST

START_TEST(a_swizzled_tile__has_a_place_for_each_element_and_no_more) {
  bool is_taken[SIDE * SIDE] = {false};
  for (ts_index i = 0; i < SIDE * SIDE; ++i) {
    ts_index place = swizzled_place(i);
    ck_assert(place >= 0 && place < SIDE * SIDE && !is_taken[place]);
    is_taken[place] = true;
  }
}
END_TEST

/* ---- constants -------------------------------------------------------------------------------------------------------- */

STATIC_OFFSET(at_0, ts_global, f32, 0, TS_ALIGN(64))
STATIC_OFFSET(at_36, ts_shared, f32, 36, TS_ALIGN(64))
STATIC_OFFSET(at_minus_2, ts_local, f32, -2, TS_ALIGN(256))
STATIC_OFFSET_CONST(at_3, ts_constant, f16, 3, TS_ALIGN(16))
STATIC_OFFSET_CONST(at_1024, ts_global_const, f64, 1024, TS_ALIGN(128) | TS_INVARIANT)
STATIC_OFFSET(without_a_promise, ts_global, f32, 4, TS_NON_TEMPORAL)
VECTORISED(eights, ts_global, u16, 8, TS_NON_TEMPORAL)

/* The largest power of two that divides the start in bytes, and at most what the base promises. */
START_TEST(a_static_offset__knows_its_alignment) {
  ck_assert_int_eq(at_0_align_f32, 64);
  ck_assert_int_eq(at_36_align_f32, 16);
  ck_assert_int_eq(at_minus_2_align_f32, 8);
  ck_assert_int_eq(at_3_align_f16, 2);
  ck_assert_int_eq(at_1024_align_f64, 128);
  ck_assert_int_eq(without_a_promise_align_f32, 4);
}
END_TEST

START_TEST(hints__stay_with_the_type) {
  ck_assert_int_eq(at_1024_flags_f64, TS_INVARIANT | TS_ALIGN(128));
  ck_assert_int_eq(without_a_promise_flags_f32, TS_NON_TEMPORAL | TS_ALIGN(4));
  ck_assert_int_eq(eights_flags_u16x4, TS_NON_TEMPORAL);
  ck_assert_int_eq(eights_flags_u16x8, TS_NON_TEMPORAL | TS_ALIGN(16));
  ck_assert_int_eq(eights_flags_u16x16, TS_NON_TEMPORAL | TS_ALIGN(16));
}
END_TEST

START_TEST(element_sizes__are_those_of_the_storages) {
  ck_assert_int_eq(ts_element_size(eights, u16), 8);
  ck_assert_int_eq(ts_element_size(at_36, f32), 1);
  ck_assert_int_eq(ts_element_size(swizzled, f32), 1);
  ck_assert_int_eq(ts_element_size(scaled, f32), 1);
}
END_TEST

/* ---- widths that are made of width 1 ---------------------------------------------------------------------------------- */

/* A storage whose elements are the flags that they are loaded with. */
typedef struct asked_i32 {
  int unused;
} asked_i32;
TS_FUNCTION int asked_load_i32x1(asked_i32 h, ts_index i, int flags) { return (void)h, (void)i, flags; }
TS_STORAGE_LOAD_WIDTHS(asked, i32)

/* The flags of all four elements, which have to be the same. */
static int flags_of_elements(ts_i32x4 flags) {
  for (int k = 1; k < 4; ++k) ck_assert_int_eq(ts_lane(i32, 4, flags, k), ts_lane(i32, 4, flags, 0));
  return ts_lane(i32, 4, flags, 0);
}

START_TEST(elements__get_the_hints_and_what_of_a_promise_holds_for_each) {
  asked_i32 h = {0};
  ck_assert_int_eq(flags_of_elements(ts_load(asked, i32, 4, h, 0, 0)), TS_ALIGN(4));
  ck_assert_int_eq(flags_of_elements(ts_load(asked, i32, 4, h, 0, TS_ALIGN(16) | TS_INVARIANT)), TS_ALIGN(4) | TS_INVARIANT);
  ck_assert_int_eq(flags_of_elements(ts_load(asked, i32, 4, h, 0, TS_ALIGN(1) | TS_NON_TEMPORAL)),
                   TS_ALIGN(1) | TS_NON_TEMPORAL);
  ck_assert_int_eq(flags_of_elements(ts_load(asked, i32, 4, h, 0, TS_ALIGN(2) | TS_ALIGN(256))), TS_ALIGN(2));
}
END_TEST

int main(void) {
  Suite *suite = suite_create("storages");
  TCase *cases = tcase_create("storages");
  tcase_add_test(cases, rows__never_conflict);
  tcase_add_test(cases, columns__conflict_unless_padded_by_1_or_swizzled);
  tcase_add_test(cases, a_swizzled_tile__has_a_place_for_each_element_and_no_more);
  tcase_add_test(cases, a_static_offset__knows_its_alignment);
  tcase_add_test(cases, hints__stay_with_the_type);
  tcase_add_test(cases, element_sizes__are_those_of_the_storages);
  tcase_add_test(cases, elements__get_the_hints_and_what_of_a_promise_holds_for_each);
  suite_add_tcase(suite, cases);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
