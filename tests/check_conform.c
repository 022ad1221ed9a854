/* SPDX-License-Identifier: Apache-2.0
 *
 * check_conform.c: tests of `tensorstorage conform`, on a suite whose cases crash, hang and lie (fake_suite.c).
 *
 * Each test runs the tool as a user does and looks at its exit code, its output and its JSON. No device is needed.
 * FAKE_TOOL is the path of the tool that is linked with that suite.
 */
#define _XOPEN_SOURCE 700 /* posix_openpt */

#include <check.h>
#include <cjson/cJSON.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- running the tool ----------------------------------------------------------------------------------------- */

enum { ARGUMENTS_MAX = 16, TEXT_BYTES = 65536, PATIENCE_MS = 20000 };

/* One run. Its working folder is a fresh one. */
static struct {
  char folder[32];
  pid_t pid;
  int lifeline; /* every process of the run holds the other end: it is at its end when none is left */
  int code;     /* exit code; 128 + signal if one ended it */
  char out[TEXT_BYTES], err[TEXT_BYTES];
  cJSON *json; /* of results.json; NULL if there is none */
} tool;

static void make_folder(void) {
  strcpy(tool.folder, "/tmp/check_conform.XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(tool.folder));
}

static void remove_folder(void) {
  cJSON_Delete(tool.json);
  DIR *folder = opendir(tool.folder);
  ck_assert_ptr_nonnull(folder);
  for (struct dirent *entry; (entry = readdir(folder));) unlinkat(dirfd(folder), entry->d_name, 0);
  closedir(folder);
  ck_assert_int_eq(rmdir(tool.folder), 0);
}

static int open_in_folder(const char *name, int flags) {
  char path[64];
  snprintf(path, sizeof path, "%s/%s", tool.folder, name);
  return open(path, flags, 0600);
}

/* The text of a file in the folder; "" if there is none. */
static void read_file(const char *name, char text[TEXT_BYTES]) {
  text[0] = 0;
  int fd = open_in_folder(name, O_RDONLY);
  if (fd < 0) return;
  ssize_t bytes = read(fd, text, TEXT_BYTES - 1);
  ck_assert_int_ge(bytes, 0);
  text[bytes] = 0;
  close(fd);
}

static void write_file(const char *name, const char *text) {
  int fd = open_in_folder(name, O_WRONLY | O_CREAT | O_TRUNC);
  ck_assert_int_ge(fd, 0);
  ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
  close(fd);
}

static int files_in_folder(void) {
  int count = 0;
  DIR *folder = opendir(tool.folder);
  ck_assert_ptr_nonnull(folder);
  for (struct dirent *entry; (entry = readdir(folder));) count += entry->d_name[0] != '.';
  closedir(folder);
  return count;
}

/* Start the tool with the arguments, which are separated by one space. Its stderr is `err`, or the file err if that is -1. */
static void start(const char *arguments, int err) {
  char words[512];
  char *argv[ARGUMENTS_MAX] = {FAKE_TOOL};
  int ends[2];
  snprintf(words, sizeof words, "%s", arguments);
  int count = 1;
  for (char *word = strtok(words, " "); word && count + 1 < ARGUMENTS_MAX; word = strtok(NULL, " ")) argv[count++] = word;

  ck_assert_int_eq(pipe(ends), 0);
  tool.pid = fork();
  ck_assert_int_ge(tool.pid, 0);
  if (tool.pid == 0) {
    int out = open_in_folder("out", O_WRONLY | O_CREAT | O_TRUNC);
    if (err < 0) err = open_in_folder("err", O_WRONLY | O_CREAT | O_TRUNC);
    close(ends[0]);
    if (dup2(out, STDOUT_FILENO) < 0 || dup2(err, STDERR_FILENO) < 0 || chdir(tool.folder)) _exit(126);
    close(out);
    close(err);
    execv(argv[0], argv);
    _exit(127);
  }
  close(ends[1]);
  tool.lifeline = ends[0];
}

/* Wait for the tool's end, and that none of its processes is left. */
static void finish(void) {
  int status;
  ck_assert_int_eq(waitpid(tool.pid, &status, 0), tool.pid);
  tool.code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);

  struct pollfd life = {.fd = tool.lifeline};
  ck_assert_msg(poll(&life, 1, PATIENCE_MS) == 1, "a process of the tool is left");
  close(tool.lifeline);

  static char text[TEXT_BYTES];
  read_file("out", tool.out);
  read_file("err", tool.err);
  read_file("results.json", text);
  cJSON_Delete(tool.json);
  tool.json = cJSON_Parse(text);
}

static void run(const char *arguments) {
  start(arguments, -1);
  finish();
}

/* Wait until a file in the folder has this in it. */
static void wait_for(const char *name, const char *words) {
  static char text[TEXT_BYTES];
  for (int ms = 0; ms < PATIENCE_MS; ms += 10) {
    read_file(name, text);
    if (strstr(text, words)) return;
    nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
  }
  ck_abort_msg("\"%s\" never came", words);
}

/* ---- what must be in its output ------------------------------------------------------------------------------- */

static void assert_has(const char *text, const char *words) {
  ck_assert_msg(strstr(text, words) != NULL, "\"%s\" is not in:\n%s", words, text);
}

