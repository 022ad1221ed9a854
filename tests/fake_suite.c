/* SPDX-License-Identifier: Apache-2.0
 *
 * fake_suite.c: a suite whose cases do what a driver may do to the tool: pass, fail, skip, crash, hang, print, lie.
 *
 * Linked in place of the conformance suite, with the tool's own sources. No device is touched. check_conform.c uses it.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tests/conformance/suite.h"

struct ts_suite {
  ts_device_info device;
  const ts_build_options *options;
  bool crashes_at_close;
  uint64_t seed; /* of the case that runs */
};

/* As by a driver: no sanitizer's handler turns it into an exit. */
static void crash(void) {
  signal(SIGSEGV, SIG_DFL);
  raise(SIGSEGV);
}

static void hang(void) {
  for (;;) pause();
}

static void finish(ts_case_result *result, ts_verdict verdict, const char *reason) {
  result->verdict = verdict;
  snprintf(result->reason, sizeof result->reason, "%s", reason);
}

/* ---- the cases ------------------------------------------------------------------------------------------------ */

static void pass(ts_suite *suite, ts_case_result *result) {
  (void)suite;
  finish(result, TS_CASE_PASSED, "");
}

static void fail(ts_suite *suite, ts_case_result *result) {
  (void)suite;
  finish(result, TS_CASE_FAILED, "byte 3 is 0x01, must be 0x02");
}

static void fail_quoting(ts_suite *suite, ts_case_result *result) {
  (void)suite;
  finish(result, TS_CASE_FAILED, "\"quoted\" \\ caf\xc3\xa9 and no UTF-8: \xff");
}

static void skip_f64(ts_suite *suite, ts_case_result *result) {
  (void)suite;
  finish(result, TS_CASE_SKIPPED, "the device has no f64");
}

static void skip_memory(ts_suite *suite, ts_case_result *result) {
  (void)suite;
  finish(result, TS_CASE_SKIPPED, "less than 6 GiB are free");
}

static void be_wrong(ts_suite *suite, ts_case_result *result) {
  (void)suite;
  finish(result, TS_CASE_ERROR, "the program did not build");
}

static void die_by_signal(ts_suite *suite, ts_case_result *result) {
  (void)suite, (void)result;
  puts("about to crash");
  crash();
}

static void die_by_exit(ts_suite *suite, ts_case_result *result) {
  (void)suite, (void)result;
  exit(3);
}

/* Leaves a process behind that has all that this one had open. */
static void die_with_child(ts_suite *suite, ts_case_result *result) {
  (void)suite, (void)result;
  if (fork() == 0) hang();
  exit(3);
}

static void never_end(ts_suite *suite, ts_case_result *result) {
  (void)suite, (void)result;
  hang();
}

/* A compiler that the driver has started hangs. */
static void never_end_with_child(ts_suite *suite, ts_case_result *result) {
  (void)suite, (void)result;
  fork();
  hang();
}

static void crash_at_close(ts_suite *suite, ts_case_result *result) {
  suite->crashes_at_close = true;
  finish(result, TS_CASE_PASSED, "");
}

static void print(ts_suite *suite, ts_case_result *result) {
  (void)suite;
  puts("the driver says hello");
  finish(result, TS_CASE_PASSED, "");
}

static void print_without_end(ts_suite *suite, ts_case_result *result) {
  (void)suite, (void)result;
  for (;;) puts("the driver talks and talks and talks");
}

/* Tells the process, as its reason; takes long enough for two processes to get some each. */
static void tell_process(ts_suite *suite, ts_case_result *result) {
  (void)suite;
  nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
  result->verdict = TS_CASE_SKIPPED;
  snprintf(result->reason, sizeof result->reason, "%ld", (long)getpid());
}

static void need_options(ts_suite *suite, ts_case_result *result) {
  const char *standard = suite->options->standard;
  bool has_define = false;
  for (const char *const *define = suite->options->defines; define && *define; define++)
    has_define = has_define || !strcmp(*define, "TS_HAVE_F64=0");
  bool has_extra = suite->options->extra && !strcmp(suite->options->extra, "-O1");
  if (standard && !strcmp(standard, "CL1.2") && has_define && has_extra && suite->options->fast_math)
    finish(result, TS_CASE_PASSED, "");
  else
    finish(result, TS_CASE_FAILED, "the options did not arrive");
}

static void send_nonsense(ts_suite *suite, ts_case_result *result) {
  (void)suite;
  result->verdict = (ts_verdict)77;
}

/* Tells the seed, as its reason. */
static void tell_seed(ts_suite *suite, ts_case_result *result) {
  result->verdict = TS_CASE_SKIPPED;
  snprintf(result->reason, sizeof result->reason, "%llu", (unsigned long long)suite->seed);
}

static void fail_on_seed_2(ts_suite *suite, ts_case_result *result) {
  if (suite->seed == 2)
    finish(result, TS_CASE_FAILED, "the seed is 2");
  else
    finish(result, TS_CASE_PASSED, "");
}

static void crash_on_seed_2(ts_suite *suite, ts_case_result *result) {
  if (suite->seed == 2) crash();
  finish(result, TS_CASE_PASSED, "");
}

