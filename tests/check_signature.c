/* SPDX-License-Identifier: Apache-2.0
 *
 * check_signature.c: signatures as they are read from a source, with the real header in place.
 */
#include <check.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/backend.h"
#include "host/source.h"

static ts_signatures signatures;
static char *unread;
static ts_error error;

static void forget(void) {
  ts_signatures_free(&signatures);
  free(unread);
  unread = NULL;
  error = (ts_error){.status = TS_OK};
}

/* Read the signatures of a source called k.c, after lines of macros. */
static ts_status read_with(const char *macros, const char *source) {
  forget();
  ts_text text = {0};
  bool has_header;
  ts_text_print(&text, "%s", macros);
  ts_build_options options = {.name = "k.c"};
  ck_assert_int_eq(ts_source_flatten(&text, source, ts_embedded_header, &options, &has_header, &error), TS_OK);
  ts_signatures_read(&signatures, text.chars, "a.c", NULL, &unread, &error);
  free(text.chars);
  return error.status;
}

static ts_status read_source(const char *source) { return read_with("", source); }

#define HEADER "#include \"tensorstorage.h\"\n"

/* A signature in words, which is what people compare. Freed when the next is printed. */
static const char *printed(size_t index) {
  static ts_text text;
  free(text.chars);
  text = (ts_text){0};
  ts_signature_print(&text, &signatures.rows[index]);
  return text.chars;
}

START_TEST(read__gives_names_spaces_dtypes_and_mutability) {
  ck_assert_int_eq(read_source(HEADER
                               "TS_KERNEL(scale, (TS_GLOBAL_CONST_ARG(f16) x_cells, TS_GLOBAL_ARG(f32) y_cells,\n"
                               "                  TS_CONSTANT_ARG(i8) table, TS_SHARED_ARG(bf16) scratch, float a))\n{ }\n"),
                   TS_OK);
  ck_assert_ptr_null(unread);
  ck_assert_uint_eq(signatures.count, 1);
  const ts_signature *scale = &signatures.rows[0];
  ck_assert_str_eq(scale->kernel, "scale");
  ck_assert(scale->is_checked);
  ck_assert_uint_eq(scale->parameter_count, 5);
  static const ts_parameter expected[] = {{"x_cells", TS_DTYPE_f16, false, true, TS_SPACE_global},
                                          {"y_cells", TS_DTYPE_f32, false, false, TS_SPACE_global},
                                          {"table", TS_DTYPE_i8, false, true, TS_SPACE_constant},
                                          {"scratch", TS_DTYPE_bf16, false, false, TS_SPACE_shared},
                                          {"a", TS_DTYPE_f32, true, false, TS_SPACE_generic}};
  for (size_t i = 0; i < 5; i++) {
    ck_assert_str_eq(scale->parameters[i].name, expected[i].name);
    ck_assert_int_eq((int)scale->parameters[i].dtype, (int)expected[i].dtype);
    ck_assert_int_eq(scale->parameters[i].is_scalar, expected[i].is_scalar);
    ck_assert_int_eq(scale->parameters[i].is_const, expected[i].is_const);
    ck_assert_int_eq((int)scale->parameters[i].space, (int)expected[i].space);
  }
  ck_assert_str_eq(printed(0),
                   "scale(global const f16 x_cells, global f32 y_cells, constant i8 table, shared bf16 scratch, f32 a)");
}
END_TEST

START_TEST(read__knows_every_dtype_as_cells_and_as_scalar) {
  for (int i = 0; i < TS_DTYPE_COUNT; i++) {
    char source[256], expected[128];
    const char *dtype = ts_dtype_name((ts_dtype)i);
    snprintf(source, sizeof source, HEADER "TS_KERNEL(k, (TS_GLOBAL_ARG(%s) x, ts_%s a)) { }\n", dtype, dtype);
    snprintf(expected, sizeof expected, "k(global %s x, %s a)", dtype, dtype);
    ck_assert_int_eq(read_source(source), TS_OK);
    ck_assert_str_eq(printed(0), expected);
  }
}
END_TEST

START_TEST(read__knows_the_portable_types_of_c) {
  ck_assert_int_eq(read_source(HEADER
                               "TS_KERNEL(k, (float a, double b, int c, unsigned d, unsigned int e, uint f, ts_index g,\n"
                               "              const float h, float const i)) { }\n"),
                   TS_OK);
  ck_assert_str_eq(printed(0), "k(f32 a, f64 b, i32 c, u32 d, u32 e, u32 f, i64 g, f32 h, f32 i)");
}
END_TEST

