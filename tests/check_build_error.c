/* SPDX-License-Identifier: Apache-2.0
 *
 * check_build_error.c: what a person reads when a program did not build. The logs are those that compilers really wrote.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "host/backend.h"
#include "host/build_error.h"

static const char pocl_log[] = "error: tensorstorage.h:1:22: use of undeclared identifier 'bar'\n"
                               "error: my kernel.c:5:9: use of undeclared identifier 'foo'; did you mean 'for'?\n"
                               "warning: my kernel.c:1:2: hello\n"
                               "Device pthread failed to build the program\n";
static const char gcc_log[] = "my kernel.c: In function 'k':\n"
                              "my kernel.c:3:1: warning: unused variable 'z' [-Wunused-variable]\n"
                              "my kernel.c:5:9: error: 'foo' undeclared (first use in this function)\n"
                              "    5 |  x[0] = foo;\n"
                              "      |         ^~~\n";

START_TEST(find__reads_the_order_of_pocl) {
  size_t line, column;
  bool shows_caret;
  ck_assert(ts_build_error_find(pocl_log, "my kernel.c", &line, &column, &shows_caret));
  ck_assert_uint_eq(line, 5);
  ck_assert_uint_eq(column, 9);
  ck_assert(!shows_caret);
}
END_TEST

START_TEST(find__reads_the_order_of_gcc_past_warnings) {
  size_t line, column;
  bool shows_caret;
  ck_assert(ts_build_error_find(gcc_log, "my kernel.c", &line, &column, &shows_caret));
  ck_assert_uint_eq(line, 5);
  ck_assert_uint_eq(column, 9);
  ck_assert(shows_caret);
}
END_TEST

START_TEST(find__reads_the_place_in_a_macro) {
  size_t line, column;
  bool shows_caret;
  const char *in_header = "error: k.c:21:3 <Spelling=tensorstorage.h:293:6>: static assertion failed: read-only\n";
  ck_assert(ts_build_error_find(in_header, "k.c", &line, &column, &shows_caret));
  ck_assert_uint_eq(line, 21);
  ck_assert_uint_eq(column, 3);
  const char *in_argument = "error: k.c:21:3 <Spelling=k.c:22:37>: use of undeclared identifier 'w'\n";
  ck_assert(ts_build_error_find(in_argument, "k.c", &line, &column, &shows_caret));
  ck_assert_uint_eq(line, 22);
  ck_assert_uint_eq(column, 37);
}
END_TEST

START_TEST(find__reads_the_order_of_nvrtc) {
  size_t line, column;
  bool shows_caret;
  const char *nvrtc_log = "k.c(3): warning #177-D: variable \"z\" was declared but never referenced\n"
                          "    int z;\n"
                          "        ^\n\n"
                          "k.c(5): error: identifier \"foo\" is undefined\n"
                          "   x[0] = foo;\n"
                          "          ^\n\n"
                          "1 error detected in the compilation of \"k.c\".\n";
  ck_assert(ts_build_error_find(nvrtc_log, "k.c", &line, &column, &shows_caret));
  ck_assert_uint_eq(line, 5);
  ck_assert_uint_eq(column, 0);
  ck_assert(shows_caret);
}
END_TEST

START_TEST(find__takes_a_line_without_a_column) {
  size_t line, column;
  bool shows_caret;
  ck_assert(ts_build_error_find("k.c:12: ERROR: no", "k.c", &line, &column, &shows_caret));
  ck_assert_uint_eq(line, 12);
  ck_assert_uint_eq(column, 0);
}
END_TEST

START_TEST(find__is_not_misled_by_names_that_end_alike_or_by_warnings) {
  size_t line, column;
  bool shows_caret;
  ck_assert(!ts_build_error_find("error: hack.c:5:9: no\nk.c:4:1: warning: hm\nk.c: error: none\nk.c:0:0: error: none\n", "k.c",
                                 &line, &column, &shows_caret));
  ck_assert(!ts_build_error_find("", "k.c", &line, &column, &shows_caret));
}
END_TEST

/* Present a log for a source of six lines. */
static void present(ts_error *error, const char *log) {
  static const char *const defines[] = {"N=4", "GREETING=\"a b\"", NULL};
  static const ts_build_options options = {.name = "my kernel.c", .defines = defines, .standard = "CL1.2"};
  *error = (ts_error){.status = TS_OK};
  ts_fail(error, TS_ERROR_BUILD, -11, "clBuildProgram", "%s", log);
  ts_build_error_present(
      error, "cl:0:0", "A device", &options, "one\ntwo\nthree\nfour\n\tx[0] = foo;\nmine_load_f32x1(six)\n",
      "#define A\n#line 1 \"my kernel.c\"\none\n#line 1 \"other.h\"\nint i;\n#line 2 \"my kernel.c\"\ntwo\nthree\nfour\n"
      "\tx[0] = foo;\nsix\n");
}

