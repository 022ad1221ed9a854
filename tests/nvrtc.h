/* SPDX-License-Identifier: Apache-2.0
 *
 * nvrtc.h: NVRTC for tests, opened at run time, so that they build without CUDA.
 */
#ifndef TS_TESTS_NVRTC_H
#define TS_TESTS_NVRTC_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct nvrtc_program nvrtc_program;

static struct {
  int (*create)(nvrtc_program **, const char *source, const char *name, int headers, const char *const *, const char *const *);
  int (*compile)(nvrtc_program *, int count, const char *const *options);
  int (*log_size)(nvrtc_program *, size_t *);
  int (*log)(nvrtc_program *, char *);
  int (*ptx_size)(nvrtc_program *, size_t *);
  int (*ptx)(nvrtc_program *, char *);
  int (*destroy)(nvrtc_program **);
  int (*version)(int *major, int *minor);
} nvrtc;

/* Open NVRTC where the system finds it, or where CUDA is installed by default. False: it is not there. */
static inline bool nvrtc_open(void) {
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
                 {"nvrtcDestroyProgram", &nvrtc.destroy},     {"nvrtcVersion", &nvrtc.version}};
  for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
    void *symbol = dlsym(library, symbols[i].name);
    if (!symbol) return false;
    memcpy(symbols[i].function, &symbol, sizeof symbol);
  }
  return true;
}

/* What NVRTC made of a program. Both are freed by the caller. */
typedef struct nvrtc_result {
  char *ptx; /* NULL: it did not compile */
  char *log; /* empty: there was nothing to say */
} nvrtc_result;

/* Compile `source`, whose name is `name` in messages, with a header of that name from memory unless it is NULL. False: NVRTC
 * itself failed, or memory ran out. */
static inline bool nvrtc_build(nvrtc_result *result, const char *source, const char *name, const char *header_name,
                               const char *header, int option_count, const char *const *options) {
  nvrtc_program *program;
  *result = (nvrtc_result){0};
  if (nvrtc.create(&program, source, name, header ? 1 : 0, &header, &header_name)) return false;
  bool is_compiled = nvrtc.compile(program, option_count, options) == 0;
  size_t log_bytes = 0, ptx_bytes = 0;
  bool is_right = nvrtc.log_size(program, &log_bytes) == 0 && (result->log = malloc(log_bytes + 1)) != NULL &&
                  nvrtc.log(program, result->log) == 0;
  if (is_right && is_compiled)
    is_right = nvrtc.ptx_size(program, &ptx_bytes) == 0 && (result->ptx = malloc(ptx_bytes + 1)) != NULL &&
               nvrtc.ptx(program, result->ptx) == 0;
  nvrtc.destroy(&program);
  if (is_right) return true;
  free(result->ptx);
  free(result->log);
  *result = (nvrtc_result){0};
  return false;
}

#endif
