/* SPDX-License-Identifier: Apache-2.0
 *
 * check_faults.c: disturb programs, one call after the other, and see that each failure is told and nothing is lost by it.
 *
 *   check_faults library [CLIENT]        clients of the library (client.c); then bad ones, which must be caught
 *   check_faults tool TOOL [COMMAND]      the tool's commands, in a process for each call
 *
 * An undisturbed run counts the calls; then the k-th fails, for every k, or every n-th where a row says so. What must hold: the
 * failure is told with the name of the call (for memory, with that word; for a file, with the reason) and with the exit code of
 * its status; all that was made is released, and no memory is lost; files are as they were, and none is left; it ends.
 */
#define _DEFAULT_SOURCE
#define _XOPEN_SOURCE 700 /* nftw */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include "host/tool/tool.h"
#include "tests/faults/client.h"
#include "tests/faults/faults.h"
#include "tests/require.h"

enum { PATH_BYTES = 512, ARGUMENTS_MAX = 40, SECONDS_MAX = 120 };

static faults *shared; /* with the programs that are disturbed */
static char scratch[PATH_BYTES];
static int failures;

static void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void complain(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("FAILED: ", stdout);
  vprintf(format, arguments);
  putchar('\n');
  va_end(arguments);
  failures++;
}

static bool is_of_files(faults_kind kind) { return kind == FAULTS_FILE || kind == FAULTS_SHORT || kind == FAULTS_END; }

/* ---- what may fail without harm ----------------------------------------------------------------------------------- */

/* The calls after whose failure all goes on. question 0: whatever is asked; of files, 1: one that is only read. */
static const struct {
  const char *call;
  unsigned question;
  const char *why;
} harmless[] = {
    {"clReleaseContext", 0, "what is released is not used again, and nobody can do more about it"},
    {"clReleaseCommandQueue", 0, "the same; its commands have ended before"},
    {"clReleaseMemObject", 0, "the same"},
    {"clReleaseProgram", 0, "the same"},
    {"clReleaseKernel", 0, "the same"},
    {"clReleaseEvent", 0, "the same"},
    {"clGetPlatformInfo", CL_PLATFORM_VENDOR, "who made a driver is for people to read; it stays empty"},
    {"clGetPlatformInfo", CL_PLATFORM_NAME, "of a driver that is not known by name, the cache asks more; here it is off"},
    {"clGetDeviceInfo", CL_DEVICE_PLATFORM, "the same"},
    {"clGetProgramBuildInfo", CL_PROGRAM_BUILD_LOG, "a build failed before: that is told, and that its log is empty"},
    {"close", 1, "nothing was written"},
    {"fclose", 1, "the same"},
    {"mkdir", 1, "it was there before"},
    {"fdopendir", 0, "the cache is not trimmed; the next build that is stored does it"},
};

static bool is_harmless(const faults *seen) {
  for (size_t i = 0; i < sizeof harmless / sizeof harmless[0]; i++)
    if (!strcmp(seen->name, harmless[i].call) && (!harmless[i].question || seen->question == harmless[i].question)) return true;
  return false;
}

/* Of the at-th call. */
static int code_of(faults_kind kind, long at) {
  static const int codes[] = {CL_OUT_OF_RESOURCES, CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_DEVICE_NOT_AVAILABLE,
                              CL_OUT_OF_HOST_MEMORY},
                   of_files[] = {EIO, ENOSPC, EACCES, EMFILE};
  enum { CODES = sizeof codes / sizeof codes[0], OF_FILES = sizeof of_files / sizeof of_files[0] };
  return is_of_files(kind) ? of_files[at % OF_FILES] : codes[at % CODES];
}

static ts_status status_of(faults_kind kind, int code) {
  if (kind == FAULTS_EVENT) return TS_ERROR_KERNEL;
  if (is_of_files(kind)) return TS_ERROR_FILE;
  bool is_memory =
      kind == FAULTS_MEMORY || kind == FAULTS_MCPP || code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_HOST_MEMORY;
  return is_memory ? TS_ERROR_MEMORY : TS_ERROR_DRIVER;
}

/* What the text of a failure must have in it. */
static const char *word_of(const faults *seen) {
  if (seen->kind == FAULTS_MEMORY || seen->kind == FAULTS_MCPP) return "memory";
  if (is_of_files(seen->kind)) return strerror(seen->code);
  return seen->kind == FAULTS_EVENT ? "a kernel failed while it ran" : seen->name;
}

/* ---- disturbing ----------------------------------------------------------------------------------------------------- */

