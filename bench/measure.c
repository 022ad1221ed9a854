/* SPDX-License-Identifier: Apache-2.0
 *
 * measure.c: the command line, rounds, medians and child processes.
 */
#include "measure.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern const char ts_embedded_help[]; /* help.txt */

void bench_die(int exit_code, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("bench: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(exit_code);
}

static int read_count(const char *text, const char *option, int most) {
  char *end;
  errno = 0;
  long value = text ? strtol(text, &end, 10) : 0;
  if (!text || errno || *end || value < 1 || value > most)
    bench_die(BENCH_USAGE, "%s takes a number from 1 to %d, and got '%s'", option, most, text ? text : "nothing");
  return (int)value;
}

/* "5%" or "5": a part of 1. */
static double read_percent(const char *text, const char *option) {
  char *end = NULL;
  double value = text ? strtod(text, &end) : -1;
  if (end && *end == '%') end++;
  if (!end || end == text || *end || !(value >= 0 && value <= 100))
    bench_die(BENCH_USAGE, "%s takes per cent from 0 to 100, such as 5%%, and got '%s'", option, text ? text : "nothing");
  return value / 100;
}

static const char *read_text(const char *text, const char *option, const char *what) {
  if (!text || !*text) bench_die(BENCH_USAGE, "%s takes %s, and got nothing", option, what);
  return text;
}

bench_options bench_read_options(int argc, char **argv) {
  bench_options options = {.threshold = -1};
  for (int i = 1; i < argc; i++) {
    const char *option = argv[i];
    if (!strcmp(option, "--help") || !strcmp(option, "-h")) {
      fputs(ts_embedded_help, stdout);
      exit(BENCH_REACHED);
    }
    if (!strcmp(option, "--quick")) {
      options.is_quick = true;
    } else if (!strcmp(option, "--markdown")) {
      options.is_markdown = true;
    } else if (!strcmp(option, "--rounds")) {
      options.rounds = read_count(argv[++i], option, BENCH_MAX_ROUNDS);
    } else if (!strcmp(option, "--processes")) {
      options.processes = read_count(argv[++i], option, BENCH_MAX_PROCESSES);
    } else if (!strcmp(option, "--only")) {
      options.only = read_text(argv[++i], option, "the start of a row's name");
    } else if (!strcmp(option, "--json")) {
      options.json = read_text(argv[++i], option, "a file to write");
    } else if (!strcmp(option, "--from")) {
      options.from = read_text(argv[++i], option, "a file that --json wrote");
    } else if (!strcmp(option, "--compare")) {
      options.compare = read_text(argv[++i], option, "a file that --json wrote");
    } else if (!strcmp(option, "--threshold")) {
      options.threshold = read_percent(argv[++i], option);
    } else {
      bench_die(BENCH_USAGE, "there is no option '%s'; --help lists the options", option);
    }
  }
  if (options.threshold >= 0 && !options.compare)
    bench_die(BENCH_USAGE, "--threshold is of --compare FILE, which is not there");
  if (options.from && (options.json || options.only || options.is_quick || options.rounds || options.processes))
    bench_die(BENCH_USAGE, "with --from nothing is measured: it goes with --markdown, --compare and --threshold alone");
  if (options.threshold < 0) options.threshold = 0.05;
  if (!options.rounds) options.rounds = options.is_quick ? 3 : 31;
  if (!options.processes) options.processes = options.is_quick ? 1 : 5;
  return options;
}

bool bench_is_chosen(const bench_options *options, const char *row) {
  return !options->only || !strncmp(row, options->only, strlen(options->only));
}

static const char *row_name(const void *rows, size_t bytes, int i) {
  const char *name;
  memcpy(&name, (const char *)rows + (size_t)i * bytes, sizeof name);
  return name;
}

void bench_check_only(const bench_options *options, int count, const void *rows, size_t bytes) {
  for (int i = 0; i < count; i++)
    if (bench_is_chosen(options, row_name(rows, bytes, i))) return;
  fprintf(stderr, "bench: there is no row that starts with '%s'; rows:", options->only);
  for (int i = 0; i < count; i++) fprintf(stderr, "%s %s", i ? "," : "", row_name(rows, bytes, i));
  fputc('\n', stderr);
  exit(BENCH_USAGE);
}

static double seconds_of(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
double bench_seconds(void) { return seconds_of(CLOCK_MONOTONIC); }
double bench_process_seconds(void) { return seconds_of(CLOCK_PROCESS_CPUTIME_ID); }

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double bench_median(size_t count, double *numbers) {
  qsort(numbers, count, sizeof *numbers, compare);
  return (numbers[(count - 1) / 2] + numbers[count / 2]) / 2;
}

double bench_ratio(int rounds, const double *over, const double *under) {
  double ratios[BENCH_MAX_ROUNDS];
  for (int r = 0; r < rounds; r++) ratios[r] = over[r] / under[r];
  return bench_median((size_t)rounds, ratios);
}

bench_spread bench_spread_of(size_t count, const double *numbers) {
  double sorted[BENCH_MAX_ROUNDS];
  memcpy(sorted, numbers, count * sizeof *numbers);
  double median = bench_median(count, sorted);
  return (bench_spread){.median = median, .least = sorted[0], .most = sorted[count - 1]};
}

bench_spread bench_spread_in(size_t count, const void *results, size_t bytes, size_t member) {
  double numbers[BENCH_MAX_PROCESSES];
  for (size_t p = 0; p < count; p++) memcpy(&numbers[p], (const char *)results + p * bytes + member, sizeof *numbers);
  return bench_spread_of(count, numbers);
}

/* Move all bytes through a pipe. Returns whether they arrived. */
static int write_all(int to, const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t done = write(to, bytes, count);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return 0;
    bytes += done;
    count -= (size_t)done;
  }
  return 1;
}

static int read_all(int from, char *bytes, size_t count) {
  while (count > 0) {
    ssize_t done = read(from, bytes, count);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return 0;
    bytes += done;
    count -= (size_t)done;
  }
  return 1;
}

void bench_in_processes(int processes, size_t bytes, void *results, void (*measure)(void *result, const void *context),
                        const void *context) {
  fflush(stdout);
  for (int p = 0; p < processes; p++) {
    char *result = (char *)results + (size_t)p * bytes;
    int ends[2];
    if (pipe(ends) != 0) bench_die(BENCH_FAILED, "no pipe to another process: %s", strerror(errno));
    pid_t child = fork();
    if (child < 0) bench_die(BENCH_FAILED, "no other process: %s", strerror(errno));
    if (child == 0) {
      close(ends[0]);
      measure(result, context);
      exit(write_all(ends[1], result, bytes) ? 0 : BENCH_FAILED);
    }
    close(ends[1]);
    int is_whole = read_all(ends[0], result, bytes), status = 0;
    close(ends[0]);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status) && WEXITSTATUS(status)) exit(WEXITSTATUS(status));
    if (!is_whole || !WIFEXITED(status)) bench_die(BENCH_FAILED, "a measuring process died");
  }
}
