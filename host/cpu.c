/* SPDX-License-Identifier: Apache-2.0
 *
 * cpu.c: see cpu.h. Buffers are plain memory, launches run on threads (group.h).
 *
 * Every command has ended when its call returns, so there is nothing to wait for, and nothing is shared by two queues.
 */
#define _POSIX_C_SOURCE 200809L
#include "cpu.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

enum {
  MAX_GROUP_ITEMS = 1024,
  CHOSEN_GROUP_ITEMS = 64, /* at most, where the caller leaves the group's size to us */
  SHARED_BYTES = 64 * 1024,
  CONSTANT_BYTES = 64 * 1024,
  BUFFER_ALIGN_BYTES = 128,
  MAX_THREADS = 1024
};

struct cpu_buffer {
  ts_buffer base;
  unsigned char *memory;
};

struct cpu_event {
  ts_event base;
  double seconds;
};

static ts_status no_memory(ts_error *error, const char *call) {
  return ts_fail(error, TS_ERROR_MEMORY, 0, call, "no memory is left on the host");
}

/* ---- devices -------------------------------------------------------------------------------------------------- */

/* The processor's name as Linux knows it, else the machine's kind. */
static void write_cpu_name(char *name, size_t bytes, const char *machine) {
  snprintf(name, bytes, "%s", machine);
  FILE *file = fopen("/proc/cpuinfo", "re");
  char line[TS_DEVICE_TEXT_BYTES];
  while (file && fgets(line, sizeof line, file)) {
    const char *value = strchr(line, ':');
    if (strncmp(line, "model name", 10) != 0 || !value) continue;
    value += 1 + strspn(value + 1, " ");
    snprintf(name, bytes, "%.*s", (int)strcspn(value, "\n"), value);
    break;
  }
  if (file) fclose(file);
}

/* Threads that a launch may use: TENSORSTORAGE_HOST_THREADS, else one for each processor that is online. */
static ts_status read_threads(uint32_t *threads, ts_error *error) {
  const char *text = getenv("TENSORSTORAGE_HOST_THREADS");
  long value = sysconf(_SC_NPROCESSORS_ONLN);
  if (text && *text) {
    char *end;
    value = strtol(text, &end, 10);
    if (*end || value < 1 || value > MAX_THREADS) {
      return ts_fail(error, TS_ERROR_USAGE, 0, "getenv",
                     "TENSORSTORAGE_HOST_THREADS is \"%s\"; set it to a number from 1 to %d", text, MAX_THREADS);
    }
  }
  *threads = value < 1 ? 1 : value > MAX_THREADS ? MAX_THREADS : (uint32_t)value;
  return TS_OK;
}

ts_status ts_cpu_describe(ts_device_info *info, ts_error *error) {
  struct utsname system;
  if (uname(&system) < 0)
    return ts_fail(error, TS_ERROR_DRIVER, errno, "uname", "the system's name is not known: %s", strerror(errno));
  uint64_t memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
  *info = (ts_device_info){.vendor = "TensorStorage",
                           .kind = TS_DEVICE_CPU,
                           .little_endian = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
                           .has_f64 = true,
                           .has_generic = true,
                           .max_group_items = MAX_GROUP_ITEMS,
                           .max_group_size = {MAX_GROUP_ITEMS, MAX_GROUP_ITEMS, MAX_GROUP_ITEMS},
                           .max_buffer_bytes = memory,
                           .max_constant_bytes = CONSTANT_BYTES,
                           .shared_bytes = SHARED_BYTES,
                           .global_bytes = memory,
                           .base_align_bytes = 1};
  write_cpu_name(info->name, sizeof info->name, system.machine);
  snprintf(info->driver, sizeof info->driver, "%.60s %.120s", system.sysname, system.release);
  return read_threads(&info->compute_units, error);
}

ts_status ts_cpu_device_open(ts_device **device, const ts_backend *backend, const ts_device_info *info, ts_error *error) {
  ts_device *cpu = calloc(1, sizeof *cpu);
  if (!cpu) return no_memory(error, "ts_device_open");
  cpu->backend = backend;
  cpu->info = *info;
  *device = cpu;
  return TS_OK;
}

