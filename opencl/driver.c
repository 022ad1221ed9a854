/* SPDX-License-Identifier: Apache-2.0
 *
 * driver.c: the OpenCL backend of the host library.
 *
 * Calls go through the ICD loader, which is linked and starts with no driver at all. Only functions of OpenCL 1.2 are called,
 * so drivers of any version from then on work; what is newer is asked of the driver and may be refused. Arguments were
 * checked before: see backend.h.
 */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS /* clCreateCommandQueue: its successor is not there in a driver of 1.2 */
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../host/backend.h"
#include "../host/cache.h"

typedef struct cl_backend_device {
  ts_device base;
  cl_device_id id;
  cl_context context;
  bool compiles_3;                 /* OpenCL C 3.0 */
  bool rounds_divisions_correctly; /* if a build asks for it: f32's / and sqrt */
} cl_backend_device;

typedef struct cl_backend_queue {
  ts_queue base;
  cl_command_queue queue;
  cl_event last_launch; /* NULL: none since the last finish */
} cl_backend_queue;

typedef struct cl_backend_event {
  ts_event base;
  cl_event event;
} cl_backend_event;

typedef struct cl_backend_buffer {
  ts_buffer base;
  cl_mem memory; /* NULL: no bytes */
} cl_backend_buffer;

typedef struct cl_backend_program {
  ts_program base;
  cl_program program;
} cl_backend_program;

typedef struct cl_backend_kernel {
  ts_kernel base;
  cl_kernel kernel;
  size_t parameter_count;
  cl_mem *ranges; /* for each parameter: the sub-buffer that was made for its argument, or NULL */
} cl_backend_kernel;

static cl_backend_device *device_of(ts_device *device) { return (cl_backend_device *)device; }
static cl_backend_queue *queue_of(ts_queue *queue) { return (cl_backend_queue *)queue; }
static cl_backend_event *event_of(ts_event *event) { return (cl_backend_event *)event; }
static cl_backend_kernel *kernel_of(ts_kernel *kernel) { return (cl_backend_kernel *)kernel; }
static cl_program program_of(ts_program *program) { return ((cl_backend_program *)program)->program; }
static cl_mem memory_of(const ts_buffer *buffer) { return ((const cl_backend_buffer *)buffer)->memory; }

/* ---- errors ----------------------------------------------------------------------------------------------------- */

/* clang-format off */
#define CODES(X)                                                                                                       \
  X(CL_DEVICE_NOT_FOUND) X(CL_DEVICE_NOT_AVAILABLE) X(CL_COMPILER_NOT_AVAILABLE) X(CL_MEM_OBJECT_ALLOCATION_FAILURE)   \
  X(CL_OUT_OF_RESOURCES) X(CL_OUT_OF_HOST_MEMORY) X(CL_PROFILING_INFO_NOT_AVAILABLE) X(CL_MEM_COPY_OVERLAP)            \
  X(CL_BUILD_PROGRAM_FAILURE) X(CL_MAP_FAILURE) X(CL_MISALIGNED_SUB_BUFFER_OFFSET)                                     \
  X(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST) X(CL_COMPILE_PROGRAM_FAILURE) X(CL_LINKER_NOT_AVAILABLE)             \
  X(CL_LINK_PROGRAM_FAILURE) X(CL_KERNEL_ARG_INFO_NOT_AVAILABLE) X(CL_INVALID_VALUE) X(CL_INVALID_DEVICE_TYPE)         \
  X(CL_INVALID_PLATFORM) X(CL_INVALID_DEVICE) X(CL_INVALID_CONTEXT) X(CL_INVALID_QUEUE_PROPERTIES)                     \
  X(CL_INVALID_COMMAND_QUEUE) X(CL_INVALID_HOST_PTR) X(CL_INVALID_MEM_OBJECT) X(CL_INVALID_BINARY)                     \
  X(CL_INVALID_BUILD_OPTIONS) X(CL_INVALID_PROGRAM) X(CL_INVALID_PROGRAM_EXECUTABLE) X(CL_INVALID_KERNEL_NAME)         \
  X(CL_INVALID_KERNEL_DEFINITION) X(CL_INVALID_KERNEL) X(CL_INVALID_ARG_INDEX) X(CL_INVALID_ARG_VALUE)                 \
  X(CL_INVALID_ARG_SIZE) X(CL_INVALID_KERNEL_ARGS) X(CL_INVALID_WORK_DIMENSION) X(CL_INVALID_WORK_GROUP_SIZE)          \
  X(CL_INVALID_WORK_ITEM_SIZE) X(CL_INVALID_GLOBAL_OFFSET) X(CL_INVALID_EVENT_WAIT_LIST) X(CL_INVALID_EVENT)           \
  X(CL_INVALID_OPERATION) X(CL_INVALID_BUFFER_SIZE) X(CL_INVALID_GLOBAL_WORK_SIZE) X(CL_INVALID_PROPERTY)              \
  X(CL_INVALID_COMPILER_OPTIONS) X(CL_INVALID_LINKER_OPTIONS) X(CL_PLATFORM_NOT_FOUND_KHR)
/* clang-format on */

