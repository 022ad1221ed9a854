/* SPDX-License-Identifier: Apache-2.0
 *
 * header.c: bench_header: what the header costs a build at run time.
 *
 * The time from the text to the end of the kernel's first launch, which is when PoCL compiles for the machine: of a kernel on
 * the header, over the same work in plain OpenCL C. The cache is empty, the process warm, and no text is built twice. Then the
 * prices of the header's parts, as differences, since a part can't be built alone.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../core/tables.h"
#include "measure.h"
#include "opencl.h"

extern const char ts_embedded_scale[], ts_embedded_scale_by_hand[], ts_embedded_sum[], ts_embedded_sum_by_hand[],
    ts_embedded_price[];

static const char USAGE[] = "usage: bench_header [--rounds N] [--processes N]\n";

/* ---- building one text ------------------------------------------------------------------------------------------ */

enum { GROUP = 256, CELLS_BYTES = 4 * GROUP * 8 };

/* Pass every pointer the same buffer and every number a 1: what a kernel computes does not matter here. */
static void set_arguments(cl_kernel kernel, cl_mem cells) {
  cl_uint count;
  bench_check(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL), "clGetKernelInfo");
  for (cl_uint i = 0; i < count; i++) {
    cl_kernel_arg_address_qualifier space;
    bench_check(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, NULL),
                "clGetKernelArgInfo");
    float one = 1;
    int is_number = space == CL_KERNEL_ARG_ADDRESS_PRIVATE;
    bench_check(is_number ? clSetKernelArg(kernel, i, sizeof one, &one) : clSetKernelArg(kernel, i, sizeof cells, &cells),
                "clSetKernelArg");
  }
}

/* Seconds from a text to the end of the first launch of its kernel. The number makes it a text that no cache has seen; it is in
 * a declaration, since PoCL's cache looks at the preprocessed text, where a comment or a macro would not show. */
static double build_seconds(bench_device device, cl_mem cells, const char *text) {
  static int number;
  size_t items = GROUP;
  char *numbered = malloc(strlen(text) + 64);
  if (!numbered) bench_die(BENCH_FAILED, "memory ran out");
  sprintf(numbered, "typedef int bench_build_%d;\n%s", number++, text);

  double start = bench_seconds();
  cl_program program = bench_build(device, numbered);
  cl_kernel kernel;
  bench_check(clCreateKernelsInProgram(program, 1, &kernel, NULL), "clCreateKernelsInProgram");
  set_arguments(kernel, cells);
  bench_check(clEnqueueNDRangeKernel(device.queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL), "clEnqueueNDRangeKernel");
  bench_check(clFinish(device.queue), "clFinish");
  double seconds = bench_seconds() - start;

  clReleaseKernel(kernel);
  clReleaseProgram(program);
  free(numbered);
  return seconds;
}

/* ---- what is built ---------------------------------------------------------------------------------------------- */

/* A text, and the row that it is measured against. */
typedef struct row {
  const char *name, *source;
  const char *const *defines; /* ended by NULL; may be NULL */
  int against;
  double bar; /* the most that the ratio may be; 0: there is no bar */
} row;

#define DEFINES(...) ((const char *const[]){__VA_ARGS__, NULL})
#define THREE "TS_USE_f16", "TS_USE_i8", "TS_USE_f32"

static const row kernels[] = {
    {"scale by hand", ts_embedded_scale_by_hand, NULL, 0, 0},
    {"scale by hand, again: null", ts_embedded_scale_by_hand, NULL, 0, 0},
    {"scale, its three dtypes chosen", ts_embedded_scale, DEFINES(THREE), 0, 1.15},
    {"scale, all fifteen there", ts_embedded_scale, NULL, 0, 1.6},
    {"sum by hand", ts_embedded_sum_by_hand, NULL, 4, 0},
    {"sum by hand, again: null", ts_embedded_sum_by_hand, NULL, 4, 0},
    {"sum, all fifteen used", ts_embedded_sum, NULL, 4, 1.6},
};
enum { KERNELS = sizeof kernels / sizeof *kernels };
static const int nulls[] = {1, 5};