/* A member of a case in the JSON; "" if there is no such case or member. */
static const char *case_text(const char *id, const char *member) {
  const cJSON *c;
  cJSON_ArrayForEach(c, cJSON_GetObjectItem(tool.json, "cases")) {
    if (strcmp(cJSON_GetStringValue(cJSON_GetObjectItem(c, "id")), id) != 0) continue;
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItem(c, member));
    return text ? text : "";
  }
  return "";
}

static void assert_case(const char *id, const char *status, const char *reason) {
  ck_assert_ptr_nonnull(tool.json);
  ck_assert_str_eq(case_text(id, "status"), status);
  ck_assert_str_eq(case_text(id, "reason"), reason);
}

static int case_count(void) { return cJSON_GetArraySize(cJSON_GetObjectItem(tool.json, "cases")); }

static void assert_summary_with_known(int passed, int failed, int skipped, int errors, int known) {
  static const char *const names[] = {"passed", "failed", "skipped", "errors", "known"};
  const int counts[] = {passed, failed, skipped, errors, known};
  const cJSON *summary = cJSON_GetObjectItem(tool.json, "summary");
  for (int i = 0; i < 5; i++) {
    const cJSON *count = cJSON_GetObjectItem(summary, names[i]);
    ck_assert_msg(cJSON_IsNumber(count) && count->valueint == counts[i], "%s is not %d", names[i], counts[i]);
  }
  char line[128], end[32] = "";
  if (known) snprintf(end, sizeof end, ", %d known", known);
  snprintf(line, sizeof line, "%d passed, %d failed, %d skipped, %d error%s%s in ", passed, failed, skipped, errors,
           errors == 1 ? "" : "s", end);
  assert_has(tool.out, line);
}

static void assert_summary(int passed, int failed, int skipped, int errors) {
  assert_summary_with_known(passed, failed, skipped, errors, 0);
}

/* ---- options -------------------------------------------------------------------------------------------------- */

static const struct {
  const char *arguments, *sentence, *help;
} mistakes[] = {
    {"", "no command is given", "try: tensorstorage --help"},
    {"conforn", "there is no command \"conforn\"; the nearest is \"conform\"", "try: tensorstorage --help"},
    {"conform --fliter x", "there is no option \"--fliter\"; the nearest is --filter", "try: tensorstorage conform --help"},
    {"conform -v", "there is no option \"-v\"; the nearest is --verbose", "try: tensorstorage conform --help"},
    {"conform --zzzzzz", "there is no option \"--zzzzzz\"\n", "try: tensorstorage conform --help"},
    {"conform --worker", "--worker is how the tool starts itself", "try: tensorstorage conform --help"},
    {"conform --device", "option --device needs a value", "try: tensorstorage conform --help"},
    {"conform --list=3", "option --list takes no value", "try: tensorstorage conform --help"},
    {"conform pass.one", "conform takes no argument \"pass.one\"", "try: tensorstorage conform --help"},
    {"conform --timeout 0", "--timeout is a positive number of seconds, not \"0\"", "try: tensorstorage conform --help"},
    {"conform --timeout -1", "--timeout is a positive number of seconds, not \"-1\"", "try: tensorstorage conform --help"},
    {"conform --timeout nan", "--timeout is a positive number of seconds, not \"nan\"", "try: tensorstorage conform --help"},
    {"conform --timeout 5s", "--timeout is a positive number of seconds, not \"5s\"", "try: tensorstorage conform --help"},
    {"conform --seed -1", "--seed is a number from 0 to 2^64 - 1, not \"-1\"", "try: tensorstorage conform --help"},
    {"conform --seed 18446744073709551616", "--seed is a number from 0 to 2^64 - 1", "try: tensorstorage conform --help"},
    {"conform --seed 1x", "--seed is a number from 0 to 2^64 - 1, not \"1x\"", "try: tensorstorage conform --help"},
    {"conform --repeat 0", "--repeat is how often each case runs, at least 1, not \"0\"", "try: tensorstorage conform --help"},
    {"conform --shard 0/2", "--shard is 1/4 for the first of four parts, up to 4/4, not \"0/2\"", "conform --help"},
    {"conform --shard 3/2", "--shard is 1/4 for the first of four parts, up to 4/4, not \"3/2\"", "conform --help"},
    {"conform --shard 1", "--shard is 1/4 for the first of four parts, up to 4/4, not \"1\"", "conform --help"},
    {"conform --shard 1/2x", "--shard is 1/4 for the first of four parts, up to 4/4, not \"1/2x\"", "conform --help"},
    {"conform --standard CL2.0", "--standard is CL1.2 or CL3.0, not \"CL2.0\"", "try: tensorstorage conform --help"},
    {"conform --define 2=3", "--define is NAME or NAME=VALUE, not \"2=3\"", "try: tensorstorage conform --help"},
    {"conform --option -A --option -B", "--option is given once", "try: tensorstorage conform --help"},
    {"devices --jsn", "there is no option \"--jsn\"; the nearest is --json", "try: tensorstorage devices --help"},
};
enum { MISTAKE_COUNT = sizeof mistakes / sizeof mistakes[0] };

START_TEST(usage_error__says_what_is_wrong_and_where_the_help_is) {
  run(mistakes[_i].arguments);
  ck_assert_int_eq(tool.code, 2);
  ck_assert_str_eq(tool.out, "");
  assert_has(tool.err, mistakes[_i].sentence);
  assert_has(tool.err, mistakes[_i].help);
}
END_TEST