/* Let the at-th call fail from now on; 0: none, they are counted. */
static void arm(faults_kind kind, long at, int code, bool is_sticky) {
  shared->kind = FAULTS_NONE;
  shared->at = at;
  shared->code = code;
  shared->is_sticky = is_sticky;
  shared->name[0] = 0;
  shared->question = 0;
  atomic_store(&shared->calls, 0);
  atomic_store(&shared->injected, 0);
  shared->kind = kind;
}

static long held_in_all(void) {
  long all = 0;
  for (int i = 0; i < FAULTS_OBJECTS; i++) all += labs(atomic_load(&shared->held[i]));
  return all;
}

/* ---- how a row is judged ---------------------------------------------------------------------------------------------- */

/* What is common to a client's row and a command's. */
typedef struct row {
  const char *name, *device; /* of the client or the command */
  faults_kind kind;
  bool is_sticky;
  long least;        /* calls that there must be: fewer would mean that they are not seen */
  long stride;       /* every so many of them fail */
  long fallbacks;    /* so many failures at most are taken without harm, besides those of the table above */
  const char *which; /* these are; of OpenCL, the call */
} row;

typedef struct tally {
  long calls, tried, struck, harmless, fallbacks;
} tally;

/* "life on cl:0:0, call 17 (clCreateBuffer, code -5)" */
static const char *describe(const row *r) {
  static char text[512];
  snprintf(text, sizeof text, "%s%s%s, call %ld%s (%s %#x, code %d)", r->name, *r->device ? " on " : "", r->device, shared->at,
           shared->is_sticky ? " and all after it" : "", shared->name, shared->question, shared->code);
  return text;
}

/* What the cache of built programs printed while a client ran, and while that was verified. */
static char trace[16384], later_trace[16384];

/* Whether a failure that was not told is one of those that do no harm. */
static void judge_quiet(const row *r, tally *t) {
  if (r->kind == FAULTS_SHORT || r->kind == FAULTS_END || is_harmless(shared) || strstr(trace, word_of(shared)))
    t->harmless++;
  else if (t->fallbacks++ >= r->fallbacks || (r->kind == FAULTS_OPENCL && strcmp(shared->name, r->which) != 0))
    complain("%s: it was not told\n%s", describe(r), trace);
}

/* Every n-th call of a row fails; CHECK_FAULTS_ALL=1: every one. */
static long stride_of(const row *r) { return getenv("CHECK_FAULTS_ALL") ? 1 : r->stride; }

static void count_calls(const row *r, tally *t) {
  *t = (tally){.calls = atomic_load(&shared->calls)};
  if (t->calls < r->least) complain("%s on %s: %ld calls; at least %ld were expected", r->name, r->device, t->calls, r->least);
}

static void finish_row(const row *r, const tally *t) {
  static const char *const kinds[] = {
      [FAULTS_OPENCL] = "OpenCL", [FAULTS_EVENT] = "events", [FAULTS_MEMORY] = "memory", [FAULTS_MCPP] = "libmcpp's memory",
      [FAULTS_FILE] = "files",    [FAULTS_SHORT] = "short",  [FAULTS_END] = "the end"};
  if (t->struck < t->tried) complain("%s: only %ld of %ld calls failed", r->name, t->struck, t->tried);
  printf("%-8s %-7s %s%s: of %ld calls %ld failed, %ld of them without harm\n", r->name, r->device, kinds[r->kind],
         r->is_sticky ? ", for good" : "", t->calls, t->struck, t->harmless + t->fallbacks);
  fflush(stdout);
}

enum { ENOUGH = 60 }; /* complaints */

/* ---- the library ------------------------------------------------------------------------------------------------------ */

#define COMPILER "the name of the C compiler, for people to read"

/* Of libmcpp: how many calls there must be, where it is the one that asks us for memory; and while it begins, so many, of which
 * a failure crashes it. */
#ifdef TS_HAS_MCPP
enum { MCPP_LEAST = 1000, MCPP_BEGINS = 22 };
#else
enum { MCPP_LEAST = 0, MCPP_BEGINS = 22 };
#endif

