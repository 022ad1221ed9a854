/* SPDX-License-Identifier: Apache-2.0
 *
 * check_compiler.c: C text is compiled and loaded, options arrive, and each way to fail has its words.
 */
#define _POSIX_C_SOURCE 200809L /* mkdtemp, setenv, nftw */
#define _XOPEN_SOURCE 700
#include <check.h>
#include <dirent.h>
#include <dlfcn.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compiler.h"
#include "process.h"

/* ---- a folder for each test; TMPDIR is its "tmp" --------------------------------------------------------------- */

static char folder[64];

static char *in_folder(const char *name) {
  static char paths[4][256];
  static int next;
  char *path = paths[next++ % 4];
  snprintf(path, sizeof paths[0], "%s/%s", folder, name);
  return path;
}

static void write_file(const char *path, const char *text, mode_t mode) {
  FILE *file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  fputs(text, file);
  fclose(file);
  ck_assert_int_eq(chmod(path, mode), 0);
}

static void set_up(void) {
  snprintf(folder, sizeof folder, "/tmp/check_compiler-XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(folder));
  ck_assert_int_eq(mkdir(in_folder("tmp"), 0700), 0);
  setenv("TMPDIR", in_folder("tmp"), 1);
  unsetenv("TENSORSTORAGE_KEEP");
}

static int remove_entry(const char *path, const struct stat *facts, int kind, struct FTW *place) {
  (void)facts;
  (void)kind;
  (void)place;
  return remove(path);
}

static void tear_down(void) { nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS); }

static int count_files(const char *path) {
  DIR *listing = opendir(path);
  ck_assert_ptr_nonnull(listing);
  int count = 0;
  for (struct dirent *entry; (entry = readdir(listing));) count += entry->d_name[0] != '.';
  closedir(listing);
  return count;
}

/* ---- helpers --------------------------------------------------------------------------------------------------- */

static ts_error error;

static ts_status load(void **object, const char *text, const ts_build_options *options) {
  error = (ts_error){.status = TS_OK};
  return ts_compiler_load(object, &ts_compiler_c, text, options, NULL, &error);
}

/* Compile a text that defines `int answer(void)`, and call it. */
static int answer_of(const char *text, const ts_build_options *options) {
  void *object;
  ts_status status = load(&object, text, options);
  ck_assert_msg(status == TS_OK, "%s", error.message);
  void *symbol = dlsym(object, "answer");
  ck_assert_ptr_nonnull(symbol);
  int (*answer)(void);
  memcpy(&answer, &symbol, sizeof symbol);
  int result = answer();
  dlclose(object);
  return result;
}

static void check_message(const char *part) {
  ck_assert_msg(strstr(error.message, part) != NULL, "no \"%s\" in: %s", part, error.message);
}

/* ---- words ----------------------------------------------------------------------------------------------------- */

static const struct {
  const char *text;
  const char *words[4];
} splits[] = {
    {"", {NULL}},
    {" \t\n ", {NULL}},
    {"-a -b", {"-a", "-b"}},
    {"  -a\t-b  ", {"-a", "-b"}},
    {"-I 'a b' -DX=\\\"q\\\"", {"-I", "a b", "-DX=\"q\""}},
    {"-D\"A=1 2\"'3 4'", {"-DA=1 23 4"}},
    {"a '' b", {"a", "", "b"}},
    {"'\\n' \"\\\"\" a\\ b", {"\\n", "\"", "a b"}},
    {"$HOME *.c ~", {"$HOME", "*.c", "~"}},
};

START_TEST(words_split__splits_as_a_shell_and_expands_nothing) {
  ts_words words = {0};
  error = (ts_error){.status = TS_OK};
  ck_assert_int_eq(ts_words_split(&words, splits[_i].text, "it", &error), TS_OK);
  size_t count = 0;
  for (; count < 4 && splits[_i].words[count]; count++) {
    ck_assert_uint_lt(count, words.count);
    ck_assert_str_eq(words.items[count], splits[_i].words[count]);
  }
  ck_assert_uint_eq(words.count, count);
  if (count > 0) ck_assert_ptr_null(words.items[count]);
  ts_words_free(&words);
}
END_TEST

