/* SPDX-License-Identifier: Apache-2.0
 *
 * check_compile.c: ts_compile for the host, and what it says when a target, a compiler or a source is wrong.
 *
 * NVRTC is in check_nvrtc.c; what clang and drivers make, by way of the tool, in compile_test.sh.
 */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/compile.h"

static ts_error error;
static ts_binary *binary;

static const char copy[] =
    "#include \"tensorstorage.h\"\n"
    "TS_KERNEL(first, (TS_GLOBAL_CONST_ARG(f32) x, TS_GLOBAL_ARG(f32) y)) {\n"
    "  ts_f32x4 v = ts_load(ts_global_const, f32, 4, ts_bind(ts_global_const, f32, x), 0, TS_ALIGN(16));\n"
    "  ts_store(ts_global, f32, 4, ts_bind(ts_global, f32, y), 0, v, TS_ALIGN(16));\n"
    "}\n"
    "TS_KERNEL(second, (TS_SHARED_ARG(i16) s, int n)) { (void)s, (void)n; }\n";

static void check_message(const char *part) {
  ck_assert_msg(strstr(error.message, part) != NULL, "no \"%s\" in: %s", part, error.message);
}

/* ---- the host ---------------------------------------------------------------------------------------------------- */

START_TEST(compile__gives_the_hosts_assembly_and_the_signatures) {
  ck_assert_msg(ts_compile(&binary, "host", copy, &(ts_build_options){.name = "copy.c"}, &error) == TS_OK, "%s", error.message);
  size_t bytes = 0;
  const char *assembly = ts_binary_bytes(binary, &bytes);
  ck_assert_uint_eq(bytes, strlen(assembly));
  ck_assert_ptr_eq(ts_binary_assembly(binary), assembly);
  ck_assert_ptr_nonnull(strstr(assembly, "\nfirst:"));
  ck_assert_ptr_nonnull(strstr(assembly, "\nsecond:"));
  ck_assert_str_eq(ts_binary_log(binary), "");
  ck_assert(*ts_binary_compiler(binary));
  ck_assert_uint_eq(ts_binary_kernel_count(binary), 2);
  char text[64];
  ck_assert_uint_eq(ts_signature_text(text, sizeof text, ts_binary_signature(binary, 0)),
                    strlen("first(global const f32 x, global f32 y)"));
  ck_assert_str_eq(text, "first(global const f32 x, global f32 y)");
  ts_signature_text(text, sizeof text, ts_binary_signature(binary, 1));
  ck_assert_str_eq(text, "second(shared i16 s, i32 n)");
  ck_assert_ptr_null(ts_binary_signature(binary, 2));
  ck_assert_int_eq(ts_binary_resources(binary, 0).registers, -1);
  ts_binary_destroy(binary);
}
END_TEST

#ifdef __x86_64__
/* Ids come from the running work-item. With nothing to set it the compiler takes it for NULL, and all that follows for dead. */
START_TEST(compile__gives_what_the_host_device_runs) {
  static const char by_id[] = "#include \"tensorstorage.h\"\n"
                              "TS_KERNEL(fill, (TS_GLOBAL_ARG(f32) y)) {\n"
                              "  ts_store(ts_global, f32, 1, ts_bind(ts_global, f32, y), ts_global_id(0), 2.0f, 0);\n"
                              "}\n";
  const ts_build_options options = {.name = "fill.c", .extra = "-fno-sanitize=all -fno-stack-protector"};
  unsetenv("TENSORSTORAGE_HOST_FLAGS");
  ck_assert_msg(ts_compile(&binary, "host", by_id, &options, &error) == TS_OK, "%s", error.message);
  ck_assert_ptr_null(strstr(ts_binary_assembly(binary), "ud2"));
  ts_code code = {0};
  ts_isa isa;
  ck_assert_int_eq(ts_binary_code(&code, &isa, binary, false, &error), TS_OK);
  ck_assert_uint_eq(code.count, 1); /* launch functions are no kernels */
  ck_assert_str_eq(code.routines[0].name, "fill");
  ck_assert_uint_eq(ts_routine_count(&code.routines[0], TS_ACCESS_STORE, TS_SPACE_generic, 4, 0), 1);
  ts_code_free(&code);
  ts_binary_destroy(binary);
}
END_TEST

/* As wide as was promised: one load and one store of 16 bytes, and nothing else touches memory. */
START_TEST(compile__gives_instructions_that_can_be_counted) {
  const ts_build_options options = {.name = "folder/copy.c", .extra = "-fno-sanitize=all -fno-stack-protector"};
  unsetenv("TENSORSTORAGE_HOST_FLAGS");
  ck_assert_msg(ts_compile(&binary, "host", copy, &options, &error) == TS_OK, "%s", error.message);
  ts_code code = {0};
  ts_isa isa;
  ck_assert_int_eq(ts_binary_code(&code, &isa, binary, false, &error), TS_OK);
  ck_assert_int_eq(isa, TS_ISA_X86);
  const ts_routine *first = ts_code_find(&code, "first");
  ck_assert_ptr_nonnull(first);
  ck_assert_uint_eq(first->access_count, 2);
  ck_assert_uint_eq(ts_routine_count(first, TS_ACCESS_LOAD, TS_SPACE_generic, 16, 0), 1);
  ck_assert_uint_eq(ts_routine_count(first, TS_ACCESS_STORE, TS_SPACE_generic, 16, 0), 1);
  ck_assert_int_eq(ts_binary_code(&code, &isa, binary, true, &error), TS_ERROR_USAGE);
  check_message("SASS is of machine code: choose sm_90 or another sm_NN, not host");
  ts_code_free(&code);
  ts_binary_destroy(binary);
}
END_TEST
#endif

