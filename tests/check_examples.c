/* SPDX-License-Identifier: Apache-2.0
 *
 * check_examples.c: the kernels of examples/, unchanged, on the host, on the first OpenCL device and on cuda-shim, against
 * plain C.
 *
 * scale.c has a program of its own (run_scale_test.sh). That CUDA's compilers take the same texts is for others to check.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/convert_reference.h"
#include "host/tensorstorage_host.h"
#include "require.h"

extern const char ts_embedded_softmax[], ts_embedded_histogram[], ts_embedded_dequantise[];

static const char *const device_ids[] = {"host", "cl:0:0", "cuda-shim"};
enum { DEVICES = 3, OPENCL = 1 };

static ts_device *devices[DEVICES];
static ts_queue *queues[DEVICES];

/* What a case must get: anything else fails the case with the error's message. */
#define MUST(call)                                                                                                             \
  do {                                                                                                                         \
    ts_error error;                                                                                                            \
    ck_assert_msg((call) == TS_OK, "%s", error.message);                                                                       \
  } while (0)

/* Devices stay open for all cases, which run in one process: a driver's start costs half a second. */
static void open_devices(void) {
  for (int i = 0; i < DEVICES; i++) {
    MUST(ts_device_open(&devices[i], device_ids[i], &error));
    MUST(ts_queue_create(&queues[i], devices[i], &error));
  }
}

static void close_devices(void) {
  for (int i = 0; i < DEVICES; i++) {
    ts_queue_destroy(queues[i]);
    ts_device_close(devices[i]);
  }
}

/* A buffer that holds these bytes. */
static ts_buffer *make_buffer(int device, const void *data, size_t bytes) {
  ts_buffer *buffer = NULL;
  MUST(ts_buffer_create(&buffer, devices[device], TS_SPACE_global, bytes, &error));
  MUST(ts_buffer_write(queues[device], buffer, 0, data, bytes, &error));
  return buffer;
}

static ts_kernel *build(ts_program **program, int device, const char *source, const char *const *defines, const char *name) {
  ts_kernel *kernel = NULL;
  const ts_build_options options = {.name = name, .defines = defines};
  MUST(ts_program_build(program, devices[device], source, &options, &error));
  MUST(ts_kernel_get(&kernel, *program, name, &error));
  return kernel;
}

static void launch(int device, ts_kernel *kernel, size_t items, size_t group) {
  MUST(ts_kernel_launch(queues[device], kernel, (ts_grid){{items}, {group}}, NULL, &error));
  MUST(ts_queue_finish(queues[device], &error));
}

/* The next of some numbers that look random. Source: Numerical Recipes, "quick and dirty" generators. */
static uint32_t next_number(uint32_t *state) { return *state = *state * 1664525u + 1013904223u; }

/* ---- softmax ------------------------------------------------------------------------------------------------------ */

enum { ROWS = 3, MOST_COLUMNS = 1028, AFTER = 8, SOFTMAX_GROUP = 128 };

