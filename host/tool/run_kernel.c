/* SPDX-License-Identifier: Apache-2.0
 *
 * run_kernel.c: run one kernel with the arguments of a command line: device, program, buffers, launches, outputs.
 *
 * It may crash or never return: run.c runs it in a process of its own.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "host/tool/child.h"
#include "host/tool/run.h"
#include "host/tool/value.h"

enum {
  GUARD_BYTES = 65536, /* before, and behind, what a kernel may store to; a multiple of any base_align_bytes */
  GUARD_BYTE = 0xa5,
  BLOCK_BYTES = 1 << 20 /* that zeros and outputs are moved in: a second copy of all of it may be more memory than there is */
};

/* Everything that is made on the way, to be destroyed at the end. */
typedef struct running {
  const run_request *request;
  run_progress *progress;
  ts_device *device;
  ts_queue *queue;
  ts_program *program;
  ts_kernel *kernel;
  run_outcome outcome;
  ts_error error;
} running;

/* ---- what is wrong -------------------------------------------------------------------------------------------- */

enum { SIGNATURE_BYTES = 2048 };

static int fail_library(const running *r) { return tool_library_error(&r->error); }

/* Memory ran out for `what`. */
static int fail_memory(const char *what, size_t bytes) {
  tool_complain("memory ran out: %s needs %zu bytes", what, bytes);
  return TOOL_FILE;
}

