/* SPDX-License-Identifier: Apache-2.0
 *
 * check_library.c: the public interface from end to end: on the host and on the first OpenCL device, each case on both.
 *
 * What is particular to OpenCL is in the cases that are called opencl__; it is compared with what OpenCL itself says.
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/source.h"
#include "host/tensorstorage_host.h"
#include "require.h"

static const char *const device_ids[] = {"host", "cl:0:0"};
enum { DEVICES = 2, OPENCL = 1 };

static ts_device *devices[DEVICES];
static ts_queue *queues[DEVICES];

/* Devices stay open for all cases, which run in one process: a driver's start costs half a second. */
static void open_devices(void) {
  for (int i = 0; i < DEVICES; i++) {
    ts_error error;
    ck_assert_msg(ts_device_open(&devices[i], device_ids[i], &error) == TS_OK, "%s", error.message);
    ck_assert_msg(ts_queue_create(&queues[i], devices[i], &error) == TS_OK, "%s", error.message);
  }
}

static void close_devices(void) {
  for (int i = 0; i < DEVICES; i++) {
    ts_queue_destroy(queues[i]);
    ts_device_close(devices[i]);
  }
}

/* What a case must get: anything else fails the case with the error's message. */
#define MUST(call)                                                                                                             \
  do {                                                                                                                         \
    ts_error error;                                                                                                            \
    ck_assert_msg((call) == TS_OK, "%s", error.message);                                                                       \
  } while (0)

/* Check that a call failed as it should, and that its message says each of three things. */
static void assert_says(ts_status got, ts_status expected, const ts_error *error, const char *a, const char *b, const char *c) {
  ck_assert_msg(got == expected, "status %d instead of %d: %s", got, expected, got ? error->message : "success");
  const char *parts[] = {a, b, c};
  for (int i = 0; i < 3; i++)
    ck_assert_msg(strstr(error->message, parts[i]), "\"%s\" is not said: %s", parts[i], error->message);
  ck_assert_int_eq(error->status, expected);
  ck_assert_uint_gt(strlen(error->call), 0);
}

static ts_program *build(int device, const char *source, const ts_build_options *options) {
  ts_program *program = NULL;
  MUST(ts_program_build(&program, devices[device], source, options, &error));
  return program;
}

static ts_kernel *get(ts_program *program, const char *name) {
  ts_kernel *kernel = NULL;
  MUST(ts_kernel_get(&kernel, program, name, &error));
  return kernel;
}

static ts_buffer *make_buffer(int device, ts_space space, size_t bytes) {
  ts_buffer *buffer = NULL;
  MUST(ts_buffer_create(&buffer, devices[device], space, bytes, &error));
  return buffer;
}

/* A kernel of every kind of argument, and one that has another work-group shape in mind. */
static const char kernels[] =
    "#include \"tensorstorage.h\"\n"
    "\n"
    "TS_KERNEL(scale, (TS_GLOBAL_CONST_ARG(i32) x_cells, TS_GLOBAL_ARG(f32) y_cells,\n"
    "                  TS_CONSTANT_ARG(f32) table_cells, TS_SHARED_ARG(f32) scratch_cells, float a))\n"
    "{\n"
    "  ts_global_const_i32 x = ts_bind(ts_global_const, i32, x_cells);\n"
    "  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);\n"
    "  ts_constant_f32 table = ts_bind(ts_constant, f32, table_cells);\n"
    "  ts_shared_f32 scratch = ts_bind(ts_shared, f32, scratch_cells);\n"
    "  int item = ts_item_in_group(0), last = ts_group_size(0) - 1;\n"
    "  ts_index i = ts_global_id(0);\n"
    "  ts_store(ts_shared, f32, 1, scratch, item, (float)ts_load(ts_global_const, i32, 1, x, i, 0), 0);\n"
    "  ts_barrier();\n"
    "  float mirrored = ts_load(ts_shared, f32, 1, scratch, last - item, 0);\n"
    "  ts_store(ts_global, f32, 1, y, i, mirrored * a + ts_load(ts_constant, f32, 1, table, item, 0), 0);\n"
    "}\n"
    "\n"
    "TS_KERNEL(place, (TS_GLOBAL_ARG(i64) y_cells, int columns, int rows))\n"
    "{\n"
    "  ts_global_i64 y = ts_bind(ts_global, i64, y_cells);\n"
    "  ts_index i = ts_global_id(0) + columns * (ts_global_id(1) + rows * ts_global_id(2));\n"
    "  ts_store(ts_global, i64, 1, y, i, ts_global_id(0) + 100 * ts_global_id(1) + 10000 * ts_global_id(2), 0);\n"
    "}\n"
    "\n"
    "TS_KERNEL(scalars, (TS_GLOBAL_ARG(f64) y_cells, ts_i32 a, ts_u32 b, ts_i64 c, ts_u64 d, ts_f32 e, ts_i8 f))\n"
    "{\n"
    "  y_cells[0] = a;\n"
    "  y_cells[1] = b;\n"
    "  y_cells[2] = c;\n"
    "  y_cells[3] = d;\n"
    "  y_cells[4] = e;\n"
    "  y_cells[5] = f;\n"
    "}\n"
    "\n"
    "TS_KERNEL(nothing, (void)) { }\n";

/* ---- devices ---------------------------------------------------------------------------------------------------- */

START_TEST(device_list__starts_with_the_host) {
  ts_device_info *list;
  size_t count;
  MUST(ts_device_list(&list, &count, &error));
  ck_assert_uint_ge(count, 2);
  ck_assert_str_eq(list[0].id, "host");
  ck_assert_str_eq(list[0].backend, "host");
  ck_assert_str_eq(list[1].id, "cl:0:0");
  ck_assert_str_eq(list[1].backend, "opencl");
  ts_device_list_free(list);
}
END_TEST

START_TEST(device_info__is_complete) {
  const ts_device_info *info = ts_device_get_info(devices[_i]);
  ck_assert_str_eq(info->id, device_ids[_i]);
  ck_assert_uint_gt(strlen(info->name), 0);
  ck_assert_uint_gt(strlen(info->language), 0);
  ck_assert_uint_gt(info->compute_units, 0);
  ck_assert_uint_gt(info->max_group_items, 0);
  for (int d = 0; d < 3; d++) ck_assert_uint_gt(info->max_group_size[d], 0);
  ck_assert_uint_gt(info->max_buffer_bytes, 0);
  ck_assert_uint_ge(info->max_constant_bytes, 64 * 1024);
  ck_assert_uint_ge(info->shared_bytes, 16 * 1024);
  ck_assert_uint_gt(info->global_bytes, 0);
  ck_assert_uint_ge(info->base_align_bytes, 1);
  const uint16_t one = 1;
  ck_assert_int_eq(info->little_endian, *(const unsigned char *)&one);
}
END_TEST

