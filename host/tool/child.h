/* SPDX-License-Identifier: Apache-2.0
 *
 * child.h: child processes that may crash or hang, and never outlive the tool.
 *
 * A child leads a process group of its own, so that what it starts (compilers) can be ended with it. What it is to do, and how
 * it talks with its parent, is its starter's.
 */
#ifndef TS_TOOL_CHILD_H
#define TS_TOOL_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* The parent's side. */

/* From now on SIGINT, SIGTERM and SIGHUP end nothing: the parent asks child_caught_signal and cleans up. */
void child_catch_signals(void);

/* The signal that was caught last; 0: none. */
int child_caught_signal(void);

/* Give the children that are started from now on a TMPDIR of their own, so that the files of one that is killed can be removed.
 * If none can be made, they have the parent's. */
void child_make_place(void);

/* Remove it with all that children left in it. All of them must have ended. */
void child_remove_place(void);

/* The child's: work in that folder from now on, for a device of OpenCL, so that it is there that PoCL leaves drawings of what
 * it can't compile (broken.dot). Names of files that are not yet open, and are not absolute, are then of other files. */
void child_enter_place(const char *device);

/* After fork: put the child where child_end finds it, even before it has run. */
void child_adopt(pid_t pid);

/* Whether the child has ended; it stays to be reaped. What it left running is killed then. */
bool child_has_ended(pid_t pid);

/* Kill what is left of a child's process group, and reap the child. One that has ended by itself keeps its own status.
 * Returns the status of waitpid. */
int child_end(pid_t pid);

/* What a child printed last, kept in case it dies. */
enum { CHILD_TAIL_BYTES = 4096 };
typedef struct child_tail {
  char bytes[CHILD_TAIL_BYTES];
  size_t count;
} child_tail;

void child_tail_append(child_tail *tail, const char *bytes, size_t count);

/* A descriptor that compilers, and other children, shall not have. */
void child_close_on_exec(int fd);

/* "crashed: signal 11 (Segmentation fault)", "crashed: exit code 3". */
void child_describe_end(char *text, size_t bytes, int status);

/* Seconds, from some moment on. */
double child_now(void);

/* The child's side, first thing after fork: only what is safe between fork and exec. Does not return if `parent` has gone. */
void child_begin(pid_t parent);

#endif