START_TEST(compile__gives_the_users_line_of_an_error_with_a_caret) {
  ck_assert_int_eq(ts_compile(&binary, "host", "#include \"tensorstorage.h\"\n\nint broken = nothing;\n",
                              &(ts_build_options){.name = "broken.c"}, &error),
                   TS_ERROR_BUILD);
  ck_assert_ptr_null(binary);
  ck_assert_msg(!strncmp(error.message, "broken.c did not build for host (", 33), "%s", error.message);
  check_message("broken.c:3:14: error: ");
  check_message("int broken = nothing;");
  check_message("^");
}
END_TEST

START_TEST(compile__refuses_a_parameter_that_is_not_portable) {
  ck_assert_int_eq(ts_compile(&binary, "host", "#include \"tensorstorage.h\"\nTS_KERNEL(k, (size_t n)) {}\n", NULL, &error),
                   TS_ERROR_BUILD);
  check_message("size_t");
}
END_TEST

/* ---- targets and compilers that are not there --------------------------------------------------------------------- */

START_TEST(compile__names_the_nearest_target_and_all) {
  static const struct {
    const char *target, *nearest;
  } wrong[] = {{"sm90", "sm_90"}, {"gfx", "gfx90a"}, {"spir-v", "spirv"}, {"x68", "x86"}, {"hots", "host"}, {"sm_", "sm_75"}};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    error = (ts_error){.status = TS_OK};
    ck_assert_int_eq(ts_compile(&binary, wrong[i].target, copy, NULL, &error), TS_ERROR_USAGE);
    char sentence[128];
    snprintf(sentence, sizeof sentence, "there is no target \"%s\"; the nearest is %s; targets:\n", wrong[i].target,
             wrong[i].nearest);
    check_message(sentence);
    const char *name, *what;
    for (size_t k = 0; ts_target_at(k, &name, &what); k++) {
      check_message(name);
      check_message(what);
    }
  }
}
END_TEST

START_TEST(compile__says_what_to_install_without_a_compiler) {
  static const struct {
    const char *target, *sentence;
  } missing[] = {
      {"gfx90a", "OpenCL C is compiled for gfx90a by clang, which is not installed: apt install clang-19, or clang"},
      {"x86", "OpenCL C is compiled for x86 by clang, which is not installed: apt install clang-19, or clang"},
      {"spirv", "SPIR-V is made by clang and llvm-spirv of the same number, which are not installed: apt install clang-14 "
                "llvm-spirv-14"},
      {"host", "the host device compiles kernels with the system's C compiler: install one (apt install gcc) or set CC"},
      {"sm_90", "NVRTC can't be opened as /no/libnvrtc.so, which TENSORSTORAGE_NVRTC names; set it to a libnvrtc.so"}};
  setenv("PATH", "/no/folder", 1);
  setenv("TENSORSTORAGE_NVRTC", "/no/libnvrtc.so", 1);
  unsetenv("TENSORSTORAGE_CLANG");
  unsetenv("CC");
  for (size_t i = 0; i < sizeof missing / sizeof missing[0]; i++) {
    error = (ts_error){.status = TS_OK};
    ck_assert_int_eq(ts_compile(&binary, missing[i].target, copy, NULL, &error), TS_ERROR_UNSUPPORTED);
    ck_assert_str_eq(error.message, missing[i].sentence);
  }
}
END_TEST

START_TEST(compile__names_the_clang_that_cannot_be_started) {
  setenv("TENSORSTORAGE_CLANG", "/no/clang", 1);
  ck_assert_int_eq(ts_compile(&binary, "x86", copy, NULL, &error), TS_ERROR_UNSUPPORTED);
  check_message(
      "/no/clang, which TENSORSTORAGE_CLANG names, can't be started: No such file or directory; set it to a clang, or "
      "unset it for the newest of PATH");
}
END_TEST

/* ---- arguments ---------------------------------------------------------------------------------------------------- */

START_TEST(compile__checks_its_arguments) {
  ck_assert_int_eq(ts_compile(NULL, "host", copy, NULL, &error), TS_ERROR_USAGE);
  ck_assert_int_eq(ts_compile(&binary, NULL, copy, NULL, &error), TS_ERROR_USAGE);
  ck_assert_int_eq(ts_compile(&binary, "host", NULL, NULL, NULL), TS_ERROR_USAGE);
  ck_assert_int_eq(ts_compile(&binary, "host", copy, &(ts_build_options){.standard = "CL9"}, &error), TS_ERROR_USAGE);
  ck_assert_ptr_null(binary);
  ts_binary_destroy(NULL);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("compile");
  TCase *cases = tcase_create("compile");
  tcase_set_timeout(cases, 120);
  tcase_add_test(cases, compile__gives_the_hosts_assembly_and_the_signatures);
#ifdef __x86_64__
  tcase_add_test(cases, compile__gives_what_the_host_device_runs);
  tcase_add_test(cases, compile__gives_instructions_that_can_be_counted);
#endif
  tcase_add_test(cases, compile__gives_the_users_line_of_an_error_with_a_caret);
  tcase_add_test(cases, compile__refuses_a_parameter_that_is_not_portable);
  tcase_add_test(cases, compile__names_the_nearest_target_and_all);
  tcase_add_test(cases, compile__says_what_to_install_without_a_compiler);
  tcase_add_test(cases, compile__names_the_clang_that_cannot_be_started);
  tcase_add_test(cases, compile__checks_its_arguments);
  suite_add_tcase(suite, cases);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
