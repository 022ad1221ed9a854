/* SPDX-License-Identifier: Apache-2.0
 *
 * copy.c: bench_copy: copies of the header on PoCL, as fractions of a native copy of the same traffic, and over the same work
 * by hand in OpenCL C.
 *
 * The native copy streams (non-temporal stores, as wide as the processor has them) with one thread for each compute unit of the
 * device. In each round it runs first and last, and the kernels in between, in turns: so the null row is the native copy
 * against itself. Results are compared with the source element by element before anything is measured.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "../host/source.h"
#include "opencl.h"
#include "report.h"

extern const char ts_embedded_flat[], ts_embedded_flat_by_hand[], ts_embedded_permute[], ts_embedded_permute_by_hand[];

/* ---- the rows ----------------------------------------------------------------------------------------------------- */

/* A copy of f32 whose destination is packed. Mode k of the destination is mode order[k] of the source, whose shape is `from`;
 * in the last mode the source has `apart` elements for each that is copied. */
typedef struct row {
  const char *name, *text, *by_hand, *kernel, *hint;
  size_t from[3];
  int order[3];
  size_t apart;
  size_t tile_rows; /* 0: by chunks */
  double bar;       /* of the native copy's speed */
} row;
static const double BY_HAND_BAR = 0.95;
enum { CHUNK = 4096 /* as in flat.c */, TILE_COLUMNS = 128, QUICK = 128 /* extent of a mode */ };

#define STREAMED "HINT=TS_NON_TEMPORAL"
#define PLAIN "HINT=0"
#define FLAT(name, kernel, hint, apart, bar)                                                                                   \
  { name, ts_embedded_flat, ts_embedded_flat_by_hand, kernel, hint, {1, 1, 1 << 26}, {0, 1, 2}, apart, 0, bar }
#define PERMUTE(name, x, y, z, a, b, c, tile_rows)                                                                             \
  { name, ts_embedded_permute, ts_embedded_permute_by_hand, "permute", STREAMED, {a, b, c}, {x, y, z}, 1, tile_rows, 0.50 }
static const row rows[] = {
    FLAT("copy", "copy", STREAMED, 1, 0.85),
    FLAT("copy_plain", "copy", PLAIN, 1, 0.62),
    FLAT("every_second", "gather", STREAMED, 2, 0.85),
    PERMUTE("transpose_8192", 0, 2, 1, 1, 8192, 8192, 32),
    PERMUTE("transpose_8320", 0, 2, 1, 1, 8320, 8320, 32),
    PERMUTE("permute_201_256", 2, 0, 1, 256, 512, 512, 32),
    PERMUTE("permute_120_256", 1, 2, 0, 256, 512, 512, 32),
    PERMUTE("permute_210_256", 2, 1, 0, 256, 512, 512, 32),
    PERMUTE("permute_201_272", 2, 0, 1, 272, 496, 512, 16),
    PERMUTE("permute_120_272", 1, 2, 0, 272, 496, 512, 16),
    PERMUTE("permute_210_272", 2, 1, 0, 272, 496, 512, 16),
};
enum { ROWS = sizeof rows / sizeof *rows };

/* A row as it is run: element (i0, i1, i2) comes from i0 * step[0] + i1 * step[1] + i2 * step[2]. */
typedef struct copy {
  const row *row;
  size_t shape[3], step[3];
} copy;

static copy copy_of(const row *r, bool is_quick) {
  copy c = {.row = r};
  size_t from[3], steps[3];
  for (int k = 0; k < 3; k++) from[k] = is_quick && r->from[k] > 1 ? (r->tile_rows ? QUICK : QUICK * CHUNK) : r->from[k];
  steps[2] = r->apart;
  steps[1] = from[2];
  steps[0] = from[1] * from[2];
  for (int k = 0; k < 3; k++) {
    c.shape[k] = from[r->order[k]];
    c.step[k] = steps[r->order[k]];
  }
  return c;
}

/* ---- the native copy ---------------------------------------------------------------------------------------------- */

typedef struct share {
  char *dst;
  const char *src;
  size_t bytes; /* a multiple of 256 */
} share;

#if defined(__x86_64__)
__attribute__((target("avx512f"))) static void stream_64(const share *s) {
  for (size_t i = 0; i < s->bytes; i += 64) _mm512_stream_si512((void *)(s->dst + i), _mm512_load_si512(s->src + i));
  _mm_sfence();
}
__attribute__((target("avx2"))) static void stream_32(const share *s) {
  for (size_t i = 0; i < s->bytes; i += 32)
    _mm256_stream_si256((void *)(s->dst + i), _mm256_load_si256((const void *)(s->src + i)));
  _mm_sfence();
}
#endif

static void *copy_share(void *context) {
  const share *s = context;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return stream_64(s), NULL;
  if (__builtin_cpu_supports("avx2")) return stream_32(s), NULL;
#endif
  memcpy(s->dst, s->src, s->bytes);
  return NULL;
}

enum { MAX_THREADS = 64 };

