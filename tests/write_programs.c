/* SPDX-License-Identifier: Apache-2.0
 *
 * write_programs.c: write the programs of the conformance suite into a folder, as kernel files of their own (dtype.f16.c, …),
 * for compilers whose code does not run here; and the file `ids`, with a line "PROGRAM ID" for each case.
 *
 *   write_programs FOLDER
 */
#include <stdio.h>
#include <stdlib.h>

#include "tests/conformance/suite.h"

/* Write a group's program, and say its name. Returns whether it is whole. */
static bool write_program(const char *folder, unsigned group, char name[TS_CASE_ID_BYTES]) {
  char path[4096];
  char *text = ts_case_group_source(group, name);
  if (!text) return false;
  snprintf(path, sizeof path, "%s/%s.c", folder, name);
  FILE *file = fopen(path, "w");
  bool is_written = file && fputs(text, file) >= 0;
  if (file && fclose(file)) is_written = false;
  if (!is_written) perror(path);
  free(text);
  return is_written;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fputs("usage: write_programs FOLDER\n", stderr);
    return 2;
  }
  ts_case *cases;
  size_t count;
  if (ts_cases_create(&cases, &count, NULL)) return 6;
  char name[TS_CASE_ID_BYTES], path[4096];
  snprintf(path, sizeof path, "%s/ids", argv[1]);
  FILE *ids = fopen(path, "w");
  if (!ids) perror(path);
  bool is_good = ids && count > 0;
  for (size_t k = 0; is_good && k < count; k++) {
    if (k == 0 || cases[k].group != cases[k - 1].group) is_good = write_program(argv[1], cases[k].group, name);
    fprintf(ids, "%s %s\n", name, cases[k].id);
  }
  if (ids && (ferror(ids) | fclose(ids))) is_good = false;
  ts_cases_free(cases);
  return is_good ? 0 : 6;
}
