/* SPDX-License-Identifier: Apache-2.0
 *
 * kernel.c: kernels: arguments by name, checked against the kernel's own signature, and launches within the device's limits.
 *
 * Everything wrong is found here, before a backend is called.
 */
#include "backend.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

/* Fail with a message that was put together, or for want of memory. Frees the text. */
static ts_status fail_with(ts_error *error, ts_status status, const char *call, ts_text *message) {
  if (message->failed)
    ts_fail(error, TS_ERROR_MEMORY, 0, call, "no memory for an error's message");
  else
    ts_fail(error, status, 0, call, "%s", message->chars);
  free(message->chars);
  return error->status;
}

/* ---- looking a kernel up ---------------------------------------------------------------------------------------- */

static const ts_signature *find_signature(const ts_program *program, const char *name) {
  for (size_t i = 0; i < program->signatures.count; i++)
    if (!strcmp(name, program->signatures.rows[i].kernel)) return &program->signatures.rows[i];
  return NULL;
}

/* List the program's kernels, the nearest name first. */
static ts_status fail_no_kernel(const ts_program *program, const char *name, ts_error *error) {
  const ts_signatures *all = &program->signatures;
  ts_text message = {0};
  size_t nearest = 0;
  for (size_t i = 1; i < all->count; i++)
    if (ts_name_distance(name, all->rows[i].kernel) < ts_name_distance(name, all->rows[nearest].kernel)) nearest = i;
  if (program->unread) {
    ts_text_print(&message,
                  "the kernels of %s can't be read, though a compiler takes it; write otherwise what this tells of: %s",
                  program->name, program->unread);
    return fail_with(error, TS_ERROR_NO_KERNEL, "ts_kernel_get", &message);
  }
  if (!*name) {
    ts_text_print(&message, "%s has no kernel; declare one with TS_KERNEL of tensorstorage.h", program->name);
    return fail_with(error, TS_ERROR_NO_KERNEL, "ts_kernel_get", &message);
  }
  ts_text_print(&message, "%s has no kernel \"%s\"; ", program->name, name);
  if (all->count == 0) ts_text_print(&message, "it has none: declare it with TS_KERNEL of tensorstorage.h");
  if (all->count > 0) ts_text_print(&message, "its kernels: %s", all->rows[nearest].kernel);
  for (size_t i = 0; i < all->count; i++)
    if (i != nearest) ts_text_print(&message, ", %s", all->rows[i].kernel);
  return fail_with(error, TS_ERROR_NO_KERNEL, "ts_kernel_get", &message);
}

ts_status ts_kernel_get(ts_kernel **kernel, ts_program *program, const char *name, ts_error *error) {
  ts_error failure = {.status = TS_OK};
  const char *call = "ts_kernel_get";
  if (ts_fail_if_null(&failure, call, "kernel", kernel) || ts_fail_if_null(&failure, call, "program", program) ||
      ts_fail_if_null(&failure, call, "name", name))
    return ts_error_give(error, &failure);

  const ts_signature *signature = find_signature(program, name);
  if (!signature) {
    fail_no_kernel(program, name, &failure);
    return ts_error_give(error, &failure);
  }
  ts_kernel *made = NULL;
  size_t count = signature->parameter_count;
  bool *is_set = calloc(count + 1, sizeof *is_set);
  uint64_t *memory_bytes = calloc(count + 1, sizeof *memory_bytes);
  if (!is_set || !memory_bytes)
    ts_fail(&failure, TS_ERROR_MEMORY, 0, call, "no memory for the kernel %s", name);
  else
    program->device->backend->kernel_get(&made, program, signature, &failure);
  if (failure.status != TS_OK) {
    free(is_set);
    free(memory_bytes);
    return ts_error_give(error, &failure);
  }
  made->program = program;
  made->signature = signature;
  made->is_set = is_set;
  made->memory_bytes = memory_bytes;
  *kernel = made;
  return TS_OK;
}

void ts_kernel_destroy(ts_kernel *kernel) {
  if (!kernel) return;
  bool *is_set = kernel->is_set;
  uint64_t *memory_bytes = kernel->memory_bytes;
  kernel->program->device->backend->kernel_destroy(kernel);
  free(is_set);
  free(memory_bytes);
}

const ts_signature *ts_kernel_signature(const ts_kernel *kernel) { return kernel->signature; }

/* ---- arguments -------------------------------------------------------------------------------------------------- */

/* Add the kernel's signature, which every argument error shows. */
static ts_status fail_argument(ts_error *error, ts_status status, const char *call, const ts_kernel *kernel, ts_text *message) {
  ts_text_print(message, "\nThe kernel is ");
  ts_signature_print(message, kernel->signature);
  return fail_with(error, status, call, message);
}