START_TEST(present__shows_device_options_log_line_and_caret) {
  ts_error error;
  present(&error, "error: my kernel.c:5:9: no foo\n");
  ck_assert_str_eq(error.message, "my kernel.c did not build for cl:0:0 (A device)\n"
                                  "options: -DN=4 -D\"GREETING=\\\"a b\\\"\" standard CL1.2\n"
                                  "error: my kernel.c:5:9: no foo\n"
                                  "my kernel.c:5:\n"
                                  "\tx[0] = foo;\n"
                                  "\t       ^");
}
END_TEST

START_TEST(present__finds_the_line_where_the_log_counts_those_of_the_whole_text) {
  ts_error error;
  present(&error, "input.cl:10:9: error: no foo\n\tx[0] = foo;\n\t       ^\n");
  ck_assert_ptr_nonnull(strstr(error.message, "\nmy kernel.c:5:\n\tx[0] = foo;\n\t       ^"));
  present(&error, "input.cl:5:1: error: of another file\n");
  ck_assert_ptr_null(strstr(error.message, "my kernel.c:"));
}
END_TEST

START_TEST(present__shows_no_second_caret) {
  ts_error error;
  present(&error, gcc_log);
  ck_assert_ptr_eq(strchr(error.message, '^'), strrchr(error.message, '^'));
  ck_assert_ptr_nonnull(strchr(error.message, '^'));
}
END_TEST

START_TEST(present__of_a_line_past_the_source_shows_the_log_alone) {
  ts_error error;
  present(&error, "error: my kernel.c:500:9: no foo\n");
  ck_assert_ptr_null(strchr(error.message, '^'));
  ck_assert_ptr_nonnull(strstr(error.message, "500:9: no foo"));
}
END_TEST

/* The hint of a log of one line; "" if there is none. */
static const char *hint_of(const char *line) {
  static char hint[512];
  ts_error error;
  present(&error, line);
  const char *start = strstr(error.message, "\nhint: ");
  hint[0] = 0;
  if (start) strncat(hint, start + 7, strcspn(start + 7, "\n"));
  return hint;
}

START_TEST(present__says_what_is_behind_a_layout_that_was_not_declared) {
  static const char hint[] =
      "no layout my_layot is declared before it is copied; TS_ROW_MAJOR_2(my_layot, rows, columns) and its "
      "like declare one (docs/copy.md)";
  ck_assert_str_eq(hint_of("error: my kernel.c:5:9 <Spelling=<scratch space>:2:1>: use of undeclared identifier "
                           "'my_layot_must_be_declared_as_a_layout'; did you mean 'my_layout_must_be_declared_as_a_layout'?\n"),
                   hint);
  ck_assert_str_eq(
      hint_of("my kernel.c:5:9: error: \xe2\x80\x98my_layot_must_be_declared_as_a_layout\xe2\x80\x99 undeclared here"), hint);
  ck_assert_str_eq(hint_of("my kernel.c(5): error: identifier \"my_layot_must_be_declared_as_a_layout\" is undefined\n"), hint);
}
END_TEST

