/* SPDX-License-Identifier: Apache-2.0
 *
 * output_file.h: a file that appears whole or not at all.
 *
 * It is written under a temporary name in the same folder. Until output_file_commit an existing file stays as it was.
 */
#ifndef TS_TOOL_OUTPUT_FILE_H
#define TS_TOOL_OUTPUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

typedef struct output_file {
  char *path;      /* what it is to become, links followed */
  char *temporary; /* what it is until then */
  FILE *stream;    /* to write to */
} output_file;

/* Find out whether `path` can be written, and create the temporary. Returns false, having said why on stderr, if not. */
bool output_file_open(output_file *file, const char *path);

/* Whether two open files are to get the same name in the same folder. */
bool output_file_is_same(const output_file *a, const output_file *b);

/* Whether two paths are the same file, which is there: by any name or link. */
bool output_file_is_there_as(const char *path, const char *other);

/* Give the file its name. Returns false, having said why on stderr, if it could not be written; nothing is left then. */
bool output_file_commit(output_file *file);

/* Remove the temporary. */
void output_file_abandon(output_file *file);

#endif
