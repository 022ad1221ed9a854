/* SPDX-License-Identifier: Apache-2.0
 *
 * check_nvrtc.c: NVRTC compiles kernels with the flattened header from memory, and gives the instructions asked for.
 *
 * Compiled to PTX only: nothing runs on a GPU here. The library is opened at run time, so that this builds without CUDA.
 */
#include <check.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "require.h"

/* ---- the functions of NVRTC that are used ----------------------------------------------------------------- */

typedef struct nvrtc_program nvrtc_program;

static struct {
  int (*create)(nvrtc_program **, const char *source, const char *name, int headers, const char *const *, const char *const *);
  int (*compile)(nvrtc_program *, int count, const char *const *options);
  int (*log_size)(nvrtc_program *, size_t *);
  int (*log)(nvrtc_program *, char *);
  int (*ptx_size)(nvrtc_program *, size_t *);
  int (*ptx)(nvrtc_program *, char *);
  int (*destroy)(nvrtc_program **);
} nvrtc;

/* Open NVRTC where the system finds it, or where CUDA is installed by default. */
static bool open_nvrtc(void) {
  static const char *const names[] = {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12", "/usr/local/cuda/lib64/libnvrtc.so"};
  void *library = NULL;
  for (size_t i = 0; !library && i < sizeof names / sizeof names[0]; i++) library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  if (!library) return false;
  const struct {
    const char *name;
    void *function;
  } symbols[] = {{"nvrtcCreateProgram", &nvrtc.create},       {"nvrtcCompileProgram", &nvrtc.compile},
                 {"nvrtcGetProgramLogSize", &nvrtc.log_size}, {"nvrtcGetProgramLog", &nvrtc.log},
                 {"nvrtcGetPTXSize", &nvrtc.ptx_size},        {"nvrtcGetPTX", &nvrtc.ptx},
                 {"nvrtcDestroyProgram", &nvrtc.destroy}};
  for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
    void *symbol = dlsym(library, symbols[i].name);
    if (!symbol) return false;
    memcpy(symbols[i].function, &symbol, sizeof symbol);
  }
  return true;
}

/* ---- helpers --------------------------------------------------------------------------------------------------- */

/* The text of folder/name, where an environment variable names the folder. The caller frees it. */
static char *read_text(const char *variable, const char *name) {
  const char *folder = getenv(variable);
  ck_assert_msg(folder != NULL, "%s is not set: run this through CTest", variable);
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
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

/* Compile `source` for a generation of GPUs ("compute_75"), with the flattened header under its own name in memory. Returns
 * the PTX, or the log where it does not compile; the caller frees it. */
static char *compile(const char *source, const char *architecture, bool *is_compiled) {
  static const char *const header_name = "tensorstorage.h";
  char *header = read_text("TS_BUILD_DIR", "flat/tensorstorage.h");
  char option[64];
  snprintf(option, sizeof option, "--gpu-architecture=%s", architecture);
  nvrtc_program *program;
  ck_assert_int_eq(nvrtc.create(&program, source, "kernel.cu", 1, (const char *const[]){header}, &header_name), 0);
  *is_compiled = nvrtc.compile(program, 1, (const char *const[]){option}) == 0;
  size_t bytes;
  ck_assert_int_eq((*is_compiled ? nvrtc.ptx_size : nvrtc.log_size)(program, &bytes), 0);
  char *text = malloc(bytes);
  ck_assert_ptr_nonnull(text);
  ck_assert_int_eq((*is_compiled ? nvrtc.ptx : nvrtc.log)(program, text), 0);
  ck_assert_int_eq(nvrtc.destroy(&program), 0);
  free(header);
  return text;
}

/* ---- cases ----------------------------------------------------------------------------------------------------- */

static const char *const architectures[] = {"compute_75", "compute_80", "compute_90", "compute_100"};
enum { ARCHITECTURES = sizeof architectures / sizeof architectures[0] };

START_TEST(nvrtc__gives_scale_the_instructions_it_asks_for) {
  char *source = read_text("TS_SOURCE_DIR", "examples/scale.c");
  bool is_compiled;
  char *ptx = compile(source, architectures[_i], &is_compiled);
  ck_assert_msg(is_compiled, "%s: %s", architectures[_i], ptx);
  static const char *const accesses[] = {"ld.global.nc.v4.u16", "st.shared.v4.", "ld.shared.v4.f32", "st.global.cs.v4.f32"};
  for (size_t k = 0; k < sizeof accesses / sizeof accesses[0]; k++)
    ck_assert_msg(strstr(ptx, accesses[k]) != NULL, "%s: no %s in:\n%s", architectures[_i], accesses[k], ptx);
  free(ptx);
  free(source);
}
END_TEST

START_TEST(nvrtc__compiles_every_example) {
  static const char *const examples[] = {"dequantise", "histogram", "scale", "softmax"};
  for (size_t k = 0; k < sizeof examples / sizeof examples[0]; k++) {
    char name[64];
    snprintf(name, sizeof name, "examples/%s.c", examples[k]);
    char *source = read_text("TS_SOURCE_DIR", name);
    bool is_compiled;
    char *ptx = compile(source, architectures[_i], &is_compiled);
    ck_assert_msg(is_compiled, "%s for %s: %s", name, architectures[_i], ptx);
    snprintf(name, sizeof name, ".entry %s(", examples[k]);
    ck_assert_msg(strstr(ptx, name) != NULL, "%s: no \"%s\" in:\n%s", architectures[_i], name, ptx);
    free(ptx);
    free(source);
  }
}
END_TEST

START_TEST(nvrtc__refuses_a_store_through_a_read_only_handle) {
  bool is_compiled;
  char *log = compile("#include \"tensorstorage.h\"\n"
                      "TS_KERNEL(k, (TS_GLOBAL_CONST_ARG(f32) x)) {\n"
                      "  ts_store(ts_global_const, f32, 1, ts_bind(ts_global_const, f32, x), 0, 1.0f, 0);\n"
                      "}\n",
                      "compute_75", &is_compiled);
  ck_assert(!is_compiled);
  ck_assert_msg(strstr(log, "kernel.cu(3): error") != NULL, "%s", log);
  ck_assert_msg(strstr(log, "handles are read-only") != NULL, "%s", log);
  free(log);
}
END_TEST

int main(void) {
  ts_skip_unless("cuda", open_nvrtc(), "NVRTC is not installed");
  Suite *suite = suite_create("nvrtc");
  TCase *cases = tcase_create("nvrtc");
  tcase_set_timeout(cases, 120);
  tcase_add_loop_test(cases, nvrtc__gives_scale_the_instructions_it_asks_for, 0, ARCHITECTURES);
  tcase_add_loop_test(cases, nvrtc__compiles_every_example, 0, ARCHITECTURES);
  tcase_add_test(cases, nvrtc__refuses_a_store_through_a_read_only_handle);
  suite_add_tcase(suite, cases);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