START_TEST(present__says_what_a_storage_lacks) {
  ck_assert_str_eq(hint_of("error: my kernel.c:5:9: implicit declaration of function 'ring_load_bf16x16' is invalid in OpenCL; "
                           "did you mean 'ring_load_bf16x1'?\n"),
                   "the storage ring has no ring_load_bf16x16; TS_STORAGE_WIDTHS(ring, bf16) makes its wide accesses of the "
                   "narrow ones (docs/storages.md)");
  ck_assert_str_eq(hint_of("my kernel.c(5): error: identifier \"ts_globl_store_f32x1\" is undefined\n"),
                   "ts_globl is no policy; the header has such as ts_global, ts_global_const, ts_shared and ts_local");
  ck_assert_str_eq(hint_of("my kernel.c:5: error: use of undeclared identifier 'ts_globl_const_element_size_f32'\n"),
                   "ts_globl_const is no policy; the header has such as ts_global, ts_global_const, ts_shared and ts_local");
}
END_TEST

START_TEST(present__says_what_a_policy_lacks) {
  ck_assert_str_eq(hint_of("my kernel.c:5:9: error: implicit declaration of function 'global_load_f32x4'\n"),
                   "global is no policy, and ts_global is one");
  ck_assert_str_eq(hint_of("my kernel.c(5): error: identifier \"shared_const_element_size_i64\" is undefined\n"),
                   "shared_const is no policy, and ts_shared_const is one");
  ck_assert_str_eq(hint_of("my kernel.c:5: error: use of undeclared identifier 'ring_element_size_f32'\n"),
                   "ring is no policy of the header, and as a storage it lacks ring_element_size_f32 (docs/storages.md)");
  ck_assert_str_eq(hint_of("my kernel.c:5: error: implicit declaration of function 'ring_offset_f8e5m2'\n"),
                   "ring is no policy of the header, and as a storage it lacks ring_offset_f8e5m2 (docs/storages.md)");
  ck_assert_str_eq(hint_of("my kernel.c:5: error: implicit declaration of function 'ring_distance_b8'\n"),
                   "ring is no policy of the header, and as a storage it lacks ring_distance_b8 (docs/storages.md)");
  ck_assert_str_eq(hint_of("my kernel.c:5: error: implicit declaration of function 'ring_name_u8'\n"),
                   "ring is no policy of the header, and as a storage it lacks ring_name_u8 (docs/storages.md)");
  ck_assert_str_eq(hint_of("my kernel.c:5: error: implicit declaration of function 'ring_load_u8x1'\n"),
                   "ring is no policy of the header, and as a storage it lacks ring_load_u8x1 (docs/storages.md)");
}
END_TEST

START_TEST(present__cuts_the_errors_that_follow_from_one_that_it_explains) {
  ts_error error;
  present(&error, "my kernel.c:2:1: error: 'two' is no word\n"
                  "my kernel.c:5:9: error: 'ring_load_f32x16' undeclared\n"
                  "\tx[0] = foo;\n"
                  "\t       ^\n"
                  "my kernel.c:5:9: note: in expansion of macro 'TS_COPY'\n"
                  "my kernel.c:5:9: error: 'ring_load_f32x8' undeclared\n"
                  "my kernel.c:5:9: error: 'ring_load_f32x4' undeclared\n"
                  "2 errors generated.\n");
  ck_assert_ptr_nonnull(strstr(error.message, "'two' is no word\nmy kernel.c:5:9: error: 'ring_load_f32x16' undeclared\n"));
  ck_assert_ptr_nonnull(strstr(error.message, "of macro 'TS_COPY'\n[2 more errors that may follow from this one]"));
  ck_assert_ptr_null(strstr(error.message, "f32x8"));
  ck_assert_ptr_null(strstr(error.message, "generated"));
  present(&error, "my kernel.c:5:9: error: 'foo' undeclared\nmy kernel.c:6:1: error: 'six' undeclared\n");
  ck_assert_ptr_nonnull(strstr(error.message, "'foo' undeclared\nmy kernel.c:6:1: error: 'six' undeclared"));
}
END_TEST

