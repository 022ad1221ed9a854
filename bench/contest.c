/* SPDX-License-Identifier: Apache-2.0
 *
 * contest.c: entrants, heats, finals.
 */
#include "contest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../host/source.h"

enum { HEAT_ROUNDS = 3, FINALISTS = 3 /* of each side, at most */ };
static const double NEAR = 1.2; /* who takes longer than the side's fastest by this factor is no finalist */

static const char *const sides[BENCH_SIDES] = {"by hand", "handles"};

/* ---- who takes part --------------------------------------------------------------------------------------------- */

void *bench_memory(size_t bytes) {
  void *memory = malloc(bytes);
  if (!memory) bench_die(BENCH_FAILED, "memory ran out");
  return memory;
}

void bench_add_argument(bench_contest *contest, size_t bytes, const void *value) {
  int n = 0;
  while (n < BENCH_MAX_ARGUMENTS && contest->arguments[n].bytes) n++;
  if (n == BENCH_MAX_ARGUMENTS) bench_die(BENCH_FAILED, "a kernel has more than %d arguments", BENCH_MAX_ARGUMENTS);
  contest->arguments[n].bytes = bytes;
  contest->arguments[n].value = value;
}

void bench_add_buffer(bench_contest *contest, size_t bytes) {
  if (contest->buffer_count == BENCH_MAX_BUFFERS) bench_die(BENCH_FAILED, "there are more than %d buffers", BENCH_MAX_BUFFERS);
  int n = contest->buffer_count++;
  cl_int code;
  contest->buffer_bytes[n] = bytes;
  contest->buffers[n] = clCreateBuffer(contest->device.context, CL_MEM_READ_WRITE, bytes, NULL, &code);
  bench_check(code, "clCreateBuffer");
  bench_add_argument(contest, sizeof(cl_mem), &contest->buffers[n]);
}

static void enter(bench_contest *contest, bench_entrant added) {
  if (contest->entrant_count == BENCH_MAX_ENTRANTS)
    bench_die(BENCH_FAILED, "more than %d kernels take part", BENCH_MAX_ENTRANTS);
  for (cl_uint i = 0; i < BENCH_MAX_ARGUMENTS && contest->arguments[i].bytes; i++)
    bench_check(clSetKernelArg(added.kernel, i, contest->arguments[i].bytes, contest->arguments[i].value), "clSetKernelArg");
  contest->entrants[contest->entrant_count++] = added;
}

/* Sources may include files of bench/. */
static cl_program build(bench_device device, const char *source, const char *const *defines) {
  const char *const folders[] = {TS_SOURCE_DIR "/bench", NULL};
  char *text = bench_text(ts_embedded_header, source, defines, folders);
  cl_program program = bench_build(device, text);
  free(text);
  return program;
}

void bench_enter(bench_contest *contest, int side, const char *source, const char *const *defines, const char *name,
                 const size_t items[3], const size_t group[3]) {
  bench_entrant added = {.side = side, .is_looked_at = true};
  cl_program program = build(contest->device, source, defines);
  cl_int code;
  added.kernel = clCreateKernel(program, name, &code);
  bench_check(code, "clCreateKernel");
  clReleaseProgram(program);
  snprintf(added.name, sizeof added.name, "%s", name);
  memcpy(added.items, items, sizeof added.items);
  memcpy(added.group, group, sizeof added.group);
  enter(contest, added);
}

void bench_enter_source(bench_contest *contest, int side, const char *source, const char *const *defines, const char *how,
                        const size_t *groups) {
  cl_program program = build(contest->device, source, defines);
  cl_kernel kernels[64];
  cl_uint count;
  bench_check(clCreateKernelsInProgram(program, 64, kernels, &count), "clCreateKernelsInProgram");
  for (cl_uint k = 0; k < count; k++) {
    bench_entrant added = {.side = side, .kernel = kernels[k], .is_looked_at = true};
    bench_check(clGetKernelInfo(kernels[k], CL_KERNEL_FUNCTION_NAME, sizeof added.name, added.name, NULL), "clGetKernelInfo");
    snprintf(added.how, sizeof added.how, "%s", how);
    size_t items = contest->elements / (size_t)atoi(strrchr(added.name, 'x') + 1);
    for (const size_t *group = groups; *group; group++) {
      if (items % *group || (contest->is_quick && !added.is_looked_at)) continue;
      for (int d = 0; d < 3; d++) added.items[d] = added.group[d] = 1;
      added.items[0] = items;
      added.group[0] = *group;
      if (!added.is_looked_at) bench_check(clRetainKernel(added.kernel), "clRetainKernel");
      enter(contest, added);
      added.is_looked_at = false;
    }
    if (added.is_looked_at) bench_die(BENCH_FAILED, "no group fits %s", added.name);
  }
  clReleaseProgram(program);
}