static const row library_rows[] = {
    {"life", "cl:0:0", FAULTS_OPENCL, false, 90, 1, 1, "clFinish"}, /* by ts_queue_destroy, which can tell nobody */
    {"life", "cl:0:0", FAULTS_OPENCL, true, 90, 1, 1, "clFinish"},
    {"life", "cl:0:0", FAULTS_EVENT, false, 3, 1, 0, ""},
    {"chooses", "cl:0:0", FAULTS_OPENCL, false, 25, 1, 0, ""},
    {"builds", "cl:0:0", FAULTS_OPENCL, false, 40, 1, 0, ""},
    {"compiles", "cl:0:0", FAULTS_OPENCL, false, 50, 1, 0, ""},
    {"commands", "cl:0:0", FAULTS_OPENCL, false, 20, 1, 0, ""},
    {"commands", "cl:0:0", FAULTS_OPENCL, true, 20, 1, 0, ""},
    {"commands", "cl:0:0", FAULTS_EVENT, false, 3, 1, 0, ""},
    {"life", "cl:0:0", FAULTS_MEMORY, false, 60, 1, 25, COMPILER ", twice; the host in a list, where cl:0:0 is chosen"},
    {"life", "cl:0:0", FAULTS_MEMORY, true, 60, 1, 0, ""},
    {"builds", "cl:0:0", FAULTS_MEMORY, false, 40, 1, 20, COMPILER "; the same; what a build's error shows beside the log"},
    {"compiles", "cl:0:0", FAULTS_MEMORY, false, 60, 1, 26, COMPILER ", twice; the host in a list, twice"},
    {"life", "host", FAULTS_MEMORY, false, 100, 1, 24, COMPILER ", twice"},
    {"life", "host", FAULTS_MEMORY, true, 100, 1, 0, ""},
    {"compiles", "host", FAULTS_MEMORY, false, 90, 1, 12, COMPILER},
    {"compiles", "host", FAULTS_MCPP, false, MCPP_LEAST, 53, 0, ""},
    {"caches", "host", FAULTS_FILE, false, 50, 1, 11, COMPILER " and the processor, twice; the folder, to trim it"},
    {"caches", "host", FAULTS_FILE, true, 50, 1, 0, ""},
    {"caches", "host", FAULTS_SHORT, false, 2, 1, 0, ""},
    {"caches", "host", FAULTS_END, false, 50, 1, 0, ""},
    {"caches", "cl:0:0", FAULTS_FILE, false, 40, 1, 11, COMPILER "; the same"},
    {"caches", "cl:0:0", FAULTS_FILE, true, 40, 1, 0, ""},
    {"caches", "cl:0:0", FAULTS_SHORT, false, 2, 1, 0, ""},
};

/* Of a sanitizer's build; it returns whether memory was lost, and prints what. */
int __lsan_do_recoverable_leak_check(void) __attribute__((weak));

static bool has_lost_memory(void) { return __lsan_do_recoverable_leak_check && __lsan_do_recoverable_leak_check(); }

static size_t read_scratch(const char *name, char *text, size_t bytes);
static size_t count_files(const char *pattern, char *path);

/* Let stderr go to a file, and read what went there. */
static int divert_stderr(void) {
  char path[PATH_BYTES + 16];
  snprintf(path, sizeof path, "%s/trace", scratch);
  fflush(stderr);
  int kept = dup(STDERR_FILENO), fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_APPEND, 0600);
  if (kept < 0 || fd < 0 || dup2(fd, STDERR_FILENO) < 0) exit(EXIT_FAILURE);
  close(fd);
  return kept;
}

static void restore_stderr(int kept, char *text, size_t bytes) {
  fflush(stderr);
  dup2(kept, STDERR_FILENO);
  close(kept);
  read_scratch("trace", text, bytes);
}

/* Run a client; if it is to be killed, in a process of its own, and `error` is left alone. */
static ts_status run_client(const row *r, const client *c, ts_error *error) {
  if (r->kind != FAULTS_END) return c->run(r->device, error);
  int status = 0;
  pid_t child = fork();
  if (child == 0) _exit(c->run(r->device, error) ? EXIT_FAILURE : EXIT_SUCCESS);
  if (child < 0 || waitpid(child, &status, 0) < 0) exit(EXIT_FAILURE);
  bool is_right = shared->at ? WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL : WIFEXITED(status) && !WEXITSTATUS(status);
  return is_right ? TS_OK : TS_STATUS_COUNT;
}

