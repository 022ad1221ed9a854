/* SPDX-License-Identifier: Apache-2.0
 *
 * host_driver.c: the backend "host": kernels are compiled as C and run on this machine's CPU.
 *
 * It joins compiler.h and cpu.h: what is here is C's.
 */
#define _POSIX_C_SOURCE 200809L
#include "backend.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler.h"
#include "cpu.h"

struct host_program {
  ts_program base;
  void *object; /* of dlopen */
};

/* The value of one argument, while it is set. */
union host_value {
  void *pointer;
  unsigned char scalar[8];
};

struct host_kernel {
  ts_kernel base;
  ts_host_launch_function *function;
  const char *name;
  size_t argument_count;
  ts_group_argument *arguments; /* [argument_count] */
  union host_value *values;     /* [argument_count] what arguments[i].value points at */
};

static ts_status no_memory(ts_error *error, const char *call) {
  return ts_fail(error, TS_ERROR_MEMORY, 0, call, "no memory is left on the host");
}

/* ---- devices -------------------------------------------------------------------------------------------------- */

static ts_status host_list(ts_device_infos *infos, ts_error *error) {
  ts_device_info info;
  ts_status status = ts_cpu_describe(&info, error);
  if (status != TS_OK) return status;
  snprintf(info.id, sizeof info.id, "host");
  snprintf(info.backend, sizeof info.backend, "host");
  char compiler[TS_DEVICE_TEXT_BYTES - 8];
  if (!ts_compiler_name(compiler, sizeof compiler, &ts_compiler_c)) snprintf(compiler, sizeof compiler, "no compiler found");
  snprintf(info.language, sizeof info.language, "C11, %s", compiler);
  return ts_device_list_append(infos, &info, error);
}

static ts_status host_device_open(ts_device **device, const ts_device_info *info, ts_error *error) {
  return ts_cpu_device_open(device, &ts_host_backend, info, error);
}

/* ---- programs ------------------------------------------------------------------------------------------------- */

const ts_cpu_text ts_cpu_text_c = {.before = "", .after = "", .linkage = "", .enter = "ts_host_item = item"};

static ts_status host_program_build(ts_program **program, ts_device *device, const char *text, const ts_signature *signatures,
                                    size_t signature_count, const ts_build_options *options, ts_error *error) {
  (void)device;
  struct host_program *host = calloc(1, sizeof *host);
  char *whole = host ? ts_cpu_launchable(&ts_cpu_text_c, text, signatures, signature_count) : NULL;
  ts_status status =
      whole ? ts_compiler_load(&host->object, &ts_compiler_c, whole, options, error) : no_memory(error, "ts_program_build");
  free(whole);
  if (status == TS_OK) {
    *program = &host->base;
  } else {
    free(host);
  }
  return status;
}

static void host_program_destroy(ts_program *program) {
  dlclose(((struct host_program *)program)->object);
  free(program);
}

/* ---- kernels -------------------------------------------------------------------------------------------------- */

static void host_kernel_destroy(ts_kernel *kernel) {
  struct host_kernel *host = (struct host_kernel *)kernel;
  free(host->arguments);
  free(host->values);
  free(host);
}

static ts_status host_kernel_get(ts_kernel **kernel, ts_program *program, const ts_signature *signature, ts_error *error) {
  struct host_kernel *host = calloc(1, sizeof *host);
  if (!host) return no_memory(error, "ts_kernel_get");
  host->name = signature->kernel;
  host->argument_count = signature->parameter_count;
  host->arguments = calloc(host->argument_count + 1, sizeof *host->arguments);
  host->values = calloc(host->argument_count + 1, sizeof *host->values);
  ts_status status = host->arguments && host->values
                         ? ts_cpu_find_launch(&host->function, ((struct host_program *)program)->object, signature, error)
                         : no_memory(error, "ts_kernel_get");
  if (status == TS_OK) {
    *kernel = &host->base;
  } else {
    host_kernel_destroy(&host->base);
  }
  return status;
}

static ts_status host_kernel_arg(ts_kernel *kernel, size_t index, const ts_argument *argument, ts_error *error) {
  (void)error;
  struct host_kernel *host = (struct host_kernel *)kernel;
  union host_value *value = &host->values[index];
  host->arguments[index] = (ts_group_argument){.value = value};
  switch (argument->kind) {
  case TS_ARGUMENT_BUFFER:
    value->pointer = argument->buffer ? ts_cpu_buffer_memory(argument->buffer) + argument->byte_offset : NULL;
    break;
  case TS_ARGUMENT_SHARED:
    host->arguments[index] = (ts_group_argument){.is_shared = true, .shared_bytes = argument->bytes};
    break;
  case TS_ARGUMENT_SCALAR: memcpy(value->scalar, argument->value, argument->bytes); break;
  }
  return TS_OK;
}

static ts_status host_kernel_launch(ts_queue *queue, ts_kernel *kernel, const size_t items[3], const size_t group[3],
                                    ts_event **event, ts_error *error) {
  const struct host_kernel *host = (const struct host_kernel *)kernel;
  ts_group_launch launch = {.function = host->function,
                            .kernel = host->name,
                            .arguments = host->arguments,
                            .argument_count = host->argument_count,
                            .shared_limit = queue->device->info.shared_bytes};
  return ts_cpu_launch(queue, &launch, items, group, event, error);
}

const ts_backend ts_host_backend = {
    .name = "host",
    .language = "host",
    .list = host_list,
    .device_open = host_device_open,
    .device_close = ts_cpu_device_close,
    .queue_create = ts_cpu_queue_create,
    .queue_finish = ts_cpu_queue_finish,
    .queue_destroy = ts_cpu_queue_destroy,
    .event_wait = ts_cpu_event_wait,
    .event_seconds = ts_cpu_event_seconds,
    .event_destroy = ts_cpu_event_destroy,
    .buffer_create = ts_cpu_buffer_create,
    .buffer_destroy = ts_cpu_buffer_destroy,
    .buffer_write = ts_cpu_buffer_write,
    .buffer_read = ts_cpu_buffer_read,
    .program_build = host_program_build,
    .program_destroy = host_program_destroy,
    .kernel_get = host_kernel_get,
    .kernel_destroy = host_kernel_destroy,
    .kernel_arg = host_kernel_arg,
    .kernel_launch = host_kernel_launch,
};
