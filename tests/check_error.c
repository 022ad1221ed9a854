/* SPDX-License-Identifier: Apache-2.0
 *
 * check_error.c: the texts of statuses, dtypes and spaces, and how an error is filled and cut.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/backend.h"
#include "host/error.h"

START_TEST(status_text__says_what_happened) {
  ck_assert_str_eq(ts_status_text(TS_OK), "success");
  ck_assert_str_eq(ts_status_text(TS_ERROR_NO_DEVICE), "there is no such device");
  ck_assert_str_eq(ts_status_text(TS_ERROR_KERNEL), "a kernel failed while it ran");
  for (int i = 0; i < TS_STATUS_COUNT; i++) ck_assert_uint_gt(strlen(ts_status_text((ts_status)i)), 0);
  ck_assert_str_eq(ts_status_text((ts_status)TS_STATUS_COUNT), "an unknown status");
  ck_assert_str_eq(ts_status_text((ts_status)-1), "an unknown status");
}
END_TEST

START_TEST(status_exit_code__is_what_the_tool_promises) {
  ck_assert_int_eq(ts_status_exit_code(TS_OK), 0);
  ck_assert_int_eq(ts_status_exit_code(TS_ERROR_USAGE), 2);
  ck_assert_int_eq(ts_status_exit_code(TS_ERROR_NO_DEVICE), 3);
  ck_assert_int_eq(ts_status_exit_code(TS_ERROR_BUILD), 5);
  ck_assert_int_eq(ts_status_exit_code(TS_ERROR_FILE), 6);
  for (int i = 1; i < TS_STATUS_COUNT; i++) ck_assert_int_ne(ts_status_exit_code((ts_status)i), 0);
  ck_assert_int_eq(ts_status_exit_code((ts_status)1000), 5);
}
END_TEST

START_TEST(dtype__goes_to_its_name_and_back) {
  ck_assert_int_eq(TS_DTYPE_COUNT, 15);
  for (int i = 0; i < TS_DTYPE_COUNT; i++) {
    ts_dtype dtype = TS_DTYPE_COUNT;
    ck_assert(ts_dtype_from_name(&dtype, ts_dtype_name((ts_dtype)i)));
    ck_assert_int_eq((int)dtype, i);
  }
  ck_assert_str_eq(ts_dtype_name(TS_DTYPE_f8e4m3fn), "f8e4m3fn");
  ck_assert_str_eq(ts_dtype_name(TS_DTYPE_COUNT), "?");
  ck_assert_str_eq(ts_dtype_name((ts_dtype)-1), "?");
}
END_TEST

START_TEST(dtype_from_name__leaves_the_dtype_alone_if_there_is_none) {
  ts_dtype dtype = TS_DTYPE_u16;
  ck_assert(!ts_dtype_from_name(&dtype, "f33"));
  ck_assert(!ts_dtype_from_name(&dtype, ""));
  ck_assert(!ts_dtype_from_name(&dtype, NULL));
  ck_assert_int_eq((int)dtype, TS_DTYPE_u16);
}
END_TEST

START_TEST(dtype_bytes__are_those_of_an_element) {
  ck_assert_uint_eq(ts_dtype_bytes(TS_DTYPE_b8), 1);
  ck_assert_uint_eq(ts_dtype_bytes(TS_DTYPE_bf16), 2);
  ck_assert_uint_eq(ts_dtype_bytes(TS_DTYPE_f32), sizeof(float));
  ck_assert_uint_eq(ts_dtype_bytes(TS_DTYPE_f64), sizeof(double));
  ck_assert_uint_eq(ts_dtype_bytes(TS_DTYPE_COUNT), 0);
}
END_TEST

START_TEST(space_name__knows_every_space_and_no_other) {
  ck_assert_str_eq(ts_space_name(TS_SPACE_generic), "generic");
  ck_assert_str_eq(ts_space_name(TS_SPACE_global), "global");
  ck_assert_str_eq(ts_space_name(TS_SPACE_shared), "shared");
  ck_assert_str_eq(ts_space_name(TS_SPACE_constant), "constant");
  ck_assert_str_eq(ts_space_name(TS_SPACE_local), "local");
  ck_assert_str_eq(ts_space_name((ts_space)2), "?"); /* Mojo has a space 2, and we do not */
  ck_assert_str_eq(ts_space_name(TS_SPACE_END), "?");
  ck_assert_str_eq(ts_space_name((ts_space)-1), "?");
}
END_TEST

START_TEST(fail__fills_every_member) {
  ts_error error = {.status = TS_OK};
  ck_assert_int_eq(ts_fail(&error, TS_ERROR_DRIVER, -5, "clFoo", "%d of %s", 3, "them"), TS_ERROR_DRIVER);
  ck_assert_int_eq(error.status, TS_ERROR_DRIVER);
  ck_assert_int_eq(error.driver_code, -5);
  ck_assert_str_eq(error.call, "clFoo");
  ck_assert_str_eq(error.message, "3 of them");
}
END_TEST

START_TEST(fail__keeps_the_first_failure) {
  ts_error error = {.status = TS_OK};
  ts_fail(&error, TS_ERROR_BUILD, -11, "first", "the cause");
  ck_assert_int_eq(ts_fail(&error, TS_ERROR_MEMORY, -6, "second", "the clean-up"), TS_ERROR_BUILD);
  ck_assert_int_eq(error.driver_code, -11);
  ck_assert_str_eq(error.call, "first");
  ck_assert_str_eq(error.message, "the cause");
}
END_TEST

