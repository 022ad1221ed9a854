/* SPDX-License-Identifier: Apache-2.0
 *
 * nvrtc.c: compile CUDA C++ with NVRTC. See nvrtc.h.
 */
#define _GNU_SOURCE /* dladdr */
#include "nvrtc.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "text.h"

/* ---- the library --------------------------------------------------------------------------------------------------- */

typedef struct nvrtc_program nvrtc_program; /* NVRTC's own */

/* The functions that are used. All but the last return 0 if all is well. */
static struct {
  int (*version)(int *major, int *minor);
  int (*architecture_count)(int *count);
  int (*architectures)(int *numbers);
  int (*create)(nvrtc_program **, const char *text, const char *name, int headers, const char *const *, const char *const *);
  int (*destroy)(nvrtc_program **);
  int (*compile)(nvrtc_program *, int count, const char *const *options);
  int (*log_bytes)(nvrtc_program *, size_t *);
  int (*log)(nvrtc_program *, char *);
  int (*ptx_bytes)(nvrtc_program *, size_t *);
  int (*ptx)(nvrtc_program *, char *);
  int (*cubin_bytes)(nvrtc_program *, size_t *);
  int (*cubin)(nvrtc_program *, char *);
  const char *(*error_text)(int code);
} nvrtc;

static const struct {
  const char *name;
  void *function;
} symbols[] = {{"nvrtcVersion", &nvrtc.version},
               {"nvrtcGetNumSupportedArchs", &nvrtc.architecture_count},
               {"nvrtcGetSupportedArchs", &nvrtc.architectures},
               {"nvrtcCreateProgram", &nvrtc.create},
               {"nvrtcDestroyProgram", &nvrtc.destroy},
               {"nvrtcCompileProgram", &nvrtc.compile},
               {"nvrtcGetProgramLogSize", &nvrtc.log_bytes},
               {"nvrtcGetProgramLog", &nvrtc.log},
               {"nvrtcGetPTXSize", &nvrtc.ptx_bytes},
               {"nvrtcGetPTX", &nvrtc.ptx},
               {"nvrtcGetCUBINSize", &nvrtc.cubin_bytes},
               {"nvrtcGetCUBIN", &nvrtc.cubin},
               {"nvrtcGetErrorString", &nvrtc.error_text}};
enum { SYMBOLS = sizeof symbols / sizeof symbols[0] };

static enum { NOT_TRIED, OPENED, NOT_FOUND, TOO_OLD } library_state; /* set once */
static const char *missing_symbol;

static void *open_in(const char *folder) {
  char path[4096];
  int length = snprintf(path, sizeof path, "%s/lib64/libnvrtc.so", folder);
  return length >= 0 && (size_t)length < sizeof path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
}

static void *find_library(void) {
  static const char *const names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};
  static const char *const toolkits[] = {"CUDA_HOME", "CUDA_PATH"};
  const char *chosen = ts_environment_or("TENSORSTORAGE_NVRTC", NULL);
  if (chosen) return dlopen(chosen, RTLD_NOW | RTLD_LOCAL);
  void *library = NULL;
  for (size_t i = 0; i < sizeof names / sizeof names[0] && !library; i++) library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  for (size_t i = 0; i < sizeof toolkits / sizeof toolkits[0] && !library; i++) {
    const char *folder = ts_environment_or(toolkits[i], NULL);
    if (folder) library = open_in(folder);
  }
  return library ? library : open_in("/usr/local/cuda");
}

/* Open the library, for as long as the process lives: it is large, and does not unload well. */
static void open_library(void) {
  void *library = find_library();
  library_state = library ? OPENED : NOT_FOUND;
  for (size_t i = 0; i < SYMBOLS && library_state == OPENED; i++) {
    void *symbol = dlsym(library, symbols[i].name);
    if (symbol) {
      memcpy(symbols[i].function, &symbol, sizeof symbol); /* C has no cast for it, POSIX promises that it works */
    } else {
      missing_symbol = symbols[i].name;
      library_state = TOO_OLD;
    }
  }
}

