/* SPDX-License-Identifier: Apache-2.0
 *
 * tensorstorage_host.h: build and run kernels written on tensorstorage.h, on any device: the host itself or OpenCL.
 *
 * C11, usable from C++. The library never exits or aborts, and prints only what TENSORSTORAGE_TRACE in the environment asks
 * for. Every function that can fail returns a ts_status and takes a `ts_error *` (may be NULL) that it fills on failure and
 * leaves alone on success. A failed call leaves every buffer as it was, or its error says which may have changed. Any function
 * may be called from any thread; one queue, and one kernel (its arguments are state), from one thread at a time. Passing NULL
 * to a _destroy or _close function does nothing.
 *
 * Sizes in bytes say so in their name; all other counts, offsets and distances are in scalar elements.
 */
#ifndef TENSORSTORAGE_HOST_H
#define TENSORSTORAGE_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../core/layout_struct.h"
#include "../core/status.h"
#include "../core/tables.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default) /* of a shared library, this is all that is seen */
#endif

/* ---- status and errors ---------------------------------------------------------------------------------------- */

#define TS_STATUS_ENUMERATOR(status, exit_code, what, remedy) status,
typedef enum ts_status { TS_STATUSES(TS_STATUS_ENUMERATOR) TS_STATUS_COUNT } ts_status;
#undef TS_STATUS_ENUMERATOR

enum { TS_ERROR_CALL_BYTES = 64, TS_ERROR_MESSAGE_BYTES = 8192 };

/* What failed. The first failure fills it; the clean-up after it never overwrites it. */
typedef struct ts_error {
  ts_status status;
  int driver_code;                      /* the driver's own code (OpenCL: negative), 0 if there is none */
  char call[TS_ERROR_CALL_BYTES];       /* the call that failed: "clBuildProgram", "cc", "ts_kernel_launch" */
  char message[TS_ERROR_MESSAGE_BYTES]; /* a sentence: what was wrong and what to do; a build's log follows it */
} ts_error;

/* The sentence of a status, e.g. "there is no such device". Never NULL. */
const char *ts_status_text(ts_status status);

/* The exit code that the tool uses for a status. */
int ts_status_exit_code(ts_status status);

/* ---- dtypes and spaces ---------------------------------------------------------------------------------------- */

#define TS_DTYPE_ENUMERATOR(dtype, bits, bytes, kind, computes) TS_DTYPE_##dtype,
typedef enum ts_dtype { TS_DTYPES(TS_DTYPE_ENUMERATOR) TS_DTYPE_COUNT } ts_dtype;
#undef TS_DTYPE_ENUMERATOR

#define TS_SPACE_ENUMERATOR(space, id) TS_SPACE_##space = (id),
typedef enum ts_space { TS_SPACES(TS_SPACE_ENUMERATOR) TS_SPACE_END } ts_space;
#undef TS_SPACE_ENUMERATOR

/* "f32"; "?" for a value that is no dtype. */
const char *ts_dtype_name(ts_dtype dtype);

/* Bytes of one element; 0 for a value that is no dtype. */
size_t ts_dtype_bytes(ts_dtype dtype);

/* The dtype of a name. Returns false, and leaves *dtype alone, if there is none. */
bool ts_dtype_from_name(ts_dtype *dtype, const char *name);

/* "global"; "?" for a value that is no space. */
const char *ts_space_name(ts_space space);

/* ---- devices -------------------------------------------------------------------------------------------------- */

typedef struct ts_device ts_device;

typedef enum ts_device_kind { TS_DEVICE_CPU, TS_DEVICE_GPU, TS_DEVICE_OTHER } ts_device_kind;

enum { TS_DEVICE_TEXT_BYTES = 256 };

typedef struct ts_device_info {
  char id[32];                         /* "host", "cl:<platform>:<device>" */
  char backend[16];                    /* "host", "opencl" */
  char name[TS_DEVICE_TEXT_BYTES];     /* the device's own name */
  char vendor[TS_DEVICE_TEXT_BYTES];   /* who made the driver's platform */
  char driver[TS_DEVICE_TEXT_BYTES];   /* driver version */
  char language[TS_DEVICE_TEXT_BYTES]; /* what kernels are compiled as: "OpenCL C 3.0", "C11, gcc" */
  ts_device_kind kind;
  bool little_endian;
  bool has_f64;                /* kernels can compute in f64 */
  bool has_generic;            /* kernels have generic pointers, at the language version used by default */
  uint32_t compute_units;      /* threads, for the host */
  size_t max_group_items;      /* work-items in one work-group */
  size_t max_group_size[3];    /* the same for each dimension */
  uint64_t max_buffer_bytes;   /* one buffer */
  uint64_t max_constant_bytes; /* one constant buffer, and all of a kernel's together */
  uint64_t shared_bytes;       /* shared memory of one work-group */
  uint64_t global_bytes;       /* all global memory */
  uint32_t base_align_bytes;   /* alignment of a buffer's first byte, and of a sub-range of it */
} ts_device_info;