static double run_native(char *dst, const char *src, size_t bytes, int threads) {
  pthread_t thread[MAX_THREADS];
  share shares[MAX_THREADS];
  size_t part = bytes / (size_t)threads / 256 * 256;
  double start = bench_seconds();
  for (int t = 0; t < threads; t++) {
    shares[t] = (share){dst + (size_t)t * part, src + (size_t)t * part, t < threads - 1 ? part : bytes - (size_t)t * part};
    if (t > 0 && pthread_create(&thread[t], NULL, copy_share, &shares[t])) bench_die(BENCH_FAILED, "no thread");
  }
  copy_share(&shares[0]);
  for (int t = 1; t < threads; t++) pthread_join(thread[t], NULL);
  return bench_seconds() - start;
}

/* ---- one row in one process --------------------------------------------------------------------------------------- */

typedef struct result {
  size_t bytes; /* read and written */
  int threads;
  double native_seconds, seconds, by_hand_seconds;
  double ratio, by_hand_ratio, null; /* native over kernel; by hand over kernel; native over itself */
} result;

typedef struct job {
  const row *row;
  const bench_options *options;
} job;

typedef struct launch {
  cl_kernel kernel;
  size_t items[3], group[3];
} launch;

static launch build(bench_device device, const copy *c, const char *source) {
  char defines[8][48];
  const char *list[9] = {c->row->hint};
  launch l = {.items = {1, 1, 1}, .group = {1, 1, 1}};
  if (c->row->tile_rows) {
    /* A tile's columns lie along the mode that is packed in the source, its rows along the one packed in the destination. */
    int columns = c->step[1] == 1 ? 1 : 0, slices = 1 - columns;
    size_t to[2] = {c->shape[1] * c->shape[2], c->shape[2]};
    const struct {
      const char *name;
      size_t value;
    } numbers[] = {{"ROWS", c->row->tile_rows}, {"COLUMNS", TILE_COLUMNS}, {"TO_COLUMNS", to[columns]},
                   {"TO_SLICES", to[slices]},   {"FROM_ROWS", c->step[2]}, {"FROM_SLICES", c->step[slices]}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
      snprintf(defines[i], sizeof defines[i], "%s=%zu", numbers[i].name, numbers[i].value);
      list[i + 1] = defines[i];
    }
    l.items[0] = c->shape[2] / c->row->tile_rows;
    l.items[1] = c->shape[columns] / TILE_COLUMNS;
    l.items[2] = c->shape[slices];
  } else {
    l.items[0] = c->shape[2] / CHUNK;
  }
  char *text = bench_text(ts_embedded_header, source, list, NULL);
  cl_program program = bench_build(device, text);
  free(text);
  cl_int code;
  l.kernel = clCreateKernel(program, c->row->kernel, &code);
  bench_check(code, "clCreateKernel");
  clReleaseProgram(program);
  return l;
}

static double run(bench_device device, const launch *l) {
  double start = bench_seconds();
  bench_check(clEnqueueNDRangeKernel(device.queue, l->kernel, 3, NULL, l->items, l->group, 0, NULL, NULL),
              "clEnqueueNDRangeKernel");
  bench_check(clFinish(device.queue), "clFinish");
  return bench_seconds() - start;
}

/* The element of the source: every one differs. */
static uint32_t element(size_t i) { return (uint32_t)i * 2654435761u; }

static void check_result(const copy *r, const uint32_t *dst) {
  for (size_t a = 0; a < r->shape[0]; a++)
    for (size_t b = 0; b < r->shape[1]; b++)
      for (size_t c = 0; c < r->shape[2]; c++)
        if (*dst++ != element(a * r->step[0] + b * r->step[1] + c * r->step[2]))
          bench_die(BENCH_FAILED, "%s: element (%zu, %zu, %zu) is wrong", r->row->name, a, b, c);
}

static void *aligned_memory(size_t bytes) {
  void *memory = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
  if (!memory) bench_die(BENCH_FAILED, "memory ran out");
  memset(memory, 1, bytes);
  return memory;
}

