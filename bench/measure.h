/* SPDX-License-Identifier: Apache-2.0
 *
 * measure.h: how the benches measure a ratio, and what all of their reports say.
 *
 * A ratio is taken within one process, round by round, from runs that alternate; its median over the rounds is one number,
 * and several processes give several of them. The bench reports their median and their spread, beside a null row: the same
 * code against itself, measured alike. Knows no OpenCL.
 */
#ifndef TS_BENCH_MEASURE_H
#define TS_BENCH_MEASURE_H

#include <stddef.h>

/* Exit codes of a bench, and of ./dev bench. */
enum {
  BENCH_REACHED = 0,    /* every bar is reached */
  BENCH_MISSED = 1,     /* a bar is missed */
  BENCH_USAGE = 2,      /* the command line is wrong */
  BENCH_NO_DEVICE = 3,  /* PoCL is not there */
  BENCH_NO_VERDICT = 4, /* a null row is not within 1 % of 1: the machine was too busy to tell */
  BENCH_FAILED = 5      /* a kernel does not build or gives wrong results */
};

/* End the program with a sentence on stderr. */
_Noreturn void bench_die(int exit_code, const char *format, ...) __attribute__((format(printf, 2, 3)));

enum { BENCH_MAX_ROUNDS = 1000, BENCH_MAX_PROCESSES = 100 };

/* The options of the benches. */
typedef struct bench_options {
  int rounds;       /* --rounds N: 31 unless told */
  int processes;    /* --processes N: 5 unless told */
  const char *only; /* --only PART, where a bench has parts; NULL: all */
} bench_options;

/* Read the command line. `usage` is printed, and the program ends, when it is wrong or asks for help. */
bench_options bench_read_options(int argc, char **argv, const char *usage);

/* The processor, its load and the rounds to come, as lines on stdout. */
void bench_print_machine(bench_options options);

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

/* Whether a null row lets a verdict be given: its median lies within 1 % of 1. */
int bench_is_null(bench_spread null);

/* One line that says what an exit code of a bench means. */
void bench_print_verdict(int exit_code);

/* Run `measure(result, context)` in `processes` new processes, one after another, and collect what they leave in `result`.
 *
 * results  [processes] of `bytes` each, plain data
 * A child that fails ends this program with the child's exit code; the child has said why. */
void bench_in_processes(int processes, size_t bytes, void *results, void (*measure)(void *result, const void *context),
                        const void *context);

#endif
