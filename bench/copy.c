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
#include "measure.h"
#include "opencl.h"

extern const char ts_embedded_flat[], ts_embedded_flat_by_hand[], ts_embedded_permute[], ts_embedded_permute_by_hand[];

static const char USAGE[] = "usage: bench_copy [--rounds N] [--processes N] [--only ROW]\n";

/* ---- the rows ----------------------------------------------------------------------------------------------------- */

/* A copy of f32 whose destination is packed: element (i0, i1, i2) comes from i0 * step[0] + i1 * step[1] + i2 * step[2]. */
typedef struct row {
  const char *name, *text, *by_hand, *kernel, *hint;
  size_t shape[3], step[3];
  size_t rows, columns; /* of a tile; 0: by chunks */
  double bar;           /* of the native copy's speed */
} row;
static const double BY_HAND_BAR = 0.95;

#define STREAMED "HINT=TS_NON_TEMPORAL"
#define PLAIN "HINT=0"
#define FLAT(name, kernel, hint, step, bar)                                                                                    \
  { name, ts_embedded_flat, ts_embedded_flat_by_hand, kernel, hint, {1, 1, 1 << 26}, {0, 0, step}, 0, 0, bar }
#define TRANSPOSE(n)                                                                                                           \
  {                                                                                                                            \
    "transpose_" #n, ts_embedded_permute, ts_embedded_permute_by_hand, "permute", STREAMED, {1, n, n}, {0, 1, n}, 32, 128,     \
        0.50                                                                                                                   \
  }
/* Of the source's shape (a, b, c), by the modes' order in the destination. */
#define PERMUTE_201(a, b, c, rows)                                                                                             \
  {                                                                                                                            \
    "permute_201_" #a, ts_embedded_permute, ts_embedded_permute_by_hand, "permute", STREAMED, {c, a, b}, {1, (b) * (c), c},    \
        rows, 128, 0.50                                                                                                        \
  }
#define PERMUTE_120(a, b, c, rows)                                                                                             \
  {                                                                                                                            \
    "permute_120_" #a, ts_embedded_permute, ts_embedded_permute_by_hand, "permute", STREAMED, {b, c, a}, {c, 1, (b) * (c)},    \
        rows, 128, 0.50                                                                                                        \
  }
#define PERMUTE_210(a, b, c, rows)                                                                                             \
  {                                                                                                                            \
    "permute_210_" #a, ts_embedded_permute, ts_embedded_permute_by_hand, "permute", STREAMED, {c, b, a}, {1, c, (b) * (c)},    \
        rows, 128, 0.50                                                                                                        \
  }
static const row rows[] = {
    FLAT("copy", "copy", STREAMED, 1, 0.85),
    FLAT("copy_plain", "copy", PLAIN, 1, 0.62),
    FLAT("every_second", "gather", STREAMED, 2, 0.85),
    TRANSPOSE(8192),
    TRANSPOSE(8320),
    PERMUTE_201(256, 512, 512, 32),
    PERMUTE_120(256, 512, 512, 32),
    PERMUTE_210(256, 512, 512, 32),
    PERMUTE_201(272, 496, 512, 16),
    PERMUTE_120(272, 496, 512, 16),
    PERMUTE_210(272, 496, 512, 16),
};
enum { ROWS = sizeof rows / sizeof *rows, CHUNK = 4096 /* as in flat.c */ };

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
  int rounds;
} job;

typedef struct launch {
  cl_kernel kernel;
  size_t items[3], group[3];
} launch;

/* Which mode is packed in the source; the tiles' columns lie along it. */
static int packed_mode(const row *r) { return r->step[1] == 1 ? 1 : 0; }

