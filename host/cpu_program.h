/* SPDX-License-Identifier: Apache-2.0
 *
 * cpu_program.h: programs and kernels of backends that compile a kernel's text into a shared object, load it, and give a kernel
 * its arguments as C does: pointers and values. Shared memory that is an argument is allocated for each group.
 *
 * Which compiler, and what stands around the text, is the backend's.
 */
#ifndef TS_HOST_CPU_PROGRAM_H
#define TS_HOST_CPU_PROGRAM_H

#include "compiler.h"
#include "cpu.h"

typedef struct ts_cpu_program {
  ts_program base;
  void *object;                       /* of dlopen */
  void (*group_start)(void *nothing); /* as in ts_group_launch, and so is items_apart; a backend may set them after the build */
  bool items_apart;
} ts_cpu_program;

/* The backend's program_build, which also names the compiler and what is around the text.
 *
 * device   NULL: no cache takes part, since the text includes what it does not hold */
ts_status ts_cpu_program_build(ts_program **program, const ts_compiler *compiler, const ts_cpu_text *around, const char *text,
                               const ts_signature *signatures, size_t signature_count, const ts_build_options *options,
                               const ts_device_info *device, ts_error *error);

/* The functions of backend.h. The program of a kernel is a ts_cpu_program. */
void ts_cpu_program_destroy(ts_program *program);
ts_status ts_cpu_kernel_get(ts_kernel **kernel, ts_program *program, const ts_signature *signature, ts_error *error);
void ts_cpu_kernel_destroy(ts_kernel *kernel);
ts_status ts_cpu_kernel_arg(ts_kernel *kernel, size_t index, const ts_argument *argument, ts_error *error);
ts_status ts_cpu_kernel_launch(ts_queue *queue, ts_kernel *kernel, const size_t items[3], const size_t group[3],
                               ts_event **event, ts_error *error);

#endif
