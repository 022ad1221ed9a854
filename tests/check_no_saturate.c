/* SPDX-License-Identifier: Apache-2.0
 *
 * check_no_saturate.c: TS_NO_SATURATE as a build option: ts_convert to the 8-bit floats then gives infinity or NaN for what
 * is too large, on the host and on the first OpenCL device. Right bits are those of the OCP 8-bit floating point specification
 * 1.0: E4M3 has S.1111.111 for NaN and no infinity, its largest number is 448; E5M2 has S.11111.00, its largest is 57344.
 */
#include <check.h>
#include <math.h>
#include <stdlib.h>

#include "host/tensorstorage_host.h"
#include "require.h"

static const char source[] =
    "#include \"tensorstorage.h\"\n"
    "TS_KERNEL(narrow, (TS_GLOBAL_CONST_ARG(f32) x_cells, TS_GLOBAL_ARG(f8e4m3fn) e4m3_cells,\n"
    "                   TS_GLOBAL_ARG(f8e5m2) e5m2_cells)) {\n"
    "  ts_f32x2 x = ts_load(ts_global_const, f32, 2, ts_bind(ts_global_const, f32, x_cells),\n"
    "                       2 * ts_global_id(0), 0);\n"
    "  ts_store(ts_global, f8e4m3fn, 2, ts_bind(ts_global, f8e4m3fn, e4m3_cells), 2 * ts_global_id(0),\n"
    "           ts_convert(f8e4m3fn, f32, 2, x), 0);\n"
    "  ts_store(ts_global, f8e5m2, 2, ts_bind(ts_global, f8e5m2, e5m2_cells), 2 * ts_global_id(0),\n"
    "           ts_convert(f8e5m2, f32, 2, x), 0);\n"
    "}\n";

enum { COUNT = 10 };
static const float x[COUNT] = {1.0f, -448.0f, 464.0f, 465.0f, -1e6f, 57344.0f, 61439.0f, 61440.0f, INFINITY, -INFINITY};
static const struct {
  const char *define;
  unsigned char e4m3[COUNT], e5m2[COUNT];
} rows[] = {
    /* 464 is half way from 448 to the next step, and 61440 is that of 57344: ties to even, of which the first stays. */
    {NULL,
     {0x38, 0xfe, 0x7e, 0x7e, 0xfe, 0x7e, 0x7e, 0x7e, 0x7e, 0xfe},
     {0x3c, 0xdf, 0x5f, 0x5f, 0xfb, 0x7b, 0x7b, 0x7b, 0x7b, 0xfb}},
    {"TS_NO_SATURATE",
     {0x38, 0xfe, 0x7e, 0x7f, 0xff, 0x7f, 0x7f, 0x7f, 0x7f, 0xff},
     {0x3c, 0xdf, 0x5f, 0x5f, 0xfc, 0x7b, 0x7b, 0x7c, 0x7c, 0xfc}},
};
enum { ROWS = sizeof rows / sizeof *rows };

static const char *const device_ids[] = {"host", "cl:0:0"};
enum { DEVICES = 2, OPENCL = 1 };

#define MUST(call)                                                                                                             \
  do {                                                                                                                         \
    ts_error error;                                                                                                            \
    ck_assert_msg((call) == TS_OK, "%s", error.message);                                                                       \
  } while (0)

START_TEST(ts_convert__saturates_unless_the_option_says_no) {
  const int row = _i % ROWS;
  const char *defines[] = {rows[row].define, NULL};
  const ts_build_options options = {.defines = defines};
  unsigned char e4m3[COUNT], e5m2[COUNT];
  ts_device *device = NULL;
  ts_queue *queue = NULL;
  ts_program *program = NULL;
  ts_kernel *kernel = NULL;
  ts_buffer *x_cells = NULL, *e4m3_cells = NULL, *e5m2_cells = NULL;
  MUST(ts_device_open(&device, device_ids[_i / ROWS], &error));
  MUST(ts_queue_create(&queue, device, &error));
  MUST(ts_program_build(&program, device, source, &options, &error));
  MUST(ts_kernel_get(&kernel, program, "narrow", &error));
  MUST(ts_buffer_create(&x_cells, device, TS_SPACE_global, sizeof x, &error));
  MUST(ts_buffer_create(&e4m3_cells, device, TS_SPACE_global, COUNT, &error));
  MUST(ts_buffer_create(&e5m2_cells, device, TS_SPACE_global, COUNT, &error));
  MUST(ts_buffer_write(queue, x_cells, 0, x, sizeof x, &error));
  MUST(ts_kernel_arg_buffer(kernel, "x_cells", x_cells, &error));
  MUST(ts_kernel_arg_buffer(kernel, "e4m3_cells", e4m3_cells, &error));
  MUST(ts_kernel_arg_buffer(kernel, "e5m2_cells", e5m2_cells, &error));
  MUST(ts_kernel_launch(queue, kernel, (ts_grid){{COUNT / 2}, {1}}, NULL, &error));
  MUST(ts_buffer_read(queue, e4m3_cells, 0, e4m3, COUNT, &error));
  MUST(ts_buffer_read(queue, e5m2_cells, 0, e5m2, COUNT, &error));
  for (int i = 0; i < COUNT; i++) {
    ck_assert_msg(e4m3[i] == rows[row].e4m3[i], "%g as f8e4m3fn is 0x%02x, must be 0x%02x", (double)x[i], e4m3[i],
                  rows[row].e4m3[i]);
    ck_assert_msg(e5m2[i] == rows[row].e5m2[i], "%g as f8e5m2 is 0x%02x, must be 0x%02x", (double)x[i], e5m2[i],
                  rows[row].e5m2[i]);
  }
  ts_buffer_destroy(e5m2_cells);
  ts_buffer_destroy(e4m3_cells);
  ts_buffer_destroy(x_cells);
  ts_kernel_destroy(kernel);
  ts_program_destroy(program);
  ts_queue_destroy(queue);
  ts_device_close(device);
}
END_TEST

int main(void) {
  ts_device *device = NULL;
  bool has_opencl = ts_device_open(&device, device_ids[OPENCL], NULL) == TS_OK;
  ts_device_close(device);
  ts_skip_unless("pocl", has_opencl, "no OpenCL device cl:0:0 (on Debian: install pocl-opencl-icd)");

  TCase *cases = tcase_create("no_saturate");
  tcase_set_timeout(cases, 120);
  tcase_add_loop_test(cases, ts_convert__saturates_unless_the_option_says_no, 0, DEVICES * ROWS);
  Suite *suite = suite_create("no_saturate");
  suite_add_tcase(suite, cases);
  SRunner *runner = srunner_create(suite);
  srunner_set_fork_status(runner, CK_NOFORK);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