static void measure(void *into, const void *context) {
  result *found = into;
  const job *todo = context;
  const copy copied = copy_of(todo->row, todo->options->is_quick), *r = &copied;
  size_t elements = r->shape[0] * r->shape[1] * r->shape[2], last = 0;
  for (int k = 0; k < 3; k++) last += (r->shape[k] - 1) * r->step[k];
  /* A line of memory is read whole, whatever is taken from it. */
  found->bytes = 4 * (elements + last + 1);

  bench_device device = bench_open();
  cl_uint units = 1;
  bench_check(clGetDeviceInfo(device.id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL), "clGetDeviceInfo");
  found->threads = units < MAX_THREADS ? (int)units : MAX_THREADS;
  cl_int codes[2];
  cl_mem dst = clCreateBuffer(device.context, CL_MEM_READ_WRITE, 4 * elements, NULL, &codes[0]);
  cl_mem src = clCreateBuffer(device.context, CL_MEM_READ_ONLY, 4 * (last + 1), NULL, &codes[1]);
  for (int i = 0; i < 2; i++) bench_check(codes[i], "clCreateBuffer");
  uint32_t *mapped = bench_map(device, src, 4 * (last + 1));
  for (size_t i = 0; i <= last; i++) mapped[i] = element(i);
  bench_unmap(device, src, mapped);

  enum { HANDLE, BY_HAND, SIDES };
  launch sides[SIDES] = {build(device, r, r->row->text), build(device, r, r->row->by_hand)};
  for (int side = 0; side < SIDES; side++) {
    bench_check(clSetKernelArg(sides[side].kernel, 0, sizeof dst, &dst), "clSetKernelArg");
    bench_check(clSetKernelArg(sides[side].kernel, 1, sizeof src, &src), "clSetKernelArg");
    mapped = bench_map(device, dst, 4 * elements);
    memset(mapped, 0, 4 * elements);
    bench_unmap(device, dst, mapped);
    run(device, &sides[side]);
    mapped = bench_map(device, dst, 4 * elements);
    check_result(r, mapped);
    bench_unmap(device, dst, mapped);
  }

  size_t half = found->bytes / 2 / 256 * 256;
  char *native_dst = aligned_memory(half), *native_src = aligned_memory(half);
  static double native[BENCH_MAX_ROUNDS], again[BENCH_MAX_ROUNDS], kernel[SIDES][BENCH_MAX_ROUNDS];
  run_native(native_dst, native_src, half, found->threads);
  for (int round = 0; round < todo->options->rounds; round++) {
    double *first = round % 2 ? again : native, *last_one = round % 2 ? native : again;
    first[round] = run_native(native_dst, native_src, half, found->threads);
    for (int n = 0; n < SIDES; n++) {
      int side = round % 2 ? SIDES - 1 - n : n;
      kernel[side][round] = run(device, &sides[side]);
    }
    last_one[round] = run_native(native_dst, native_src, half, found->threads);
  }
  found->ratio = bench_ratio(todo->options->rounds, native, kernel[HANDLE]);
  found->by_hand_ratio = bench_ratio(todo->options->rounds, kernel[BY_HAND], kernel[HANDLE]);
  found->null = bench_ratio(todo->options->rounds, native, again);
  found->native_seconds = bench_median((size_t)todo->options->rounds, native);
  found->seconds = bench_median((size_t)todo->options->rounds, kernel[HANDLE]);
  found->by_hand_seconds = bench_median((size_t)todo->options->rounds, kernel[BY_HAND]);

  free(native_dst);
  free(native_src);
  for (int side = 0; side < SIDES; side++) clReleaseKernel(sides[side].kernel);
  clReleaseMemObject(dst);
  clReleaseMemObject(src);
  bench_close(device);
}

/* ---- the report --------------------------------------------------------------------------------------------------- */

/* Two rows of a report: over the native copy, and over the same work by hand. */
static void report_row(const row *r, const result *results, const bench_options *options, bench_report *report) {
  size_t processes = (size_t)options->processes;
#define SPREAD(member) bench_spread_in(processes, results, sizeof *results, offsetof(result, member))
  double native = SPREAD(native_seconds).median, by_hand = SPREAD(by_hand_seconds).median, kernel = SPREAD(seconds).median;
  double bytes = (double)results[0].bytes * 1e-9;
  printf("%s, %zu MiB: native %.1f GB/s (%d threads), by hand %.1f, kernel %.1f\n", r->name, results[0].bytes >> 20,
         bytes / native, results[0].threads, bytes / by_hand, bytes / kernel);

  char name[64];
  snprintf(name, sizeof name, "%s, of native", r->name);
  bench_figure figure = {.name = name,
                         .of = "time of the native copy over that of the kernel",
                         .ratio = SPREAD(ratio),
                         .null = SPREAD(null),
                         .bar = r->bar,
                         .rival_seconds = native,
                         .seconds = kernel,
                         .processes = options->processes,
                         .rounds = options->rounds};
  bench_report_add(report, &figure);
  bench_report_rival(report, "native", native);
  bench_report_rival(report, "handles", kernel);

  snprintf(name, sizeof name, "%s, of by hand", r->name);
  figure.of = "time by hand over that of the kernel";
  figure.ratio = SPREAD(by_hand_ratio);
  figure.bar = BY_HAND_BAR;
  figure.rival_seconds = by_hand;
  bench_report_add(report, &figure);
  bench_report_rival(report, "by hand", by_hand);
  bench_report_rival(report, "handles", kernel);
#undef SPREAD
}

int main(int argc, char **argv) {
  bench_options options = bench_read_options(argc, argv);
  bench_check_only(&options, ROWS, rows, sizeof *rows);
  bench_report *report = bench_report_begin("copy", &options, bench_describe_opencl);
  result *results = calloc((size_t)options.processes, sizeof *results);
  if (!results) bench_die(BENCH_FAILED, "memory ran out");
  for (int i = 0; i < ROWS; i++) {
    if (!bench_is_chosen(&options, rows[i].name)) continue;
    job todo = {&rows[i], &options};
    bench_in_processes(options.processes, sizeof *results, results, measure, &todo);
    report_row(&rows[i], results, &options, report);
  }
  free(results);
  return bench_report_end(report);
}