START_TEST(list__prints_the_chosen_ids_and_runs_none) {
  run("conform --list --filter pass.* --filter crash.* --exclude *exit --exclude *.two");
  ck_assert_int_eq(tool.code, 0);
  ck_assert_str_eq(tool.out, "pass.one\ncrash.signal\ncrash.after_signal\n");
}
END_TEST

START_TEST(filter__that_matches_nothing_is_no_success) {
  run("conform --filter no.such.case");
  ck_assert_int_eq(tool.code, 4);
  assert_has(tool.err, "no case matches");
  run("conform --list --filter no.such.case");
  ck_assert_int_eq(tool.code, 4);
}
END_TEST

START_TEST(options__reach_the_process_that_runs_the_case) {
  run("conform --filter options.arrive --standard CL1.2 --define TS_HAVE_F64=0 --fast-math --option -O1");
  ck_assert_int_eq(tool.code, 0);
  run("conform --filter options.arrive --standard CL3.0 --define TS_HAVE_F64=0 --fast-math --option -O1");
  ck_assert_int_eq(tool.code, 1);
  run("conform --filter options.arrive --standard CL1.2 --define TS_HAVE_F64=0 --option -O1");
  ck_assert_int_eq(tool.code, 1);
  run("conform --filter options.arrive --standard CL1.2 --define TS_HAVE_F64=0 --fast-math --option -O2");
  ck_assert_int_eq(tool.code, 1);
}
END_TEST

/* ---- which cases, in which order, with which data -------------------------------------------------------------- */

enum { LINES_MAX = 64, LINE_BYTES = 80 };

/* The lines of the tool's output. Returns how many there are. */
static int read_lines(char lines[LINES_MAX][LINE_BYTES]) {
  int count = 0;
  for (const char *at = tool.out; *at && count < LINES_MAX; at += strcspn(at, "\n") + 1)
    snprintf(lines[count++], LINE_BYTES, "%.*s", (int)strcspn(at, "\n"), at);
  return count;
}

static int compare_lines(const void *a, const void *b) { return strcmp(a, b); }

/* The second of two cases of a group has the odd number: process.02 and process.03. */
static bool are_of_one_group(const char *a, const char *b) { return atoi(a + strlen("process.")) / 2 == atoi(b + 8) / 2; }

START_TEST(seed__orders_the_cases_in_another_way_and_keeps_groups_together) {
  char listed[LINES_MAX][LINE_BYTES], seeded[LINES_MAX][LINE_BYTES];
  char first_order[TEXT_BYTES];
  bool cases_differ = false, groups_differ = false;
  run("conform --list --filter process.*");
  int count = read_lines(listed);
  ck_assert_int_eq(count, 14);
  for (int seed = 1; seed <= 5; seed++) {
    char arguments[64];
    snprintf(arguments, sizeof arguments, "conform --list --filter process.* --seed %d", seed);
    run(arguments);
    strcpy(first_order, tool.out);
    ck_assert_int_eq(read_lines(seeded), count);
    for (int i = 0; i < count; i += 2) {
      ck_assert_msg(are_of_one_group(seeded[i], seeded[i + 1]), "%s and %s are neighbours", seeded[i], seeded[i + 1]);
      groups_differ = groups_differ || !are_of_one_group(seeded[i], listed[i]);
      cases_differ = cases_differ || strcmp(seeded[i], seeded[i + 1]) > 0;
    }
    qsort(seeded, (size_t)count, LINE_BYTES, compare_lines);
    for (int i = 0; i < count; i++) ck_assert_str_eq(seeded[i], listed[i]);
    run(arguments);
    ck_assert_str_eq(tool.out, first_order);
  }
  ck_assert(groups_differ && cases_differ);
}
END_TEST

START_TEST(seed__reaches_the_case_and_is_printed) {
  run("conform --filter seed.tell --json results.json");
  assert_case("seed.tell", "skipped", "0");
  run("conform --filter seed.tell --seed 18446744073709551615 --json results.json");
  assert_case("seed.tell", "skipped", "18446744073709551615");
  assert_has(tool.out, "seed      18446744073709551615\n");
  static char text[TEXT_BYTES];
  read_file("results.json", text);
  assert_has(text, "\"options\":{\"seed\":18446744073709551615,\"repeat\":1,\"shard\":1,\"shards\":1},");
}
END_TEST

START_TEST(repeat__stops_at_the_first_that_is_wrong_and_its_seed_is_in_the_replay) {
  run("conform --filter seed.fail_on_2 --repeat 5 --json results.json");
  ck_assert_int_eq(tool.code, 1);
  assert_case("seed.fail_on_2", "failed", "in repetition 3 of 5: the seed is 2");
  ck_assert_str_eq(case_text("seed.fail_on_2", "replay"),
                   "tensorstorage conform --device fake:0 --seed 2 --filter 'seed.fail_on_2'");
  assert_has(tool.out, "cases     1, each 5 times\n");
  assert_has(tool.out, "  tensorstorage conform --device fake:0 --seed 2 --filter 'seed.fail_on_2'\n");
  run("conform --filter seed.crash_on_2 --repeat 5 --json results.json");
  ck_assert_int_eq(tool.code, 5);
  assert_case("seed.crash_on_2", "error", "in repetition 3 of 5: crashed: signal 11 (Segmentation fault)");
  run("conform --filter seed.fail_on_2 --repeat 2");
  ck_assert_int_eq(tool.code, 0);
}
END_TEST

