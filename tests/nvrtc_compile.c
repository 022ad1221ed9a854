/* SPDX-License-Identifier: Apache-2.0
 *
 * nvrtc_compile.c: NVRTC as a command, for the shell tests.
 *
 *   nvrtc_compile --check                   is NVRTC here?
 *   nvrtc_compile FILE OUT.ptx OPTION...    the options are NVRTC's own
 *
 * The log goes to stderr. Exit codes: 0 done, 1 it does not compile, 2 usage, 3 there is no NVRTC, 6 a file or memory problem.
 */
#include <stdio.h>

#include "nvrtc.h"

/* The text of a file, or NULL. The caller frees it. */
static char *read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  long bytes = fseek(file, 0, SEEK_END) ? -1 : ftell(file);
  char *text = bytes < 0 ? NULL : calloc((size_t)bytes + 1, 1);
  rewind(file);
  if (text && fread(text, 1, (size_t)bytes, file) != (size_t)bytes) {
    free(text);
    text = NULL;
  }
  fclose(file);
  return text;
}

static bool write_file(const char *path, const char *text) {
  FILE *file = fopen(path, "wb");
  if (!file) return false;
  bool is_written = fputs(text, file) >= 0;
  return fclose(file) == 0 && is_written;
}

int main(int argc, char **argv) {
  if (argc < 3 && !(argc == 2 && !strcmp(argv[1], "--check"))) {
    fputs("usage: nvrtc_compile --check | FILE OUT.ptx OPTION...\n", stderr);
    return 2;
  }
  if (!nvrtc_open()) {
    fputs("nvrtc_compile: NVRTC is not installed\n", stderr);
    return 3;
  }
  if (argc == 2) return 0;
  char *source = read_file(argv[1]);
  nvrtc_result result = {0};
  int code = 6;
  if (!source)
    fprintf(stderr, "nvrtc_compile: cannot read %s\n", argv[1]);
  else if (!nvrtc_build(&result, source, argv[1], NULL, NULL, argc - 3, (const char *const *)argv + 3))
    fprintf(stderr, "nvrtc_compile: NVRTC failed on %s\n", argv[1]);
  else {
    fputs(result.log, stderr);
    code = result.ptx ? 0 : 1;
    if (result.ptx && !write_file(argv[2], result.ptx)) {
      fprintf(stderr, "nvrtc_compile: cannot write %s\n", argv[2]);
      code = 6;
    }
  }
  free(result.ptx);
  free(result.log);
  free(source);
  return code;
}
