/* SPDX-License-Identifier: Apache-2.0
 *
 * opencl.h: the few OpenCL calls that the benches make, on PoCL's device, with an empty kernel cache.
 *
 * The benches call OpenCL themselves, so that hand-written kernels and those of the header take the same way. Every failure
 * ends the program with a sentence.
 */
#ifndef TS_BENCH_OPENCL_H
#define TS_BENCH_OPENCL_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include "report.h"

/* End the program unless the call went well. */
void bench_check(cl_int code, const char *call);

typedef struct bench_device {
  cl_device_id id;
  cl_context context;
  cl_command_queue queue;
} bench_device;

/* Open PoCL's first device, once in a process: its kernel cache is a new folder, which is removed when the process ends. */
bench_device bench_open(void);

void bench_close(bench_device device);

/* PoCL, as a report names it. Ends the program if PoCL is not there. */
void bench_describe_opencl(bench_machine *machine);

/* A buffer's cells, as the host sees them until bench_unmap. */
void *bench_map(bench_device device, cl_mem cells, size_t bytes);
void bench_unmap(bench_device device, cl_mem cells, void *mapped);

/* The text that the library would hand to the compiler: macros, then the source with the header in place.
 *
 * header        ts_embedded_header, or the copy for CUDA: host/source.h
 * defines       "NAME=VALUE", ended by NULL; may be NULL
 * include_dirs  ended by NULL; may be NULL
 * Returns       a string to be freed */
char *bench_text(const char *header, const char *source, const char *const *defines, const char *const *include_dirs);

/* Build with the options of every bench. The compiler's log is in the sentence of a failure. */
cl_program bench_build(bench_device device, const char *text);

#endif