/* Run a client once as it is armed. Returns whether it told no failure. */
static bool try_client(const row *r, const client *c) {
  ts_error error = {.status = TS_OK};
  faults_kind kind = shared->kind;
  shared->kind = FAULTS_NONE;
  if (c->prepare && c->prepare(r->device, &error)) {
    complain("%s on %s can't be prepared: %s", r->name, r->device, error.message);
    return false;
  }
  long held = held_in_all();
  size_t files = count_files("tmp/*", NULL);
  int kept = divert_stderr();
  shared->kind = kind;
  ts_status status = run_client(r, c, &error);
  shared->kind = FAULTS_NONE;
  restore_stderr(kept, trace, sizeof trace);
  bool has_left = r->kind != FAULTS_END && count_files("tmp/*", NULL) + count_files("caches/one/*.tmp", NULL) != files;
  kept = divert_stderr();
  const char *harm = c->verify ? c->verify() : NULL;
  restore_stderr(kept, later_trace, sizeof later_trace);
  shared->kind = kind;

  bool is_struck = atomic_load(&shared->injected) > 0;
  if (held_in_all() != held) complain("%s: objects of OpenCL are not released, or too often", describe(r));
  if (has_left) complain("%s: a file is left", describe(r));
  if (harm) complain("%s: %s\n%s%s", describe(r), harm, trace, later_trace);
  if (strstr(later_trace, "ignored")) complain("%s: what is in the cache is not whole:\n%s%s", describe(r), trace, later_trace);
  if (r->kind == FAULTS_SHORT && (strstr(trace, "ignored") || strstr(trace, "failed")))
    complain("%s: the rest was not read or written:\n%s", describe(r), trace);
  if (status == TS_STATUS_COUNT)
    complain("%s: the result is wrong, and nothing was told", describe(r));
  else if (status && !is_struck)
    complain("%s: undisturbed, it failed: %s", describe(r), error.message);
  else if (status && is_harmless(shared) && !r->is_sticky)
    complain("%s: it does no harm, and was told: %s", describe(r), error.message);
  else if (status && status != status_of(r->kind, shared->code))
    complain("%s: the status is \"%s\", not \"%s\": %s", describe(r), ts_status_text(status),
             ts_status_text(status_of(r->kind, shared->code)), error.message);
  else if (status && (status != error.status || (!strstr(error.message, word_of(shared)) && !r->is_sticky)))
    complain("%s: the error does not say \"%s\": %s", describe(r), word_of(shared), error.message);
  return status == TS_OK;
}

enum { CHILD_TOLD, CHILD_IS_QUIET = 50, CHILD_COMPLAINED }; /* no codes of a sanitizer's */

/* Run a client once as it is armed, in a process of its own, and then undisturbed: libmcpp can't be used again where it found
 * no memory, and that must be told. Returns whether no failure was told. */
static bool try_in_child(const row *r, const client *c) {
  int status = 0, before = failures;
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    bool is_quiet = try_client(r, c);
    ts_error error = {.status = TS_OK};
    shared->kind = FAULTS_NONE;
    if (!is_quiet && (c->run(r->device, &error) != TS_ERROR_MEMORY || !strstr(error.message, "can't be used again")))
      complain("%s: the next program is told: %s", describe(r), error.message);
    int kept = divert_stderr(); /* a process that was forked is warned of the threads that it does not have */
    bool has_lost = has_lost_memory();
    restore_stderr(kept, trace, sizeof trace);
    if (has_lost) complain("%s: memory is lost\n%s", describe(r), trace);
    fflush(stdout);
    _exit(failures > before ? CHILD_COMPLAINED : is_quiet ? CHILD_IS_QUIET : CHILD_TOLD);
  }
  if (child < 0 || waitpid(child, &status, 0) < 0) exit(EXIT_FAILURE);
  int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  if (code == CHILD_COMPLAINED) failures++;
  if (code != CHILD_TOLD && code != CHILD_IS_QUIET && code != CHILD_COMPLAINED) {
    read_scratch("trace", trace, sizeof trace);
    complain("%s: it crashed\n%s", describe(r), trace);
  }
  return code == CHILD_IS_QUIET;
}

enum { LEAK_STRIDE = 100 }; /* the search for lost memory takes a third of a second */

/* Disturb a client, in this process. */
static void run_library_row(const row *r) {
  const client *c = client_find(r->name);
  tally t;
  for (int i = 0; i < 2; i++) { /* what a process makes once was made in the first */
    arm(r->kind, 0, 0, false);
    try_client(r, c);
  }
  count_calls(r, &t);
  for (long at = r->kind == FAULTS_MCPP ? MCPP_BEGINS + 1 : 1; at <= t.calls && failures < ENOUGH; at += stride_of(r)) {
    arm(r->kind, at, code_of(r->kind, at), r->is_sticky);
    t.tried++;
    bool is_quiet = r->kind == FAULTS_MCPP ? try_in_child(r, c) : try_client(r, c);
    t.struck += atomic_load(&shared->injected) > 0;
    if (is_quiet) judge_quiet(r, &t);
    bool is_time = t.tried % LEAK_STRIDE == 0 || at + stride_of(r) > t.calls;
    if (is_time && has_lost_memory()) complain("%s, or one of the %d before: memory is lost", describe(r), LEAK_STRIDE);
  }
  finish_row(r, &t);
}

/* ---- processes ---------------------------------------------------------------------------------------------------------- */

/* Run a program in scratch/work. What it prints, on both streams, is in scratch/output. Returns the status of waitpid; -1: it
 * hung. */