START_TEST(opencl__info_is_what_the_driver_says) {
  cl_platform_id platform;
  cl_device_id device;
  ck_assert_int_eq(clGetPlatformIDs(1, &platform, NULL), CL_SUCCESS);
  ck_assert_int_eq(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), CL_SUCCESS);
  const ts_device_info *info = ts_device_get_info(devices[OPENCL]);
  char name[256];
  cl_ulong constant_bytes, shared_bytes;
  cl_uint align_bits;
  size_t group_items;
  ck_assert_int_eq(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL), CL_SUCCESS);
  ck_assert_int_eq(clGetDeviceInfo(device, CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, 8, &constant_bytes, NULL), CL_SUCCESS);
  ck_assert_int_eq(clGetDeviceInfo(device, CL_DEVICE_LOCAL_MEM_SIZE, 8, &shared_bytes, NULL), CL_SUCCESS);
  ck_assert_int_eq(clGetDeviceInfo(device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, 4, &align_bits, NULL), CL_SUCCESS);
  ck_assert_int_eq(clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof group_items, &group_items, NULL), CL_SUCCESS);
  ck_assert_str_eq(info->name, name);
  ck_assert_uint_eq(info->max_constant_bytes, constant_bytes);
  ck_assert_uint_eq(info->shared_bytes, shared_bytes);
  ck_assert_uint_eq(info->base_align_bytes, align_bits / 8);
  ck_assert_uint_eq(info->max_group_items, group_items);
}
END_TEST

START_TEST(device_open__of_none_lists_what_there_is) {
  ts_device *device;
  ts_error error;
  ts_status status = ts_device_open(&device, "cl:0:77", &error);
  assert_says(status, TS_ERROR_NO_DEVICE, &error, "there is no device \"cl:0:77\"", "host", "cl:0:0");
}
END_TEST

START_TEST(device_open__takes_a_glob_on_the_name_if_one_device_matches) {
  ts_device *device;
  ts_error error;
  MUST(ts_device_open(&device, ts_device_get_info(devices[OPENCL])->name, &error));
  ck_assert_str_eq(ts_device_get_info(device)->id, "cl:0:0");
  ts_device_close(device);
  ts_status status = ts_device_open(&device, "*", &error);
  assert_says(status, TS_ERROR_USAGE, &error, "\"*\" matches several devices", "host", "cl:0:0");
}
END_TEST

START_TEST(device_open__of_null_obeys_the_environment_then_prefers_opencl) {
  ts_device *device;
  setenv("TENSORSTORAGE_DEVICE", "host", 1);
  MUST(ts_device_open(&device, NULL, &error));
  ck_assert_str_eq(ts_device_get_info(device)->id, "host");
  ts_device_close(device);
  ts_error error;
  setenv("TENSORSTORAGE_DEVICE", "cl:0:9", 1);
  ts_status status = ts_device_open(&device, NULL, &error);
  assert_says(status, TS_ERROR_NO_DEVICE, &error, "\"cl:0:9\" (of TENSORSTORAGE_DEVICE)", "did you mean this?", "cl:0:0");
  setenv("TENSORSTORAGE_DEVICE", "", 1);
  MUST(ts_device_open(&device, NULL, &error));
  ck_assert_str_ne(ts_device_get_info(device)->id, "host");
  ts_device_close(device);
  unsetenv("TENSORSTORAGE_DEVICE");
}
END_TEST

/* ---- buffers and storage ---------------------------------------------------------------------------------------- */

START_TEST(buffer__returns_what_was_written_and_touches_nothing_else) {
  ts_buffer *buffer = make_buffer(_i, TS_SPACE_global, 64);
  unsigned char whole[64], part[10];
  for (int i = 0; i < 64; i++) whole[i] = (unsigned char)i;
  memset(part, 0xAA, sizeof part);
  MUST(ts_buffer_write(queues[_i], buffer, 0, whole, 64, &error));
  MUST(ts_buffer_write(queues[_i], buffer, 7, part, 10, &error));
  MUST(ts_buffer_read(queues[_i], buffer, 0, whole, 64, &error));
  for (int i = 0; i < 64; i++) ck_assert_int_eq(whole[i], i >= 7 && i < 17 ? 0xAA : i);
  ts_buffer_destroy(buffer);
}
END_TEST

START_TEST(buffer__refuses_a_range_that_is_not_inside) {
  static const size_t ranges[][2] = {{0, 65}, {64, 1}, {65, 0}, {1, SIZE_MAX}, {SIZE_MAX, 2}};
  ts_buffer *buffer = make_buffer(_i, TS_SPACE_global, 64);
  char data[128] = "";
  ts_error error;
  for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
    ts_status status = ts_buffer_write(queues[_i], buffer, ranges[i][0], data, ranges[i][1], &error);
    assert_says(status, TS_ERROR_USAGE, &error, "are not inside the buffer", "64 bytes", "bytes from byte");
    status = ts_buffer_read(queues[_i], buffer, ranges[i][0], data, ranges[i][1], &error);
    assert_says(status, TS_ERROR_USAGE, &error, "are not inside the buffer", "64 bytes", "bytes from byte");
  }
  MUST(ts_buffer_write(queues[_i], buffer, 64, NULL, 0, &error));
  ts_buffer_destroy(buffer);
}
END_TEST

START_TEST(buffer__of_another_device_is_refused) {
  ts_buffer *buffer = make_buffer(_i, TS_SPACE_global, 64);
  char data[64] = "";
  ts_error error;
  ts_status status = ts_buffer_write(queues[1 - _i], buffer, 0, data, 64, &error);
  assert_says(status, TS_ERROR_USAGE, &error, device_ids[0], device_ids[1], "another device");
  ts_buffer_destroy(buffer);
}
END_TEST

START_TEST(buffer_create__has_exactly_the_limits_of_the_device) {
  const ts_device_info *info = ts_device_get_info(devices[_i]);
  ts_buffer *buffer;
  ts_error error;
  MUST(ts_buffer_create(&buffer, devices[_i], TS_SPACE_constant, info->max_constant_bytes, &error));
  ck_assert_uint_eq(ts_buffer_bytes(buffer), info->max_constant_bytes);
  ck_assert_int_eq((int)ts_buffer_space(buffer), TS_SPACE_constant);
  ts_buffer_destroy(buffer);
  ts_status status = ts_buffer_create(&buffer, devices[_i], TS_SPACE_constant, info->max_constant_bytes + 1, &error);
  assert_says(status, TS_ERROR_LIMIT, &error, "more than the constant memory", info->id, "ask for less");
  if (info->max_buffer_bytes < SIZE_MAX) {
    status = ts_buffer_create(&buffer, devices[_i], TS_SPACE_global, info->max_buffer_bytes + 1, &error);
    assert_says(status, TS_ERROR_LIMIT, &error, "more than the largest buffer", info->id, "ask for less");
  }
  status = ts_buffer_create(&buffer, devices[_i], TS_SPACE_shared, 64, &error);
  assert_says(status, TS_ERROR_USAGE, &error, "not in shared", "ts_kernel_arg_shared", "global");
}
END_TEST

START_TEST(null__is_refused_by_name_and_destroyed_without_harm) {
  ts_error error;
  assert_says(ts_queue_create(&(ts_queue *){NULL}, NULL, &error), TS_ERROR_USAGE, &error, "device is NULL", "", "");
  assert_says(ts_device_open(NULL, NULL, &error), TS_ERROR_USAGE, &error, "device is NULL", "", "");
  assert_says(ts_program_build(&(ts_program *){NULL}, devices[_i], NULL, NULL, &error), TS_ERROR_USAGE, &error,
              "source is NULL", "", "");
  assert_says(ts_kernel_launch(queues[_i], NULL, (ts_grid){{1}, {0}}, NULL, &error), TS_ERROR_USAGE, &error, "kernel is NULL",
              "", "");
  ck_assert_int_eq(ts_queue_finish(NULL, NULL), TS_ERROR_USAGE);
  ts_device_close(NULL);
  ts_queue_destroy(NULL);
  ts_event_destroy(NULL);
  ts_buffer_destroy(NULL);
  ts_program_destroy(NULL);
  ts_kernel_destroy(NULL);
}
END_TEST

