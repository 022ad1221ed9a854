/* SPDX-License-Identifier: Apache-2.0
 *
 * pool.c: run the cases of a run in worker processes.
 *
 * One loop over poll(2). A worker is given one case at a time, so that the pool always knows what a dead one was doing.
 */
#include "host/tool/pool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/tool/child.h"
#include "host/tool/report.h"
#include "host/tool/results.h"
#include "host/tool/tool.h"
#include "host/tool/worker.h"

enum {
  WORKERS_MAX = 2,   /* at a time */
  READ_BYTES = 4096, /* of a worker's output, at once */
  READS_MAX = 16,    /* of READ_BYTES: 64 KiB */
  POLL_MS = 200      /* so long may a signal, or a timeout, wait to be noticed */
};

typedef struct worker {
  pid_t pid;   /* 0: no process. It leads a process group of its own */
  int channel; /* see worker.h */
  int output;  /* its stdout and stderr; -1: it has closed both */
  enum { OPENING, RUNNING, CLOSING } state;
  double since;    /* when it began to open, to run cases[at], or to close */
  size_t at, end;  /* cases of its group that are not done; it runs, or is to run first, cases[at] */
  int deaths;      /* in this group */
  child_tail tail; /* of its output */
} worker;

typedef struct pool {
  run *run;
  char **argv; /* of a worker */
  worker workers[WORKERS_MAX];
  int worker_count;
  size_t next;     /* the first case that no worker was given */
  ts_error *error; /* status is not TS_OK: the run cannot go on */
} pool;

static void give_up(pool *p, ts_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void give_up(pool *p, ts_status status, const char *format, ...) {
  if (p->error->status != TS_OK) return;
  p->error->status = status;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(p->error->message, sizeof p->error->message, format, arguments);
  va_end(arguments);
}

/* ---- start ---------------------------------------------------------------------------------------------------- */

/* The child's side of fork: only what is safe between fork and exec. */
static void become_worker(char **argv, int channel, int output, pid_t parent) {
  child_begin(parent);
  if (dup2(output, STDOUT_FILENO) < 0 || dup2(output, STDERR_FILENO) < 0) _exit(TOOL_FILE);
  if (channel == WORKER_CHANNEL)
    fcntl(channel, F_SETFD, 0);
  else if (dup2(channel, WORKER_CHANNEL) < 0)
    _exit(TOOL_FILE);
  execv("/proc/self/exe", argv);
  _exit(TOOL_FILE);
}

static void start_worker(pool *p, worker *w) {
  int channel[2], output[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, channel)) {
    give_up(p, TS_ERROR_MEMORY, "no worker process could be started: socketpair: %s", strerror(errno));
    return;
  }
  if (pipe(output)) {
    give_up(p, TS_ERROR_MEMORY, "no worker process could be started: pipe: %s", strerror(errno));
    close(channel[0]);
    close(channel[1]);
    return;
  }
  for (int i = 0; i < 2; i++) {
    child_close_on_exec(channel[i]);
    child_close_on_exec(output[i]);
  }
  fcntl(output[0], F_SETFL, O_NONBLOCK);
  fflush(stdout);

  pid_t parent = getpid();
  pid_t pid = fork();
  if (pid == 0) become_worker(p->argv, channel[1], output[1], parent);
  close(channel[1]);
  close(output[1]);
  if (pid < 0) {
    give_up(p, TS_ERROR_MEMORY, "no worker process could be started: fork: %s", strerror(errno));
    close(channel[0]);
    close(output[0]);
    return;
  }
  child_adopt(pid);
  w->pid = pid;
  w->channel = channel[0];
  w->output = output[0];
  w->state = OPENING;
  w->since = child_now();
  w->tail.count = 0;
}

/* ---- what a worker prints ------------------------------------------------------------------------------------- */

/* Read what there is, but no more than a pipe holds: one that prints without end is still seen to hang. */
static void read_output(pool *p, worker *w) {
  char bytes[READ_BYTES];
  for (int i = 0; i < READS_MAX && w->output >= 0; i++) {
    ssize_t count = read(w->output, bytes, sizeof bytes);
    if (count < 0) return;
    if (count == 0) {
      close(w->output);
      w->output = -1;
    }
    child_tail_append(&w->tail, bytes, (size_t)count);
    if (p->run->options->verbose) report_output(bytes, (size_t)count);
  }
}

/* ---- what a worker is given ----------------------------------------------------------------------------------- */

/* Give a worker the next group. Returns false if there is none. */
static bool take_group(pool *p, worker *w) {
  const run *r = p->run;
  if (p->next == r->count) return false;
  w->at = p->next;
  while (p->next < r->count && r->cases[p->next].suite_case->group == r->cases[w->at].suite_case->group) p->next++;
  w->end = p->next;
  w->deaths = 0;
  return true;
}