/* Find a parameter. */
static ts_status find_parameter(size_t *index, const char *call, const ts_kernel *kernel, const char *name, ts_error *error) {
  if (ts_fail_if_null(error, call, "kernel", kernel) || ts_fail_if_null(error, call, "name", name)) return error->status;
  const ts_signature *signature = kernel->signature;
  size_t nearest = 0;
  for (size_t i = 0; i < signature->parameter_count; i++) {
    const char *candidate = signature->parameters[i].name;
    if (!strcmp(name, candidate)) {
      *index = i;
      return TS_OK;
    }
    if (ts_name_distance(name, candidate) < ts_name_distance(name, signature->parameters[nearest].name)) nearest = i;
  }
  ts_text message = {0};
  ts_text_print(&message, "%s has no parameter \"%s\"; ", signature->kernel, name);
  if (signature->parameter_count == 0)
    ts_text_print(&message, "it has none");
  else if (signature->is_checked)
    ts_text_print(&message, "the nearest is \"%s\"", signature->parameters[nearest].name);
  else
    ts_text_print(&message, "its signature could not be read, so that its arguments are given by position: \"0\", \"1\", …");
  return fail_argument(error, TS_ERROR_ARGUMENT, call, kernel, &message);
}

/* What an argument is, in words: "a scalar", "shared memory", "global memory". */
static const char *kind_of(const ts_parameter *parameter) {
  if (parameter->is_scalar) return "a scalar: give it with ts_kernel_arg_scalar or its like";
  if (parameter->space == TS_SPACE_shared) return "shared memory: give its size with ts_kernel_arg_shared";
  return parameter->space == TS_SPACE_constant ? "constant memory: give a constant buffer"
                                               : "global memory: give a global buffer";
}

static ts_status fail_kind(ts_error *error, const char *call, const ts_kernel *kernel, const ts_parameter *parameter,
                           const char *given) {
  ts_text message = {0};
  ts_text_print(&message, "\"%s\" was given %s and is %s", parameter->name, given, kind_of(parameter));
  return fail_argument(error, TS_ERROR_ARGUMENT, call, kernel, &message);
}

static ts_status fail_dtype(ts_error *error, const char *call, const ts_kernel *kernel, const ts_parameter *parameter,
                            ts_dtype dtype) {
  ts_text message = {0};
  ts_text_print(&message, "\"%s\" was given %s and is %s", parameter->name, ts_dtype_name(dtype),
                ts_dtype_name(parameter->dtype));
  return fail_argument(error, TS_ERROR_ARGUMENT, call, kernel, &message);
}

/* Hand a checked argument to the backend.
 *
 * memory_bytes  of shared or constant memory that it takes, else 0 */
static ts_status give(ts_kernel *kernel, size_t index, const ts_argument *argument, uint64_t memory_bytes, ts_error *error) {
  if (kernel->program->device->backend->kernel_arg(kernel, index, argument, error) != TS_OK) return error->status;
  kernel->is_set[index] = true;
  kernel->memory_bytes[index] = memory_bytes;
  return TS_OK;
}

/* Check and give a buffer from a byte on. */
static ts_status give_buffer(const char *call, ts_kernel *kernel, size_t index, ts_buffer *buffer, size_t byte_offset,
                             ts_error *error) {
  const ts_parameter *parameter = &kernel->signature->parameters[index];
  const ts_device_info *info = &kernel->program->device->info;
  bool is_memory = !parameter->is_scalar && parameter->space != TS_SPACE_shared;
  ts_text message = {0};
  if (kernel->signature->is_checked && !is_memory) return fail_kind(error, call, kernel, parameter, "a buffer");
  if (!buffer) return give(kernel, index, &(ts_argument){.kind = TS_ARGUMENT_BUFFER}, 0, error);
  if (kernel->signature->is_checked && parameter->space != buffer->space)
    return fail_kind(error, call, kernel, parameter,
                     buffer->space == TS_SPACE_constant ? "a constant buffer" : "a global buffer");

  if (buffer->device != kernel->program->device) {
    ts_text_print(&message, "\"%s\" was given a buffer of another device, %s; the kernel was built for %s", parameter->name,
                  buffer->device->info.id, info->id);
    return fail_argument(error, TS_ERROR_ARGUMENT, call, kernel, &message);
  }
  if (byte_offset > buffer->bytes) {
    ts_text_print(&message, "\"%s\" was given a storage that starts at byte %zu, outside its buffer of %zu bytes",
                  parameter->name, byte_offset, buffer->bytes);
    return fail_argument(error, TS_ERROR_ARGUMENT, call, kernel, &message);
  }
  if (info->base_align_bytes > 0 && byte_offset % info->base_align_bytes != 0) {
    ts_text_print(&message,
                  "\"%s\" was given a storage that starts at byte %zu of its buffer; %s can pass multiples of %" PRIu32
                  " bytes only: pass the offset as a number and use ts_offset in the kernel",
                  parameter->name, byte_offset, info->id, info->base_align_bytes);
    return fail_argument(error, TS_ERROR_UNSUPPORTED, call, kernel, &message);
  }
  ts_argument argument = {.kind = TS_ARGUMENT_BUFFER, .buffer = buffer, .byte_offset = byte_offset};
  uint64_t constant_bytes = buffer->space == TS_SPACE_constant ? buffer->bytes - byte_offset : 0;
  return give(kernel, index, &argument, constant_bytes, error);
}