/* The seconds of the only case in the JSON. */
static double seconds_of_case(void) {
  const cJSON *c = cJSON_GetArrayItem(cJSON_GetObjectItem(tool.json, "cases"), 0);
  return cJSON_GetNumberValue(cJSON_GetObjectItem(c, "seconds"));
}

START_TEST(repeat__adds_up_the_seconds_and_skips_once) {
  run("conform --filter pass.one --repeat 3 --json results.json");
  ck_assert_int_eq(tool.code, 0);
  assert_summary(1, 0, 0, 0);
  ck_assert_double_eq(seconds_of_case(), 0.75);
  run("conform --filter skip.memory --repeat 3 --json results.json");
  assert_case("skip.memory", "skipped", "less than 6 GiB are free");
  ck_assert_double_eq(seconds_of_case(), 0.25);
}
END_TEST

START_TEST(shards__have_each_case_exactly_once) {
  static char listed[TEXT_BYTES], joined[TEXT_BYTES];
  run("conform --list");
  strcpy(listed, tool.out);
  static const int counts[] = {1, 2, 3, 7, 16};
  for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
    int least = LINES_MAX, most = 0;
    joined[0] = 0;
    for (int i = 1; i <= counts[k]; i++) {
      char arguments[64], lines[LINES_MAX][LINE_BYTES];
      snprintf(arguments, sizeof arguments, "conform --list --shard %d/%d", i, counts[k]);
      run(arguments);
      strcat(joined, tool.out);
      int count = read_lines(lines);
      least = count < least ? count : least;
      most = count > most ? count : most;
    }
    ck_assert_str_eq(joined, listed);
    ck_assert_int_le(most - least, 1);
  }
}
END_TEST

START_TEST(shard__has_the_same_cases_for_each_seed) {
  char one[LINES_MAX][LINE_BYTES], other[LINES_MAX][LINE_BYTES];
  run("conform --list --shard 2/3");
  int count = read_lines(one);
  run("conform --list --shard 2/3 --seed 9");
  ck_assert_int_eq(read_lines(other), count);
  qsort(one, (size_t)count, LINE_BYTES, compare_lines);
  qsort(other, (size_t)count, LINE_BYTES, compare_lines);
  for (int i = 0; i < count; i++) ck_assert_str_eq(one[i], other[i]);
}
END_TEST

START_TEST(shard__runs_its_cases_alone) {
  run("conform --filter pass.* --shard 2/2 --json results.json");
  ck_assert_int_eq(tool.code, 0);
  assert_has(tool.out, "cases     1, shard 2/2 of 2\n");
  assert_case("pass.two", "passed", "");
  ck_assert_int_eq(case_count(), 1);
  run("conform --filter pass.* --shard 3/3");
  ck_assert_int_eq(tool.code, 4);
  assert_has(tool.err, "shard 3/3 is empty: there are only 2 cases");
}
END_TEST

/* A second process may have begun a case of its own by then. */
START_TEST(fail_fast__begins_no_case_after_the_first_that_is_wrong) {
  run("conform --filter fail.value --filter process.* --fail-fast --json results.json");
  ck_assert_int_eq(tool.code, 1);
  assert_case("fail.value", "failed", "byte 3 is 0x01, must be 0x02");
  ck_assert_int_le(case_count(), 2);
  ck_assert(cJSON_IsTrue(cJSON_GetObjectItem(tool.json, "interrupted")));
  assert_has(tool.out, "stopped by --fail-fast: ");
  assert_has(tool.out, " of 15 cases were run\n");
  run("conform --filter deaths.* --fail-fast --json results.json");
  ck_assert_int_eq(tool.code, 5);
  assert_summary(0, 0, 0, 1);
  assert_has(tool.out, "stopped by --fail-fast: 1 of 5 cases were run\n");
  run("conform --filter skip.* --filter pass.* --fail-fast --json results.json");
  ck_assert_int_eq(tool.code, 0);
  assert_summary(2, 0, 3, 0);
}
END_TEST

/* ---- what cases do -------------------------------------------------------------------------------------------- */

START_TEST(run__shows_the_device_first_and_the_counts_last) {
  run("conform --filter pass.* --json results.json");
  ck_assert_int_eq(tool.code, 0);
  static const char head[] = "device    fake:0  A device that is none\n"
                             "driver    Nobody, 1.0\n"
                             "language  OpenCL C 3.0\n"
                             "cases     2\n"
                             "seed      0\n";
  ck_assert_int_eq(strncmp(tool.out, head, strlen(head)), 0);
  ck_assert_str_eq(tool.err, "");
  assert_summary(2, 0, 0, 0);
  assert_case("pass.one", "passed", "");
}
END_TEST

START_TEST(failed_case__has_its_reason_and_a_line_that_repeats_it) {
  run("conform --filter fail.value --filter pass.one --standard CL1.2 --define A=it's --fast-math --option -O1 "
      "--json results.json");
  ck_assert_int_eq(tool.code, 1);
  assert_summary(1, 1, 0, 0);
  assert_case("fail.value", "failed", "byte 3 is 0x01, must be 0x02");
  assert_has(
      tool.out,
      "failed  fail.value\n"
      "  byte 3 is 0x01, must be 0x02\n"
      "  tensorstorage conform --device fake:0 --seed 0 --standard CL1.2 --define 'A=it'\\''s' --fast-math --option '-O1' "
      "--filter 'fail.value'\n");
}
END_TEST

