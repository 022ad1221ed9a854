/* SPDX-License-Identifier: Apache-2.0
 *
 * list_instructions.c: what a compiler's output does with memory, for the shell tests: host/instructions.h as text.
 *
 *   list_instructions ptx|sass|amdgcn|x86|spirv FILE
 *
 * For each routine, with tabs between: its name, "routine", "-", the number of its instructions. Then for each access of memory
 * but those of parameters: the routine's name, load, store, update or atomic; the address space; bytes; the instruction.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/instructions.h"

static const char *const isa_names[] = {
    [TS_ISA_PTX] = "ptx", [TS_ISA_SASS] = "sass", [TS_ISA_AMDGCN] = "amdgcn", [TS_ISA_X86] = "x86", [TS_ISA_SPIRV] = "spirv"};
enum { ISA_COUNT = sizeof isa_names / sizeof isa_names[0] };

#define SPACE_NAME(space, id) [TS_SPACE_##space] = #space,
static const char *const space_names[] = {TS_SPACES(SPACE_NAME)};

/* The whole file, ended by a 0; NULL if it could not be read. */
static char *read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  char *text = NULL;
  size_t bytes = 0, capacity = 0, got;
  do {
    if (bytes + 1 >= capacity) {
      capacity = capacity ? 2 * capacity : 1 << 20;
      char *more = realloc(text, capacity);
      if (!more) {
        free(text);
        fclose(file);
        return NULL;
      }
      text = more;
    }
    got = fread(text + bytes, 1, capacity - bytes - 1, file);
    bytes += got;
  } while (got > 0);
  text[bytes] = '\0';
  bool is_read = !ferror(file);
  fclose(file);
  if (is_read) return text;
  free(text);
  return NULL;
}

int main(int argc, char **argv) {
  int isa = 0;
  while (argc == 3 && isa < ISA_COUNT && strcmp(argv[1], isa_names[isa]) != 0) isa++;
  if (argc != 3 || isa == ISA_COUNT) {
    fputs("usage: list_instructions ptx|sass|amdgcn|x86|spirv FILE\n", stderr);
    return 2;
  }
  char *text = read_file(argv[2]);
  if (!text) {
    perror(argv[2]);
    return 6;
  }
  ts_code code = {0};
  if (ts_code_read(&code, (ts_isa)isa, text, NULL, NULL)) return 6;
  for (size_t k = 0; k < code.count; k++) {
    const ts_routine *routine = &code.routines[k];
    printf("%s\troutine\t-\t%zu\t-\n", routine->name, routine->instruction_count);
    for (size_t i = 0; i < routine->access_count; i++) {
      const ts_instruction *access = &routine->accesses[i];
      if (!(access->flags & TS_ACCESS_PARAMETER))
        printf("%s\t%s\t%s\t%zu\t%s\n", routine->name, ts_access_name(access->access), space_names[access->space],
               access->bytes, access->name);
    }
  }
  ts_code_free(&code);
  free(text);
  return 0;
}