START_TEST(storage_distance__of_an_offset_is_that_offset) {
  static const int64_t offsets[] = {0, 1, -1, 7, -12345, 3 * ((int64_t)1 << 30), -3 * ((int64_t)1 << 30)};
  ts_buffer *buffer = make_buffer(_i, TS_SPACE_global, 64);
  for (int dtype = 0; dtype < TS_DTYPE_COUNT; dtype++) {
    ts_storage storage = ts_buffer_storage(buffer, (ts_dtype)dtype);
    for (size_t i = 0; i < sizeof offsets / sizeof offsets[0]; i++)
      ck_assert_int_eq(ts_storage_distance(ts_storage_offset(storage, offsets[i]), storage), offsets[i]);
  }
  ck_assert_uint_eq(ts_storage_offset(ts_buffer_storage(buffer, TS_DTYPE_f64), 3).byte_offset, 24);
  ts_buffer_destroy(buffer);
}
END_TEST

START_TEST(storage__has_the_name_that_it_has_in_a_kernel) {
  ts_buffer *global = make_buffer(_i, TS_SPACE_global, 64), *constant = make_buffer(_i, TS_SPACE_constant, 64);
  ts_storage storage = ts_buffer_storage(global, TS_DTYPE_f16);
  char name[64], cut[5];
  ck_assert_uint_eq(ts_storage_write_type_name(storage, name, sizeof name), strlen("ts_global_f16"));
  ck_assert_str_eq(name, "ts_global_f16");
  ts_storage_write_type_name(ts_storage_unsafe_cast(storage, TS_DTYPE_u16, true), name, sizeof name);
  ck_assert_str_eq(name, "ts_global_const_u16");
  ck_assert(ts_buffer_storage(constant, TS_DTYPE_f32).is_const);
  ts_storage_write_type_name(ts_buffer_storage(constant, TS_DTYPE_f32), name, sizeof name);
  ck_assert_str_eq(name, "ts_constant_f32");
  ck_assert_uint_eq(ts_storage_write_type_name(storage, cut, sizeof cut), strlen("ts_global_f16"));
  ck_assert_str_eq(cut, "ts_g");
  ts_buffer_destroy(global);
  ts_buffer_destroy(constant);
}
END_TEST

/* ---- programs --------------------------------------------------------------------------------------------------- */

START_TEST(program__lists_its_kernels_in_order) {
  ts_program *program = build(_i, kernels, NULL);
  static const char *const names[] = {"scale", "place", "scalars", "nothing"};
  ck_assert_uint_eq(ts_program_kernel_count(program), 4);
  for (size_t i = 0; i < 4; i++) ck_assert_str_eq(ts_program_kernel_name(program, i), names[i]);
  ck_assert_ptr_null(ts_program_kernel_name(program, 4));
  ts_kernel *kernel;
  ts_error error;
  assert_says(ts_kernel_get(&kernel, program, "scalar", &error), TS_ERROR_NO_KERNEL, &error,
              "kernel.c has no kernel \"scalar\"", "its kernels: scalars, scale, place, nothing", "");
  ts_program_destroy(program);
}
END_TEST

/* Whether a build's message points at line `line` of k.c, shows that line, and has a caret. */
static void assert_points_at(int device, const char *source, const char *line, const char *shown) {
  ts_program *program;
  ts_error error;
  ts_status status = ts_program_build(&program, devices[device], source, &(ts_build_options){.name = "k.c"}, &error);
  assert_says(status, TS_ERROR_BUILD, &error, "k.c did not build for", device_ids[device], "options: none");
  assert_says(status, TS_ERROR_BUILD, &error, line, shown, "^");
}

START_TEST(build_error__points_at_the_users_own_line) {
  assert_points_at(_i, "#include \"tensorstorage.h\"\n\nTS_KERNEL(k, (TS_GLOBAL_ARG(f32) x))\n{\n\tx[0] = foo;\n}\n",
                   "k.c:5:", "x[0] = foo;");
  assert_points_at(_i, "\nint before(void) { return foo; }\n#include \"tensorstorage.h\"\n", "k.c:2:", "return foo;");
  assert_points_at(_i, "// a comment\n#include <tensorstorage.h> // a comment\nint after(void) { return foo; }\n",
                   "k.c:3:", "return foo;");
}
END_TEST

START_TEST(build_error__shows_the_options) {
  static const char *const defines[] = {"N=4", NULL};
  ts_program *program;
  ts_error error;
  ts_build_options options = {.defines = defines, .fast_math = true};
  ts_status status = ts_program_build(&program, devices[_i], "#if N == 4\n#error four\n#endif\n", &options, &error);
  assert_says(status, TS_ERROR_BUILD, &error, "kernel.c did not build for", "options: -DN=4 fast math", "four");
}
END_TEST

START_TEST(build__refuses_an_unknown_standard) {
  ts_program *program;
  ts_error error;
  ts_status status = ts_program_build(&program, devices[_i], kernels, &(ts_build_options){.standard = "CL2.0"}, &error);
  assert_says(status, TS_ERROR_USAGE, &error, "\"CL2.0\" is no standard", "CL1.2", "CL3.0");
}
END_TEST

START_TEST(build__refuses_a_parameter_that_is_not_portable) {
  ts_program *program;
  ts_error error;
  ts_status status =
      ts_program_build(&program, devices[_i], "#include \"tensorstorage.h\"\nTS_KERNEL(k, (long n)) { }\n", NULL, &error);
  assert_says(status, TS_ERROR_BUILD, &error, "\"kernel.c\", line 2: kernel \"k\": parameter \"n\"", "\"long\"", "ts_i64");
}
END_TEST

/* Run a kernel of one f32 result. */
static float run_one(int device, const char *source, const ts_build_options *options) {
  ts_program *program = build(device, source, options);
  ts_kernel *kernel = get(program, "k");
  ts_buffer *y = make_buffer(device, TS_SPACE_global, sizeof(float));
  float result = -1;
  MUST(ts_kernel_arg_buffer(kernel, "y", y, &error));
  MUST(ts_kernel_launch(queues[device], kernel, (ts_grid){.items = {1}}, NULL, &error));
  MUST(ts_buffer_read(queues[device], y, 0, &result, sizeof result, &error));
  ts_buffer_destroy(y);
  ts_kernel_destroy(kernel);
  ts_program_destroy(program);
  return result;
}

