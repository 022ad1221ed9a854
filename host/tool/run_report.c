/* SPDX-License-Identifier: Apache-2.0
 *
 * run_report.c: tell what came out of `tensorstorage run`: to a person, or as JSON.
 *
 * Bytes are counted by what the signature allows: memory that the kernel can't store to is read once; other memory is written
 * once, and read once if it had a file's elements before.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "host/tool/json.h"
#include "host/tool/run.h"
#include "host/tool/value.h"

enum { SIGNATURE_BYTES = 2048 };

static uint64_t count_bytes(const run_outcome *o) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < o->memory_count; i++) {
    const run_memory *m = &o->memories[i];
    bool is_read = m->is_const || m->argument->kind == ARGUMENT_INPUT;
    bytes += (is_read ? m->bytes : 0) + (m->is_const ? 0 : m->bytes);
  }
  return bytes;
}

/* ---- as text -------------------------------------------------------------------------------------------------- */

/* "64 x 16" */
static void print_sizes(FILE *report, const size_t sizes[3]) {
  for (int d = 0; d < 3 && sizes[d]; d++) fprintf(report, "%s%zu", d > 0 ? " x " : "", sizes[d]);
}

/* "f32 (64, 16)", as NumPy has it. */
static void print_type(FILE *report, const npy_header *h) {
  fprintf(report, "%s (", ts_dtype_name(h->dtype));
  for (int d = 0; d < h->rank; d++) fprintf(report, "%s%" PRIu64, d > 0 ? ", " : "", h->shape[d]);
  fputs(h->rank == 1 ? ",)" : ")", report);
}

/* A line for each row of the last dimension. */
static void print_elements(FILE *report, const run_memory *m) {
  const npy_header *h = &m->argument->header;
  uint64_t row = h->rank > 0 ? h->shape[h->rank - 1] : 1;
  for (size_t i = 0; i < h->elements; i++) {
    char text[VALUE_TEXT_BYTES];
    value_print(text, h->dtype, m->elements + i * ts_dtype_bytes(h->dtype));
    fprintf(report, "%s%c", text, (i + 1) % row ? ' ' : '\n');
  }
}

static void print_times(const run_request *r, const run_outcome *o, FILE *report) {
  if (r->repeats == 0) {
    fprintf(report, "time    %.4g ms\n", 1e3 * o->first);
    return;
  }
  uint64_t bytes = count_bytes(o);
  fprintf(report, "time    %.4g ms least, %.4g ms median of %" PRIu32 " launches after a first of %.4g ms\n", 1e3 * o->least,
          1e3 * o->median, r->repeats, 1e3 * o->first);
  if (o->median > 0)
    fprintf(report, "rate    %.4g GB/s at the median: %" PRIu64 " bytes, each read or written once\n",
            1e-9 * (double)bytes / o->median, bytes);
}

static void print_report(const run_request *r, const run_outcome *o, FILE *report) {
  char signature[SIGNATURE_BYTES];
  ts_signature_text(signature, sizeof signature, o->signature);
  fprintf(report, "device  %s  %s\n", o->device->id, o->device->name);
  fprintf(report, "kernel  %s%s\n", signature, o->signature->is_checked ? "" : ", arguments unchecked");
  fputs("items   ", report);
  print_sizes(report, r->grid.items);
  if (r->grid.group[0]) fputs(" in groups of ", report);
  print_sizes(report, r->grid.group);
  fputs("\n", report);
  print_times(r, o, report);
  for (size_t i = 0; i < o->memory_count; i++) {
    const run_argument *a = o->memories[i].argument;
    if (a->output) {
      fprintf(report, "wrote   %s  ", a->output);
      print_type(report, &a->header);
      fputs("\n", report);
    } else if (a->is_printed) {
      fprintf(report, "%s  ", a->name);
      print_type(report, &a->header);
      fputs("\n", report);
      print_elements(report, &o->memories[i]);
    }
  }
}

/* ---- as JSON -------------------------------------------------------------------------------------------------- */