ts_status ts_kernel_arg_buffer(ts_kernel *kernel, const char *name, ts_buffer *buffer, ts_error *error) {
  ts_error failure = {.status = TS_OK};
  const char *call = "ts_kernel_arg_buffer";
  size_t index;
  if (find_parameter(&index, call, kernel, name, &failure) == TS_OK) give_buffer(call, kernel, index, buffer, 0, &failure);
  return ts_error_give(error, &failure);
}

ts_status ts_kernel_arg_storage(ts_kernel *kernel, const char *name, ts_storage storage, ts_error *error) {
  ts_error failure = {.status = TS_OK};
  const char *call = "ts_kernel_arg_storage";
  size_t index;
  if (find_parameter(&index, call, kernel, name, &failure) != TS_OK) return ts_error_give(error, &failure);

  const ts_parameter *parameter = &kernel->signature->parameters[index];
  bool is_memory = kernel->signature->is_checked && !parameter->is_scalar && parameter->space != TS_SPACE_shared;
  if (is_memory && parameter->dtype != storage.dtype) {
    fail_dtype(&failure, call, kernel, parameter, storage.dtype);
  } else if (is_memory && storage.is_const && !parameter->is_const) {
    ts_text message = {0};
    ts_text_print(&message, "\"%s\" was given a const storage and the kernel may store through it; ", parameter->name);
    ts_text_print(&message, "declare the parameter with TS_GLOBAL_CONST_ARG, or give a storage that is not const");
    fail_argument(&failure, TS_ERROR_ARGUMENT, call, kernel, &message);
  } else {
    give_buffer(call, kernel, index, storage.buffer, storage.byte_offset, &failure);
  }
  return ts_error_give(error, &failure);
}

ts_status ts_kernel_arg_shared(ts_kernel *kernel, const char *name, size_t count, ts_error *error) {
  ts_error failure = {.status = TS_OK};
  const char *call = "ts_kernel_arg_shared";
  size_t index;
  if (find_parameter(&index, call, kernel, name, &failure) != TS_OK) return ts_error_give(error, &failure);

  const ts_parameter *parameter = &kernel->signature->parameters[index];
  const ts_device_info *info = &kernel->program->device->info;
  /* Of an unchecked kernel no dtype is known: count is then in bytes. */
  size_t element_bytes = kernel->signature->is_checked ? ts_dtype_bytes(parameter->dtype) : 1;
  if (kernel->signature->is_checked && (parameter->is_scalar || parameter->space != TS_SPACE_shared)) {
    fail_kind(&failure, call, kernel, parameter, "shared memory");
  } else if (count == 0) {
    ts_fail(&failure, TS_ERROR_USAGE, 0, call, "\"%s\" was given no element; give shared memory of at least one", name);
  } else if (count > info->shared_bytes / element_bytes) {
    ts_fail(&failure, TS_ERROR_LIMIT, 0, call,
            "\"%s\" was given %zu elements of %zu bytes; a work-group of %s has %" PRIu64 " bytes of shared memory", name,
            count, element_bytes, info->id, info->shared_bytes);
  } else {
    ts_argument argument = {.kind = TS_ARGUMENT_SHARED, .bytes = count * element_bytes};
    give(kernel, index, &argument, argument.bytes, &failure);
  }
  return ts_error_give(error, &failure);
}

