/* SPDX-License-Identifier: Apache-2.0
 *
 * probe.c: do something in a child process and take its answer.
 */
#include "host/tool/probe.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/tool/tool.h"

enum {
  ANSWER,
  SAID,
  PIPES,
  READ_BYTES = 4096,
  READS_MAX = 16, /* of READ_BYTES: 64 KiB */
  POLL_MS = 200
};

/* The child. No exec follows: it is the tool, with nothing but memory in common. */
static void be_child(int ends[PIPES][2], pid_t parent, void (*work)(const void *, FILE *), const void *subject) {
  child_begin(parent);
  FILE *answer = fdopen(ends[ANSWER][1], "w");
  if (!answer || dup2(ends[SAID][1], STDOUT_FILENO) < 0 || dup2(ends[SAID][1], STDERR_FILENO) < 0) _exit(TOOL_FILE);
  for (int i = 0; i < PIPES; i++) close(ends[i][0]);
  close(ends[SAID][1]);
  work(subject, answer);
  fclose(answer);
  exit(TOOL_PASSED);
}

/* Read what there is in one pipe, but no more than it holds at once: one that prints without end is still seen to hang. Returns
 * false at its end. */
static bool take(probe *p, int fd, int which) {
  char bytes[READ_BYTES];
  for (int i = 0; i < READS_MAX; i++) {
    ssize_t count = read(fd, bytes, sizeof bytes);
    if (count <= 0) return count < 0;
    if (which == ANSWER)
      ts_text_append(&p->answer, bytes, (size_t)count);
    else
      child_tail_append(&p->said, bytes, (size_t)count);
  }
  return true;
}

/* Read both pipes until the child has ended. Returns false if it has not in time. */
static bool follow(probe *p, pid_t child, const int fds[PIPES], double timeout) {
  double start = child_now();
  bool is_open[PIPES] = {true, true};
  for (bool has_ended = false; !has_ended;) {
    if (child_now() - start > timeout || child_caught_signal()) return false;
    struct pollfd ready[PIPES];
    for (int i = 0; i < PIPES; i++) ready[i] = (struct pollfd){.fd = is_open[i] ? fds[i] : -1, .events = POLLIN};
    poll(ready, PIPES, is_open[ANSWER] || is_open[SAID] ? POLL_MS : 1); /* both are closed a moment before the child's end */
    has_ended = child_has_ended(child);
    for (int i = 0; i < PIPES; i++)
      if (is_open[i]) is_open[i] = take(p, fds[i], i);
  }
  return true;
}

void probe_run(probe *p, void (*work)(const void *subject, FILE *answer), const void *subject, double timeout) {
  int ends[PIPES][2];
  *p = (probe){.ending = "could not be started"};
  if (pipe(ends[ANSWER])) return;
  if (pipe(ends[SAID])) {
    close(ends[ANSWER][0]);
    close(ends[ANSWER][1]);
    return;
  }
  for (int i = 0; i < PIPES; i++) {
    child_close_on_exec(ends[i][0]);
    child_close_on_exec(ends[i][1]);
    fcntl(ends[i][0], F_SETFL, O_NONBLOCK);
  }
  fflush(stdout);
  pid_t parent = getpid(), child = fork();
  if (child == 0) be_child(ends, parent, work, subject);
  for (int i = 0; i < PIPES; i++) close(ends[i][1]);
  if (child > 0) {
    child_adopt(child);
    const int fds[PIPES] = {ends[ANSWER][0], ends[SAID][0]};
    bool in_time = follow(p, child, fds, timeout);
    int status = child_end(child);
    p->ending[0] = 0;
    if (!in_time)
      snprintf(p->ending, sizeof p->ending, "timed out after %g s", timeout);
    else if (status)
      child_describe_end(p->ending, sizeof p->ending, status);
  }
  for (int i = 0; i < PIPES; i++) close(ends[i][0]);
}

void probe_free(probe *p) { free(p->answer.chars); }
