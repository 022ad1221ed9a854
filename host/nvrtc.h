/* SPDX-License-Identifier: Apache-2.0
 *
 * nvrtc.h: compile CUDA C++ for a GPU with NVRTC, NVIDIA's compiler in a library, which is opened at run time.
 *
 * It knows no device and launches nothing. Neither building nor starting a program needs CUDA. The environment is read once:
 *   TENSORSTORAGE_NVRTC      the library to open; else it is looked for where the system finds libraries, then in the CUDA
 *                            toolkit that one of
 *   CUDA_HOME, CUDA_PATH     names, then in /usr/local/cuda
 */
#ifndef TS_HOST_NVRTC_H
#define TS_HOST_NVRTC_H

#include "process.h"
#include "tensorstorage_host.h"

/* What came out. All of it is owned; ts_nvrtc_output_free frees it. */
typedef struct ts_nvrtc_output {
  char *ptx;
  char *cubin; /* NULL: the architecture is a compute_NN, for which there is none */
  size_t cubin_bytes;
  char *log; /* warnings, and for machine code what ptxas says of each kernel */
} ts_nvrtc_output;

/* Write "NVRTC 13.0". Errors: TS_ERROR_UNSUPPORTED: NVRTC is not installed. */
ts_status ts_nvrtc_name(char *name, size_t bytes, ts_error *error);

/* The file that NVRTC was opened from, once ts_nvrtc_name has succeeded; empty if that is not known. */
const char *ts_nvrtc_file(void);

/* Compile.
 *
 * architecture  "sm_90": PTX and machine code. "compute_90": PTX alone
 * name          of the text in messages; #line in the text has the last word
 * options       words for NVRTC, beside the architecture; may be empty
 * Errors        TS_ERROR_UNSUPPORTED: NVRTC is not installed. TS_ERROR_USAGE: it does not know the architecture; the message
 * lists those that it knows. TS_ERROR_BUILD: the message is the log. TS_ERROR_DRIVER, TS_ERROR_MEMORY. */
ts_status ts_nvrtc_compile(ts_nvrtc_output *output, const char *architecture, const char *text, const char *name,
                           const ts_words *options, ts_error *error);

void ts_nvrtc_output_free(ts_nvrtc_output *output);

#endif