/* A kernel that uses nothing, after more and more of the header; then all of it, for f32 and one dtype more. */
#define DTYPE_ROW(T, U, bytes, kind, computes)                                                                                 \
  {"f32 and " #T, ts_embedded_price, DEFINES("PARTS=4", "TS_USE_f32", "TS_USE_" #T), 10, 0},
static const row prices[] = {{"no header", ts_embedded_price, DEFINES("PARTS=0"), 0, 0},
                             {"no header, again: null", ts_embedded_price, DEFINES("PARTS=0"), 0, 0},
                             {"three dtypes: tables", ts_embedded_price, DEFINES("PARTS=1", THREE), 0, 0},
                             {"three dtypes: + prelude", ts_embedded_price, DEFINES("PARTS=2", THREE), 2, 0},
                             {"three dtypes: + storage", ts_embedded_price, DEFINES("PARTS=3", THREE), 3, 0},
                             {"three dtypes: + convert", ts_embedded_price, DEFINES("PARTS=4", THREE), 4, 0},
                             {"all fifteen: tables", ts_embedded_price, DEFINES("PARTS=1"), 0, 0},
                             {"all fifteen: + prelude", ts_embedded_price, DEFINES("PARTS=2"), 6, 0},
                             {"all fifteen: + storage", ts_embedded_price, DEFINES("PARTS=3"), 7, 0},
                             {"all fifteen: + convert", ts_embedded_price, DEFINES("PARTS=4"), 8, 0},
                             {"f32 alone", ts_embedded_price, DEFINES("PARTS=4", "TS_USE_f32"), 0, 0},
                             TS_DTYPES(DTYPE_ROW)};
enum { PRICES = sizeof prices / sizeof *prices, MAX_ROWS = 32 };
_Static_assert((int)KERNELS <= (int)MAX_ROWS && (int)PRICES <= (int)MAX_ROWS, "a result holds every row");

/* ---- measuring -------------------------------------------------------------------------------------------------- */

typedef struct job {
  const row *rows;
  int count, rounds;
} job;

/* For each row: the median of its own time, of what it is more than its rival, and of the ratio of the two. */
typedef struct result {
  double seconds[MAX_ROWS], more[MAX_ROWS], ratio[MAX_ROWS];
} result;

static double seconds[MAX_ROWS][BENCH_MAX_ROUNDS];

static void measure(void *into, const void *context) {
  result *r = into;
  const job *todo = context;
  bench_device device = bench_open();
  cl_int code;
  cl_mem cells = clCreateBuffer(device.context, CL_MEM_READ_WRITE, CELLS_BYTES, NULL, &code);
  bench_check(code, "clCreateBuffer");
  char *texts[MAX_ROWS];
  const char *const include_dirs[] = {TS_SOURCE_DIR, NULL};
  for (int i = 0; i < todo->count; i++) texts[i] = bench_text(todo->rows[i].source, todo->rows[i].defines, include_dirs);

  for (int i = 0; i < todo->count; i++) build_seconds(device, cells, texts[i]); /* warm */
  for (int round = 0; round < todo->rounds; round++)
    for (int n = 0; n < todo->count; n++) {
      int i = round % 2 ? todo->count - 1 - n : n;
      seconds[i][round] = build_seconds(device, cells, texts[i]);
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
  clReleaseMemObject(cells);
  bench_close(device);
}

/* Measure a table and print it. Returns the ratios' spreads in `ratios`. */
static void measure_and_print(const row *rows, int count, bench_options options, bench_spread *ratios) {
  job todo = {rows, count, options.rounds};
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

int main(int argc, char **argv) {
  bench_options options = bench_read_options(argc, argv, USAGE);
  if (options.only) bench_die(BENCH_USAGE, "this bench has no parts to choose from with --only\n%s", USAGE);
  bench_print_machine(options);
  bench_print_driver();

  bench_spread ratios[MAX_ROWS];
  printf("\nWhat a build and its first launch cost, over the same work by hand");
  measure_and_print(kernels, KERNELS, options, ratios);
  int verdict = BENCH_REACHED;
  for (int i = 0; i < KERNELS; i++)
    if (kernels[i].bar > 0 && ratios[i].median > kernels[i].bar) verdict = BENCH_MISSED;
  for (size_t i = 0; i < sizeof nulls / sizeof *nulls; i++)
    if (!bench_is_null(ratios[nulls[i]])) verdict = BENCH_NO_VERDICT;

  printf("\nPrices: what each row costs more than the one that it adds to, in one process");
  options.processes = 1;
  measure_and_print(prices, PRICES, options, ratios);
  bench_print_verdict(verdict);
  return verdict;
}
