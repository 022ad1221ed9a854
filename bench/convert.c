/* SPDX-License-Identifier: Apache-2.0
 *
 * convert.c: bench_convert: conversions at memory speed, over the best hand-written kernel of the same run.
 *
 * Both sides enter with several kernels, each with and without streaming hints and in work-groups of several sizes, built with
 * the same options. In each process all of them run a few rounds and their results are compared with a plain reference; the
 * fastest of each side then run against each other, and the ratio is that of the side's best. Kernels are found by their
 * names: to add one, write it into its file.
 */
#include <stdint.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../host/source.h"
#include "measure.h"
#include "opencl.h"

extern const char ts_embedded_handle[], ts_embedded_f32_to_f16[], ts_embedded_f16_to_f32[], ts_embedded_f32_to_bf16[],
    ts_embedded_i8_to_f32[], ts_embedded_u8_to_i32[];

static const char USAGE[] = "usage: bench_convert [--rounds N] [--processes N] [--only SRC_to_DST, e.g. f32_to_f16]\n";

/* ---- the conversions -------------------------------------------------------------------------------------------- */

/* A number that looks random, the same on every run. */
static uint32_t random_bits(size_t i) {
  uint32_t x = (uint32_t)i * 2654435761u;
  x ^= x >> 15;
  x *= 2246822519u;
  return x ^ x >> 13;
}

/* A source element, and the right result, by the plainest way there is. Elements are numbers whose results are normal, since
 * hand-written kernels differ on the rest; every eighth f32 is a tie. */
static void f32_to_f16(size_t i, void *src, void *dst) {
  uint32_t r = random_bits(i), sign = r >> 31, exponent = 113 + r % 30, mantissa = r >> 8 & 0x7fffff;
  if (r % 8 == 0) mantissa = (mantissa & ~0x1fffu) | 0x1000;
  uint32_t bits = sign << 31 | exponent << 23 | mantissa;
  uint32_t kept = (exponent - 112) << 10 | mantissa >> 13, rest = mantissa & 0x1fff;
  if (rest > 0x1000 || (rest == 0x1000 && kept % 2 == 1)) kept++;
  memcpy(src, &bits, 4);
  memcpy(dst, &(uint16_t){(uint16_t)(sign << 15 | kept)}, 2);
}

static void f16_to_f32(size_t i, void *src, void *dst) {
  uint32_t r = random_bits(i), sign = r >> 31, exponent = 1 + r % 30, mantissa = r >> 8 & 0x3ff;
  uint32_t bits = sign << 31 | (exponent + 112) << 23 | mantissa << 13;
  memcpy(src, &(uint16_t){(uint16_t)(sign << 15 | exponent << 10 | mantissa)}, 2);
  memcpy(dst, &bits, 4);
}

static void f32_to_bf16(size_t i, void *src, void *dst) {
  uint32_t r = random_bits(i), bits = (r & 0x807fffff) | (1 + r % 253) << 23;
  if (r % 8 == 0) bits = (bits & ~0xffffu) | 0x8000;
  uint32_t kept = bits >> 16, rest = bits & 0xffff;
  if (rest > 0x8000 || (rest == 0x8000 && kept % 2 == 1)) kept++;
  memcpy(src, &bits, 4);
  memcpy(dst, &(uint16_t){(uint16_t)kept}, 2);
}

static void i8_to_f32(size_t i, void *src, void *dst) {
  int8_t element = (int8_t)(random_bits(i) >> 24);
  memcpy(src, &element, 1);
  memcpy(dst, &(float){element}, 4);
}

static void u8_to_i32(size_t i, void *src, void *dst) {
  uint8_t element = (uint8_t)(random_bits(i) >> 24);
  memcpy(src, &element, 1);
  memcpy(dst, &(int32_t){element}, 4);
}

typedef struct conversion {
  const char *src, *dst;
  size_t src_bytes, dst_bytes;
  const char *by_hand; /* the hand-written kernels */
  void (*element)(size_t i, void *src, void *dst);
} conversion;

static const conversion conversions[] = {
    {"f32", "f16", 4, 2, ts_embedded_f32_to_f16, f32_to_f16},    {"f16", "f32", 2, 4, ts_embedded_f16_to_f32, f16_to_f32},
    {"f32", "bf16", 4, 2, ts_embedded_f32_to_bf16, f32_to_bf16}, {"i8", "f32", 1, 4, ts_embedded_i8_to_f32, i8_to_f32},
    {"u8", "i32", 1, 4, ts_embedded_u8_to_i32, u8_to_i32},
};
enum { CONVERSIONS = sizeof conversions / sizeof *conversions };

