/* SPDX-License-Identifier: Apache-2.0
 *
 * check_nvrtc.c: NVRTC compiles kernels to PTX and to machine code, with the instructions and the registers that they should
 * have, and its complaints are the user's own lines.
 *
 * Compiled only: nothing runs on a GPU here. What needs no NVRTC is in check_compile.c.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/compile.h"
#include "require.h"

static ts_error error;

/* ---- helpers --------------------------------------------------------------------------------------------------- */

/* The text of examples/NAME.c. The caller frees it. */
static char *read_example(const char *name) {
  const char *folder = getenv("TS_SOURCE_DIR");
  ck_assert_msg(folder != NULL, "TS_SOURCE_DIR is not set: run this through CTest");
  char path[4096];
  snprintf(path, sizeof path, "%s/examples/%s.c", folder, name);
  FILE *file = fopen(path, "rb");
  ck_assert_msg(file != NULL, "cannot open %s", path);
  ck_assert_int_eq(fseek(file, 0, SEEK_END), 0);
  size_t bytes = (size_t)ftell(file);
  rewind(file);
  char *text = malloc(bytes + 1);
  ck_assert_ptr_nonnull(text);
  ck_assert_uint_eq(fread(text, 1, bytes, file), bytes);
  text[bytes] = '\0';
  fclose(file);
  return text;
}

static ts_binary *compile_example(const char *name, const char *target) {
  char *source = read_example(name), file[64];
  snprintf(file, sizeof file, "%s.c", name);
  ts_binary *binary = NULL;
  ts_status status = ts_compile(&binary, target, source, &(ts_build_options){.name = file}, &error);
  ck_assert_msg(status == TS_OK, "%s for %s: %s", name, target, error.message);
  free(source);
  return binary;
}

static ts_code code_of(const ts_binary *binary) {
  ts_code code = {0};
  ts_isa isa;
  ck_assert_int_eq(ts_binary_code(&code, &isa, binary, false, &error), TS_OK);
  ck_assert_int_eq(isa, TS_ISA_PTX);
  return code;
}

/* ---- cases ----------------------------------------------------------------------------------------------------- */

static const char *const machines[] = {"sm_75", "sm_80", "sm_90", "sm_100", "sm_120"};
enum { MACHINES = sizeof machines / sizeof machines[0] };

/* The four accesses of scale, by their lines, and no other but arguments. */
START_TEST(nvrtc__gives_scale_the_instructions_it_asks_for) {
  static const struct {
    size_t line;
    ts_access access;
    ts_space space;
    size_t bytes;
    unsigned flags;
  } expected[] = {{17, TS_ACCESS_LOAD, TS_SPACE_global, 8, TS_ACCESS_INVARIANT},
                  {18, TS_ACCESS_STORE, TS_SPACE_shared, 16, 0},
                  {20, TS_ACCESS_LOAD, TS_SPACE_shared, 16, 0},
                  {21, TS_ACCESS_STORE, TS_SPACE_global, 16, TS_ACCESS_NON_TEMPORAL}};
  ts_binary *binary = compile_example("scale", machines[_i]);
  ts_code code = code_of(binary);
  const ts_routine *scale = ts_code_find(&code, "scale");
  ck_assert_ptr_nonnull(scale);
  size_t found = 0;
  for (size_t i = 0; i < scale->access_count; i++) {
    const ts_instruction *a = &scale->accesses[i];
    if (a->flags & TS_ACCESS_PARAMETER) continue;
    ck_assert_msg(found < 4, "%s: one too many: %s", machines[_i], a->name);
    ck_assert_msg(a->line == expected[found].line && a->access == expected[found].access && a->space == expected[found].space &&
                      a->bytes == expected[found].bytes && a->flags == expected[found].flags,
                  "%s: line %zu: %s", machines[_i], a->line, a->name);
    found++;
  }
  ck_assert_uint_eq(found, 4);
  ts_code_free(&code);
  ts_binary_destroy(binary);
}
END_TEST