START_TEST(present__says_that_a_source_ends_inside_a_function) {
  static const char hint[] = "my kernel.c ends inside a function or a type: a } is missing";
  ck_assert_str_eq(hint_of("<launch of scale>: In function \xe2\x80\x98scale\xe2\x80\x99:\n"
                           "<launch of scale>:1:120: error: expected declaration or statement at end of input\n"),
                   hint);
  ck_assert_str_eq(hint_of("<launch of scale>:1:172: error: function definition is not allowed here\n"
                           "<launch of scale>:1:357: error: expected '}'\n"),
                   hint);
  ck_assert_str_eq(hint_of("<launch of scale>:1:6: error: expected ';' before 'void'\n"), "");
  ck_assert_str_eq(hint_of("my kernel.c:5:9: error: expected '}'\n"), "");
}
END_TEST

START_TEST(present__says_that_dynamic_layouts_were_not_asked_for) {
  static const char hint[] =
      "ts_layout_make_2 is there where TS_USE_DYNAMIC_LAYOUTS is 1: write #define TS_USE_DYNAMIC_LAYOUTS 1 "
      "before the include of tensorstorage.h";
  ck_assert_str_eq(hint_of("error: my kernel.c:4:3: use of undeclared identifier 'ts_layout_make_2'\n"), hint);
  ck_assert_str_eq(
      hint_of("my kernel.c:4:3: error: implicit declaration of function \xe2\x80\x98ts_layout_make_2\xe2\x80\x99\n"), hint);
  ck_assert_str_eq(hint_of("my kernel.c(4): error: identifier \"ts_layout_make_2\" is undefined\n"), hint);
  ck_assert_ptr_nonnull(strstr(hint_of("my kernel.c:4:3: error: unknown type name 'ts_layout'\n"), "ts_layout is there where"));
  ck_assert_str_eq(hint_of("my kernel.c:4:3: error: use of undeclared identifier 'ts_layout_mak_2'\n"), "");
  ck_assert_str_eq(hint_of("my kernel.c:4:3: error: use of undeclared identifier 'ts_layot'; did you mean 'ts_layout'?\n"), "");
  ck_assert_str_eq(hint_of("my kernel.c:4:3: error: unknown type name 'layout'\n"), "");
}
END_TEST

/* The message from its hint on, of the log of a text that was given to a compiler. NULL if there is none. */
static const char *hint_of_text(const char *log, const char *text) {
  static const ts_build_options options = {.name = "k.c"};
  static ts_error error;
  error = (ts_error){.status = TS_OK};
  ts_fail(&error, TS_ERROR_BUILD, -11, "clBuildProgram", "%s", log);
  ts_build_error_present(&error, "cl:0:0", "A device", &options, "", text);
  return strstr(error.message, "hint: ");
}

START_TEST(present__says_that_the_include_is_missing) {
  static const char hint[] =
      "hint: k.c uses TS_KERNEL and does not include its header: write #include \"tensorstorage.h\" before it\n";
  static const char text[] = "#line 1 \"k.c\"\nTS_KERNEL(k, (TS_GLOBAL_ARG(f32) y)) {\n}\n";
  static const char pocl[] = "error: k.c:1:14: expected identifier\nerror: k.c:2:3: use of undeclared identifier 'ts_store'\n";
  static const char gcc[] = "k.c: In function 'k':\nk.c:1:13: error: expected ')' before '(' token\n";
  const char *found = hint_of_text(pocl, text);
  ck_assert_ptr_nonnull(found);
  ck_assert(!strncmp(found, hint, strlen(hint)));
  ck_assert_ptr_nonnull(strstr(found, "expected identifier\n[1 more error that may follow from this one]"));
  ck_assert_ptr_null(strstr(found, "ts_store"));
  found = hint_of_text(gcc, text);
  ck_assert_ptr_nonnull(found);
  ck_assert(!strncmp(found, hint, strlen(hint)));
  ck_assert_ptr_nonnull(strstr(found, "before '(' token"));
  ck_assert_ptr_null(
      hint_of_text(pocl, "#line 1 \"k.c\"\n#line 1 \"tensorstorage.h\"\n\n#line 2 \"k.c\"\nTS_KERNEL(k, ()) {}\n"));
  ck_assert_ptr_null(hint_of_text(pocl, "#line 1 \"k.c\"\n/* without TS_KERNEL */ __kernel void k(void) {}\n"));
}
END_TEST