void ts_cpu_device_close(ts_device *device) { free(device); }

/* ---- queues and events ---------------------------------------------------------------------------------------- */

ts_status ts_cpu_queue_create(ts_queue **queue, ts_device *device, ts_error *error) {
  (void)device;
  *queue = calloc(1, sizeof **queue);
  return *queue ? TS_OK : no_memory(error, "ts_queue_create");
}

ts_status ts_cpu_queue_finish(ts_queue *queue, ts_error *error) {
  (void)queue;
  (void)error;
  return TS_OK;
}

void ts_cpu_queue_destroy(ts_queue *queue) { free(queue); }

ts_status ts_cpu_event_wait(ts_event *event, ts_error *error) {
  (void)event;
  (void)error;
  return TS_OK;
}

ts_status ts_cpu_event_seconds(ts_event *event, double *seconds, ts_error *error) {
  (void)error;
  *seconds = ((const struct cpu_event *)event)->seconds;
  return TS_OK;
}

void ts_cpu_event_destroy(ts_event *event) { free(event); }

/* ---- buffers -------------------------------------------------------------------------------------------------- */

ts_status ts_cpu_buffer_create(ts_buffer **buffer, ts_device *device, ts_space space, size_t bytes, ts_error *error) {
  (void)device;
  (void)space; /* constant memory is memory that kernels have no store for */
  struct cpu_buffer *cpu = calloc(1, sizeof *cpu);
  void *memory = NULL;
  /* Not rounded up: the address sanitizer then knows where the buffer ends. */
  if (!cpu || posix_memalign(&memory, BUFFER_ALIGN_BYTES, bytes)) {
    free(cpu);
    return ts_fail(error, TS_ERROR_MEMORY, ENOMEM, "posix_memalign", "the host has no memory left for a buffer of %zu bytes",
                   bytes);
  }
  cpu->memory = memory;
  *buffer = &cpu->base;
  return TS_OK;
}

void ts_cpu_buffer_destroy(ts_buffer *buffer) {
  free(((struct cpu_buffer *)buffer)->memory);
  free(buffer);
}

ts_status ts_cpu_buffer_write(ts_queue *queue, ts_buffer *buffer, size_t byte_offset, const void *data, size_t bytes,
                              ts_error *error) {
  (void)queue;
  (void)error;
  if (bytes > 0) memcpy(((struct cpu_buffer *)buffer)->memory + byte_offset, data, bytes);
  return TS_OK;
}

ts_status ts_cpu_buffer_read(ts_queue *queue, const ts_buffer *buffer, size_t byte_offset, void *data, size_t bytes,
                             ts_error *error) {
  (void)queue;
  (void)error;
  if (bytes > 0) memcpy(data, ((const struct cpu_buffer *)buffer)->memory + byte_offset, bytes);
  return TS_OK;
}

unsigned char *ts_cpu_buffer_memory(const ts_buffer *buffer) { return ((const struct cpu_buffer *)buffer)->memory; }

/* ---- launch functions ----------------------------------------------------------------------------------------- */

/* The prelude's macro for a pointer parameter's type. */
static const char *pointer_macro(const ts_parameter *parameter) {
  if (parameter->space == TS_SPACE_shared) return "TS_SHARED_ARG";
  if (parameter->space == TS_SPACE_constant) return "TS_CONSTANT_ARG";
  return parameter->is_const ? "TS_GLOBAL_CONST_ARG" : "TS_GLOBAL_ARG";
}

/* Append the launch function of a kernel, see launch.h. It is one line, and a compiler's message about it says whose it is. */
static void write_launch_function(FILE *text, const ts_cpu_text *around, const ts_signature *signature) {
  fprintf(text,
          "#line 1 \"<launch of %s>\"\n"
          "%svoid " TS_CPU_LAUNCH_PREFIX "%s(struct ts_host_item *item, void *const *ts_host_arguments); "
          "void " TS_CPU_LAUNCH_PREFIX "%s(struct ts_host_item *item, void *const *ts_host_arguments) "
          "{ (void)ts_host_arguments; %s; %s(",
          signature->kernel, around->linkage, signature->kernel, signature->kernel, around->enter, signature->kernel);
  for (size_t i = 0; i < signature->parameter_count; i++) {
    const ts_parameter *parameter = &signature->parameters[i];
    const char *comma = i > 0 ? ", " : "", *dtype = ts_dtype_name(parameter->dtype);
    if (parameter->is_scalar) {
      fprintf(text, "%s*(ts_%s *)ts_host_arguments[%zu]", comma, dtype, i);
    } else {
      fprintf(text, "%s*(%s(%s) *)ts_host_arguments[%zu]", comma, pointer_macro(parameter), dtype, i);
    }
  }
  fprintf(text, "); }\n");
}

