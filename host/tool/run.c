/* SPDX-License-Identifier: Apache-2.0
 *
 * run.c: `tensorstorage run`: reads the options, opens the files, and watches the child process in which the kernel runs.
 *
 * It loads no driver. Files are opened before the child starts, so that what can't be read or written is known before anything
 * runs; outputs get their names when the child has ended well, so that a crash leaves none.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "host/tool/run.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/tool/child.h"
#include "text.h"

static const char command[] = "run";

static const char usage[] =
    "usage: tensorstorage run FILE --items N [--arg NAME=WHAT...] [OPTION...]\n"
    "\n"
    "Run a kernel of FILE, a C source that includes tensorstorage.h, on .npy files.\n"
    "\n"
    "  --items N[,N[,N]]    how many work-items, in up to three dimensions; one that is not given is 1\n"
    "  --group N[,N[,N]]    how many of them form a work-group, likewise (default: the device chooses)\n"
    "  --arg NAME=WHAT      an argument, by the name of the kernel's parameter. WHAT is\n"
    "                         @IN.npy             the elements of a file; @IN.npy:bf16 says what its bits are\n"
    "                         @IN.npy:OUT.npy     the same, written to OUT.npy afterwards; @IN.npy:- prints it\n"
    "                         OUT.npy:f32:64,16   zeros, written to OUT.npy afterwards: dtype and shape\n"
    "                         -:f32:8             zeros, printed afterwards\n"
    "                         2.5                 a number, for a scalar\n"
    "                         1024                how many elements, for shared memory\n"
    "  --kernel NAME        which kernel (default: the only one)\n"
    "  --device ID|GLOB     an id of `tensorstorage devices`, or a glob that one device's name matches\n"
    "                       (default: $TENSORSTORAGE_DEVICE, else the first GPU, else OpenCL, else the host)\n"
    "  --repeat N           launch N times more, and tell the least and the median time; outputs are the first launch's\n"
    "  --timeout SECONDS    for all of it (default: 300)\n" BUILDING_HELP
    "  -I, --include DIR    look for the file's own includes in DIR too; may be repeated\n"
    "  --json               print the report, or what went wrong, as JSON (schema 1)\n"
    "  --help               show this help\n"
    "\n"
    "Exit codes: 0 done, 2 usage, or something that the kernel or the device does not take, 3 no such device,\n"
    "5 it did not build, failed, crashed or timed out, 6 a file or memory problem. Unless it is 0, no output is written,\n"
    "but for 6 if only what it prints could not be.\n"
    "docs/run.md tells the rest.";

static const struct option options_table[] = {BUILDING_OPTIONS,
                                              {"arg", required_argument, NULL, 'a'},
                                              {"device", required_argument, NULL, 'd'},
                                              {"group", required_argument, NULL, 'g'},
                                              {"help", no_argument, NULL, 'h'},
                                              {"include", required_argument, NULL, 'I'},
                                              {"items", required_argument, NULL, 'i'},
                                              {"json", no_argument, NULL, 'j'},
                                              {"kernel", required_argument, NULL, 'k'},
                                              {"repeat", required_argument, NULL, 'r'},
                                              {"timeout", required_argument, NULL, 't'},
                                              {0}};

/* ---- options -------------------------------------------------------------------------------------------------- */

static int take_file(run_request *r, const char *name) {
  if (r->file) return tool_usage_error(command, "one file is run: not \"%s\" after \"%s\"", name, r->file);
  r->file = name;
  return OPTION_TAKEN;
}

/* 64,16: up to three numbers, none of them 0. */
static int take_sizes(size_t sizes[3], const char *option, const char *text) {
  const char *at = text;
  memset(sizes, 0, 3 * sizeof sizes[0]);
  for (int d = 0; at; d++) {
    char *end = NULL;
    errno = 0;
    unsigned long long size = isdigit((unsigned char)*at) ? strtoull(at, &end, 10) : 0;
    if (!end || (*end && *end != ',') || d == 3 || size == 0 || size > INT64_MAX)
      return tool_usage_error(command, "--%s is one to three positive numbers, e.g. 256 or 64,16, not \"%s\"", option, text);
    sizes[d] = (size_t)size;
    at = *end ? end + 1 : NULL;
  }
  return OPTION_TAKEN;
}