static launch build(bench_device device, const row *r, const char *source) {
  char defines[8][48];
  const char *list[9] = {r->hint};
  launch l = {.items = {1, 1, 1}, .group = {1, 1, 1}};
  if (r->rows) {
    int columns = packed_mode(r), slices = 1 - columns;
    size_t to[2] = {r->shape[1] * r->shape[2], r->shape[2]};
    const struct {
      const char *name;
      size_t value;
    } numbers[] = {{"ROWS", r->rows},         {"COLUMNS", r->columns},   {"TO_COLUMNS", to[columns]},
                   {"TO_SLICES", to[slices]}, {"FROM_ROWS", r->step[2]}, {"FROM_SLICES", r->step[slices]}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
      snprintf(defines[i], sizeof defines[i], "%s=%zu", numbers[i].name, numbers[i].value);
      list[i + 1] = defines[i];
    }
    l.items[0] = r->shape[2] / r->rows;
    l.items[1] = r->shape[columns] / r->columns;
    l.items[2] = r->shape[slices];
  } else {
    l.items[0] = r->shape[2] / CHUNK;
  }
  char *text = bench_text(ts_embedded_header, source, list, NULL);
  cl_program program = bench_build(device, text);
  free(text);
  cl_int code;
  l.kernel = clCreateKernel(program, r->kernel, &code);
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

static uint32_t *map(bench_device device, cl_mem cells, size_t elements) {
  cl_int code;
  void *mapped =
      clEnqueueMapBuffer(device.queue, cells, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, 4 * elements, 0, NULL, NULL, &code);
  bench_check(code, "clEnqueueMapBuffer");
  return mapped;
}

static void unmap(bench_device device, cl_mem cells, void *mapped) {
  bench_check(clEnqueueUnmapMemObject(device.queue, cells, mapped, 0, NULL, NULL), "clEnqueueUnmapMemObject");
  bench_check(clFinish(device.queue), "clFinish");
}

/* The element of the source: every one differs. */
static uint32_t element(size_t i) { return (uint32_t)i * 2654435761u; }

static void check_result(const row *r, const uint32_t *dst) {
  for (size_t a = 0; a < r->shape[0]; a++)
    for (size_t b = 0; b < r->shape[1]; b++)
      for (size_t c = 0; c < r->shape[2]; c++)
        if (*dst++ != element(a * r->step[0] + b * r->step[1] + c * r->step[2]))
          bench_die(BENCH_FAILED, "%s: element (%zu, %zu, %zu) is wrong", r->name, a, b, c);
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
  const row *r = todo->row;
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
  uint32_t *mapped = map(device, src, last + 1);
  for (size_t i = 0; i <= last; i++) mapped[i] = element(i);
  unmap(device, src, mapped);

  enum { HANDLE, BY_HAND, SIDES };
  launch sides[SIDES] = {build(device, r, r->text), build(device, r, r->by_hand)};
  for (int side = 0; side < SIDES; side++) {
    bench_check(clSetKernelArg(sides[side].kernel, 0, sizeof dst, &dst), "clSetKernelArg");
    bench_check(clSetKernelArg(sides[side].kernel, 1, sizeof src, &src), "clSetKernelArg");
    mapped = map(device, dst, elements);
    memset(mapped, 0, 4 * elements);
    unmap(device, dst, mapped);
    run(device, &sides[side]);
    mapped = map(device, dst, elements);
    check_result(r, mapped);
    unmap(device, dst, mapped);
  }

  size_t half = found->bytes / 2 / 256 * 256;
  char *native_dst = aligned_memory(half), *native_src = aligned_memory(half);
  static double native[BENCH_MAX_ROUNDS], again[BENCH_MAX_ROUNDS], kernel[SIDES][BENCH_MAX_ROUNDS];
  run_native(native_dst, native_src, half, found->threads);
  for (int round = 0; round < todo->rounds; round++) {
    double *first = round % 2 ? again : native, *last_one = round % 2 ? native : again;
    first[round] = run_native(native_dst, native_src, half, found->threads);
    for (int n = 0; n < SIDES; n++) {
      int side = round % 2 ? SIDES - 1 - n : n;
      kernel[side][round] = run(device, &sides[side]);
    }
    last_one[round] = run_native(native_dst, native_src, half, found->threads);
  }
  found->ratio = bench_ratio(todo->rounds, native, kernel[HANDLE]);
  found->by_hand_ratio = bench_ratio(todo->rounds, kernel[BY_HAND], kernel[HANDLE]);
  found->null = bench_ratio(todo->rounds, native, again);
  found->native_seconds = bench_median((size_t)todo->rounds, native);
  found->seconds = bench_median((size_t)todo->rounds, kernel[HANDLE]);
  found->by_hand_seconds = bench_median((size_t)todo->rounds, kernel[BY_HAND]);

  free(native_dst);
  free(native_src);
  for (int side = 0; side < SIDES; side++) clReleaseKernel(sides[side].kernel);
  clReleaseMemObject(dst);
  clReleaseMemObject(src);
  bench_close(device);
}

/* ---- the report --------------------------------------------------------------------------------------------------- */

static bench_spread spread_of(const result *results, int processes, size_t member) {
  double numbers[BENCH_MAX_PROCESSES] = {0};
  for (int p = 0; p < processes; p++) memcpy(&numbers[p], (const char *)&results[p] + member, sizeof numbers[p]);
  return bench_spread_of((size_t)processes, numbers);
}

static int print_ratio(const char *of, bench_spread ratio, double bar) {
  printf("  of %-7s %.3f [%.3f, %.3f]  bar %.2f %s\n", of, ratio.median, ratio.least, ratio.most, bar,
         ratio.median >= bar ? "reached" : "MISSED");
  return ratio.median >= bar ? BENCH_REACHED : BENCH_MISSED;
}

/* Print what a row's processes found. Returns its verdict. */
static int report(const row *r, const result *results, int processes) {
  double bytes = (double)results[0].bytes * 1e-9;
  bench_spread null = spread_of(results, processes, offsetof(result, null));
  printf("%s, %zu MiB: native %.1f GB/s (%d threads), by hand %.1f, kernel %.1f; null %.3f [%.3f, %.3f]\n", r->name,
         results[0].bytes >> 20, bytes / results[0].native_seconds, results[0].threads, bytes / results[0].by_hand_seconds,
         bytes / results[0].seconds, null.median, null.least, null.most);
  int verdict = print_ratio("native", spread_of(results, processes, offsetof(result, ratio)), r->bar);
  int by_hand = print_ratio("by hand", spread_of(results, processes, offsetof(result, by_hand_ratio)), BY_HAND_BAR);
  fflush(stdout);
  if (!bench_is_null(null)) return BENCH_NO_VERDICT;
  return verdict > by_hand ? verdict : by_hand;
}

int main(int argc, char **argv) {
  bench_options options = bench_read_options(argc, argv, USAGE);
  bool any = false;
  for (int i = 0; i < ROWS; i++) any |= !options.only || !strcmp(options.only, rows[i].name);
  if (!any) bench_die(BENCH_USAGE, "there is no row '%s'\n%s", options.only, USAGE);
  bench_print_machine(options);
  bench_print_driver();
  result *results = calloc((size_t)options.processes, sizeof *results);
  if (!results) bench_die(BENCH_FAILED, "memory ran out");
  int verdict = BENCH_REACHED;
  for (int i = 0; i < ROWS; i++) {
    if (options.only && strcmp(options.only, rows[i].name) != 0) continue;
    job todo = {&rows[i], options.rounds};
    bench_in_processes(options.processes, sizeof *results, results, measure, &todo);
    int found = report(&rows[i], results, options.processes);
    if (found > verdict) verdict = found;
  }
  free(results);
  bench_print_verdict(verdict);
  return verdict;
}
