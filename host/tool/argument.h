/* SPDX-License-Identifier: Apache-2.0
 *
 * argument.h: one `--arg NAME=WHAT` of `tensorstorage run`: what it says. It opens no file and knows no kernel.
 *
 *   NAME=@IN.npy[:DTYPE][:OUT.npy]   a file's elements, written back to OUT.npy if that is there; printed if it is -
 *   NAME=OUT.npy:DTYPE:SHAPE         zeros, written to OUT.npy
 *   NAME=-:DTYPE:SHAPE               zeros, printed
 *   NAME=VALUE[:DTYPE]               a number, or how many elements of shared memory
 *   NAME=BYTES:shared                bytes of shared memory, where the signature is not known
 *
 * NAME is a parameter's, or its position where the signature is not known. SHAPE is 1024 or 64,16.
 */
#ifndef TS_TOOL_ARGUMENT_H
#define TS_TOOL_ARGUMENT_H

#include "host/tool/npy.h"
#include "host/tool/output_file.h"

typedef enum run_argument_kind {
  ARGUMENT_INPUT,
  ARGUMENT_OUTPUT,
  ARGUMENT_PRINT,
  ARGUMENT_VALUE,
  ARGUMENT_BYTES
} run_argument_kind;

typedef struct run_argument {
  char *text; /* what the names point into; owned */
  const char *name;
  run_argument_kind kind;
  const char *input;  /* INPUT: the file's name */
  const char *output; /* INPUT, OUTPUT: the file's name; NULL: none */
  bool is_printed;    /* INPUT, PRINT: its elements are printed afterwards */
  const char *value;  /* VALUE, BYTES */
  bool has_dtype;     /* dtype is said; always for OUTPUT and PRINT */
  ts_dtype dtype;
  npy_header header; /* OUTPUT, PRINT: dtype, rank, shape, elements. INPUT: the file's, once it is open */
  FILE *stream;      /* INPUT: once it is open */
  output_file file;  /* once it is open */
} run_argument;

/* Read WHAT. Returns OPTION_TAKEN; else, having said what is wrong, an exit code. `a` is to be freed in any case. */
int run_argument_parse(run_argument *a, const char *text);

/* Close and remove what is open, and free the text. */
void run_argument_free(run_argument *a);

/* Whether its elements are wanted after the kernel has run. */
static inline bool run_argument_comes_back(const run_argument *a) { return a->output || a->is_printed; }

/* Whether it is memory: a file, or zeros. */
static inline bool run_argument_is_memory(const run_argument *a) { return a->kind <= ARGUMENT_PRINT; }

#endif
