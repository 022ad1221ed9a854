/* SPDX-License-Identifier: Apache-2.0
 *
 * check_cuda_shim.c: faults that a kernel may have and that the backend cuda-shim must find: an address in the wrong space, a
 * promise of alignment that is not kept, an access beyond the end, a barrier that not all reach, an asynchronous copy that
 * nobody waits for. Beside each wrong access stands the right one, which must not be refused.
 *
 * Beside them: where arguments in shared and constant memory are. A missing barrier is ThreadSanitizer's to find:
 * race_test.sh.
 */
#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/tensorstorage_host.h"

/* An access of the kernel `access`, and the words that refuse it; NULL: it is right. */
typedef struct access_row {
  const char *macro, *policy;
  int width;
  const char *place, *flags, *refusal;
} access_row;

/* The buffer at `cells` has 66 elements, so that there are two behind cells + 64; all arrays start at a multiple of 128 bytes.
 */
enum { ELEMENTS = 66 };

/* clang-format off */
static const access_row rows[] = {
    {"LOAD", "ts_global", 1, "cells", "0", NULL},
    {"LOAD", "ts_global", 1, "tile.shared_cells", "0", "which is shared memory and not global memory"},
    {"LOAD", "ts_global", 1, "dynamic", "0", "which is shared memory and not global memory"},
    {"LOAD", "ts_global", 1, "mine.local_cells", "0", "which is local memory and not global memory"},
    {"LOAD", "ts_global_const", 1, "table", "0", "which is constant memory and not global memory"},
    {"LOAD", "ts_global_const", 4, "tile.shared_cells", "TS_ALIGN(16) | TS_INVARIANT", "which is shared memory and not global memory"},
    {"STORE", "ts_global", 4, "tile.shared_cells", "TS_ALIGN(16) | TS_NON_TEMPORAL", "which is shared memory and not global memory"},
    {"LOAD", "ts_shared", 1, "tile.shared_cells", "0", NULL},
    {"LOAD", "ts_shared", 1, "dynamic", "0", NULL},
    {"LOAD", "ts_shared", 1, "cells", "0", "which is global memory and not shared memory"},
    {"STORE", "ts_shared", 2, "mine.local_cells", "0", "which is local memory and not shared memory"},
    {"LOAD", "ts_constant", 1, "table", "0", NULL},
    {"LOAD", "ts_constant", 1, "constants", "0", NULL},
    {"LOAD", "ts_constant", 1, "cells", "0", "which is global memory and not constant memory"},
    {"LOAD", "ts_local", 1, "mine.local_cells", "0", NULL},
    {"LOAD", "ts_local", 1, "tile.shared_cells", "0", "which is shared memory and not local memory"},
    {"LOAD", "ts_generic", 1, "cells", "0", NULL},
    {"LOAD", "ts_generic", 1, "mine.local_cells", "0", NULL},
    {"LOAD", "ts_global", 1, "(ts_f32 *)64", "0", "which is no memory of this kernel, and global memory was meant"},
    {"LOAD", "ts_generic", 1, "(ts_f32 *)64", "0", "which is no memory of this kernel, and generic memory was meant"},

    {"LOAD", "ts_global", 4, "cells + 1", "0", NULL},
    {"LOAD", "ts_global", 4, "cells + 1", "TS_ALIGN(16)", "which is no multiple of 16"},
    {"LOAD", "ts_global", 2, "cells + 1", "TS_ALIGN(8)", "which is no multiple of 8"},
    {"LOAD", "ts_global", 4, "cells + 2", "TS_ALIGN(16) | TS_INVARIANT", "which is no multiple of 16"},
    {"LOAD", "ts_global", 4, "cells + 2", "TS_ALIGN(16) | TS_NON_TEMPORAL", "which is no multiple of 16"},
    {"STORE", "ts_global", 4, "cells + 2", "TS_ALIGN(16) | TS_NON_TEMPORAL", "which is no multiple of 16"},
    {"STORE", "ts_global", 4, "cells + 2", "TS_ALIGN(8) | TS_NON_TEMPORAL", NULL},
    {"STORE", "ts_shared", 4, "tile.shared_cells + 1", "TS_ALIGN(8)", "which is no multiple of 8"},
    {"LOAD", "ts_shared", 4, "dynamic + 1", "TS_ALIGN(16)", "which is no multiple of 16"},
    {"LOAD", "ts_constant", 4, "table + 3", "TS_ALIGN(16)", "which is no multiple of 16"},
    {"LOAD", "ts_local", 4, "mine.local_cells + 3", "TS_ALIGN(16)", "which is no multiple of 16"},
    {"LOAD", "ts_generic", 4, "cells + 3", "TS_ALIGN(16)", "which is no multiple of 16"},

    {"LOAD", "ts_global", 2, "cells + 64", "TS_ALIGN(8)", NULL},
    {"LOAD", "ts_global", 4, "cells + 64", "TS_ALIGN(16)", "byte 256 of a memory of 264 bytes"},
    {"STORE", "ts_global", 4, "cells + 64", "TS_ALIGN(16) | TS_NON_TEMPORAL", "byte 256 of a memory of 264 bytes"},
};
/* clang-format on */
enum { ROW_COUNT = sizeof rows / sizeof *rows };