START_TEST(softmax__is_that_of_each_row) {
  static float x[ROWS * MOST_COLUMNS], y[ROWS * MOST_COLUMNS + AFTER];
  static const int all_columns[] = {4, 500, 512, MOST_COLUMNS};
  ts_program *program = NULL;
  ts_kernel *kernel = build(&program, _i, ts_embedded_softmax, NULL, "softmax");
  for (size_t c = 0; c < sizeof all_columns / sizeof *all_columns; c++) {
    int columns = all_columns[c], count = ROWS * columns;
    uint32_t state = 1;
    /* Far from 0: without the largest taken away first, exp would be infinite in one row and 0 in another. */
    for (int i = 0; i < count; i++)
      x[i] = 1000.0f * (float)(i / columns - 1) + (float)(next_number(&state) >> 16) / 1024.0f - 32.0f;
    for (int i = 0; i < count + AFTER; i++) y[i] = -7.0f;
    ts_buffer *x_cells = make_buffer(_i, x, (size_t)count * sizeof *x);
    ts_buffer *y_cells = make_buffer(_i, y, (size_t)(count + AFTER) * sizeof *y);
    MUST(ts_kernel_arg_buffer(kernel, "x_cells", x_cells, &error));
    MUST(ts_kernel_arg_buffer(kernel, "y_cells", y_cells, &error));
    MUST(ts_kernel_arg_i32(kernel, "columns", columns, &error));
    launch(_i, kernel, ROWS * SOFTMAX_GROUP, SOFTMAX_GROUP);
    MUST(ts_buffer_read(queues[_i], y_cells, 0, y, (size_t)(count + AFTER) * sizeof *y, &error));
    for (int row = 0; row < ROWS; row++) {
      const float *of_row = x + row * columns;
      double largest = -INFINITY, sum = 0;
      for (int i = 0; i < columns; i++) largest = fmax(largest, (double)of_row[i]);
      for (int i = 0; i < columns; i++) sum += exp((double)of_row[i] - largest);
      for (int i = 0; i < columns; i++) {
        double expected = exp((double)of_row[i] - largest) / sum, actual = (double)y[row * columns + i];
        ck_assert_msg(fabs(actual - expected) <= 2e-5 * expected, "row %d of %d columns, column %d: %.9g, must be %.9g", row,
                      columns, i, actual, expected);
      }
    }
    for (int i = count; i < count + AFTER; i++) ck_assert_msg(y[i] == -7.0f, "element %d, after the last row, was written", i);
    ts_buffer_destroy(x_cells);
    ts_buffer_destroy(y_cells);
  }
  ts_kernel_destroy(kernel);
  ts_program_destroy(program);
}
END_TEST

/* ---- histogram ---------------------------------------------------------------------------------------------------- */

enum { BYTES = 100003, BINS = 256 };

START_TEST(histogram__counts_each_byte_on_top_of_what_is_there) {
  static const struct {
    size_t items, group;
    int64_t count;
  } cases[] = {{640, 64, BYTES}, {21, 7, 1000}, {1, 1, 300}, {512, 256, 0}};
  static uint8_t x[BYTES];
  uint32_t state = 1;
  for (int i = 0; i < BYTES; i++) x[i] = (uint8_t)(next_number(&state) >> 24 & next_number(&state) >> 24); /* uneven */
  ts_program *program = NULL;
  ts_kernel *kernel = build(&program, _i, ts_embedded_histogram, NULL, "histogram");
  ts_buffer *x_cells = make_buffer(_i, x, BYTES);
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    uint32_t bins[BINS + AFTER], expected[BINS + AFTER];
    for (uint32_t b = 0; b < BINS + AFTER; b++) bins[b] = expected[b] = 1000 * b;
    for (int64_t i = 0; i < cases[c].count; i++) expected[x[i]]++;
    ts_buffer *bin_cells = make_buffer(_i, bins, sizeof bins);
    MUST(ts_kernel_arg_buffer(kernel, "x_cells", x_cells, &error));
    MUST(ts_kernel_arg_buffer(kernel, "bin_cells", bin_cells, &error));
    MUST(ts_kernel_arg_i64(kernel, "count", cases[c].count, &error));
    launch(_i, kernel, cases[c].items, cases[c].group);
    MUST(ts_buffer_read(queues[_i], bin_cells, 0, bins, sizeof bins, &error));
    for (int b = 0; b < BINS + AFTER; b++)
      ck_assert_msg(bins[b] == expected[b], "%zu items, bin %d: %u, must be %u", cases[c].items, b, bins[b], expected[b]);
    ts_buffer_destroy(bin_cells);
  }
  ts_buffer_destroy(x_cells);
  ts_kernel_destroy(kernel);
  ts_program_destroy(program);
}
END_TEST

/* ---- dequantise --------------------------------------------------------------------------------------------------- */

enum { ELEMENTS = 1024, BLOCK = 32, WIDEST_BYTES = 8 };

