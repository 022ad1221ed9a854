/* SPDX-License-Identifier: Apache-2.0
 *
 * builds.c: rounds of builds, and their table.
 */
#include "builds.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opencl.h"

typedef struct job {
  const bench_compiler *compiler;
  const bench_row *rows;
  int count, rounds;
} job;

/* For each row: the median of its own time, of what it is more than its rival, and of the ratio of the two. */
typedef struct result {
  double seconds[BENCH_MAX_ROWS], more[BENCH_MAX_ROWS], ratio[BENCH_MAX_ROWS];
} result;

static double seconds[BENCH_MAX_ROWS][BENCH_MAX_ROUNDS];

static void measure(void *into, const void *context) {
  result *r = into;
  const job *todo = context;
  todo->compiler->open();
  char *texts[BENCH_MAX_ROWS];
  const char *const include_dirs[] = {TS_SOURCE_DIR, NULL};
  for (int i = 0; i < todo->count; i++)
    texts[i] = bench_text(todo->compiler->header, todo->rows[i].source, todo->rows[i].defines, include_dirs);

  for (int i = 0; i < todo->count; i++) todo->compiler->build_seconds(texts[i]); /* warm */
  for (int round = 0; round < todo->rounds; round++)
    for (int n = 0; n < todo->count; n++) {
      int i = round % 2 ? todo->count - 1 - n : n;
      seconds[i][round] = todo->compiler->build_seconds(texts[i]);
    }

  double scratch[BENCH_MAX_ROUNDS];
  for (int i = 0; i < todo->count; i++) {
    const double *own = seconds[i], *other = seconds[todo->rows[i].against];
    r->ratio[i] = bench_ratio(todo->rounds, own, other);
    for (int round = 0; round < todo->rounds; round++) scratch[round] = own[round] - other[round];
    r->more[i] = bench_median((size_t)todo->rounds, scratch);
    memcpy(scratch, own, sizeof scratch);
    r->seconds[i] = bench_median((size_t)todo->rounds, scratch);
    free(texts[i]);
  }
  todo->compiler->close();
}

void bench_builds(const bench_compiler *compiler, const bench_row *rows, int count, bench_options options,
                  bench_spread *ratios) {
  job todo = {compiler, rows, count, options.rounds};
  result *results = calloc((size_t)options.processes, sizeof *results);
  if (!results) bench_die(BENCH_FAILED, "memory ran out");
  bench_in_processes(options.processes, sizeof *results, results, measure, &todo);

  printf("\n%-32s %8s %8s   %-22s %s\n", "", "ms", "more ms", "ratio [least, most]", "bar");
  double own[BENCH_MAX_PROCESSES] = {0}, more[BENCH_MAX_PROCESSES] = {0}, ratio[BENCH_MAX_PROCESSES] = {0};
  for (int i = 0; i < count; i++) {
    for (int p = 0; p < options.processes; p++) {
      own[p] = results[p].seconds[i];
      more[p] = results[p].more[i];
      ratio[p] = results[p].ratio[i];
    }
    size_t n = (size_t)options.processes;
    ratios[i] = bench_spread_of(n, ratio);
    printf("%-32s %8.2f %8.2f   %.3f [%.3f, %.3f]  ", rows[i].name, 1e3 * bench_median(n, own), 1e3 * bench_median(n, more),
           ratios[i].median, ratios[i].least, ratios[i].most);
    if (rows[i].bar > 0) printf("%.2f %s", rows[i].bar, ratios[i].median <= rows[i].bar ? "reached" : "MISSED");
    printf("\n");
  }
  free(results);
}

int bench_builds_verdict(const bench_row *rows, int count, const bench_spread *ratios) {
  int verdict = BENCH_REACHED;
  for (int i = 0; i < count; i++)
    if (rows[i].bar > 0 && ratios[i].median > rows[i].bar) verdict = BENCH_MISSED;
  for (int i = 0; i < count; i++) {
    size_t length = strlen(rows[i].name);
    bool is_null = length >= 4 && !strcmp(rows[i].name + length - 4, "null");
    if (is_null && !bench_is_null(ratios[i])) verdict = BENCH_NO_VERDICT;
  }
  return verdict;
}