/* All devices, in the order in which their ids count: the host first, then OpenCL's platforms.
 *
 * devices  out, on failure too: an array that the caller frees with ts_device_list_free
 * count    out, on failure too: its length. The host is always there. No OpenCL driver is no error.
 * Errors   TS_ERROR_DRIVER, TS_ERROR_MEMORY: a driver failed. Its devices are missing, those of all others are listed. */
ts_status ts_device_list(ts_device_info **devices, size_t *count, ts_error *error);
void ts_device_list_free(ts_device_info *devices);

/* Open a device.
 *
 * which    an id ("host", "cl:0:0"), or a glob that the device's name must match ("*EPYC*", case matters). NULL: the
 *          environment's TENSORSTORAGE_DEVICE, else the first GPU, else the first OpenCL device, else the host.
 * Errors   TS_ERROR_NO_DEVICE: none matches; the message lists what there is, and says what to install.
 *          TS_ERROR_USAGE: a glob matches several; the message lists them.
 *          TS_ERROR_DRIVER, TS_ERROR_MEMORY: the driver failed, or one did that may have the device: the host does not step in.
 */
ts_status ts_device_open(ts_device **device, const char *which, ts_error *error);

/* Close a device. Its programs, queues and buffers must have been destroyed. */
void ts_device_close(ts_device *device);

/* What the device is and can do. Valid until the device is closed. */
const ts_device_info *ts_device_get_info(const ts_device *device);

/* ---- queues and events ---------------------------------------------------------------------------------------- */

typedef struct ts_queue ts_queue; /* commands of one queue run in order */
typedef struct ts_event ts_event;

ts_status ts_queue_create(ts_queue **queue, ts_device *device, ts_error *error);

/* Wait until all commands of the queue have ended. Errors: TS_ERROR_KERNEL, TS_ERROR_DRIVER. */
ts_status ts_queue_finish(ts_queue *queue, ts_error *error);

/* Finishes the queue first. Its events must have been destroyed. */
void ts_queue_destroy(ts_queue *queue);

ts_status ts_event_wait(ts_event *event, ts_error *error);

/* Seconds that the command ran on the device. Waits for its end. */
ts_status ts_event_seconds(ts_event *event, double *seconds, ts_error *error);

void ts_event_destroy(ts_event *event);

/* ---- buffers and storage -------------------------------------------------------------------------------------- */

typedef struct ts_buffer ts_buffer; /* owns memory of a device, in one space */

/* Allocate. Contents are undefined.
 *
 * space    TS_SPACE_global or TS_SPACE_constant
 * bytes    may be 0: such a buffer can be bound and is never accessed
 * Errors   TS_ERROR_LIMIT: larger than the device's largest buffer (or than its constant memory); decided here, whatever
 *          the driver would do. TS_ERROR_MEMORY. TS_ERROR_USAGE: another space. */
ts_status ts_buffer_create(ts_buffer **buffer, ts_device *device, ts_space space, size_t bytes, ts_error *error);
void ts_buffer_destroy(ts_buffer *buffer);
size_t ts_buffer_bytes(const ts_buffer *buffer);
ts_space ts_buffer_space(const ts_buffer *buffer);

/* Copy between host memory and a buffer; returns when the bytes have arrived. Runs after the queue's earlier commands.
 * Errors: TS_ERROR_USAGE when the range is not inside the buffer, or the buffer is another device's; nothing is copied then. */
ts_status ts_buffer_write(ts_queue *queue, ts_buffer *buffer, size_t byte_offset, const void *data, size_t bytes,
                          ts_error *error);
ts_status ts_buffer_read(ts_queue *queue, const ts_buffer *buffer, size_t byte_offset, void *data, size_t bytes,
                         ts_error *error);

/* The host's non-owning handle of memory in a buffer. Plain data: copy it freely. Never dereferenced. */
typedef struct ts_storage {
  ts_buffer *buffer;
  size_t byte_offset; /* of element 0 */
  ts_dtype dtype;
  ts_space space;
  bool is_const;
} ts_storage;

/* The storage that starts at the buffer's first byte; const exactly if the buffer is constant. */
ts_storage ts_buffer_storage(ts_buffer *buffer, ts_dtype dtype);

/* The storage whose element 0 is element `elements` of this one. Law: ts_storage_distance(ts_storage_offset(s, n), s) == n. */
ts_storage ts_storage_offset(ts_storage storage, int64_t elements);

/* Elements from `from` to `to`, of one buffer and one dtype; the byte distance must be a multiple of the dtype's size. */
int64_t ts_storage_distance(ts_storage to, ts_storage from);