char *ts_cpu_launchable(const ts_cpu_text *around, const char *source, const ts_signature *signatures, size_t signature_count) {
  char *whole = NULL;
  size_t bytes;
  FILE *stream = open_memstream(&whole, &bytes);
  if (!stream) return NULL;
  fprintf(stream, "%s%s\n", around->before, source);
  if (signature_count > 0) fputs(around->after, stream);
  for (size_t i = 0; i < signature_count; i++) {
    if (signatures[i].is_checked) write_launch_function(stream, around, &signatures[i]);
  }
  bool is_whole = !ferror(stream);
  if (fclose(stream) == 0 && is_whole) return whole;
  free(whole);
  return NULL;
}

ts_status ts_cpu_find_launch(ts_host_launch_function **function, void *object, const ts_signature *signature, ts_error *error) {
  enum { NAME_BYTES = 1024 };
  char name[NAME_BYTES];
  int length = snprintf(name, sizeof name, TS_CPU_LAUNCH_PREFIX "%s", signature->kernel);
  void *symbol = signature->is_checked && length < NAME_BYTES ? dlsym(object, name) : NULL;
  if (!symbol) {
    return ts_fail(
        error, TS_ERROR_UNSUPPORTED, 0, "ts_kernel_get",
        "the host device can only launch a kernel whose signature can be read: include \"tensorstorage.h\" and declare "
        "%s with TS_KERNEL",
        signature->kernel);
  }
  memcpy(function, &symbol, sizeof symbol); /* C has no cast for it, POSIX promises that it works */
  return TS_OK;
}

/* ---- launches ------------------------------------------------------------------------------------------------- */

/* The largest group in one dimension that divides the items. */
static size_t choose_group(size_t items) {
  size_t group = items < CHOSEN_GROUP_ITEMS ? items : CHOSEN_GROUP_ITEMS;
  while (items % group != 0) group--;
  return group;
}

/* Set group_size and group_count. Errors: TS_ERROR_LIMIT: more groups than can be counted. */
static ts_status set_groups(ts_group_launch *launch, const size_t items[3], const size_t group[3], ts_error *error) {
  size_t groups = 1;
  for (int d = 0; d < 3; d++) {
    launch->group_size[d] = group[0] > 0 ? group[d] : d == 0 ? choose_group(items[0]) : 1;
    launch->group_count[d] = items[d] / launch->group_size[d];
    if (launch->group_count[d] > INT_MAX || launch->group_count[d] > SIZE_MAX / groups) {
      return ts_fail(error, TS_ERROR_LIMIT, 0, "ts_kernel_launch",
                     "kernel %s: %zu work-items in groups of %zu are too many groups in dimension %d; launch fewer or make the "
                     "groups larger",
                     launch->kernel, items[d], launch->group_size[d], d);
    }
    groups *= launch->group_count[d];
  }
  return TS_OK;
}

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

ts_status ts_cpu_launch(ts_queue *queue, ts_group_launch *launch, const size_t items[3], const size_t group[3],
                        ts_event **event, ts_error *error) {
  launch->threads = queue->device->info.compute_units;
  ts_status status = set_groups(launch, items, group, error);
  if (status != TS_OK) return status;
  struct cpu_event *ended = event ? calloc(1, sizeof *ended) : NULL;
  if (event && !ended) return no_memory(error, "ts_kernel_launch");
  double start = seconds_now();
  status = ts_group_run(launch, error);
  double end = seconds_now();
  if (status != TS_OK) {
    free(ended);
    return status;
  }
  if (event) {
    ended->seconds = end - start;
    *event = &ended->base;
  }
  return TS_OK;
}