static int run_program(char *const arguments[], double seconds) {
  char output[PATH_BYTES + 16], folder[PATH_BYTES + 16];
  snprintf(output, sizeof output, "%s/output", scratch);
  snprintf(folder, sizeof folder, "%s/work", scratch);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    int fd = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || chdir(folder) || dup2(fd, STDOUT_FILENO) < 0 || dup2(fd, STDERR_FILENO) < 0 || setpgid(0, 0)) _exit(126);
    execv(arguments[0], arguments);
    _exit(127);
  }
  if (child < 0) exit(EXIT_FAILURE);
  int status = 0;
  const double step = 0.002;
  for (double waited = 0; waitpid(child, &status, WNOHANG) == 0; waited += step) {
    nanosleep(&(struct timespec){.tv_nsec = (long)(step * 1e9)}, NULL);
    if (waited < seconds) continue;
    kill(-child, SIGKILL);
    waitpid(child, &status, 0);
    return -1;
  }
  return status;
}

/* Read a file of the scratch folder, cut to fit. Returns its length; 0 if there is none. */
static size_t read_scratch(const char *name, char *text, size_t bytes) {
  char path[PATH_BYTES + 64];
  snprintf(path, sizeof path, "%s/%s", scratch, name);
  FILE *file = fopen(path, "r");
  size_t length = file ? fread(text, 1, bytes - 1, file) : 0;
  text[length] = 0;
  if (file) fclose(file);
  return length;
}

static void write_scratch(const char *name, const void *data, size_t bytes) {
  char path[PATH_BYTES + 64];
  snprintf(path, sizeof path, "%s/%s", scratch, name);
  FILE *file = fopen(path, "w");
  bool is_written = file && fwrite(data, 1, bytes, file) == bytes;
  if ((file && fclose(file)) || !is_written) complain("%s can't be written", path);
}

/* How many files match in the scratch folder; the first is `path` [PATH_BYTES], if that is not NULL. */
static size_t count_files(const char *pattern, char *path) {
  char whole[PATH_BYTES + 64];
  glob_t files = {0};
  snprintf(whole, sizeof whole, "%s/%s", scratch, pattern);
  size_t count = glob(whole, GLOB_PERIOD, NULL, &files) ? 0 : files.gl_pathc;
  if (count && path) snprintf(path, PATH_BYTES, "%s", files.gl_pathv[0]);
  globfree(&files);
  return count;
}

static void set_variable(const char *name, const char *format, const char *value) {
  char text[4 * PATH_BYTES];
  snprintf(text, sizeof text, format, value);
  if (setenv(name, text, 1)) complain("%s can't be set", name);
}

/* Make the scratch folder, what is in it, and the environment of all that runs there. */
static void make_scratch(void) {
  static const char *const folders[] = {"work", "tmp", "kept", "bin"};
  const char *parent = getenv("TMPDIR"), *sanitizer = getenv("ASAN_OPTIONS");
  char path[PATH_BYTES + 16];
  snprintf(scratch, sizeof scratch, "%s/check_faults-XXXXXX", parent && *parent ? parent : "/tmp");
  if (!mkdtemp(scratch)) exit(EXIT_FAILURE);
  for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
    snprintf(path, sizeof path, "%s/%s", scratch, folders[i]);
    if (mkdir(path, 0700)) exit(EXIT_FAILURE);
  }
  snprintf(path, sizeof path, "%s/faults", scratch);
  int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  shared = fd < 0 || ftruncate(fd, sizeof *shared) ? MAP_FAILED
                                                   : mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (shared == MAP_FAILED) exit(EXIT_FAILURE);
  close(fd);
  setenv(FAULTS_VARIABLE, path, 1);
  set_variable("TMPDIR", "%s/tmp", scratch);
  unsetenv("TENSORSTORAGE_DEVICE");
  setenv("TENSORSTORAGE_CACHE", "off", 1);
  set_variable("TENSORSTORAGE_CACHE_DIR", "%s/caches/one", scratch);
  char options[4 * PATH_BYTES];
  snprintf(options, sizeof options, "%.512s%slog_path=%s/sanitizer", sanitizer ? sanitizer : "", sanitizer ? ":" : "", scratch);
  setenv("ASAN_OPTIONS", options, 1);
}

static int remove_one(const char *path, const struct stat *facts, int kind, struct FTW *where) {
  (void)facts, (void)kind, (void)where;
  return remove(path);
}

static void remove_scratch(void) { nftw(scratch, remove_one, 16, FTW_DEPTH | FTW_PHYS); }