static const char *code_name(cl_int code) {
  switch (code) {
#define NAME_OF(code)                                                                                                          \
  case code: return #code;
    CODES(NAME_OF)
#undef NAME_OF
  default: return "a code of its own";
  }
}

static bool is_memory_code(cl_int code) { return code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_HOST_MEMORY; }

/* Fail with a driver's code in words. `id` says whose driver, `what` what was tried, "allocate 64 bytes". */
static ts_status fail_code_of(ts_error *error, const char *call, cl_int code, const char *id, const char *what) {
  ts_status status = is_memory_code(code) ? TS_ERROR_MEMORY : TS_ERROR_DRIVER;
  return ts_fail(error, status, code, call, "the driver of %s could not %s: %s returned %s (%d)", id, what, call,
                 code_name(code), code);
}

static ts_status fail_code(ts_error *error, const char *call, cl_int code, const ts_device *device, const char *what) {
  return fail_code_of(error, call, code, device->info.id, what);
}

static ts_status fail_memory(ts_error *error, const char *call) {
  return ts_fail(error, TS_ERROR_MEMORY, 0, call, "no host memory for an object of the library");
}

/* ---- devices ---------------------------------------------------------------------------------------------------- */

enum { MAX_PLATFORMS = 64, MAX_DEVICES = 64 };

/* The platforms there are. No driver: none, and no failure. */
static ts_status get_platforms(cl_platform_id platforms[MAX_PLATFORMS], cl_uint *count, ts_error *error) {
  *count = 0;
  cl_int code = clGetPlatformIDs(MAX_PLATFORMS, platforms, count);
  if (*count > MAX_PLATFORMS) *count = MAX_PLATFORMS;
  if (code == CL_SUCCESS) return TS_OK;
  *count = 0;
  if (code == CL_PLATFORM_NOT_FOUND_KHR) return TS_OK;
  return ts_fail(error, is_memory_code(code) ? TS_ERROR_MEMORY : TS_ERROR_DRIVER, code, "clGetPlatformIDs",
                 "OpenCL's loader could not list platforms: clGetPlatformIDs returned %s (%d)", code_name(code), code);
}

/* The devices of the p-th platform. None is no failure. */
static ts_status get_devices(cl_platform_id platform, unsigned p, cl_device_id devices[MAX_DEVICES], cl_uint *count,
                             ts_error *error) {
  *count = 0;
  cl_int code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, MAX_DEVICES, devices, count);
  if (*count > MAX_DEVICES) *count = MAX_DEVICES;
  if (code == CL_SUCCESS) return TS_OK;
  *count = 0;
  if (code == CL_DEVICE_NOT_FOUND) return TS_OK;
  char id[32];
  snprintf(id, sizeof id, "cl:%u", p);
  return fail_code_of(error, "clGetDeviceIDs", code, id, "list its devices");
}

/* Questions that a device is asked, one after the other. A driver may not know one: that is an answer. */
typedef struct asking {
  cl_device_id device;
  cl_int code;       /* of the first question that failed otherwise, or CL_SUCCESS */
  bool lacks_memory; /* on our side */
} asking;

/* Returns the bytes of the answer, cut to `room`; 0: there is none. */
static size_t ask(asking *a, cl_device_info question, void *answer, size_t room) {
  size_t bytes = 0;
  cl_int code = clGetDeviceInfo(a->device, question, room, answer, &bytes);
  if (code == CL_SUCCESS) return bytes;
  if (code != CL_INVALID_VALUE && a->code == CL_SUCCESS) a->code = code;
  return 0;
}

/* A property of a device that is a number, widened; 0 if the driver does not know the question. Numbers in OpenCL are
 * little-endian or big-endian as the host's are, and 4 or 8 bytes. */
static uint64_t get_number(asking *a, cl_device_info question) {
  union {
    uint32_t narrow;
    uint64_t wide;
  } answer = {.wide = 0};
  size_t bytes = ask(a, question, &answer, sizeof answer);
  return bytes == sizeof answer.narrow ? answer.narrow : answer.wide;
}

/* A property of a device that is a text, to be freed; NULL if the driver does not know the question. */
static char *get_text(asking *a, cl_device_info question) {
  size_t bytes = ask(a, question, NULL, 0);
  if (bytes == 0) return NULL;
  char *text = calloc(bytes + 1, 1);
  a->lacks_memory = a->lacks_memory || !text;
  if (text && ask(a, question, text, bytes) > 0) return text;
  free(text);
  return NULL;
}

/* Fail if a question has. `what` is as for fail_code_of. */
static ts_status check_asked(const asking *a, const char *id, const char *what, ts_error *error) {
  if (a->code != CL_SUCCESS) fail_code_of(error, "clGetDeviceInfo", a->code, id, what);
  if (a->lacks_memory) fail_memory(error, "clGetDeviceInfo");
  return error->status;
}

static void copy_text(char to[TS_DEVICE_TEXT_BYTES], asking *a, cl_device_info question) {
  char *text = get_text(a, question);
  snprintf(to, TS_DEVICE_TEXT_BYTES, "%s", text ? text : "");
  free(text);
}

