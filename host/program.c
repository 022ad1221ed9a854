/* SPDX-License-Identifier: Apache-2.0
 *
 * program.c: programs from source: the text that a backend builds, and the signatures that its kernels are checked against.
 */
#include "backend.h"

#include <stdlib.h>
#include <string.h>

#include "build_error.h"
#include "error.h"
#include "source.h"

static const char call[] = "ts_program_build";

/* What a program is made of before a backend builds it. All of it is owned, until the program takes the name, the signatures
 * and unread over. */
typedef struct preparation {
  char *name;
  ts_text text; /* macros and source */
  ts_signatures signatures;
  char *unread;
} preparation;

static ts_status check_options(const ts_build_options *options, ts_error *error) {
  if (options->standard && strcmp(options->standard, "CL1.2") != 0 && strcmp(options->standard, "CL3.0") != 0)
    return ts_fail(error, TS_ERROR_USAGE, 0, call,
                   "\"%s\" is no standard; choose \"CL1.2\" or \"CL3.0\", or NULL for the device's own", options->standard);
  return TS_OK;
}

/* Append what a preprocessor must know that is not in the program's text: the language, the device's predefined
 * macros and capabilities. A user's own -DTS_HAVE_F64=0 comes first and stays. */
static void print_predefined(ts_text *text, ts_device *device, const ts_build_options *options, ts_error *error) {
  static const char *const languages[][2] = {{"OPENCL", "opencl"}, {"CUDA", "cuda"}, {"HOST", "host"}};
  for (size_t i = 0; i < sizeof languages / sizeof languages[0]; i++)
    ts_text_print(text, "#define TS_LANGUAGE_%s %d\n", languages[i][0], !strcmp(device->info.backend, languages[i][1]));
  if (device->backend->predefine) device->backend->predefine(device, options, text, error);
  ts_text_print(text, "#ifndef TS_HAVE_F64\n#define TS_HAVE_F64 %d\n#endif\n", device->info.has_f64);
  ts_text_print(text, "#ifndef TS_HAVE_GENERIC\n#define TS_HAVE_GENERIC %d\n#endif\n", device->info.has_generic);
}

/* Make the program's text, and read the signatures of a source that includes the header. */
static ts_status prepare(preparation *p, ts_device *device, const char *source, const ts_build_options *options,
                         ts_error *error) {
  ts_text readable = {0};
  bool has_header;
  p->name = strdup(options->name);
  if (!p->name) return ts_fail(error, TS_ERROR_MEMORY, 0, call, "no memory for a program");
  if (ts_source_defines(&readable, options, error) != TS_OK || ts_source_defines(&p->text, options, error) != TS_OK) goto done;
  print_predefined(&readable, device, options, error);
  size_t macros_length = p->text.length;
  if (ts_source_flatten(&p->text, source, ts_embedded_header, options, &has_header, error) != TS_OK) goto done;
  if (!has_header) goto done;
  ts_text_append(&readable, p->text.chars + macros_length, p->text.length - macros_length);
  if (readable.failed)
    ts_fail(error, TS_ERROR_MEMORY, 0, call, "no memory for the text of %s", options->name);
  else
    ts_signatures_read(&p->signatures, readable.chars, options->include_dirs, &p->unread, error);
done:
  free(readable.chars);
  return error->status;
}

static void free_preparation(preparation *p) {
  free(p->name);
  free(p->text.chars);
  ts_signatures_free(&p->signatures);
  free(p->unread);
}

ts_status ts_program_build(ts_program **program, ts_device *device, const char *source, const ts_build_options *options,
                           ts_error *error) {
  ts_error failure = {.status = TS_OK};
  if (ts_fail_if_null(&failure, call, "program", program) || ts_fail_if_null(&failure, call, "device", device) ||
      ts_fail_if_null(&failure, call, "source", source))
    return ts_error_give(error, &failure);

  ts_build_options used = options ? *options : (ts_build_options){0};
  if (!used.name) used.name = "kernel.c";
  preparation p = {0};
  ts_program *built = NULL;
  if (check_options(&used, &failure) == TS_OK && prepare(&p, device, source, &used, &failure) == TS_OK) {
    device->backend->program_build(&built, device, p.text.chars, p.signatures.rows, p.signatures.count, &used, &failure);
    if (failure.status == TS_ERROR_BUILD) ts_build_error_present(&failure, &device->info, &used, source);
  }
  if (failure.status == TS_OK) {
    built->device = device;
    built->name = p.name;
    built->signatures = p.signatures;
    built->unread = p.unread;
    free(p.text.chars);
    if (device->backend->program_find_kernels) device->backend->program_find_kernels(built, &built->signatures, &failure);
    if (failure.status == TS_OK)
      *program = built;
    else
      ts_program_destroy(built);
  } else {
    free_preparation(&p);
  }
  return ts_error_give(error, &failure);
}

void ts_program_destroy(ts_program *program) {
  if (!program) return;
  preparation owned = {.name = program->name, .signatures = program->signatures, .unread = program->unread};
  program->device->backend->program_destroy(program);
  free_preparation(&owned);
}

size_t ts_program_kernel_count(const ts_program *program) { return program->signatures.count; }

const char *ts_program_kernel_name(const ts_program *program, size_t index) {
  return index < program->signatures.count ? program->signatures.rows[index].kernel : NULL;
}
