/* SPDX-License-Identifier: Apache-2.0
 *
 * cases.h: what the families of conformance cases share: rows, and how the case of a row runs.
 *
 * A family is a file of kernels and the file <name>_cases.c of the cases that run them; suite.c lists the families. A row
 * is written once: it names the case, writes its line of the kernel's switch, and says what the reference has to compute.
 * References work on bytes in the most obvious way. Every buffer is compared whole, guard bytes included.
 */
#ifndef TS_CONFORMANCE_CASES_H
#define TS_CONFORMANCE_CASES_H

#include <stdio.h>

#include "suite.h"

/* Work-items of a group, and bytes in front of a payload. The same numbers as in the kernels. */
enum { ITEMS = 16, GUARD = 256 };

/* ---- files of kernels ------------------------------------------------------------------------------------------ */

/* A list of cases that a file of kernels expects to find defined in front of it, as one macro. */
typedef struct case_list {
  const char *macro, *kernel;
  bool is_kernel_each; /* each row has a kernel, whose name ends with the row's number; else all have one, with a switch */
} case_list;

/* A file of kernels. */
typedef struct case_file {
  const char *name, *text;
  const char *dtype_macro;      /* it is built once for each dtype, with this macro as the dtype; NULL: it is built once */
  const case_list *lists;       /* ended by {NULL, NULL}; NULL: there are none, and a row's code is the name of its kernel */
  void (*write_front)(FILE *f); /* writes what stands in front of all this; NULL: nothing */
} case_file;

extern const case_file dtype_file, group_file, storage_file, compute_file, convert_file, copy_file, copy_random_file,
    layout_file, copy_dynamic_file, copy_async_file, copy_tile_file;

/* ---- rows ------------------------------------------------------------------------------------------------------ */

typedef struct row row;
typedef struct run run;
struct row {
  void (*check)(run *r, const row *row);
  const case_file *file;
  char id[TS_CASE_ID_BYTES];
  char code[128]; /* the line of the kernel's switch */
  int list;       /* of the file */
  int number;     /* of the case in its switch */
  int dtype;      /* ts_dtype that the file is built for; 0 if it is built once */
  int to_dtype;
  int operation; /* what it is, the family knows */
  int policy;
  int width;
  int align_bytes; /* promised; 0: nothing, so the dtype's own */
  bool is_store;
  bool by_group, fills; /* of a copy of a tile, of which this is inside: */
  int left[4];
  bool needs_generic;
  bool needs_f64;           /* to compute in it */
  size_t size[3], group[3]; /* of the launch, or what the case makes of it */
};

typedef struct rows {
  row *at;
  size_t count, capacity;
  bool out_of_memory;
} rows;

/* Append a row. If memory runs out, rows->out_of_memory is set and nothing is added. */
void add_row(rows *rows, row base);

/* The families. Rows of one file and dtype follow each other. */
void add_dtype_cases(rows *rows);
void add_group_cases(rows *rows);
void add_storage_cases(rows *rows);
void add_compute_cases(rows *rows);
void add_convert_cases(rows *rows);
void add_copy_cases(rows *rows);
void add_layout_cases(rows *rows);
void add_copy_dynamic_cases(rows *rows);
void add_copy_async_cases(rows *rows);
void add_copy_tile_cases(rows *rows);

/* ---- running one case ------------------------------------------------------------------------------------------ */

struct ts_suite {
  ts_device *device;
  ts_queue *queue;
  ts_build_options options;
  bool has_generic, has_f64;
  ts_program *program; /* of the last group that ran; NULL if it did not build, for this reason: */
  char build_failure[TS_CASE_REASON_BYTES];
  unsigned program_group;
  uint64_t seed;                         /* of the case that runs */
  struct convert_inputs *convert_inputs; /* of the last conversions that ran; NULL before the first */
  rows rows;
};

struct run {
  ts_suite *suite;
  ts_case_result *result;
  ts_error error;
  ts_kernel *kernel; /* NULL if the case needs none */
  uint64_t random;   /* state of the generator of bytes */
};

/* End a case with this verdict, unless it has another one already: the first counts. */
void verdict(run *r, ts_verdict verdict, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Whether a call of the library went well; its error becomes the verdict otherwise. */
bool good(run *r, ts_status status);

/* The next number of a generator that never repeats in a run (splitmix64). */
uint64_t next_random(uint64_t *state);

/* Where that generator starts: at `start` itself for seed 0. */
uint64_t random_state(uint64_t seed, uint64_t start);

/* A buffer and what it must hold in the end. */
typedef struct tested {
  const char *name;
  ts_buffer *buffer;
  unsigned char *expected; /* NULL: memory ran out, which is the verdict */
  size_t bytes;
} tested;

/* A buffer of random bytes. It is expected to keep them, until the reference says otherwise. */
tested make(run *r, const char *name, ts_space space, size_t bytes);

/* Memory for bytes that are read back, to be freed. NULL: there is none, which is the verdict, or the case is decided already.
 */
unsigned char *room_for(run *r, size_t bytes);

/* Compare a whole buffer with what it must hold, then destroy both. */
void compare(run *r, tested *t);

/* Give the kernel an argument by its name. */
void set_buffer(run *r, const char *name, const tested *t);
void set_i32(run *r, const char *name, int value);

/* Launch, unless something went wrong before. */
void launch(run *r, ts_grid grid);
static const ts_grid one_group = {{ITEMS}, {ITEMS}};

void convert_inputs_free(struct convert_inputs *inputs);

static inline int dtype_bytes(int dtype) { return (int)ts_dtype_bytes((ts_dtype)dtype); }

#endif