START_TEST(words_split__refuses_an_open_quote) {
  ts_words words = {0};
  error = (ts_error){.status = TS_OK};
  ck_assert_int_eq(ts_words_split(&words, "-DA -D'B", "the extra options", &error), TS_ERROR_USAGE);
  check_message("a quote is not closed in the extra options: -DA -D'B");
  ts_words_free(&words);
}
END_TEST

/* ---- what arrives ---------------------------------------------------------------------------------------------- */

START_TEST(compiler_load__runs_what_it_compiled) { ck_assert_int_eq(answer_of("int answer(void) { return 42; }", NULL), 42); }
END_TEST

START_TEST(compiler_load__tells_two_programs_apart) {
  void *first;
  ck_assert_int_eq(load(&first, "int answer(void) { return 1; }", NULL), TS_OK);
  ck_assert_int_eq(answer_of("int answer(void) { return 2; }", NULL), 2);
  dlclose(first);
}
END_TEST

START_TEST(compiler_load__passes_defines_and_folders_with_spaces) {
  ck_assert_int_eq(mkdir(in_folder("with space"), 0700), 0);
  write_file(in_folder("with space/part.h"), "#define PART 30\n", 0600);
  const char *defines[] = {"A=1 + 2", "B", NULL}, *include_dirs[] = {in_folder("with space"), NULL};
  ts_build_options options = {.defines = defines, .include_dirs = include_dirs, .extra = "-DC=100 '-DD=1000 + 0'"};
  ck_assert_int_eq(answer_of("#include \"part.h\"\nint answer(void) { return A + B + PART + C + D; }", &options), 1134);
}
END_TEST

START_TEST(compiler_load__takes_flags_of_the_environment_last) {
  char flags[1024];
  const char *before = getenv("TENSORSTORAGE_HOST_FLAGS");
  snprintf(flags, sizeof flags, "%s -UA -DA=2", before ? before : "");
  setenv("TENSORSTORAGE_HOST_FLAGS", flags, 1);
  ts_build_options options = {.extra = "-DA=1"};
  ck_assert_int_eq(answer_of("int answer(void) { return A; }", &options), 2);
}
END_TEST

START_TEST(compiler_load__takes_cc_with_arguments) {
  char cc[1024];
  const char *before = getenv("CC");
  snprintf(cc, sizeof cc, "%s -DA=7", before && *before ? before : "cc");
  setenv("CC", cc, 1);
  ck_assert_int_eq(answer_of("int answer(void) { return A; }", NULL), 7);
}
END_TEST

START_TEST(compiler_load__finds_cc_when_CC_is_empty) {
  setenv("CC", " ", 1);
  unsetenv("TENSORSTORAGE_HOST_FLAGS"); /* they may be another compiler's */
  ck_assert_int_eq(answer_of("int answer(void) { return 5; }", NULL), 5);
}
END_TEST

#if defined(__x86_64__)
START_TEST(compiler_load__contracts_only_with_fast_math) {
  if (!__builtin_cpu_supports("fma")) return;
  /* (1 + e)^2 - (1 + 2e) is e^2 when it is rounded once, and 0 when the product is rounded first. */
  const char *text =
      "int answer(void) { volatile double a = 1 + 0x1p-30, c = -1 - 0x1p-29; double r = a * a + c; return r == 0; }";
  ts_build_options options = {.extra = "-mfma"};
  ck_assert_int_eq(answer_of(text, &options), 1);
  options.fast_math = true;
  ck_assert_int_eq(answer_of(text, &options), 0);
}
END_TEST
#endif

START_TEST(compiler_load__leaves_the_callers_subnormals_alone) {
  ts_build_options options = {.fast_math = true};
  void *object;
  ck_assert_int_eq(load(&object, "int answer(void) { return 1; }", &options), TS_OK);
  volatile double smallest = 0x1p-1074, twice = smallest * 2;
  ck_assert(twice > 0);
  dlclose(object);
}
END_TEST

/* ---- files ----------------------------------------------------------------------------------------------------- */