/* ---- running ---------------------------------------------------------------------------------------------------- */

static double run(bench_device device, const bench_entrant *e) {
  double start = bench_seconds();
  bench_check(clEnqueueNDRangeKernel(device.queue, e->kernel, 3, NULL, e->items, e->group, 0, NULL, NULL),
              "clEnqueueNDRangeKernel");
  bench_check(clFinish(device.queue), "clFinish");
  return bench_seconds() - start;
}

/* End the program if a kernel's result is wrong. */
static void look_at_results(bench_contest *contest, const bench_subject *subject) {
  int last = contest->buffer_count - 1;
  for (int i = 0; i < contest->entrant_count; i++) {
    const bench_entrant *e = &contest->entrants[i];
    if (!e->is_looked_at) continue;
    void *cells = bench_map(contest->device, contest->buffers[last], contest->buffer_bytes[last]);
    if (contest->at_first)
      memcpy(cells, contest->at_first, contest->buffer_bytes[last]);
    else
      memset(cells, 0, contest->buffer_bytes[last]);
    bench_unmap(contest->device, contest->buffers[last], cells);
    run(contest->device, e);
    cells = bench_map(contest->device, contest->buffers[last], contest->buffer_bytes[last]);
    if (!subject->is_right(contest, cells))
      bench_die(BENCH_FAILED, "%s, %s: %s gives wrong results", subject->name, sides[e->side], e->name);
    bench_unmap(contest->device, contest->buffers[last], cells);
  }
}

/* Fastest first, one side after the other. */
static int by_side_and_time(const void *a, const void *b) {
  const bench_entrant *x = a, *y = b;
  if (x->side != y->side) return x->side - y->side;
  return (x->seconds > y->seconds) - (x->seconds < y->seconds);
}

static double seconds[BENCH_MAX_ENTRANTS][BENCH_MAX_ROUNDS];

/* Run entrants in rounds, each in the reverse order of the one before. */
static void run_rounds(bench_device device, const bench_entrant *const *entrants, int count, int rounds) {
  for (int round = 0; round < rounds; round++)
    for (int n = 0; n < count; n++) {
      int i = round % 2 ? count - 1 - n : n;
      seconds[i][round] = run(device, entrants[i]);
    }
}

static double median_of(int i, int rounds) {
  double sorted[BENCH_MAX_ROUNDS];
  memcpy(sorted, seconds[i], (size_t)rounds * sizeof *sorted);
  return bench_median((size_t)rounds, sorted);
}

/* All entrants run; afterwards each side is sorted, fastest first. */
static void run_heats(bench_contest *contest) {
  const bench_entrant *all[BENCH_MAX_ENTRANTS];
  for (int i = 0; i < contest->entrant_count; i++) {
    all[i] = &contest->entrants[i];
    run(contest->device, all[i]); /* PoCL compiles for each size of a group */
  }
  run_rounds(contest->device, all, contest->entrant_count, HEAT_ROUNDS);
  for (int i = 0; i < contest->entrant_count; i++) contest->entrants[i].seconds = median_of(i, HEAT_ROUNDS);
  qsort(contest->entrants, (size_t)contest->entrant_count, sizeof *contest->entrants, by_side_and_time);
}

typedef struct result {
  size_t bytes;
  int count;
  bench_entrant entrants[BENCH_MAX_ENTRANTS], best[BENCH_SIDES];
  double ratio, null;
} result;

/* The fastest of each side run against each other. The first of them, the fastest by hand, runs twice in each round: first and
 * last, so the order of the two alternates too. */
static void run_final(const bench_contest *contest, int rounds, result *r) {
  const bench_entrant *finalists[BENCH_SIDES * FINALISTS + 1];
  int begin[BENCH_SIDES + 1] = {0}, count = 0;
  for (int side = 0; side < BENCH_SIDES; side++) {
    for (int i = 0; i < contest->entrant_count && count < begin[side] + FINALISTS; i++) {
      const bench_entrant *e = &contest->entrants[i];
      bool is_first = count == begin[side];
      if (e->side == side && (is_first || e->seconds <= NEAR * finalists[begin[side]]->seconds)) finalists[count++] = e;
    }
    begin[side + 1] = count;
  }
  finalists[count] = finalists[0];
  run_rounds(contest->device, finalists, count + 1, rounds);

  int best[BENCH_SIDES];
  for (int side = 0; side < BENCH_SIDES; side++) {
    best[side] = begin[side];
    for (int i = best[side] + 1; i < begin[side + 1]; i++)
      if (median_of(i, rounds) < median_of(best[side], rounds)) best[side] = i;
    r->best[side] = *finalists[best[side]];
    r->best[side].seconds = median_of(best[side], rounds);
  }
  r->ratio = bench_ratio(rounds, seconds[best[BENCH_BY_HAND]], seconds[best[BENCH_HANDLES]]);
  r->null = bench_ratio(rounds, seconds[count], seconds[0]);
}