/* From now on the C compiler is a script that gives out again what the compiler made when `use` was run: a second of time less
 * for each call. */
static void keep_compiler_output(void (*use)(void)) {
  static const char script[] = "#!/bin/sh\n"
                               "case $1 in --version) echo 'cc, kept' && exit ;; esac\n"
                               "while [ $# -gt 1 ]; do\n"
                               "  [ \"$1\" = -o ] && exec /bin/cp \"${0%/*}\"/kept/*/\"${2##*/}\" \"$2\"\n"
                               "  shift\n"
                               "done\n"
                               "exit 1\n";
  set_variable("TENSORSTORAGE_KEEP", "%s/kept", scratch);
  use();
  unsetenv("TENSORSTORAGE_KEEP");
  write_scratch("cc", script, sizeof script - 1);
  set_variable("CC", "%s/cc", scratch);
  if (chmod(getenv("CC"), 0700)) complain("%s can't be made a program", getenv("CC"));
}

/* ---- the tool ------------------------------------------------------------------------------------------------------------ */

static char *tool;

#define RUN_SCALE "run scale.c --items 256 --group 256 --arg x_cells=@x.npy --arg y_cells=out.npy:f32:32,32 --arg a=2.5 "

/* A command. Its output file, if it has one, is out.npy. */
typedef struct tool_row {
  row row;
  const char *arguments; /* separated by blanks */
  unsigned exits;        /* that a failure may have, 1 << code, or'ed; 0: the exit code of its status */
  bool is_report;        /* its file tells of failures, and is then written */
} tool_row;

static const tool_row tool_rows[] = {
    {{"devices", "", FAULTS_OPENCL, false, 20, 1, 0, ""}, "devices", 0, false},
    {{"run", "cl:0:0", FAULTS_OPENCL, false, 60, 1, 1, "clFinish"}, RUN_SCALE "--device cl:0:0", 0, false},
    {{"run", "cl:0:0", FAULTS_EVENT, false, 1, 1, 0, ""}, RUN_SCALE "--device cl:0:0", 0, false},
    {{"build", "cl", FAULTS_OPENCL, false, 50, 3, 0, ""}, "build scale.c --target cl -o out.npy", 0, false},
    {{"doctor", "", FAULTS_OPENCL, false, 70, 11, 0, ""}, "doctor", 1u << TOOL_ERROR, false},
    {{"conform", "cl:0:0", FAULTS_OPENCL, false, 100, 19, 1, "clFinish"},
     "conform --device cl:0:0 --filter load.f32x4.global.*",
     1u << TOOL_FAILED | 1u << TOOL_ERROR | 1u << TOOL_FILE,
     false},
    {{"devices", "", FAULTS_MEMORY, false, 100, 8, 3, COMPILER}, "devices --json", 0, false},
    {{"run", "host", FAULTS_MEMORY, false, 400, 13, 3, COMPILER}, RUN_SCALE "--device host --json", 0, false},
    {{"build", "host", FAULTS_MEMORY, false, 100, 8, 3, COMPILER}, "build scale.c --target host -o out.npy --json", 0, false},
    {{"show", "host", FAULTS_MEMORY, false, 900, 31, 3, COMPILER}, "show scale.c --target host --json", 0, false},
    {{"doctor", "", FAULTS_MEMORY, false, 700, 97, 3, COMPILER}, "doctor --json", 1u << TOOL_ERROR | 1u << TOOL_FILE, false},
    {{"conform", "cl:0:0", FAULTS_MEMORY, false, 10000, 2503, 3, COMPILER},
     "conform --device cl:0:0 --filter load.f32x4.global.* --json out.npy",
     1u << TOOL_FAILED | 1u << TOOL_ERROR | 1u << TOOL_FILE,
     true},
};

static const char old_bytes[] = "these bytes were there before\n";

enum { FILE_BYTES = 1 << 20 };

typedef struct contents {
  char bytes[FILE_BYTES];
  size_t count;
} contents;

static bool is_equal(const contents *c, const void *bytes, size_t count) {
  return c->count == count && !memcmp(c->bytes, bytes, count);
}

/* x.npy: 1024 elements of f16, all 1. */
static void write_files(void) {
  static struct {
    char header[128];
    uint16_t cells[1024];
  } x = {.header = "\x93NUMPY\x01\0\x76\0{'descr': '<f2', 'fortran_order': False, 'shape': (1024,), }"};
  size_t length = 10 + strlen(x.header + 10);
  memset(x.header + length, ' ', sizeof x.header - length);
  x.header[sizeof x.header - 1] = '\n';
  for (size_t i = 0; i < sizeof x.cells / sizeof x.cells[0]; i++) x.cells[i] = 0x3c00;
  write_scratch("work/x.npy", &x, sizeof x);

  static contents scale;
  FILE *file = fopen(TS_SOURCE "/examples/scale.c", "r");
  scale.count = file ? fread(scale.bytes, 1, sizeof scale.bytes, file) : 0;
  if (file) fclose(file);
  write_scratch("work/scale.c", scale.bytes, scale.count);
}

