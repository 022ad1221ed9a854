/* SPDX-License-Identifier: Apache-2.0
 *
 * probe.h: do something in a child process that may crash or hang there, and take its answer.
 *
 * It knows no driver. What is done, and what the answer means, is the caller's.
 */
#ifndef TS_TOOL_PROBE_H
#define TS_TOOL_PROBE_H

#include <stdio.h>

#include "host/tool/child.h"
#include "text.h"

typedef struct probe {
  ts_text answer;   /* the bytes that `work` wrote; to be freed */
  char ending[128]; /* how the child ended: "crashed: signal 11 (Segmentation fault)", "timed out after 60 s". Empty: well */
  child_tail said;  /* what it and its own children printed last */
} probe;

/* Run `work` in a child process, which then exits as a program does: libraries are unloaded.
 *
 * answer   that work writes to, in the child
 * timeout  seconds for all of it
 * Law:     no process is left. On a signal that child_caught_signal tells, the child is ended. */
void probe_run(probe *p, void (*work)(const void *subject, FILE *answer), const void *subject, double timeout);

void probe_free(probe *p);

#endif
