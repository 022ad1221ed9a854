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
#include "../host/source.h"
#include "builds.h"
#include "opencl.h"

extern const char ts_embedded_scale[], ts_embedded_scale_by_hand[], ts_embedded_sum[], ts_embedded_sum_by_hand[],
    ts_embedded_copies[], ts_embedded_copies_by_hand[], ts_embedded_price[];

/* ---- building one text ------------------------------------------------------------------------------------------ */

enum { GROUP = 256, CELLS_BYTES = 4 * GROUP * 8 };

static bench_device device;
static cl_mem cells;

static void open_device(void) {
  cl_int code;
  device = bench_open();
  cells = clCreateBuffer(device.context, CL_MEM_READ_WRITE, CELLS_BYTES, NULL, &code);
  bench_check(code, "clCreateBuffer");
}
static void close_device(void) {
  clReleaseMemObject(cells);
  bench_close(device);
}

/* Pass every pointer the same buffer and every number a 1: what a kernel computes does not matter here. */
static void set_arguments(cl_kernel kernel) {
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
static double build_seconds(const char *text) {
  static int number;
  size_t items = GROUP;
  char *numbered = malloc(strlen(text) + 64);
  if (!numbered) bench_die(BENCH_FAILED, "memory ran out");
  sprintf(numbered, "typedef int bench_build_%d;\n%s", number++, text);

  double start = bench_seconds();
  cl_program program = bench_build(device, numbered);
  cl_kernel kernel;
  bench_check(clCreateKernelsInProgram(program, 1, &kernel, NULL), "clCreateKernelsInProgram");
  set_arguments(kernel);
  bench_check(clEnqueueNDRangeKernel(device.queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL), "clEnqueueNDRangeKernel");
  bench_check(clFinish(device.queue), "clFinish");
  double seconds = bench_seconds() - start;

  clReleaseKernel(kernel);
  clReleaseProgram(program);
  free(numbered);
  return seconds;
}

/* ---- what is built ---------------------------------------------------------------------------------------------- */

#define THREE "TS_USE_f16", "TS_USE_i8", "TS_USE_f32"

static const bench_row kernels[] = {
    {"scale by hand", ts_embedded_scale_by_hand, NULL, 0, 0},
    {"scale by hand, again: null", ts_embedded_scale_by_hand, NULL, 0, 0},
    {"scale, its three dtypes chosen", ts_embedded_scale, BENCH_DEFINES(THREE), 0, 1.15},
    {"scale, all fifteen there", ts_embedded_scale, NULL, 0, 1.6},
    {"sum by hand", ts_embedded_sum_by_hand, NULL, 4, 0},
    {"sum by hand, again: null", ts_embedded_sum_by_hand, NULL, 4, 0},
    {"sum, all fifteen used", ts_embedded_sum, NULL, 4, 1.6},
    {"fifty copies by hand", ts_embedded_copies_by_hand, NULL, 7, 0},
    {"fifty copies by hand, again: null", ts_embedded_copies_by_hand, NULL, 7, 0},
    {"fifty copies", ts_embedded_copies, BENCH_DEFINES("TS_USE_f32"), 7, 2},
};
enum { KERNELS = sizeof kernels / sizeof *kernels };

/* A kernel that uses nothing, after more and more of the header; then all of it, for f32 and one dtype more. */
#define DTYPE_ROW(T, U, bytes, kind, computes)                                                                                 \
  {"f32 and " #T, ts_embedded_price, BENCH_DEFINES("PARTS=4", "TS_USE_f32", "TS_USE_" #T), 11, 0},
static const bench_row prices[] = {{"no header", ts_embedded_price, BENCH_DEFINES("PARTS=0"), 0, 0},
                                   {"no header, again: null", ts_embedded_price, BENCH_DEFINES("PARTS=0"), 0, 0},
                                   {"three dtypes: tables", ts_embedded_price, BENCH_DEFINES("PARTS=1", THREE), 0, 0},
                                   {"three dtypes: + prelude", ts_embedded_price, BENCH_DEFINES("PARTS=2", THREE), 2, 0},
                                   {"three dtypes: + storage", ts_embedded_price, BENCH_DEFINES("PARTS=3", THREE), 3, 0},
                                   {"three dtypes: + convert", ts_embedded_price, BENCH_DEFINES("PARTS=4", THREE), 4, 0},
                                   {"three dtypes: + copies", ts_embedded_price, BENCH_DEFINES("PARTS=5", THREE), 5, 0},
                                   {"all fifteen: tables", ts_embedded_price, BENCH_DEFINES("PARTS=1"), 0, 0},
                                   {"all fifteen: + prelude", ts_embedded_price, BENCH_DEFINES("PARTS=2"), 7, 0},
                                   {"all fifteen: + storage", ts_embedded_price, BENCH_DEFINES("PARTS=3"), 8, 0},
                                   {"all fifteen: + convert", ts_embedded_price, BENCH_DEFINES("PARTS=4"), 9, 0},
                                   {"f32 alone", ts_embedded_price, BENCH_DEFINES("PARTS=4", "TS_USE_f32"), 0, 0},
                                   TS_DTYPES(DTYPE_ROW)};
enum { PRICES = sizeof prices / sizeof *prices };
_Static_assert((int)KERNELS <= (int)BENCH_MAX_ROWS && (int)PRICES <= (int)BENCH_MAX_ROWS, "a result holds every row");

/* ---- measuring -------------------------------------------------------------------------------------------------- */

int main(int argc, char **argv) {
  bench_options options = bench_read_options(argc, argv);
  bench_row all[KERNELS + PRICES];
  int count = bench_reported_rows(kernels, KERNELS, all);
  count += bench_reported_rows(prices, PRICES, all + count);
  bench_check_only(&options, count, all, sizeof *all);
  bench_report *report = bench_report_begin("header", &options, bench_describe_opencl);

  const bench_compiler pocl = {ts_embedded_header, open_device, build_seconds, close_device};
  printf("What a build and its first launch cost, over the same work by hand\n");
  bench_builds(&pocl, kernels, KERNELS, &options, report);
  printf("\nPrices: what each row costs over the one that it adds to, in one process\n");
  options.processes = 1;
  bench_builds(&pocl, prices, PRICES, &options, report);
  return bench_report_end(report);
}
