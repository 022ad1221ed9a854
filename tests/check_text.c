/* SPDX-License-Identifier: Apache-2.0
 *
 * check_text.c: the growing text and the distance between names.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "host/text.h"

START_TEST(text_append__grows_and_stays_ended) {
  ts_text text = {0};
  for (int i = 0; i < 1000; i++) {
    ts_text_append(&text, "abc", 3);
    ck_assert_uint_eq(text.length, 3 * ((size_t)i + 1));
    ck_assert_uint_eq(strlen(text.chars), text.length);
  }
  ck_assert(!text.failed);
  for (size_t i = 0; i < text.length; i++) ck_assert_int_eq(text.chars[i], "abc"[i % 3]);
  free(text.chars);
}
END_TEST

START_TEST(text_append__of_nothing_makes_the_empty_text) {
  ts_text text = {0};
  ts_text_append(&text, "", 0);
  ck_assert_str_eq(text.chars, "");
  free(text.chars);
}
END_TEST

START_TEST(text_print__adds_to_what_is_there) {
  ts_text text = {0};
  ts_text_print(&text, "%s %d", "one", 2);
  ts_text_print(&text, ", %0200d", 3);
  ck_assert_uint_eq(text.length, 5 + 2 + 200);
  ck_assert_uint_eq(strlen(text.chars), text.length);
  ck_assert(!strncmp(text.chars, "one 2, 000", 10));
  free(text.chars);
}
END_TEST

START_TEST(text_quote__makes_a_string_literal) {
  ts_text text = {0};
  ts_text_quote(&text, "a\"b\\c d");
  ck_assert_str_eq(text.chars, "\"a\\\"b\\\\c d\"");
  free(text.chars);
}
END_TEST

START_TEST(name_distance__counts_changes_of_characters_and_swaps_of_neighbours) {
  static const struct {
    const char *a, *b;
    size_t distance;
  } cases[] = {{"", "", 0},          {"scale", "scale", 0},    {"", "abc", 3},
               {"scal", "scale", 1}, {"sclae", "scale", 1},    {"rnu", "run", 1},
               {"ca", "abc", 3},     {"badc", "abcd", 2},      {"kitten", "sitting", 3},
               {"flaw", "lawn", 2},  {"x_cells", "y_cells", 1}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    ck_assert_uint_eq(ts_name_distance(cases[i].a, cases[i].b), cases[i].distance);
    ck_assert_uint_eq(ts_name_distance(cases[i].b, cases[i].a), cases[i].distance);
  }
}
END_TEST

START_TEST(name_distance__of_names_longer_than_its_row_compares_their_start) {
  char a[200], b[200];
  memset(a, 'a', sizeof a);
  memset(b, 'a', sizeof b);
  a[199] = b[199] = 0;
  b[0] = 'b';
  b[198] = 'b';
  ck_assert_uint_eq(ts_name_distance(a, b), 1);
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("text");
  tcase_add_test(cases, text_append__grows_and_stays_ended);
  tcase_add_test(cases, text_append__of_nothing_makes_the_empty_text);
  tcase_add_test(cases, text_print__adds_to_what_is_there);
  tcase_add_test(cases, text_quote__makes_a_string_literal);
  tcase_add_test(cases, name_distance__counts_changes_of_characters_and_swaps_of_neighbours);
  tcase_add_test(cases, name_distance__of_names_longer_than_its_row_compares_their_start);
  Suite *suite = suite_create("text");
  suite_add_tcase(suite, cases);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
