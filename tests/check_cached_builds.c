/* SPDX-License-Identifier: Apache-2.0
 *
 * check_cached_builds.c: programs from the cache, on the host and on PoCL: whatever a build hangs on, a
 * change of it is built anew, and a program that was found is the one that was built.
 *
 * OpenCL's functions are ours first: they count, and tell of another driver or refuse where a case says so. The host's compiler
 * is called by a script that counts. check_cache.c has the files themselves, check_nvrtc.c what NVRTC makes.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <check.h>
#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "host/backend.h"
#include "host/prepare.h"
#include "host/process.h"
#include "require.h"

static const char *const device_ids[] = {"host", "cl:0:0"};
enum { DEVICES = 2, HOST = 0, OPENCL = 1 };
static ts_device *devices[DEVICES];
static ts_queue *queues[DEVICES];
static ts_error error;

/* ---- OpenCL between us and the loader --------------------------------------------------------------------------------- */

static int opencl_compiles;          /* programs that were made from source */
static cl_uint changed_question;     /* a question to which the driver seems to have another answer; 0: none */
static cl_int refused_with;          /* what clCreateProgramWithBinary fails with; 0: it does as it does */
static bool is_binary_build_refused; /* whether such a program does not build */
static cl_program from_binary;

static void find_next(void *function, const char *name) {
  void *symbol = dlsym(RTLD_NEXT, name);
  if (!symbol) abort(); /* the loader has them all */
  memcpy(function, &symbol, sizeof symbol);
}

/* Change the first letter of a text that the driver gave. */
static void change(cl_uint question, size_t size, void *value) {
  if (question == changed_question && size > 0 && value) *(char *)value = *(char *)value == '?' ? '!' : '?';
}

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info question, size_t size, void *value, size_t *size_ret) {
  cl_int (*next)(cl_device_id, cl_device_info, size_t, void *, size_t *);
  find_next(&next, "clGetDeviceInfo");
  cl_int code = next(device, question, size, value, size_ret);
  change(question, size, value);
  return code;
}

cl_int clGetPlatformInfo(cl_platform_id platform, cl_platform_info question, size_t size, void *value, size_t *size_ret) {
  cl_int (*next)(cl_platform_id, cl_platform_info, size_t, void *, size_t *);
  find_next(&next, "clGetPlatformInfo");
  cl_int code = next(platform, question, size, value, size_ret);
  change(question, size, value);
  return code;
}

cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char **texts, const size_t *lengths,
                                     cl_int *code) {
  cl_program (*next)(cl_context, cl_uint, const char **, const size_t *, cl_int *);
  find_next(&next, "clCreateProgramWithSource");
  opencl_compiles++;
  from_binary = NULL; /* it may get the same address */
  return next(context, count, texts, lengths, code);
}

cl_program clCreateProgramWithBinary(cl_context context, cl_uint count, const cl_device_id *of, const size_t *lengths,
                                     const unsigned char **binaries, cl_int *states, cl_int *code) {
  cl_program (*next)(cl_context, cl_uint, const cl_device_id *, const size_t *, const unsigned char **, cl_int *, cl_int *);
  find_next(&next, "clCreateProgramWithBinary");
  if (refused_with) {
    *code = refused_with;
    return NULL;
  }
  from_binary = next(context, count, of, lengths, binaries, states, code);
  return from_binary;
}

cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id *of, const char *options,
                      void(CL_CALLBACK *notify)(cl_program, void *), void *user) {
  cl_int (*next)(cl_program, cl_uint, const cl_device_id *, const char *, void(CL_CALLBACK *)(cl_program, void *), void *);
  find_next(&next, "clBuildProgram");
  if (is_binary_build_refused && program == from_binary) return CL_BUILD_PROGRAM_FAILURE;
  return next(program, count, of, options, notify, user);
}

/* ---- a place of its own -------------------------------------------------------------------------------------------------- */

static char place[256], folder[300], counting_cc[300];

/* A C compiler that leaves a line in a file for each object that it links. */
static void make_counting_cc(void) {
  FILE *script = fopen(counting_cc, "w");
  ck_assert_ptr_nonnull(script);
  fprintf(script, "#!/bin/sh\ncase \"$*\" in *-shared*) echo one >>'%s/compiles' ;; esac\nexec %s \"$@\"\n", place,
          ts_environment_or("CC", "cc"));
  fclose(script);
  chmod(counting_cc, 0700);
}