/* ---- who takes part --------------------------------------------------------------------------------------------- */

static const double BAR = 0.95;
static const size_t groups[] = {64, 256, 1024};
static const char *const hints[] = {"", "store streamed", "both streamed"};
enum {
  GROUPS = sizeof groups / sizeof *groups,
  HINTS = sizeof hints / sizeof *hints,
  MAX_ENTRANTS = 400,
  HEAT_ROUNDS = 5, /* all entrants run */
  FINALISTS = 3,   /* of each side */
  MIN_BYTES = 256 << 20
};

enum { BY_HAND, HANDLE, SIDES };
static const char *const sides[SIDES] = {"by hand", "handle"};

/* One kernel in one way. Plain data, but for the kernel, which only its own process uses. */
typedef struct entrant {
  int side, hint;
  char name[40]; /* the kernel's, which ends with _x and the elements of one work-item */
  size_t items, group;
  cl_kernel kernel;
  double seconds;
} entrant;

typedef struct result {
  size_t bytes; /* read and written */
  int count;
  entrant entrants[MAX_ENTRANTS];
  entrant best[SIDES];
  double ratio, null;
} result;

/* Add the kernels of a program: one entrant for each size of a work-group. */
static void add_entrants(result *r, bench_device device, const char *text, int side, int hint, size_t elements,
                         const cl_mem cells[2]) {
  cl_program program = bench_build(device, text);
  cl_kernel kernels[64];
  cl_uint count;
  bench_check(clCreateKernelsInProgram(program, 64, kernels, &count), "clCreateKernelsInProgram");
  for (cl_uint k = 0; k < count; k++) {
    entrant added = {.side = side, .hint = hint, .kernel = kernels[k]};
    bench_check(clGetKernelInfo(kernels[k], CL_KERNEL_FUNCTION_NAME, sizeof added.name, added.name, NULL), "clGetKernelInfo");
    const char *width = strrchr(added.name, 'x');
    added.items = elements / (size_t)atoi(width + 1);
    for (cl_uint i = 0; i < 2; i++) bench_check(clSetKernelArg(kernels[k], i, sizeof *cells, &cells[i]), "clSetKernelArg");
    for (size_t g = 0; g < GROUPS; g++) {
      added.group = groups[g];
      if (g > 0) bench_check(clRetainKernel(added.kernel), "clRetainKernel");
      if (r->count == MAX_ENTRANTS) bench_die(BENCH_FAILED, "more than %d kernels take part", MAX_ENTRANTS);
      r->entrants[r->count++] = added;
    }
  }
  clReleaseProgram(program);
}

/* ---- running ---------------------------------------------------------------------------------------------------- */

static double run(bench_device device, const entrant *e) {
  double start = bench_seconds();
  bench_check(clEnqueueNDRangeKernel(device.queue, e->kernel, 1, NULL, &e->items, &e->group, 0, NULL, NULL),
              "clEnqueueNDRangeKernel");
  bench_check(clFinish(device.queue), "clFinish");
  return bench_seconds() - start;
}

static void *map(bench_device device, cl_mem cells, size_t bytes) {
  cl_int code;
  void *mapped = clEnqueueMapBuffer(device.queue, cells, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0, NULL, NULL, &code);
  bench_check(code, "clEnqueueMapBuffer");
  return mapped;
}

static void unmap(bench_device device, cl_mem cells, void *mapped) {
  bench_check(clEnqueueUnmapMemObject(device.queue, cells, mapped, 0, NULL, NULL), "clEnqueueUnmapMemObject");
  bench_check(clFinish(device.queue), "clFinish");
}

/* Run each entrant once, on a destination that was cleared, and end the program if a result is wrong. */
static void check_results(bench_device device, result *r, cl_mem dst, const char *expected, size_t bytes) {
  for (int i = 0; i < r->count; i++) {
    void *mapped = map(device, dst, bytes);
    memset(mapped, 0x5a, bytes);
    unmap(device, dst, mapped);
    run(device, &r->entrants[i]);
    mapped = map(device, dst, bytes);
    if (memcmp(mapped, expected, bytes) != 0)
      bench_die(BENCH_FAILED, "%s, %s, gives wrong results", sides[r->entrants[i].side], r->entrants[i].name);
    unmap(device, dst, mapped);
  }
}

