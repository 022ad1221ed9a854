/* SPDX-License-Identifier: Apache-2.0
 *
 * measure.h: how the benches measure a ratio, and the command line that all of them have.
 *
 * A ratio is taken within one process, round by round, from runs that alternate; its median over the rounds is one number,
 * and several processes give several of them. The bench reports their median and their spread, beside a null row: the same
 * code against itself, measured alike. Knows no OpenCL, and nothing of reports: report.h.
 */
#ifndef TS_BENCH_MEASURE_H
#define TS_BENCH_MEASURE_H

#include <stdbool.h>
#include <stddef.h>

/* Exit codes of a bench, and of ./dev bench. */
enum {
  BENCH_REACHED = 0,   /* every bar is reached; with --compare: no row is worse */
  BENCH_MISSED = 1,    /* a bar is missed; with --compare: a row is worse */
  BENCH_USAGE = 2,     /* the command line, or a file that it names, is wrong */
  BENCH_NO_DEVICE = 3, /* PoCL or NVRTC is not there */
  BENCH_NO_VERDICT =
      4,            /* a null row is not within 1 % of 1: the machine was too busy to tell; or there is nothing to compare */
  BENCH_FAILED = 5, /* a kernel does not build or gives wrong results */
  BENCH_FILE = 6    /* a file can't be written */
};

/* End the program with a sentence on stderr. */
_Noreturn void bench_die(int exit_code, const char *format, ...) __attribute__((format(printf, 2, 3)));

enum { BENCH_MAX_ROUNDS = 1000, BENCH_MAX_PROCESSES = 100 };

/* The options of the benches: help.txt. Those without a value are NULL, false or what help.txt says. */
typedef struct bench_options {
  int rounds, processes;
  bool is_quick, is_markdown;
  const char *only, *json, *from, *compare;
  double threshold; /* a part of 1 */
} bench_options;

/* Read the command line. Prints help.txt and ends the program if asked to; ends it with a sentence if something is wrong. */
bench_options bench_read_options(int argc, char **argv);

/* Whether --only lets a row take part. */
bool bench_is_chosen(const bench_options *options, const char *row);

/* End the program with a sentence that lists the rows, unless --only lets one of them take part.
 *
 * rows   an array of `count` structs of `bytes` each that start with a row's name, a const char * */
void bench_check_only(const bench_options *options, int count, const void *rows, size_t bytes);

/* Seconds of a clock that only goes forward. */
double bench_seconds(void);

/* Seconds that this process has spent on processors, in all of its threads: what others do on the machine hardly counts. */
double bench_process_seconds(void);

/* The median of `count` >= 1 numbers, which it sorts. */
double bench_median(size_t count, double *numbers);

/* The median over rounds of over[r] / under[r]. */
double bench_ratio(int rounds, const double *over, const double *under);

/* Medians of several processes: their own median, and the least and most of them. */
typedef struct bench_spread {
  double median, least, most;
} bench_spread;
bench_spread bench_spread_of(size_t count, const double *numbers);

/* The same of a double in each of `count` results of `bytes` each; `member` is its place in a result, by offsetof. */
bench_spread bench_spread_in(size_t count, const void *results, size_t bytes, size_t member);

/* Run `measure(result, context)` in `processes` new processes, one after another, and collect what they leave in `result`.
 *
 * results  [processes] of `bytes` each, plain data
 * A child that fails ends this program with the child's exit code; the child has said why. */
void bench_in_processes(int processes, size_t bytes, void *results, void (*measure)(void *result, const void *context),
                        const void *context);

#endif
