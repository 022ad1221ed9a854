/* SPDX-License-Identifier: Apache-2.0
 *
 * check_source.c: the one text that is made of a user's source.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/backend.h"
#include "host/source.h"

/* What stands in place of an include line, when the header is "HEADER" and the source is called k.c. */
#define PLACED "#line 1 \"tensorstorage.h\"\nHEADER\n"

/* The text that is made of a source, or NULL if that failed. Freed when the next is made. */
static const char *flatten(const char *source, const char *const *include_dirs, bool *has_header, ts_error *error) {
  static ts_text text;
  free(text.chars);
  text = (ts_text){0};
  *error = (ts_error){.status = TS_OK};
  ts_build_options options = {.name = "k.c", .include_dirs = include_dirs};
  return ts_source_flatten(&text, source, "HEADER", &options, has_header, error) == TS_OK ? text.chars : NULL;
}

static void assert_flattens(const char *source, const char *expected, bool expects_header) {
  ts_error error;
  bool has_header;
  ck_assert_str_eq(flatten(source, NULL, &has_header, &error), expected);
  ck_assert_int_eq(has_header, expects_header);
}

START_TEST(flatten__puts_the_header_in_place_of_its_line) {
  assert_flattens("#include \"tensorstorage.h\"\nint a;\n", "#line 1 \"k.c\"\n" PLACED "#line 2 \"k.c\"\nint a;\n", true);
  assert_flattens("#include <tensorstorage.h>\nint a;\n", "#line 1 \"k.c\"\n" PLACED "#line 2 \"k.c\"\nint a;\n", true);
  assert_flattens("int a;\n\n#include \"tensorstorage.h\"\nint b;\n",
                  "#line 1 \"k.c\"\nint a;\n\n" PLACED "#line 4 \"k.c\"\nint b;\n", true);
}
END_TEST

START_TEST(flatten__leaves_a_byte_order_mark_out) {
  assert_flattens("\xef\xbb\xbf#include \"tensorstorage.h\"\nint a;\n", "#line 1 \"k.c\"\n" PLACED "#line 2 \"k.c\"\nint a;\n",
                  true);
  assert_flattens("\xef\xbb\xbfint a;\n", "#line 1 \"k.c\"\nint a;\n", false);
  assert_flattens("int \xef\xbb\xbf a;\n", "#line 1 \"k.c\"\nint \xef\xbb\xbf a;\n", false);
}
END_TEST

START_TEST(flatten__knows_every_spelling_of_an_include) {
  static const char *const spellings[] = {"#include \"tensorstorage.h\"",       "  #\tinclude   <tensorstorage.h>   ",
                                          "#include\"tensorstorage.h\" // why", "/* x */ # include /* y */ <tensorstorage.h>",
                                          "#include \\\n \"tensorstorage.h\"",  "#include <tensorstorage.h> /* two\nlines */"};
  for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
    char source[256], next[64];
    snprintf(source, sizeof source, "%s\nlast", spellings[i]);
    snprintf(next, sizeof next, PLACED "#line %d \"k.c\"\nlast", strchr(spellings[i], '\n') ? 3 : 2);
    ts_error error;
    bool has_header;
    const char *text = flatten(source, NULL, &has_header, &error);
    ck_assert(has_header);
    ck_assert_ptr_nonnull(strstr(text, next));
  }
}
END_TEST

START_TEST(flatten__sees_no_include_in_comments_and_strings) {
  static const char *const sources[] = {
      "/*\n#include \"tensorstorage.h\"\n*/\n",
      "// \\\n#include \"tensorstorage.h\"\n",
      "const char *s = \"\\\n#include <tensorstorage.h>\\\n\";\n",
      "int a; #include \"tensorstorage.h\"\n",
      "#define X \\\n#include \"tensorstorage.h\"\n",
      "#include \"tensorstorage_host.h\"\n",
      "#include \"mine/tensorstorage.h\"\n",
      "#include TENSORSTORAGE\n",
      "#error don't\n// it's \"\n",
      "",
  };
  for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++) {
    char expected[256];
    snprintf(expected, sizeof expected, "#line 1 \"k.c\"\n%s", sources[i]);
    assert_flattens(sources[i], expected, false);
  }
}
END_TEST