/* The same memory as another dtype or mutability. Making memory mutable that is not is the caller's own risk. */
ts_storage ts_storage_unsafe_cast(ts_storage storage, ts_dtype dtype, bool is_const);

/* Write the name that the handle has in a kernel, e.g. "ts_global_const_f16", cut to `bytes` with its 0.
 * Returns  the length that the whole name has, as snprintf does. */
size_t ts_storage_write_type_name(ts_storage storage, char *text, size_t bytes);

/* ---- programs and kernels ------------------------------------------------------------------------------------- */

typedef struct ts_program ts_program;
typedef struct ts_kernel ts_kernel;

/* How a program is built; all zero is the default. */
typedef struct ts_build_options {
  const char *name;                /* the source's name in messages, e.g. its file name; NULL: "kernel.c" */
  const char *const *defines;      /* "NAME=VALUE" or "NAME", ended by NULL; may be NULL */
  const char *const *include_dirs; /* for the user's own includes, ended by NULL; may be NULL. Blanks are fine, and such a
                                      header may include tensorstorage.h */
  const char *standard; /* OpenCL: "CL1.2" or "CL3.0"; NULL: CL3.0 where the device has it, else CL1.2. Host: ignored */
  const char *extra;    /* more options for the device's compiler, as a shell would split them; may be NULL. Macros and
                           folders that signatures hang on belong above */
  bool fast_math;       /* false: contraction off and IEEE semantics, the same bits on every device */
  bool uncached;        /* true: always built, and not kept either. false: what an earlier process built may be taken, from the
                           files of TENSORSTORAGE_CACHE_DIR; the same in all that can be seen but the time (docs/cache.md) */
} ts_build_options;

/* Build kernels from source for one device.
 *
 * source   the text; it includes "tensorstorage.h", which is in the library: that line is replaced by the header itself,
 *          with #line around it, so no -I is needed and the compiler's messages point at the user's own lines
 * options  NULL: the default
 * Errors   TS_ERROR_BUILD: the message shows the device, the options, the compiler's log, and the first line that is
 *          wrong with a caret under it. TS_ERROR_UNSUPPORTED: the host device has no C compiler (CC, else cc). */
ts_status ts_program_build(ts_program **program, ts_device *device, const char *source, const ts_build_options *options,
                           ts_error *error);

/* Destroy a program. Its kernels must have been destroyed. */
void ts_program_destroy(ts_program *program);

/* A parameter of a kernel, as its TS_KERNEL says. */
typedef struct ts_parameter {
  const char *name;
  ts_dtype dtype; /* of the cells pointed to, or of the scalar */
  bool is_scalar; /* passed by value; space and is_const mean nothing then */
  bool is_const;  /* a kernel can't store through it */
  ts_space space; /* global, constant, or shared: dynamic shared memory, given by its size */
} ts_parameter;

typedef struct ts_signature {
  const char *kernel;
  size_t parameter_count;
  const ts_parameter *parameters;
  bool is_checked; /* false: no TS_KERNEL could be read, arguments go by position ("0", "1", …) and are not checked */
} ts_signature;

/* Kernels of a program: their names, in the order of the source. */
size_t ts_program_kernel_count(const ts_program *program);
const char *ts_program_kernel_name(const ts_program *program, size_t index);

/* Look up a kernel. Errors: TS_ERROR_NO_KERNEL; the message lists the kernels, the nearest name first. */
ts_status ts_kernel_get(ts_kernel **kernel, ts_program *program, const char *name, ts_error *error);
void ts_kernel_destroy(ts_kernel *kernel);

/* The kernel's signature; valid until the kernel is destroyed. */
const ts_signature *ts_kernel_signature(const ts_kernel *kernel);

/* Give an argument by the parameter's name. It stays until it is given again. The buffer must outlive the launches.
 * Errors: TS_ERROR_ARGUMENT: no such parameter (the message names the nearest), or one of another space, dtype, mutability
 * or kind. The message shows the signature. */

/* A buffer from its first byte; NULL passes a null pointer. */
ts_status ts_kernel_arg_buffer(ts_kernel *kernel, const char *name, ts_buffer *buffer, ts_error *error);

/* A storage: dtype and mutability are checked too. An offset needs a device that can pass one: on OpenCL a multiple of
 * base_align_bytes (otherwise TS_ERROR_UNSUPPORTED: pass the offset as a number and use ts_offset in the kernel). */
ts_status ts_kernel_arg_storage(ts_kernel *kernel, const char *name, ts_storage storage, ts_error *error);

/* Dynamic shared memory: `count` elements of the parameter's dtype (bytes, if the signature is unchecked), for each
 * work-group. At least one. */
ts_status ts_kernel_arg_shared(ts_kernel *kernel, const char *name, size_t count, ts_error *error);