START_TEST(skipped_cases__are_counted_by_reason) {
  run("conform --filter skip.* --filter pass.one --json results.json");
  ck_assert_int_eq(tool.code, 0);
  assert_summary(1, 0, 3, 0);
  assert_has(tool.out, "skipped 2: the device has no f64\nskipped 1: less than 6 GiB are free\n\n");
  assert_case("skip.f64.two", "skipped", "the device has no f64");
}
END_TEST

START_TEST(skipped_cases__alone_are_no_success) {
  run("conform --filter skip.*");
  ck_assert_int_eq(tool.code, 4);
}
END_TEST

START_TEST(error__outranks_failed) {
  run("conform --filter error.build --filter fail.value --json results.json");
  ck_assert_int_eq(tool.code, 5);
  assert_summary(0, 1, 0, 1);
  assert_case("error.build", "error", "the program did not build");
}
END_TEST

START_TEST(crash__is_an_error_of_its_case_and_the_next_one_runs) {
  run("conform --filter crash.* --json results.json");
  ck_assert_int_eq(tool.code, 5);
  assert_summary(1, 0, 0, 2);
  assert_case("crash.signal", "error", "crashed: signal 11 (Segmentation fault)");
  assert_case("crash.after_signal", "passed", "");
  assert_case("crash.exit", "error", "crashed: exit code 3");
  assert_has(tool.out,
             "  crashed: signal 11 (Segmentation fault)\n  it printed last (--verbose shows all):\n    about to crash\n");
}
END_TEST

START_TEST(crash__that_leaves_a_child_is_seen_at_once) {
  run("conform --filter orphan.exit --json results.json");
  ck_assert_int_eq(tool.code, 5);
  assert_case("orphan.exit", "error", "crashed: exit code 3");
}
END_TEST

START_TEST(third_crash__ends_its_group_only) {
  run("conform --filter deaths.* --filter pass.* --json results.json");
  ck_assert_int_eq(tool.code, 5);
  assert_summary(2, 0, 0, 5);
  assert_case("deaths.three", "error", "crashed: signal 11 (Segmentation fault)");
  assert_case("deaths.four", "error", "not run: the process of its group died 3 times");
  assert_case("deaths.five", "error", "not run: the process of its group died 3 times");
  assert_has(tool.out, "error   deaths.four\n"
                       "  not run: the process of its group died 3 times\n"
                       "  tensorstorage conform --device fake:0 --seed 0 --filter 'deaths.four'\n"
                       "\n"
                       "error   the same: 1 more, up to deaths.five\n");
  assert_case("pass.two", "passed", "");
}
END_TEST

START_TEST(hang__is_an_error_of_its_case_and_the_next_one_runs) {
  run("conform --filter hang.alone --filter hang.after --timeout 0.5 --json results.json");
  ck_assert_int_eq(tool.code, 5);
  assert_summary(1, 0, 0, 1);
  assert_case("hang.alone", "error", "timed out after 0.5 s");
  assert_case("hang.after", "passed", "");
}
END_TEST

START_TEST(hang__in_a_child_of_the_worker_leaves_no_process) {
  run("conform --filter hang.with_child --timeout 0.5 --json results.json");
  ck_assert_int_eq(tool.code, 5);
  assert_case("hang.with_child", "error", "timed out after 0.5 s");
}
END_TEST

START_TEST(hang__that_prints_without_end_is_seen) {
  run("conform --filter hang.printing --timeout 0.5 --json results.json");
  ck_assert_int_eq(tool.code, 5);
  assert_case("hang.printing", "error", "timed out after 0.5 s");
}
END_TEST

START_TEST(crash__is_not_shown_with_what_an_earlier_case_printed) {
  run("conform --filter print.* --json results.json");
  assert_case("print.hello", "passed", "");
  assert_case("print.crash", "error", "crashed: exit code 3");
  ck_assert_ptr_null(strstr(tool.out, "hello\n"));
}
END_TEST

START_TEST(crash__after_the_last_case_is_no_success) {
  run("conform --filter close.crash --json results.json");
  ck_assert_int_eq(tool.code, 5);
  assert_summary(1, 0, 0, 0);
  assert_has(tool.err, "a worker process crashed: signal 11 (Segmentation fault), after its last case");
}
END_TEST

START_TEST(nonsense_from_a_worker__is_an_error) {
  run("conform --filter nonsense.* --json results.json");
  ck_assert_int_eq(tool.code, 5);
  assert_summary(0, 0, 0, 1);
  assert_has(case_text("nonsense.verdict", "reason"), "makes no sense");
}
END_TEST

START_TEST(output_of_a_worker__is_shown_with_verbose_only) {
  run("conform --filter print.hello");
  ck_assert_str_eq(tool.err, "");
  run("conform --filter print.hello --verbose");
  ck_assert_int_eq(tool.code, 0);
  assert_has(tool.err, "the driver says hello\n");
  assert_has(tool.err, "passed   print.hello  0.250 s\n");
}
END_TEST

/* ---- processes ------------------------------------------------------------------------------------------------ */