static bool add_u64s(cJSON *object, const char *name, const uint64_t *numbers, int count) {
  cJSON *array = cJSON_AddArrayToObject(object, name);
  bool added = array;
  for (int i = 0; i < count; i++) {
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRIu64, numbers[i]);
    added = added && cJSON_AddItemToArray(array, cJSON_CreateRaw(digits));
  }
  return added;
}

static bool add_sizes(cJSON *object, const char *name, const size_t sizes[3]) {
  uint64_t numbers[3];
  int count = 0;
  for (; count < 3 && sizes[count]; count++) numbers[count] = sizes[count];
  return add_u64s(object, name, numbers, count);
}

/* Elements in row-major order. JSON has no infinity and no NaN: they are text. */
static bool add_elements(cJSON *object, const run_memory *m) {
  const npy_header *h = &m->argument->header;
  cJSON *array = cJSON_AddArrayToObject(object, "elements");
  bool added = array;
  for (size_t i = 0; i < h->elements && added; i++) {
    char text[VALUE_TEXT_BYTES];
    value_print(text, h->dtype, m->elements + i * ts_dtype_bytes(h->dtype));
    bool is_number = !strpbrk(text, "in");
    added = cJSON_AddItemToArray(array, is_number ? cJSON_CreateRaw(text) : cJSON_CreateString(text));
  }
  return added;
}

static cJSON *json_memory(const run_memory *m) {
  const run_argument *a = m->argument;
  cJSON *object = cJSON_CreateObject();
  bool added =
      object && json_add_text(object, "name", a->name) && json_add_text(object, "dtype", ts_dtype_name(a->header.dtype));
  added = added && add_u64s(object, "shape", a->header.shape, a->header.rank);
  if (a->input) added = added && json_add_text(object, "input", a->input);
  if (a->output) added = added && json_add_text(object, "output", a->output);
  if (a->is_printed) added = added && add_elements(object, m);
  if (added) return object;
  cJSON_Delete(object);
  return NULL;
}

static bool add_times(cJSON *object, const run_request *r, const run_outcome *o) {
  bool added = cJSON_AddNumberToObject(object, "seconds", o->first);
  if (r->repeats == 0) return added;
  uint64_t bytes = count_bytes(o);
  added = added && json_add_u64(object, "repeats", r->repeats);
  added = added && cJSON_AddNumberToObject(object, "least_seconds", o->least);
  added = added && cJSON_AddNumberToObject(object, "median_seconds", o->median);
  added = added && json_add_u64(object, "bytes", bytes);
  if (o->median > 0) added = added && cJSON_AddNumberToObject(object, "bytes_per_second", round((double)bytes / o->median));
  return added;
}

static bool add_all(cJSON *object, const run_request *r, const run_outcome *o) {
  bool added = object && cJSON_AddNumberToObject(object, "schema", JSON_SCHEMA);
  added = added && json_add(object, "device", json_device(o->device));
  added = added && json_add_text(object, "kernel", o->signature->kernel);
  added = added && cJSON_AddBoolToObject(object, "is_checked", o->signature->is_checked);
  added = added && add_sizes(object, "items", r->grid.items) && add_sizes(object, "group", r->grid.group);
  added = added && add_times(object, r, o);
  cJSON *arguments = added ? cJSON_AddArrayToObject(object, "arguments") : NULL;
  for (size_t i = 0; i < o->memory_count && arguments; i++)
    added = added && cJSON_AddItemToArray(arguments, json_memory(&o->memories[i]));
  return added && arguments;
}

bool run_report(const run_request *request, const run_outcome *outcome, FILE *report) {
  if (!request->as_json) {
    print_report(request, outcome, report);
    return true;
  }
  cJSON *object = cJSON_CreateObject();
  bool added = add_all(object, request, outcome);
  if (!added) cJSON_Delete(object);
  bool is_written = json_write(report, added ? object : NULL);
  fputs("\n", report);
  return is_written;
}
