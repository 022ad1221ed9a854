/* SPDX-License-Identifier: Apache-2.0
 *
 * instructions.h: read the memory instructions out of what a compiler made of a kernel.
 *
 * Pure work on text: PTX, SASS, AMDGCN and x86 assembly, and disassembled SPIR-V. It runs no compiler, and judges nothing:
 * whether a load became what was asked for is the reader's question.
 */
#ifndef TS_HOST_INSTRUCTIONS_H
#define TS_HOST_INSTRUCTIONS_H

#include "tensorstorage_host.h"

/* An instruction set, in the spelling of
 *   PTX     nvcc, NVRTC
 *   SASS    nvdisasm -gi -c
 *   AMDGCN  clang
 *   X86     gcc and clang, AT&T order
 *   SPIRV   spirv-dis --raw-id */
typedef enum ts_isa { TS_ISA_PTX, TS_ISA_SASS, TS_ISA_AMDGCN, TS_ISA_X86, TS_ISA_SPIRV } ts_isa;

typedef enum ts_access {
  TS_ACCESS_LOAD,
  TS_ACCESS_STORE,
  TS_ACCESS_UPDATE, /* x86: loads and stores one place, and is not atomic */
  TS_ACCESS_ATOMIC
} ts_access;

enum ts_access_flags {
  TS_ACCESS_INVARIANT = 1,    /* goes through a cache that other work-items' stores do not reach: ld.global.nc */
  TS_ACCESS_NON_TEMPORAL = 2, /* a streaming hint */
  TS_ACCESS_PARAMETER = 4     /* not the user's: reads a kernel's argument, or what the launch put beside it */
};

/* One memory instruction. */
typedef struct ts_instruction {
  char *name; /* as the instruction set spells it, with its hints: "ld.global.nc.v4.u16", "global_load_dwordx4 glc slc" */
  ts_access access;
  ts_space space; /* generic: the instruction names none. Of x86, local is the stack, constant the code's own constants */
  size_t bytes;   /* that one work-item moves; 0: the instruction does not say */
  unsigned flags; /* of ts_access_flags */
  char *file;     /* of its source line; NULL: not told */
  size_t line;    /* 0: not told */
} ts_instruction;

/* A kernel, or another function that stayed one. */
typedef struct ts_routine {
  char *name;
  bool is_kernel;           /* as the text says; x86 does not say it, and then it is true */
  size_t instruction_count; /* of all instructions; of SPIR-V, those of the function's body */
  ts_instruction *accesses; /* the memory instructions, in their order */
  size_t access_count;
} ts_routine;

typedef struct ts_code {
  ts_routine *routines;
  size_t count;
} ts_code;

/* Read all routines of a text. *code must be zero.
 *
 * source   the name of the file whose lines are meant, without folders; NULL: any file. Where functions were inlined, an
 *          instruction's line is the innermost one in this file, else the outermost one, as far as the text has them
 *          (PTX's inlined_at, nvdisasm's "inlined at"; other assemblers have the innermost alone)
 * Errors   TS_ERROR_MEMORY. A line that says nothing to this reader is skipped. */
ts_status ts_code_read(ts_code *code, ts_isa isa, const char *text, const char *source, ts_error *error);
void ts_code_free(ts_code *code);

/* Drop the routines whose names begin so. */
void ts_code_drop(ts_code *code, const char *prefix);

/* The routine of a name, as the text has it; NULL: there is none. */
const ts_routine *ts_code_find(const ts_code *code, const char *name);

/* What the source calls a function whose name a C++ compiler made, "ts_plan_copy" of "_ZN12_INTERNAL_a12ts_plan_copyEi", and a
 * name of another kind as it is. Returns where it begins in `name`, and its length. */
const char *ts_routine_name(const char *name, int *length);

/* "PTX", "SASS", "AMDGCN", "x86", "SPIR-V". */
const char *ts_isa_name(ts_isa isa);

/* "load", "store", "update", "atomic". */
const char *ts_access_name(ts_access access);

/* How many of a routine's accesses move `bytes` of a space in this way, with at least the flags. */
size_t ts_routine_count(const ts_routine *routine, ts_access access, ts_space space, size_t bytes, unsigned flags);

#endif