START_TEST(present__takes_no_other_name_for_one_of_the_header) {
  ck_assert_str_eq(hint_of("error: my kernel.c:5:9: use of undeclared identifier 'tile_load_extra'\n"), "");
  ck_assert_str_eq(hint_of("error: my kernel.c:5:9: use of undeclared identifier 'ring_load_f32x3'\n"), "");
  ck_assert_str_eq(hint_of("error: my kernel.c:5:9: use of undeclared identifier 'mine_load_f32x1'\n"), "");
  ck_assert_str_eq(hint_of("my kernel.c:5:9: error: incompatible type for argument 1 of 'ts_host_store_f32x16'\n"), "");
  ck_assert_str_eq(hint_of("my kernel.c:5:9: note: 'ring_load_f32x16' is undeclared\n"), "");
}
END_TEST

START_TEST(present__cuts_a_long_log_and_keeps_the_caret) {
  static char log[3 * TS_ERROR_MESSAGE_BYTES];
  strcpy(log, "error: my kernel.c:5:9: no foo\n");
  size_t first = strlen(log);
  for (size_t i = first; i + 1 < sizeof log; i++) log[i] = i % 50 == 0 ? '\n' : 'x';
  ts_error error;
  present(&error, log);
  const char *start = strstr(error.message, "error: my"), *cut = strstr(error.message, "\n["), *end;
  ck_assert_ptr_nonnull(cut);
  ck_assert_uint_eq((size_t)(cut + 1 - start) + strtoul(cut + 2, (char **)&end, 10), sizeof log - 1);
  ck_assert(!strncmp(end, " more bytes]\n", 13));
  ck_assert_int_eq(error.message[strlen(error.message) - 1], '^');
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("build_error");
  tcase_add_test(cases, find__reads_the_order_of_pocl);
  tcase_add_test(cases, find__reads_the_order_of_gcc_past_warnings);
  tcase_add_test(cases, find__reads_the_place_in_a_macro);
  tcase_add_test(cases, find__reads_the_order_of_nvrtc);
  tcase_add_test(cases, find__takes_a_line_without_a_column);
  tcase_add_test(cases, find__is_not_misled_by_names_that_end_alike_or_by_warnings);
  tcase_add_test(cases, present__shows_device_options_log_line_and_caret);
  tcase_add_test(cases, present__finds_the_line_where_the_log_counts_those_of_the_whole_text);
  tcase_add_test(cases, present__shows_no_second_caret);
  tcase_add_test(cases, present__of_a_line_past_the_source_shows_the_log_alone);
  tcase_add_test(cases, present__says_what_is_behind_a_layout_that_was_not_declared);
  tcase_add_test(cases, present__says_what_a_storage_lacks);
  tcase_add_test(cases, present__says_what_a_policy_lacks);
  tcase_add_test(cases, present__cuts_the_errors_that_follow_from_one_that_it_explains);
  tcase_add_test(cases, present__says_that_a_source_ends_inside_a_function);
  tcase_add_test(cases, present__says_that_dynamic_layouts_were_not_asked_for);
  tcase_add_test(cases, present__says_that_the_include_is_missing);
  tcase_add_test(cases, present__takes_no_other_name_for_one_of_the_header);
  tcase_add_test(cases, present__cuts_a_long_log_and_keeps_the_caret);
  Suite *suite = suite_create("build_error");
  suite_add_tcase(suite, cases);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