ts_status ts_kernel_arg_scalar(ts_kernel *kernel, const char *name, ts_dtype dtype, const void *value, ts_error *error) {
  ts_error failure = {.status = TS_OK};
  const char *call = "ts_kernel_arg_scalar";
  size_t index;
  if (ts_fail_if_null(&failure, call, "value", value) || find_parameter(&index, call, kernel, name, &failure) != TS_OK)
    return ts_error_give(error, &failure);

  const ts_parameter *parameter = &kernel->signature->parameters[index];
  ts_argument argument = {.kind = TS_ARGUMENT_SCALAR, .value = value, .bytes = ts_dtype_bytes(dtype)};
  if (argument.bytes == 0)
    ts_fail(&failure, TS_ERROR_USAGE, 0, call, "%d is no dtype", (int)dtype);
  else if (kernel->signature->is_checked && !parameter->is_scalar)
    fail_kind(&failure, call, kernel, parameter, "a scalar");
  else if (kernel->signature->is_checked && parameter->dtype != dtype)
    fail_dtype(&failure, call, kernel, parameter, dtype);
  else
    give(kernel, index, &argument, 0, &failure);
  return ts_error_give(error, &failure);
}

ts_status ts_kernel_arg_i32(ts_kernel *kernel, const char *name, int32_t value, ts_error *error) {
  return ts_kernel_arg_scalar(kernel, name, TS_DTYPE_i32, &value, error);
}

ts_status ts_kernel_arg_u32(ts_kernel *kernel, const char *name, uint32_t value, ts_error *error) {
  return ts_kernel_arg_scalar(kernel, name, TS_DTYPE_u32, &value, error);
}

ts_status ts_kernel_arg_i64(ts_kernel *kernel, const char *name, int64_t value, ts_error *error) {
  return ts_kernel_arg_scalar(kernel, name, TS_DTYPE_i64, &value, error);
}

ts_status ts_kernel_arg_u64(ts_kernel *kernel, const char *name, uint64_t value, ts_error *error) {
  return ts_kernel_arg_scalar(kernel, name, TS_DTYPE_u64, &value, error);
}

ts_status ts_kernel_arg_f32(ts_kernel *kernel, const char *name, float value, ts_error *error) {
  return ts_kernel_arg_scalar(kernel, name, TS_DTYPE_f32, &value, error);
}

ts_status ts_kernel_arg_f64(ts_kernel *kernel, const char *name, double value, ts_error *error) {
  return ts_kernel_arg_scalar(kernel, name, TS_DTYPE_f64, &value, error);
}

/* ---- launches --------------------------------------------------------------------------------------------------- */

static const char launch[] = "ts_kernel_launch";

/* Every parameter that was never given an argument, in one message. */
static ts_status check_arguments(const ts_kernel *kernel, ts_error *error) {
  ts_text message = {0};
  for (size_t i = 0; i < kernel->signature->parameter_count; i++)
    if (!kernel->is_set[i])
      ts_text_print(&message, "%s\"%s\"", message.length ? ", " : "no argument was given for ",
                    kernel->signature->parameters[i].name);
  return message.length || message.failed ? fail_argument(error, TS_ERROR_ARGUMENT, launch, kernel, &message) : TS_OK;
}

/* Dimensions that are used: those before the trailing zeros. Returns 4 if there is a zero before another value. */
static int dimensions_of(const size_t size[3]) {
  int used = 3;
  while (used > 0 && size[used - 1] == 0) used--;
  for (int d = 0; d < used; d++)
    if (size[d] == 0) return 4;
  return used;
}

/* Fill trailing zeros with 1, and check that the group divides the items, and that 63 bits count all of them: drivers fail an
 * assertion, or launch none. A group of zeros stays: the device chooses. */
static ts_status check_grid(ts_grid *grid, ts_error *error) {
  uint64_t most = INT64_MAX;
  int items_used = dimensions_of(grid->items), group_used = dimensions_of(grid->group);
  if (items_used == 0 || items_used > 3)
    return ts_fail(error, TS_ERROR_USAGE, 0, launch,
                   "the grid has %zu x %zu x %zu work-items; give at least one in each dimension "
                   "that is used, and zeros after them",
                   grid->items[0], grid->items[1], grid->items[2]);
  if (group_used > 3)
    return ts_fail(error, TS_ERROR_USAGE, 0, launch,
                   "the work-group is %zu x %zu x %zu; give at least one work-item in each "
                   "dimension that is used, or zeros everywhere to let the device choose",
                   grid->group[0], grid->group[1], grid->group[2]);
  for (int d = 0; d < 3; d++) {
    if (grid->items[d] == 0) grid->items[d] = 1;
    if (grid->items[d] > most)
      return ts_fail(error, TS_ERROR_LIMIT, 0, launch,
                     "the grid has more than %" PRId64 " work-items; launch fewer, and let each do more", INT64_MAX);
    most /= grid->items[d];
    if (group_used == 0) continue;
    if (grid->group[d] == 0) grid->group[d] = 1;
    if (grid->items[d] % grid->group[d] != 0)
      return ts_fail(
          error, TS_ERROR_USAGE, 0, launch,
          "the %zu work-items of dimension %d are not a multiple of the %zu of a work-group; round them up, and let the "
          "kernel leave out those that are too many",
          grid->items[d], d, grid->group[d]);
    if (grid->items[d] / grid->group[d] > INT_MAX)
      return ts_fail(error, TS_ERROR_LIMIT, 0, launch, "dimension %d has more than %d work-groups; use larger ones", d,
                     INT_MAX);
  }
  return TS_OK;
}