/* Before the access, the address that it is made at is left in address_cells. */
static const char before_rows[] =
    "#include \"tensorstorage.h\"\n"
    "#define NOTE(place) ts_store(ts_global, u64, 1, noted, 0, (ts_u64)(place), 0)\n"
    "#define LOAD(P, W, place, flags) \\\n"
    "  { NOTE(place); v = ts_lane(f32, W, ts_load(P, f32, W, ts_bind(P, f32, place), 0, flags), 0); break; }\n"
    "#define STORE(P, W, place, flags) \\\n"
    "  { NOTE(place); ts_store(P, f32, W, ts_bind(P, f32, place), 0, ts_splat(f32, W, 1.0f), flags); break; }\n"
    "#define EIGHT(x) x, x, x, x, x, x, x, x\n"
    "TS_CONSTANT_TABLE(table, f32, 64, (EIGHT(EIGHT(1.0f))));\n"
    "TS_KERNEL(access, (TS_GLOBAL_ARG(f32) cells, TS_GLOBAL_ARG(u64) address_cells, TS_CONSTANT_ARG(f32) constant_cells,\n"
    "                   TS_SHARED_ARG(f32) dynamic_cells, int number)) {\n"
    "  TS_SHARED(tile, f32, 64);\n"
    "  TS_LOCAL(mine, f32, 64);\n"
    "  ts_global_u64 noted = ts_bind(ts_global, u64, address_cells);\n"
    "  const ts_f32 *constants = constant_cells;\n"
    "  ts_f32 *dynamic = dynamic_cells, v = 0;\n"
    "  for (int i = 0; i < 64; ++i) ts_store(ts_local, f32, 1, mine, i, 0.0f, 0);\n"
    "  switch (number) {\n";