static int take_repeats(run_request *r, const char *text) {
  enum { REPEATS_MAX = 1000000 };
  char *end = NULL;
  unsigned long repeats = isdigit((unsigned char)*text) ? strtoul(text, &end, 10) : 0;
  if (!end || *end || repeats < 1 || repeats > REPEATS_MAX)
    return tool_usage_error(command, "--repeat is a number from 1 to %d, not \"%s\"", REPEATS_MAX, text);
  r->repeats = (uint32_t)repeats;
  return OPTION_TAKEN;
}

static int take_argument(run_request *r, const char *text) {
  run_argument *a = &r->arguments[r->argument_count++];
  int code = run_argument_parse(a, text);
  for (size_t i = 0; i + 1 < r->argument_count && code == OPTION_TAKEN; i++)
    if (!strcmp(r->arguments[i].name, a->name)) code = tool_usage_error(command, "--arg %s is given twice", a->name);
  return code;
}

static int take_option(run_request *r, int option) {
  switch (option) {
  case 1: return take_file(r, optarg);
  case 'a': return take_argument(r, optarg);
  case 'd': r->device = optarg; return OPTION_TAKEN;
  case 'g': return take_sizes(r->grid.group, "group", optarg);
  case 'h': puts(usage); return TOOL_PASSED;
  case 'i': return take_sizes(r->grid.items, "items", optarg);
  case 'j': r->as_json = true; return OPTION_TAKEN;
  case 'k': r->kernel = optarg; return OPTION_TAKEN;
  case 'r': return take_repeats(r, optarg);
  case 't': return take_timeout(&r->timeout, command, optarg);
  default: return building_take(&r->building, command, option, optarg);
  }
}

static int take_options(run_request *r, int argc, char **argv) {
  for (;;) {
    int at = optind;
    int answer = getopt_long(argc, argv, "-:hI:" BUILDING_LETTERS, options_table, NULL);
    if (answer == -1) break;
    if (answer == '?' || answer == ':') return tool_option_error(command, options_table, answer, argv, at);
    int code = take_option(r, answer);
    if (code != OPTION_TAKEN) return code;
  }
  for (; optind < argc; optind++) /* after -- */
    if (take_file(r, argv[optind]) != OPTION_TAKEN) return TOOL_USAGE;
  if (!r->file) return tool_usage_error(command, "run takes a file with a kernel");
  if (!r->grid.items[0]) return tool_usage_error(command, "how many work-items? Give --items, e.g. --items 256");
  return building_read(&r->building, r->file) ? OPTION_TAKEN : TOOL_FILE;
}

/* ---- files ---------------------------------------------------------------------------------------------------- */

static int open_input(run_argument *a) {
  char why[NPY_WHY_BYTES];
  if (a->kind != ARGUMENT_INPUT) return OPTION_TAKEN;
  a->stream = npy_open(&a->header, a->input, a->has_dtype ? &a->dtype : NULL, why);
  if (a->stream) return OPTION_TAKEN;
  tool_complain("%s, for %s: %s", a->input, a->name, why);
  return TOOL_FILE;
}

/* Whether an output's name is that of the file that is read for an argument. */
static bool is_read_for(const run_argument *reader, const char *output) {
  struct stat read, written;
  return reader->stream && !fstat(fileno(reader->stream), &read) && !stat(output, &written) && read.st_dev == written.st_dev &&
         read.st_ino == written.st_ino;
}

static int open_output(run_request *r, run_argument *a) {
  if (!a->output) return OPTION_TAKEN;
  for (run_argument *b = r->arguments; b < r->arguments + r->argument_count; b++)
    if (b != a && is_read_for(b, a->output))
      return tool_usage_error(command, "--arg %s would replace %s, which --arg %s reads; write another file", a->name,
                              a->output, b->name);
  if (!output_file_open(&a->file, a->output)) return TOOL_FILE;
  for (run_argument *b = r->arguments; b < a; b++)
    if (b->file.stream && output_file_is_same(&b->file, &a->file))
      return tool_usage_error(command, "--arg %s and --arg %s both write %s", b->name, a->name, a->output);
  return OPTION_TAKEN;
}