/* Run the tool on words that blanks separate. Returns its exit code, or -1, having told why, if it has none. */
static int run_tool(const char *words) {
  char copy[1024], *arguments[ARGUMENTS_MAX] = {tool}, *state = NULL;
  size_t count = 1;
  snprintf(copy, sizeof copy, "%s", words);
  for (char *word = strtok_r(copy, " ", &state); word && count + 1 < ARGUMENTS_MAX; word = strtok_r(NULL, " ", &state))
    arguments[count++] = word;
  write_scratch("work/out.npy", old_bytes, sizeof old_bytes - 1);
  int status = run_program(arguments, SECONDS_MAX);
  if (status >= 0 && WIFEXITED(status)) return WEXITSTATUS(status);
  if (status < 0)
    complain("%s, call %ld (%s): it hangs", words, shared->at, shared->name);
  else
    complain("%s, call %ld (%s): it crashed, by signal %d", words, shared->at, shared->name, WTERMSIG(status));
  return -1;
}

/* What must hold however it ended. */
static void judge_remains(const row *r) {
  static char report[65536];
  char path[PATH_BYTES];
  enum { FILES = 5 }; /* scale.c, x.npy, out.npy, and the folder's . and .. */
  if (held_in_all()) complain("%s: objects of OpenCL are not released, or too often", describe(r));
  for (int i = 0; i < FAULTS_OBJECTS; i++) atomic_store(&shared->held[i], 0);
  if (count_files("work/*", NULL) != FILES || count_files("tmp/*", path) != 2) complain("%s: a file is left", describe(r));
  while (count_files("sanitizer.*", path)) {
    read_scratch(path + strlen(scratch) + 1, report, sizeof report);
    complain("%s: a sanitizer says:\n%s", describe(r), report);
    remove(path);
  }
}

static bool is_report_of_failures(const contents *c) {
  return c->count > 2 && c->bytes[0] == '{' && !memcmp(c->bytes + c->count - 2, "}\n", 2);
}

/* The exit code, what was printed and the file, after a failure that was struck. */
static void judge_failure(const tool_row *t, int code, const contents *out) {
  static char output[65536];
  const row *r = &t->row;
  read_scratch("output", output, sizeof output);
  bool is_expected = t->exits ? (t->exits >> code & 1) != 0 : code == ts_status_exit_code(status_of(r->kind, shared->code));
  if (r->kind == FAULTS_OPENCL && is_harmless(shared))
    complain("%s: it does no harm, and the exit code is %d:\n%s", describe(r), code, output);
  else if (!is_expected)
    complain("%s: the exit code is %d:\n%s", describe(r), code, output);
  else if (!strstr(output, word_of(shared)))
    complain("%s: it does not say \"%s\":\n%s", describe(r), word_of(shared), output);
  bool is_kept = is_equal(out, old_bytes, sizeof old_bytes - 1) || (t->is_report && is_report_of_failures(out));
  if (!is_kept) complain("%s: the output file has changed", describe(r));
}

static void run_tool_row(const tool_row *t) {
  static contents wanted, out;
  const row *r = &t->row;
  tally tally;
  arm(r->kind, 0, 0, false);
  int code = run_tool(t->arguments);
  count_calls(r, &tally);
  judge_remains(r);
  wanted.count = read_scratch("work/out.npy", wanted.bytes, sizeof wanted.bytes);
  if (code != TOOL_PASSED) {
    read_scratch("output", out.bytes, sizeof out.bytes);
    complain("%s: undisturbed, the exit code is %d:\n%s", t->arguments, code, out.bytes);
    return;
  }
  for (long at = 1; at <= tally.calls && failures < ENOUGH; at += stride_of(r)) {
    arm(r->kind, at, code_of(r->kind, at), r->is_sticky);
    tally.tried++;
    code = run_tool(t->arguments);
    bool is_struck = atomic_load(&shared->injected) > 0;
    tally.struck += is_struck;
    judge_remains(r);
    out.count = read_scratch("work/out.npy", out.bytes, sizeof out.bytes);
    if (code == TOOL_PASSED && !t->is_report && !is_equal(&out, wanted.bytes, wanted.count))
      complain("%s: all is well, and the output file is not", describe(r));
    if (code == TOOL_PASSED && is_struck) judge_quiet(r, &tally);
    if (code > TOOL_PASSED) judge_failure(t, code, &out);
  }
  finish_row(r, &tally);
}

