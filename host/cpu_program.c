/* SPDX-License-Identifier: Apache-2.0
 *
 * cpu_program.c: see cpu_program.h.
 */
#include "cpu_program.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* The value of one argument, while it is set. */
union cpu_value {
  void *pointer;
  unsigned char scalar[8];
};

struct cpu_kernel {
  ts_kernel base;
  const ts_cpu_program *program;
  ts_host_launch_function *function;
  const char *name;
  size_t argument_count;
  ts_group_argument *arguments; /* [argument_count] */
  union cpu_value *values;      /* [argument_count] what arguments[i].value points at */
};

static ts_status no_memory(ts_error *error, const char *call) {
  return ts_fail(error, TS_ERROR_MEMORY, 0, call, "no memory is left on the host");
}

ts_status ts_cpu_program_build(ts_program **program, const ts_compiler *compiler, const ts_cpu_text *around, const char *text,
                               const ts_signature *signatures, size_t signature_count, const ts_build_options *options,
                               const ts_device_info *device, ts_error *error) {
  ts_cpu_program *cpu = calloc(1, sizeof *cpu);
  char *whole = cpu ? ts_cpu_launchable(around, text, signatures, signature_count) : NULL;
  ts_status status =
      whole ? ts_compiler_load(&cpu->object, compiler, whole, options, device, error) : no_memory(error, "ts_program_build");
  free(whole);
  if (status == TS_OK) {
    *program = &cpu->base;
  } else {
    free(cpu);
  }
  return status;
}

void ts_cpu_program_destroy(ts_program *program) {
  dlclose(((ts_cpu_program *)program)->object);
  free(program);
}

void ts_cpu_kernel_destroy(ts_kernel *kernel) {
  struct cpu_kernel *cpu = (struct cpu_kernel *)kernel;
  free(cpu->arguments);
  free(cpu->values);
  free(cpu);
}

ts_status ts_cpu_kernel_get(ts_kernel **kernel, ts_program *program, const ts_signature *signature, ts_error *error) {
  struct cpu_kernel *cpu = calloc(1, sizeof *cpu);
  if (!cpu) return no_memory(error, "ts_kernel_get");
  cpu->program = (const ts_cpu_program *)program;
  cpu->name = signature->kernel;
  cpu->argument_count = signature->parameter_count;
  cpu->arguments = calloc(cpu->argument_count + 1, sizeof *cpu->arguments);
  cpu->values = calloc(cpu->argument_count + 1, sizeof *cpu->values);
  ts_status status = cpu->arguments && cpu->values ? ts_cpu_find_launch(&cpu->function, cpu->program->object, signature, error)
                                                   : no_memory(error, "ts_kernel_get");
  if (status == TS_OK) {
    *kernel = &cpu->base;
  } else {
    ts_cpu_kernel_destroy(&cpu->base);
  }
  return status;
}

ts_status ts_cpu_kernel_arg(ts_kernel *kernel, size_t index, const ts_argument *argument, ts_error *error) {
  (void)error;
  struct cpu_kernel *cpu = (struct cpu_kernel *)kernel;
  union cpu_value *value = &cpu->values[index];
  cpu->arguments[index] = (ts_group_argument){.value = value};
  switch (argument->kind) {
  case TS_ARGUMENT_BUFFER:
    value->pointer = argument->buffer ? ts_cpu_buffer_memory(argument->buffer) + argument->byte_offset : NULL;
    break;
  case TS_ARGUMENT_SHARED:
    cpu->arguments[index] = (ts_group_argument){.is_shared = true, .shared_bytes = argument->bytes};
    break;
  case TS_ARGUMENT_SCALAR: memcpy(value->scalar, argument->value, argument->bytes); break;
  }
  return TS_OK;
}

ts_status ts_cpu_kernel_launch(ts_queue *queue, ts_kernel *kernel, const size_t items[3], const size_t group[3],
                               ts_event **event, ts_error *error) {
  const struct cpu_kernel *cpu = (const struct cpu_kernel *)kernel;
  ts_group_launch launch = {.function = cpu->function,
                            .kernel = cpu->name,
                            .arguments = cpu->arguments,
                            .argument_count = cpu->argument_count,
                            .shared_limit = queue->device->info.shared_bytes,
                            .items_apart = cpu->program->items_apart,
                            .group_start = cpu->program->group_start};
  return ts_cpu_launch(queue, &launch, items, group, event, error);
}