static void open_devices(void) {
  snprintf(place, sizeof place, "%s/check-cached-XXXXXX", ts_environment_or("TMPDIR", "/tmp"));
  ck_assert_ptr_nonnull(mkdtemp(place));
  snprintf(folder, sizeof folder, "%s/cache", place);
  snprintf(counting_cc, sizeof counting_cc, "%s/cc", place);
  make_counting_cc();
  setenv("CC", counting_cc, 1);
  setenv("TENSORSTORAGE_CACHE_DIR", folder, 1);
  for (int i = 0; i < DEVICES; i++) {
    ck_assert_msg(ts_device_open(&devices[i], device_ids[i], &error) == TS_OK, "%s", error.message);
    ck_assert_msg(ts_queue_create(&queues[i], devices[i], &error) == TS_OK, "%s", error.message);
  }
}

static void clear(const char *path) {
  char command[400];
  snprintf(command, sizeof command, "rm -rf '%s'", path);
  ck_assert_int_eq(system(command), 0);
}

static void close_devices(void) {
  for (int i = 0; i < DEVICES; i++) {
    ts_queue_destroy(queues[i]);
    ts_device_close(devices[i]);
  }
  clear(place);
}

static void set_up(void) {
  clear(folder);
  setenv("TENSORSTORAGE_CACHE", "on", 1);
  changed_question = 0;
  refused_with = 0;
  is_binary_build_refused = false;
  error = (ts_error){.status = TS_OK};
}

static int compiles(int device) {
  if (device == OPENCL) return opencl_compiles;
  char path[300];
  snprintf(path, sizeof path, "%s/compiles", place);
  size_t bytes;
  char *lines = ts_file_read(path, &bytes, &error);
  free(lines);
  return (int)(bytes / strlen("one\n"));
}

/* The path of the cache's only file. */
static const char *only_file(void) {
  static char path[700];
  int count = 0;
  DIR *files = opendir(folder);
  ck_assert_ptr_nonnull(files);
  for (struct dirent *file = readdir(files); file; file = readdir(files)) {
    if (file->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "%s/%s", folder, file->d_name);
    count++;
  }
  closedir(files);
  ck_assert_int_eq(count, 1);
  return path;
}

/* ---- a program -------------------------------------------------------------------------------------------------------------
 */

static const char source[] = "#define TS_USE_i32 1\n"
                             "#define TS_USE_f16 1\n"
                             "#include \"tensorstorage.h\"\n"
                             "#ifndef FACTOR\n"
                             "#define FACTOR 2\n"
                             "#endif\n"
                             "TS_KERNEL(times, (TS_GLOBAL_ARG(i32) y_cells, int addend))\n"
                             "{\n"
                             "  ts_global_i32 y = ts_bind(ts_global, i32, y_cells);\n"
                             "  ts_index i = ts_global_id(0);\n"
                             "  ts_store(ts_global, i32, 1, y, i, FACTOR * (int)i + addend, 0);\n"
                             "}\n"
                             "TS_KERNEL(nothing, (TS_CONSTANT_ARG(f16) table_cells)) { (void)table_cells; }\n";

static ts_program *build(int device, const char *text, const ts_build_options *options) {
  ts_program *program = NULL;
  ck_assert_msg(ts_program_build(&program, devices[device], text, options, &error) == TS_OK, "%s", error.message);
  return program;
}

/* Check that y[i] = factor * i + 5 for a few i. */
static void assert_computes(int device, ts_program *program, int factor) {
  enum { COUNT = 16 };
  int32_t y[COUNT] = {0};
  ts_kernel *kernel = NULL;
  ts_buffer *buffer = NULL;
  const ts_grid grid = {.items = {COUNT}};
  ts_status status = ts_kernel_get(&kernel, program, "times", &error);
  if (!status) status = ts_buffer_create(&buffer, devices[device], TS_SPACE_global, sizeof y, &error);
  if (!status) status = ts_buffer_write(queues[device], buffer, 0, y, sizeof y, &error);
  if (!status) status = ts_kernel_arg_buffer(kernel, "y_cells", buffer, &error);
  if (!status) status = ts_kernel_arg_i32(kernel, "addend", 5, &error);
  if (!status) status = ts_kernel_launch(queues[device], kernel, grid, NULL, &error);
  if (!status) status = ts_buffer_read(queues[device], buffer, 0, y, sizeof y, &error);
  ck_assert_msg(status == TS_OK, "%s", error.message);
  for (int i = 0; i < COUNT; i++) ck_assert_int_eq(y[i], factor * i + 5);
  ts_kernel_destroy(kernel);
  ts_buffer_destroy(buffer);
}

