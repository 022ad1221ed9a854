/* SPDX-License-Identifier: Apache-2.0
 *
 * run.h: one run of a kernel of the user's: what was asked for, and what is known of it.
 *
 * Data only. run.c reads the options, opens the files and watches the child process; in it run_kernel.c runs the kernel, and
 * run_report.c tells.
 */
#ifndef TS_TOOL_RUN_H
#define TS_TOOL_RUN_H

#include "host/tool/argument.h"
#include "host/tool/options.h"

typedef struct run_request {
  const char *file;
  const char *device; /* NULL: the default device */
  const char *kernel; /* NULL: the only one */
  building building;
  ts_grid grid; /* a group of zeros: the device chooses */
  run_argument *arguments;
  size_t argument_count;
  uint32_t repeats; /* launches after the first, for timing */
  double timeout;   /* seconds, for all that the child does */
  bool as_json;
} run_request;

/* What the child is doing, in memory that it shares with its parent. */
typedef struct run_progress {
  volatile enum {
    RUN_OPENING,
    RUN_BUILDING,
    RUN_LOADING,
    RUN_LAUNCHING,
    RUN_REPEATING,
    RUN_WRITING,
    RUN_CLOSING,
    RUN_FAILED, /* it has said what was wrong, and cleans up: what happens now is no news */
    RUN_ENDED   /* it has said what it has to say, and only has to exit with `code` */
  } stage;
  int code;
  char kernel[128]; /* its name, once it is known */
  char device[32];  /* the id */
  char complaint[TOOL_COMPLAINT_BYTES];
} run_progress;

/* An argument that is memory, on the device. */
typedef struct run_memory {
  const run_argument *argument;
  bool is_const;
  ts_buffer *buffer;       /* a guard, the elements, a guard */
  size_t bytes;            /* of the elements */
  size_t guard_bytes;      /* of each guard; 0 if the kernel can't store to it, or there is no room */
  unsigned char *elements; /* PRINT: what came out */
} run_memory;

typedef struct run_outcome {
  const ts_device_info *device;
  const ts_signature *signature;
  run_memory *memories;
  size_t memory_count;
  double first;         /* seconds of the first launch */
  double least, median; /* of the repeats; 0 if there are none */
} run_outcome;

/* Run the kernel and write the outputs to the files that are open. Called in the child.
 *
 * report   gets the report, if the run is a success
 * Returns  the exit code; what was wrong has been said on stderr */
int run_kernel(const run_request *request, run_progress *progress, FILE *report);

/* Tell what came out, as text or as JSON. Returns false if memory ran out. */
bool run_report(const run_request *request, const run_outcome *outcome, FILE *report);

#endif