static const char after_rows[] =
    "  }\n"
    "  ts_store(ts_global, f32, 1, ts_bind(ts_global, f32, cells), 0, v + ts_load(ts_local, f32, 1, mine, number, 0), 0);\n"
    "}\n"
    "TS_KERNEL(diverge, (int enter)) {\n"
    "  if (ts_item_in_group(0) < enter) ts_barrier();\n"
    "}\n"
    "TS_ROW_MAJOR_1(row, 64)\n"
    "TS_COPY_ASYNC(load_row, f32, row, TS_ALIGN(16), row, TS_ALIGN(16))\n"
    "TS_KERNEL(copy, (TS_GLOBAL_CONST_ARG(f32) x_cells, TS_GLOBAL_ARG(f32) y_cells, int waits)) {\n"
    "  TS_SHARED(tile, f32, 64);\n"
    "  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);\n"
    "  int i = ts_item_in_group(0);\n"
    "  ts_copy_event e = ts_copy_begin();\n"
    "  e = load_row_async(tile, ts_bind(ts_global_const, f32, x_cells), e);\n"
    "  if (waits) ts_copy_wait(e);\n"
    "  else ts_barrier();\n"
    "  ts_store(ts_global, f32, 1, y, i, ts_load(ts_shared, f32, 1, tile, 63 - i, 0), 0);\n"
    "}\n"
    "TS_KERNEL(places, (TS_CONSTANT_ARG(f32) a_cells, TS_CONSTANT_ARG(f32) b_cells, TS_SHARED_ARG(f32) s_cells,\n"
    "                   TS_SHARED_ARG(f32) t_cells, TS_GLOBAL_ARG(f32) y_cells)) {\n"
    "  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);\n"
    "  ts_shared_f32 s = ts_bind(ts_shared, f32, s_cells), t = ts_bind(ts_shared, f32, t_cells);\n"
    "  int i = ts_item_in_group(0);\n"
    "  ts_store(ts_shared, f32, 1, s, i, ts_load(ts_constant, f32, 1, ts_bind(ts_constant, f32, a_cells), i, 0), 0);\n"
    "  ts_store(ts_shared, f32, 1, t, i, ts_load(ts_constant, f32, 1, ts_bind(ts_constant, f32, b_cells), i, 0), 0);\n"
    "  ts_barrier();\n"
    "  ts_store(ts_global, f32, 1, y, 2 * i, ts_load(ts_shared, f32, 1, s, 3 - i, 0), 0);\n"
    "  ts_store(ts_global, f32, 1, y, 2 * i + 1, ts_load(ts_shared, f32, 1, t, 3 - i, 0), 0);\n"
    "}\n";

static ts_device *device;
static ts_queue *queue;
static ts_program *program;
static ts_error error;

static void set_up(void) {
  char *source = NULL;
  size_t bytes = 0;
  FILE *text = open_memstream(&source, &bytes);
  fputs(before_rows, text);
  for (int i = 0; i < ROW_COUNT; i++)
    fprintf(text, "  case %d: %s(%s, %d, %s, %s)\n", i, rows[i].macro, rows[i].policy, rows[i].width, rows[i].place,
            rows[i].flags);
  fputs(after_rows, text);
  ck_assert_int_eq(fclose(text), 0);
  ck_assert_msg(ts_device_open(&device, "cuda-shim", &error) == TS_OK, "%s", error.message);
  ck_assert_msg(ts_queue_create(&queue, device, &error) == TS_OK, "%s", error.message);
  ck_assert_msg(ts_program_build(&program, device, source, NULL, &error) == TS_OK, "%s", error.message);
  free(source);
}

static void tear_down(void) {
  ts_program_destroy(program);
  ts_queue_destroy(queue);
  ts_device_close(device);
}

/* The message of a launch has these words, and says whose fault it is. */
static void assert_says(const char *words) {
  ck_assert_msg(strstr(error.message, words) != NULL, "the message has no \"%s\": %s", words, error.message);
}

