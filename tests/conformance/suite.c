/* SPDX-License-Identifier: Apache-2.0
 *
 * suite.c: the list of all cases, the programs behind them, and how one runs. The cases are their families'.
 */
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __SSE2__
#include <xmmintrin.h>
#endif

#include "cases.h"

/* ---- the list --------------------------------------------------------------------------------------------------- */

static const case_file *const files[] = {&dtype_file,        &group_file,      &storage_file,     &compute_file,
                                         &convert_file,      &copy_file,       &copy_random_file, &layout_file,
                                         &copy_dynamic_file, &copy_async_file, &copy_tile_file};
enum { FILE_COUNT = sizeof files / sizeof *files };

/* Cases that share a program have one number; it says which file and which dtype. */
static unsigned group_of(const row *row) {
  unsigned file = 0;
  while (files[file] != row->file) ++file;
  return file * TS_DTYPE_COUNT + (unsigned)row->dtype;
}

static ts_status fail_memory(ts_error *error, const char *call) {
  if (error) {
    *error = (ts_error){.status = TS_ERROR_MEMORY};
    snprintf(error->call, sizeof error->call, "%s", call);
    snprintf(error->message, sizeof error->message, "out of memory for the list of cases");
  }
  return TS_ERROR_MEMORY;
}

static ts_status make_rows(rows *rows, ts_error *error) {
  *rows = (struct rows){0};
  add_dtype_cases(rows);
  add_group_cases(rows);
  add_storage_cases(rows);
  add_compute_cases(rows);
  add_convert_cases(rows);
  add_copy_cases(rows);
  add_layout_cases(rows);
  add_copy_dynamic_cases(rows);
  add_copy_async_cases(rows);
  add_copy_tile_cases(rows);
  if (!rows->out_of_memory) return TS_OK;
  free(rows->at);
  *rows = (struct rows){0};
  return fail_memory(error, "ts_cases_create");
}

ts_status ts_cases_create(ts_case **cases, size_t *count, ts_error *error) {
  rows rows;
  ts_status status = make_rows(&rows, error);
  if (status) return status;
  *count = rows.count;
  *cases = calloc(rows.count, sizeof **cases);
  for (size_t k = 0; *cases && k < rows.count; ++k) {
    (*cases)[k].number = k;
    (*cases)[k].group = group_of(&rows.at[k]);
    memcpy((*cases)[k].id, rows.at[k].id, TS_CASE_ID_BYTES);
  }
  free(rows.at);
  return *cases ? TS_OK : fail_memory(error, "ts_cases_create");
}

void ts_cases_free(ts_case *cases) { free(cases); }

/* ---- programs --------------------------------------------------------------------------------------------------- */

static bool defines_to_0(const ts_build_options *options, const char *name) {
  size_t length = strlen(name);
  for (const char *const *d = options->defines; d && *d; ++d)
    if (!strncmp(*d, name, length) && !strcmp(*d + length, "=0")) return true;
  return false;
}

/* Fast arithmetic also means that this thread and those that it starts, which the host's work-items run on, take and give 0
 * for subnormal numbers, as in a program that was linked with -ffast-math. */
static void flush_subnormals(void) {
#ifdef __SSE2__
  _mm_setcsr(_mm_getcsr() | 0x8040u); /* FTZ and DAZ */
#endif
}

ts_status ts_suite_open(ts_suite **suite, const char *device, const ts_build_options *options, ts_error *error) {
  ts_suite *s = calloc(1, sizeof *s);
  if (!s) return fail_memory(error, "ts_suite_open");
  ts_status status = make_rows(&s->rows, error);
  if (!status) status = ts_device_open(&s->device, device, error);
  if (!status) status = ts_queue_create(&s->queue, s->device, error);
  if (status) {
    ts_suite_close(s);
    return status;
  }
  if (options) s->options = *options;
  if (s->options.fast_math) flush_subnormals();
  s->has_generic = ts_device_get_info(s->device)->has_generic && !defines_to_0(&s->options, "TS_HAVE_GENERIC") &&
                   !(s->options.standard && !strcmp(s->options.standard, "CL1.2"));
  s->has_f64 = ts_device_get_info(s->device)->has_f64 && !defines_to_0(&s->options, "TS_HAVE_F64");
  s->program_group = UINT32_MAX;
  *suite = s;
  return TS_OK;
}

void ts_suite_close(ts_suite *suite) {
  if (!suite) return;
  convert_inputs_free(suite->convert_inputs);
  ts_program_destroy(suite->program);
  ts_queue_destroy(suite->queue);
  ts_device_close(suite->device);
  free(suite->rows.at);
  free(suite);
}

const ts_device_info *ts_suite_device(const ts_suite *suite) { return ts_device_get_info(suite->device); }

