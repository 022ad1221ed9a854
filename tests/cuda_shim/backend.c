/* SPDX-License-Identifier: Apache-2.0
 *
 * backend.c: the backend "cuda-shim", of tests only: kernels are compiled as C++ under the text of cuda/prelude.h, and run on
 * this machine's CPU.
 *
 * It stands in for the CUDA driver: buffers are global memory, arguments in shared and constant memory are offsets, as
 * docs/cuda.md has them. What a running work-item asks is in checks.c. No GPU takes part, and nothing here says that one
 * would do the same: reports call it cuda-shim, never CUDA.
 */
#define _GNU_SOURCE /* dl_iterate_phdr, dlinfo */
#include "host/backend.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checks.h"
#include "host/compiler.h"
#include "host/cpu.h"

extern const ts_backend ts_cuda_shim_backend;
extern const char ts_embedded_cuda_shim[];

/* The sizes of the prelude's arrays. */
enum { CONSTANT_BYTES = 49152, CONSTANT_ALIGN_BYTES = 256, SHARED_BYTES = 49152, SHARED_ALIGN_BYTES = 128 };

/* -O1: kernels are a thousand instances of templates, and run for no time. */
static const char *const common_flags[] = {"-std=c++11", "-fPIC", "-g1", "-fno-exceptions", "-fno-rtti", NULL};
static const char *const exact_flags[] = {"-O1", "-ffp-contract=off", NULL};
static const char *const fast_flags[] = {"-O1", "-ffast-math", NULL};

static const ts_compiler compiler = {.language = "C++",
                                     .variable = "CXX",
                                     .command = "c++",
                                     .package = "g++",
                                     .source = "kernel.cpp",
                                     .common = common_flags,
                                     .exact = exact_flags,
                                     .fast = fast_flags};

/* The module's own definition of what the prelude leaves to the launch, and where the two arrays are. */
static const ts_cpu_text around = {
    .before = ts_embedded_cuda_shim,
    .after = "#line 1 \"<module>\"\n"
             "thread_local __align__(128) unsigned char ts_cuda_shared_bytes[49152];\n"
             "extern \"C\" unsigned char *ts_shim_shared() { return ts_cuda_shared_bytes; }\n"
             "extern \"C\" unsigned char *ts_shim_constant() { return TS_CUDA_CONSTANT_ARRAY.at; }\n",
    .linkage = "extern \"C\" ",
    .enter = "ts_shim_enter(item)",
};

struct shim_program {
  ts_program base;
  void *object;                   /* of dlopen */
  unsigned char *(*shared)(void); /* where its dynamic shared memory is, of this thread; NULL: it has no kernel */
  size_t shared_offset, shared_bytes;
  unsigned char *constant_array;
  shim_range image;              /* of the object: all its data but what belongs to a thread */
  pthread_mutex_t constant_lock; /* held by a launch that has filled the array */
};

/* One argument, while it is set, and its value as the launch function gets it. */
struct shim_argument {
  ts_argument given;
  union {
    void *pointer;
    unsigned offset;
    unsigned char scalar[8];
  } value;
};

struct shim_kernel {
  ts_kernel base;
  ts_host_launch_function *function;
  const ts_signature *signature;
  struct shim_argument *arguments; /* [parameter_count] */
  ts_group_argument *values;       /* [parameter_count] */
};

static ts_status no_memory(ts_error *error, const char *call) {
  return ts_fail(error, TS_ERROR_MEMORY, 0, call, "no memory is left on the host");
}

/* ---- devices ------------------------------------------------------------------------------------------------------ */

static ts_status shim_list(ts_device_infos *infos, ts_error *error) {
  ts_device_info info;
  ts_status status = ts_cpu_describe(&info, error);
  if (status != TS_OK) return status;
  char cpu[TS_DEVICE_TEXT_BYTES - 32], name[TS_DEVICE_TEXT_BYTES - 32];
  snprintf(cpu, sizeof cpu, "%.*s", (int)sizeof cpu - 1, info.name);
  if (!ts_compiler_name(name, sizeof name, &compiler)) snprintf(name, sizeof name, "no compiler found");
  snprintf(info.id, sizeof info.id, "cuda-shim");
  snprintf(info.backend, sizeof info.backend, "cuda-shim");
  snprintf(info.name, sizeof info.name, "no GPU, but %s", cpu);
  snprintf(info.language, sizeof info.language, "CUDA as C++11, %s", name);
  info.max_constant_bytes = CONSTANT_BYTES;
  info.shared_bytes = SHARED_BYTES;
  return ts_device_list_append(infos, &info, error);
}