START_TEST(an_access_is_refused_or_done) {
  const access_row *row = &rows[_i];
  ts_kernel *kernel = NULL;
  ts_buffer *cells = NULL, *address_cells = NULL, *constant_cells = NULL;
  uint64_t address = 0;
  ck_assert_int_eq(ts_buffer_create(&cells, device, TS_SPACE_global, ELEMENTS * sizeof(float), &error), TS_OK);
  ck_assert_int_eq(ts_buffer_create(&address_cells, device, TS_SPACE_global, sizeof address, &error), TS_OK);
  ck_assert_int_eq(ts_buffer_create(&constant_cells, device, TS_SPACE_constant, 64 * sizeof(float), &error), TS_OK);
  const float zeros[ELEMENTS] = {0};
  ck_assert_int_eq(ts_buffer_write(queue, cells, 0, zeros, sizeof zeros, &error), TS_OK);
  ck_assert_int_eq(ts_buffer_write(queue, constant_cells, 0, zeros, 64 * sizeof(float), &error), TS_OK);
  ck_assert_int_eq(ts_kernel_get(&kernel, program, "access", &error), TS_OK);
  ck_assert_int_eq(ts_kernel_arg_buffer(kernel, "cells", cells, &error), TS_OK);
  ck_assert_int_eq(ts_kernel_arg_buffer(kernel, "address_cells", address_cells, &error), TS_OK);
  ck_assert_int_eq(ts_kernel_arg_buffer(kernel, "constant_cells", constant_cells, &error), TS_OK);
  ck_assert_int_eq(ts_kernel_arg_shared(kernel, "dynamic_cells", 64, &error), TS_OK);
  ck_assert_int_eq(ts_kernel_arg_i32(kernel, "number", _i, &error), TS_OK);

  ts_status status = ts_kernel_launch(queue, kernel, (ts_grid){{1}, {1}}, NULL, &error);
  if (row->refusal) {
    char at[64];
    ck_assert_int_eq(status, TS_ERROR_KERNEL);
    assert_says("kernel access: work-item (0,0,0) of group (0,0,0)");
    assert_says(row->refusal);
    ck_assert_int_eq(ts_buffer_read(queue, address_cells, 0, &address, sizeof address, NULL), TS_OK);
    snprintf(at, sizeof at, " at 0x%" PRIx64 ",", address);
    assert_says(at);
  } else {
    ck_assert_msg(status == TS_OK, "%s", error.message);
  }
  ts_kernel_destroy(kernel);
  ts_buffer_destroy(cells);
  ts_buffer_destroy(address_cells);
  ts_buffer_destroy(constant_cells);
}
END_TEST

START_TEST(a_barrier_that_only_some_reach_is_told) {
  ts_kernel *kernel = NULL;
  ck_assert_int_eq(ts_kernel_get(&kernel, program, "diverge", &error), TS_OK);
  ck_assert_int_eq(ts_kernel_arg_i32(kernel, "enter", 8, &error), TS_OK);
  ck_assert_msg(ts_kernel_launch(queue, kernel, (ts_grid){{8}, {8}}, NULL, &error) == TS_OK, "%s", error.message);
  ck_assert_int_eq(ts_kernel_arg_i32(kernel, "enter", 3, &error), TS_OK);
  ck_assert_int_eq(ts_kernel_launch(queue, kernel, (ts_grid){{8}, {8}}, NULL, &error), TS_ERROR_KERNEL);
  assert_says("kernel diverge: a barrier was not reached by all work-items of group (0,0,0): 3 wait, 5 ended");
  ts_kernel_destroy(kernel);
}
END_TEST

/* Copied from x that is 0 … 63 to y that is read the other way round. A barrier does not end a copy. */
START_TEST(a_copy_that_nobody_waits_for_is_told) {
  float x[64], y[64];
  ts_kernel *kernel = NULL;
  ts_buffer *x_cells = NULL, *y_cells = NULL;
  for (int i = 0; i < 64; i++) x[i] = (float)i;
  ck_assert_int_eq(ts_buffer_create(&x_cells, device, TS_SPACE_global, sizeof x, &error), TS_OK);
  ck_assert_int_eq(ts_buffer_create(&y_cells, device, TS_SPACE_global, sizeof y, &error), TS_OK);
  ck_assert_int_eq(ts_buffer_write(queue, x_cells, 0, x, sizeof x, &error), TS_OK);
  ck_assert_int_eq(ts_kernel_get(&kernel, program, "copy", &error), TS_OK);
  ck_assert_int_eq(ts_kernel_arg_buffer(kernel, "x_cells", x_cells, &error), TS_OK);
  ck_assert_int_eq(ts_kernel_arg_buffer(kernel, "y_cells", y_cells, &error), TS_OK);
  ck_assert_int_eq(ts_kernel_arg_i32(kernel, "waits", 1, &error), TS_OK);
  ck_assert_msg(ts_kernel_launch(queue, kernel, (ts_grid){{64}, {64}}, NULL, &error) == TS_OK, "%s", error.message);
  ck_assert_int_eq(ts_buffer_read(queue, y_cells, 0, y, sizeof y, &error), TS_OK);
  for (int i = 0; i < 64; i++) ck_assert_msg(y[i] == x[63 - i], "y[%d] is %g", i, (double)y[i]);

  ck_assert_int_eq(ts_kernel_arg_i32(kernel, "waits", 0, &error), TS_OK);
  ck_assert_int_eq(ts_kernel_launch(queue, kernel, (ts_grid){{64}, {64}}, NULL, &error), TS_ERROR_KERNEL);
  assert_says("kernel copy: work-item (0,0,0) of group (0,0,0): an access of 4 bytes");
  assert_says("which a copy that was begun will write: call ts_copy_wait first");
  ts_kernel_destroy(kernel);
  ts_buffer_destroy(x_cells);
  ts_buffer_destroy(y_cells);
}
END_TEST