START_TEST(groups__stay_together_in_at_most_two_processes) {
  enum { GROUPS = 7 };
  run("conform --filter process.* --json results.json");
  ck_assert_int_eq(tool.code, 4);
  assert_summary(0, 0, 2 * GROUPS, 0);
  const char *seen[2] = {NULL, NULL};
  for (int group = 0; group < GROUPS; group++) {
    char first[16], second[16];
    snprintf(first, sizeof first, "process.%02d", 2 * group);
    snprintf(second, sizeof second, "process.%02d", 2 * group + 1);
    const char *process = case_text(first, "reason");
    ck_assert_str_eq(process, case_text(second, "reason"));
    int i = 0;
    while (i < 2 && seen[i] && strcmp(seen[i], process) != 0) i++;
    ck_assert_msg(i < 2, "a third process ran cases");
    seen[i] = process;
  }
}
END_TEST

START_TEST(interrupt__ends_all_processes_and_writes_what_is_known) {
  start("conform --filter pass.* --filter hang.alone --verbose --json results.json", -1);
  wait_for("err", "pass.two");
  kill(tool.pid, SIGINT);
  finish();
  ck_assert_int_eq(tool.code, 130);
  assert_summary(2, 0, 0, 0);
  ck_assert(cJSON_IsTrue(cJSON_GetObjectItem(tool.json, "interrupted")));
  ck_assert_int_eq(case_count(), 2);
  assert_has(tool.out, "interrupted: 2 of 3 cases were run\n");
}
END_TEST

START_TEST(end_of_the_tool__ends_its_workers) {
  start("conform --filter hang.alone --verbose", -1);
  wait_for("out", "cases     1");
  kill(tool.pid, SIGKILL);
  finish();
  ck_assert_int_eq(tool.code, 128 + SIGKILL);
}
END_TEST

/* ---- the device ----------------------------------------------------------------------------------------------- */

START_TEST(missing_device__is_told_in_full_and_leaves_the_file_alone) {
  write_file("results.json", "[\"earlier\"]");
  run("conform --device none --json results.json");
  ck_assert_int_eq(tool.code, 3);
  ck_assert_str_eq(tool.err, "tensorstorage: there is no device \"none\":\ninstall pocl-opencl-icd\n");
  ck_assert_str_eq(cJSON_GetStringValue(cJSON_GetArrayItem(tool.json, 0)), "earlier");
  ck_assert_int_eq(files_in_folder(), 3);
}
END_TEST

START_TEST(driver_that_crashes_when_opened__is_an_error) {
  run("conform --device crash");
  ck_assert_int_eq(tool.code, 5);
  assert_has(tool.err, "the process that opens the device crashed: signal 11 (Segmentation fault)");
  assert_has(tool.err, "the driver says farewell");
}
END_TEST

START_TEST(driver_that_hangs_when_opened__is_an_error) {
  run("conform --device hang --timeout 0.5");
  ck_assert_int_eq(tool.code, 5);
  assert_has(tool.err, "the process that opens the device timed out after 0.5 s");
}
END_TEST

/* ---- known issues of the driver ------------------------------------------------------------------------------- */

START_TEST(known_failure__is_neither_failed_nor_passed) {
  run("conform --filter known.value --filter pass.one --fail-fast --json results.json");
  ck_assert_int_eq(tool.code, 0);
  assert_summary_with_known(1, 0, 0, 0, 1);
  assert_case("known.value", "known", "byte 3 is 0x01, must be 0x02");
  ck_assert_str_eq(case_text("known.value", "issue"), "docs/driver-issues/value.cl");
  ck_assert_str_eq(case_text("known.value", "replay"), "tensorstorage conform --device fake:0 --seed 0 --filter 'known.value'");
  ck_assert_str_eq(case_text("pass.one", "issue"), "");
  assert_has(tool.out, "\nknown 1: byte 3 is wrong (docs/driver-issues/value.cl)\n\n");
  ck_assert_ptr_null(strstr(tool.out, "fixed"));
}
END_TEST

START_TEST(known_failure__alone_is_no_success) {
  run("conform --filter known.value");
  ck_assert_int_eq(tool.code, 4);
}
END_TEST

START_TEST(known_failure__hides_no_other) {
  run("conform --filter known.value --filter fail.value --json results.json");
  ck_assert_int_eq(tool.code, 1);
  assert_summary_with_known(0, 1, 0, 0, 1);
}
END_TEST

START_TEST(known_crashes__however_many_leave_the_rest_of_their_group) {
  run("conform --filter known.crash.* --filter unknown.after_crashes --json results.json");
  ck_assert_int_eq(tool.code, 0);
  assert_summary_with_known(1, 0, 0, 0, 4);
  assert_case("known.crash.one", "known", "crashed: signal 11 (Segmentation fault)");
  assert_case("known.crash.two", "known", "crashed: exit code 3");
  assert_case("known.crash.four", "known", "crashed: signal 11 (Segmentation fault)");
  assert_case("unknown.after_crashes", "passed", "");
  assert_has(tool.out, "known 4: the driver <crashes> (docs/driver-issues/crash.cl)\n");
}
END_TEST

START_TEST(known_hang_and_error__are_known_and_a_skip_is_a_skip) {
  run("conform --filter known.hang --filter known.build --filter known.skip --filter pass.one --timeout 1 --json results.json");
  ck_assert_int_eq(tool.code, 0);
  assert_summary_with_known(1, 0, 1, 0, 2);
  assert_case("known.hang", "known", "timed out after 1 s");
  assert_case("known.build", "known", "the program did not build");
  assert_case("known.skip", "skipped", "the device has no f64");
}
END_TEST