/* Whether kernels can be compiled as OpenCL C 3.0. A driver of OpenCL 3.0 may still call 1.2 its OpenCL C version (PoCL), and
 * one of OpenCL 1.2 lists a 3.0 that it cannot compile (Oclgrind): only drivers of OpenCL 3 are asked for their list. */
static bool has_opencl_c_3(asking *a) {
  char *version = get_text(a, CL_DEVICE_VERSION); /* "OpenCL 3.0 …" */
  int major = 0;
  if (version) sscanf(version, "OpenCL %d", &major);
  free(version);
  if (major < 3) return false;
  cl_name_version versions[32];
  size_t bytes = ask(a, CL_DEVICE_OPENCL_C_ALL_VERSIONS, versions, sizeof versions);
  for (size_t i = 0; i < bytes / sizeof versions[0]; i++)
    if (CL_VERSION_MAJOR(versions[i].version) == 3) return true;
  return false;
}

static bool has_f64(asking *a) {
  char *extensions = get_text(a, CL_DEVICE_EXTENSIONS);
  bool has_extension = extensions && strstr(extensions, "cl_khr_fp64");
  free(extensions);
  return has_extension || get_number(a, CL_DEVICE_DOUBLE_FP_CONFIG) != 0;
}

static ts_device_kind kind_of(asking *a) {
  uint64_t type = get_number(a, CL_DEVICE_TYPE);
  if (type & CL_DEVICE_TYPE_GPU) return TS_DEVICE_GPU;
  return type & CL_DEVICE_TYPE_CPU ? TS_DEVICE_CPU : TS_DEVICE_OTHER;
}

/* Describe the d-th device of the p-th platform. */
static ts_status describe(ts_device_info *info, cl_platform_id platform, cl_device_id device, unsigned p, unsigned d,
                          ts_error *error) {
  asking a = {.device = device};
  bool compiles_3 = has_opencl_c_3(&a);
  *info = (ts_device_info){
      .backend = "opencl",
      .kind = kind_of(&a),
      .little_endian = get_number(&a, CL_DEVICE_ENDIAN_LITTLE) != 0,
      .has_f64 = has_f64(&a),
      .has_generic = compiles_3 && get_number(&a, CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT) != 0,
      .compute_units = (uint32_t)get_number(&a, CL_DEVICE_MAX_COMPUTE_UNITS),
      .max_group_items = (size_t)get_number(&a, CL_DEVICE_MAX_WORK_GROUP_SIZE),
      .max_buffer_bytes = get_number(&a, CL_DEVICE_MAX_MEM_ALLOC_SIZE),
      .max_constant_bytes = get_number(&a, CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE),
      .shared_bytes = get_number(&a, CL_DEVICE_LOCAL_MEM_SIZE),
      .global_bytes = get_number(&a, CL_DEVICE_GLOBAL_MEM_SIZE),
      .base_align_bytes = (uint32_t)(get_number(&a, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8), /* the driver says bits */
  };
  size_t sizes[16] = {0};
  ask(&a, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizes, sizeof sizes);
  memcpy(info->max_group_size, sizes, sizeof info->max_group_size);
  snprintf(info->id, sizeof info->id, "cl:%u:%u", p, d);
  snprintf(info->language, sizeof info->language, "OpenCL C %s", compiles_3 ? "3.0" : "1.2");
  copy_text(info->name, &a, CL_DEVICE_NAME);
  copy_text(info->driver, &a, CL_DRIVER_VERSION);
  if (check_asked(&a, info->id, "describe it", error) != TS_OK) return error->status;
  clGetPlatformInfo(platform, CL_PLATFORM_VENDOR, sizeof info->vendor - 1, info->vendor, NULL); /* "": not known */
  return TS_OK;
}

/* A device that fails is left out, and so are all of a platform that fails; the others are appended. */
static ts_status list(ts_device_infos *infos, ts_error *error) {
  cl_platform_id platforms[MAX_PLATFORMS];
  cl_device_id devices[MAX_DEVICES];
  cl_uint platform_count, device_count;
  get_platforms(platforms, &platform_count, error);
  for (cl_uint p = 0; p < platform_count; p++) {
    get_devices(platforms[p], p, devices, &device_count, error);
    for (cl_uint d = 0; d < device_count; d++) {
      ts_device_info info;
      ts_error failure = {.status = TS_OK};
      if (describe(&info, platforms[p], devices[d], p, d, &failure) == TS_OK) ts_device_list_append(infos, &info, &failure);
      if (error->status == TS_OK) *error = failure;
    }
  }
  return error->status;
}

extern const ts_backend ts_opencl_backend;

static ts_status device_open(ts_device **device, const ts_device_info *info, ts_error *error) {
  cl_platform_id platforms[MAX_PLATFORMS];
  cl_device_id devices[MAX_DEVICES];
  cl_uint platform_count, device_count = 0;
  unsigned p = 0, d = 0;
  bool is_id = sscanf(info->id, "cl:%u:%u", &p, &d) == 2;
  if (get_platforms(platforms, &platform_count, error) != TS_OK) return error->status;
  if (p < platform_count && get_devices(platforms[p], p, devices, &device_count, error) != TS_OK) return error->status;
  if (!is_id || d >= device_count)
    return ts_fail(error, TS_ERROR_NO_DEVICE, 0, "ts_device_open", "the device %s has gone; list devices again", info->id);

  asking a = {.device = devices[d]};
  bool compiles_3 = has_opencl_c_3(&a);
  bool can_round = get_number(&a, CL_DEVICE_SINGLE_FP_CONFIG) & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT;
  if (check_asked(&a, info->id, "say what it compiles", error) != TS_OK) return error->status;
  cl_backend_device *opened = calloc(1, sizeof *opened);
  if (!opened) return fail_memory(error, "ts_device_open");
  opened->base = (ts_device){.backend = &ts_opencl_backend, .info = *info};
  opened->id = devices[d];
  opened->compiles_3 = compiles_3;
  opened->rounds_divisions_correctly = can_round;
  cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)platforms[p], 0};
  cl_int code;
  opened->context = clCreateContext(properties, 1, &devices[d], NULL, NULL, &code);
  if (code != CL_SUCCESS) {
    fail_code(error, "clCreateContext", code, &opened->base, "open it");
    free(opened);
    return error->status;
  }
  *device = &opened->base;
  return TS_OK;
}