START_TEST(nvrtc__makes_machine_code_of_every_example) {
  static const char *const examples[] = {"accesses", "dequantise", "histogram", "scale", "softmax"};
  for (size_t k = 0; k < sizeof examples / sizeof examples[0]; k++) {
    ts_binary *binary = compile_example(examples[k], machines[_i]);
    size_t bytes = 0;
    const char *data = ts_binary_bytes(binary, &bytes);
    ck_assert_str_eq(ts_binary_kind(binary), "cubin");
    ck_assert(bytes > 64 && !memcmp(data, "\177ELF", 4));
    ck_assert_str_eq(ts_binary_log(binary), "");
    ts_code code = code_of(binary);
    ck_assert_uint_ge(ts_binary_kernel_count(binary), 1);
    for (size_t i = 0; i < ts_binary_kernel_count(binary); i++) {
      const char *kernel = ts_binary_signature(binary, i)->kernel;
      ck_assert_msg(ts_code_find(&code, kernel) != NULL, "%s for %s: no kernel %s", examples[k], machines[_i], kernel);
      ts_kernel_resources resources = ts_binary_resources(binary, i);
      ck_assert_msg(resources.registers > 0 && resources.registers < 256, "%s: %d registers", kernel, (int)resources.registers);
      ck_assert_int_eq(resources.local_bytes, 0);
      ck_assert_int_eq(resources.spill_bytes, 0);
    }
    ts_code_free(&code);
    ts_binary_destroy(binary);
  }
}
END_TEST

START_TEST(nvrtc__tells_the_shared_memory_of_scale) {
  ts_binary *binary = compile_example("scale", "sm_90");
  ck_assert_uint_eq(ts_binary_kernel_count(binary), 1);
  ck_assert_int_eq(ts_binary_resources(binary, 0).shared_bytes, 32 * 36 * 4);
  ts_binary_destroy(binary);
}
END_TEST

START_TEST(nvrtc__makes_ptx_for_a_generation) {
  ts_binary *binary = compile_example("scale", "compute_75");
  size_t bytes = 0;
  const char *ptx = ts_binary_bytes(binary, &bytes);
  ck_assert_str_eq(ts_binary_kind(binary), "PTX");
  ck_assert_uint_eq(bytes, strlen(ptx));
  ck_assert_ptr_nonnull(strstr(ptx, ".target sm_75"));
  ck_assert_ptr_nonnull(strstr(ptx, ".entry scale("));
  ck_assert_ptr_eq(ts_binary_assembly(binary), ptx);
  ck_assert_int_eq(ts_binary_resources(binary, 0).registers, -1);
  ck_assert(!strncmp(ts_binary_compiler(binary), "NVRTC 1", 7));
  ts_binary_destroy(binary);
}
END_TEST

static const char saxpy[] = "#include \"tensorstorage.h\"\n"
                            "TS_KERNEL(k, (TS_GLOBAL_CONST_ARG(f32) x, TS_GLOBAL_ARG(f32) y, float a)) {\n"
                            "  long long i = ts_global_id(0);\n"
                            "  ts_f32 v = a * ts_load(ts_global_const, f32, 1, ts_bind(ts_global_const, f32, x), i, 0);\n"
                            "  ts_store(ts_global, f32, 1, ts_bind(ts_global, f32, y), i, v + 1.0f, 0);\n"
                            "}\n";

/* Contraction is off: one multiplication and one addition, unless fast arithmetic is asked for. */
START_TEST(nvrtc__contracts_only_where_fast_math_is_asked_for) {
  for (int fast = 0; fast < 2; fast++) {
    ts_binary *binary = NULL;
    ck_assert_int_eq(ts_compile(&binary, "sm_80", saxpy, &(ts_build_options){.fast_math = fast}, &error), TS_OK);
    ck_assert_int_eq(strstr(ts_binary_assembly(binary), "fma.rn") != NULL, fast);
    ck_assert_int_eq(strstr(ts_binary_assembly(binary), "mul.f32") != NULL ||
                         strstr(ts_binary_assembly(binary), "mul.rn.f32") != NULL,
                     !fast);
    ts_binary_destroy(binary);
  }
}
END_TEST

