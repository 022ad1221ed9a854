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
extern const char ts_embedded_transpose[], ts_embedded_permute[], ts_embedded_dequantise_rows[], ts_embedded_stencil[],
    ts_embedded_matmul[];

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

static void launch_grid(int device, ts_kernel *kernel, ts_grid grid) {
  MUST(ts_kernel_launch(queues[device], kernel, grid, NULL, &error));
  MUST(ts_queue_finish(queues[device], &error));
}
static void launch(int device, ts_kernel *kernel, size_t items, size_t group) {
  launch_grid(device, kernel, (ts_grid){{items}, {group}});
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

/* ---- kernels whose sizes are build options ------------------------------------------------------------------------ */

enum { MOST_DEFINES = 10 };
typedef struct defines {
  char text[MOST_DEFINES][32];
  const char *list[MOST_DEFINES + 1];
  int count;
} defines;

static void define(defines *d, const char *name, int value) {
  ck_assert_int_lt(d->count, MOST_DEFINES);
  snprintf(d->text[d->count], sizeof d->text[d->count], "%s=%d", name, value);
  d->list[d->count] = d->text[d->count];
  d->count++;
}

/* Shapes of groups that share a tile: the usual one, one that divides nothing, and a single work-item. */
static const size_t group_shapes[][2] = {{32, 8}, {7, 1}, {1, 1}};
enum { GROUP_SHAPES = sizeof group_shapes / sizeof *group_shapes };

/* As many groups as there are tiles. */
static ts_grid tiles(int in_row, int in_column, int in_depth, const size_t group[2]) {
  return (ts_grid){{(size_t)in_row * group[0], (size_t)in_column * group[1], (size_t)in_depth}, {group[0], group[1], 1}};
}
static int tiles_of(int extent, int tile) { return (extent + tile - 1) / tile; }

/* Compare floats, and those after the last, bit by bit. */
static void compare_f32(const char *what, const float *actual, const float *expected, int columns, int count) {
  for (int i = 0; i < count; i++)
    ck_assert_msg(!memcmp(&actual[i], &expected[i], sizeof *actual), "%s: row %d, column %d is %.9g, must be %.9g", what,
                  i / columns, i % columns, (double)actual[i], (double)expected[i]);
}

/* ---- transpose ---------------------------------------------------------------------------------------------------- */

enum { MOST_ELEMENTS = 10000 };

START_TEST(transpose__moves_every_bit_of_any_size) {
  enum { TILE = 32 };
  static const int sizes[][2] = {{64, 96}, {5, 3}, {33, 65}};
  static uint32_t x[MOST_ELEMENTS], y[MOST_ELEMENTS], expected[MOST_ELEMENTS];
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    int rows = sizes[s][0], columns = sizes[s][1], count = rows * columns;
    uint32_t state = 1;
    for (int i = 0; i < count + AFTER; i++) x[i] = next_number(&state); /* NaNs are among them */
    for (int i = 0; i < count; i++) expected[i % columns * rows + i / columns] = x[i];
    for (int i = count; i < count + AFTER; i++) expected[i] = 0xabababab;

    defines d = {.count = 0};
    define(&d, "ROWS", rows);
    define(&d, "COLUMNS", columns);
    ts_program *program = NULL;
    ts_kernel *kernel = build(&program, _i, ts_embedded_transpose, d.list, "transpose");
    ts_buffer *x_cells = make_buffer(_i, x, (size_t)count * sizeof *x);
    for (int g = 0; g < GROUP_SHAPES; g++) {
      memset(y, 0xab, sizeof y);
      ts_buffer *y_cells = make_buffer(_i, y, (size_t)(count + AFTER) * sizeof *y);
      MUST(ts_kernel_arg_buffer(kernel, "x_cells", x_cells, &error));
      MUST(ts_kernel_arg_buffer(kernel, "y_cells", y_cells, &error));
      launch_grid(_i, kernel, tiles(tiles_of(columns, TILE), tiles_of(rows, TILE), 1, group_shapes[g]));
      MUST(ts_buffer_read(queues[_i], y_cells, 0, y, (size_t)(count + AFTER) * sizeof *y, &error));
      for (int i = 0; i < count + AFTER; i++)
        ck_assert_msg(y[i] == expected[i], "%d x %d by groups of %zu x %zu: element %d is %08x, must be %08x", rows, columns,
                      group_shapes[g][0], group_shapes[g][1], i, y[i], expected[i]);
      ts_buffer_destroy(y_cells);
    }
    ts_buffer_destroy(x_cells);
    ts_kernel_destroy(kernel);
    ts_program_destroy(program);
  }
}
END_TEST