static void device_close(ts_device *device) {
  clReleaseContext(device_of(device)->context);
  free(device);
}

/* ---- queues and events ------------------------------------------------------------------------------------------ */

static ts_status queue_create(ts_queue **queue, ts_device *device, ts_error *error) {
  cl_backend_queue *created = calloc(1, sizeof *created);
  if (!created) return fail_memory(error, "ts_queue_create");
  cl_int code;
  created->queue = clCreateCommandQueue(device_of(device)->context, device_of(device)->id, CL_QUEUE_PROFILING_ENABLE, &code);
  if (code != CL_SUCCESS) {
    free(created);
    return fail_code(error, "clCreateCommandQueue", code, device, "make a queue");
  }
  *queue = &created->base;
  return TS_OK;
}

static ts_status fail_kernel(ts_error *error, const char *call, cl_int code, const ts_device *device) {
  return ts_fail(error, TS_ERROR_KERNEL, code, call,
                 "a kernel failed while it ran on %s: %s (%d); the buffers that it may write are undefined", device->info.id,
                 code_name(code), code);
}

/* Fail if a command that has ended did not end well. A launch fails after it was queued, so this is where it shows. */
static ts_status check_ended(cl_event event, const char *call, const ts_device *device, ts_error *error) {
  cl_int state = CL_COMPLETE; /* negative: the code of its failure */
  cl_int code = clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
  if (code != CL_SUCCESS) return fail_code(error, "clGetEventInfo", code, device, "say how a command ended");
  return state < 0 ? fail_kernel(error, call, state, device) : TS_OK;
}

static void forget_launch(cl_backend_queue *queue) {
  if (queue->last_launch) clReleaseEvent(queue->last_launch);
  queue->last_launch = NULL;
}

/* The last launch tells more than the queue does. */
static ts_status queue_finish(ts_queue *queue, ts_error *error) {
  cl_int code = clFinish(queue_of(queue)->queue);
  cl_event last = queue_of(queue)->last_launch;
  if (last) check_ended(last, "clFinish", queue->device, error);
  if (code != CL_SUCCESS) fail_code(error, "clFinish", code, queue->device, "finish a queue");
  forget_launch(queue_of(queue));
  return error->status;
}

static void queue_destroy(ts_queue *queue) {
  forget_launch(queue_of(queue));
  clReleaseCommandQueue(queue_of(queue)->queue);
  free(queue);
}

static ts_status event_wait(ts_event *event, ts_error *error) {
  cl_event waited = event_of(event)->event;
  const ts_device *device = event->queue->device;
  cl_int code = clWaitForEvents(1, &waited);
  check_ended(waited, "clWaitForEvents", device, error);
  if (code != CL_SUCCESS) fail_code(error, "clWaitForEvents", code, device, "wait for a command");
  return error->status;
}

