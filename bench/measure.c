/* SPDX-License-Identifier: Apache-2.0
 *
 * measure.c: rounds, medians and child processes.
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

bench_options bench_read_options(int argc, char **argv, const char *usage) {
  bench_options options = {.rounds = 31, .processes = 5};
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--rounds")) {
      options.rounds = read_count(argv[++i], "--rounds", BENCH_MAX_ROUNDS);
    } else if (!strcmp(argv[i], "--processes")) {
      options.processes = read_count(argv[++i], "--processes", BENCH_MAX_PROCESSES);
    } else if (!strcmp(argv[i], "--only") && argv[i + 1]) {
      options.only = argv[++i];
    } else if (!strcmp(argv[i], "--help")) {
      fputs(usage, stdout);
      exit(BENCH_REACHED);
    } else {
      bench_die(BENCH_USAGE, "there is no option '%s'\n%s", argv[i], usage);
    }
  }
  return options;
}

/* The rest of the first line of a file that starts with `start`, without what separates them; "unknown" if there is none. */
static void read_line(char *line, int bytes, const char *path, const char *start) {
  FILE *file = fopen(path, "r");
  int found = 0;
  while (file && !found && fgets(line, bytes, file)) found = !strncmp(line, start, strlen(start));
  if (file) fclose(file);
  if (!found) {
    snprintf(line, (size_t)bytes, "unknown");
    return;
  }
  const char *rest = line + strlen(start);
  rest += strspn(rest, "\t :");
  memmove(line, rest, strlen(rest) + 1);
  line[strcspn(line, "\n")] = 0;
}

void bench_print_machine(bench_options options) {
  char line[256];
  read_line(line, sizeof line, "/proc/cpuinfo", "model name");
  printf("processor  %s, %ld online\n", line, sysconf(_SC_NPROCESSORS_ONLN));
  read_line(line, sizeof line, "/proc/loadavg", "");
  printf("load       %s\n", line);
  printf("measured   %d processes of %d rounds: the median of the medians [least, most]\n", options.processes, options.rounds);
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

int bench_is_null(bench_spread null) { return null.median >= 0.99 && null.median <= 1.01; }

void bench_print_verdict(int exit_code) {
  const char *verdict = exit_code == BENCH_REACHED ? "every bar is reached"
                        : exit_code == BENCH_MISSED
                            ? "a bar is MISSED"
                            : "no verdict: a null row is not within 1 % of 1; measure on an idle machine";
  printf("\n%s\n", verdict);
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