/* The text of a group's file, with its front and the lists of the group's cases before it; NULL if memory ran out. */
static char *source_of(const rows *rows, unsigned group) {
  const case_file *file = files[group / TS_DTYPE_COUNT];
  char *text = NULL;
  size_t bytes = 0;
  FILE *f = open_memstream(&text, &bytes);
  if (!f) return NULL;
  if (file->write_front) file->write_front(f);
  for (int l = 0; file->lists && file->lists[l].macro; ++l) {
    fprintf(f, "#define %s", file->lists[l].macro);
    for (size_t k = 0; k < rows->count; ++k)
      if (group_of(&rows->at[k]) == group && rows->at[k].list == l) fprintf(f, " %s", rows->at[k].code);
    fputc('\n', f);
  }
  fputs(file->text, f);
  if (!fclose(f)) return text;
  free(text);
  return NULL;
}

char *ts_case_group_source(unsigned group, char name[TS_CASE_ID_BYTES]) {
  const case_file *file = files[group / TS_DTYPE_COUNT];
  const char *dtype = file->dtype_macro ? ts_dtype_name((ts_dtype)(group % TS_DTYPE_COUNT)) : NULL;
  int stem = (int)strcspn(file->name, ".");
  snprintf(name, TS_CASE_ID_BYTES, "%.*s%s%s", stem, file->name, dtype ? "." : "", dtype ? dtype : "");
  rows rows;
  if (make_rows(&rows, NULL)) return NULL;
  char *body = source_of(&rows, group);
  free(rows.at);
  if (!body || !dtype) return body;
  size_t bytes = strlen(body) + strlen(file->dtype_macro) + strlen(dtype) + sizeof "#define  \n";
  char *text = malloc(bytes);
  if (text) snprintf(text, bytes, "#define %s %s\n%s", file->dtype_macro, dtype, body);
  free(body);
  return text;
}

/* Build the program of a group of cases, unless it is the last one built. */
static void build(run *r, unsigned group) {
  ts_suite *suite = r->suite;
  if (suite->program_group == group) {
    if (!suite->program) verdict(r, TS_CASE_ERROR, "%s", suite->build_failure);
    return;
  }
  ts_program_destroy(suite->program);
  suite->program = NULL;
  suite->program_group = group;
  const case_file *file = files[group / TS_DTYPE_COUNT];
  ts_build_options options = suite->options;
  size_t count = 0;
  while (options.defines && options.defines[count]) ++count;
  const char **defines = calloc(count + 2, sizeof *defines);
  char define[32] = "";
  char *source = source_of(&suite->rows, group);
  if (!defines || !source) {
    verdict(r, TS_CASE_ERROR, "out of memory for the kernels' text");
  } else {
    if (count) memcpy(defines, options.defines, count * sizeof *defines);
    if (file->dtype_macro) {
      snprintf(define, sizeof define, "%s=%s", file->dtype_macro, ts_dtype_name((ts_dtype)(group % TS_DTYPE_COUNT)));
      defines[count] = define;
    }
    options.defines = defines;
    options.name = file->name;
    good(r, ts_program_build(&suite->program, suite->device, source, &options, &r->error));
  }
  memcpy(suite->build_failure, r->result->reason, sizeof suite->build_failure);
  free(source);
  free(defines);
}

void ts_case_run(ts_suite *suite, const ts_case *c, uint64_t seed, ts_case_result *result) {
  const row *row = &suite->rows.at[c->number];
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  *result = (ts_case_result){.verdict = TS_CASE_PASSED};
  suite->seed = seed;
  run r = {.suite = suite, .result = result, .random = random_state(seed, c->number * 0x632be59bd9b4e019u + 1)};
  if (row->needs_generic && !suite->has_generic) {
    verdict(&r, TS_CASE_SKIPPED, "the device has no generic pointers");
  } else if (row->needs_f64 && !suite->has_f64) {
    verdict(&r, TS_CASE_SKIPPED, "the device does not compute in f64");
  } else {
    char kernel[128];
    const case_list *list = row->file->lists ? &row->file->lists[row->list] : NULL;
    if (list && list->is_kernel_each)
      snprintf(kernel, sizeof kernel, "%s%d", list->kernel, row->number);
    else
      snprintf(kernel, sizeof kernel, "%s", list ? list->kernel : row->code);
    build(&r, c->group);
    if (result->verdict == TS_CASE_PASSED && *kernel) good(&r, ts_kernel_get(&r.kernel, suite->program, kernel, &r.error));
    if (result->verdict == TS_CASE_PASSED) row->check(&r, row);
    ts_kernel_destroy(r.kernel);
  }
  clock_gettime(CLOCK_MONOTONIC, &end);
  result->seconds = (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
}