/* Two of each kind. One in constant memory starts in the middle of its buffer. */
START_TEST(arguments_in_shared_and_constant_memory_are_apart) {
  const float data[6] = {1, 2, 3, 4, 5, 6}, expected[8] = {6, 4, 5, 3, 4, 2, 3, 1};
  float y[8];
  ts_kernel *kernel = NULL;
  ts_buffer *a = NULL, *b = NULL, *y_cells = NULL;
  ck_assert_int_eq(ts_buffer_create(&a, device, TS_SPACE_constant, sizeof data, &error), TS_OK);
  ck_assert_int_eq(ts_buffer_create(&b, device, TS_SPACE_constant, sizeof data, &error), TS_OK);
  ck_assert_int_eq(ts_buffer_create(&y_cells, device, TS_SPACE_global, sizeof y, &error), TS_OK);
  ck_assert_int_eq(ts_buffer_write(queue, a, 0, data, sizeof data, &error), TS_OK);
  ck_assert_int_eq(ts_buffer_write(queue, b, 0, data, sizeof data, &error), TS_OK);
  ck_assert_int_eq(ts_kernel_get(&kernel, program, "places", &error), TS_OK);
  ts_storage middle = ts_buffer_storage(a, TS_DTYPE_f32);
  middle.byte_offset = 2 * sizeof(float);
  ck_assert_msg(ts_kernel_arg_storage(kernel, "a_cells", middle, &error) == TS_OK, "%s", error.message);
  ck_assert_int_eq(ts_kernel_arg_buffer(kernel, "b_cells", b, &error), TS_OK);
  ck_assert_int_eq(ts_kernel_arg_shared(kernel, "s_cells", 4, &error), TS_OK);
  ck_assert_int_eq(ts_kernel_arg_shared(kernel, "t_cells", 4, &error), TS_OK);
  ck_assert_int_eq(ts_kernel_arg_buffer(kernel, "y_cells", y_cells, &error), TS_OK);
  ck_assert_msg(ts_kernel_launch(queue, kernel, (ts_grid){{4}, {4}}, NULL, &error) == TS_OK, "%s", error.message);
  ck_assert_int_eq(ts_buffer_read(queue, y_cells, 0, y, sizeof y, &error), TS_OK);
  for (int i = 0; i < 8; i++)
    ck_assert_msg(y[i] == expected[i], "y[%d] is %g, must be %g", i, (double)y[i], (double)expected[i]);
  ts_kernel_destroy(kernel);
  ts_buffer_destroy(a);
  ts_buffer_destroy(b);
  ts_buffer_destroy(y_cells);
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("cuda_shim");
  tcase_set_timeout(cases, 120);
  tcase_add_unchecked_fixture(cases, set_up, tear_down);
  tcase_add_loop_test(cases, an_access_is_refused_or_done, 0, ROW_COUNT);
  tcase_add_test(cases, arguments_in_shared_and_constant_memory_are_apart);
  tcase_add_test(cases, a_barrier_that_only_some_reach_is_told);
  tcase_add_test(cases, a_copy_that_nobody_waits_for_is_told);
  Suite *suite = suite_create("cuda_shim");
  suite_add_tcase(suite, cases);
  SRunner *runner = srunner_create(suite);
  srunner_set_fork_status(runner, CK_NOFORK);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