static ts_status event_seconds(ts_event *event, double *seconds, ts_error *error) {
  cl_ulong start = 0, end = 0; /* nanoseconds */
  cl_event of = event_of(event)->event;
  cl_int code = clGetEventProfilingInfo(of, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL);
  if (code == CL_SUCCESS) code = clGetEventProfilingInfo(of, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
  if (code != CL_SUCCESS) return fail_code(error, "clGetEventProfilingInfo", code, event->queue->device, "time a command");
  *seconds = (double)(end - start) * 1e-9;
  return TS_OK;
}

static void event_destroy(ts_event *event) {
  clReleaseEvent(event_of(event)->event);
  free(event);
}

/* ---- buffers ---------------------------------------------------------------------------------------------------- */

static ts_status buffer_create(ts_buffer **buffer, ts_device *device, ts_space space, size_t bytes, ts_error *error) {
  cl_backend_buffer *created = calloc(1, sizeof *created);
  if (!created) return fail_memory(error, "ts_buffer_create");
  cl_int code = CL_SUCCESS;
  cl_mem_flags flags = space == TS_SPACE_constant ? CL_MEM_READ_ONLY : CL_MEM_READ_WRITE;
  if (bytes > 0) created->memory = clCreateBuffer(device_of(device)->context, flags, bytes, NULL, &code);
  if (code != CL_SUCCESS) {
    free(created);
    return fail_code(error, "clCreateBuffer", code, device, "allocate a buffer");
  }
  *buffer = &created->base;
  return TS_OK;
}

static void buffer_destroy(ts_buffer *buffer) {
  if (memory_of(buffer)) clReleaseMemObject(memory_of(buffer));
  free(buffer);
}

static ts_status buffer_write(ts_queue *queue, ts_buffer *buffer, size_t byte_offset, const void *data, size_t bytes,
                              ts_error *error) {
  cl_int code =
      clEnqueueWriteBuffer(queue_of(queue)->queue, memory_of(buffer), CL_TRUE, byte_offset, bytes, data, 0, NULL, NULL);
  return code == CL_SUCCESS ? TS_OK : fail_code(error, "clEnqueueWriteBuffer", code, queue->device, "write a buffer");
}

static ts_status buffer_read(ts_queue *queue, const ts_buffer *buffer, size_t byte_offset, void *data, size_t bytes,
                             ts_error *error) {
  cl_int code =
      clEnqueueReadBuffer(queue_of(queue)->queue, memory_of(buffer), CL_TRUE, byte_offset, bytes, data, 0, NULL, NULL);
  if (code != CL_SUCCESS) return fail_code(error, "clEnqueueReadBuffer", code, queue->device, "read a buffer");
  cl_event last = queue_of(queue)->last_launch; /* it has ended: what was read may be what it should have written */
  return last ? check_ended(last, "clEnqueueReadBuffer", queue->device, error) : TS_OK;
}

/* ---- programs --------------------------------------------------------------------------------------------------- */

static const char *standard_of(ts_device *device, const ts_build_options *options) {
  if (options->standard) return options->standard;
  return device_of(device)->compiles_3 ? "CL3.0" : "CL1.2";
}

static ts_status check_standard(ts_device *device, const ts_build_options *options, ts_error *error) {
  if (strcmp(standard_of(device, options), "CL3.0") != 0 || device_of(device)->compiles_3) return TS_OK;
  return ts_fail(error, TS_ERROR_UNSUPPORTED, 0, "ts_program_build", "%s does not compile OpenCL C 3.0; choose CL1.2",
                 device->info.id);
}

static ts_status predefine(ts_device *device, const ts_build_options *options, ts_text *lines, ts_error *error) {
  bool is_3 = !strcmp(standard_of(device, options), "CL3.0");
  int version = is_3 ? 300 : 120;
  ts_text_print(lines, "#define __OPENCL_VERSION__ %d\n#define __OPENCL_C_VERSION__ %d\n", version, version);
  if (!is_3) ts_text_print(lines, "#ifndef TS_HAVE_GENERIC\n#define TS_HAVE_GENERIC 0\n#endif\n");
  return check_standard(device, options, error);
}

/* Whether the user defines the macro. */
static bool defines(const ts_build_options *options, const char *macro) {
  size_t length = strlen(macro);
  for (const char *const *define = options->defines; define && *define; define++)
    if (!strncmp(*define, macro, length) && strchr("=", (*define)[length])) return true;
  return false;
}

/* The driver's options. The user's macros are in the text, and so are the headers that include_dirs hold; the folders are given
 * for includes that name a macro. One with a blank in its path can't be: drivers split there, quoted or not. */
static char *driver_options(ts_device *device, const ts_build_options *options) {
  ts_text text = {0};
  ts_text_print(&text, "-cl-std=%s -cl-kernel-arg-info", standard_of(device, options));
  if (options->fast_math)
    ts_text_print(&text, " -cl-fast-relaxed-math");
  else if (device_of(device)->rounds_divisions_correctly)
    ts_text_print(&text, " -cl-fp32-correctly-rounded-divide-sqrt"); /* single IEEE operations: the same bits everywhere */
  if (device->info.kind == TS_DEVICE_CPU && !defines(options, "TS_GROUP_IS_SERIAL")) /* core/copy.h */
    ts_text_print(&text, " -DTS_GROUP_IS_SERIAL=1");
  for (const char *const *dir = options->include_dirs; dir && *dir; dir++)
    if (!strpbrk(*dir, " \t\"'\\")) ts_text_print(&text, " -I %s", *dir);
  if (options->extra) ts_text_print(&text, " %s", options->extra);
  if (!text.failed) return text.chars;
  free(text.chars);
  return NULL;
}

/* Fail with the compiler's log. */
static ts_status fail_build(ts_error *error, cl_int code, cl_program program, ts_device *device) {
  size_t bytes = 0;
  clGetProgramBuildInfo(program, device_of(device)->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes);
  char *log = calloc(bytes + 1, 1);
  if (!log) return fail_memory(error, "clBuildProgram");
  clGetProgramBuildInfo(program, device_of(device)->id, CL_PROGRAM_BUILD_LOG, bytes, log, NULL);
  if (code == CL_BUILD_PROGRAM_FAILURE || *log)
    ts_fail(error, TS_ERROR_BUILD, code, "clBuildProgram", "%s", *log ? log : "(the compiler's log is empty)");
  else
    fail_code(error, "clBuildProgram", code, device, "build a program");
  free(log);
  return error->status;
}

/* Its context has one device, so there is one binary. */
static ts_status program_binary(ts_program *program, ts_text *bytes, ts_error *error) {
  size_t size = 0;
  cl_int code = clGetProgramInfo(program_of(program), CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL);
  unsigned char *binary = calloc(size + 1, 1);
  if (!binary) return fail_memory(error, "ts_compile");
  if (code == CL_SUCCESS) code = clGetProgramInfo(program_of(program), CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL);
  if (code == CL_SUCCESS)
    ts_text_append(bytes, (const char *)binary, size);
  else
    fail_code(error, "clGetProgramInfo", code, program->device, "give a program's binary");
  free(binary);
  return error->status;
}

/* ---- programs that were built before: see cache.h -------------------------------------------------------------------- */

/* Platforms whose drivers need no cache of ours, by name, and why. */
static const struct {
  const char *platform, *why;
} own_caches[] = {
    {"Portable Computing Language", "PoCL keeps what it compiles itself, in POCL_CACHE_DIR"},
    {"NVIDIA CUDA", "NVIDIA's driver keeps what it compiles itself, in CUDA_CACHE_PATH"},
    {"Intel(R) OpenCL Graphics", "Intel's driver of GPUs keeps what it compiles itself, in NEO_CACHE_DIR"},
    {"AMD Accelerated Parallel Processing", "AMD's compiler keeps what it compiles itself, in AMD_COMGR_CACHE_DIR"},
    {"rusticl", "Mesa keeps what it compiles itself, in MESA_SHADER_CACHE_DIR"},
    {"Oclgrind", "Oclgrind is there to look at each build"},
};

static cl_platform_id platform_of(ts_device *device) {
  cl_platform_id platform = NULL;
  clGetDeviceInfo(device_of(device)->id, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL);
  return platform;
}

static const char *own_cache(ts_device *device) {
  char name[TS_DEVICE_TEXT_BYTES] = "";
  clGetPlatformInfo(platform_of(device), CL_PLATFORM_NAME, sizeof name - 1, name, NULL);
  for (size_t i = 0; i < sizeof own_caches / sizeof own_caches[0]; i++)
    if (!strcmp(name, own_caches[i].platform)) return own_caches[i].why;
  return NULL;
}

/* What a binary hangs on, besides the text: who makes it, for what, and how. */
static void add_to_key(ts_cached *cached, ts_device *device, const char *flags) {
  static const struct {
    const char *name;
    cl_device_info question;
  } of_device[] = {{"device", CL_DEVICE_NAME},
                   {"vendor", CL_DEVICE_VENDOR},
                   {"device version", CL_DEVICE_VERSION},
                   {"driver version", CL_DRIVER_VERSION},
                   {"extensions", CL_DEVICE_EXTENSIONS}};
  for (size_t i = 0; i < sizeof of_device / sizeof of_device[0]; i++) {
    char *text = get_text(&(asking){.device = device_of(device)->id}, of_device[i].question);
    if (!text) ts_cached_refuse(cached, "the driver does not say what it is");
    ts_cached_add(cached, of_device[i].name, text ? text : "");
    free(text);
  }
  char version[1024] = ""; /* PoCL's names the compiler and how it was built */
  if (clGetPlatformInfo(platform_of(device), CL_PLATFORM_VERSION, sizeof version - 1, version, NULL) != CL_SUCCESS)
    ts_cached_refuse(cached, "the driver does not say what it is");
  ts_cached_add(cached, "platform version", version);
  ts_cached_add(cached, "flags", flags);
}

/* Take a program from the cache. Returns NULL if there is none, or the driver does not want it any more. */
static cl_program find_program(ts_cached *cached, ts_device *device, const char *flags) {
  ts_cache_part parts[TS_CACHE_PARTS];
  if (!ts_cached_find(cached, parts)) return NULL;
  const unsigned char *binary = (const unsigned char *)parts[0].bytes;
  cl_device_id id = device_of(device)->id;
  cl_int code;
  cl_program program = clCreateProgramWithBinary(device_of(device)->context, 1, &id, &parts[0].count, &binary, NULL, &code);
  if (code == CL_SUCCESS) {
    code = clBuildProgram(program, 1, &id, flags, NULL, NULL);
    if (code != CL_SUCCESS) clReleaseProgram(program);
  }
  if (code != CL_SUCCESS) ts_cached_reject(cached, code_name(code));
  for (int i = 0; i < TS_CACHE_PARTS; i++) free(parts[i].bytes);
  return code == CL_SUCCESS ? program : NULL;
}

static void store_program(const ts_cached *cached, ts_program *program) {
  ts_error ignored = {.status = TS_OK}; /* it is built, and that is what was asked for */
  ts_text binary = {0};
  if (*cached->refusal) return;
  if (program_binary(program, &binary, &ignored) == TS_OK && !binary.failed && binary.length > 0)
    ts_cached_store(cached, (const ts_cache_part[TS_CACHE_PARTS]){{.bytes = binary.chars, .count = binary.length}});
  free(binary.chars);
}

/* ---- building ---------------------------------------------------------------------------------------------------------- */

/* Returns NULL and fails if it does not build. */
static cl_program build_source(ts_device *device, const char *text, const char *flags, ts_error *error) {
  cl_device_id id = device_of(device)->id;
  cl_int code;
  cl_program program = clCreateProgramWithSource(device_of(device)->context, 1, &text, NULL, &code);
  if (code != CL_SUCCESS) {
    fail_code(error, "clCreateProgramWithSource", code, device, "take a program's source");
    return NULL;
  }
  code = clBuildProgram(program, 1, &id, flags, NULL, NULL);
  if (code == CL_SUCCESS) return program;
  fail_build(error, code, program, device);
  clReleaseProgram(program);
  return NULL;
}

static ts_status program_build(ts_program **program, ts_device *device, const char *text, const ts_signature *signatures,
                               size_t signature_count, const ts_build_options *options, ts_error *error) {
  (void)signatures, (void)signature_count; /* a driver finds its kernels itself */
  if (check_standard(device, options, error) != TS_OK) return error->status;
  cl_backend_program *built = calloc(1, sizeof *built);
  char *flags = driver_options(device, options);
  ts_cached cached = {0};
  if (!built || !flags)
    fail_memory(error, "ts_program_build");
  else if (ts_cached_begin(&cached, "OpenCL", device->info.id, text, options, own_cache(device), error) == TS_OK) {
    if (!*cached.refusal) add_to_key(&cached, device, flags);
    built->program = find_program(&cached, device, flags);
    if (!built->program) {
      built->program = build_source(device, text, flags, error);
      built->base.device = device;
      if (built->program) store_program(&cached, &built->base);
    }
  }
  ts_cached_end(&cached);
  free(flags);
  if (error->status == TS_OK)
    *program = &built->base;
  else
    free(built);
  return error->status;
}

static void program_destroy(ts_program *program) {
  clReleaseProgram(program_of(program));
  free(program);
}

static bool is_known(const ts_signatures *signatures, const char *kernel) {
  for (size_t i = 0; i < signatures->count; i++)
    if (!strcmp(kernel, signatures->rows[i].kernel)) return true;
  return false;
}

static ts_status add_kernel(ts_program *program, ts_signatures *signatures, const char *name, ts_error *error) {
  cl_int code;
  cl_uint count = 0;
  cl_kernel kernel = clCreateKernel(program_of(program), name, &code);
  if (code != CL_SUCCESS) return fail_code(error, "clCreateKernel", code, program->device, "make a kernel that it lists");
  code = clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL);
  clReleaseKernel(kernel);
  if (code != CL_SUCCESS) return fail_code(error, "clGetKernelInfo", code, program->device, "count a kernel's parameters");
  return ts_signatures_add_unchecked(signatures, name, count, error);
}

