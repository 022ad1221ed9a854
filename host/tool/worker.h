/* SPDX-License-Identifier: Apache-2.0
 *
 * worker.h: the process that runs cases, and what it and the pool say to each other.
 *
 * A worker is this same program, executed again as `conform --worker` with the same options. Both ends of the channel are
 * therefore the same code, and packets are structs as they lie in memory: a packet arrives whole or, if the worker died, not.
 *
 *   worker -> pool   WORKER_DEVICE once, or WORKER_FAILED and the worker ends
 *   pool -> worker   a worker_request; end of file: no more, the worker closes the device and ends
 *   worker -> pool   WORKER_RESULT for it
 */
#ifndef TS_TOOL_WORKER_H
#define TS_TOOL_WORKER_H

#include "host/tool/conform.h"

#define WORKER_OPTION "--worker" /* conform's first argument; in no help */

enum { WORKER_CHANNEL = 3 }; /* the worker's file descriptor: a socket that keeps packets apart */

typedef struct worker_request {
  size_t number; /* of the case */
  uint64_t seed;
} worker_request;

typedef struct worker_message {
  enum { WORKER_DEVICE, WORKER_FAILED, WORKER_RESULT } kind;
  size_t number; /* RESULT: of the case */
  union {
    ts_device_info device; /* DEVICE */
    ts_error error;        /* FAILED: why the device was not opened */
    ts_case_result result; /* RESULT */
  } content;
} worker_message;

/* Be a worker until the pool ends the channel. Returns the exit code. */
int worker_run(const run_options *options);

#endif