/* ---- permute ------------------------------------------------------------------------------------------------------ */

/* One of the six permutations, and a size: x[a][b][c] goes to y, whose indices in order are `order` of a, b, c. */
static void check_permute(int device, const int size[3], const int order[3], const int tile[3]) {
  static uint16_t x[MOST_ELEMENTS], y[MOST_ELEMENTS], expected[MOST_ELEMENTS];
  static const char *const size_names[] = {"A_SIZE", "B_SIZE", "C_SIZE"}, *const stride_names[] = {"Y_A", "Y_B", "Y_C"},
                           *const tile_names[] = {"TILE_A", "TILE_B", "TILE_C"};
  int count = size[0] * size[1] * size[2], stride[3];
  stride[order[2]] = 1;
  stride[order[1]] = size[order[2]];
  stride[order[0]] = size[order[2]] * size[order[1]];
  uint32_t state = 1;
  for (int i = 0; i < count; i++) x[i] = (uint16_t)(next_number(&state) >> 16);
  memset(expected, 0xab, sizeof expected);
  for (int a = 0, i = 0; a < size[0]; a++)
    for (int b = 0; b < size[1]; b++)
      for (int c = 0; c < size[2]; c++) expected[a * stride[0] + b * stride[1] + c * stride[2]] = x[i++];

  defines d = {.count = 0};
  for (int k = 0; k < 3; k++) {
    define(&d, size_names[k], size[k]);
    define(&d, stride_names[k], stride[k]);
    define(&d, tile_names[k], tile[k]);
  }
  ts_program *program = NULL;
  ts_kernel *kernel = build(&program, device, ts_embedded_permute, d.list, "permute");
  ts_buffer *x_cells = make_buffer(device, x, (size_t)count * sizeof *x);
  for (int g = 0; g < GROUP_SHAPES; g++) {
    memset(y, 0xab, sizeof y);
    ts_buffer *y_cells = make_buffer(device, y, (size_t)(count + AFTER) * sizeof *y);
    MUST(ts_kernel_arg_buffer(kernel, "x_cells", x_cells, &error));
    MUST(ts_kernel_arg_buffer(kernel, "y_cells", y_cells, &error));
    launch_grid(device, kernel,
                tiles(tiles_of(size[2], tile[2]), tiles_of(size[1], tile[1]), tiles_of(size[0], tile[0]), group_shapes[g]));
    MUST(ts_buffer_read(queues[device], y_cells, 0, y, (size_t)(count + AFTER) * sizeof *y, &error));
    for (int i = 0; i < count + AFTER; i++)
      ck_assert_msg(y[i] == expected[i], "y[%c][%c][%c] of %d x %d x %d: element %d is %04x, must be %04x", 'a' + order[0],
                    'a' + order[1], 'a' + order[2], size[0], size[1], size[2], i, y[i], expected[i]);
    ts_buffer_destroy(y_cells);
  }
  ts_buffer_destroy(x_cells);
  ts_kernel_destroy(kernel);
  ts_program_destroy(program);
}

START_TEST(permute__is_all_six_of_any_size) {
  static const int orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (int k = 0; k < 6; k++) check_permute(_i, (const int[]){17, 5, 34}, orders[k], (const int[]){8, 2, 16});
  check_permute(_i, (const int[]){64, 2, 32}, orders[5], (const int[]){32, 1, 32});
}
END_TEST

/* ---- dequantise_rows ---------------------------------------------------------------------------------------------- */