/* Ask for cases[at], of which nothing was printed yet, or let the worker end if there is no group left or none is wanted. It
 * may have died: then the channel says so soon. */
static void ask(pool *p, worker *w) {
  read_output(p, w);
  w->tail.count = 0;
  w->since = child_now();
  if (!p->run->is_stopped && (w->at < w->end || take_group(p, w))) {
    run_case *c = &p->run->cases[w->at];
    c->issue = run_find_issue(p->run, c);
    w->state = RUNNING;
    worker_request request = {.number = c->suite_case->number, .seed = run_seed(p->run, c)};
    send(w->channel, &request, sizeof request, MSG_NOSIGNAL);
  } else {
    w->state = CLOSING;
    shutdown(w->channel, SHUT_WR);
  }
}

/* ---- how a worker ends ---------------------------------------------------------------------------------------- */

/* End a worker. Returns the status of waitpid. */
static int reap(pool *p, worker *w) {
  int status = child_end(w->pid);
  read_output(p, w);
  close(w->channel);
  if (w->output >= 0) close(w->output);
  w->pid = 0;
  return status;
}

/* cases[at] is an error of the worker's, for this reason, after so many seconds. */
static void finish_as_error(pool *p, worker *w, const char *reason, double seconds) {
  run_case *c = &p->run->cases[w->at++];
  ts_case_result result = {.verdict = TS_CASE_ERROR, .seconds = seconds};
  snprintf(result.reason, sizeof result.reason, "%s", reason);
  run_take_result(p->run, c, &result);
  report_case(p->run, c);
}

/* A worker has ended, or is to end, for this reason: it costs the case that it was running. */
static void lose_worker(pool *p, worker *w, const char *reason) {
  double seconds = child_now() - w->since;
  while (w->tail.count && w->tail.bytes[w->tail.count - 1] == '\n') w->tail.count--;
  if (!p->run->has_device) {
    give_up(p, TS_ERROR_DRIVER, "the process that opens the device %s%s%.*s", reason,
            w->tail.count ? "; it printed last:\n" : "", (int)w->tail.count, w->tail.bytes);
    return;
  }
  if (w->state == CLOSING) {
    p->run->unclean_ends++;
    report_unclean_end(p->run, reason, w->tail.bytes, w->tail.count);
    return;
  }
  run_case *c = &p->run->cases[w->at];
  c->output = w->tail.count ? strndup(w->tail.bytes, w->tail.count) : NULL;
  finish_as_error(p, w, reason, seconds);
  if (!run_is_wrong(c) || ++w->deaths < POOL_DEATHS_MAX) return; /* a known death says nothing of the rest of its group */
  char rest[TS_CASE_REASON_BYTES];
  snprintf(rest, sizeof rest, "not run: the process of its group died %d times", POOL_DEATHS_MAX);
  while (w->at < w->end) finish_as_error(p, w, rest, 0);
}

static void end_by_itself(pool *p, worker *w) {
  int status = reap(p, w);
  if (w->state == CLOSING && WIFEXITED(status) && WEXITSTATUS(status) == TOOL_PASSED) return;
  char reason[TS_CASE_REASON_BYTES];
  child_describe_end(reason, sizeof reason, status);
  lose_worker(p, w, reason);
}

static void end_by_force(pool *p, worker *w, const char *reason) {
  reap(p, w);
  lose_worker(p, w, reason);
}

/* ---- what a worker says --------------------------------------------------------------------------------------- */

static void take_device(pool *p, worker *w, const ts_device_info *device) {
  run *r = p->run;
  if (!r->has_device) {
    r->device = *device;
    r->has_device = true;
    report_start(r);
  }
  ask(p, w);
}

static void take_failure(pool *p, worker *w, const ts_error *error) {
  if (p->run->has_device) {
    end_by_force(p, w, error->message);
  } else {
    *p->error = *error;
    reap(p, w);
  }
}

static void take_result(pool *p, worker *w, const ts_case_result *result) {
  run_case *c = &p->run->cases[w->at];
  if (run_take_result(p->run, c, result)) {
    report_case(p->run, c);
    w->at++;
  }
  ask(p, w);
}