START_TEST(flatten__finds_the_include_after_a_lone_quote_or_an_open_string) {
  ts_error error;
  bool has_header;
  flatten("#if 0\nit isn't\n\"open\n#endif\n#include \"tensorstorage.h\"\n", NULL, &has_header, &error);
  ck_assert(has_header);
}
END_TEST

START_TEST(flatten__escapes_the_name) {
  ts_text text = {0};
  ts_error error = {.status = TS_OK};
  bool has_header;
  ts_build_options options = {.name = "a \"b\"\\c.cl"};
  ts_source_flatten(&text, "x", "HEADER", &options, &has_header, &error);
  ck_assert_str_eq(text.chars, "#line 1 \"a \\\"b\\\"\\\\c.cl\"\nx");
  free(text.chars);
}
END_TEST

/* ---- the user's own headers, in a folder with a blank in its name ---- */

static char folder[64], inner[80];
static const char *const folders[] = {folder, NULL};
static char paths[16][160];
static int path_count;

static void write_header(const char *where, const char *name, const char *contents) {
  char *path = paths[path_count++];
  snprintf(path, sizeof paths[0], "%s/%s", where, name);
  FILE *file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  fputs(contents, file);
  fclose(file);
}

static void make_folder(void) {
  path_count = 0;
  strcpy(folder, "/tmp/check source XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(folder));
  snprintf(inner, sizeof inner, "%s/inner", folder);
  ck_assert_int_eq(mkdir(inner, 0700), 0);
}

static void remove_folder(void) {
  while (path_count > 0) unlink(paths[--path_count]);
  rmdir(inner);
  rmdir(folder);
}

/* How often `part` stands in a text. */
static int count(const char *text, const char *part) {
  int found = 0;
  for (; (text = strstr(text, part)) != NULL; text++) found++;
  return found;
}

START_TEST(flatten__puts_the_users_headers_in_place) {
  ts_error error;
  bool has_header;
  write_header(folder, "a.h", "int a;\n#include \"tensorstorage.h\"\n");
  const char *text = flatten("#include \"a.h\"\nint b;\n", folders, &has_header, &error);
  char expected[512];
  snprintf(expected, sizeof expected,
           "#line 1 \"k.c\"\n#line 1 \"%s/a.h\"\nint a;\n" PLACED "#line 3 \"%s/a.h\"\n\n#line 2 \"k.c\"\nint b;\n", folder,
           folder);
  ck_assert_str_eq(text, expected);
  ck_assert(has_header);
}
END_TEST

START_TEST(flatten__looks_first_beside_the_header_that_includes) {
  ts_error error;
  bool has_header;
  write_header(folder, "a.h", "#include \"inner/b.h\"\n");
  write_header(folder, "c.h", "WRONG\n");
  write_header(inner, "b.h", "#include \"c.h\"\n");
  write_header(inner, "c.h", "RIGHT\n");
  const char *text = flatten("#include \"a.h\"\n", folders, &has_header, &error);
  ck_assert_int_eq(count(text, "RIGHT"), 1);
  ck_assert_int_eq(count(text, "WRONG"), 0);
}
END_TEST

START_TEST(flatten__leaves_what_it_does_not_find_to_the_compiler) {
  ts_error error;
  bool has_header;
  ck_assert_str_eq(flatten("#include \"none.h\"\n#include <stdio.h>\n#include \"inner\"\n", folders, &has_header, &error),
                   "#line 1 \"k.c\"\n#include \"none.h\"\n#include <stdio.h>\n#include \"inner\"\n");
}
END_TEST

START_TEST(flatten__obeys_pragma_once) {
  ts_error error;
  bool has_header;
  write_header(folder, "once.h", "# pragma once\nONCE\n");
  write_header(folder, "often.h", "OFTEN\n");
  const char *text = flatten("#include \"once.h\"\n#include \"often.h\"\n#include \"often.h\"\n#include \"once.h\"\n", folders,
                             &has_header, &error);
  ck_assert_int_eq(count(text, "ONCE"), 1);
  ck_assert_int_eq(count(text, "OFTEN"), 2);
  ck_assert_int_eq(count(text, "pragma"), 0);
}
END_TEST

START_TEST(flatten__ends_when_headers_include_each_other) {
  ts_error error;
  bool has_header;
  write_header(folder, "a.h", "#ifndef A\n#define A\n#include \"b.h\"\nINSIDE_A\n#endif\n");
  write_header(folder, "b.h", "#ifndef B\n#define B\n#include \"a.h\"\nINSIDE_B\n#endif\n");
  const char *text = flatten("#include \"a.h\"\n", folders, &has_header, &error);
  ck_assert_int_eq(count(text, "INSIDE_A"), 1);
  ck_assert_int_eq(count(text, "INSIDE_B"), 1);
}
END_TEST

START_TEST(flatten__says_when_includes_never_end) {
  ts_error error;
  bool has_header;
  write_header(inner, "a.h", "#include \"../inner/a.h\"\n#include \"../inner/a.h\"\n");
  ck_assert_ptr_null(flatten("#include \"inner/a.h\"\n", folders, &has_header, &error));
  ck_assert_int_eq(error.status, TS_ERROR_USAGE);
  ck_assert_ptr_nonnull(strstr(error.message, "nested deeper than 64"));
}
END_TEST

/* ---- macros and blanks ---- */

START_TEST(defines__become_lines) {
  static const char *const defines[] = {"N=4", "FAST", "TEXT=\"a b\"", "EMPTY=", "F(a)=(a == 1)", "_u", NULL};
  ts_text text = {0};
  ts_error error = {.status = TS_OK};
  ck_assert_int_eq(ts_source_defines(&text, &(ts_build_options){.defines = defines}, &error), TS_OK);
  ck_assert_str_eq(text.chars,
                   "#define N 4\n#define FAST 1\n#define TEXT \"a b\"\n#define EMPTY \n#define F(a) (a == 1)\n#define _u 1\n");
  free(text.chars);
}
END_TEST

START_TEST(defines__that_define_nothing_are_refused) {
  static const char *const wrong[] = {"", "=4", "4=4", "-DN=4", "N=4\n#define M"};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    const char *const defines[] = {wrong[i], NULL};
    ts_text text = {0};
    ts_error error = {.status = TS_OK};
    ck_assert_int_eq(ts_source_defines(&text, &(ts_build_options){.defines = defines}, &error), TS_ERROR_USAGE);
    ck_assert_ptr_nonnull(strstr(error.message, "NAME=VALUE"));
    free(text.chars);
  }
}
END_TEST

