/* SPDX-License-Identifier: Apache-2.0
 *
 * check_host_driver.c: the host backend's table of functions, from a kernel's text to the bytes that it wrote.
 *
 * The kernels are written on host/launch.h alone, with a small stand-in for the header's host prelude. TS_SOURCE_DIR in
 * the environment is the root of the tree.
 */
#define _POSIX_C_SOURCE 200809L /* fork, setenv */
#include <check.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backend.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_ASAN 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define HAS_ASAN 1
#endif

static const char prelude[] =
    "#include \"launch.h\"\n"
    "typedef float ts_f32; typedef int ts_i32; typedef long long ts_i64; typedef unsigned char ts_u8;\n"
    "static _Thread_local struct ts_host_item *ts_host_item;\n"
    "#define TS_GLOBAL_ARG(T) ts_##T *\n"
    "#define TS_GLOBAL_CONST_ARG(T) const ts_##T *\n"
    "#define TS_CONSTANT_ARG(T) const ts_##T *\n"
    "#define TS_SHARED_ARG(T) ts_##T *\n"
    "static inline void barrier(void) {\n"
    "  struct ts_host_item *self = ts_host_item;\n"
    "  self->barrier(self);\n"
    "  ts_host_item = self;\n"
    "}\n"
    "#define ITEM (ts_host_item->item_in_group[0])\n"
    "#define GLOBAL (ts_host_item->global_id[0])\n"
    "#define SHARED(T, name, n) static const char name##_site; \\\n"
    "  T *name = ts_host_item->shared(ts_host_item, &name##_site, (n) * sizeof(T))\n"
    "#line 1 \"user.c\"\n";

/* ---- what the library does around a backend --------------------------------------------------------------------- */

static const ts_backend *const host = &ts_host_backend;
static ts_device *device;
static ts_queue *queue;
static ts_error error;

static void set_up(void) {
  ts_device_infos infos = {0};
  error = (ts_error){.status = TS_OK};
  ck_assert_int_eq(host->list(&infos, &error), TS_OK);
  ck_assert_uint_eq(infos.count, 1);
  ck_assert_int_eq(host->device_open(&device, &infos.rows[0], &error), TS_OK);
  free(infos.rows);
  ck_assert_int_eq(host->queue_create(&queue, device, &error), TS_OK);
  queue->device = device;
}

static void tear_down(void) {
  host->queue_destroy(queue);
  host->device_close(device);
}

static ts_status build(ts_program **program, const char *text, const ts_signature *signatures, size_t count) {
  char *whole = malloc(sizeof prelude + strlen(text)), include_dir[1024];
  snprintf(whole, sizeof prelude + strlen(text), "%s%s", prelude, text);
  snprintf(include_dir, sizeof include_dir, "%s/host", getenv("TS_SOURCE_DIR"));
  const char *include_dirs[] = {include_dir, NULL};
  ts_build_options options = {.include_dirs = include_dirs};
  ts_status status = host->program_build(program, device, whole, signatures, count, &options, &error);
  free(whole);
  return status;
}

static ts_program *program;
static ts_kernel *kernel;

/* Build a text of one kernel and get it. */
static void get(const char *text, const ts_signature *signature) {
  ck_assert_msg(build(&program, text, signature, 1) == TS_OK, "%s", error.message);
  program->device = device;
  ck_assert_msg(host->kernel_get(&kernel, program, signature, &error) == TS_OK, "%s", error.message);
  kernel->program = program;
  kernel->signature = signature;
}

static void put(void) {
  host->kernel_destroy(kernel);
  host->program_destroy(program);
}

static ts_buffer *buffer_of(const void *data, size_t bytes, ts_space space) {
  ts_buffer *buffer;
  ck_assert_int_eq(host->buffer_create(&buffer, device, space, bytes, &error), TS_OK);
  *buffer = (ts_buffer){.device = device, .space = space, .bytes = bytes};
  ck_assert_int_eq(host->buffer_write(queue, buffer, 0, data, bytes, &error), TS_OK);
  return buffer;
}

static void set_buffer(size_t index, ts_buffer *buffer, size_t byte_offset) {
  ts_argument argument = {.kind = TS_ARGUMENT_BUFFER, .buffer = buffer, .byte_offset = byte_offset};
  ck_assert_int_eq(host->kernel_arg(kernel, index, &argument, &error), TS_OK);
}