static ts_status shim_device_open(ts_device **device, const ts_device_info *info, ts_error *error) {
  return ts_cpu_device_open(device, &ts_cuda_shim_backend, info, error);
}

static ts_status shim_predefine(ts_device *device, const ts_build_options *options, ts_text *lines, ts_error *error) {
  (void)device;
  (void)options;
  (void)error;
  ts_text_print(lines, "#define __CUDACC__ 1\n");
  return TS_OK;
}

/* ---- global memory: the buffers that there are -------------------------------------------------------------------- */

static struct global_buffer {
  struct global_buffer *next;
  const ts_buffer *buffer;
  size_t bytes;
} * globals;
static pthread_mutex_t globals_lock = PTHREAD_MUTEX_INITIALIZER;

static ts_status shim_buffer_create(ts_buffer **buffer, ts_device *device, ts_space space, size_t bytes, ts_error *error) {
  if (ts_cpu_buffer_create(buffer, device, space, bytes, error) != TS_OK || space != TS_SPACE_global) return error->status;
  struct global_buffer *global = malloc(sizeof *global);
  if (!global) {
    ts_cpu_buffer_destroy(*buffer);
    return no_memory(error, "ts_buffer_create");
  }
  pthread_mutex_lock(&globals_lock);
  *global = (struct global_buffer){.next = globals, .buffer = *buffer, .bytes = bytes};
  globals = global;
  pthread_mutex_unlock(&globals_lock);
  return TS_OK;
}

static void shim_buffer_destroy(ts_buffer *buffer) {
  pthread_mutex_lock(&globals_lock);
  for (struct global_buffer **at = &globals; *at; at = &(*at)->next) {
    if ((*at)->buffer != buffer) continue;
    struct global_buffer *gone = *at;
    *at = gone->next;
    free(gone);
    break;
  }
  pthread_mutex_unlock(&globals_lock);
  ts_cpu_buffer_destroy(buffer);
}

/* All buffers of global memory, to be freed. NULL when memory runs out. */
static shim_range *global_ranges(size_t *count) {
  size_t total = 0;
  pthread_mutex_lock(&globals_lock);
  for (const struct global_buffer *at = globals; at; at = at->next) total++;
  shim_range *ranges = calloc(total + 1, sizeof *ranges);
  *count = 0;
  for (const struct global_buffer *at = globals; ranges && at; at = at->next)
    ranges[(*count)++] = (shim_range){ts_cpu_buffer_memory(at->buffer), at->bytes};
  pthread_mutex_unlock(&globals_lock);
  return ranges;
}

/* ---- programs ----------------------------------------------------------------------------------------------------- */

/* A function of the object. C has no cast from what dlsym gives, POSIX promises that it works. */
static void find_function(void *function, void *object, const char *name) {
  void *symbol = dlsym(object, name);
  memcpy(function, &symbol, sizeof symbol);
}

/* For dl_iterate_phdr: if this is the program's object, note where its data is. */
static int note_object(struct dl_phdr_info *info, size_t bytes, void *context) {
  (void)bytes;
  struct shim_program *shim = context;
  const struct link_map *map;
  if (dlinfo(shim->object, RTLD_DI_LINKMAP, &map) || info->dlpi_addr != map->l_addr) return 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    size_t end = part->p_vaddr + part->p_memsz;
    if (part->p_type == PT_LOAD && end > shim->image.bytes) shim->image.bytes = end;
    if (part->p_type == PT_TLS) shim->shared_bytes = part->p_memsz;
  }
  uintptr_t begin = info->dlpi_addr;
  memcpy(&shim->image.begin, &begin, sizeof begin);
  if (info->dlpi_tls_data) shim->shared_offset = (size_t)(shim->shared() - (unsigned char *)info->dlpi_tls_data);
  return 1;
}

