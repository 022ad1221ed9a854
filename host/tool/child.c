/* SPDX-License-Identifier: Apache-2.0
 *
 * child.c: child processes that may crash or hang, and never outlive the tool.
 */
#define _DEFAULT_SOURCE
#define _XOPEN_SOURCE 700 /* nftw */

#include "host/tool/child.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "host/tool/tool.h"

static volatile sig_atomic_t caught_signal;

static void catch_signal(int signal) { caught_signal = signal; }

static const int interrupting_signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { INTERRUPTING_SIGNAL_COUNT = sizeof interrupting_signals / sizeof interrupting_signals[0] };

void child_catch_signals(void) {
  struct sigaction action = {.sa_handler = catch_signal};
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < INTERRUPTING_SIGNAL_COUNT; i++) {
    struct sigaction inherited;
    bool is_ignored = !sigaction(interrupting_signals[i], NULL, &inherited) && inherited.sa_handler == SIG_IGN;
    if (!is_ignored) sigaction(interrupting_signals[i], &action, NULL); /* as nohup wants it */
  }
  signal(SIGCHLD, SIG_DFL); /* if it were ignored, no exit code would come back */
  signal(SIGPIPE, SIG_IGN); /* a reader of the output that has gone must not leave children and a temporary file behind */
}

int child_caught_signal(void) { return caught_signal; }

static char place[4096]; /* "": there is none */

void child_make_place(void) {
  const char *parent = getenv("TMPDIR");
  int length = snprintf(place, sizeof place, "%s/tensorstorage-XXXXXX", parent && *parent ? parent : "/tmp");
  bool is_made = length > 0 && (size_t)length < sizeof place && mkdtemp(place);
  if (!is_made) place[0] = 0;
  if (is_made && setenv("TMPDIR", place, 1)) child_remove_place();
}

void child_enter_place(const char *device) {
  const char *folder = getenv("TMPDIR"), *cache = getenv("POCL_CACHE_DIR");
  bool is_opencl = !strncmp(device, "cl:", 3), keeps_cache = !cache || *cache == '/';
  if (is_opencl && keeps_cache && folder && *folder == '/' && chdir(folder)) return; /* then it stays where it is */
}

static int remove_one(const char *path, const struct stat *facts, int kind, struct FTW *where) {
  (void)facts;
  (void)kind;
  (void)where;
  remove(path); /* what can't be removed stays */
  return 0;
}

void child_remove_place(void) {
  enum { OPEN_FOLDERS = 16, TRIES = 3 }; /* a process that is being killed may end a call that makes a file */
  for (int i = 0; i < TRIES && *place && !access(place, F_OK); i++) nftw(place, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
  place[0] = 0;
}

void child_adopt(pid_t pid) { setpgid(pid, pid); /* as the child does, which may not have come so far */ }

bool child_has_ended(pid_t pid) {
  siginfo_t info = {0};
  if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) || info.si_pid != pid) return false;
  kill(-pid, SIGKILL);
  return true;
}

int child_end(pid_t pid) {
  kill(-pid, SIGKILL);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

void child_tail_append(child_tail *tail, const char *bytes, size_t count) {
  if (count > CHILD_TAIL_BYTES) {
    bytes += count - CHILD_TAIL_BYTES;
    count = CHILD_TAIL_BYTES;
  }
  size_t dropped = tail->count + count > CHILD_TAIL_BYTES ? tail->count + count - CHILD_TAIL_BYTES : 0;
  memmove(tail->bytes, tail->bytes + dropped, tail->count - dropped);
  memcpy(tail->bytes + tail->count - dropped, bytes, count);
  tail->count += count - dropped;
}

void child_close_on_exec(int fd) { fcntl(fd, F_SETFD, FD_CLOEXEC); }

void child_describe_end(char *text, size_t bytes, int status) {
  if (WIFSIGNALED(status))
    snprintf(text, bytes, "crashed: signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
  else
    snprintf(text, bytes, "crashed: exit code %d", WEXITSTATUS(status));
}

double child_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void child_begin(pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(TOOL_ERROR); /* it died before it could be watched */
  signal(SIGPIPE, SIG_DFL);
  for (int i = 0; i < INTERRUPTING_SIGNAL_COUNT; i++) {
    struct sigaction inherited; /* of what the parent caught, a child without exec must not go on catching */
    if (!sigaction(interrupting_signals[i], NULL, &inherited) && inherited.sa_handler == catch_signal)
      signal(interrupting_signals[i], SIG_DFL);
  }
  int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0) _exit(TOOL_FILE);
}
