/* SPDX-License-Identifier: Apache-2.0
 *
 * builds.c: rounds of builds, and their rows.
 */
#include "builds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opencl.h"

typedef struct job {
  const bench_compiler *compiler;
  const bench_row *rows;
  const bool *is_built;
  int count, rounds;
} job;

/* Of each row: the median of its time, and of the ratio to that of the row it is measured against. */
typedef struct result {
  double seconds[BENCH_MAX_ROWS], ratio[BENCH_MAX_ROWS];
} result;

/* A number of the results, over the processes. */
#define SPREAD(member)                                                                                                         \
  bench_spread_in(processes, results, sizeof *results, (size_t)((const char *)&results->member - (const char *)results))

static double seconds[BENCH_MAX_ROWS][BENCH_MAX_ROUNDS];

static void measure(void *into, const void *context) {
  result *r = into;
  const job *todo = context;
  todo->compiler->open();
  char *texts[BENCH_MAX_ROWS];
  int built[BENCH_MAX_ROWS], count = 0;
  const char *const include_dirs[] = {TS_SOURCE_DIR, NULL};
  for (int i = 0; i < todo->count; i++) {
    if (!todo->is_built[i]) continue;
    texts[i] = bench_text(todo->compiler->header, todo->rows[i].source, todo->rows[i].defines, include_dirs);
    built[count++] = i;
  }

  for (int n = 0; n < count; n++) todo->compiler->build_seconds(texts[built[n]]); /* warm */
  for (int round = 0; round < todo->rounds; round++)
    for (int n = 0; n < count; n++) {
      int i = built[round % 2 ? count - 1 - n : n];
      seconds[i][round] = todo->compiler->build_seconds(texts[i]);
    }

  double sorted[BENCH_MAX_ROUNDS];
  for (int n = 0; n < count; n++) {
    int i = built[n];
    r->ratio[i] = bench_ratio(todo->rounds, seconds[i], seconds[todo->rows[i].against]);
    memcpy(sorted, seconds[i], sizeof sorted);
    r->seconds[i] = bench_median((size_t)todo->rounds, sorted);
    free(texts[i]);
  }
  todo->compiler->close();
}

static bool is_null(const bench_row *row) {
  size_t length = strlen(row->name);
  return length >= 4 && !strcmp(row->name + length - 4, "null");
}

static bool is_reported(const bench_row *rows, int i) { return rows[i].against != i && !is_null(&rows[i]); }

int bench_reported_rows(const bench_row *rows, int count, bench_row *reported) {
  int n = 0;
  for (int i = 0; i < count; i++)
    if (is_reported(rows, i)) reported[n++] = rows[i];
  return n;
}

/* The null row of what row i is measured against, or of what that is measured against. */
static int null_of(const bench_row *rows, int i) {
  for (i = rows[i].against; !is_null(&rows[i + 1]); i = rows[i].against)
    if (rows[i].against == i) bench_die(BENCH_FAILED, "'%s' has no null row", rows[i].name);
  return i + 1;
}

void bench_builds(const bench_compiler *compiler, const bench_row *rows, int count, const bench_options *options,
                  bench_report *report) {
  bool is_shown[BENCH_MAX_ROWS] = {false}, is_built[BENCH_MAX_ROWS] = {false}, any = false;
  for (int i = 0; i < count; i++) {
    is_shown[i] = is_reported(rows, i) && bench_is_chosen(options, rows[i].name);
    if (!is_shown[i]) continue;
    int null = null_of(rows, i);
    is_built[i] = is_built[rows[i].against] = is_built[null] = is_built[rows[null].against] = any = true;
  }
  /* What is built is also compared with what it is measured against. */
  for (int i = count - 1; i >= 0; i--)
    if (is_built[i]) is_built[rows[i].against] = true;
  if (!any) return;

  job todo = {compiler, rows, is_built, count, options->rounds};
  size_t processes = (size_t)options->processes;
  result *results = calloc(processes, sizeof *results);
  if (!results) bench_die(BENCH_FAILED, "memory ran out");
  bench_in_processes(options->processes, sizeof *results, results, measure, &todo);

  for (int i = 0; i < count; i++) {
    if (!is_shown[i]) continue;
    int against = rows[i].against, null = null_of(rows, i);
    bench_figure figure = {.name = rows[i].name,
                           .of = "time to build over that of the rival",
                           .less_is_better = true,
                           .ratio = SPREAD(ratio[i]),
                           .null = SPREAD(ratio[null]),
                           .bar = rows[i].bar,
                           .rival_seconds = SPREAD(seconds[against]).median,
                           .seconds = SPREAD(seconds[i]).median,
                           .processes = options->processes,
                           .rounds = options->rounds};
    bench_report_add(report, &figure);
    bench_report_rival(report, rows[against].name, figure.rival_seconds);
    bench_report_rival(report, rows[i].name, figure.seconds);
  }
  free(results);
}