START_TEST(dequantise_rows__scales_rows_of_any_length) {
  enum { PIECE = 16, PITCH = 112 };
  static const ts_dtype dtypes[] = {TS_DTYPE_i8, TS_DTYPE_f16, TS_DTYPE_i64};
  static const int all_columns[] = {1, 15, 16, 17, 100};
  static uint8_t x[ROWS * PITCH * WIDEST_BYTES];
  static float y[ROWS * PITCH], expected[ROWS * PITCH];
  static const float scales[ROWS] = {0.37f, -3.0f, 1e-3f};
  uint32_t state = 1;
  for (size_t i = 0; i < sizeof x; i++) x[i] = (uint8_t)(next_number(&state) >> 24);
  for (size_t t = 0; t < sizeof dtypes / sizeof *dtypes; t++) {
    char option[32];
    snprintf(option, sizeof option, "SRC_T=%s", ts_dtype_name(dtypes[t]));
    ts_program *program = NULL;
    ts_kernel *kernel =
        build(&program, _i, ts_embedded_dequantise_rows, (const char *const[]){option, NULL}, "dequantise_rows");
    ts_buffer *x_cells = make_buffer(_i, x, ROWS * PITCH * ts_dtype_bytes(dtypes[t]));
    ts_buffer *scale_cells = make_buffer(_i, scales, sizeof scales);
    for (size_t n = 0; n < sizeof all_columns / sizeof *all_columns; n++) {
      int columns = all_columns[n];
      for (int i = 0; i < ROWS * PITCH; i++) {
        y[i] = expected[i] = -7.0f;
        if (i % PITCH >= columns) continue;
        uint32_t bits = (uint32_t)reference_convert(TS_DTYPE_f32, dtypes[t], element(x, dtypes[t], (size_t)i), SATURATE);
        memcpy(&expected[i], &bits, sizeof bits);
        expected[i] *= scales[i / PITCH];
      }
      ts_buffer *y_cells = make_buffer(_i, y, sizeof y);
      MUST(ts_kernel_arg_buffer(kernel, "x_cells", x_cells, &error));
      MUST(ts_kernel_arg_buffer(kernel, "scale_cells", scale_cells, &error));
      MUST(ts_kernel_arg_buffer(kernel, "y_cells", y_cells, &error));
      MUST(ts_kernel_arg_i32(kernel, "columns", columns, &error));
      MUST(ts_kernel_arg_i32(kernel, "pitch", PITCH, &error));
      launch_grid(_i, kernel, (ts_grid){{(size_t)tiles_of(columns, PIECE), ROWS}, {1, 1}});
      MUST(ts_buffer_read(queues[_i], y_cells, 0, y, sizeof y, &error));
      for (int i = 0; i < ROWS * PITCH; i++) {
        bool same = isnan(expected[i]) ? isnan(y[i]) : !memcmp(&y[i], &expected[i], sizeof *y);
        ck_assert_msg(same, "%s, %d columns, row %d, column %d: %.9g, must be %.9g", ts_dtype_name(dtypes[t]), columns,
                      i / PITCH, i % PITCH, (double)y[i], (double)expected[i]);
      }
      ts_buffer_destroy(y_cells);
    }
    ts_buffer_destroy(scale_cells);
    ts_buffer_destroy(x_cells);
    ts_kernel_destroy(kernel);
    ts_program_destroy(program);
  }
}
END_TEST

/* ---- stencil ------------------------------------------------------------------------------------------------------ */

START_TEST(stencil__takes_the_border_for_what_is_outside) {
  enum { TILE_ROWS = 8, TILE_COLUMNS = 32 };
  static const int sizes[][2] = {{24, 96}, {1, 1}, {20, 70}};
  /* Of small whole numbers and powers of two, all that is computed is exact. */
  const float centre = 0.5f, side = 0.25f, border = -3.0f;
  static float x[MOST_ELEMENTS], y[MOST_ELEMENTS], expected[MOST_ELEMENTS];
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    int rows = sizes[s][0], columns = sizes[s][1], count = rows * columns;
    uint32_t state = 1;
    for (int i = 0; i < count; i++) x[i] = (float)(next_number(&state) >> 20);
    for (int i = 0; i < count + AFTER; i++) expected[i] = -7.0f;
    for (int r = 0; r < rows; r++)
      for (int c = 0; c < columns; c++) {
        float above = r > 0 ? x[(r - 1) * columns + c] : border, below = r + 1 < rows ? x[(r + 1) * columns + c] : border;
        float before = c > 0 ? x[r * columns + c - 1] : border, after = c + 1 < columns ? x[r * columns + c + 1] : border;
        expected[r * columns + c] = centre * x[r * columns + c] + side * (above + below + before + after);
      }
    defines d = {.count = 0};
    define(&d, "ROWS", rows);
    define(&d, "COLUMNS", columns);
    ts_program *program = NULL;
    ts_kernel *kernel = build(&program, _i, ts_embedded_stencil, d.list, "stencil");
    ts_buffer *x_cells = make_buffer(_i, x, (size_t)count * sizeof *x);
    for (int g = 0; g < GROUP_SHAPES; g++) {
      for (int i = 0; i < count + AFTER; i++) y[i] = -7.0f;
      ts_buffer *y_cells = make_buffer(_i, y, (size_t)(count + AFTER) * sizeof *y);
      MUST(ts_kernel_arg_buffer(kernel, "x_cells", x_cells, &error));
      MUST(ts_kernel_arg_buffer(kernel, "y_cells", y_cells, &error));
      MUST(ts_kernel_arg_f32(kernel, "centre", centre, &error));
      MUST(ts_kernel_arg_f32(kernel, "side", side, &error));
      MUST(ts_kernel_arg_f32(kernel, "border", border, &error));
      launch_grid(_i, kernel, tiles(tiles_of(columns, TILE_COLUMNS), tiles_of(rows, TILE_ROWS), 1, group_shapes[g]));
      MUST(ts_buffer_read(queues[_i], y_cells, 0, y, (size_t)(count + AFTER) * sizeof *y, &error));
      compare_f32("stencil", y, expected, columns, count + AFTER);
      ts_buffer_destroy(y_cells);
    }
    ts_buffer_destroy(x_cells);
    ts_kernel_destroy(kernel);
    ts_program_destroy(program);
  }
}
END_TEST

