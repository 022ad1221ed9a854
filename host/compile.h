/* SPDX-License-Identifier: Apache-2.0
 *
 * compile.h: what the parts of ts_compile share: a binary that is being made, and what is read out of it afterwards.
 */
#ifndef TS_HOST_COMPILE_H
#define TS_HOST_COMPILE_H

#include "instructions.h"
#include "prepare.h"
#include "tensorstorage_host.h"

struct ts_binary {
  char *target;
  char compiler[TS_DEVICE_TEXT_BYTES];
  const char *kind;
  char *bytes; /* a 0 follows */
  size_t byte_count;
  char *assembly; /* NULL: there is none, or the bytes are assembly already */
  char *log;
  bool has_isa; /* isa is that of the assembly; else its instructions are unknown */
  ts_isa isa;
  ts_prepared prepared; /* unless a driver compiles */
  ts_program *program;  /* if a driver compiled, on `device`; else NULL */
  ts_device *device;
  ts_kernel_resources *resources; /* [the number of signatures] */
};

/* Compile binary->prepared with clang for "gfx…", "spirv" or "x86"; see ts_compile. */
ts_status ts_compile_clang(ts_binary *binary, const ts_build_options *options, ts_error *error);

/* Whether a target of ts_target_at is one whose instructions can be read. */
bool ts_target_has_code(const char *name);

/* Where a kernel's resources are kept; NULL: there is no kernel of this name. `length` characters of the name count. */
ts_kernel_resources *ts_binary_resources_of(ts_binary *binary, const char *kernel, size_t length);

/* Write where a program of the CUDA toolkit is: its name if it is in PATH, else a path. Returns false if it is nowhere. */
bool ts_cuda_program(char *path, size_t bytes, const char *name);

/* Read the instructions of a binary, each with its line of the source.
 *
 * as_sass  of an sm_NN, the GPU's own instructions, by nvdisasm, instead of PTX
 * isa      out: what they are
 * Errors   TS_ERROR_UNSUPPORTED: this target's instructions can't be read, or nvdisasm or spirv-dis is not installed. */
ts_status ts_binary_code(ts_code *code, ts_isa *isa, const ts_binary *binary, bool as_sass, ts_error *error);

#endif