/* What NVRTC's --minimal leaves out is there all the same: textures. */
START_TEST(nvrtc__builds_what_a_minimal_build_lacks) {
  const char *source = "extern \"C\" __global__ void sample(cudaTextureObject_t texture, float *y) {\n"
                       "  y[threadIdx.x] = tex1Dfetch<float>(texture, threadIdx.x);\n"
                       "}\n";
  ts_binary *binary = NULL;
  ts_status status = ts_compile(&binary, "compute_90", source, NULL, &error);
  ck_assert_msg(status == TS_OK, "%s", error.message);
  ck_assert_ptr_nonnull(strstr(ts_binary_assembly(binary), "tex.1d.v4.f32.s32"));
  ts_binary_destroy(binary);
}
END_TEST

/* A kernel that needs nothing of that is built without it; NVRTC of CUDA 13 can. */
START_TEST(nvrtc__builds_a_kernel_minimally) {
  const char *source = "#ifdef __CUDACC_RTC_MINIMAL__\n"
                       "extern \"C\" __device__ int was_minimal = 1;\n"
                       "#endif\n"
                       "extern \"C\" __global__ void none(void) {}\n";
  ts_binary *binary = NULL;
  ck_assert_int_eq(ts_compile(&binary, "compute_90", source, NULL, &error), TS_OK);
  int version = 0;
  ck_assert_int_eq(sscanf(ts_binary_compiler(binary), "NVRTC %d", &version), 1);
  if (version >= 13) ck_assert_ptr_nonnull(strstr(ts_binary_assembly(binary), "was_minimal"));
  ts_binary_destroy(binary);
}
END_TEST

/* What ptxas alone can tell. */
START_TEST(nvrtc__tells_how_much_memory_does_not_suffice) {
  static const struct {
    const char *source, *sentence;
  } rows[] = {
      {"#include \"tensorstorage.h\"\n"
       "TS_KERNEL(sort, (TS_GLOBAL_ARG(f32) y_cells)) {\n"
       "  TS_SHARED(tile, f32, 20000);\n"
       "  int i = ts_item_in_group(0);\n"
       "  ts_store(ts_shared, f32, 1, tile, i, 1.0f, 0);\n"
       "  ts_barrier();\n"
       "  ts_store(ts_global, f32, 1, ts_bind(ts_global, f32, y_cells), i, ts_load(ts_shared, f32, 1, tile, 7 * i, 0), 0);\n"
       "}\n",
       "sort takes 80000 bytes of shared memory, and sm_90 has 49152 for what a kernel declares: make its arrays smaller, or "
       "take one as an argument (TS_SHARED_ARG)"},
      {"#include \"tensorstorage.h\"\n"
       "__constant__ ts_f32 table[20000] = {1.0f};\n"
       "TS_KERNEL(look, (TS_GLOBAL_ARG(f32) y_cells)) {\n"
       "  ts_store(ts_global, f32, 1, ts_bind(ts_global, f32, y_cells), 0, table[ts_item_in_group(0)], 0);\n"
       "}\n",
       "the file's constant memory takes 80000 bytes, and sm_90 has 65536: make its tables smaller"}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    ts_binary *binary = NULL;
    ck_assert_int_eq(ts_compile(&binary, "sm_90", rows[i].source, NULL, &error), TS_ERROR_BUILD);
    ck_assert_msg(strstr(error.message, rows[i].sentence) != NULL, "%s", error.message);
    ck_assert_msg(strstr(error.message, "ptxas") == NULL, "%s", error.message);
  }
}
END_TEST

START_TEST(nvrtc__gives_warnings_in_the_log_of_what_was_built) {
  ts_binary *binary = NULL;
  ck_assert_int_eq(ts_compile(&binary, "sm_80", "#include \"tensorstorage.h\"\nTS_KERNEL(k, (int n)) {\n  int unused;\n}\n",
                              &(ts_build_options){.name = "k.cu"}, &error),
                   TS_OK);
  ck_assert_msg(strstr(ts_binary_log(binary), "k.cu(3): warning") != NULL, "%s", ts_binary_log(binary));
  ck_assert_ptr_null(strstr(ts_binary_log(binary), "ptxas info"));
  ts_binary_destroy(binary);
}
END_TEST