static ts_status program_find_kernels(ts_program *program, ts_signatures *signatures, ts_error *error) {
  size_t bytes = 0;
  cl_int code = clGetProgramInfo(program_of(program), CL_PROGRAM_KERNEL_NAMES, 0, NULL, &bytes);
  char *names = calloc(bytes + 1, 1);
  if (!names) return fail_memory(error, "ts_program_build");
  if (code == CL_SUCCESS) code = clGetProgramInfo(program_of(program), CL_PROGRAM_KERNEL_NAMES, bytes, names, NULL);
  if (code != CL_SUCCESS) fail_code(error, "clGetProgramInfo", code, program->device, "list a program's kernels");

  char *state = NULL;
  for (char *name = strtok_r(names, ";", &state); name && error->status == TS_OK; name = strtok_r(NULL, ";", &state))
    if (!is_known(signatures, name)) add_kernel(program, signatures, name, error);
  free(names);
  return error->status;
}

/* ---- kernels ---------------------------------------------------------------------------------------------------- */

static ts_status kernel_get(ts_kernel **kernel, ts_program *program, const ts_signature *signature, ts_error *error) {
  cl_backend_kernel *got = calloc(1, sizeof *got);
  cl_mem *ranges = calloc(signature->parameter_count + 1, sizeof *ranges);
  cl_int code = CL_SUCCESS;
  if (!got || !ranges)
    fail_memory(error, "ts_kernel_get");
  else
    got->kernel = clCreateKernel(program_of(program), signature->kernel, &code);
  if (code != CL_SUCCESS) fail_code(error, "clCreateKernel", code, program->device, "make a kernel");
  if (error->status != TS_OK) {
    free(got);
    free(ranges);
    return error->status;
  }
  got->parameter_count = signature->parameter_count;
  got->ranges = ranges;
  *kernel = &got->base;
  return TS_OK;
}