/* Rows with one group number are one group. */
static const struct {
  const char *id;
  unsigned group;
  void (*run)(ts_suite *suite, ts_case_result *result);
} rows[] = {
    {"pass.one", 0, pass},
    {"pass.two", 0, pass},
    {"fail.value", 1, fail},
    {"fail.quoting", 1, fail_quoting},
    {"skip.f64.one", 2, skip_f64},
    {"skip.memory", 2, skip_memory},
    {"skip.f64.two", 2, skip_f64},
    {"error.build", 3, be_wrong},
    {"crash.signal", 4, die_by_signal},
    {"crash.after_signal", 4, pass},
    {"crash.exit", 5, die_by_exit},
    {"orphan.exit", 14, die_with_child},
    {"deaths.one", 6, die_by_signal},
    {"deaths.two", 6, die_by_signal},
    {"deaths.three", 6, die_by_signal},
    {"deaths.four", 6, pass},
    {"deaths.five", 6, pass},
    {"hang.alone", 7, never_end},
    {"hang.after", 7, pass},
    {"hang.with_child", 8, never_end_with_child},
    {"hang.printing", 13, print_without_end},
    {"close.crash", 9, crash_at_close},
    {"print.hello", 10, print},
    {"print.crash", 10, die_by_exit},
    {"options.arrive", 11, need_options},
    {"nonsense.verdict", 12, send_nonsense},
    {"seed.tell", 15, tell_seed},
    {"seed.fail_on_2", 15, fail_on_seed_2},
    {"seed.crash_on_2", 15, crash_on_seed_2},
    {"known.value", 16, fail},
    {"known.fixed.one", 16, pass},
    {"known.fixed.two", 16, pass},
    {"known.version", 16, fail},
    {"known.vendor", 16, fail},
    {"known.define", 16, fail},
    {"known.crash.one", 17, die_by_signal},
    {"known.crash.two", 17, die_by_exit},
    {"known.crash.three", 17, die_by_signal},
    {"known.crash.four", 17, die_by_signal},
    {"known.hang", 17, never_end},
    {"known.build", 17, be_wrong},
    {"known.skip", 17, skip_f64},
    {"unknown.after_crashes", 17, pass},
    {"unknown.death.one", 18, die_by_signal},
    {"unknown.death.two", 18, die_by_signal},
    {"unknown.death.three", 18, die_by_signal},
    {"known.not_run", 18, die_by_signal},
    {"process.00", 20, tell_process},
    {"process.01", 20, tell_process},
    {"process.02", 21, tell_process},
    {"process.03", 21, tell_process},
    {"process.04", 22, tell_process},
    {"process.05", 22, tell_process},
    {"process.06", 23, tell_process},
    {"process.07", 23, tell_process},
    {"process.08", 24, tell_process},
    {"process.09", 24, tell_process},
    {"process.10", 25, tell_process},
    {"process.11", 25, tell_process},
    {"process.12", 26, tell_process},
    {"process.13", 26, tell_process},
};
enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

/* The device is Nobody's, with driver 1.0: those of version, vendor and define do not fit. */
const ts_known_issue ts_known_issues[] = {
    {"Nobody", "1.*", NULL, "known.value", "docs/driver-issues/value.cl", "byte 3 is wrong"},
    {"Nobody", "1.*", NULL, "known.fixed.*", "docs/driver-issues/fixed.cl", "nothing any more"},
    {"Nobody", "0.9*", NULL, "known.version", "docs/driver-issues/version.cl", "an older driver is wrong"},
    {"Somebody", "1.*", NULL, "known.vendor", "docs/driver-issues/vendor.cl", "another's driver is wrong"},
    {"Nobody", "1.*", "A=1", "known.define", "docs/driver-issues/define.cl", "it is wrong with A"},
    {"Nobody", "1.*", NULL, "known.[bchns]*", "docs/driver-issues/crash.cl", "the driver <crashes>"},
    {0}};

/* ---- the interface -------------------------------------------------------------------------------------------- */

ts_status ts_cases_create(ts_case **cases, size_t *count, ts_error *error) {
  (void)error;
  *cases = calloc(ROW_COUNT, sizeof **cases);
  if (!*cases) return TS_ERROR_MEMORY;
  *count = ROW_COUNT;
  for (size_t i = 0; i < ROW_COUNT; i++) {
    snprintf((*cases)[i].id, sizeof(*cases)[i].id, "%s", rows[i].id);
    (*cases)[i].group = rows[i].group;
    (*cases)[i].number = i;
  }
  return TS_OK;
}

void ts_cases_free(ts_case *cases) { free(cases); }

/* Devices: "crash" and "hang" do so when opened, "none" is not there, any other name is. */
ts_status ts_suite_open(ts_suite **suite, const char *device, const ts_build_options *options, ts_error *error) {
  if (device && !strcmp(device, "crash")) {
    fputs("the driver says farewell\n", stderr);
    crash();
  }
  if (device && !strcmp(device, "hang")) hang();
  if (device && !strcmp(device, "none")) {
    error->status = TS_ERROR_NO_DEVICE;
    snprintf(error->message, sizeof error->message, "there is no device \"none\":\ninstall pocl-opencl-icd");
    return error->status;
  }
  *suite = calloc(1, sizeof **suite);
  if (!*suite) return error->status = TS_ERROR_MEMORY;
  (*suite)->options = options;
  (*suite)->device = (ts_device_info){.id = "fake:0",
                                      .backend = "fake",
                                      .name = "A device that is none",
                                      .vendor = "Nobody",
                                      .driver = "1.0",
                                      .language = "OpenCL C 3.0",
                                      .kind = TS_DEVICE_GPU,
                                      .has_f64 = true,
                                      .compute_units = 2,
                                      .max_group_items = 256,
                                      .max_group_size = {256, 128, 64},
                                      .max_buffer_bytes = UINT64_MAX};
  return TS_OK;
}

void ts_suite_close(ts_suite *suite) {
  if (suite->crashes_at_close) crash();
  free(suite);
}

const ts_device_info *ts_suite_device(const ts_suite *suite) { return &suite->device; }

void ts_case_run(ts_suite *suite, const ts_case *c, uint64_t seed, ts_case_result *result) {
  result->seconds = 0.25;
  suite->seed = seed;
  rows[c->number].run(suite, result);
}