/* The last word of the trace in a file: "miss" if it was compiled and "hit" if not. */
static const char *last_trace(const char *path) {
  static char word[16];
  char line[1024], of_line[16];
  fflush(stderr);
  FILE *file = fopen(path, "r");
  ck_assert_ptr_nonnull(file);
  while (fgets(line, sizeof line, file))
    if (sscanf(line, "tensorstorage: cache: %15s", of_line) == 1 && strcmp(of_line, "stored") != 0)
      memcpy(word, of_line, sizeof word);
  fclose(file);
  return word;
}

/* The cache gives all that NVRTC gave: code, PTX, the log with its warnings, and what ptxas told of each kernel. */
START_TEST(nvrtc__gives_the_same_from_the_cache) {
  static const char text[] =
      "#include \"tensorstorage.h\"\n"
      "TS_KERNEL(k, (TS_GLOBAL_ARG(f32) y)) {\n"
      "  TS_SHARED(tile, f32, 32);\n"
      "  int unused;\n"
      "  ts_store(ts_shared, f32, 1, tile, ts_item_in_group(0), 1.0f, 0);\n"
      "  ts_barrier();\n"
      "  ts_store(ts_global, f32, 1, ts_bind(ts_global, f32, y), 0, ts_load(ts_shared, f32, 1, tile, 0, 0), 0);\n"
      "}\n";
  static const struct {
    const char *target, *last;
    bool fast_math;
  } rows[] = {{"sm_80", "miss", false}, {"sm_80", "hit", false},       {"sm_90", "miss", false},    {"sm_80", "miss", true},
              {"sm_80", "hit", false},  {"compute_80", "miss", false}, {"compute_80", "hit", false}};
  char folder[256], trace[300], command[300];
  snprintf(folder, sizeof folder, "%s/check-nvrtc-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
  ck_assert_ptr_nonnull(mkdtemp(folder));
  snprintf(trace, sizeof trace, "%s/trace", folder);
  ck_assert_ptr_nonnull(freopen(trace, "w", stderr));
  setenv("TENSORSTORAGE_CACHE", "auto", 1);
  setenv("TENSORSTORAGE_CACHE_DIR", folder, 1);
  setenv("TENSORSTORAGE_TRACE", "1", 1);
  ts_binary *first[2] = {NULL, NULL}; /* machine code, PTX */
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const ts_build_options options = {.name = "k.cu", .fast_math = rows[i].fast_math};
    ts_binary *binary = NULL;
    ck_assert_int_eq(ts_compile(&binary, rows[i].target, text, &options, &error), TS_OK);
    ck_assert_str_eq(last_trace(trace), rows[i].last);
    bool is_ptx = rows[i].target[0] == 'c', is_hit = !strcmp(rows[i].last, "hit");
    if (!first[is_ptx]) {
      first[is_ptx] = binary;
      ck_assert_ptr_nonnull(strstr(ts_binary_log(binary), "k.cu(4): warning"));
      continue;
    }
    size_t bytes, first_bytes;
    const void *code = ts_binary_bytes(binary, &bytes), *first_code = ts_binary_bytes(first[is_ptx], &first_bytes);
    if (is_hit) {
      ck_assert_uint_eq(bytes, first_bytes);
      ck_assert_mem_eq(code, first_code, bytes);
      ck_assert_str_eq(ts_binary_kind(binary), is_ptx ? "PTX" : "cubin");
      ck_assert_str_eq(ts_binary_assembly(binary), ts_binary_assembly(first[is_ptx]));
      ck_assert_str_eq(ts_binary_log(binary), ts_binary_log(first[is_ptx]));
      ck_assert_int_eq(ts_binary_resources(binary, 0).shared_bytes, is_ptx ? -1 : 128);
      ck_assert_int_eq(ts_binary_resources(binary, 0).registers, ts_binary_resources(first[is_ptx], 0).registers);
    } else {
      ck_assert(bytes != first_bytes || memcmp(code, first_code, bytes) != 0);
    }
    ts_binary_destroy(binary);
  }
  ts_binary_destroy(first[0]);
  ts_binary_destroy(first[1]);
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  ck_assert_int_eq(system(command), 0);
}
END_TEST