/* Find the memory of a loaded object's kernels. Errors: TS_ERROR_DRIVER. */
static ts_status find_memory(struct shim_program *shim, ts_error *error) {
  unsigned char *(*constant)(void);
  find_function(&shim->shared, shim->object, "ts_shim_shared");
  find_function(&constant, shim->object, "ts_shim_constant");
  if (!shim->shared || !constant) return TS_OK; /* no kernel */
  shim->shared();                               /* from here on this thread has its memory */
  shim->constant_array = constant();
  if (dl_iterate_phdr(note_object, shim) == 1 && shim->shared_bytes >= SHARED_BYTES) return TS_OK;
  return ts_fail(error, TS_ERROR_DRIVER, 0, "dl_iterate_phdr", "the shared memory of the compiled kernels was not found");
}

static ts_status shim_program_build(ts_program **program, ts_device *device, const char *text, const ts_signature *signatures,
                                    size_t signature_count, const ts_build_options *options, ts_error *error) {
  (void)device;
  struct shim_program *shim = calloc(1, sizeof *shim);
  char *whole = shim ? ts_cpu_launchable(&around, text, signatures, signature_count) : NULL;
  ts_status status =
      whole ? ts_compiler_load(&shim->object, &compiler, whole, options, NULL, error) : no_memory(error, "ts_program_build");
  if (status == TS_OK && find_memory(shim, error) != TS_OK) {
    status = error->status;
    dlclose(shim->object);
  }
  free(whole);
  if (status == TS_OK) {
    pthread_mutex_init(&shim->constant_lock, NULL);
    *program = &shim->base;
  } else {
    free(shim);
  }
  return status;
}

static void shim_program_destroy(ts_program *program) {
  struct shim_program *shim = (struct shim_program *)program;
  pthread_mutex_destroy(&shim->constant_lock);
  dlclose(shim->object);
  free(shim);
}

/* ---- kernels ------------------------------------------------------------------------------------------------------ */

static void shim_kernel_destroy(ts_kernel *kernel) {
  struct shim_kernel *shim = (struct shim_kernel *)kernel;
  free(shim->arguments);
  free(shim->values);
  free(shim);
}

static ts_status shim_kernel_get(ts_kernel **kernel, ts_program *program, const ts_signature *signature, ts_error *error) {
  struct shim_kernel *shim = calloc(1, sizeof *shim);
  if (!shim) return no_memory(error, "ts_kernel_get");
  shim->signature = signature;
  shim->arguments = calloc(signature->parameter_count + 1, sizeof *shim->arguments);
  shim->values = calloc(signature->parameter_count + 1, sizeof *shim->values);
  ts_status status = shim->arguments && shim->values
                         ? ts_cpu_find_launch(&shim->function, ((struct shim_program *)program)->object, signature, error)
                         : no_memory(error, "ts_kernel_get");
  if (status == TS_OK) {
    *kernel = &shim->base;
  } else {
    shim_kernel_destroy(&shim->base);
  }
  return status;
}

/* Pointers and scalars have their value now, offsets at the launch. */
static ts_status shim_kernel_arg(ts_kernel *kernel, size_t index, const ts_argument *argument, ts_error *error) {
  (void)error;
  struct shim_kernel *shim = (struct shim_kernel *)kernel;
  struct shim_argument *own = &shim->arguments[index];
  own->given = *argument;
  shim->values[index] = (ts_group_argument){.value = &own->value};
  if (argument->kind == TS_ARGUMENT_SCALAR) memcpy(own->value.scalar, argument->value, argument->bytes);
  if (argument->kind == TS_ARGUMENT_BUFFER)
    own->value.pointer = argument->buffer ? ts_cpu_buffer_memory(argument->buffer) + argument->byte_offset : NULL;
  return TS_OK;
}

static size_t round_up(size_t bytes, size_t unit) { return (bytes + unit - 1) / unit * unit; }

/* Give each argument in shared memory its place in the array of the group. */
static ts_status place_shared(struct shim_kernel *shim, ts_error *error) {
  size_t used = 0;
  for (size_t i = 0; i < shim->signature->parameter_count; i++) {
    struct shim_argument *argument = &shim->arguments[i];
    if (argument->given.kind != TS_ARGUMENT_SHARED) continue;
    argument->value.offset = (unsigned)used;
    used = round_up(used + argument->given.bytes, SHARED_ALIGN_BYTES);
  }
  if (used <= SHARED_BYTES) return TS_OK;
  return ts_fail(error, TS_ERROR_LIMIT, 0, "ts_kernel_launch",
                 "the arguments of kernel %s take %zu bytes of shared memory, each rounded up to %d; there are %d",
                 shim->signature->kernel, used, SHARED_ALIGN_BYTES, SHARED_BYTES);
}