/* Do as the next packet says, or as the end of the channel does. Returns false if there is neither. */
static bool read_channel(pool *p, worker *w) {
  worker_message message;
  ssize_t bytes = recv(w->channel, &message, sizeof message, MSG_DONTWAIT);
  if (bytes < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  if (bytes <= 0) {
    end_by_itself(p, w);
    return true;
  }
  bool is_whole = bytes == (ssize_t)sizeof message;
  if (is_whole && message.kind == WORKER_DEVICE && w->state == OPENING)
    take_device(p, w, &message.content.device);
  else if (is_whole && message.kind == WORKER_FAILED && w->state == OPENING)
    take_failure(p, w, &message.content.error);
  else if (is_whole && message.kind == WORKER_RESULT && w->state == RUNNING &&
           message.number == p->run->cases[w->at].suite_case->number && message.content.result.verdict <= TS_CASE_ERROR)
    take_result(p, w, &message.content.result);
  else
    end_by_force(p, w, "its process sent a packet that makes no sense: its memory must have been damaged");
  return true;
}

/* ---- the loop ------------------------------------------------------------------------------------------------- */

/* Wait until a worker says or prints something, but not long. */
static void wait_for_news(pool *p) {
  struct pollfd fds[2 * WORKERS_MAX];
  worker *of[WORKERS_MAX];
  nfds_t count = 0;
  for (int i = 0; i < p->worker_count; i++) {
    worker *w = &p->workers[i];
    if (!w->pid) continue;
    of[count / 2] = w;
    fds[count++] = (struct pollfd){.fd = w->channel, .events = POLLIN};
    fds[count++] = (struct pollfd){.fd = w->output, .events = POLLIN};
  }
  if (poll(fds, count, POLL_MS) <= 0) return;
  for (nfds_t i = 0; i < count; i += 2) {
    if (fds[i + 1].revents) read_output(p, of[i / 2]);
    if (fds[i].revents) read_channel(p, of[i / 2]);
  }
}

/* A worker's death closes its channel, unless a process that it forked holds that open. */
static void end_those_that_died(pool *p) {
  for (int i = 0; i < p->worker_count; i++) {
    worker *w = &p->workers[i];
    if (w->pid && child_has_ended(w->pid) && !read_channel(p, w)) end_by_itself(p, w);
  }
}

static void end_those_that_hang(pool *p) {
  double timeout = p->run->options->timeout;
  for (int i = 0; i < p->worker_count; i++) {
    worker *w = &p->workers[i];
    if (!w->pid || child_now() - w->since <= timeout) continue;
    char reason[TS_CASE_REASON_BYTES];
    snprintf(reason, sizeof reason, "timed out after %g s", timeout);
    end_by_force(p, w, reason);
  }
}

/* Start a worker wherever there is work. The second waits until the first has opened the device: if that fails, it fails
 * once. Returns false if there is no worker and nothing to do. */
static bool keep_working(pool *p) {
  bool any = false;
  for (int i = 0; i < p->worker_count; i++) {
    worker *w = &p->workers[i];
    bool may_start = p->error->status == TS_OK && !p->run->is_stopped && (p->run->has_device || i == 0);
    if (!w->pid && may_start && (w->at < w->end || take_group(p, w))) start_worker(p, w);
    any = any || w->pid;
  }
  return any && p->error->status == TS_OK;
}

static void kill_all(pool *p) {
  for (int i = 0; i < p->worker_count; i++)
    if (p->workers[i].pid) reap(p, &p->workers[i]);
}

/* The arguments of a worker: those of `conform`, with --worker. NULL: memory ran out. */
static char **worker_arguments(char **argv) {
  static char tool[] = "tensorstorage", conform[] = "conform", option[] = WORKER_OPTION;
  size_t count = 0;
  while (argv[count]) count++;
  char **arguments = calloc(count + 3, sizeof *arguments);
  if (!arguments) return NULL;
  arguments[0] = tool;
  arguments[1] = conform;
  arguments[2] = option;
  for (size_t i = 1; i < count; i++) arguments[i + 2] = argv[i];
  return arguments;
}

ts_status pool_run(run *r, char **argv, ts_error *error) {
  long cpus = sysconf(_SC_NPROCESSORS_ONLN);
  pool *p = calloc(1, sizeof *p);
  char **arguments = worker_arguments(argv);
  error->status = TS_OK;
  if (!p || !arguments) {
    free(p);
    free(arguments);
    snprintf(error->message, sizeof error->message, "memory ran out before the first case");
    return error->status = TS_ERROR_MEMORY;
  }
  p->run = r;
  p->argv = arguments;
  p->error = error;
  p->worker_count = cpus < WORKERS_MAX ? 1 : WORKERS_MAX;

  r->started = time(NULL);
  double start = child_now();
  child_catch_signals();
  child_make_place();
  while (keep_working(p) && !child_caught_signal()) {
    wait_for_news(p);
    end_those_that_died(p);
    end_those_that_hang(p);
  }
  kill_all(p);
  child_remove_place();
  r->signal = child_caught_signal();
  r->seconds = child_now() - start;
  free(arguments);
  free(p);
  return error->status;
}
