/* SPDX-License-Identifier: Apache-2.0
 *
 * backend.h: what a backend must provide: one table of functions, and the start of each of its objects.
 *
 * The library checks arguments, reads signatures and writes sentences; a backend only does. A backend's functions are
 * never called with a wrong argument: ranges, spaces, names and limits were checked before. Each returns a ts_status and
 * fills the error (never NULL here) through ts_fail.
 */
#ifndef TS_HOST_BACKEND_H
#define TS_HOST_BACKEND_H

#include "tensorstorage_host.h"
#include "signature.h"
#include "text.h"

typedef struct ts_backend ts_backend;

/* Each backend's object starts with one of these. Of a device, the backend fills it; of all others the library does, when the
 * backend has made the object. */
struct ts_device {
  const ts_backend *backend;
  ts_device_info info;
};
struct ts_queue {
  ts_device *device;
};
struct ts_event {
  ts_queue *queue;
};
struct ts_buffer {
  ts_device *device;
  ts_space space;
  size_t bytes;
};
struct ts_program {
  ts_device *device;
  char *name;               /* the source's name in messages */
  ts_signatures signatures; /* in the order of the source; kernels without TS_KERNEL follow */
  char *unread;             /* why the signatures could not be read; NULL: they were */
};
struct ts_kernel {
  ts_program *program;
  const ts_signature *signature;
  bool *is_set;           /* for each parameter */
  uint64_t *memory_bytes; /* for each parameter: of shared or constant memory that its argument takes */
};

/* What the driver knows of one kernel on its device, with the arguments that it has been given. */
typedef struct ts_kernel_limits {
  size_t max_group_items;
  uint64_t shared_bytes; /* that the kernel declares and is given */
} ts_kernel_limits;

/* One argument, as a backend is given it. */
typedef struct ts_argument {
  enum { TS_ARGUMENT_BUFFER, TS_ARGUMENT_SHARED, TS_ARGUMENT_SCALAR } kind;
  ts_buffer *buffer;  /* BUFFER: may be NULL */
  size_t byte_offset; /* BUFFER: a multiple of base_align_bytes */
  const void *value;  /* SCALAR */
  size_t bytes;       /* SHARED, SCALAR */
} ts_argument;

/* A list of devices that grows. */
typedef struct ts_device_infos {
  ts_device_info *rows;
  size_t count, capacity;
} ts_device_infos;

struct ts_backend {
  const char *name;     /* "host", "opencl" */
  const char *language; /* that kernels are compiled as: "host", "opencl" or "cuda" */

  /* Append the backend's devices with ts_device_list_append. No driver: append none, return TS_OK. A driver that fails: append
   * what the others have all the same, and return the first failure. */
  ts_status (*list)(ts_device_infos *infos, ts_error *error);

  /* Open the device of an id that list gave, and set both members of its base. */
  ts_status (*device_open)(ts_device **device, const ts_device_info *info, ts_error *error);
  void (*device_close)(ts_device *device);

  ts_status (*queue_create)(ts_queue **queue, ts_device *device, ts_error *error);
  ts_status (*queue_finish)(ts_queue *queue, ts_error *error);
  void (*queue_destroy)(ts_queue *queue);

  ts_status (*event_wait)(ts_event *event, ts_error *error);
  ts_status (*event_seconds)(ts_event *event, double *seconds, ts_error *error);
  void (*event_destroy)(ts_event *event);

  ts_status (*buffer_create)(ts_buffer **buffer, ts_device *device, ts_space space, size_t bytes, ts_error *error);
  void (*buffer_destroy)(ts_buffer *buffer);
  ts_status (*buffer_write)(ts_queue *queue, ts_buffer *buffer, size_t byte_offset, const void *data, size_t bytes,
                            ts_error *error);
  ts_status (*buffer_read)(ts_queue *queue, const ts_buffer *buffer, size_t byte_offset, void *data, size_t bytes,
                           ts_error *error);

  /* Append #define lines of what the device's compiler predefines and a signature may hang on, TS_HAVE_ macros included
   * where the options change them. May be NULL: none. Fails if the device can't build with the options. */
  ts_status (*predefine)(ts_device *device, const ts_build_options *options, ts_text *lines, ts_error *error);

  /* Build `text`: the user's source with the options' macros, the header and the user's own headers already in place and #line
   * around each. Neither options nor options->name is NULL.
   * A compiler's failure is TS_ERROR_BUILD with the raw log as the message; the library adds device, options, line, caret. */
  ts_status (*program_build)(ts_program **program, ts_device *device, const char *text, const ts_signature *signatures,
                             size_t signature_count, const ts_build_options *options, ts_error *error);
  void (*program_destroy)(ts_program *program);

  /* Add each kernel that the driver finds in a program and `signatures` lacks, with ts_signatures_add_unchecked. May be NULL:
   * the device has no other kernels than those of TS_KERNEL. */
  ts_status (*program_find_kernels)(ts_program *program, ts_signatures *signatures, ts_error *error);

  /* Append what the driver made of a program. May be NULL: ts_compile asks OpenCL alone. */
  ts_status (*program_binary)(ts_program *program, ts_text *bytes, ts_error *error);

  ts_status (*kernel_get)(ts_kernel **kernel, ts_program *program, const ts_signature *signature, ts_error *error);
  void (*kernel_destroy)(ts_kernel *kernel);
  ts_status (*kernel_arg)(ts_kernel *kernel, size_t index, const ts_argument *argument, ts_error *error);

  /* May be NULL: the device's own limits hold, and only shared memory that is given counts. */
  ts_status (*kernel_limits)(ts_kernel *kernel, ts_kernel_limits *limits, ts_error *error);

  /* items and group have 3 entries >= 1, items a multiple of group; a group of zeros: the backend chooses. */
  ts_status (*kernel_launch)(ts_queue *queue, ts_kernel *kernel, const size_t items[3], const size_t group[3], ts_event **event,
                             ts_error *error);
};

extern const ts_backend ts_host_backend;
extern const ts_backend ts_opencl_backend;

/* All backends, ended by NULL. */
extern const ts_backend *const ts_backends[];

/* Append a copy of a device's description. TS_ERROR_MEMORY. */
ts_status ts_device_list_append(ts_device_infos *infos, const ts_device_info *info, ts_error *error);

/* Fill an error unless it already holds one, and return its status: `return ts_fail(error, TS_ERROR_DRIVER, code, call, …);` */
ts_status ts_fail(ts_error *error, ts_status status, int driver_code, const char *call, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#endif