START_TEST(read__follows_a_32_bit_index_wherever_it_was_chosen) {
  ck_assert_int_eq(read_with("#define TS_INDEX_32 1\n", HEADER "TS_KERNEL(k, (ts_index n)) { }\n"), TS_OK);
  ck_assert_str_eq(printed(0), "k(i32 n)");
  ck_assert_int_eq(read_source("#define TS_INDEX_32\n" HEADER "TS_KERNEL(k, (ts_index n)) { }\n"), TS_OK);
  ck_assert_str_eq(printed(0), "k(i32 n)");
}
END_TEST

START_TEST(read__takes_no_parameters_in_both_spellings) {
  ck_assert_int_eq(read_source(HEADER "TS_KERNEL(a, ()) { }\nTS_KERNEL(b, (void)) { }\n"), TS_OK);
  ck_assert_str_eq(printed(0), "a()");
  ck_assert_str_eq(printed(1), "b()");
}
END_TEST

START_TEST(read__expands_macros_and_obeys_conditions) {
  ck_assert_int_eq(read_with("#define SRC_T f16\n#define NAME copy\n",
                             HEADER "#define ARGS(T) TS_GLOBAL_ARG(T) x, \\\n  float a\n"
                                    "#if defined(SRC_T) && 1 + 1 == 2\nTS_KERNEL(NAME, (ARGS(SRC_T))) { }\n#else\n"
                                    "TS_KERNEL(other, (float a)) { }\n#endif\n"),
                   TS_OK);
  ck_assert_uint_eq(signatures.count, 1);
  ck_assert_str_eq(printed(0), "copy(global f16 x, f32 a)");
}
END_TEST

START_TEST(read__keeps_the_order_and_sees_no_kernel_in_comments_and_strings) {
  ck_assert_int_eq(read_source(HEADER
                               "TS_KERNEL(second, (float a)) { }\n// TS_KERNEL(no, (float a)) { }\n"
                               "TS_KERNEL(first, (float a)) { const char *s = \"ts_signature_begin TS_KERNEL(no, ())\"; }\n"
                               "TS_FUNCTION float helper(float a) { return a; }\nTS_KERNEL(third, (int a)) { }"),
                   TS_OK);
  ck_assert_uint_eq(signatures.count, 3);
  ck_assert_str_eq(printed(0), "second(f32 a)");
  ck_assert_str_eq(printed(1), "first(f32 a)");
  ck_assert_str_eq(printed(2), "third(i32 a)");
}
END_TEST

START_TEST(read__drops_system_headers_and_warnings) {
  ck_assert_int_eq(read_source("#include <stdbool.h>\n#include <stdio.h>\n#warning look\n" HEADER
                               "#pragma unroll\nTS_KERNEL(k, (float a)) { }\n"),
                   TS_OK);
  ck_assert_ptr_null(unread);
  ck_assert_str_eq(printed(0), "k(f32 a)");
}
END_TEST

START_TEST(read__of_what_no_preprocessor_takes_says_why) {
  ck_assert_int_eq(read_source(HEADER "#if 1 +\n#endif\nTS_KERNEL(k, (float a)) { }\n"), TS_OK);
  ck_assert_uint_eq(signatures.count, 0);
  ck_assert_ptr_nonnull(unread);
  ck_assert_uint_gt(strlen(unread), 0);
}
END_TEST

START_TEST(read__refuses_what_is_not_portable_and_names_it) {
  static const struct {
    const char *parameters, *says[3];
  } cases[] = {
      {"(size_t n)", {"parameter \"n\"", "\"size_t\"", "ts_i64"}},
      {"(float a, long n)", {"parameter \"n\"", "\"long\"", "float"}},
      {"(int *n)", {"parameter \"n\"", "\"int *\"", "TS_GLOBAL_ARG"}},
      {"(ts_f32x4 v)", {"parameter \"v\"", "\"ts_f32x4\"", "ts_f16"}},
      {"(TS_GLOBAL_ARG(f33) x)", {"parameter \"x\"", "\"f33\"", "no dtype"}},
      {"(float)", {"\"float\"", "is no parameter", "a name"}},
      {"(float a, void)", {"\"void\"", "is no parameter", "none"}},
      {"(float a,)", {"\"\"", "is no parameter", "none"}},
      {"(float a[3])", {"\"float a [ 3 ]\"", "is no parameter", "float a"}},
      {"float a", {"parentheses", "TS_KERNEL(name, (float a))", "kernel \"k\""}},
      {"(float a) float b", {"follows", "TS_KERNEL(name, (float a))", "kernel \"k\""}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char source[256];
    snprintf(source, sizeof source, "\n" HEADER "\nTS_KERNEL(k, %s) { }\n", cases[i].parameters);
    ck_assert_int_eq(read_source(source), TS_ERROR_BUILD);
    ck_assert_msg(strstr(error.message, "\"k.c\", line 4"), "%s: %s", cases[i].parameters, error.message);
    for (int j = 0; j < 3; j++)
      ck_assert_msg(strstr(error.message, cases[i].says[j]), "%s: %s lacks %s", cases[i].parameters, error.message,
                    cases[i].says[j]);
  }
}
END_TEST

START_TEST(parse__of_a_text_that_ends_early_is_an_error) {
  static const char *const texts[] = {"ts_signature_begin", "ts_signature_begin k", "ts_signature_begin k (float a",
                                      "ts_signature_begin k (ts_argument(global", "ts_signature_begin k (float a)"};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    forget();
    ck_assert_int_eq(ts_signatures_parse(&signatures, texts[i], &error), TS_ERROR_BUILD);
  }
}
END_TEST

