/* SPDX-License-Identifier: Apache-2.0
 *
 * two_queues.c: two threads share a device and a program; each builds another program and launches on a queue of its own.
 * threads_test.sh builds it and the library with ThreadSanitizer, which says whether that is safe.
 *
 *   two_queues [shared]   shared: both write one buffer, a race that ThreadSanitizer must see
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tensorstorage_host.h"

enum { COUNT = 256, LAUNCHES = 20 };

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

typedef struct user {
  ts_device *device;
  ts_program *program;
  ts_buffer *y_cells;
  int32_t add;
  bool is_right;
  ts_error error;
} user;

static ts_status launch_often(user *u, ts_queue *queue, ts_kernel *kernel) {
  const ts_grid grid = {.items = {COUNT}, .group = {64}};
  int32_t y[COUNT] = {0};
  ts_status status = ts_kernel_arg_buffer(kernel, "y_cells", u->y_cells, &u->error);
  if (!status) status = ts_kernel_arg_i32(kernel, "add", u->add, &u->error);
  for (int k = 0; k < LAUNCHES && !status; k++) status = ts_kernel_launch(queue, kernel, grid, NULL, &u->error);
  if (!status) status = ts_buffer_read(queue, u->y_cells, 0, y, sizeof y, &u->error);
  u->is_right = !status;
  for (int i = 0; i < COUNT; i++) u->is_right = u->is_right && y[i] == 63 - i % 64 + u->add;
  return status;
}

static void *use(void *argument) {
  user *u = argument;
  ts_queue *queue = NULL;
  ts_kernel *kernel = NULL;
  ts_program *own = NULL; /* built by both at once, and not used */
  const ts_build_options options = {.name = u->add ? "second.c" : "first.c"};
  ts_status status = ts_program_build(&own, u->device, source, &options, &u->error);
  ts_program_destroy(own);
  if (!status) status = ts_queue_create(&queue, u->device, &u->error);
  if (!status) status = ts_kernel_get(&kernel, u->program, "turn", &u->error);
  if (!status) launch_often(u, queue, kernel);
  ts_kernel_destroy(kernel);
  ts_queue_destroy(queue);
  return NULL;
}

int main(int argc, char **argv) {
  bool is_shared = argc > 1 && !strcmp(argv[1], "shared");
  ts_error error;
  ts_device *device = NULL;
  ts_program *program = NULL;
  ts_buffer *buffers[2] = {NULL, NULL};
  ts_status status = ts_device_open(&device, "host", &error);
  if (!status) status = ts_program_build(&program, device, source, NULL, &error);
  for (int i = 0; i < 2 && !status; i++)
    status = ts_buffer_create(&buffers[i], device, TS_SPACE_global, COUNT * sizeof(int32_t), &error);
  if (status) {
    fprintf(stderr, "%s: %s\n", error.call, error.message);
    return 1;
  }

  user users[2];
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) {
    users[i] = (user){.device = device, .program = program, .y_cells = buffers[is_shared ? 0 : i], .add = 1000 * i};
    if (pthread_create(&threads[i], NULL, use, &users[i])) return 1;
  }
  int right = 0;
  for (int i = 0; i < 2; i++) {
    pthread_join(threads[i], NULL);
    if (users[i].error.status) fprintf(stderr, "%s: %s\n", users[i].error.call, users[i].error.message);
    right += users[i].is_right;
    ts_buffer_destroy(buffers[i]);
  }
  ts_program_destroy(program);
  ts_device_close(device);
  printf("%d of 2 threads read what they wrote\n", right);
  return right == 2 ? 0 : 1;
}