/* Element k of packed elements of a dtype. */
static uint64_t element(const uint8_t *bytes, ts_dtype dtype, size_t k) {
  uint64_t bits = 0;
  for (size_t b = 0; b < ts_dtype_bytes(dtype); b++) bits |= (uint64_t)bytes[k * ts_dtype_bytes(dtype) + b] << 8 * b;
  return bits;
}

START_TEST(dequantise__scales_blocks_of_every_dtype) {
  static uint8_t x[ELEMENTS * WIDEST_BYTES];
  static float y[ELEMENTS + AFTER];
  int device = _i / TS_DTYPE_COUNT;
  ts_dtype dtype = (ts_dtype)(_i % TS_DTYPE_COUNT);
  float scales[ELEMENTS / BLOCK];
  uint32_t state = 1;
  for (size_t i = 0; i < sizeof x; i++) x[i] = (uint8_t)(next_number(&state) >> 24);
  for (int i = 0; i < ELEMENTS / BLOCK; i++) scales[i] = 0.37f * (float)(i - 9);
  for (int i = 0; i < ELEMENTS + AFTER; i++) y[i] = -7.0f;

  char define[32];
  snprintf(define, sizeof define, "SRC_T=%s", ts_dtype_name(dtype));
  ts_program *program = NULL;
  ts_kernel *kernel = build(&program, device, ts_embedded_dequantise, (const char *const[]){define, NULL}, "dequantise");
  ts_buffer *x_cells = make_buffer(device, x, ELEMENTS * ts_dtype_bytes(dtype));
  ts_buffer *scale_cells = make_buffer(device, scales, sizeof scales);
  ts_buffer *y_cells = make_buffer(device, y, sizeof y);
  MUST(ts_kernel_arg_buffer(kernel, "x_cells", x_cells, &error));
  MUST(ts_kernel_arg_buffer(kernel, "scale_cells", scale_cells, &error));
  MUST(ts_kernel_arg_buffer(kernel, "y_cells", y_cells, &error));
  launch(device, kernel, ELEMENTS / 4, 64);
  MUST(ts_buffer_read(queues[device], y_cells, 0, y, sizeof y, &error));
  for (size_t i = 0; i < ELEMENTS; i++) {
    uint32_t bits = (uint32_t)reference_convert(TS_DTYPE_f32, dtype, element(x, dtype, i), SATURATE);
    float converted;
    memcpy(&converted, &bits, sizeof converted);
    float expected = converted * scales[i / BLOCK];
    ck_assert_msg(isnan(expected) ? isnan(y[i]) : !memcmp(&y[i], &expected, sizeof expected), "%s %zu: %.9g, must be %.9g",
                  ts_dtype_name(dtype), i, (double)y[i], (double)expected);
  }
  for (int i = ELEMENTS; i < ELEMENTS + AFTER; i++) ck_assert_msg(y[i] == -7.0f, "element %d, after the last, was written", i);

  ts_buffer_destroy(y_cells);
  ts_buffer_destroy(scale_cells);
  ts_buffer_destroy(x_cells);
  ts_kernel_destroy(kernel);
  ts_program_destroy(program);
}
END_TEST

int main(void) {
  ts_device *device = NULL;
  bool has_opencl = ts_device_open(&device, device_ids[OPENCL], NULL) == TS_OK;
  ts_device_close(device);
  ts_skip_unless("pocl", has_opencl, "no OpenCL device cl:0:0 (on Debian: install pocl-opencl-icd)");

  TCase *cases = tcase_create("examples");
  tcase_set_timeout(cases, 120);
  tcase_add_unchecked_fixture(cases, open_devices, close_devices);
  tcase_add_loop_test(cases, softmax__is_that_of_each_row, 0, DEVICES);
  tcase_add_loop_test(cases, histogram__counts_each_byte_on_top_of_what_is_there, 0, DEVICES);
  tcase_add_loop_test(cases, dequantise__scales_blocks_of_every_dtype, 0, DEVICES * TS_DTYPE_COUNT);
  Suite *suite = suite_create("examples");
  suite_add_tcase(suite, cases);
  SRunner *runner = srunner_create(suite);
  srunner_set_fork_status(runner, CK_NOFORK);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