/* Say what is wrong with an argument, and show the kernel. Returns the exit code of a wrong argument. */
static int fail_argument(const running *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

static int fail_argument(const running *r, const char *format, ...) {
  char sentence[1024], signature[SIGNATURE_BYTES];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(sentence, sizeof sentence, format, arguments);
  va_end(arguments);
  ts_signature_text(signature, sizeof signature, r->outcome.signature);
  tool_complain("%s\nThe kernel is %s", sentence, signature);
  return ts_status_exit_code(TS_ERROR_ARGUMENT);
}

/* ---- device, program, kernel ---------------------------------------------------------------------------------- */

/* The kernel's name: the one that is asked for, or the only one. NULL, having said why, if there are several. */
static const char *choose_kernel(const running *r) {
  size_t count = ts_program_kernel_count(r->program);
  if (r->request->kernel) return r->request->kernel;
  if (count == 1) return ts_program_kernel_name(r->program, 0);
  if (count == 0) return ""; /* ts_kernel_get says why there is none */
  tool_complain("%s has %zu kernels; choose one with --kernel:", r->request->file, count);
  for (size_t i = 0; i < count; i++) fprintf(stderr, "  %s\n", ts_program_kernel_name(r->program, i));
  return NULL;
}

static int build(running *r) {
  const run_request *request = r->request;
  if (ts_device_open(&r->device, request->device, &r->error)) return fail_library(r);
  r->outcome.device = ts_device_get_info(r->device);
  snprintf(r->progress->device, sizeof r->progress->device, "%s", r->outcome.device->id);
  if (ts_queue_create(&r->queue, r->device, &r->error)) return fail_library(r);

  r->progress->stage = RUN_BUILDING;
  const building *b = &request->building;
  if (ts_program_build(&r->program, r->device, b->source, &b->options, &r->error)) return fail_library(r);
  const char *name = choose_kernel(r);
  if (!name) return ts_status_exit_code(TS_ERROR_NO_KERNEL);
  if (ts_kernel_get(&r->kernel, r->program, name, &r->error)) return fail_library(r);
  snprintf(r->progress->kernel, sizeof r->progress->kernel, "%s", name);
  r->outcome.signature = ts_kernel_signature(r->kernel);
  if (!r->outcome.signature->is_checked)
    tool_complain("no TS_KERNEL of %s could be read: its arguments go by position, --arg 0=…, and nothing checks them", name);
  return OPTION_TAKEN;
}

/* ---- arguments ------------------------------------------------------------------------------------------------ */

static const ts_parameter *find_parameter(const running *r, const char *name) {
  const ts_signature *signature = r->outcome.signature;
  for (size_t i = 0; i < signature->parameter_count; i++)
    if (!strcmp(name, signature->parameters[i].name)) return &signature->parameters[i];
  return NULL;
}

/* What to write for a parameter that was given the wrong kind of thing. */
static int fail_kind(const running *r, const ts_parameter *p) {
  const char *dtype = ts_dtype_name(p->dtype);
  if (p->is_scalar) return fail_argument(r, "%s is a scalar, %s: give it a number, --arg %s=2", p->name, dtype, p->name);
  if (p->space == TS_SPACE_shared)
    return fail_argument(r, "%s is shared memory: give it the number of its %s elements, --arg %s=1024", p->name, dtype,
                         p->name);
  if (p->is_const || p->space == TS_SPACE_constant)
    return fail_argument(r, "%s is %s memory that the kernel reads: give it a file, --arg %s=@in.npy", p->name,
                         ts_space_name(p->space), p->name);
  return fail_argument(r, "%s is %s memory: give it a file, --arg %s=@in.npy, or what to make, --arg %s=out.npy:%s:1024",
                       p->name, ts_space_name(p->space), p->name, p->name, dtype);
}

static int fail_dtype(const running *r, const ts_parameter *p, const run_argument *a) {
  const char *wanted = ts_dtype_name(p->dtype), *given = ts_dtype_name(a->header.dtype);
  if (a->kind == ARGUMENT_INPUT && a->header.is_bits && ts_dtype_bytes(p->dtype) == ts_dtype_bytes(a->header.dtype))
    return fail_argument(r, "%s is %s, and %s holds %s; if these are the bits of %s: --arg %s=@%s:%s", p->name, wanted,
                         a->input, given, wanted, p->name, a->input, wanted);
  return fail_argument(r, "%s is %s, and %s %s %s", p->name, wanted, a->input ? a->input : "its --arg",
                       a->input ? "holds" : "says", given);
}

/* Compare an argument with its parameter. Returns OPTION_TAKEN or an exit code. */
static int check_argument(const running *r, const ts_parameter *p, const run_argument *a) {
  bool is_const = p->is_const || p->space == TS_SPACE_constant, wants_memory = !p->is_scalar && p->space != TS_SPACE_shared;
  if (wants_memory != run_argument_is_memory(a) || a->kind == ARGUMENT_BYTES) return fail_kind(r, p);
  if (a->kind == ARGUMENT_VALUE && a->has_dtype && a->dtype != p->dtype)
    return fail_argument(r, "%s is %s, and its --arg says %s", p->name, ts_dtype_name(p->dtype), ts_dtype_name(a->dtype));
  if (!wants_memory) return OPTION_TAKEN;
  if (is_const && run_argument_comes_back(a))
    return fail_argument(r,
                         "%s is const: the kernel can't store to it, so nothing would come out; give it a file to read, "
                         "--arg %s=@in.npy",
                         p->name, p->name);
  return p->dtype == a->header.dtype ? OPTION_TAKEN : fail_dtype(r, p, a);
}

/* Write a file's elements into an argument's memory. */
static int fill_from_file(running *r, const run_memory *m) {
  const run_argument *a = m->argument;
  char why[NPY_WHY_BYTES];
  void *elements = malloc(m->bytes + 1);
  int code = elements ? OPTION_TAKEN : fail_memory(a->name, m->bytes);
  if (elements && !npy_read_elements(&a->header, a->stream, elements, why)) {
    tool_complain("%s, for %s: %s", a->input, a->name, why);
    code = TOOL_FILE;
  }
  if (code == OPTION_TAKEN && ts_buffer_write(r->queue, m->buffer, m->guard_bytes, elements, m->bytes, &r->error))
    code = fail_library(r);
  free(elements);
  return code;
}

/* Write one byte all over a range of an argument's buffer. */
static int fill_with(running *r, const run_memory *m, size_t start, size_t bytes, unsigned char byte) {
  static unsigned char block[BLOCK_BYTES];
  memset(block, byte, sizeof block);
  for (size_t at = 0, count; at < bytes; at += count) {
    count = bytes - at < sizeof block ? bytes - at : sizeof block;
    if (ts_buffer_write(r->queue, m->buffer, start + at, block, count, &r->error)) return fail_library(r);
  }
  return OPTION_TAKEN;
}

/* A buffer could not be made. A limit's sentence has the bytes. Returns the exit code. */
static int fail_buffer(const running *r, const run_memory *m) {
  if (r->error.status == TS_ERROR_LIMIT)
    tool_complain("%s: %s", m->argument->name, r->error.message);
  else
    tool_complain("%s, %zu bytes: %s", m->argument->name, m->bytes, r->error.message);
  return ts_status_exit_code(r->error.status);
}

static int give_memory(running *r, const ts_parameter *p, const run_argument *a) {
  const ts_device_info *info = r->outcome.device;
  bool is_checked = r->outcome.signature->is_checked;
  run_memory *m = &r->outcome.memories[r->outcome.memory_count++];
  *m = (run_memory){.argument = a, .bytes = a->header.elements * ts_dtype_bytes(a->header.dtype)};
  ts_space space = is_checked ? p->space : TS_SPACE_global;
  m->is_const = is_checked && (p->is_const || space == TS_SPACE_constant);
  bool has_room = m->bytes <= info->max_buffer_bytes && info->max_buffer_bytes - m->bytes >= 2 * GUARD_BYTES;
  m->guard_bytes = !m->is_const && has_room ? GUARD_BYTES : 0;
  if (ts_buffer_create(&m->buffer, r->device, space, m->bytes + 2 * m->guard_bytes, &r->error)) return fail_buffer(r, m);
  int code = a->kind == ARGUMENT_INPUT ? fill_from_file(r, m) : fill_with(r, m, m->guard_bytes, m->bytes, 0);
  if (code == OPTION_TAKEN) code = fill_with(r, m, 0, m->guard_bytes, GUARD_BYTE);
  if (code == OPTION_TAKEN) code = fill_with(r, m, m->guard_bytes + m->bytes, m->guard_bytes, GUARD_BYTE);
  if (code != OPTION_TAKEN) return code;
  ts_storage storage = ts_buffer_storage(m->buffer, is_checked ? p->dtype : a->header.dtype);
  storage.byte_offset = m->guard_bytes;
  return ts_kernel_arg_storage(r->kernel, a->name, storage, &r->error) ? fail_library(r) : OPTION_TAKEN;
}

/* Shared memory of so many elements; of bytes, if the signature is unchecked. */
static int give_shared(running *r, const run_argument *a) {
  unsigned char value[VALUE_BYTES];
  char why[VALUE_WHY_BYTES];
  uint64_t count;
  if (!value_parse(value, TS_DTYPE_u64, a->value, why))
    return fail_argument(r, "--arg %s, the size of shared memory: %s", a->name, why);
  memcpy(&count, value, sizeof count);
  return ts_kernel_arg_shared(r->kernel, a->name, (size_t)count, &r->error) ? fail_library(r) : OPTION_TAKEN;
}

static int give_scalar(running *r, const ts_parameter *p, const run_argument *a) {
  bool is_checked = r->outcome.signature->is_checked;
  if (!is_checked && !a->has_dtype)
    return fail_argument(r,
                         "--arg %s: what %s is can't be read; say its dtype, --arg %s=%s:f32, or %s=1024:shared for bytes of "
                         "shared memory",
                         a->name, a->name, a->name, a->value, a->name);
  ts_dtype dtype = is_checked ? p->dtype : a->dtype;
  unsigned char value[VALUE_BYTES];
  char why[VALUE_WHY_BYTES];
  if (!value_parse(value, dtype, a->value, why)) return fail_argument(r, "--arg %s: %s", a->name, why);
  return ts_kernel_arg_scalar(r->kernel, a->name, dtype, value, &r->error) ? fail_library(r) : OPTION_TAKEN;
}

static int give_argument(running *r, const run_argument *a) {
  const ts_parameter *p = find_parameter(r, a->name);
  bool is_checked = r->outcome.signature->is_checked;
  if (!p) { /* the library says it, with the nearest */
    ts_kernel_arg_buffer(r->kernel, a->name, NULL, &r->error);
    return fail_library(r);
  }
  int code = is_checked ? check_argument(r, p, a) : OPTION_TAKEN;
  if (code != OPTION_TAKEN) return code;
  if (run_argument_is_memory(a)) return give_memory(r, p, a);
  bool is_shared = a->kind == ARGUMENT_BYTES || (is_checked && !p->is_scalar);
  return is_shared ? give_shared(r, a) : give_scalar(r, p, a);
}

static int give_arguments(running *r) {
  r->progress->stage = RUN_LOADING;
  size_t room = r->request->argument_count + 1;
  r->outcome.memories = calloc(room, sizeof *r->outcome.memories);
  if (!r->outcome.memories) return fail_memory("the list of arguments", room * sizeof *r->outcome.memories);
  int code = OPTION_TAKEN;
  for (size_t i = 0; i < r->request->argument_count && code == OPTION_TAKEN; i++)
    code = give_argument(r, &r->request->arguments[i]);
  return code;
}

/* ---- launches ------------------------------------------------------------------------------------------------- */

static int launch(running *r, double *seconds) {
  ts_event *event = NULL;
  bool failed = ts_kernel_launch(r->queue, r->kernel, r->request->grid, &event, &r->error) ||
                ts_queue_finish(r->queue, &r->error) || ts_event_seconds(event, seconds, &r->error);
  ts_event_destroy(event);
  return failed ? fail_library(r) : OPTION_TAKEN;
}

static int compare_seconds(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Launch once more, as often as --repeat says. */
static int repeat(running *r) {
  uint32_t count = r->request->repeats;
  if (count == 0) return OPTION_TAKEN;
  r->progress->stage = RUN_REPEATING;
  double *seconds = calloc(count, sizeof *seconds);
  int code = seconds ? OPTION_TAKEN : fail_memory("--repeat", count * sizeof *seconds);
  for (uint32_t i = 0; i < count && code == OPTION_TAKEN; i++) code = launch(r, &seconds[i]);
  if (code == OPTION_TAKEN) {
    qsort(seconds, count, sizeof *seconds, compare_seconds);
    r->outcome.least = seconds[0];
    r->outcome.median = (seconds[(count - 1) / 2] + seconds[count / 2]) / 2;
  }
  free(seconds);
  return code;
}

/* ---- outputs -------------------------------------------------------------------------------------------------- */

/* Read one of the guards. */
static int read_guard(running *r, const run_memory *m, unsigned char guard[GUARD_BYTES], size_t start) {
  return ts_buffer_read(r->queue, m->buffer, start, guard, m->guard_bytes, &r->error) ? fail_library(r) : OPTION_TAKEN;
}

/* See whether the guards are as they were; say which element nearest to the memory is outside of it. */
static int check_guards(running *r, const run_memory *m) {
  static unsigned char guard[GUARD_BYTES];
  const npy_header *h = &m->argument->header;
  const char *name = m->argument->name;
  size_t element_bytes = ts_dtype_bytes(h->dtype);

  int code = read_guard(r, m, guard, m->guard_bytes + m->bytes);
  if (code != OPTION_TAKEN) return code;
  size_t at = 0;
  while (at < m->guard_bytes && guard[at] == GUARD_BYTE) at++;
  if (at < m->guard_bytes) {
    tool_complain(
        "the kernel stored past the end of %s: to element %zu, counted from 0, of %zu; give it more elements, or launch "
        "fewer work-items. No output is written",
        name, h->elements + at / element_bytes, h->elements);
    return TOOL_ERROR;
  }

  code = read_guard(r, m, guard, 0);
  if (code != OPTION_TAKEN) return code;
  size_t left = m->guard_bytes; /* bytes of the guard before the one that is looked at, and itself */
  while (left > 0 && guard[left - 1] == GUARD_BYTE) left--;
  if (left == 0) return OPTION_TAKEN;
  tool_complain("the kernel stored before the start of %s: to element -%zu; an index became negative. No output is written",
                name, (m->guard_bytes - left) / element_bytes + 1);
  return TOOL_ERROR;
}

static int write_output(running *r, const run_memory *m) {
  static unsigned char block[BLOCK_BYTES];
  const run_argument *a = m->argument;
  FILE *stream = a->file.stream;
  npy_write_header(stream, a->header.dtype, a->header.rank, a->header.shape);
  for (size_t at = 0, count; at < m->bytes; at += count) {
    count = m->bytes - at < sizeof block ? m->bytes - at : sizeof block;
    if (ts_buffer_read(r->queue, m->buffer, m->guard_bytes + at, block, count, &r->error)) return fail_library(r);
    if (fwrite(block, 1, count, stream) != count) break;
  }
  if (!fflush(stream) && !ferror(stream)) return OPTION_TAKEN;
  tool_complain("%s cannot be written: %s", a->output, strerror(errno));
  return TOOL_FILE;
}

/* Read the elements that are to be printed. */
static int keep_elements(running *r, run_memory *m) {
  m->elements = malloc(m->bytes + 1);
  if (!m->elements) return fail_memory(m->argument->name, m->bytes);
  bool failed = ts_buffer_read(r->queue, m->buffer, m->guard_bytes, m->elements, m->bytes, &r->error);
  return failed ? fail_library(r) : OPTION_TAKEN;
}

static int take_back(running *r, run_memory *m) {
  int code = check_guards(r, m);
  if (code == OPTION_TAKEN && m->argument->output) code = write_output(r, m);
  if (code == OPTION_TAKEN && m->argument->is_printed) code = keep_elements(r, m);
  return code;
}

static int take_all_back(running *r) {
  int code = OPTION_TAKEN;
  for (run_memory *m = r->outcome.memories; m < r->outcome.memories + r->outcome.memory_count && code == OPTION_TAKEN; m++)
    if (!m->is_const) code = take_back(r, m);
  return code;
}

/* ---- all of it ------------------------------------------------------------------------------------------------ */

static int run_all(running *r, FILE *report) {
  int code = build(r);
  if (code == OPTION_TAKEN) code = give_arguments(r);
  if (code != OPTION_TAKEN) return code;
  child_enter_place(r->outcome.device->id);
  r->progress->stage = RUN_LAUNCHING;
  code = launch(r, &r->outcome.first);
  if (code != OPTION_TAKEN) return code;
  r->progress->stage = RUN_WRITING;
  code = take_all_back(r);
  if (code == OPTION_TAKEN) code = repeat(r);
  if (code != OPTION_TAKEN) return code;
  if (run_report(r->request, &r->outcome, report)) return TOOL_PASSED;
  tool_complain("memory ran out: there is no report, and no output is written");
  return TOOL_FILE;
}

int run_kernel(const run_request *request, run_progress *progress, FILE *report) {
  running r = {.request = request, .progress = progress};
  int code = run_all(&r, report);
  progress->code = code;
  progress->stage = code == TOOL_PASSED ? RUN_CLOSING : RUN_FAILED;
  ts_queue_destroy(r.queue);
  ts_kernel_destroy(r.kernel);
  ts_program_destroy(r.program);
  for (size_t i = 0; i < r.outcome.memory_count; i++) {
    ts_buffer_destroy(r.outcome.memories[i].buffer);
    free(r.outcome.memories[i].elements);
  }
  free(r.outcome.memories);
  ts_device_close(r.device);
  return code;
}