static ts_status need_library(ts_error *error) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_library);
  if (library_state == OPENED) return TS_OK;
  if (library_state == TOO_OLD)
    return ts_fail(error, TS_ERROR_UNSUPPORTED, 0, "dlsym", "NVRTC is too old: it has no %s; install that of CUDA 12 or later",
                   missing_symbol);
  const char *chosen = ts_environment_or("TENSORSTORAGE_NVRTC", NULL);
  if (chosen)
    return ts_fail(error, TS_ERROR_UNSUPPORTED, 0, "dlopen",
                   "NVRTC can't be opened as %s, which TENSORSTORAGE_NVRTC names; set it to a libnvrtc.so", chosen);
  return ts_fail(
      error, TS_ERROR_UNSUPPORTED, 0, "dlopen",
      "NVRTC, which compiles for NVIDIA's GPUs, is not installed: install the CUDA toolkit, set CUDA_PATH to the folder "
      "that it is in, or TENSORSTORAGE_NVRTC to a libnvrtc.so");
}

const char *ts_nvrtc_file(void) {
  Dl_info where = {0};
  void *function;
  memcpy(&function, &nvrtc.version, sizeof function);
  return dladdr(function, &where) && where.dli_fname ? where.dli_fname : "";
}

ts_status ts_nvrtc_name(char *name, size_t bytes, ts_error *error) {
  if (need_library(error) != TS_OK) return error->status;
  int major = 0, minor = 0;
  nvrtc.version(&major, &minor);
  snprintf(name, bytes, "NVRTC %d.%d", major, minor);
  return TS_OK;
}

/* ---- compiling ------------------------------------------------------------------------------------------------------ */

static ts_status fail_memory(ts_error *error) {
  return ts_fail(error, TS_ERROR_MEMORY, 0, "nvrtcCompileProgram", "no memory is left to compile with NVRTC");
}

/* sm_90a is sm_90 with more: the number counts. */
static ts_status check_architecture(const char *architecture, ts_error *error) {
  enum { MAX = 256 };
  int count = 0, numbers[MAX];
  long wanted = strtol(strchr(architecture, '_') + 1, NULL, 10);
  if (nvrtc.architecture_count(&count) || count > MAX || nvrtc.architectures(numbers)) return TS_OK; /* NVRTC says it then */
  ts_text known = {0};
  ts_text_append(&known, "", 0);
  int nearest = 0;
  for (int i = 0; i < count; i++) {
    if (numbers[i] == wanted) {
      free(known.chars);
      return TS_OK;
    }
    if (i == 0 || labs(numbers[i] - wanted) < labs(numbers[nearest] - wanted)) nearest = i;
    ts_text_print(&known, " %d", numbers[i]);
  }
  char name[64] = "NVRTC";
  ts_nvrtc_name(name, sizeof name, error);
  ts_fail(error, TS_ERROR_USAGE, 0, "nvrtcGetSupportedArchs",
          "%s does not compile for %s; the nearest is %.*s%d; it knows the numbers%s", name, architecture,
          (int)(strchr(architecture, '_') + 1 - architecture), architecture, count > 0 ? numbers[nearest] : 0,
          known.chars ? known.chars : "");
  free(known.chars);
  return error->status;
}

/* What one of NVRTC's pairs of functions gives, with a 0 behind it. NULL: it gives nothing, or memory ran out. */
static char *get(nvrtc_program *program, int (*get_bytes)(nvrtc_program *, size_t *), int (*get_data)(nvrtc_program *, char *),
                 size_t *bytes) {
  if (get_bytes(program, bytes)) return NULL;
  char *data = calloc(*bytes + 1, 1);
  if (!data || !get_data(program, data)) return data;
  free(data);
  return NULL;
}

/* Put sentences in place of the lines in which ptxas says that memory does not suffice. False: memory ran out. */
static bool explain_memory(char **log, const char *architecture) {
  ts_text text = {0};
  ts_text_append(&text, "", 0);
  for (const char *line = *log; *line;) {
    size_t length = strcspn(line, "\n") + 1;
    char kernel[256];
    unsigned long long taken, there;
    if (sscanf(line, "ptxas error : Entry function '%255[^']' uses too much shared data (%llx bytes, %llx max)", kernel, &taken,
               &there) == 3)
      ts_text_print(&text,
                    "error: %s takes %llu bytes of shared memory, and %s has %llu for what a kernel declares: make its arrays "
                    "smaller, or take one as an argument (TS_SHARED_ARG), which may be larger\n",
                    kernel, taken, architecture, there);
    else if (sscanf(line, "ptxas error : File uses too much global constant data (%llx bytes, %llx max)", &taken, &there) == 2)
      ts_text_print(&text,
                    "error: the file's constant memory takes %llu bytes, and %s has %llu: make its tables smaller, or take one "
                    "as an argument in global memory (TS_GLOBAL_CONST_ARG)\n",
                    taken, architecture, there);
    else
      ts_text_append(&text, line, strnlen(line, length));
    line += strnlen(line, length);
  }
  free(*log);
  *log = text.chars;
  return !text.failed;
}

