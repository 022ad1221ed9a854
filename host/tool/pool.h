/* SPDX-License-Identifier: Apache-2.0
 *
 * pool.h: run the cases of a run in worker processes, so that a crash or a hang is a case's error and not the end.
 *
 * The pool loads no driver: what is known of the device came from a worker.
 */
#ifndef TS_TOOL_POOL_H
#define TS_TOOL_POOL_H

#include "host/tool/conform.h"

/* Run all cases of `r`, at most two groups at a time, each group in one worker. Returns when every worker has ended.
 *
 * argv     of `conform`, ended by NULL: a worker is given the same options
 * Law:     when it returns TS_OK, r->signal is 0 and r->is_stopped is false, every case is done.
 *          A worker that dies makes the case it was running an error; another goes on with the next case of the group. After
 *          POOL_DEATHS_MAX deaths the rest of the group is not run, which is an error of each of its cases.
 * Errors   Before any device was opened: what the first worker said, or TS_ERROR_DRIVER if it crashed or hung. At any time:
 *          TS_ERROR_MEMORY, no process could be started. */
ts_status pool_run(run *r, char **argv, ts_error *error);

enum { POOL_DEATHS_MAX = 3 };

#endif
