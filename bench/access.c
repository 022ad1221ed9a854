/* SPDX-License-Identifier: Apache-2.0
 *
 * access.c: bench_access: saxpy, copy and sum of f32 at memory speed, on handles and by hand (contest.h). Kernels are found by
 * their names: to add one, write it into its file. Each is there with and without streaming hints.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contest.h"

extern const char ts_embedded_saxpy[], ts_embedded_saxpy_by_hand[], ts_embedded_copy[], ts_embedded_copy_by_hand[],
    ts_embedded_sum[], ts_embedded_sum_by_hand[];

/* A power of two that every group of every kernel divides. */
static size_t elements_of(const bench_contest *contest, size_t full) { return contest->is_quick ? 1 << 20 : full; }

/* Small whole numbers, whose sums are exact in f32 in every order. */
static float x_at(size_t i) { return (float)((uint32_t)i * 2654435761u >> 29); }
static float y_at(size_t i) { return (float)(i % 13); }

static void fill_x(bench_contest *contest) {
  float *x = bench_map(contest->device, contest->buffers[0], contest->buffer_bytes[0]);
  for (size_t i = 0; i < contest->elements; i++) x[i] = x_at(i);
  bench_unmap(contest->device, contest->buffers[0], x);
}

/* Both sides, with each hint whose number is in `hints`. */
static void enter(bench_contest *contest, const char *handles, const char *by_hand, const char *hints, const size_t *groups) {
  static const char *const names[] = {"", "store streamed", "all streamed"};
  for (const char *hint = hints; *hint; hint++) {
    char define[] = "STREAM=0";
    define[sizeof define - 2] = *hint;
    const char *const defines[] = {define, NULL};
    const char *name = names[*hint - '0'];
    bench_enter_source(contest, BENCH_BY_HAND, by_hand, defines, name, groups);
    bench_enter_source(contest, BENCH_HANDLES, handles, defines, name, groups);
  }
}

static bool equals_expected(const bench_contest *contest, const void *cells) {
  return !memcmp(cells, contest->expected, contest->buffer_bytes[1]);
}

/* ---- saxpy ---------------------------------------------------------------------------------------------------------- */

static const float a = 2;

static void prepare_saxpy(bench_contest *contest, const void *context) {
  (void)context;
  contest->elements = elements_of(contest, 1 << 25);
  size_t bytes = contest->elements * sizeof(float);
  contest->bytes = 3 * bytes;
  bench_add_buffer(contest, bytes);
  bench_add_buffer(contest, bytes);
  bench_add_argument(contest, sizeof a, &a);
  fill_x(contest);
  float *at_first = contest->at_first = bench_memory(bytes), *expected = contest->expected = bench_memory(bytes);
  for (size_t i = 0; i < contest->elements; i++) {
    at_first[i] = y_at(i);
    expected[i] = a * x_at(i) + y_at(i);
  }
  enter(contest, ts_embedded_saxpy, ts_embedded_saxpy_by_hand, "01", (const size_t[]){64, 1024, 0});
}

/* ---- copy ----------------------------------------------------------------------------------------------------------- */

static void prepare_copy(bench_contest *contest, const void *context) {
  (void)context;
  contest->elements = elements_of(contest, 1 << 25);
  size_t bytes = contest->elements * sizeof(float);
  contest->bytes = 2 * bytes;
  bench_add_buffer(contest, bytes);
  bench_add_buffer(contest, bytes);
  fill_x(contest);
  float *expected = contest->expected = bench_memory(bytes);
  for (size_t i = 0; i < contest->elements; i++) expected[i] = x_at(i);
  enter(contest, ts_embedded_copy, ts_embedded_copy_by_hand, "012", (const size_t[]){1, 256, 0});
}

/* ---- sum ------------------------------------------------------------------------------------------------------------ */

static void prepare_sum(bench_contest *contest, const void *context) {
  (void)context;
  contest->elements = elements_of(contest, 1 << 26);
  contest->bytes = contest->elements * sizeof(float);
  bench_add_buffer(contest, contest->bytes);
  bench_add_buffer(contest, contest->bytes / 256);
  fill_x(contest);
  int64_t *expected = contest->expected = bench_memory(sizeof *expected);
  *expected = 0;
  for (size_t i = 0; i < contest->elements; i++) *expected += (int64_t)x_at(i);
  enter(contest, ts_embedded_sum, ts_embedded_sum_by_hand, "02", (const size_t[]){16, 256, 0});
}

/* All that is in y, whose number of sums hangs on the kernel. */
static bool is_sum_right(const bench_contest *contest, const void *cells) {
  const float *y = cells;
  int64_t sum = 0;
  for (size_t i = 0; i < contest->buffer_bytes[1] / sizeof *y; i++) sum += (int64_t)y[i];
  return sum == *(const int64_t *)contest->expected;
}

static const bench_subject subjects[] = {{"saxpy", 0.97, NULL, prepare_saxpy, equals_expected},
                                         {"copy", 0.97, NULL, prepare_copy, equals_expected},
                                         {"sum", 0.97, NULL, prepare_sum, is_sum_right}};

int main(int argc, char **argv) {
  bench_options options = bench_read_options(argc, argv);
  return bench_contests("access", subjects, sizeof subjects / sizeof *subjects, &options);
}