static ts_status compile(nvrtc_program *program, ts_nvrtc_output *output, const char *architecture,
                         const char *const *own_options, const ts_words *options, ts_error *error) {
  enum { NVRTC_ERROR_COMPILATION = 6 };
  ts_words words = {0};
  ts_text target = {0};
  ts_text_print(&target, "--gpu-architecture=%s", architecture);
  bool complete = !target.failed && ts_words_append(&words, target.chars) && ts_words_append_list(&words, NULL, own_options) &&
                  ts_words_append_list(&words, NULL, (const char *const *)options->items);
  int code = complete ? nvrtc.compile(program, (int)words.count, (const char *const *)words.items) : 0;
  ts_words_free(&words);
  free(target.chars);
  size_t bytes = 0;
  output->log = get(program, nvrtc.log_bytes, nvrtc.log, &bytes);
  if (!complete || !output->log || (code && !explain_memory(&output->log, architecture))) return fail_memory(error);
  if (code == NVRTC_ERROR_COMPILATION || (code && *output->log))
    return ts_fail(error, TS_ERROR_BUILD, code, "nvrtcCompileProgram", "%s", output->log);
  if (code)
    return ts_fail(error, TS_ERROR_DRIVER, code, "nvrtcCompileProgram", "NVRTC failed: %s; is the toolkit complete?",
                   nvrtc.error_text(code));
  output->ptx = get(program, nvrtc.ptx_bytes, nvrtc.ptx, &bytes);
  if (!output->ptx) return fail_memory(error);
  if (!strncmp(architecture, "sm_", 3)) output->cubin = get(program, nvrtc.cubin_bytes, nvrtc.cubin, &output->cubin_bytes);
  if (!strncmp(architecture, "sm_", 3) && !output->cubin) return fail_memory(error);
  return TS_OK;
}

static ts_status build(ts_nvrtc_output *output, const char *architecture, const char *text, const char *name,
                       const char *const *own_options, const ts_words *options, ts_error *error) {
  nvrtc_program *program = NULL;
  int code = nvrtc.create(&program, text, name, 0, NULL, NULL);
  if (code)
    return ts_fail(error, TS_ERROR_DRIVER, code, "nvrtcCreateProgram", "NVRTC did not take the source: %s",
                   nvrtc.error_text(code));
  compile(program, output, architecture, own_options, options, error);
  nvrtc.destroy(&program);
  if (error->status != TS_OK) ts_nvrtc_output_free(output);
  return error->status;
}

/* Few kernels need what a minimal build lacks (textures, the runtime's types and functions, launches from kernels), and it
 * takes less time. What it does not build is built as usual, and judged by that: also by an NVRTC that does not know the
 * option. A log that tells resources is without the errors of ptxas, for which there is a third build. */
ts_status ts_nvrtc_compile(ts_nvrtc_output *output, const char *architecture, const char *text, const char *name,
                           const ts_words *options, ts_error *error) {
  *output = (ts_nvrtc_output){0};
  if (need_library(error) != TS_OK || check_architecture(architecture, error) != TS_OK) return error->status;
  bool is_machine_code = !strncmp(architecture, "sm_", 3);
  /* The maker's name in the cache's key stands for these (compile.c): a change here takes another name there. */
  const char *const first[] = {"--minimal", is_machine_code ? "--ptxas-options=-v" : NULL, NULL};
  const char *const *const second = first + 1, *const *const third = first + 2;
  ts_error of_first = {.status = TS_OK}, of_second = {.status = TS_OK};
  if (build(output, architecture, text, name, first, options, &of_first) == TS_OK) return TS_OK;
  if (build(output, architecture, text, name, second, options, &of_second) == TS_OK) return TS_OK;
  if (is_machine_code && of_second.status == TS_ERROR_BUILD && !strstr(of_second.message, "error"))
    return build(output, architecture, text, name, third, options, error);
  *error = of_second;
  return error->status;
}

void ts_nvrtc_output_free(ts_nvrtc_output *output) {
  free(output->ptx);
  free(output->cubin);
  free(output->log);
  *output = (ts_nvrtc_output){0};
}