START_TEST(known_issue__that_is_no_more_is_told_and_fails_nothing) {
  run("conform --filter known.fixed.* --json results.json");
  ck_assert_int_eq(tool.code, 0);
  assert_summary(2, 0, 0, 0);
  assert_case("known.fixed.one", "passed", "");
  ck_assert_str_eq(case_text("known.fixed.one", "issue"), "docs/driver-issues/fixed.cl");
  assert_has(tool.out,
             "\nfixed: known.fixed.one and 1 more pass on this driver though docs/driver-issues/fixed.cl says otherwise\n\n");
  run("conform --filter known.fixed.two");
  assert_has(tool.out, "\nfixed: known.fixed.two passes on this driver though docs/driver-issues/fixed.cl says otherwise\n\n");
}
END_TEST

START_TEST(known_issue__of_another_version_vendor_or_define_excuses_nothing) {
  run("conform --filter known.version --filter known.vendor --filter known.define --json results.json");
  ck_assert_int_eq(tool.code, 1);
  assert_summary(0, 3, 0, 0);
  run("conform --filter known.define --define A=11 --define A=1 --filter pass.one --json results.json");
  ck_assert_int_eq(tool.code, 0);
  assert_summary_with_known(1, 0, 0, 0, 1);
  run("conform --filter known.define --define A=11 --filter pass.one --json results.json");
  ck_assert_int_eq(tool.code, 1);
}
END_TEST

START_TEST(known_issue__excuses_no_case_that_did_not_run) {
  run("conform --filter unknown.death.* --filter known.not_run --json results.json");
  ck_assert_int_eq(tool.code, 5);
  assert_summary(0, 0, 0, 4);
  assert_case("known.not_run", "error", "not run: the process of its group died 3 times");
}
END_TEST

START_TEST(known_failure__names_the_repetition) {
  run("conform --filter known.value --filter pass.one --repeat 3 --json results.json");
  ck_assert_int_eq(tool.code, 0);
  assert_case("known.value", "known", "in repetition 1 of 3: byte 3 is 0x01, must be 0x02");
}
END_TEST

/* ---- JSON ----------------------------------------------------------------------------------------------------- */

START_TEST(json__has_the_schema_and_the_device) {
  run("conform --filter pass.one --json results.json");
  const cJSON *device = cJSON_GetObjectItem(tool.json, "device");
  ck_assert_int_eq(cJSON_GetObjectItem(tool.json, "schema")->valueint, 2);
  ck_assert_str_eq(cJSON_GetStringValue(cJSON_GetObjectItem(device, "id")), "fake:0");
  ck_assert_str_eq(cJSON_GetStringValue(cJSON_GetObjectItem(device, "kind")), "gpu");
  ck_assert(cJSON_IsTrue(cJSON_GetObjectItem(device, "has_f64")));
  ck_assert_int_eq(cJSON_GetArrayItem(cJSON_GetObjectItem(device, "max_group_size"), 1)->valueint, 128);
  ck_assert_ptr_null(cJSON_GetObjectItem(tool.json, "interrupted"));
  static char text[TEXT_BYTES];
  read_file("results.json", text);
  assert_has(text, "\"max_buffer_bytes\":18446744073709551615,");
}
END_TEST

START_TEST(json__keeps_text_and_replaces_what_is_no_utf8) {
  run("conform --filter fail.quoting --json results.json");
  assert_case("fail.quoting", "failed", "\"quoted\" \\ caf\xc3\xa9 and no UTF-8: ?");
}
END_TEST

START_TEST(json__that_cannot_be_written_is_found_before_anything_runs) {
  run("conform --filter pass.one --json no/such/folder.json");
  ck_assert_int_eq(tool.code, 6);
  ck_assert_str_eq(tool.out, "");
  assert_has(tool.err, "no/such/folder.json cannot be written: No such file or directory");
  run("conform --filter pass.one --json .");
  ck_assert_int_eq(tool.code, 6);
  ck_assert_str_eq(tool.out, "");
  run("conform --filter pass.one --json /dev/null");
  ck_assert_int_eq(tool.code, 6);
  ck_assert_str_eq(tool.out, "");
}
END_TEST

START_TEST(json__replaces_the_file_that_a_link_names) {
  char link[64];
  struct stat facts;
  snprintf(link, sizeof link, "%s/link.json", tool.folder);
  write_file("results.json", "earlier");
  ck_assert_int_eq(symlink("results.json", link), 0);
  run("conform --filter pass.one --json link.json");
  ck_assert_int_eq(tool.code, 0);
  ck_assert_int_eq(lstat(link, &facts), 0);
  ck_assert(S_ISLNK(facts.st_mode));
  assert_case("pass.one", "passed", "");
  ck_assert_int_eq(files_in_folder(), 4); /* out, err, the file and the link */
}
END_TEST

/* ---- progress ------------------------------------------------------------------------------------------------- */

/* Run on a terminal of the kind `term`. Returns the bytes that it was sent, in tool.err. */
static void run_on_terminal(const char *term) {
  int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  ck_assert_int_ge(terminal, 0);
  ck_assert_int_eq(grantpt(terminal), 0);
  ck_assert_int_eq(unlockpt(terminal), 0);
  int end = open(ptsname(terminal), O_RDWR | O_NOCTTY);
  ck_assert_int_ge(end, 0);
  setenv("TERM", term, 1);
  start("conform --filter pass.*", end);
  finish();
  tool.err[0] = 0;
  struct pollfd ready = {.fd = terminal, .events = POLLIN};
  if (poll(&ready, 1, 0) == 1) {
    ssize_t bytes = read(terminal, tool.err, sizeof tool.err - 1);
    ck_assert_int_ge(bytes, 0);
    tool.err[bytes] = 0;
  }
  close(end);
  close(terminal);
  ck_assert_int_eq(tool.code, 0);
}