static void kernel_destroy(ts_kernel *kernel) {
  cl_backend_kernel *k = kernel_of(kernel);
  clReleaseKernel(k->kernel);
  for (size_t i = 0; i < k->parameter_count; i++)
    if (k->ranges[i]) clReleaseMemObject(k->ranges[i]);
  free(k->ranges);
  free(k);
}

/* The memory to pass for a buffer argument: NULL, the whole, or a range that is made and must be kept.
 *
 * A buffer's end has no bytes and no range: NULL is passed, as for a buffer of no bytes. */
static cl_mem argument_memory(const ts_argument *argument, cl_mem *range, cl_int *code) {
  const ts_buffer *buffer = argument->buffer;
  *range = NULL;
  *code = CL_SUCCESS;
  if (!buffer || argument->byte_offset == buffer->bytes) return NULL;
  if (argument->byte_offset == 0) return memory_of(buffer);
  cl_buffer_region region = {.origin = argument->byte_offset, .size = buffer->bytes - argument->byte_offset};
  *range = clCreateSubBuffer(memory_of(buffer), 0, CL_BUFFER_CREATE_TYPE_REGION, &region, code);
  return *range;
}

static ts_status set_buffer(ts_kernel *kernel, cl_uint index, const ts_argument *argument, ts_error *error) {
  cl_backend_kernel *k = kernel_of(kernel);
  const ts_device *device = kernel->program->device;
  cl_mem range;
  cl_int code;
  cl_mem memory = argument_memory(argument, &range, &code);
  if (code != CL_SUCCESS) return fail_code(error, "clCreateSubBuffer", code, device, "pass a part of a buffer");
  code = clSetKernelArg(k->kernel, index, sizeof memory, &memory);
  if (code != CL_SUCCESS) {
    if (range) clReleaseMemObject(range);
    return fail_code(error, "clSetKernelArg", code, device, "take a buffer as an argument");
  }
  if (k->ranges[index]) clReleaseMemObject(k->ranges[index]);
  k->ranges[index] = range;
  return TS_OK;
}