START_TEST(compiler_load__leaves_no_file) {
  ck_assert_int_eq(answer_of("int answer(void) { return 1; }", NULL), 1);
  void *object;
  ck_assert_int_eq(load(&object, "int answer(void) { return x; }", NULL), TS_ERROR_BUILD);
  char name[64];
  ck_assert(ts_compiler_name(name, sizeof name, &ts_compiler_c));
  ck_assert_int_eq(count_files(in_folder("tmp")), 0);
}
END_TEST

START_TEST(compiler_load__keeps_its_files_where_it_is_told) {
  ck_assert_int_eq(mkdir(in_folder("kept"), 0700), 0);
  setenv("TENSORSTORAGE_KEEP", in_folder("kept"), 1);
  ck_assert_int_eq(answer_of("int answer(void) { return 1; }", NULL), 1);
  ck_assert_int_eq(count_files(in_folder("kept")), 1);
  ck_assert_int_eq(count_files(in_folder("tmp")), 0);
}
END_TEST

START_TEST(compiler_load__says_which_folder_it_could_not_use) {
  setenv("TMPDIR", in_folder("missing"), 1);
  void *object;
  ck_assert_int_eq(load(&object, "int answer(void) { return 1; }", NULL), TS_ERROR_FILE);
  check_message("/missing: No such file or directory; set TMPDIR to a folder that can be written");
}
END_TEST

/* ---- programs -------------------------------------------------------------------------------------------------- */

START_TEST(process_exists__looks_through_the_folders_of_PATH) {
  char path[512];
  snprintf(path, sizeof path, "/no/folder:%s:/no/other", folder);
  write_file(in_folder("a program"), "#!/bin/sh\n", 0700);
  write_file(in_folder("no program"), "#!/bin/sh\n", 0600);
  ck_assert_int_eq(mkdir(in_folder("a folder"), 0700), 0);
  setenv("PATH", path, 1);
  ck_assert(ts_process_exists("a program"));
  ck_assert(!ts_process_exists("no program"));
  ck_assert(!ts_process_exists("a folder"));
  ck_assert(!ts_process_exists("another"));
  ck_assert(ts_process_exists(in_folder("a program")));
  setenv("PATH", "/no/folder", 1);
  ck_assert(!ts_process_exists("a program"));
}
END_TEST

START_TEST(compiler_assemble__gives_assembly_and_warnings) {
  char *assembly = NULL, *log = NULL;
  error = (ts_error){.status = TS_OK};
  ck_assert_int_eq(ts_compiler_assemble(&assembly, &log, "#warning careful\nint answer(void) { return 42; }\n", NULL, &error),
                   TS_OK);
  ck_assert_ptr_nonnull(strstr(assembly, "\nanswer:"));
  ck_assert_ptr_nonnull(strstr(log, "careful"));
  ck_assert_int_eq(count_files(in_folder("tmp")), 0);
  free(assembly);
  free(log);
}
END_TEST

/* ---- failures -------------------------------------------------------------------------------------------------- */

START_TEST(compiler_load__gives_the_log_with_the_users_line) {
  void *object;
  ck_assert_int_eq(load(&object, "#line 7 \"user.cl\"\nint answer(void) {\n  return missing;\n}\n", NULL), TS_ERROR_BUILD);
  ck_assert_str_eq(error.call, "cc");
  check_message("user.cl:8:");
  check_message("missing");
}
END_TEST

START_TEST(compiler_load__refuses_a_function_that_nobody_declared) {
  void *object;
  ck_assert_int_eq(load(&object, "#line 1 \"user.cl\"\nint answer(void) { return missing(); }\n", NULL), TS_ERROR_BUILD);
  check_message("user.cl:1:");
}
END_TEST

START_TEST(compiler_load__names_a_function_that_nobody_defined) {
  void *object;
  ck_assert_int_eq(load(&object, "int missing(void); int answer(void) { return missing(); }\n", NULL), TS_ERROR_BUILD);
  check_message("can't be loaded");
  check_message("missing");
}
END_TEST

