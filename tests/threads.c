/* SPDX-License-Identifier: Apache-2.0
 *
 * threads.c: many threads use one device at once. threads_test.sh builds it and the library with ThreadSanitizer, which says
 * whether that is safe.
 *
 *   threads DEVICE [one_buffer | one_queue]   all of them share one, races that ThreadSanitizer must see: in the kernel, if
 * that is under it too; in the library
 *
 * Each thread has a queue, kernels and a buffer of its own. Half of them share a program, the others build the same source
 * themselves; each also lists the devices, opens one, and builds what does not build.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tensorstorage_host.h"

enum { COUNT = 256, GROUP = 64, LAUNCHES = 20, THREADS = 6 };

/* Each work-item writes what another one has put into shared memory. */
static const char source[] = "#include \"tensorstorage.h\"\n"
                             "TS_KERNEL(turn, (TS_GLOBAL_ARG(i32) y_cells, int add)) {\n"
                             "  TS_SHARED(tile, i32, 64);\n"
                             "  int i = ts_item_in_group(0);\n"
                             "  ts_store(ts_shared, i32, 1, tile, i, i, 0);\n"
                             "  ts_barrier();\n"
                             "  ts_i32 v = ts_load(ts_shared, i32, 1, tile, 63 - i, 0);\n"
                             "  ts_store(ts_global, i32, 1, ts_bind(ts_global, i32, y_cells), ts_global_id(0), v + add, 0);\n"
                             "}\n";
static const char wrong_source[] = "#include \"tensorstorage.h\"\n"
                                   "TS_KERNEL(wrong, (TS_GLOBAL_ARG(f33) y_cells)) {}\n";

typedef struct user {
  ts_device *device;
  ts_program *program; /* NULL: it builds its own */
  ts_queue *queue;     /* NULL: it makes its own */
  ts_buffer *y_cells;
  int32_t add;
  bool is_right;
  ts_error error;
} user;

/* Launch as often as it may, each time with an event, and read what came out. */
static ts_status launch_often(user *u, ts_queue *queue, ts_kernel *kernel) {
  const ts_grid grid = {.items = {COUNT}, .group = {GROUP}};
  int32_t y[COUNT] = {0};
  double seconds = 0;
  ts_status status = ts_kernel_arg_buffer(kernel, "y_cells", u->y_cells, &u->error);
  if (!status) status = ts_kernel_arg_i32(kernel, "add", u->add, &u->error);
  for (int k = 0; k < LAUNCHES && !status; k++) {
    ts_event *event = NULL;
    status = ts_kernel_launch(queue, kernel, grid, &event, &u->error);
    if (!status) status = ts_event_seconds(event, &seconds, &u->error);
    ts_event_destroy(event);
  }
  if (!status) status = ts_queue_finish(queue, &u->error);
  if (!status) status = ts_buffer_read(queue, u->y_cells, 0, y, sizeof y, &u->error);
  u->is_right = !status;
  for (int i = 0; i < COUNT; i++) u->is_right = u->is_right && y[i] == GROUP - 1 - i % GROUP + u->add;
  return status;
}

/* What fails in one thread says so there. Returns whether it did. */
static bool fails_as_it_must(ts_device *device) {
  ts_program *program = NULL;
  ts_device *none = NULL;
  ts_error error = {.status = TS_OK};
  ts_status status = ts_program_build(&program, device, wrong_source, NULL, &error);
  ts_program_destroy(program);
  bool is_told = status == TS_ERROR_BUILD && strstr(error.message, "f33");
  return is_told && ts_device_open(&none, "no such device", &error) == TS_ERROR_NO_DEVICE;
}

static void *use(void *argument) {
  user *u = argument;
  ts_queue *own_queue = NULL;
  ts_kernel *kernel = NULL;
  ts_program *own = NULL;
  ts_device_info *devices = NULL;
  size_t count = 0;
  ts_status status = ts_device_list(&devices, &count, &u->error);
  ts_device_list_free(devices);
  if (!status && !u->queue) status = ts_queue_create(&own_queue, u->device, &u->error);
  char name[32]; /* each has another, so that each program is another */
  snprintf(name, sizeof name, "of_%d.c", (int)u->add);
  const ts_build_options options = {.name = name};
  if (!status && !u->program) status = ts_program_build(&own, u->device, source, &options, &u->error);
  if (!status) status = ts_kernel_get(&kernel, own ? own : u->program, "turn", &u->error);
  if (!status) launch_often(u, own_queue ? own_queue : u->queue, kernel);
  u->is_right = u->is_right && fails_as_it_must(u->device);
  ts_kernel_destroy(kernel);
  ts_program_destroy(own);
  ts_queue_destroy(own_queue);
  return NULL;
}

int main(int argc, char **argv) {
  bool is_one_buffer = argc > 2 && !strcmp(argv[2], "one_buffer"), is_one_queue = argc > 2 && !strcmp(argv[2], "one_queue");
  ts_error error;
  ts_device *device = NULL;
  ts_program *program = NULL;
  ts_queue *queue = NULL;
  ts_buffer *buffers[THREADS] = {NULL};
  ts_status status = ts_device_open(&device, argc > 1 ? argv[1] : "host", &error);
  if (!status) status = ts_program_build(&program, device, source, NULL, &error);
  if (!status && is_one_queue) status = ts_queue_create(&queue, device, &error);
  for (int i = 0; i < THREADS && !status; i++)
    status = ts_buffer_create(&buffers[i], device, TS_SPACE_global, COUNT * sizeof(int32_t), &error);
  if (status) {
    fprintf(stderr, "%s: %s\n", error.call, error.message);
    return 1;
  }

  user users[THREADS];
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    users[i] = (user){.device = device,
                      .program = i % 2 ? program : NULL,
                      .queue = queue,
                      .y_cells = buffers[is_one_buffer ? 0 : i],
                      .add = 1000 * i};
    if (pthread_create(&threads[i], NULL, use, &users[i])) return 1;
  }
  int right = 0;
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    if (users[i].error.status) fprintf(stderr, "%s: %s\n", users[i].error.call, users[i].error.message);
    right += users[i].is_right;
    ts_buffer_destroy(buffers[i]);
  }
  ts_queue_destroy(queue);
  ts_program_destroy(program);
  ts_device_close(device);
  printf("%d of %d threads read what they wrote\n", right, (int)THREADS);
  return right == THREADS ? 0 : 1;
}