START_TEST(add_unchecked__names_parameters_by_their_positions) {
  forget();
  ck_assert_int_eq(ts_signatures_add_unchecked(&signatures, "plain", 12, &error), TS_OK);
  ck_assert(!signatures.rows[0].is_checked);
  ck_assert_uint_eq(signatures.rows[0].parameter_count, 12);
  ck_assert_str_eq(signatures.rows[0].parameters[11].name, "11");
}
END_TEST

START_TEST(read__removes_its_temporary_file) {
  char folder[] = "/tmp/check_signature_XXXXXX";
  ck_assert_ptr_nonnull(mkdtemp(folder));
  setenv("TMPDIR", folder, 1);
  ck_assert_int_eq(read_source(HEADER "TS_KERNEL(k, (float a)) { }\n"), TS_OK);
  ck_assert_int_eq(read_source(HEADER "#error no\n"), TS_OK);
  ck_assert_ptr_nonnull(unread);
  unsetenv("TMPDIR");
  ck_assert_int_eq(rmdir(folder), 0); /* fails unless the folder is empty */
}
END_TEST

START_TEST(read__without_a_place_for_its_file_names_the_folder) {
  setenv("TMPDIR", "/nowhere/at/all", 1);
  ck_assert_int_eq(read_source(HEADER "TS_KERNEL(k, (float a)) { }\n"), TS_ERROR_FILE);
  unsetenv("TMPDIR");
  ck_assert_ptr_nonnull(strstr(error.message, "/nowhere/at/all"));
}
END_TEST

/* Read a kernel of the thread's own name again and again. */
static void *read_often(void *name) {
  char text[256];
  snprintf(text, sizeof text,
           "#define TS_KERNEL(name, params) ts_signature_begin name params ts_signature_end\nTS_KERNEL(%s, (float a))\n",
           (char *)name);
  for (int i = 0; i < 50; i++) {
    ts_signatures read = {0};
    ts_error failure = {.status = TS_OK};
    char *why = NULL;
    bool is_right = ts_signatures_read(&read, text, "a.c", NULL, &why, &failure) == TS_OK && read.count == 1 &&
                    !strcmp(read.rows[0].kernel, name);
    ts_signatures_free(&read);
    free(why);
    if (!is_right) return "wrong";
  }
  return NULL;
}

START_TEST(read__may_be_called_from_many_threads) {
  static char names[4][8] = {"one", "two", "three", "four"};
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) ck_assert_int_eq(pthread_create(&threads[i], NULL, read_often, names[i]), 0);
  for (int i = 0; i < 4; i++) {
    void *result = names;
    pthread_join(threads[i], &result);
    ck_assert_ptr_null(result);
  }
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("signature");
  tcase_add_checked_fixture(cases, NULL, forget);
  tcase_add_test(cases, read__gives_names_spaces_dtypes_and_mutability);
  tcase_add_test(cases, read__knows_every_dtype_as_cells_and_as_scalar);
  tcase_add_test(cases, read__knows_the_portable_types_of_c);
  tcase_add_test(cases, read__follows_a_32_bit_index_wherever_it_was_chosen);
  tcase_add_test(cases, read__takes_no_parameters_in_both_spellings);
  tcase_add_test(cases, read__expands_macros_and_obeys_conditions);
  tcase_add_test(cases, read__keeps_the_order_and_sees_no_kernel_in_comments_and_strings);
  tcase_add_test(cases, read__drops_system_headers_and_warnings);
  tcase_add_test(cases, read__of_what_no_preprocessor_takes_says_why);
  tcase_add_test(cases, read__refuses_what_is_not_portable_and_names_it);
  tcase_add_test(cases, parse__of_a_text_that_ends_early_is_an_error);
  tcase_add_test(cases, add_unchecked__names_parameters_by_their_positions);
  tcase_add_test(cases, read__removes_its_temporary_file);
  tcase_add_test(cases, read__without_a_place_for_its_file_names_the_folder);
  tcase_add_test(cases, read__may_be_called_from_many_threads);
  Suite *suite = suite_create("signature");
  suite_add_tcase(suite, cases);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