START_TEST(progress__is_one_line_on_a_terminal) {
  run_on_terminal("xterm");
  assert_has(tool.err, "\r1/2, 0 wrong  pass.one ");
  assert_has(tool.err, "\r2/2, 0 wrong  pass.two ");
  ck_assert_ptr_null(strchr(tool.err, '\n'));
}
END_TEST

START_TEST(progress__is_not_for_a_dumb_terminal) {
  run_on_terminal("dumb");
  ck_assert_str_eq(tool.err, "");
}
END_TEST

int main(void) {
  Suite *suite = suite_create("conform");
  TCase *tests = tcase_create("conform");
  tcase_set_timeout(tests, 60);
  tcase_add_checked_fixture(tests, make_folder, remove_folder);
  tcase_add_loop_test(tests, usage_error__says_what_is_wrong_and_where_the_help_is, 0, MISTAKE_COUNT);
  tcase_add_test(tests, list__prints_the_chosen_ids_and_runs_none);
  tcase_add_test(tests, filter__that_matches_nothing_is_no_success);
  tcase_add_test(tests, options__reach_the_process_that_runs_the_case);
  tcase_add_test(tests, seed__orders_the_cases_in_another_way_and_keeps_groups_together);
  tcase_add_test(tests, seed__reaches_the_case_and_is_printed);
  tcase_add_test(tests, repeat__stops_at_the_first_that_is_wrong_and_its_seed_is_in_the_replay);
  tcase_add_test(tests, repeat__adds_up_the_seconds_and_skips_once);
  tcase_add_test(tests, shards__have_each_case_exactly_once);
  tcase_add_test(tests, shard__has_the_same_cases_for_each_seed);
  tcase_add_test(tests, shard__runs_its_cases_alone);
  tcase_add_test(tests, fail_fast__begins_no_case_after_the_first_that_is_wrong);
  tcase_add_test(tests, run__shows_the_device_first_and_the_counts_last);
  tcase_add_test(tests, failed_case__has_its_reason_and_a_line_that_repeats_it);
  tcase_add_test(tests, skipped_cases__are_counted_by_reason);
  tcase_add_test(tests, skipped_cases__alone_are_no_success);
  tcase_add_test(tests, error__outranks_failed);
  tcase_add_test(tests, crash__is_an_error_of_its_case_and_the_next_one_runs);
  tcase_add_test(tests, crash__that_leaves_a_child_is_seen_at_once);
  tcase_add_test(tests, third_crash__ends_its_group_only);
  tcase_add_test(tests, known_failure__is_neither_failed_nor_passed);
  tcase_add_test(tests, known_failure__alone_is_no_success);
  tcase_add_test(tests, known_failure__hides_no_other);
  tcase_add_test(tests, known_crashes__however_many_leave_the_rest_of_their_group);
  tcase_add_test(tests, known_hang_and_error__are_known_and_a_skip_is_a_skip);
  tcase_add_test(tests, known_issue__that_is_no_more_is_told_and_fails_nothing);
  tcase_add_test(tests, known_issue__of_another_version_vendor_or_define_excuses_nothing);
  tcase_add_test(tests, known_issue__excuses_no_case_that_did_not_run);
  tcase_add_test(tests, known_failure__names_the_repetition);
  tcase_add_test(tests, hang__is_an_error_of_its_case_and_the_next_one_runs);
  tcase_add_test(tests, hang__in_a_child_of_the_worker_leaves_no_process);
  tcase_add_test(tests, hang__that_prints_without_end_is_seen);
  tcase_add_test(tests, crash__is_not_shown_with_what_an_earlier_case_printed);
  tcase_add_test(tests, crash__after_the_last_case_is_no_success);
  tcase_add_test(tests, nonsense_from_a_worker__is_an_error);
  tcase_add_test(tests, output_of_a_worker__is_shown_with_verbose_only);
  tcase_add_test(tests, groups__stay_together_in_at_most_two_processes);
  tcase_add_test(tests, interrupt__ends_all_processes_and_writes_what_is_known);
  tcase_add_test(tests, end_of_the_tool__ends_its_workers);
  tcase_add_test(tests, missing_device__is_told_in_full_and_leaves_the_file_alone);
  tcase_add_test(tests, driver_that_crashes_when_opened__is_an_error);
  tcase_add_test(tests, driver_that_hangs_when_opened__is_an_error);
  tcase_add_test(tests, json__has_the_schema_and_the_device);
  tcase_add_test(tests, json__keeps_text_and_replaces_what_is_no_utf8);
  tcase_add_test(tests, json__that_cannot_be_written_is_found_before_anything_runs);
  tcase_add_test(tests, json__replaces_the_file_that_a_link_names);
  tcase_add_test(tests, progress__is_one_line_on_a_terminal);
  tcase_add_test(tests, progress__is_not_for_a_dumb_terminal);
  suite_add_tcase(suite, tests);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  int ran = srunner_ntests_run(runner);
  srunner_free(runner);
  return failed || !ran ? EXIT_FAILURE : EXIT_SUCCESS;
}