START_TEST(build__takes_macros_with_blanks_and_headers_from_a_folder_with_a_blank) {
  char folder[] = "/tmp/check library XXXXXX", path[64];
  ck_assert_ptr_nonnull(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/mine.h", folder);
  FILE *file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  fputs("#pragma once\n#include \"tensorstorage.h\"\n#define THREE 3.0f\n", file);
  fclose(file);
  const char *const defines[] = {"SUM=1.0f + 1.0f", "RESULT_T=f32", NULL}, *const folders[] = {folder, NULL};
  ts_build_options options = {.defines = defines, .include_dirs = folders};
  float result = run_one(_i,
                         "#include \"mine.h\"\n#include \"mine.h\"\n#include \"tensorstorage.h\"\n"
                         "TS_KERNEL(k, (TS_GLOBAL_ARG(RESULT_T) y)) { y[0] = THREE + SUM; }\n",
                         &options);
  unlink(path);
  rmdir(folder);
  ck_assert_float_eq(result, 5.0f);
}
END_TEST

START_TEST(build__does_not_contract) {
  /* (1 + 2^-12)^2 - (1 + 2^-11) is 2^-24 when fused, and 0 when the product is rounded first. */
  static const char source[] = "#include \"tensorstorage.h\"\nTS_KERNEL(k, (TS_GLOBAL_ARG(f32) y)) {\n"
                               "  y[0] = 1.0f + 0x1p-12f;\n  float volatile a = y[0], c = -(1.0f + 0x1p-11f);\n"
                               "  float b = a;\n  y[0] = b * b + c;\n}\n";
  ck_assert_float_eq(run_one(_i, source, NULL), 0.0f);
}
END_TEST

START_TEST(opencl__standard_is_the_one_that_was_chosen) {
  static const char source[] = "#include \"tensorstorage.h\"\n"
                               "TS_KERNEL(k, (TS_GLOBAL_ARG(f32) y)) { y[0] = __OPENCL_C_VERSION__; }\n";
  ck_assert_float_eq(run_one(OPENCL, source, &(ts_build_options){.standard = "CL1.2"}), 120.0f);
  ck_assert_float_eq(run_one(OPENCL, source, &(ts_build_options){.standard = "CL3.0"}), 300.0f);
  ck_assert_float_eq(run_one(OPENCL, source, NULL), 300.0f);
}
END_TEST

START_TEST(opencl__signatures_follow_the_chosen_standard) {
  static const char source[] =
      "#include \"tensorstorage.h\"\n#if __OPENCL_C_VERSION__ >= 300 && TS_LANGUAGE_OPENCL && TS_HAVE_F64\n"
      "TS_KERNEL(k, (float new_one)) { }\n#else\nTS_KERNEL(k, (float old_one)) { }\n#endif\n";
  static const char *const standards[] = {"CL1.2", "CL3.0"}, *const names[] = {"old_one", "new_one"};
  for (int i = 0; i < 2; i++) {
    ts_program *program = build(OPENCL, source, &(ts_build_options){.standard = standards[i]});
    ts_kernel *kernel = get(program, "k");
    ck_assert_str_eq(ts_kernel_signature(kernel)->parameters[0].name, names[i]);
    ts_kernel_destroy(kernel);
    ts_program_destroy(program);
  }
}
END_TEST

/* ---- kernels ---------------------------------------------------------------------------------------------------- */

/* The kernel `scale` with all its arguments, and the buffers that it uses. */
typedef struct scaling {
  ts_program *program;
  ts_kernel *kernel;
  ts_buffer *x, *y, *table;
} scaling;

enum { ITEMS = 64, GROUP = 16 };

static scaling make_scaling(int device) {
  scaling s = {.program = build(device, kernels, NULL)};
  int32_t x[ITEMS];
  float table[GROUP];
  for (int i = 0; i < ITEMS; i++) x[i] = 3 * i - 50;
  for (int i = 0; i < GROUP; i++) table[i] = (float)(1000 * i);
  s.kernel = get(s.program, "scale");
  s.x = make_buffer(device, TS_SPACE_global, sizeof x);
  s.y = make_buffer(device, TS_SPACE_global, ITEMS * sizeof(float));
  s.table = make_buffer(device, TS_SPACE_constant, sizeof table);
  MUST(ts_buffer_write(queues[device], s.x, 0, x, sizeof x, &error));
  MUST(ts_buffer_write(queues[device], s.table, 0, table, sizeof table, &error));
  MUST(ts_kernel_arg_buffer(s.kernel, "x_cells", s.x, &error));
  MUST(ts_kernel_arg_buffer(s.kernel, "y_cells", s.y, &error));
  MUST(ts_kernel_arg_buffer(s.kernel, "table_cells", s.table, &error));
  MUST(ts_kernel_arg_shared(s.kernel, "scratch_cells", GROUP, &error));
  MUST(ts_kernel_arg_f32(s.kernel, "a", 2.0f, &error));
  return s;
}

static void destroy_scaling(scaling *s) {
  ts_kernel_destroy(s->kernel);
  ts_program_destroy(s->program);
  ts_buffer_destroy(s->x);
  ts_buffer_destroy(s->y);
  ts_buffer_destroy(s->table);
}

START_TEST(launch__runs_the_kernel_with_every_kind_of_argument) {
  scaling s = make_scaling(_i);
  ts_event *event = NULL;
  double seconds = -1;
  float y[ITEMS];
  MUST(ts_kernel_launch(queues[_i], s.kernel, (ts_grid){.items = {ITEMS}, .group = {GROUP}}, &event, &error));
  MUST(ts_event_wait(event, &error));
  MUST(ts_event_seconds(event, &seconds, &error));
  ck_assert(seconds >= 0 && seconds < 60);
  ts_event_destroy(event);
  MUST(ts_queue_finish(queues[_i], &error));
  MUST(ts_buffer_read(queues[_i], s.y, 0, y, sizeof y, &error));
  for (int i = 0; i < ITEMS; i++) {
    int mirrored = i / GROUP * GROUP + GROUP - 1 - i % GROUP;
    ck_assert_float_eq(y[i], (float)(2 * (3 * mirrored - 50) + 1000 * (i % GROUP)));
  }
  destroy_scaling(&s);
}
END_TEST

START_TEST(launch__covers_three_dimensions) {
  enum { X = 6, Y = 4, Z = 3 };
  static const size_t groups[][3] = {{0, 0, 0}, {1, 1, 1}, {3, 2, 1}, {6, 4, 3}, {2, 0, 0}, {3, 4, 0}};
  ts_program *program = build(_i, kernels, NULL);
  ts_kernel *kernel = get(program, "place");
  ts_buffer *y = make_buffer(_i, TS_SPACE_global, X * Y * Z * sizeof(int64_t));
  MUST(ts_kernel_arg_buffer(kernel, "y_cells", y, &error));
  MUST(ts_kernel_arg_i32(kernel, "columns", X, &error));
  MUST(ts_kernel_arg_i32(kernel, "rows", Y, &error));
  for (size_t g = 0; g < sizeof groups / sizeof groups[0]; g++) {
    int64_t got[X * Y * Z];
    memset(got, 0xFF, sizeof got);
    MUST(ts_buffer_write(queues[_i], y, 0, got, sizeof got, &error));
    ts_grid grid = {.items = {X, Y, Z}};
    memcpy(grid.group, groups[g], sizeof grid.group);
    MUST(ts_kernel_launch(queues[_i], kernel, grid, NULL, &error));
    MUST(ts_buffer_read(queues[_i], y, 0, got, sizeof got, &error));
    for (int i = 0; i < X * Y * Z; i++) ck_assert_int_eq(got[i], i % X + 100 * (i / X % Y) + 10000 * (i / X / Y));
  }
  ts_buffer_destroy(y);
  ts_kernel_destroy(kernel);
  ts_program_destroy(program);
}
END_TEST

START_TEST(scalars__arrive_as_they_were_given) {
  ts_program *program = build(_i, kernels, NULL);
  ts_kernel *kernel = get(program, "scalars");
  ts_buffer *y = make_buffer(_i, TS_SPACE_global, 6 * sizeof(double));
  double got[6];
  int8_t f = -7;
  MUST(ts_kernel_arg_buffer(kernel, "y_cells", y, &error));
  MUST(ts_kernel_arg_i32(kernel, "a", INT32_MIN, &error));
  MUST(ts_kernel_arg_u32(kernel, "b", UINT32_MAX, &error));
  MUST(ts_kernel_arg_i64(kernel, "c", -((int64_t)1 << 40), &error));
  MUST(ts_kernel_arg_u64(kernel, "d", (uint64_t)1 << 63, &error));
  MUST(ts_kernel_arg_f32(kernel, "e", 0.5f, &error));
  MUST(ts_kernel_arg_scalar(kernel, "f", TS_DTYPE_i8, &f, &error));
  MUST(ts_kernel_launch(queues[_i], kernel, (ts_grid){.items = {1}}, NULL, &error));
  MUST(ts_buffer_read(queues[_i], y, 0, got, sizeof got, &error));
  ck_assert_double_eq(got[0], -0x1p31);
  ck_assert_double_eq(got[1], 4294967295.0);
  ck_assert_double_eq(got[2], -0x1p40);
  ck_assert_double_eq(got[3], 0x1p63);
  ck_assert_double_eq(got[4], 0.5);
  ck_assert_double_eq(got[5], -7.0);
  ts_buffer_destroy(y);
  ts_kernel_destroy(kernel);
  ts_program_destroy(program);
}
END_TEST

START_TEST(argument__of_another_kind_is_refused_with_the_signature) {
  static const char signature[] = "scale(global const i32 x_cells, global f32 y_cells, constant f32 table_cells, shared f32 "
                                  "scratch_cells, f32 a)";
  scaling s = make_scaling(_i);
  ts_error error;
  ts_storage x = ts_buffer_storage(s.x, TS_DTYPE_i32), y = ts_buffer_storage(s.y, TS_DTYPE_f32);
  ts_kernel *k = s.kernel;
  assert_says(ts_kernel_arg_buffer(k, "x_cell", s.x, &error), TS_ERROR_ARGUMENT, &error, "no parameter \"x_cell\"",
              "the nearest is \"x_cells\"", signature);
  assert_says(ts_kernel_arg_buffer(k, "a", s.x, &error), TS_ERROR_ARGUMENT, &error, "\"a\" was given a buffer", "is a scalar",
              signature);
  assert_says(ts_kernel_arg_buffer(k, "x_cells", s.table, &error), TS_ERROR_ARGUMENT, &error, "was given a constant buffer",
              "is global memory", signature);
  assert_says(ts_kernel_arg_buffer(k, "table_cells", s.x, &error), TS_ERROR_ARGUMENT, &error, "was given a global buffer",
              "is constant memory", signature);
  assert_says(ts_kernel_arg_buffer(k, "scratch_cells", s.x, &error), TS_ERROR_ARGUMENT, &error, "was given a buffer",
              "is shared memory", signature);
  assert_says(ts_kernel_arg_shared(k, "x_cells", 4, &error), TS_ERROR_ARGUMENT, &error, "was given shared memory",
              "is global memory", signature);
  assert_says(ts_kernel_arg_i32(k, "a", 4, &error), TS_ERROR_ARGUMENT, &error, "\"a\" was given i32 and is f32", signature, "");
  assert_says(ts_kernel_arg_f32(k, "x_cells", 4, &error), TS_ERROR_ARGUMENT, &error, "was given a scalar", "is global memory",
              signature);
  assert_says(ts_kernel_arg_storage(k, "x_cells", ts_storage_unsafe_cast(x, TS_DTYPE_u32, false), &error), TS_ERROR_ARGUMENT,
              &error, "\"x_cells\" was given u32 and is i32", signature, "");
  assert_says(ts_kernel_arg_storage(k, "y_cells", ts_storage_unsafe_cast(y, TS_DTYPE_f32, true), &error), TS_ERROR_ARGUMENT,
              &error, "a const storage", "TS_GLOBAL_CONST_ARG", signature);
  MUST(ts_kernel_arg_storage(k, "x_cells", ts_storage_unsafe_cast(x, TS_DTYPE_i32, true), &error));
  MUST(ts_kernel_arg_storage(k, "y_cells", y, &error));
  destroy_scaling(&s);
}
END_TEST

START_TEST(argument__of_another_device_is_refused) {
  scaling s = make_scaling(_i);
  ts_buffer *foreign = make_buffer(1 - _i, TS_SPACE_global, 64);
  ts_error error;
  assert_says(ts_kernel_arg_buffer(s.kernel, "x_cells", foreign, &error), TS_ERROR_ARGUMENT, &error, "another device",
              device_ids[0], device_ids[1]);
  assert_says(ts_kernel_launch(queues[1 - _i], s.kernel, (ts_grid){.items = {ITEMS}}, NULL, &error), TS_ERROR_USAGE, &error,
              "another device", device_ids[0], device_ids[1]);
  ts_buffer_destroy(foreign);
  destroy_scaling(&s);
}
END_TEST

START_TEST(argument__may_start_inside_a_buffer) {
  size_t align = ts_device_get_info(devices[_i])->base_align_bytes, cells = align / sizeof(int64_t) + 1;
  if (cells < 2) cells = 2;
  ts_program *program = build(_i, kernels, NULL);
  ts_kernel *kernel = get(program, "place");
  ts_buffer *y = make_buffer(_i, TS_SPACE_global, (cells + 1) * sizeof(int64_t));
  int64_t *got = calloc(cells + 1, sizeof *got);
  for (size_t i = 0; i <= cells; i++) got[i] = -1;
  MUST(ts_buffer_write(queues[_i], y, 0, got, (cells + 1) * sizeof *got, &error));
  ts_storage inside = ts_storage_offset(ts_buffer_storage(y, TS_DTYPE_i64), (int64_t)cells - 1);
  MUST(ts_kernel_arg_storage(kernel, "y_cells", inside, &error));
  MUST(ts_kernel_arg_i32(kernel, "columns", 1, &error));
  MUST(ts_kernel_arg_i32(kernel, "rows", 1, &error));
  MUST(ts_kernel_launch(queues[_i], kernel, (ts_grid){.items = {2}}, NULL, &error));
  MUST(ts_buffer_read(queues[_i], y, 0, got, (cells + 1) * sizeof *got, &error));
  for (size_t i = 0; i <= cells; i++) ck_assert_int_eq(got[i], i + 1 < cells ? -1 : (int64_t)(i + 1 - cells));

  ts_error error;
  MUST(ts_kernel_arg_storage(kernel, "y_cells", ts_storage_offset(ts_buffer_storage(y, TS_DTYPE_i64), 0), &error));
  assert_says(ts_kernel_arg_storage(kernel, "y_cells", ts_storage_offset(inside, 3), &error), TS_ERROR_ARGUMENT, &error,
              "outside its buffer", "y_cells", "place(");
  free(got);
  ts_buffer_destroy(y);
  ts_kernel_destroy(kernel);
  ts_program_destroy(program);
}
END_TEST

START_TEST(opencl__start_that_the_device_cannot_pass_is_refused) {
  scaling s = make_scaling(OPENCL);
  ts_error error;
  ts_storage storage = ts_storage_offset(ts_buffer_storage(s.y, TS_DTYPE_f32), 1);
  assert_says(ts_kernel_arg_storage(s.kernel, "y_cells", storage, &error), TS_ERROR_UNSUPPORTED, &error, "starts at byte 4",
              "multiples of", "ts_offset");
  destroy_scaling(&s);
}
END_TEST

START_TEST(argument__may_be_null_or_an_empty_buffer) {
  static const char source[] = "#include \"tensorstorage.h\"\n"
                               "TS_KERNEL(k, (TS_GLOBAL_CONST_ARG(f32) a, TS_CONSTANT_ARG(f32) b, TS_GLOBAL_ARG(f32) y))\n"
                               "{ y[0] = ts_bind(ts_global_const, f32, a).global_cells ? 1.0f : 2.0f; }\n";
  ts_program *program = build(_i, source, NULL);
  ts_kernel *kernel = get(program, "k");
  ts_buffer *empty = make_buffer(_i, TS_SPACE_global, 0), *constant = make_buffer(_i, TS_SPACE_constant, 0);
  ts_buffer *y = make_buffer(_i, TS_SPACE_global, sizeof(float));
  float result = 0;
  ck_assert_uint_eq(ts_buffer_bytes(empty), 0);
  MUST(ts_buffer_write(queues[_i], empty, 0, NULL, 0, &error));
  MUST(ts_kernel_arg_buffer(kernel, "a", NULL, &error));
  MUST(ts_kernel_arg_buffer(kernel, "b", constant, &error));
  MUST(ts_kernel_arg_buffer(kernel, "y", y, &error));
  MUST(ts_kernel_launch(queues[_i], kernel, (ts_grid){.items = {1}}, NULL, &error));
  MUST(ts_buffer_read(queues[_i], y, 0, &result, sizeof result, &error));
  ck_assert_float_eq(result, 2.0f);
  MUST(ts_kernel_arg_buffer(kernel, "a", empty, &error));
  MUST(ts_kernel_arg_buffer(kernel, "b", NULL, &error));
  MUST(ts_kernel_launch(queues[_i], kernel, (ts_grid){.items = {1}}, NULL, &error));
  MUST(ts_queue_finish(queues[_i], &error));
  ts_buffer_destroy(empty);
  ts_buffer_destroy(constant);
  ts_buffer_destroy(y);
  ts_kernel_destroy(kernel);
  ts_program_destroy(program);
}
END_TEST

START_TEST(launch__names_every_argument_that_was_never_given) {
  ts_program *program = build(_i, kernels, NULL);
  ts_kernel *kernel = get(program, "scale");
  ts_error error;
  MUST(ts_kernel_arg_f32(kernel, "a", 1.0f, &error));
  MUST(ts_kernel_arg_shared(kernel, "scratch_cells", 1, &error));
  assert_says(ts_kernel_launch(queues[_i], kernel, (ts_grid){.items = {1}}, NULL, &error), TS_ERROR_ARGUMENT, &error,
              "no argument was given for \"x_cells\", \"y_cells\", \"table_cells\"\n", "scale(", "");
  ts_kernel_destroy(kernel);
  ts_program_destroy(program);
}
END_TEST

START_TEST(launch__refuses_a_grid_that_is_none) {
  const ts_device_info *info = ts_device_get_info(devices[_i]);
  ts_program *program = build(_i, kernels, NULL);
  ts_kernel *kernel = get(program, "nothing");
  size_t much = info->max_group_size[0] + 1, most = info->max_group_items;
  const struct {
    ts_grid grid;
    ts_status status;
    const char *says;
  } cases[] = {
      {{{0, 0, 0}, {0, 0, 0}}, TS_ERROR_USAGE, "0 x 0 x 0 work-items"},
      {{{4, 0, 4}, {0, 0, 0}}, TS_ERROR_USAGE, "4 x 0 x 4 work-items"},
      {{{4, 4, 0}, {0, 4, 0}}, TS_ERROR_USAGE, "the work-group is 0 x 4 x 0"},
      {{{10, 0, 0}, {4, 0, 0}}, TS_ERROR_USAGE, "10 work-items of dimension 0 are not a multiple of the 4"},
      {{{4, 0, 0}, {4, 2, 0}}, TS_ERROR_USAGE, "1 work-items of dimension 1 are not a multiple of the 2"},
      {{{much, 0, 0}, {much, 0, 0}}, TS_ERROR_LIMIT, "of a work-group are more than"},
      {{{most, 2, 0}, {most, 2, 0}}, TS_ERROR_LIMIT, "of the kernel nothing"},
      {{{(size_t)1 << 32, 0, 0}, {1, 0, 0}}, TS_ERROR_LIMIT, "more than 2147483647 work-groups"},
      {{{2, (size_t)1 << 31, (size_t)1 << 31}, {0, 0, 0}},
       TS_ERROR_LIMIT,
       "the grid has more than 9223372036854775807 work-items"},
      {{{SIZE_MAX, 0, 0}, {0, 0, 0}}, TS_ERROR_LIMIT, "the grid has more than 9223372036854775807 work-items"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    ts_error error;
    ts_status status = ts_kernel_launch(queues[_i], kernel, cases[i].grid, NULL, &error);
    assert_says(status, cases[i].status, &error, cases[i].says, "", "");
  }
  MUST(ts_kernel_launch(queues[_i], kernel, (ts_grid){.items = {most}, .group = {most}}, NULL, &error));
  MUST(ts_queue_finish(queues[_i], &error));
  ts_kernel_destroy(kernel);
  ts_program_destroy(program);
}
END_TEST

START_TEST(launch__counts_all_shared_and_all_constant_memory) {
  static const char source[] =
      "#include \"tensorstorage.h\"\n"
      "TS_KERNEL(k, (TS_SHARED_ARG(f32) s, TS_SHARED_ARG(f64) t, TS_CONSTANT_ARG(f32) b, TS_CONSTANT_ARG(f32) c))\n"
      "{ }\n";
  const ts_device_info *info = ts_device_get_info(devices[_i]);
  ts_program *program = build(_i, source, NULL);
  ts_kernel *kernel = get(program, "k");
  size_t half = info->shared_bytes / 2;
  ts_buffer *small = make_buffer(_i, TS_SPACE_constant, 8),
            *large = make_buffer(_i, TS_SPACE_constant, info->max_constant_bytes);
  ts_grid grid = {.items = {1}};
  ts_error error;
  MUST(ts_kernel_arg_shared(kernel, "s", half / sizeof(float), &error));
  MUST(ts_kernel_arg_shared(kernel, "t", half / sizeof(double), &error));
  MUST(ts_kernel_arg_buffer(kernel, "b", small, &error));
  MUST(ts_kernel_arg_buffer(kernel, "c", NULL, &error));
  MUST(ts_kernel_launch(queues[_i], kernel, grid, NULL, &error));
  MUST(ts_queue_finish(queues[_i], &error));

  MUST(ts_kernel_arg_shared(kernel, "t", half / sizeof(double) + 1, &error));
  assert_says(ts_kernel_launch(queues[_i], kernel, grid, NULL, &error), TS_ERROR_LIMIT, &error, "bytes of shared memory",
              "k needs", info->id);
  MUST(ts_kernel_arg_shared(kernel, "t", 1, &error));
  MUST(ts_kernel_arg_buffer(kernel, "c", large, &error));
  assert_says(ts_kernel_launch(queues[_i], kernel, grid, NULL, &error), TS_ERROR_LIMIT, &error, "bytes of constant memory",
              "together", info->id);
  assert_says(ts_kernel_arg_shared(kernel, "s", info->shared_bytes / sizeof(float) + 1, &error), TS_ERROR_LIMIT, &error,
              "bytes of shared memory", "\"s\"", info->id);
  assert_says(ts_kernel_arg_shared(kernel, "s", SIZE_MAX, &error), TS_ERROR_LIMIT, &error, "bytes of shared memory", "\"s\"",
              info->id);
  assert_says(ts_kernel_arg_shared(kernel, "s", 0, &error), TS_ERROR_USAGE, &error, "at least one", "\"s\"", "");
  ts_buffer_destroy(small);
  ts_buffer_destroy(large);
  ts_kernel_destroy(kernel);
  ts_program_destroy(program);
}
END_TEST

START_TEST(opencl__shared_memory_that_the_kernel_declares_counts) {
  static const char source[] = "#include \"tensorstorage.h\"\nTS_KERNEL(k, (TS_SHARED_ARG(f32) s, TS_GLOBAL_ARG(f32) y))\n"
                               "{ TS_SHARED(t, f32, 1024);\n  ts_store(ts_shared, f32, 1, t, ts_item_in_group(0), 1.0f, 0);\n"
                               "  ts_barrier();\n  y[0] = ts_load(ts_shared, f32, 1, t, 0, 0); s[0] = y[0]; }\n";
  const ts_device_info *info = ts_device_get_info(devices[OPENCL]);
  ts_program *program = build(OPENCL, source, NULL);
  ts_kernel *kernel = get(program, "k");
  ts_buffer *y = make_buffer(OPENCL, TS_SPACE_global, sizeof(float));
  ts_error error;
  MUST(ts_kernel_arg_buffer(kernel, "y", y, &error));
  MUST(ts_kernel_arg_shared(kernel, "s", info->shared_bytes / sizeof(float) - 1000, &error));
  assert_says(ts_kernel_launch(queues[OPENCL], kernel, (ts_grid){.items = {1}}, NULL, &error), TS_ERROR_LIMIT, &error,
              "k needs", "bytes of shared memory", info->id);
  ts_buffer_destroy(y);
  ts_kernel_destroy(kernel);
  ts_program_destroy(program);
}
END_TEST

/* ---- signatures and OpenCL's own word ----------------------------------------------------------------------------- */

/* A source with a kernel for each space, each with a parameter of each dtype, and one of scalars. */
static char *source_of_all_dtypes(void) {
  static const char *const macros[] = {"TS_GLOBAL_ARG", "TS_GLOBAL_CONST_ARG", "TS_CONSTANT_ARG", "TS_SHARED_ARG"};
  ts_text text = {0};
  ts_text_print(&text, "#include \"tensorstorage.h\"\n");
  for (int m = 0; m < 4; m++) {
    ts_text_print(&text, "TS_KERNEL(k%d, (", m);
    for (int i = 0; i < TS_DTYPE_COUNT; i++)
      ts_text_print(&text, "%s%s(%s) p%d", i ? ", " : "", macros[m], ts_dtype_name((ts_dtype)i), i);
    ts_text_print(&text, ")) { }\n");
  }
  ts_text_print(&text, "TS_KERNEL(k4, (");
  for (int i = 0; i < TS_DTYPE_COUNT; i++) ts_text_print(&text, "%sts_%s p%d", i ? ", " : "", ts_dtype_name((ts_dtype)i), i);
  ts_text_print(&text, ")) { }\n");
  ck_assert(!text.failed);
  return text.chars;
}

static cl_program build_with_opencl(cl_device_id device, cl_context context, const char *source) {
  ts_text text = {0};
  ts_error error = {.status = TS_OK};
  ts_build_options options = {.name = "k.c"};
  bool has_header;
  cl_int code;
  ck_assert_int_eq(ts_source_flatten(&text, source, ts_embedded_header, &options, &has_header, &error), TS_OK);
  cl_program program = clCreateProgramWithSource(context, 1, (const char **)&text.chars, NULL, &code);
  ck_assert_int_eq(code, CL_SUCCESS);
  ck_assert_int_eq(clBuildProgram(program, 1, &device, "-cl-std=CL1.2 -cl-kernel-arg-info", NULL, NULL), CL_SUCCESS);
  free(text.chars);
  return program;
}

/* Compare one parameter with what OpenCL says of it. */
static void assert_agrees(cl_kernel kernel, cl_uint index, const ts_parameter *parameter) {
  char name[64], type[64], expected[64];
  cl_kernel_arg_address_qualifier space;
  cl_kernel_arg_type_qualifier qualifiers;
  ck_assert_int_eq(clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_NAME, sizeof name, name, NULL), CL_SUCCESS);
  ck_assert_int_eq(clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_TYPE_NAME, sizeof type, type, NULL), CL_SUCCESS);
  ck_assert_int_eq(clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, NULL), CL_SUCCESS);
  ck_assert_int_eq(clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifiers, &qualifiers, NULL),
                   CL_SUCCESS);
  snprintf(expected, sizeof expected, "ts_%s%s", ts_dtype_name(parameter->dtype), parameter->is_scalar ? "" : "*");
  ck_assert_str_eq(name, parameter->name);
  ck_assert_str_eq(type, expected);
  cl_kernel_arg_address_qualifier expected_space = parameter->is_scalar                    ? CL_KERNEL_ARG_ADDRESS_PRIVATE
                                                   : parameter->space == TS_SPACE_global   ? CL_KERNEL_ARG_ADDRESS_GLOBAL
                                                   : parameter->space == TS_SPACE_constant ? CL_KERNEL_ARG_ADDRESS_CONSTANT
                                                                                           : CL_KERNEL_ARG_ADDRESS_LOCAL;
  ck_assert_uint_eq(space, expected_space);
  ck_assert_int_eq((qualifiers & CL_KERNEL_ARG_TYPE_CONST) != 0, !parameter->is_scalar && parameter->is_const);
}