/* Build, compute, and return how often a compiler ran for it. */
static int cost(int device, const char *text, const ts_build_options *options, int factor) {
  int before = compiles(device);
  ts_program *program = build(device, text, options);
  int count = compiles(device) - before;
  assert_computes(device, program, factor);
  ts_program_destroy(program);
  return count;
}

static const ts_build_options plain = {.name = "times.c"};

START_TEST(cached_build__needs_no_compiler_the_second_time) {
  ck_assert_int_eq(cost(_i, source, &plain, 2), 1);
  ck_assert_int_eq(cost(_i, source, &plain, 2), 0);
  ck_assert_int_eq(cost(_i, source, &plain, 2), 0);
}
END_TEST

START_TEST(cached_build__has_the_same_kernels) {
  char signatures[2][2][256];
  for (int round = 0; round < 2; round++) {
    ts_program *program = build(_i, source, &plain);
    ck_assert_uint_eq(ts_program_kernel_count(program), 2);
    for (size_t k = 0; k < 2; k++) {
      ts_kernel *kernel = NULL;
      ck_assert_int_eq(ts_kernel_get(&kernel, program, ts_program_kernel_name(program, k), &error), TS_OK);
      ts_signature_text(signatures[round][k], sizeof signatures[round][k], ts_kernel_signature(kernel));
      ts_kernel_destroy(kernel);
    }
    ts_program_destroy(program);
  }
  ck_assert_str_eq(signatures[0][0], "times(global i32 y_cells, i32 addend)");
  ck_assert_str_eq(signatures[1][0], signatures[0][0]);
  ck_assert_str_eq(signatures[0][1], "nothing(constant f16 table_cells)");
  ck_assert_str_eq(signatures[1][1], signatures[0][1]);
}
END_TEST

START_TEST(opencl__cached_build_finds_kernels_without_a_signature) {
  static const char text[] = "kernel void a(global int *y) { *y = 1; }\nkernel void b(global int *y, int n) { *y = n; }\n";
  for (int round = 0; round < 2; round++) {
    int before = opencl_compiles;
    ts_program *program = build(OPENCL, text, &plain);
    ck_assert_int_eq(opencl_compiles - before, round == 0);
    ck_assert_uint_eq(ts_program_kernel_count(program), 2);
    ts_kernel *kernel = NULL;
    ck_assert_int_eq(ts_kernel_get(&kernel, program, "b", &error), TS_OK);
    ck_assert(!ts_kernel_signature(kernel)->is_checked);
    ck_assert_uint_eq(ts_kernel_signature(kernel)->parameter_count, 2);
    ts_kernel_destroy(kernel);
    ts_program_destroy(program);
  }
}
END_TEST

/* ---- what a build hangs on ------------------------------------------------------------------------------------------------
 */

START_TEST(cached_build__of_another_source_or_with_other_options_is_built) {
  static const char *const three[] = {"FACTOR=3", NULL}, *const unused[] = {"UNUSED", NULL};
  const ts_build_options with_three = {.name = "times.c", .defines = three},
                         with_unused = {.name = "times.c", .defines = unused},
                         with_extra = {.name = "times.c", .extra = "-DFACTOR=4"}, fast = {.name = "times.c", .fast_math = true},
                         of_1_2 = {.name = "times.c", .standard = "CL1.2"}, renamed = {.name = "others.c"};
  char commented[sizeof source + 16];
  snprintf(commented, sizeof commented, "%s// a note\n", source);
  ck_assert_int_eq(cost(_i, source, &plain, 2), 1);
  for (int round = 0; round < 2; round++) {
    int expected = round == 0;
    ck_assert_int_eq(cost(_i, source, &with_three, 3), expected);
    ck_assert_int_eq(cost(_i, source, &with_unused, 2), expected);
    ck_assert_int_eq(cost(_i, source, &with_extra, 4), expected);
    ck_assert_int_eq(cost(_i, source, &fast, 2), expected);
    ck_assert_int_eq(cost(_i, source, &renamed, 2), expected); /* its name is in what a debugger shows */
    ck_assert_int_eq(cost(_i, commented, &plain, 2), expected);
    if (_i == OPENCL) ck_assert_int_eq(cost(_i, source, &of_1_2, 2), expected);
    ck_assert_int_eq(cost(_i, source, &plain, 2), 0);
  }
}
END_TEST