static ts_status kernel_arg(ts_kernel *kernel, size_t index, const ts_argument *argument, ts_error *error) {
  if (argument->kind == TS_ARGUMENT_BUFFER) return set_buffer(kernel, (cl_uint)index, argument, error);
  const void *value = argument->kind == TS_ARGUMENT_SHARED ? NULL : argument->value;
  cl_int code = clSetKernelArg(kernel_of(kernel)->kernel, (cl_uint)index, argument->bytes, value);
  if (code == CL_SUCCESS) return TS_OK;
  return fail_code(error, "clSetKernelArg", code, kernel->program->device, "take an argument");
}

static ts_status kernel_limits(ts_kernel *kernel, ts_kernel_limits *limits, ts_error *error) {
  cl_kernel of = kernel_of(kernel)->kernel;
  cl_device_id id = device_of(kernel->program->device)->id;
  cl_ulong shared_bytes = 0;
  cl_int code = clGetKernelWorkGroupInfo(of, id, CL_KERNEL_WORK_GROUP_SIZE, sizeof limits->max_group_items,
                                         &limits->max_group_items, NULL);
  if (code == CL_SUCCESS)
    code = clGetKernelWorkGroupInfo(of, id, CL_KERNEL_LOCAL_MEM_SIZE, sizeof shared_bytes, &shared_bytes, NULL);
  if (code != CL_SUCCESS)
    return fail_code(error, "clGetKernelWorkGroupInfo", code, kernel->program->device, "tell a kernel's limits");
  limits->shared_bytes = shared_bytes;
  return TS_OK;
}

static ts_status kernel_launch(ts_queue *queue, ts_kernel *kernel, const size_t items[3], const size_t group[3],
                               ts_event **event, ts_error *error) {
  cl_backend_event *launched = event ? calloc(1, sizeof *launched) : NULL;
  if (event && !launched) return fail_memory(error, "ts_kernel_launch");
  cl_event command;
  cl_int code = clEnqueueNDRangeKernel(queue_of(queue)->queue, kernel_of(kernel)->kernel, 3, NULL, items,
                                       group[0] ? group : NULL, 0, NULL, &command);
  if (code != CL_SUCCESS) {
    free(launched);
    return fail_code(error, "clEnqueueNDRangeKernel", code, queue->device, "launch a kernel");
  }
  forget_launch(queue_of(queue));
  queue_of(queue)->last_launch = command;
  if (!launched) return TS_OK;
  code = clRetainEvent(command);
  if (code != CL_SUCCESS) { /* the kernel runs all the same: no buffer is as it was */
    free(launched);
    return fail_code(error, "clRetainEvent", code, queue->device, "keep the event of a launch, which goes on");
  }
  launched->event = command;
  *event = &launched->base;
  return TS_OK;
}

const ts_backend ts_opencl_backend = {
    .name = "opencl",
    .language = "opencl",
    .list = list,
    .device_open = device_open,
    .device_close = device_close,
    .queue_create = queue_create,
    .queue_finish = queue_finish,
    .queue_destroy = queue_destroy,
    .event_wait = event_wait,
    .event_seconds = event_seconds,
    .event_destroy = event_destroy,
    .buffer_create = buffer_create,
    .buffer_destroy = buffer_destroy,
    .buffer_write = buffer_write,
    .buffer_read = buffer_read,
    .predefine = predefine,
    .program_build = program_build,
    .program_destroy = program_destroy,
    .program_find_kernels = program_find_kernels,
    .program_binary = program_binary,
    .kernel_get = kernel_get,
    .kernel_destroy = kernel_destroy,
    .kernel_arg = kernel_arg,
    .kernel_limits = kernel_limits,
    .kernel_launch = kernel_launch,
};
