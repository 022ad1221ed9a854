/* SPDX-License-Identifier: Apache-2.0
 *
 * program.c: programs from source: the text that a backend builds, and the signatures that its kernels are checked against.
 */
#include "backend.h"

#include <stdlib.h>
#include <string.h>

#include "build_error.h"
#include "error.h"
#include "prepare.h"

static const char call[] = "ts_program_build";

/* Make the program's text for a device, and read its signatures. */
static ts_status prepare(ts_prepared *p, ts_device *device, const char *source, const ts_build_options *options,
                         ts_error *error) {
  ts_text predefined = {0};
  ts_text_append(&predefined, "", 0);
  if (device->backend->predefine) device->backend->predefine(device, options, &predefined, error);
  ts_predefine_capabilities(&predefined, device->info.has_f64, device->info.has_generic);
  if (error->status == TS_OK && predefined.failed) ts_fail(error, TS_ERROR_MEMORY, 0, call, "no memory for a program");
  if (error->status == TS_OK) ts_prepare(p, device->backend->language, predefined.chars, source, options, error);
  free(predefined.chars);
  return error->status;
}

ts_status ts_program_build(ts_program **program, ts_device *device, const char *source, const ts_build_options *options,
                           ts_error *error) {
  ts_error failure = {.status = TS_OK};
  if (ts_fail_if_null(&failure, call, "program", program) || ts_fail_if_null(&failure, call, "device", device) ||
      ts_fail_if_null(&failure, call, "source", source))
    return ts_error_give(error, &failure);

  ts_build_options used = options ? *options : (ts_build_options){0};
  if (!used.name) used.name = "kernel.c";
  ts_prepared p = {0};
  ts_program *built = NULL;
  if (prepare(&p, device, source, &used, &failure) == TS_OK) {
    device->backend->program_build(&built, device, p.text.chars, p.signatures.rows, p.signatures.count, &used, &failure);
    if (failure.status == TS_ERROR_BUILD)
      ts_build_error_present(&failure, device->info.id, device->info.name, &used, source, p.text.chars);
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
    ts_prepared_free(&p);
  }
  return ts_error_give(error, &failure);
}

void ts_program_destroy(ts_program *program) {
  if (!program) return;
  ts_prepared owned = {.name = program->name, .signatures = program->signatures, .unread = program->unread};
  program->device->backend->program_destroy(program);
  ts_prepared_free(&owned);
}

size_t ts_program_kernel_count(const ts_program *program) { return program->signatures.count; }

const char *ts_program_kernel_name(const ts_program *program, size_t index) {
  return index < program->signatures.count ? program->signatures.rows[index].kernel : NULL;
}