/* A scalar of any dtype; `value` points at ts_dtype_bytes(dtype) bytes. */
ts_status ts_kernel_arg_scalar(ts_kernel *kernel, const char *name, ts_dtype dtype, const void *value, ts_error *error);

ts_status ts_kernel_arg_i32(ts_kernel *kernel, const char *name, int32_t value, ts_error *error);
ts_status ts_kernel_arg_u32(ts_kernel *kernel, const char *name, uint32_t value, ts_error *error);
ts_status ts_kernel_arg_i64(ts_kernel *kernel, const char *name, int64_t value, ts_error *error);
ts_status ts_kernel_arg_u64(ts_kernel *kernel, const char *name, uint64_t value, ts_error *error);
ts_status ts_kernel_arg_f32(ts_kernel *kernel, const char *name, float value, ts_error *error);
ts_status ts_kernel_arg_f64(ts_kernel *kernel, const char *name, double value, ts_error *error);

/* Work-items in each dimension, and how many of them form a work-group. Trailing zeros: fewer dimensions.
 * A group of zeros lets the device choose. */
typedef struct ts_grid {
  size_t items[3];
  size_t group[3];
} ts_grid;

/* Launch a kernel after the queue's earlier commands.
 *
 * event    out, may be NULL: the launch, to be destroyed by the caller
 * Errors   TS_ERROR_ARGUMENT: an argument was never given; the message names all of them.
 *          TS_ERROR_USAGE: no items, or items that are not a multiple of the group. TS_ERROR_LIMIT: a group larger than
 *          the device or this kernel allows, or too much shared or constant memory. TS_ERROR_KERNEL: see ts_queue_finish. */
ts_status ts_kernel_launch(ts_queue *queue, ts_kernel *kernel, ts_grid grid, ts_event **event, ts_error *error);

/* ---- compiling without a device ------------------------------------------------------------------------------- */

typedef struct ts_binary ts_binary; /* what a compiler made of a source */

/* Compile kernels for a target that need not be there. Nothing runs.
 *
 * target   "sm_90" (machine code for one NVIDIA GPU) or "compute_90" (PTX), by NVRTC; "gfx90a" (assembly for an AMD GPU),
 * "spirv" and "x86" (assembly for x86-64-v3), by clang; "cl" or "cl:0:0" (what a device's driver makes of it); "host"
 * (assembly, with the options of the host device). ts_target_at lists them source, options  as for ts_program_build Errors
 * TS_ERROR_USAGE: there is no such target; the message names the nearest, and all. TS_ERROR_UNSUPPORTED: the compiler is not
 * installed; the message says which, and what to do. TS_ERROR_NO_DEVICE: "cl" without a device. TS_ERROR_BUILD: as for
 * ts_program_build. */
ts_status ts_compile(ts_binary **binary, const char *target, const char *source, const ts_build_options *options,
                     ts_error *error);
void ts_binary_destroy(ts_binary *binary);

/* What came out: its bytes, and what they are: "cubin", "PTX", "AMDGCN assembly", "SPIR-V", "x86 assembly", "PoCL binary". */
const void *ts_binary_bytes(const ts_binary *binary, size_t *bytes);
const char *ts_binary_kind(const ts_binary *binary);

/* Who made it: "NVRTC 13.0", "clang-19", a device's name. */
const char *ts_binary_compiler(const ts_binary *binary);

/* It as text for a person, with source lines: of a cubin its PTX, of SPIR-V its disassembly. NULL: there is none, or for SPIR-V
 * no spirv-dis. */
const char *ts_binary_assembly(const ts_binary *binary);

/* What the compiler said, although it built: warnings. Empty for nothing. */
const char *ts_binary_log(const ts_binary *binary);

/* What one work-item and one work-group of a kernel take, as far as the compiler tells; -1: not told. */
typedef struct ts_kernel_resources {
  int64_t registers;    /* vector registers of a work-item */
  int64_t shared_bytes; /* that the kernel declares */
  int64_t local_bytes;  /* memory of a work-item */
  int64_t spill_bytes;  /* of these, for registers that did not fit */
} ts_kernel_resources;

/* The kernels that TS_KERNEL declares, in the order of the source, and what each takes. Valid as long as the binary. */
size_t ts_binary_kernel_count(const ts_binary *binary);
const ts_signature *ts_binary_signature(const ts_binary *binary, size_t index);
ts_kernel_resources ts_binary_resources(const ts_binary *binary, size_t index);

/* The signature as a person reads it, "scale(global const f16 x_cells, global f32 y_cells, f32 a)",
 * cut to fit into `bytes`. Returns its whole length. */
size_t ts_signature_text(char *text, size_t bytes, const ts_signature *signature);

/* Of the list of targets the index-th: how it is written ("sm_NN"), and what comes out. Returns false past the end. */
bool ts_target_at(size_t index, const char **name, const char **what);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