/* Build a text that the library would make. Returns how often a compiler ran for it. */
static int cost_of_text(int device, const char *text, const ts_prepared *p) {
  ts_program *program = NULL;
  const ts_backend *backend = devices[device]->backend;
  int before = compiles(device);
  ts_status status =
      backend->program_build(&program, devices[device], text, p->signatures.rows, p->signatures.count, &plain, &error);
  ck_assert_msg(status == TS_OK, "%s", error.message);
  backend->program_destroy(program);
  return compiles(device) - before;
}

START_TEST(cached_build__with_one_byte_of_the_header_changed_is_built) {
  ts_prepared p = {0};
  ck_assert_int_eq(ts_prepare(&p, devices[_i]->backend->language, "", source, &plain, &error), TS_OK);
  ck_assert_int_eq(cost_of_text(_i, p.text.chars, &p), 1);
  ck_assert_int_eq(cost_of_text(_i, p.text.chars, &p), 0);
  char *header = strstr(p.text.chars, "#line 1 \"tensorstorage.h\"\n");
  ck_assert_ptr_nonnull(header);
  char *blank = strchr(strchr(header, '\n'), ' ');
  *blank = '\t';
  ck_assert_int_eq(cost_of_text(_i, p.text.chars, &p), 1);
  *blank = ' ';
  ck_assert_int_eq(cost_of_text(_i, p.text.chars, &p), 0);
  ts_prepared_free(&p);
}
END_TEST

static const cl_uint questions[] = {CL_DEVICE_NAME,    CL_DEVICE_VENDOR,     CL_DEVICE_VERSION,
                                    CL_DRIVER_VERSION, CL_DEVICE_EXTENSIONS, CL_PLATFORM_VERSION};
enum { QUESTIONS = sizeof questions / sizeof questions[0] };

START_TEST(opencl__cached_build_by_another_driver_is_built) {
  const ts_build_options of_1_2 = {.name = "times.c", .standard = "CL1.2"}; /* whatever version the driver says */
  ck_assert_int_eq(cost(OPENCL, source, &of_1_2, 2), 1);
  changed_question = questions[_i];
  ck_assert_int_eq(cost(OPENCL, source, &of_1_2, 2), 1);
  ck_assert_int_eq(cost(OPENCL, source, &of_1_2, 2), 0);
  changed_question = 0;
  ck_assert_int_eq(cost(OPENCL, source, &of_1_2, 2), 0);
}
END_TEST

START_TEST(host__cached_build_by_another_compiler_or_machine_is_built) {
  ck_assert_int_eq(cost(HOST, source, &plain, 2), 1);
  ck_assert_int_eq(cost(HOST, source, &plain, 2), 0);

  char *flags = getenv("TENSORSTORAGE_HOST_FLAGS"), *kept = flags ? strdup(flags) : NULL, more[1024];
  snprintf(more, sizeof more, "%s -DFACTOR=6", kept ? kept : "");
  setenv("TENSORSTORAGE_HOST_FLAGS", more, 1);
  ck_assert_int_eq(cost(HOST, source, &plain, 6), 1);
  if (kept)
    setenv("TENSORSTORAGE_HOST_FLAGS", kept, 1);
  else
    unsetenv("TENSORSTORAGE_HOST_FLAGS");
  free(kept);

  char with_option[400];
  snprintf(with_option, sizeof with_option, "%s -DFACTOR=7", counting_cc);
  setenv("CC", with_option, 1);
  ck_assert_int_eq(cost(HOST, source, &plain, 7), 1);
  setenv("CC", counting_cc, 1);
  ck_assert_int_eq(cost(HOST, source, &plain, 2), 0);

  const struct timeval long_ago[2] = {{1000, 0}, {1000, 0}};
  ck_assert_int_eq(utimes(counting_cc, long_ago), 0);
  ck_assert_int_eq(cost(HOST, source, &plain, 2), 1);

  char *texts[] = {devices[HOST]->info.name, devices[HOST]->info.language};
  for (int i = 0; i < 2; i++) {
    char was = texts[i][0];
    texts[i][0] = '?';
    ck_assert_int_eq(cost(HOST, source, &plain, 2), 1);
    texts[i][0] = was;
    ck_assert_int_eq(cost(HOST, source, &plain, 2), 0);
  }
}
END_TEST