/* ---- one subject in one process --------------------------------------------------------------------------------- */

typedef struct job {
  const bench_subject *subject;
  const bench_options *options;
} job;

static void measure(void *into, const void *context) {
  result *r = into;
  const job *todo = context;
  static bench_contest contest;
  contest.device = bench_open();
  contest.is_quick = todo->options->is_quick;
  todo->subject->prepare(&contest, todo->subject->context);
  look_at_results(&contest, todo->subject);
  run_heats(&contest);
  run_final(&contest, todo->options->rounds, r);
  r->bytes = contest.bytes;
  r->count = contest.entrant_count;
  memcpy(r->entrants, contest.entrants, sizeof r->entrants);

  free(contest.expected);
  free(contest.at_first);
  for (int i = 0; i < contest.entrant_count; i++) clReleaseKernel(contest.entrants[i].kernel);
  for (int i = 0; i < contest.buffer_count; i++) clReleaseMemObject(contest.buffers[i]);
  bench_close(contest.device);
}

/* ---- the report --------------------------------------------------------------------------------------------------- */

/* "by hand: saxpy_x16, groups of 256, store streamed" */
static const char *title_of(const bench_entrant *e) {
  static char title[160];
  int length = snprintf(title, sizeof title, "%s: %s, groups of %zu", sides[e->side], e->name, e->group[0]);
  for (int d = 1; d < 3; d++)
    if (e->group[d] > 1) length += snprintf(title + length, sizeof title - (size_t)length, " x %zu", e->group[d]);
  snprintf(title + length, sizeof title - (size_t)length, "%s%s", *e->how ? ", " : "", e->how);
  return title;
}

static void print_entrant(const result *r, const bench_entrant *e) {
  printf("  %-66s %8.2f ms %6.2f GB/s\n", title_of(e), 1e3 * e->seconds, (double)r->bytes / e->seconds * 1e-9);
}

static double median_of_best(const result *results, size_t processes, int side) {
  return bench_spread_in(processes, results, sizeof *results,
                         (size_t)((const char *)&results->best[side].seconds - (const char *)results))
      .median;
}

static void report_subject(const bench_subject *subject, const result *results, const bench_options *options,
                           bench_report *report) {
  size_t processes = (size_t)options->processes;
  printf("%s, %zu MiB read and written\n", subject->name, results[0].bytes >> 20);
  printf(" all that took part, in the first process, medians of %d rounds:\n", HEAT_ROUNDS);
  for (int i = 0; i < results[0].count; i++) print_entrant(&results[0], &results[0].entrants[i]);
  printf(" the best of each side, in each process:\n");
  for (size_t p = 0; p < processes; p++)
    for (int side = 0; side < BENCH_SIDES; side++) print_entrant(&results[p], &results[p].best[side]);

  bench_figure figure = {.name = subject->name,
                         .of = "time of the best by hand over that of the best on handles",
                         .ratio = bench_spread_in(processes, results, sizeof *results, offsetof(result, ratio)),
                         .null = bench_spread_in(processes, results, sizeof *results, offsetof(result, null)),
                         .bar = subject->bar,
                         .rival_seconds = median_of_best(results, processes, BENCH_BY_HAND),
                         .seconds = median_of_best(results, processes, BENCH_HANDLES),
                         .processes = options->processes,
                         .rounds = options->rounds};
  bench_report_add(report, &figure);
  printf("\n");
  for (int i = 0; i < results[0].count; i++)
    bench_report_rival(report, title_of(&results[0].entrants[i]), results[0].entrants[i].seconds);
}

int bench_contests(const char *name, const bench_subject *subjects, int count, const bench_options *options) {
  bench_check_only(options, count, subjects, sizeof *subjects);
  bench_report *report = bench_report_begin(name, options, bench_describe_opencl);
  result *results = calloc((size_t)options->processes, sizeof *results);
  if (!results) bench_die(BENCH_FAILED, "memory ran out");
  for (int i = 0; i < count; i++) {
    if (!bench_is_chosen(options, subjects[i].name)) continue;
    job todo = {&subjects[i], options};
    bench_in_processes(options->processes, sizeof *results, results, measure, &todo);
    report_subject(&subjects[i], results, options, report);
  }
  free(results);
  return bench_report_end(report);
}