static bool is_constant(const ts_parameter *parameter) {
  return !parameter->is_scalar && parameter->space == TS_SPACE_constant;
}

static bool has_constants(const struct shim_kernel *shim) {
  for (size_t i = 0; i < shim->signature->parameter_count; i++)
    if (is_constant(&shim->signature->parameters[i])) return true;
  return false;
}

/* Copy each argument in constant memory into the module's array, as far behind a multiple of the array's alignment as in its
 * buffer. */
static ts_status place_constants(struct shim_kernel *shim, unsigned char *array, ts_error *error) {
  size_t used = 0;
  for (size_t i = 0; i < shim->signature->parameter_count; i++) {
    struct shim_argument *argument = &shim->arguments[i];
    const ts_buffer *buffer = argument->given.buffer;
    if (!is_constant(&shim->signature->parameters[i])) continue;
    argument->value.offset = 0;
    if (!buffer) continue;
    size_t bytes = buffer->bytes - argument->given.byte_offset;
    size_t offset = round_up(used, CONSTANT_ALIGN_BYTES) + argument->given.byte_offset % CONSTANT_ALIGN_BYTES;
    if (offset + bytes > CONSTANT_BYTES)
      return ts_fail(error, TS_ERROR_LIMIT, 0, "ts_kernel_launch",
                     "the constant buffers of kernel %s take more than %d bytes, each rounded up to %d",
                     shim->signature->kernel, CONSTANT_BYTES, CONSTANT_ALIGN_BYTES);
    memcpy(array + offset, ts_cpu_buffer_memory(buffer) + argument->given.byte_offset, bytes);
    argument->value.offset = (unsigned)offset;
    used = offset + bytes;
  }
  return TS_OK;
}

static ts_status shim_kernel_launch(ts_queue *queue, ts_kernel *kernel, const size_t items[3], const size_t group[3],
                                    ts_event **event, ts_error *error) {
  struct shim_kernel *shim = (struct shim_kernel *)kernel;
  struct shim_program *program = (struct shim_program *)kernel->program;
  shim_launch context = {.constants = program->image,
                         .shared = program->shared,
                         .shared_offset = program->shared_offset,
                         .shared_bytes = program->shared_bytes};
  shim_range *ranges = global_ranges(&context.global_count);
  if (!ranges) return no_memory(error, "ts_kernel_launch");
  context.globals = ranges;
  ts_group_launch launch = {.function = shim->function,
                            .kernel = shim->signature->kernel,
                            .arguments = shim->values,
                            .argument_count = shim->signature->parameter_count,
                            .shared_limit = SHARED_BYTES,
                            .items_apart = true,
                            .group_start = shim_group_start,
                            .context = &context};
  /* Others of the program that have constants wait; those that have none run beside this launch. */
  bool fills_array = has_constants(shim);
  if (fills_array) pthread_mutex_lock(&program->constant_lock);
  if (place_shared(shim, error) == TS_OK && place_constants(shim, program->constant_array, error) == TS_OK)
    ts_cpu_launch(queue, &launch, items, group, event, error);
  if (fills_array) pthread_mutex_unlock(&program->constant_lock);
  free(ranges);
  return error->status;
}

const ts_backend ts_cuda_shim_backend = {
    .name = "cuda-shim",
    .language = "cuda",
    .list = shim_list,
    .device_open = shim_device_open,
    .device_close = ts_cpu_device_close,
    .queue_create = ts_cpu_queue_create,
    .queue_finish = ts_cpu_queue_finish,
    .queue_destroy = ts_cpu_queue_destroy,
    .event_wait = ts_cpu_event_wait,
    .event_seconds = ts_cpu_event_seconds,
    .event_destroy = ts_cpu_event_destroy,
    .buffer_create = shim_buffer_create,
    .buffer_destroy = shim_buffer_destroy,
    .buffer_write = ts_cpu_buffer_write,
    .buffer_read = ts_cpu_buffer_read,
    .predefine = shim_predefine,
    .program_build = shim_program_build,
    .program_destroy = shim_program_destroy,
    .kernel_get = shim_kernel_get,
    .kernel_destroy = shim_kernel_destroy,
    .kernel_arg = shim_kernel_arg,
    .kernel_launch = shim_kernel_launch,
};