START_TEST(cached_build__takes_no_text_that_includes_what_it_does_not_hold) {
  char text[sizeof source + 64];
  snprintf(text, sizeof text, "#if 0\n#include <an_own_header.h>\n#endif\n%s", source);
  ck_assert_int_eq(cost(_i, text, &plain, 2), 1);
  ck_assert_int_eq(cost(_i, text, &plain, 2), 1);
  ck_assert_int_eq(access(folder, F_OK), -1);
}
END_TEST

/* A header of the user's own is in the text, and so in the key. */
START_TEST(cached_build__with_another_header_of_the_users_is_built) {
  char header[300], text[sizeof source + 64];
  const char *const folders[] = {place, NULL};
  const ts_build_options with_folder = {.name = "times.c", .include_dirs = folders};
  snprintf(header, sizeof header, "%s/factor.h", place);
  snprintf(text, sizeof text, "#include \"factor.h\"\n%s", source);
  for (int factor = 8; factor <= 9; factor++) {
    char line[32];
    snprintf(line, sizeof line, "#define FACTOR %d\n", factor);
    ck_assert_int_eq(ts_file_write(header, line, &error), TS_OK);
    ck_assert_int_eq(cost(_i, text, &with_folder, factor), 1);
    ck_assert_int_eq(cost(_i, text, &with_folder, factor), 0);
  }
}
END_TEST

/* ---- when the cache takes no part ---------------------------------------------------------------------------------------- */

START_TEST(uncached_build__neither_reads_nor_writes) {
  const ts_build_options uncached = {.name = "times.c", .uncached = true};
  ck_assert_int_eq(cost(_i, source, &uncached, 2), 1);
  ck_assert_int_eq(access(folder, F_OK), -1);
  ck_assert_int_eq(cost(_i, source, &plain, 2), 1);
  ck_assert_int_eq(cost(_i, source, &uncached, 2), 1);
}
END_TEST

START_TEST(build__refuses_a_word_that_TENSORSTORAGE_CACHE_does_not_have) {
  ts_program *program = NULL;
  setenv("TENSORSTORAGE_CACHE", "never", 1);
  ck_assert_int_eq(ts_program_build(&program, devices[_i], source, &plain, &error), TS_ERROR_USAGE);
  ck_assert_str_eq(error.message, "TENSORSTORAGE_CACHE is \"never\"; set it to auto, on or off");
}
END_TEST

START_TEST(auto__leaves_pocl_to_its_own_cache_and_keeps_what_the_host_builds) {
  setenv("TENSORSTORAGE_CACHE", "auto", 1);
  ck_assert_int_eq(cost(_i, source, &plain, 2), 1);
  ck_assert_int_eq(cost(_i, source, &plain, 2), _i == OPENCL);
}
END_TEST

/* ---- errors -------------------------------------------------------------------------------------------------------------- */

START_TEST(cached_build__fails_as_one_without_a_cache_does) {
  char wrong[sizeof source + 64], expected[sizeof error.message];
  const ts_build_options uncached = {.name = "times.c", .uncached = true};
  ts_program *program = NULL;
  ck_assert_int_eq(cost(_i, source, &plain, 2), 1);
  only_file();
  snprintf(wrong, sizeof wrong, "%sTS_FUNCTION int wrong(void) { return undeclared; }\n", source);
  ck_assert_int_eq(ts_program_build(&program, devices[_i], wrong, &uncached, &error), TS_ERROR_BUILD);
  snprintf(expected, sizeof expected, "%s", error.message);
  ck_assert_ptr_nonnull(strstr(expected, "times.c:14:"));
  for (int round = 0; round < 2; round++) {
    error = (ts_error){.status = TS_OK};
    ck_assert_int_eq(ts_program_build(&program, devices[_i], wrong, &plain, &error), TS_ERROR_BUILD);
    ck_assert_str_eq(error.message, expected);
  }
  only_file(); /* a failure is not kept */
}
END_TEST

/* Put a result of other bytes into the only file, as if it had been stored. The form is that of host/cache.c: a word, the
 * FNV-1a of all that follows it, the bytes of the key and of three parts, then these. */