START_TEST(nvrtc__refuses_a_store_through_a_read_only_handle_at_its_line) {
  ts_binary *binary = NULL;
  ck_assert_int_eq(ts_compile(&binary, "sm_75",
                              "#include \"tensorstorage.h\"\n"
                              "TS_KERNEL(k, (TS_GLOBAL_CONST_ARG(f32) x)) {\n"
                              "  ts_store(ts_global_const, f32, 1, ts_bind(ts_global_const, f32, x), 0, 1.0f, 0);\n"
                              "}\n",
                              &(ts_build_options){.name = "k.cu"}, &error),
                   TS_ERROR_BUILD);
  ck_assert_ptr_null(binary);
  ck_assert_msg(!strncmp(error.message, "k.cu did not build for sm_75 (NVRTC 1", 37), "%s", error.message);
  ck_assert_msg(strstr(error.message, "k.cu(3): error") != NULL, "%s", error.message);
  ck_assert_msg(strstr(error.message, "handles are read-only") != NULL, "%s", error.message);
  ck_assert_msg(strstr(error.message, "\n    ts_store(ts_global_const, f32, 1,") != NULL, "%s", error.message);
  ck_assert_msg(strstr(error.message, "\n    ^") != NULL, "%s", error.message);
}
END_TEST

START_TEST(nvrtc__names_the_nearest_of_the_gpus_that_it_knows) {
  ts_binary *binary = NULL;
  ck_assert_int_eq(ts_compile(&binary, "sm_74", saxpy, NULL, &error), TS_ERROR_USAGE);
  ck_assert_msg(strstr(error.message, "does not compile for sm_74; the nearest is sm_75; it knows the numbers 75 ") != NULL,
                "%s", error.message);
}
END_TEST

START_TEST(nvrtc__takes_options_and_macros) {
  ts_binary *binary = NULL;
  const char *const defines[] = {"COUNT=3", NULL};
  const ts_build_options options = {.defines = defines, .extra = "--device-debug '-DMORE=4 + 1'"};
  ck_assert_int_eq(
      ts_compile(
          &binary, "compute_80",
          "#include \"tensorstorage.h\"\nstatic_assert(COUNT == 3 && MORE == 5, \"both arrive\");\nTS_KERNEL(k, (int n)) {}\n",
          &options, &error),
      TS_OK);
  ck_assert_ptr_nonnull(strstr(ts_binary_assembly(binary), ".target sm_80, debug"));
  ts_binary_destroy(binary);
}
END_TEST

int main(void) {
  ts_binary *binary = NULL;
  bool is_there = ts_compile(&binary, "sm_75", saxpy, NULL, &error) != TS_ERROR_UNSUPPORTED;
  ts_binary_destroy(binary);
  ts_skip_unless("cuda", is_there, "NVRTC is not installed");
  Suite *suite = suite_create("nvrtc");
  TCase *cases = tcase_create("nvrtc");
  tcase_set_timeout(cases, 120);
  tcase_add_loop_test(cases, nvrtc__gives_scale_the_instructions_it_asks_for, 0, MACHINES);
  tcase_add_loop_test(cases, nvrtc__makes_machine_code_of_every_example, 0, MACHINES);
  tcase_add_test(cases, nvrtc__tells_the_shared_memory_of_scale);
  tcase_add_test(cases, nvrtc__makes_ptx_for_a_generation);
  tcase_add_test(cases, nvrtc__contracts_only_where_fast_math_is_asked_for);
  tcase_add_test(cases, nvrtc__builds_what_a_minimal_build_lacks);
  tcase_add_test(cases, nvrtc__builds_a_kernel_minimally);
  tcase_add_test(cases, nvrtc__tells_how_much_memory_does_not_suffice);
  tcase_add_test(cases, nvrtc__gives_warnings_in_the_log_of_what_was_built);
  tcase_add_test(cases, nvrtc__gives_the_same_from_the_cache);
  tcase_add_test(cases, nvrtc__refuses_a_store_through_a_read_only_handle_at_its_line);
  tcase_add_test(cases, nvrtc__names_the_nearest_of_the_gpus_that_it_knows);
  tcase_add_test(cases, nvrtc__takes_options_and_macros);
  suite_add_tcase(suite, cases);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
