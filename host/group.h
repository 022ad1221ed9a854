/* SPDX-License-Identifier: Apache-2.0
 *
 * group.h: run a kernel's work-groups on the CPU.
 *
 * No compiler, no buffers, no signatures: a launch function and the values of its arguments, see launch.h.
 */
#ifndef TS_HOST_GROUP_H
#define TS_HOST_GROUP_H

#include "launch.h"
#include "tensorstorage_host.h"

/* One argument of a launch. */
typedef struct ts_group_argument {
  void *value;    /* points at the value; unused for shared memory */
  bool is_shared; /* dynamic shared memory: each group gets its own */
  size_t shared_bytes;
} ts_group_argument;

typedef struct ts_group_launch {
  ts_host_launch_function *function;
  const char *kernel; /* its name, for messages */
  const ts_group_argument *arguments;
  size_t argument_count;
  size_t group_count[3]; /* each in [1, INT_MAX]; their product fits */
  size_t group_size[3];  /* each >= 1, in work-items; their product fits an int */
  size_t shared_limit;   /* bytes of shared memory that a group may have */
  size_t threads;        /* at most this many run groups, >= 1 */
  bool items_apart;      /* under ThreadSanitizer, work-items are threads that only barriers order: it finds a missing one */

  /* Called before the first work-item of each group, on the thread that runs it; NULL: nothing is. */
  void (*group_start)(void *context);
  void *context;
} ts_group_launch;

/* Run all work-groups; returns when they have ended. Groups run in any order, on several threads; the work-items of one
 * group run one after the other on one thread, each until it ends or waits at a barrier.
 *
 * Errors   TS_ERROR_KERNEL: some work-items of a group ended while others wait at a barrier, or one said why it failed.
 *          TS_ERROR_LIMIT: more shared memory than shared_limit. TS_ERROR_MEMORY: for stacks or shared memory.
 *          Groups that had not started when the first error came do not run. */
ts_status ts_group_run(const ts_group_launch *launch, ts_error *error);

#endif