static void replace_result(const char *bytes) {
  char path[700];
  size_t count;
  snprintf(path, sizeof path, "%s", only_file());
  char *contents = ts_file_read(path, &count, &error);
  uint64_t numbers[5]; /* checksum, key, parts */
  memcpy(numbers, contents + 8, sizeof numbers);
  ck_assert_uint_eq(count, 8 + sizeof numbers + numbers[1] + numbers[2]);
  numbers[2] = strlen(bytes);
  size_t before = 8 + sizeof numbers + numbers[1], length = before + numbers[2];
  ck_assert_uint_le(length, count);
  memcpy(contents + before, bytes, numbers[2]);
  numbers[0] = 0xcbf29ce484222325u;
  memcpy(contents + 8, numbers, sizeof numbers);
  for (size_t i = 16; i < length; i++) numbers[0] = (numbers[0] ^ (unsigned char)contents[i]) * 0x100000001b3u;
  memcpy(contents + 8, numbers, sizeof numbers);
  ck_assert_int_eq(ts_file_write_bytes(path, contents, length, &error), TS_OK);
  free(contents);
}

START_TEST(cached_build__that_is_no_program_is_built_and_stored_again) {
  ck_assert_int_eq(cost(_i, source, &plain, 2), 1);
  replace_result("no program");
  ck_assert_int_eq(cost(_i, source, &plain, 2), 1);
  ck_assert_int_eq(cost(_i, source, &plain, 2), 0);
}
END_TEST

START_TEST(opencl__cached_build_that_the_driver_refuses_is_built) {
  ck_assert_int_eq(cost(OPENCL, source, &plain, 2), 1);
  refused_with = CL_INVALID_BINARY;
  ck_assert_int_eq(cost(OPENCL, source, &plain, 2), 1);
  refused_with = 0;
  is_binary_build_refused = true;
  ck_assert_int_eq(cost(OPENCL, source, &plain, 2), 1);
  is_binary_build_refused = false;
  ck_assert_int_eq(cost(OPENCL, source, &plain, 2), 0);
}
END_TEST

int main(void) {
  ts_device *device = NULL;
  setenv("OCL_ICD_VENDORS", "/etc/OpenCL/vendors/pocl.icd", 1); /* PoCL alone: what auto does hangs on the driver */
  bool has_opencl = ts_device_open(&device, device_ids[OPENCL], NULL) == TS_OK;
  ts_device_close(device);
  ts_skip_unless("pocl", has_opencl, "there is no OpenCL device of PoCL");
  Suite *suite = suite_create("cached builds");
  TCase *cases = tcase_create("all");
  tcase_set_timeout(cases, 120);
  tcase_add_unchecked_fixture(cases, open_devices, close_devices);
  tcase_add_checked_fixture(cases, set_up, NULL);
  tcase_add_loop_test(cases, cached_build__needs_no_compiler_the_second_time, 0, DEVICES);
  tcase_add_loop_test(cases, cached_build__has_the_same_kernels, 0, DEVICES);
  tcase_add_test(cases, opencl__cached_build_finds_kernels_without_a_signature);
  tcase_add_loop_test(cases, cached_build__of_another_source_or_with_other_options_is_built, 0, DEVICES);
  tcase_add_loop_test(cases, cached_build__with_one_byte_of_the_header_changed_is_built, 0, DEVICES);
  tcase_add_loop_test(cases, opencl__cached_build_by_another_driver_is_built, 0, QUESTIONS);
  tcase_add_test(cases, host__cached_build_by_another_compiler_or_machine_is_built);
  tcase_add_loop_test(cases, cached_build__takes_no_text_that_includes_what_it_does_not_hold, 0, DEVICES);
  tcase_add_loop_test(cases, cached_build__with_another_header_of_the_users_is_built, 0, DEVICES);
  tcase_add_loop_test(cases, uncached_build__neither_reads_nor_writes, 0, DEVICES);
  tcase_add_loop_test(cases, build__refuses_a_word_that_TENSORSTORAGE_CACHE_does_not_have, 0, DEVICES);
  tcase_add_loop_test(cases, auto__leaves_pocl_to_its_own_cache_and_keeps_what_the_host_builds, 0, DEVICES);
  tcase_add_loop_test(cases, cached_build__fails_as_one_without_a_cache_does, 0, DEVICES);
  tcase_add_loop_test(cases, cached_build__that_is_no_program_is_built_and_stored_again, 0, DEVICES);
  tcase_add_test(cases, opencl__cached_build_that_the_driver_refuses_is_built);
  suite_add_tcase(suite, cases);
  SRunner *runner = srunner_create(suite);
  srunner_set_fork_status(runner, CK_NOFORK); /* a driver's threads would stay behind */
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
