/* SPDX-License-Identifier: Apache-2.0
 *
 * checks.h: what `tensorstorage doctor` looks at, one finding for each thing.
 *
 * Each check runs in a child process, so that a driver that crashes or hangs is a finding and not the end. Nothing is printed.
 */
#ifndef TS_TOOL_CHECKS_H
#define TS_TOOL_CHECKS_H

#include "tensorstorage_host.h"

typedef enum finding_state {
  FINDING_WORKS,
  FINDING_MISSING, /* it is not there, which is no mistake */
  FINDING_BROKEN   /* it is there, and does not do what it should */
} finding_state;

typedef struct finding {
  char name[64]; /* "device cl:0:0", "driver pocl.icd", "target sm_90" */
  finding_state state;
  bool ran_kernel;   /* it is a device that ran the smoke kernel, and all bytes were right */
  char text[1536];   /* what was seen; its first line says it, and if something is missing also what to do */
  char install[128]; /* the command that installs what is missing, on Debian; empty: there is none */
} finding;

/* Look at everything, and tell each finding when it is known.
 *
 * timeout  seconds, for each check
 * Law:     ends early on a signal that child_caught_signal tells.
 * Returns  false if memory ran out before anything was looked at. */
bool checks_run(double timeout, void (*tell)(const finding *f, void *context), void *context);

#endif