START_TEST(opencl__confirms_every_signature) {
  cl_platform_id platform;
  cl_device_id device;
  cl_int code;
  clGetPlatformIDs(1, &platform, NULL);
  clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
  ck_assert_int_eq(code, CL_SUCCESS);
  char *source = source_of_all_dtypes();
  cl_program theirs = build_with_opencl(device, context, source);
  ts_program *ours = build(OPENCL, source, NULL);
  int compared = 0;
  for (int k = 0; k < 5; k++) {
    char name[16];
    snprintf(name, sizeof name, "k%d", k);
    ts_kernel *kernel = get(ours, name);
    cl_kernel theirs_kernel = clCreateKernel(theirs, name, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    const ts_signature *signature = ts_kernel_signature(kernel);
    cl_uint count = 0;
    clGetKernelInfo(theirs_kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL);
    ck_assert_uint_eq(signature->parameter_count, count);
    for (cl_uint i = 0; i < count; i++, compared++) assert_agrees(theirs_kernel, i, &signature->parameters[i]);
    clReleaseKernel(theirs_kernel);
    ts_kernel_destroy(kernel);
  }
  ck_assert_int_eq(compared, 5 * TS_DTYPE_COUNT);
  free(source);
  ts_program_destroy(ours);
  clReleaseProgram(theirs);
  clReleaseContext(context);
}
END_TEST

START_TEST(opencl__kernel_without_the_header_takes_arguments_by_position) {
  static const char source[] = "__kernel void plain(__global float *y, __local float *s, float a)\n"
                               "{ s[0] = a; y[0] = s[0] + 1.0f; }\n";
  ts_program *program = build(OPENCL, source, NULL);
  ck_assert_uint_eq(ts_program_kernel_count(program), 1);
  ts_kernel *kernel = get(program, "plain");
  ck_assert(!ts_kernel_signature(kernel)->is_checked);
  ck_assert_uint_eq(ts_kernel_signature(kernel)->parameter_count, 3);
  ts_buffer *y = make_buffer(OPENCL, TS_SPACE_global, sizeof(float));
  ts_error error;
  float result = 0;
  assert_says(ts_kernel_arg_buffer(kernel, "y", y, &error), TS_ERROR_ARGUMENT, &error, "by position", "plain(0, 1, 2)",
              "\"y\"");
  assert_says(ts_kernel_launch(queues[OPENCL], kernel, (ts_grid){.items = {1}}, NULL, &error), TS_ERROR_ARGUMENT, &error,
              "\"0\", \"1\", \"2\"", "", "");
  MUST(ts_kernel_arg_buffer(kernel, "0", y, &error));
  MUST(ts_kernel_arg_shared(kernel, "1", sizeof(float), &error));
  MUST(ts_kernel_arg_f32(kernel, "2", 4.0f, &error));
  MUST(ts_kernel_launch(queues[OPENCL], kernel, (ts_grid){.items = {1}}, NULL, &error));
  MUST(ts_buffer_read(queues[OPENCL], y, 0, &result, sizeof result, &error));
  ck_assert_float_eq(result, 5.0f);
  ts_buffer_destroy(y);
  ts_kernel_destroy(kernel);
  ts_program_destroy(program);
}
END_TEST

START_TEST(opencl__program_that_cannot_be_read_is_looked_up_in_the_driver) {
  /* A preprocessor without __has_attribute stops here; the compiler does not. */
  static const char source[] = "#include \"tensorstorage.h\"\n#if __has_attribute(aligned)\n#endif\n"
                               "TS_KERNEL(k, (TS_GLOBAL_ARG(f32) y)) { y[0] = 1.0f; }\n";
  ts_program *program = build(OPENCL, source, NULL);
  ts_kernel *kernel = get(program, "k");
  ck_assert(!ts_kernel_signature(kernel)->is_checked);
  ck_assert_uint_eq(ts_kernel_signature(kernel)->parameter_count, 1);
  ts_kernel_destroy(kernel);
  ts_program_destroy(program);
}
END_TEST

START_TEST(opencl__bad_option_is_a_build_error) {
  ts_program *program;
  ts_error error;
  ts_status status =
      ts_program_build(&program, devices[OPENCL], kernels, &(ts_build_options){.extra = "-no-such-option"}, &error);
  assert_says(status, TS_ERROR_BUILD, &error, "-no-such-option", "cl:0:0", "did not build");
}
END_TEST

int main(void) {
  ts_device *device = NULL;
  bool has_opencl = ts_device_open(&device, device_ids[OPENCL], NULL) == TS_OK;
  ts_device_close(device);
  ts_skip_unless("pocl", has_opencl, "no OpenCL device cl:0:0 (on Debian: install pocl-opencl-icd)");

  TCase *cases = tcase_create("library");
  tcase_set_timeout(cases, 120);
  tcase_add_unchecked_fixture(cases, open_devices, close_devices);
  tcase_add_test(cases, device_list__starts_with_the_host);
  tcase_add_loop_test(cases, device_info__is_complete, 0, DEVICES);
  tcase_add_test(cases, opencl__info_is_what_the_driver_says);
  tcase_add_test(cases, device_open__of_none_lists_what_there_is);
  tcase_add_test(cases, device_open__takes_a_glob_on_the_name_if_one_device_matches);
  tcase_add_test(cases, device_open__of_null_obeys_the_environment_then_prefers_opencl);
  tcase_add_loop_test(cases, buffer__returns_what_was_written_and_touches_nothing_else, 0, DEVICES);
  tcase_add_loop_test(cases, buffer__refuses_a_range_that_is_not_inside, 0, DEVICES);
  tcase_add_loop_test(cases, buffer__of_another_device_is_refused, 0, DEVICES);
  tcase_add_loop_test(cases, buffer_create__has_exactly_the_limits_of_the_device, 0, DEVICES);
  tcase_add_loop_test(cases, null__is_refused_by_name_and_destroyed_without_harm, 0, DEVICES);
  tcase_add_loop_test(cases, storage_distance__of_an_offset_is_that_offset, 0, DEVICES);
  tcase_add_loop_test(cases, storage__has_the_name_that_it_has_in_a_kernel, 0, DEVICES);
  tcase_add_loop_test(cases, program__lists_its_kernels_in_order, 0, DEVICES);
  tcase_add_loop_test(cases, build_error__points_at_the_users_own_line, 0, DEVICES);
  tcase_add_loop_test(cases, build_error__shows_the_options, 0, DEVICES);
  tcase_add_loop_test(cases, build__refuses_an_unknown_standard, 0, DEVICES);
  tcase_add_loop_test(cases, build__refuses_a_parameter_that_is_not_portable, 0, DEVICES);
  tcase_add_loop_test(cases, build__takes_macros_with_blanks_and_headers_from_a_folder_with_a_blank, 0, DEVICES);
  tcase_add_loop_test(cases, build__does_not_contract, 0, DEVICES);
  tcase_add_test(cases, opencl__standard_is_the_one_that_was_chosen);
  tcase_add_test(cases, opencl__signatures_follow_the_chosen_standard);
  tcase_add_loop_test(cases, launch__runs_the_kernel_with_every_kind_of_argument, 0, DEVICES);
  tcase_add_loop_test(cases, launch__covers_three_dimensions, 0, DEVICES);
  tcase_add_loop_test(cases, scalars__arrive_as_they_were_given, 0, DEVICES);
  tcase_add_loop_test(cases, argument__of_another_kind_is_refused_with_the_signature, 0, DEVICES);
  tcase_add_loop_test(cases, argument__of_another_device_is_refused, 0, DEVICES);
  tcase_add_loop_test(cases, argument__may_start_inside_a_buffer, 0, DEVICES);
  tcase_add_test(cases, opencl__start_that_the_device_cannot_pass_is_refused);
  tcase_add_loop_test(cases, argument__may_be_null_or_an_empty_buffer, 0, DEVICES);
  tcase_add_loop_test(cases, launch__names_every_argument_that_was_never_given, 0, DEVICES);
  tcase_add_loop_test(cases, launch__refuses_a_grid_that_is_none, 0, DEVICES);
  tcase_add_loop_test(cases, launch__counts_all_shared_and_all_constant_memory, 0, DEVICES);
  tcase_add_test(cases, opencl__shared_memory_that_the_kernel_declares_counts);
  tcase_add_test(cases, opencl__confirms_every_signature);
  tcase_add_test(cases, opencl__kernel_without_the_header_takes_arguments_by_position);
  tcase_add_test(cases, opencl__program_that_cannot_be_read_is_looked_up_in_the_driver);
  tcase_add_test(cases, opencl__bad_option_is_a_build_error);
  Suite *suite = suite_create("library");
  suite_add_tcase(suite, cases);
  SRunner *runner = srunner_create(suite);
  srunner_set_fork_status(runner, CK_NOFORK);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