static void set_scalar(size_t index, const void *value, size_t bytes) {
  ts_argument argument = {.kind = TS_ARGUMENT_SCALAR, .value = value, .bytes = bytes};
  ck_assert_int_eq(host->kernel_arg(kernel, index, &argument, &error), TS_OK);
}

static void set_shared(size_t index, size_t bytes) {
  ts_argument argument = {.kind = TS_ARGUMENT_SHARED, .bytes = bytes};
  ck_assert_int_eq(host->kernel_arg(kernel, index, &argument, &error), TS_OK);
}

static ts_status launch(size_t items, size_t group) {
  const size_t all[3] = {items, 1, 1}, each[3] = {group, group > 0, group > 0};
  return host->kernel_launch(queue, kernel, all, each, NULL, &error);
}

static void check_message(const char *part) {
  ck_assert_msg(strstr(error.message, part) != NULL, "no \"%s\" in: %s", part, error.message);
}

#define POINTER(name_, dtype_, space_, const_)                                                                                 \
  { .name = name_, .dtype = TS_DTYPE_##dtype_, .space = TS_SPACE_##space_, .is_const = const_ }
#define SCALAR(name_, dtype_)                                                                                                  \
  { .name = name_, .dtype = TS_DTYPE_##dtype_, .is_scalar = true }
#define SIGNATURE(kernel_, parameters_)                                                                                        \
  {                                                                                                                            \
    .kernel = kernel_, .parameters = parameters_, .parameter_count = sizeof parameters_ / sizeof parameters_[0],               \
    .is_checked = true                                                                                                         \
  }

/* ---- devices ---------------------------------------------------------------------------------------------------- */

START_TEST(host_list__describes_this_machine) {
  const ts_device_info *info = &device->info;
  ck_assert_str_eq(info->id, "host");
  ck_assert_str_eq(info->backend, "host");
  ck_assert_uint_gt(strlen(info->name), 0);
  ck_assert_uint_gt(strlen(info->driver), 0);
  ck_assert_int_eq(strncmp(info->language, "C11, ", 5), 0);
  ck_assert_uint_gt(strlen(info->language), 5);
  ck_assert_int_eq(info->kind, TS_DEVICE_CPU);
  ck_assert_uint_ge(info->compute_units, 1);
  ck_assert_uint_eq(info->max_group_items, 1024);
  ck_assert_uint_eq(info->max_constant_bytes, 65536);
  ck_assert_uint_eq(info->shared_bytes, 65536);
  ck_assert_uint_gt(info->max_buffer_bytes, 1 << 20);
  ck_assert_uint_eq(info->base_align_bytes, 1);
}
END_TEST

START_TEST(host_list__says_that_there_is_no_compiler) {
  setenv("CC", "", 1);
  setenv("PATH", "", 1);
  ts_device_infos infos = {0};
  ck_assert_int_eq(host->list(&infos, &error), TS_OK);
  ck_assert_str_eq(infos.rows[0].language, "C11, no compiler found");
  free(infos.rows);
}
END_TEST

START_TEST(host_list__takes_threads_of_the_environment) {
  setenv("TENSORSTORAGE_HOST_THREADS", "3", 1);
  ts_device_infos infos = {0};
  ck_assert_int_eq(host->list(&infos, &error), TS_OK);
  ck_assert_uint_eq(infos.rows[0].compute_units, 3);
  free(infos.rows);
}
END_TEST

static const char *const bad_threads[] = {"0", "-1", "two", "4x", "1025", "99999999999999999999"};

START_TEST(host_list__refuses_threads_that_are_no_number) {
  setenv("TENSORSTORAGE_HOST_THREADS", bad_threads[_i], 1);
  ts_device_infos infos = {0};
  ck_assert_int_eq(host->list(&infos, &error), TS_ERROR_USAGE);
  check_message("set it to a number from 1 to 1024");
  ck_assert_uint_eq(infos.count, 0);
}
END_TEST

/* ---- buffers ---------------------------------------------------------------------------------------------------- */

START_TEST(host_buffer__keeps_what_is_written) {
  const unsigned char data[5] = {1, 2, 3, 4, 5};
  unsigned char back[5] = {0};
  ts_buffer *buffer = buffer_of(data, sizeof data, TS_SPACE_global);
  ck_assert_int_eq(host->buffer_write(queue, buffer, 3, (unsigned char[]){9}, 1, &error), TS_OK);
  ck_assert_int_eq(host->buffer_read(queue, buffer, 1, back, 4, &error), TS_OK);
  ck_assert_mem_eq(back, ((unsigned char[]){2, 3, 9, 5, 0}), 5);
  host->buffer_destroy(buffer);
}
END_TEST

START_TEST(host_buffer__may_be_empty) { host->buffer_destroy(buffer_of(NULL, 0, TS_SPACE_constant)); }
END_TEST

/* ---- kernels ---------------------------------------------------------------------------------------------------- */

static const ts_parameter scale_parameters[] = {POINTER("x", f32, global, true),
                                                POINTER("y", f32, global, false),
                                                POINTER("table", i32, constant, true),
                                                POINTER("tile", f32, shared, false),
                                                SCALAR("a", f32),
                                                SCALAR("n", i64)};
static const ts_signature scale = SIGNATURE("scale", scale_parameters);
static const char scale_text[] = "void scale(const float *x, float *y, const int *table, float *tile, float a, long long n) {\n"
                                 "  int size = ts_host_item->group_size[0];\n"
                                 "  tile[ITEM] = x[GLOBAL];\n"
                                 "  barrier();\n"
                                 "  if (GLOBAL < n) y[GLOBAL] = a * tile[size - 1 - ITEM] + (float)table[GLOBAL % 2];\n"
                                 "}\n";

START_TEST(host_kernel__is_given_every_kind_of_argument) {
  float x[32], y[33];
  for (int i = 0; i < 32; i++) x[i] = (float)i;
  for (int i = 0; i < 33; i++) y[i] = -1;
  const int table[2] = {100, 200};
  get(scale_text, &scale);
  ts_buffer *buffers[] = {buffer_of(x, sizeof x, TS_SPACE_global), buffer_of(y, sizeof y, TS_SPACE_global),
                          buffer_of(table, sizeof table, TS_SPACE_constant)};
  set_buffer(0, buffers[0], 0);
  set_buffer(1, buffers[1], sizeof y[0]); /* from its second element */
  set_buffer(2, buffers[2], 0);
  set_shared(3, 8 * sizeof(float));
  set_scalar(4, &(float){2.5f}, sizeof(float));
  set_scalar(5, &(long long){31}, sizeof(long long));
  ck_assert_msg(launch(32, 8) == TS_OK, "%s", error.message);
  ck_assert_int_eq(host->buffer_read(queue, buffers[1], 0, y, sizeof y, &error), TS_OK);
  ck_assert(y[0] == -1 && y[32] == -1);
  for (int i = 0; i < 31; i++) ck_assert(y[i + 1] == 2.5f * (float)(i / 8 * 8 + 7 - i % 8) + (float)table[i % 2]);
  for (int i = 0; i < 3; i++) host->buffer_destroy(buffers[i]);
  put();
}
END_TEST

static const ts_parameter count_parameters[] = {POINTER("out", i32, global, false), SCALAR("a", i32)};
static const ts_signature count = SIGNATURE("count", count_parameters);

START_TEST(host_kernel__keeps_its_arguments_until_they_are_given_again) {
  get("void count(int *out, int a) { if (out) out[GLOBAL] += a; }\n", &count);
  int data[4] = {0};
  ts_buffer *buffer = buffer_of(data, sizeof data, TS_SPACE_global);
  set_buffer(0, buffer, 0);
  set_scalar(1, &(int){1}, sizeof(int));
  ck_assert_int_eq(launch(4, 2), TS_OK);
  ck_assert_int_eq(launch(4, 4), TS_OK);
  set_scalar(1, &(int){10}, sizeof(int));
  ck_assert_int_eq(launch(4, 1), TS_OK);
  set_buffer(0, NULL, 0); /* a null pointer arrives as one */
  ck_assert_int_eq(launch(4, 1), TS_OK);
  ck_assert_int_eq(host->buffer_read(queue, buffer, 0, data, sizeof data, &error), TS_OK);
  for (int i = 0; i < 4; i++) ck_assert_int_eq(data[i], 12);
  host->buffer_destroy(buffer);
  put();
}
END_TEST

/* The program has functions of these names, too: of libc, and of Check. */
static const char *const taken_names[] = {"access", "index", "suite_create"};

START_TEST(host_kernel__may_be_called_as_another_function_is) {
  char text[128];
  ts_signature taken = count;
  taken.kernel = taken_names[_i];
  snprintf(text, sizeof text, "void %s(int *out, int a) { out[GLOBAL] = a; }\n", taken_names[_i]);
  get(text, &taken);
  int data = 0;
  ts_buffer *buffer = buffer_of(&data, sizeof data, TS_SPACE_global);
  set_buffer(0, buffer, 0);
  set_scalar(1, &(int){5}, sizeof(int));
  ck_assert_int_eq(launch(1, 1), TS_OK);
  ck_assert_int_eq(host->buffer_read(queue, buffer, 0, &data, sizeof data, &error), TS_OK);
  ck_assert_int_eq(data, 5);
  host->buffer_destroy(buffer);
  put();
}
END_TEST

static const struct { size_t items, group; } chosen[] = {{1, 1}, {60, 60}, {64, 64}, {128, 64}, {100, 50}, {67, 1}, {1000, 50}};

START_TEST(host_kernel__chooses_a_group_that_divides_the_items) {
  get("void count(int *out, int a) { out[0] = ts_host_item->group_size[0] * a; }\n", &count);
  int data = 0;
  ts_buffer *buffer = buffer_of(&data, sizeof data, TS_SPACE_global);
  set_buffer(0, buffer, 0);
  set_scalar(1, &(int){1}, sizeof(int));
  device->info.compute_units = 1; /* all groups write the same element */
  ck_assert_int_eq(launch(chosen[_i].items, 0), TS_OK);
  ck_assert_int_eq(host->buffer_read(queue, buffer, 0, &data, sizeof data, &error), TS_OK);
  ck_assert_int_eq(data, (int)chosen[_i].group);
  host->buffer_destroy(buffer);
  put();
}
END_TEST

static const ts_signature nothing = {.kernel = "nothing", .is_checked = true};

START_TEST(host_kernel__may_have_no_parameter_under_strict_warnings) {
  get("#pragma GCC diagnostic error \"-Wunused-parameter\"\n#pragma GCC diagnostic error \"-Wmissing-prototypes\"\n"
      "void nothing(void); void nothing(void) {}\n",
      &nothing);
  ck_assert_int_eq(launch(4, 2), TS_OK);
  put();
}
END_TEST

START_TEST(host_kernel__event_has_the_seconds_of_the_launch) {
  get("void nothing(void) { for (volatile int i = 0; i < 100000; i++) {} }\n", &nothing);
  ts_event *event;
  double seconds = 0;
  ck_assert_int_eq(host->kernel_launch(queue, kernel, (size_t[3]){4, 1, 1}, (size_t[3]){1, 1, 1}, &event, &error), TS_OK);
  event->queue = queue;
  ck_assert_int_eq(host->event_wait(event, &error), TS_OK);
  ck_assert_int_eq(host->event_seconds(event, &seconds, &error), TS_OK);
  ck_assert(seconds > 1e-6 && seconds < 60);
  host->event_destroy(event);
  put();
}
END_TEST

START_TEST(host_kernel__with_too_many_groups_is_an_error_in_words) {
  get("void nothing(void) {}\n", &nothing);
  ck_assert_int_eq(launch((size_t)1 << 31, 1), TS_ERROR_LIMIT);
  check_message("kernel nothing: 2147483648 work-items in groups of 1 are too many groups in dimension 0");
  put();
}
END_TEST

START_TEST(host_kernel__names_itself_when_a_barrier_is_not_reached_by_all) {
  get("void nothing(void) { if (ITEM > 0) barrier(); }\n", &nothing);
  ck_assert_int_eq(launch(4, 4), TS_ERROR_KERNEL);
  check_message("kernel nothing: a barrier was not reached by all work-items of group (0,0,0): 3 wait, 1 ended");
  put();
}
END_TEST

START_TEST(host_kernel__after_a_failed_launch_runs_again) {
  get("void count(int *out, int a) { out[ITEM] = a; if (ITEM < a) barrier(); }\n", &count);
  int data[4] = {0};
  ts_buffer *buffer = buffer_of(data, sizeof data, TS_SPACE_global);
  set_buffer(0, buffer, 0);
  set_scalar(1, &(int){3}, sizeof(int));
  ck_assert_int_eq(launch(4, 4), TS_ERROR_KERNEL);
  set_scalar(1, &(int){4}, sizeof(int));
  ck_assert_int_eq(launch(4, 4), TS_OK);
  ck_assert_int_eq(host->buffer_read(queue, buffer, 0, data, sizeof data, &error), TS_OK);
  for (int i = 0; i < 4; i++) ck_assert_int_eq(data[i], 4);
  host->buffer_destroy(buffer);
  put();
}
END_TEST

START_TEST(host_kernel__without_a_signature_is_an_error_in_words) {
  const ts_signature unread = {.kernel = "nothing"};
  ck_assert_int_eq(build(&program, "void nothing(void) {}\n", &unread, 1), TS_OK);
  ck_assert_int_eq(host->kernel_get(&kernel, program, &unread, &error), TS_ERROR_UNSUPPORTED);
  check_message("include \"tensorstorage.h\" and declare nothing with TS_KERNEL");
  host->program_destroy(program);
}
END_TEST

START_TEST(host_program__that_is_wrong_gives_the_users_line) {
  ck_assert_int_eq(build(&program, "void nothing(void) {\n  missing = 1;\n}\n", &nothing, 1), TS_ERROR_BUILD);
  check_message("user.c:2:");
}
END_TEST

START_TEST(host_program__whose_kernel_differs_from_its_signature_says_whose_launch) {
  ck_assert_int_eq(build(&program, "void nothing(int a) { (void)a; }\n", &nothing, 1), TS_ERROR_BUILD);
  check_message("<launch of nothing>:1:");
}
END_TEST

/* ---- two queues at once ----------------------------------------------------------------------------------------- */

enum { ADDED_ITEMS = 64, ADDED_TIMES = 50 };
static const ts_parameter add_parameters[] = {POINTER("out", i32, global, false)};
static const ts_signature add = SIGNATURE("add", add_parameters);

struct user {
  ts_kernel *kernel;
  ts_buffer *buffer;
  ts_status status;
};

static void *use_a_queue(void *argument) {
  struct user *self = argument;
  ts_error own = {.status = TS_OK};
  ts_queue *own_queue;
  self->status = host->queue_create(&own_queue, device, &own);
  if (self->status != TS_OK) return NULL;
  own_queue->device = device;
  const size_t items[3] = {ADDED_ITEMS, 1, 1}, group[3] = {8, 1, 1};
  for (int i = 0; i < ADDED_TIMES && self->status == TS_OK; i++)
    self->status = host->kernel_launch(own_queue, self->kernel, items, group, NULL, &own);
  host->queue_destroy(own_queue);
  return NULL;
}

START_TEST(host_queue__runs_while_another_runs) {
  get("void add(int *out) { SHARED(int, tile, 8); tile[ITEM] = 1; barrier(); out[GLOBAL] += tile[7 - ITEM]; }\n", &add);
  host->kernel_destroy(kernel);
  device->info.compute_units = 2;
  int data[ADDED_ITEMS] = {0};
  struct user users[2];
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) {
    ck_assert_int_eq(host->kernel_get(&kernel, program, &add, &error), TS_OK);
    users[i] = (struct user){.kernel = kernel, .buffer = buffer_of(data, sizeof data, TS_SPACE_global)};
    set_buffer(0, users[i].buffer, 0);
  }
  for (int i = 0; i < 2; i++) ck_assert_int_eq(pthread_create(&threads[i], NULL, use_a_queue, &users[i]), 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < 2; i++) {
    ck_assert_int_eq(users[i].status, TS_OK);
    ck_assert_int_eq(host->buffer_read(queue, users[i].buffer, 0, data, sizeof data, &error), TS_OK);
    for (int each = 0; each < ADDED_ITEMS; each++) ck_assert_int_eq(data[each], ADDED_TIMES);
    host->buffer_destroy(users[i].buffer);
    host->kernel_destroy(users[i].kernel);
  }
  host->program_destroy(program);
}
END_TEST

/* ---- what the address sanitizer sees ---------------------------------------------------------------------------- */

#ifdef HAS_ASAN
/* Launch the kernel in a child. Returns whether it ended well; what it said goes to `log`. */
static bool child_ends_well(char *log, size_t bytes) {
  FILE *said = tmpfile();
  ck_assert_ptr_nonnull(said);
  fflush(NULL);
  pid_t child = fork();
  ck_assert_int_ge(child, 0);
  if (child == 0) {
    dup2(fileno(said), STDERR_FILENO);
    _exit(launch(4, 4) == TS_OK ? 0 : 3);
  }
  int status;
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  rewind(said);
  log[fread(log, 1, bytes - 1, said)] = 0;
  fclose(said);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static const struct {
  const char *text;
  int good, bad; /* the index that the kernel writes at */
  const char *complaint;
} overruns[] = {
    {"void count(int *out, int at) { SHARED(unsigned char, tile, 101); barrier(); tile[at] = 1; out[0] = tile[at]; }\n", 100,
     101, "heap-buffer-overflow"},
    {"void count(int *out, int at) { barrier(); out[at] = 1; }\n", 2, 3, "heap-buffer-overflow"},
    {"void count(int *out, int at) { volatile int mine[5]; barrier(); mine[at] = 1; out[0] = mine[at]; }\n", 4, 5, "user.c:1:"},
};

START_TEST(host_kernel__that_writes_past_an_end_is_found) {
  char log[4096];
  int data[3] = {0};
  get(overruns[_i].text, &count);
  ts_buffer *buffer = buffer_of(data, sizeof data, TS_SPACE_global);
  set_buffer(0, buffer, 0);
  set_scalar(1, &overruns[_i].good, sizeof(int));
  ck_assert_msg(child_ends_well(log, sizeof log), "%s", log);
  set_scalar(1, &overruns[_i].bad, sizeof(int));
  ck_assert(!child_ends_well(log, sizeof log));
  ck_assert_msg(strstr(log, overruns[_i].complaint) != NULL, "%s", log);
  host->buffer_destroy(buffer);
  put();
}
END_TEST
#endif

static int length_of(size_t bytes, size_t each) { return (int)(bytes / each); }

int main(void) {
  if (!getenv("TS_SOURCE_DIR")) {
    fputs("TS_SOURCE_DIR is not set; set it to the root of the tree\n", stderr);
    return EXIT_FAILURE;
  }
#ifdef HAS_ASAN
  setenv("TENSORSTORAGE_HOST_FLAGS", "-fsanitize=address,undefined -fno-sanitize-recover=all", 0);
#endif
  /* The compiler of this test compiles the kernels too: a sanitizer of another would not fit. */
  if (getenv("TS_CC")) setenv("CC", getenv("TS_CC"), 1);
  Suite *suite = suite_create("host_driver");
  TCase *tests = tcase_create("host_driver");
  suite_add_tcase(suite, tests);
  tcase_set_timeout(tests, 120);
  tcase_add_checked_fixture(tests, set_up, tear_down);
  tcase_add_test(tests, host_list__describes_this_machine);
  tcase_add_test(tests, host_list__says_that_there_is_no_compiler);
  tcase_add_test(tests, host_list__takes_threads_of_the_environment);
  tcase_add_loop_test(tests, host_list__refuses_threads_that_are_no_number, 0,
                      length_of(sizeof bad_threads, sizeof bad_threads[0]));
  tcase_add_test(tests, host_buffer__keeps_what_is_written);
  tcase_add_test(tests, host_buffer__may_be_empty);
  tcase_add_test(tests, host_kernel__is_given_every_kind_of_argument);
  tcase_add_test(tests, host_kernel__keeps_its_arguments_until_they_are_given_again);
  tcase_add_loop_test(tests, host_kernel__may_be_called_as_another_function_is, 0,
                      length_of(sizeof taken_names, sizeof taken_names[0]));
  tcase_add_loop_test(tests, host_kernel__chooses_a_group_that_divides_the_items, 0,
                      length_of(sizeof chosen, sizeof chosen[0]));
  tcase_add_test(tests, host_kernel__may_have_no_parameter_under_strict_warnings);
  tcase_add_test(tests, host_kernel__event_has_the_seconds_of_the_launch);
  tcase_add_test(tests, host_kernel__with_too_many_groups_is_an_error_in_words);
  tcase_add_test(tests, host_kernel__names_itself_when_a_barrier_is_not_reached_by_all);
  tcase_add_test(tests, host_kernel__after_a_failed_launch_runs_again);
  tcase_add_test(tests, host_kernel__without_a_signature_is_an_error_in_words);
  tcase_add_test(tests, host_program__that_is_wrong_gives_the_users_line);
  tcase_add_test(tests, host_program__whose_kernel_differs_from_its_signature_says_whose_launch);
  tcase_add_test(tests, host_queue__runs_while_another_runs);
#ifdef HAS_ASAN
  tcase_add_loop_test(tests, host_kernel__that_writes_past_an_end_is_found, 0, length_of(sizeof overruns, sizeof overruns[0]));
#endif
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