START_TEST(compiler_load__says_what_to_install_when_there_is_no_compiler) {
  setenv("CC", "", 1);
  setenv("PATH", "", 1);
  void *object;
  ck_assert_int_eq(load(&object, "int answer(void) { return 1; }", NULL), TS_ERROR_UNSUPPORTED);
  ck_assert_str_eq(error.message,
                   "the host device compiles kernels with the system's C compiler: install one (apt install gcc) or set CC");
  char name[64];
  ck_assert(!ts_compiler_name(name, sizeof name, &ts_compiler_c));
}
END_TEST

START_TEST(compiler_load__names_the_compiler_that_CC_names_in_vain) {
  setenv("CC", "no-such-compiler -O1", 1);
  void *object;
  ck_assert_int_eq(load(&object, "int answer(void) { return 1; }", NULL), TS_ERROR_UNSUPPORTED);
  check_message("no-such-compiler, named by CC, can't be started: No such file or directory");
}
END_TEST

START_TEST(compiler_load__says_that_the_compiler_was_killed) {
  write_file(in_folder("killed"), "#!/bin/sh\necho half a word\nkill -9 $$\n", 0700);
  setenv("CC", in_folder("killed"), 1);
  void *object;
  ck_assert_int_eq(load(&object, "int answer(void) { return 1; }", NULL), TS_ERROR_BUILD);
  check_message("/killed was ended by signal 9 (Killed)\nhalf a word");
}
END_TEST

START_TEST(compiler_load__has_words_for_a_compiler_without_any) {
  write_file(in_folder("silent"), "#!/bin/sh\nexit 3\n", 0700);
  setenv("CC", in_folder("silent"), 1);
  void *object;
  ck_assert_int_eq(load(&object, "int answer(void) { return 1; }", NULL), TS_ERROR_BUILD);
  check_message("/silent ended with code 3 and said nothing");
}
END_TEST

int main(void) {
  /* The compiler of this test compiles the kernels too: a sanitizer of another would not fit. */
  if (getenv("TS_CC")) setenv("CC", getenv("TS_CC"), 1);
  Suite *suite = suite_create("compiler");
  TCase *tests = tcase_create("compiler");
  suite_add_tcase(suite, tests);
  tcase_set_timeout(tests, 120);
  tcase_add_checked_fixture(tests, set_up, tear_down);
  tcase_add_loop_test(tests, words_split__splits_as_a_shell_and_expands_nothing, 0, (int)(sizeof splits / sizeof splits[0]));
  tcase_add_test(tests, words_split__refuses_an_open_quote);
  tcase_add_test(tests, compiler_load__runs_what_it_compiled);
  tcase_add_test(tests, compiler_load__tells_two_programs_apart);
  tcase_add_test(tests, compiler_load__passes_defines_and_folders_with_spaces);
  tcase_add_test(tests, compiler_load__takes_flags_of_the_environment_last);
  tcase_add_test(tests, compiler_load__takes_cc_with_arguments);
  tcase_add_test(tests, compiler_load__finds_cc_when_CC_is_empty);
#if defined(__x86_64__)
  tcase_add_test(tests, compiler_load__contracts_only_with_fast_math);
#endif
  tcase_add_test(tests, compiler_load__leaves_the_callers_subnormals_alone);
  tcase_add_test(tests, compiler_load__leaves_no_file);
  tcase_add_test(tests, compiler_load__keeps_its_files_where_it_is_told);
  tcase_add_test(tests, compiler_load__says_which_folder_it_could_not_use);
  tcase_add_test(tests, process_exists__looks_through_the_folders_of_PATH);
  tcase_add_test(tests, compiler_assemble__gives_assembly_and_warnings);
  tcase_add_test(tests, compiler_load__gives_the_log_with_the_users_line);
  tcase_add_test(tests, compiler_load__refuses_a_function_that_nobody_declared);
  tcase_add_test(tests, compiler_load__names_a_function_that_nobody_defined);
  tcase_add_test(tests, compiler_load__says_what_to_install_when_there_is_no_compiler);
  tcase_add_test(tests, compiler_load__names_the_compiler_that_CC_names_in_vain);
  tcase_add_test(tests, compiler_load__says_that_the_compiler_was_killed);
  tcase_add_test(tests, compiler_load__has_words_for_a_compiler_without_any);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
