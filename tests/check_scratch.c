/* SPDX-License-Identifier: Apache-2.0
 *
 * check_scratch.c: the bank conflicts of the tile that TS_COPY_THROUGH goes through, computed from the places in it that
 * work-items read and write at once.
 */
#include <check.h>
#include <stdlib.h>

#define TS_GROUP_IS_SERIAL 0 /* as on a GPU, where scratch is shared memory */
#include "tensorstorage.h"

/* Shared memory serves 128 bytes at a time, from banks that are 4 bytes wide: so many accesses of one size. */
enum { BANKS = 32, BYTES_AT_ONCE = 128, MOST_AT_ONCE = BANKS };

/* One side of scratch: of a copy of `runs` runs, each `vectors` accesses of `lanes` elements long, where each run starts. */
typedef struct scratch_side {
  int runs, vectors, lanes, rest, bytes; /* of an element */
  ts_index (*start)(ts_u32 run);
} scratch_side;

/* How many words at most lie in one bank, of those that neighbouring work-items access at once: 1 without conflicts. */
static int words_of_a_bank(scratch_side side) {
  int accesses = side.runs * side.vectors, at_once = BYTES_AT_ONCE / (side.bytes * side.lanes), worst = 0;
  if (at_once > MOST_AT_ONCE) at_once = MOST_AT_ONCE;
  ck_assert_int_eq(side.rest, 0); /* elements beside the vectors are not looked at: there are none */
  ck_assert_int_ge(accesses, at_once);
  for (int first = 0; first + at_once <= accesses; first += at_once) {
    long long words[BANKS][MOST_AT_ONCE];
    int count[BANKS] = {0};
    for (int v = first; v < first + at_once; ++v) {
      long long byte = (long long)(side.start((ts_u32)(v / side.vectors)) + v % side.vectors * side.lanes) * side.bytes;
      for (long long word = byte / 4; word <= (byte + side.bytes * side.lanes - 1) / 4; ++word) {
        int bank = (int)(word % BANKS), k = 0;
        while (k < count[bank] && words[bank][k] != word) ++k;
        if (k == count[bank]) words[bank][count[bank]++] = word;
        if (count[bank] > worst) worst = count[bank];
      }
    }
  }
  return worst;
}

/* ---- transposes of ROWS x COLUMNS elements ------------------------------------------------------------------------ */

#define TRANSPOSE(name, T, rows, columns)                                                                                      \
  TS_LAYOUT_2(name##_src, rows, columns, columns, 1)                                                                           \
  TS_LAYOUT_2(name##_dst, rows, columns, 1, rows)                                                                              \
  TS_COPY_THROUGH(name, ts_global, T, name##_dst, TS_ALIGN(128), ts_global_const, T, name##_src, TS_ALIGN(128))                \
  static const scratch_side name##_written = {(int)name##_in_runs, (int)name##_in_vectors,    name##_in_lanes,                 \
                                              name##_in_rest,      (int)sizeof(ts_scalar(T)), name##_in_dst_start};            \
  static const scratch_side name##_read = {(int)name##_out_runs, (int)name##_out_vectors,   name##_out_lanes,                  \
                                           name##_out_rest,      (int)sizeof(ts_scalar(T)), name##_out_src_start};
TRANSPOSE(square, f32, 32, 32)
TRANSPOSE(wide, u32, 16, 64)
TRANSPOSE(tall, i32, 64, 16)
TRANSPOSE(uneven, f32, 24, 20)
TRANSPOSE(bytes, u8, 32, 32)
TRANSPOSE(halves, f16, 32, 32)
TRANSPOSE(doubles, f64, 32, 32)

/* Columns of at least as many rows as work-items read at once. */
START_TEST(columns_of_scratch__have_no_conflicts) {
  ck_assert_int_eq(words_of_a_bank(square_read), 1);
  ck_assert_int_eq(words_of_a_bank(tall_read), 1);
  ck_assert_int_eq(words_of_a_bank(bytes_read), 1);
  ck_assert_int_eq(words_of_a_bank(halves_read), 1);
  ck_assert_int_eq(words_of_a_bank(doubles_read), 1);
}
END_TEST

/* Work-items 0 to 15 read one column, or 0 to 23, and the others the next. */
START_TEST(columns_of_scratch__that_are_shorter_meet_the_next) {
  ck_assert_int_eq(words_of_a_bank(wide_read), 2);
  ck_assert_int_eq(words_of_a_bank(uneven_read), 2);
}
END_TEST

START_TEST(rows_of_scratch__have_no_conflicts) {
  ck_assert_int_eq(words_of_a_bank(square_written), 1);
  ck_assert_int_eq(words_of_a_bank(wide_written), 1);
  ck_assert_int_eq(words_of_a_bank(doubles_written), 1);
}
END_TEST

/* Several rows are written at once, which together are longer than 128 bytes by their padding. */
START_TEST(rows_of_scratch__that_are_shorter_meet_the_next) {
  ck_assert_int_eq(words_of_a_bank(tall_written), 2);
  ck_assert_int_eq(words_of_a_bank(uneven_written), 2);
  ck_assert_int_eq(words_of_a_bank(bytes_written), 2);
  ck_assert_int_eq(words_of_a_bank(halves_written), 2);
}
END_TEST

/* What the padding is for: this count sees the conflicts of a tile without it. */
static ts_index unpadded(ts_u32 run) { return (ts_index)(run % 32 * 32 + run / 32); }
START_TEST(words_of_a_bank__sees_a_column_in_one_bank) {
  ck_assert_int_eq(words_of_a_bank((scratch_side){1024, 1, 1, 0, 4, unpadded}), 32);
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("scratch");
  tcase_add_test(cases, columns_of_scratch__have_no_conflicts);
  tcase_add_test(cases, columns_of_scratch__that_are_shorter_meet_the_next);
  tcase_add_test(cases, rows_of_scratch__have_no_conflicts);
  tcase_add_test(cases, rows_of_scratch__that_are_shorter_meet_the_next);
  tcase_add_test(cases, words_of_a_bank__sees_a_column_in_one_bank);
  Suite *suite = suite_create("scratch");
  suite_add_tcase(suite, cases);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