/* Fastest first, one side after the other. */
static int by_side_and_time(const void *a, const void *b) {
  const entrant *x = a, *y = b;
  if (x->side != y->side) return x->side - y->side;
  return (x->seconds > y->seconds) - (x->seconds < y->seconds);
}

/* Run entrants in rounds, each in the reverse order of the one before; seconds[i][round]. */
static void run_rounds(bench_device device, const entrant *const *entrants, int count, int rounds,
                       double seconds[][BENCH_MAX_ROUNDS]) {
  for (int round = 0; round < rounds; round++)
    for (int n = 0; n < count; n++) {
      int i = round % 2 ? count - 1 - n : n;
      seconds[i][round] = run(device, entrants[i]);
    }
}

static double seconds[MAX_ENTRANTS][BENCH_MAX_ROUNDS];

static double median_of(int i, int rounds) {
  double sorted[BENCH_MAX_ROUNDS];
  memcpy(sorted, seconds[i], (size_t)rounds * sizeof *sorted);
  return bench_median((size_t)rounds, sorted);
}

/* All entrants run; afterwards each side is sorted, fastest first. */
static void run_heats(bench_device device, result *r) {
  const entrant *all[MAX_ENTRANTS];
  for (int i = 0; i < r->count; i++) all[i] = &r->entrants[i];
  run_rounds(device, all, r->count, HEAT_ROUNDS, seconds);
  for (int i = 0; i < r->count; i++) r->entrants[i].seconds = median_of(i, HEAT_ROUNDS);
  qsort(r->entrants, (size_t)r->count, sizeof *r->entrants, by_side_and_time);
}

/* The fastest of each side run against each other. The first of them, the fastest by hand, runs twice in each round: first and
 * last, so the order of the two alternates too. */
static void run_final(bench_device device, result *r, int rounds) {
  enum { TWIN = SIDES * FINALISTS };
  const entrant *finalists[TWIN + 1];
  int first_handle = 0;
  while (r->entrants[first_handle].side == BY_HAND) first_handle++;
  for (int i = 0; i < FINALISTS; i++) {
    finalists[i] = &r->entrants[i];
    finalists[FINALISTS + i] = &r->entrants[first_handle + i];
  }
  finalists[TWIN] = finalists[0];
  run_rounds(device, finalists, TWIN + 1, rounds, seconds);

  int best[SIDES];
  for (int side = 0; side < SIDES; side++) {
    best[side] = side * FINALISTS;
    for (int i = best[side] + 1; i < (side + 1) * FINALISTS; i++)
      if (median_of(i, rounds) < median_of(best[side], rounds)) best[side] = i;
    r->best[side] = *finalists[best[side]];
    r->best[side].seconds = median_of(best[side], rounds);
  }
  r->ratio = bench_ratio(rounds, seconds[best[BY_HAND]], seconds[best[HANDLE]]);
  r->null = bench_ratio(rounds, seconds[TWIN], seconds[0]);
}

/* ---- one conversion in one process ------------------------------------------------------------------------------ */

typedef struct job {
  const conversion *conversion;
  int rounds;
} job;