/* Whether a work-group fits the device and, with `most` work-items, the kernel. */
static ts_status check_group(const ts_kernel *kernel, const size_t group[3], size_t most, ts_error *error) {
  const ts_device_info *info = &kernel->program->device->info;
  size_t product = 1;
  for (int d = 0; d < 3 && group[d] > 0; d++) {
    if (group[d] > info->max_group_size[d])
      return ts_fail(error, TS_ERROR_LIMIT, 0, launch,
                     "%zu work-items in dimension %d of a work-group are more than the %zu of %s", group[d], d,
                     info->max_group_size[d], info->id);
    if (group[d] > most / product)
      return ts_fail(error, TS_ERROR_LIMIT, 0, launch,
                     "a work-group of %zu x %zu x %zu work-items is more than the %zu that %s can run of the kernel %s",
                     group[0], group[1], group[2], most, info->id, kernel->signature->kernel);
    product *= group[d];
  }
  return TS_OK;
}

/* The memory that arguments take in one space, in bytes. */
static uint64_t given_bytes(const ts_kernel *kernel, ts_space space) {
  uint64_t total = 0;
  for (size_t i = 0; i < kernel->signature->parameter_count; i++)
    if (kernel->signature->parameters[i].space == space) total += kernel->memory_bytes[i];
  return total;
}

static ts_status check_memory(const ts_kernel *kernel, uint64_t shared_bytes, ts_error *error) {
  const ts_device_info *info = &kernel->program->device->info;
  uint64_t constant_bytes = given_bytes(kernel, TS_SPACE_constant);
  if (shared_bytes > info->shared_bytes)
    return ts_fail(error, TS_ERROR_LIMIT, 0, launch,
                   "the kernel %s needs %" PRIu64 " bytes of shared memory; a work-group of %s has %" PRIu64,
                   kernel->signature->kernel, shared_bytes, info->id, info->shared_bytes);
  if (constant_bytes > info->max_constant_bytes)
    return ts_fail(error, TS_ERROR_LIMIT, 0, launch,
                   "the constant buffers of the kernel %s are %" PRIu64 " bytes together; %s has %" PRIu64
                   " bytes of constant memory",
                   kernel->signature->kernel, constant_bytes, info->id, info->max_constant_bytes);
  return TS_OK;
}

static ts_status check_limits(ts_kernel *kernel, const ts_grid *grid, ts_error *error) {
  const ts_device *device = kernel->program->device;
  ts_kernel_limits limits = {.max_group_items = device->info.max_group_items,
                             .shared_bytes = given_bytes(kernel, TS_SPACE_shared)};
  if (device->backend->kernel_limits && device->backend->kernel_limits(kernel, &limits, error) != TS_OK) return error->status;
  if (check_group(kernel, grid->group, limits.max_group_items, error) != TS_OK) return error->status;
  return check_memory(kernel, limits.shared_bytes, error);
}

ts_status ts_kernel_launch(ts_queue *queue, ts_kernel *kernel, ts_grid grid, ts_event **event, ts_error *error) {
  ts_error failure = {.status = TS_OK};
  if (ts_fail_if_null(&failure, launch, "queue", queue) || ts_fail_if_null(&failure, launch, "kernel", kernel))
    return ts_error_give(error, &failure);
  if (queue->device != kernel->program->device) {
    ts_fail(&failure, TS_ERROR_USAGE, 0, launch, "the kernel was built for %s and the queue is of another device, %s",
            kernel->program->device->info.id, queue->device->info.id);
    return ts_error_give(error, &failure);
  }
  if (check_arguments(kernel, &failure) == TS_OK && check_grid(&grid, &failure) == TS_OK &&
      check_limits(kernel, &grid, &failure) == TS_OK &&
      queue->device->backend->kernel_launch(queue, kernel, grid.items, grid.group, event, &failure) == TS_OK && event)
    (*event)->queue = queue;
  return ts_error_give(error, &failure);
}
