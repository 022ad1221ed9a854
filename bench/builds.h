/* SPDX-License-Identifier: Apache-2.0
 *
 * builds.h: measure what building a text costs over building another one, by any run-time compiler, and report it.
 */
#ifndef TS_BENCH_BUILDS_H
#define TS_BENCH_BUILDS_H

#include "report.h"

/* A text, and the row that it is measured against. One that is measured against itself is only there for others; a row that
 * follows it and whose name ends with "null" is the null row of these. */
typedef struct bench_row {
  const char *name, *source;
  const char *const *defines; /* ended by NULL; may be NULL */
  int against;
  double bar; /* the most that the ratio may be; 0: there is no bar */
} bench_row;

#define BENCH_DEFINES(...) ((const char *const[]){__VA_ARGS__, NULL})
enum { BENCH_MAX_ROWS = 32 };

/* A compiler, as it is used in one process. Every failure ends the program with a sentence. */
typedef struct bench_compiler {
  const char *header; /* the library's copy of the kernel header for it: host/source.h */
  void (*open)(void);
  double (*build_seconds)(const char *text); /* the time from the text to what the bench wants of it */
  void (*close)(void);
} bench_compiler;

/* Copy those rows of a table that are reported to `reported`, to be looked for by --only. Returns their number. */
int bench_reported_rows(const bench_row *rows, int count, bench_row *reported);

/* Measure those rows of a table, of at most BENCH_MAX_ROWS, that --only lets take part, and report them. */
void bench_builds(const bench_compiler *compiler, const bench_row *rows, int count, const bench_options *options,
                  bench_report *report);

#endif