/* The number in a last line "[N more bytes]", and in *kept the length of what stands before that line. */
static size_t missing_bytes(const char *text, size_t *kept) {
  const char *line = strrchr(text, '\n');
  size_t missing = 0;
  ck_assert_ptr_nonnull(line);
  ck_assert_int_eq(sscanf(line + 1, "[%zu more bytes]", &missing), 1);
  *kept = (size_t)(line + 1 - text);
  return missing;
}

START_TEST(fail__cuts_a_long_message_at_a_line_and_says_how_much_is_missing) {
  enum { LINES = 1000, LINE_BYTES = 20 };
  static char log[LINES * LINE_BYTES + 1];
  for (int i = 0; i < LINES; i++) snprintf(log + i * LINE_BYTES, LINE_BYTES + 1, "line %14d\n", i);
  ts_error error = {.status = TS_OK};
  ts_fail(&error, TS_ERROR_BUILD, 0, "cc", "%s", log);
  size_t kept, missing = missing_bytes(error.message, &kept);
  ck_assert_uint_eq(kept % LINE_BYTES, 0);
  ck_assert_uint_gt(kept, TS_ERROR_MESSAGE_BYTES - 100);
  ck_assert_uint_eq(kept + missing, sizeof log - 1);
  ck_assert(!strncmp(error.message, log, kept));
}
END_TEST

START_TEST(text_cut__again_counts_what_was_cut_before) {
  char text[200];
  for (size_t i = 0; i < 180; i++) text[i] = i % 10 == 9 ? '\n' : 'x';
  text[180] = 0;
  ts_text_cut(text, 180, 1000, 150);
  size_t kept, missing = missing_bytes(text, &kept);
  ck_assert_uint_eq(kept + missing, 1180);
  ck_assert_uint_lt(strlen(text), 150);
  ts_text_cut(text, strlen(text), 0, 100);
  missing = missing_bytes(text, &kept);
  ck_assert_uint_eq(kept + missing, 1180);
  ck_assert_uint_lt(strlen(text), 100);
}
END_TEST

START_TEST(text_cut__leaves_alone_what_fits) {
  char text[16] = "0123456789";
  ts_text_cut(text, 10, 0, 11);
  ck_assert_str_eq(text, "0123456789");
}
END_TEST

START_TEST(text_cut__never_splits_a_character) {
  for (size_t shift = 0; shift < 3; shift++) {
    char text[128] = "";
    memset(text, 'x', shift);
    for (size_t i = shift; i + 3 < 100; i += 3) memcpy(text + i, "\xE2\x82\xAC", 4); /* the euro sign */
    ts_text_cut(text, strlen(text), 0, 80);
    size_t kept;
    missing_bytes(text, &kept);
    ck_assert_uint_eq((kept - 1 - shift) % 3, 0); /* the line end before the last line is not of the text */
  }
}
END_TEST

START_TEST(error_give__leaves_the_callers_error_alone_on_success) {
  ts_error given = {.status = TS_ERROR_FILE, .message = "older"}, success = {.status = TS_OK};
  ck_assert_int_eq(ts_error_give(&given, &success), TS_OK);
  ck_assert_str_eq(given.message, "older");
  ck_assert_int_eq(given.status, TS_ERROR_FILE);
}
END_TEST

START_TEST(error_give__replaces_an_older_error_and_takes_null) {
  ts_error given = {.status = TS_ERROR_FILE, .message = "older"}, failure = {.status = TS_OK};
  ts_fail(&failure, TS_ERROR_LIMIT, 0, "call", "newer");
  ck_assert_int_eq(ts_error_give(&given, &failure), TS_ERROR_LIMIT);
  ck_assert_str_eq(given.message, "newer");
  ck_assert_int_eq(ts_error_give(NULL, &failure), TS_ERROR_LIMIT);
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("error");
  tcase_add_test(cases, status_text__says_what_happened);
  tcase_add_test(cases, status_exit_code__is_what_the_tool_promises);
  tcase_add_test(cases, dtype__goes_to_its_name_and_back);
  tcase_add_test(cases, dtype_from_name__leaves_the_dtype_alone_if_there_is_none);
  tcase_add_test(cases, dtype_bytes__are_those_of_an_element);
  tcase_add_test(cases, space_name__knows_every_space_and_no_other);
  tcase_add_test(cases, fail__fills_every_member);
  tcase_add_test(cases, fail__keeps_the_first_failure);
  tcase_add_test(cases, fail__cuts_a_long_message_at_a_line_and_says_how_much_is_missing);
  tcase_add_test(cases, text_cut__again_counts_what_was_cut_before);
  tcase_add_test(cases, text_cut__leaves_alone_what_fits);
  tcase_add_test(cases, text_cut__never_splits_a_character);
  tcase_add_test(cases, error_give__leaves_the_callers_error_alone_on_success);
  tcase_add_test(cases, error_give__replaces_an_older_error_and_takes_null);
  Suite *suite = suite_create("error");
  suite_add_tcase(suite, cases);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