START_TEST(blank__keeps_lines_and_everything_else) {
  char text[] =
      "#include <stdio.h>\n#include \"a.h\"\n  # warning it is\\\n old\n#error no\n/* #include <x.h> */ int a;\n#include <y.h>";
  ts_source_blank(text);
  ck_assert_str_eq(
      text,
      "                  \n#include \"a.h\"\n                  \n    \n#error no\n/* #include <x.h> */ int a;\n              ");
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("source"), *headers = tcase_create("headers");
  tcase_add_test(cases, flatten__puts_the_header_in_place_of_its_line);
  tcase_add_test(cases, flatten__leaves_a_byte_order_mark_out);
  tcase_add_test(cases, flatten__knows_every_spelling_of_an_include);
  tcase_add_test(cases, flatten__sees_no_include_in_comments_and_strings);
  tcase_add_test(cases, flatten__finds_the_include_after_a_lone_quote_or_an_open_string);
  tcase_add_test(cases, flatten__escapes_the_name);
  tcase_add_test(cases, defines__become_lines);
  tcase_add_test(cases, defines__that_define_nothing_are_refused);
  tcase_add_test(cases, blank__keeps_lines_and_everything_else);
  tcase_add_checked_fixture(headers, make_folder, remove_folder);
  tcase_add_test(headers, flatten__puts_the_users_headers_in_place);
  tcase_add_test(headers, flatten__looks_first_beside_the_header_that_includes);
  tcase_add_test(headers, flatten__leaves_what_it_does_not_find_to_the_compiler);
  tcase_add_test(headers, flatten__obeys_pragma_once);
  tcase_add_test(headers, flatten__ends_when_headers_include_each_other);
  tcase_add_test(headers, flatten__says_when_includes_never_end);
  Suite *suite = suite_create("source");
  suite_add_tcase(suite, cases);
  suite_add_tcase(suite, headers);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