static int open_files(run_request *r) {
  int code = OPTION_TAKEN;
  for (size_t i = 0; i < r->argument_count && code == OPTION_TAKEN; i++) code = open_input(&r->arguments[i]);
  for (size_t i = 0; i < r->argument_count && code == OPTION_TAKEN; i++) code = open_output(r, &r->arguments[i]);
  return code;
}

/* Give the outputs their names, and say how a dtype that NumPy lacks was written. Returns the exit code. */
static int commit_files(run_request *r) {
  int code = TOOL_PASSED;
  for (run_argument *a = r->arguments; a < r->arguments + r->argument_count; a++) {
    if (!a->output) continue;
    if (!output_file_commit(&a->file)) {
      code = TOOL_FILE;
      continue;
    }
    const char *stand_in = npy_stand_in(a->header.dtype), *dtype = ts_dtype_name(a->header.dtype);
    if (stand_in)
      tool_complain("%s holds the bits of %s as %s, since NumPy has no %s; @%s:%s reads them", a->output, dtype, stand_in,
                    dtype, a->output, dtype);
  }
  return code;
}

/* ---- the child ------------------------------------------------------------------------------------------------ */

typedef struct child {
  pid_t pid;
  int report; /* the end of a pipe; -1: the child has closed it */
  ts_text text;
  run_progress *progress;
} child;

/* Be the child. Does not return. */
static void be_child(const run_request *r, run_progress *progress, int fd, pid_t parent) {
  child_begin(parent);
  if (r->as_json) dup2(STDERR_FILENO, STDOUT_FILENO); /* what a kernel prints is no JSON */
  FILE *report = fdopen(fd, "w");
  int code = TOOL_FILE;
  if (report)
    code = run_kernel(r, progress, report);
  else
    tool_complain("the report's pipe could not be used: %s", strerror(errno));
  if (report && fclose(report)) code = TOOL_FILE;
  progress->code = code;
  progress->stage = RUN_ENDED;
  exit(code);
}