static void build_scale(void) {
  arm(FAULTS_NONE, 0, 0, false);
  run_tool(RUN_SCALE "--device host");
  run_tool("build scale.c --target host");
}

/* Doctor shall find no other compilers than these: they take their time. */
static void run_tool_rows(const char *only) {
  char path[PATH_BYTES + 16];
  write_files();
  keep_compiler_output(build_scale);
  setenv("TENSORSTORAGE_NVRTC", "/nowhere", 1);
  snprintf(path, sizeof path, "%s/bin/ld", scratch); /* PoCL's */
  if (symlink("/usr/bin/ld", path)) complain("%s can't be made", path);
  set_variable("PATH", "%s/bin", scratch);
  for (size_t i = 0; i < sizeof tool_rows / sizeof tool_rows[0]; i++)
    if (!only || !strcmp(only, tool_rows[i].row.name)) run_tool_row(&tool_rows[i]);
}

/* ---- all ----------------------------------------------------------------------------------------------------------------- */

static void build_clients(void) {
  ts_error error;
  arm(FAULTS_NONE, 0, 0, false);
  if (client_find("life")->run("host", &error) || client_find("compiles")->run("host", &error))
    complain("the host can't build: %s", error.message);
}

/* Clients that are bad, and how it shows. */
static const struct bad_client {
  const char *name;
  enum { COMPLAINED_OF, CRASHES, HANGS } how;
} bad_clients[] = {{"leaks", COMPLAINED_OF}, {"forgets", COMPLAINED_OF},  {"crashes", CRASHES},
                   {"hangs", HANGS},         {"swallows", COMPLAINED_OF}, {"overwrites", COMPLAINED_OF}};

/* Disturb a bad client as others are, in a process of its own: it must be caught. */
static void catch_bad_client(const struct bad_client *bad) {
  char self[] = "/proc/self/exe", word[] = "bad", client[32], *arguments[] = {self, word, client, NULL};
  const double hang_seconds = 10;
  snprintf(client, sizeof client, "%s", bad->name);
  int status = run_program(arguments, bad->how == HANGS ? hang_seconds : SECONDS_MAX);
  bool is_caught = status < 0            ? bad->how == HANGS
                   : WIFSIGNALED(status) ? bad->how == CRASHES
                                         : bad->how == COMPLAINED_OF && WEXITSTATUS(status) == EXIT_FAILURE;
  if (!is_caught) complain("the bad client \"%s\" was not caught", bad->name);
}

static void run_library_rows(const char *only) {
  keep_compiler_output(build_clients);
  for (size_t i = 0; i < sizeof library_rows / sizeof library_rows[0]; i++)
    if (!only || !strcmp(only, library_rows[i].name)) run_library_row(&library_rows[i]);
  for (size_t i = 0; i < sizeof bad_clients / sizeof bad_clients[0] && !only; i++)
    if (strcmp(bad_clients[i].name, "leaks") != 0 || __lsan_do_recoverable_leak_check) catch_bad_client(&bad_clients[i]);
}

static bool has_opencl_device(void) {
  cl_platform_id platform;
  cl_uint count = 0;
  return !clGetPlatformIDs(1, &platform, NULL) && !clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, &count) && count;
}

int main(int argc, char **argv) {
  setvbuf(stdout, NULL, _IOLBF, 0); /* in the order of what drivers and sanitizers print */
  bool is_library = argc >= 2 && !strcmp(argv[1], "library"), is_tool = argc >= 3 && !strcmp(argv[1], "tool");
  if (argc == 3 && !strcmp(argv[1], "bad")) { /* one that check_faults itself has started */
    shared = faults_here();
    const row r = {argv[2], "cl:0:0", FAULTS_OPENCL, false, 10, 5, 0, ""};
    run_library_row(&r);
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
  }
  if (!is_library && !is_tool) {
    fputs("usage: check_faults library [CLIENT] | tool TOOL [COMMAND]\n", stderr);
    return EXIT_FAILURE;
  }
  setenv("OCL_ICD_VENDORS", "/etc/OpenCL/vendors/pocl.icd", 1);
  ts_skip_unless("pocl", has_opencl_device(), "there is no OpenCL device of PoCL");
  make_scratch();
  if (is_library) {
    faults_use(shared);
    run_library_rows(argc > 2 ? argv[2] : NULL);
  } else {
    tool = realpath(argv[2], NULL);
    run_tool_rows(argc > 3 ? argv[3] : NULL);
    free(tool);
  }
  remove_scratch();
  return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