/* ---- matmul ------------------------------------------------------------------------------------------------------- */

START_TEST(matmul__is_right_for_any_size) {
  enum { TILE = 64 };
  static const int sizes[][3] = {{64, 128, 32}, {1, 1, 1}, {70, 65, 33}}; /* rows, columns, inner */
  static float a[MOST_ELEMENTS], b[MOST_ELEMENTS], c[MOST_ELEMENTS], expected[MOST_ELEMENTS];
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    int rows = sizes[s][0], columns = sizes[s][1], inner = sizes[s][2], count = rows * columns;
    uint32_t state = 1;
    /* Whole numbers so small that sums are exact in any order. */
    for (int i = 0; i < rows * inner; i++) a[i] = (float)(next_number(&state) >> 24) - 128.0f;
    for (int i = 0; i < inner * columns; i++) b[i] = (float)(next_number(&state) >> 24) - 128.0f;
    for (int i = 0; i < count + AFTER; i++) c[i] = expected[i] = -7.0f;
    for (int i = 0; i < count; i++) {
      float sum = 0.0f;
      for (int k = 0; k < inner; k++) sum += a[i / columns * inner + k] * b[k * columns + i % columns];
      expected[i] = sum;
    }
    defines d = {.count = 0};
    define(&d, "ROWS", rows);
    define(&d, "COLUMNS", columns);
    define(&d, "INNER", inner);
    ts_program *program = NULL;
    ts_kernel *kernel = build(&program, _i, ts_embedded_matmul, d.list, "matmul");
    ts_buffer *a_cells = make_buffer(_i, a, (size_t)(rows * inner) * sizeof *a);
    ts_buffer *b_cells = make_buffer(_i, b, (size_t)(inner * columns) * sizeof *b);
    ts_buffer *c_cells = make_buffer(_i, c, (size_t)(count + AFTER) * sizeof *c);
    MUST(ts_kernel_arg_buffer(kernel, "a_cells", a_cells, &error));
    MUST(ts_kernel_arg_buffer(kernel, "b_cells", b_cells, &error));
    MUST(ts_kernel_arg_buffer(kernel, "c_cells", c_cells, &error));
    launch_grid(_i, kernel, tiles(tiles_of(columns, TILE), tiles_of(rows, TILE), 1, (const size_t[]){16, 16}));
    MUST(ts_buffer_read(queues[_i], c_cells, 0, c, (size_t)(count + AFTER) * sizeof *c, &error));
    compare_f32("matmul", c, expected, columns, count + AFTER);
    ts_buffer_destroy(c_cells);
    ts_buffer_destroy(b_cells);
    ts_buffer_destroy(a_cells);
    ts_kernel_destroy(kernel);
    ts_program_destroy(program);
  }
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
  tcase_add_loop_test(cases, transpose__moves_every_bit_of_any_size, 0, DEVICES);
  tcase_add_loop_test(cases, permute__is_all_six_of_any_size, 0, DEVICES);
  tcase_add_loop_test(cases, dequantise_rows__scales_rows_of_any_length, 0, DEVICES);
  tcase_add_loop_test(cases, stencil__takes_the_border_for_what_is_outside, 0, DEVICES);
  tcase_add_loop_test(cases, matmul__is_right_for_any_size, 0, DEVICES);
  Suite *suite = suite_create("examples");
  suite_add_tcase(suite, cases);
  SRunner *runner = srunner_create(suite);
  srunner_set_fork_status(runner, CK_NOFORK);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