static void measure(void *into, const void *context) {
  result *r = into;
  const job *todo = context;
  const conversion *c = todo->conversion;
  size_t whole = 16 * groups[GROUPS - 1]; /* every width and group divides it */
  size_t elements = (MIN_BYTES / (c->src_bytes + c->dst_bytes) / whole + 1) * whole;
  r->bytes = elements * (c->src_bytes + c->dst_bytes);
  r->count = 0;

  bench_device device = bench_open();
  cl_int codes[2];
  cl_mem cells[2] = {clCreateBuffer(device.context, CL_MEM_READ_ONLY, elements * c->src_bytes, NULL, &codes[0]),
                     clCreateBuffer(device.context, CL_MEM_READ_WRITE, elements * c->dst_bytes, NULL, &codes[1])};
  for (int i = 0; i < 2; i++) bench_check(codes[i], "clCreateBuffer");
  char *expected = malloc(elements * c->dst_bytes);
  if (!expected) bench_die(BENCH_FAILED, "memory ran out");
  char *src = map(device, cells[0], elements * c->src_bytes);
  for (size_t i = 0; i < elements; i++) c->element(i, src + i * c->src_bytes, expected + i * c->dst_bytes);
  unmap(device, cells[0], src);

  for (int hint = 0; hint < HINTS; hint++) {
    char defines[3][32];
    snprintf(defines[0], sizeof defines[0], "STREAM=%d", hint);
    snprintf(defines[1], sizeof defines[1], "SRC=%s", c->src);
    snprintf(defines[2], sizeof defines[2], "DST=%s", c->dst);
    const char *const list[] = {defines[0], defines[1], defines[2], NULL};
    const char *const folders[] = {TS_SOURCE_DIR "/bench/convert", NULL};
    char *texts[SIDES] = {bench_text(ts_embedded_header, c->by_hand, list, folders),
                          bench_text(ts_embedded_header, ts_embedded_handle, list, folders)};
    for (int side = 0; side < SIDES; side++) {
      add_entrants(r, device, texts[side], side, hint, elements, cells);
      free(texts[side]);
    }
  }
  check_results(device, r, cells[1], expected, elements * c->dst_bytes);
  free(expected);
  run_heats(device, r);
  run_final(device, r, todo->rounds);

  for (int i = 0; i < r->count; i++) clReleaseKernel(r->entrants[i].kernel);
  for (int i = 0; i < 2; i++) clReleaseMemObject(cells[i]);
  bench_close(device);
}

/* ---- the report ------------------------------------------------------------------------------------------------- */

static void print_entrant(const result *r, const entrant *e) {
  printf("  %-8s %-20s groups of %4zu  %-14s %7.2f ms %6.2f GB/s\n", sides[e->side], e->name, e->group, hints[e->hint],
         1e3 * e->seconds, (double)r->bytes / e->seconds * 1e-9);
}

/* Print what a conversion's processes found. Returns its verdict. */
static int report(const conversion *c, const result *results, int processes) {
  double ratios[BENCH_MAX_PROCESSES] = {0}, nulls[BENCH_MAX_PROCESSES] = {0};
  for (int p = 0; p < processes; p++) {
    ratios[p] = results[p].ratio;
    nulls[p] = results[p].null;
  }
  bench_spread ratio = bench_spread_of((size_t)processes, ratios), null = bench_spread_of((size_t)processes, nulls);

  printf("\n%s to %s, %zu MiB read and written\n", c->src, c->dst, results[0].bytes >> 20);
  printf(" all that took part, in the first process, medians of %d rounds:\n", HEAT_ROUNDS);
  for (int i = 0; i < results[0].count; i++) print_entrant(&results[0], &results[0].entrants[i]);
  printf(" the best of each side, in each process:\n");
  for (int p = 0; p < processes; p++)
    for (int side = 0; side < SIDES; side++) print_entrant(&results[p], &results[p].best[side]);
  printf(" null     %.3f [%.3f, %.3f]\n", null.median, null.least, null.most);
  printf(" ratio    %.3f [%.3f, %.3f]  bar %.2f %s\n", ratio.median, ratio.least, ratio.most, BAR,
         ratio.median >= BAR ? "reached" : "MISSED");
  if (!bench_is_null(null)) return BENCH_NO_VERDICT;
  return ratio.median >= BAR ? BENCH_REACHED : BENCH_MISSED;
}

int main(int argc, char **argv) {
  bench_options options = bench_read_options(argc, argv, USAGE);
  bool is_chosen[CONVERSIONS], any = false;
  for (int i = 0; i < CONVERSIONS; i++) {
    char name[32];
    snprintf(name, sizeof name, "%s_to_%s", conversions[i].src, conversions[i].dst);
    any |= is_chosen[i] = !options.only || !strcmp(options.only, name);
  }
  if (!any) bench_die(BENCH_USAGE, "there is no conversion '%s'\n%s", options.only, USAGE);
  bench_print_machine(options);
  bench_print_driver();
  result *results = calloc((size_t)options.processes, sizeof *results);
  if (!results) bench_die(BENCH_FAILED, "memory ran out");
  int verdict = BENCH_REACHED;
  for (int i = 0; i < CONVERSIONS; i++) {
    if (!is_chosen[i]) continue;
    job todo = {&conversions[i], options.rounds};
    bench_in_processes(options.processes, sizeof *results, results, measure, &todo);
    int found = report(&conversions[i], results, options.processes);
    if (found > verdict) verdict = found;
    fflush(stdout);
  }
  free(results);
  bench_print_verdict(verdict);
  return verdict;
}
