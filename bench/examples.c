/* SPDX-License-Identifier: Apache-2.0
 *
 * examples.c: bench_examples: kernels of examples/ against the same work by hand in OpenCL C (contest.h): of the same form, so
 * as a GPU likes it, on a CPU. transpose and permute are in bench_copy.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contest.h"

extern const char ts_embedded_dequantise_rows[], ts_embedded_dequantise_rows_by_hand[], ts_embedded_stencil[],
    ts_embedded_stencil_by_hand[], ts_embedded_matmul[], ts_embedded_matmul_by_hand[];

static bool equals_expected(const bench_contest *contest, const void *cells) {
  int last = contest->buffer_count - 1;
  return !memcmp(cells, contest->expected, contest->buffer_bytes[last]);
}

/* A whole number from -8 to 7. */
static int whole(size_t i) { return (int)((uint32_t)i * 2654435761u >> 28) - 8; }

static void fill(bench_contest *contest, int buffer) {
  float *cells = bench_map(contest->device, contest->buffers[buffer], contest->buffer_bytes[buffer]);
  for (size_t i = 0; i < contest->buffer_bytes[buffer] / sizeof *cells; i++) cells[i] = (float)whole(i);
  bench_unmap(contest->device, contest->buffers[buffer], cells);
}

/* ---- dequantise_rows: i8 to f32, the last piece of a row not whole ---------------------------------------------------- */

static struct { int columns, pitch; } quantised;

static void prepare_dequantise_rows(bench_contest *contest, const void *context) {
  (void)context;
  size_t rows = contest->is_quick ? 64 : 8192, pitch = 8192, columns = pitch - 5, count = rows * pitch;
  quantised.columns = (int)columns;
  quantised.pitch = (int)pitch;
  contest->bytes = count * 5;
  bench_add_buffer(contest, count);
  bench_add_buffer(contest, rows * sizeof(float));
  bench_add_buffer(contest, count * sizeof(float));
  bench_add_argument(contest, sizeof(int), &quantised.columns);
  bench_add_argument(contest, sizeof(int), &quantised.pitch);
  fill(contest, 1);
  int8_t *x = bench_map(contest->device, contest->buffers[0], count);
  float *expected = contest->expected = bench_memory(count * sizeof *expected);
  for (size_t i = 0; i < count; i++) {
    x[i] = (int8_t)whole(i / 3);
    expected[i] = i % pitch < columns ? (float)x[i] * (float)whole(i / pitch) : 0;
  }
  bench_unmap(contest->device, contest->buffers[0], x);

  const char *const none[] = {NULL};
  static const size_t groups[] = {16, 128, 512};
  for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
    const size_t items[3] = {pitch / 16, rows, 1}, group[3] = {groups[g], 1, 1};
    bench_enter(contest, BENCH_BY_HAND, ts_embedded_dequantise_rows_by_hand, none, "dequantise_rows", items, group);
    bench_enter(contest, BENCH_HANDLES, ts_embedded_dequantise_rows, none, "dequantise_rows", items, group);
  }
}

/* ---- stencil: neither extent a multiple of the tile's ------------------------------------------------------------------ */

static const float centre = 4, side = -1, border = 2;

static float x_at(long rows, long columns, long r, long c) {
  return r < 0 || r >= rows || c < 0 || c >= columns ? border : (float)whole((size_t)(r * columns + c));
}

static void prepare_stencil(bench_contest *contest, const void *context) {
  (void)context;
  long rows = contest->is_quick ? 101 : 5803, columns = contest->is_quick ? 203 : 5827;
  size_t bytes = (size_t)(rows * columns) * sizeof(float);
  contest->bytes = 2 * bytes;
  bench_add_buffer(contest, bytes);
  bench_add_buffer(contest, bytes);
  bench_add_argument(contest, sizeof centre, &centre);
  bench_add_argument(contest, sizeof side, &side);
  bench_add_argument(contest, sizeof border, &border);
  fill(contest, 0);
  float *expected = contest->expected = bench_memory(bytes);
  for (long r = 0; r < rows; r++)
    for (long c = 0; c < columns; c++)
      expected[r * columns + c] =
          centre * x_at(rows, columns, r, c) + side * (x_at(rows, columns, r - 1, c) + x_at(rows, columns, r, c - 1) +
                                                       x_at(rows, columns, r, c + 1) + x_at(rows, columns, r + 1, c));

  char defines[2][32];
  snprintf(defines[0], sizeof defines[0], "ROWS=%ld", rows);
  snprintf(defines[1], sizeof defines[1], "COLUMNS=%ld", columns);
  const char *const list[] = {defines[0], defines[1], NULL};
  static const size_t groups[] = {1, 32, 256};
  for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
    const size_t group[3] = {groups[g], 1, 1};
    const size_t items[3] = {((size_t)columns + 31) / 32 * groups[g], ((size_t)rows + 7) / 8, 1};
    bench_enter(contest, BENCH_BY_HAND, ts_embedded_stencil_by_hand, list, "stencil", items, group);
    bench_enter(contest, BENCH_BY_HAND, ts_embedded_stencil_by_hand, list, "stencil_inside", items, group);
    bench_enter(contest, BENCH_HANDLES, ts_embedded_stencil, list, "stencil", items, group);
  }
}

/* ---- matmul: it computes, so memory says little ------------------------------------------------------------------------ */

static void prepare_matmul(bench_contest *contest, const void *context) {
  (void)context;
  size_t n = contest->is_quick ? 128 : 1024, bytes = n * n * sizeof(float);
  contest->bytes = 3 * bytes;
  for (int i = 0; i < 3; i++) bench_add_buffer(contest, bytes);
  fill(contest, 0);
  fill(contest, 1);
  float *expected = contest->expected = bench_memory(bytes);
  memset(expected, 0, bytes);
  for (size_t r = 0; r < n; r++)
    for (size_t k = 0; k < n; k++)
      for (size_t c = 0; c < n; c++) expected[r * n + c] += (float)(whole(r * n + k) * whole(k * n + c));

  char defines[3][32];
  snprintf(defines[0], sizeof defines[0], "ROWS=%zu", n);
  snprintf(defines[1], sizeof defines[1], "COLUMNS=%zu", n);
  snprintf(defines[2], sizeof defines[2], "INNER=%zu", n);
  const char *const list[] = {defines[0], defines[1], defines[2], NULL};
  const size_t items[3] = {n / 4, n / 4, 1}, group[3] = {16, 16, 1};
  bench_enter(contest, BENCH_BY_HAND, ts_embedded_matmul_by_hand, list, "matmul", items, group);
  bench_enter(contest, BENCH_BY_HAND, ts_embedded_matmul_by_hand, list, "matmul_whole", items, group);
  bench_enter(contest, BENCH_HANDLES, ts_embedded_matmul, list, "matmul", items, group);
}

static const bench_subject subjects[] = {{"dequantise_rows", 0.95, NULL, prepare_dequantise_rows, equals_expected},
                                         {"stencil", 0.95, NULL, prepare_stencil, equals_expected},
                                         {"matmul", 0.95, NULL, prepare_matmul, equals_expected}};

int main(int argc, char **argv) {
  bench_options options = bench_read_options(argc, argv);
  return bench_contests("examples", subjects, sizeof subjects / sizeof *subjects, &options);
}