/* Returns false, having said why, if no process could be started. */
static bool start_child(child *c, const run_request *r) {
  int ends[2] = {-1, -1};
  c->progress = mmap(NULL, sizeof *c->progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  bool is_ready = c->progress != MAP_FAILED && !pipe(ends);
  if (c->progress != MAP_FAILED) tool_keep_complaint_in(c->progress->complaint);
  fflush(stdout);
  pid_t parent = getpid();
  c->pid = is_ready ? fork() : -1;
  if (c->pid == 0) {
    close(ends[0]);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    be_child(r, c->progress, ends[1], parent);
  }
  if (c->pid < 0) {
    tool_complain("no process could be started for the kernel: %s", strerror(errno));
    close(ends[0]);
  } else {
    child_adopt(c->pid);
  }
  close(ends[1]);
  c->report = ends[0];
  return c->pid > 0;
}

/* Take in what the child has reported, waiting for it a moment. */
static void read_report(child *c) {
  enum { OPEN_MS = 200, CLOSED_MS = 5, BLOCK_BYTES = 65536 };
  static char block[BLOCK_BYTES];
  struct pollfd fd = {.fd = c->report, .events = POLLIN};
  if (poll(&fd, 1, c->report < 0 ? CLOSED_MS : OPEN_MS) <= 0) return;
  ssize_t count = read(c->report, block, sizeof block);
  if (count > 0) {
    ts_text_append(&c->text, block, (size_t)count);
  } else if (count == 0 || errno != EINTR) {
    close(c->report);
    c->report = -1;
  }
}

/* What a crash at this stage mostly comes from, as a line of its own; "" if nothing is known. `status` is waitpid's. */
static const char *likely_cause(const run_progress *progress, int status) {
  int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  bool is_access = signal == SIGSEGV || signal == SIGBUS;
  bool is_running = progress->stage == RUN_LAUNCHING || progress->stage == RUN_REPEATING;
  bool has_run = progress->stage >= RUN_WRITING;
  if (is_running && is_access)
    return "\nThe kernel probably loaded or stored outside a buffer, or at an address less aligned than its TS_ALIGN promises";
  if (has_run && (is_access || signal == SIGABRT))
    return "\nThe kernel had ended before; it probably stored outside its buffers, over memory that is not its own";
  return "";
}

/* Say that the child did not end as it should have; `how` is "timed out after 2 s" and its like, `cause` what follows. */
static void complain_of(const run_request *r, const run_progress *progress, const char *how, const char *cause) {
  static const char *const doing[] = {
      [RUN_OPENING] = "opening the device",
      [RUN_BUILDING] = "building the program",
      [RUN_LOADING] = "handing over the arguments",
      [RUN_LAUNCHING] = "running the kernel",
      [RUN_REPEATING] = "running the kernel again, for --repeat",
      [RUN_WRITING] = "writing the outputs",
      [RUN_CLOSING] = "closing the device",
      [RUN_ENDED] = "ending, with all done",
  };
  tool_complain("%s%s%s%s%s: %s while it was %s; no output is written%s", r->file, progress->kernel[0] ? ", kernel " : "",
                progress->kernel, progress->device[0] ? " on " : "", progress->device, how, doing[progress->stage], cause);
}

/* Wait for the child, but not longer than it may take. Returns the exit code. */
static int watch_child(child *c, const run_request *r) {
  char how[128] = "";
  double start = child_now();
  bool has_ended = false;
  while (!has_ended && !child_caught_signal() && !how[0]) {
    read_report(c);
    has_ended = child_has_ended(c->pid) && c->report < 0;
    if (child_now() - start > r->timeout) snprintf(how, sizeof how, "timed out after %g s (--timeout)", r->timeout);
  }
  int status = child_end(c->pid);
  if (c->report >= 0) close(c->report);
  if (child_caught_signal()) return TOOL_SIGNAL + child_caught_signal();
  bool is_clean = c->progress->stage == RUN_ENDED && WIFEXITED(status) && WEXITSTATUS(status) == c->progress->code;
  if (has_ended && is_clean) return c->progress->code;
  if (c->progress->stage == RUN_FAILED) return c->progress->code;
  if (has_ended) child_describe_end(how, sizeof how, status);
  complain_of(r, c->progress, how, has_ended ? likely_cause(c->progress, status) : "");
  return TOOL_ERROR;
}

static int run_in_child(run_request *r) {
  child c = {.report = -1};
  child_catch_signals();
  child_make_place();
  int code = start_child(&c, r) ? watch_child(&c, r) : TOOL_FILE;
  child_remove_place();
  if (code == TOOL_PASSED && c.text.failed) {
    tool_complain("memory ran out: there is no report, and no output is written");
    code = TOOL_FILE;
  }
  if (code == TOOL_PASSED) code = commit_files(r);
  if (code == TOOL_PASSED) fwrite(c.text.chars, 1, c.text.length, stdout);
  free(c.text.chars);
  tool_keep_complaint_in(NULL);
  if (c.progress != MAP_FAILED) munmap(c.progress, sizeof *c.progress);
  return code;
}

/* ---- the command ---------------------------------------------------------------------------------------------- */

int tool_run(int argc, char **argv) {
  run_request r = {.timeout = TIMEOUT_SECONDS, .arguments = calloc((size_t)argc + 1, sizeof *r.arguments)};
  int code = TOOL_FILE;
  if (!r.arguments)
    tool_complain("memory ran out");
  else if (building_make(&r.building, argc))
    code = take_options(&r, argc, argv);
  if (code == OPTION_TAKEN) code = open_files(&r);
  if (code == OPTION_TAKEN) code = run_in_child(&r);
  for (size_t i = 0; i < r.argument_count; i++) run_argument_free(&r.arguments[i]);
  free(r.arguments);
  building_free(&r.building);
  return code;
}
