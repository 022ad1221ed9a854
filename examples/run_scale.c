/* SPDX-License-Identifier: Apache-2.0
 *
 * run_scale.c: build scale.c on a device, run it, and compare with plain C.
 *
 *   run_scale [DEVICE [FILE]]   DEVICE as in ts_device_open; FILE holds the kernel, here examples/scale.c
 *
 * The host side alone: all that is needed is tensorstorage_host.h and the library.
 */
#include <stdint.h>
#include <stdio.h>

#include "tensorstorage_host.h"

enum { COUNT = 32 * 32, SOURCE_BYTES = 65536 };

/* Read the whole file, ended by a 0. Returns false, and says why, if it cannot be read or is larger than the array. */
static bool read_source(char source[SOURCE_BYTES], const char *name) {
  FILE *file = fopen(name, "r");
  if (!file) {
    perror(name);
    fprintf(stderr, "Say where the kernel is: run_scale DEVICE FILE\n");
    return false;
  }
  size_t length = fread(source, 1, SOURCE_BYTES - 1, file);
  bool is_whole = feof(file);
  fclose(file);
  source[length] = '\0';
  if (!is_whole) fprintf(stderr, "%s: cannot be read, or has more than %d bytes\n", name, SOURCE_BYTES - 1);
  return is_whole;
}

/* y = a * x, by the kernel of the source, which messages call `name`. The error says what went wrong, if anything. */
static ts_status scale(ts_device *device, const char *source, const char *name, const uint16_t x[COUNT], float a,
                       float y[COUNT], ts_error *error) {
  const size_t x_bytes = COUNT * sizeof *x, y_bytes = COUNT * sizeof *y;
  const ts_build_options options = {.name = name};
  const ts_grid grid = {.items = {256}, .group = {256}};
  ts_queue *queue = NULL;
  ts_program *program = NULL;
  ts_kernel *kernel = NULL;
  ts_buffer *x_cells = NULL, *y_cells = NULL;

  ts_status status = ts_queue_create(&queue, device, error);
  if (!status) status = ts_program_build(&program, device, source, &options, error);
  if (!status) status = ts_kernel_get(&kernel, program, "scale", error);
  if (!status) status = ts_buffer_create(&x_cells, device, TS_SPACE_global, x_bytes, error);
  if (!status) status = ts_buffer_create(&y_cells, device, TS_SPACE_global, y_bytes, error);
  if (!status) status = ts_buffer_write(queue, x_cells, 0, x, x_bytes, error);
  if (!status) status = ts_kernel_arg_storage(kernel, "x_cells", ts_buffer_storage(x_cells, TS_DTYPE_f16), error);
  if (!status) status = ts_kernel_arg_storage(kernel, "y_cells", ts_buffer_storage(y_cells, TS_DTYPE_f32), error);
  if (!status) status = ts_kernel_arg_f32(kernel, "a", a, error);
  if (!status) status = ts_kernel_launch(queue, kernel, grid, NULL, error);
  if (!status) status = ts_buffer_read(queue, y_cells, 0, y, y_bytes, error); /* waits for the kernel */

  ts_kernel_destroy(kernel);
  ts_program_destroy(program);
  ts_queue_destroy(queue);
  ts_buffer_destroy(x_cells);
  ts_buffer_destroy(y_cells);
  return status;
}

int main(int argc, char **argv) {
  static char source[SOURCE_BYTES];
  static uint16_t x[COUNT];
  static float y[COUNT];
  const float a = 2.5f;
  const char *file = argc > 2 ? argv[2] : "examples/scale.c";
  if (!read_source(source, file)) return 1;
  for (int i = 0; i < COUNT; i++) x[i] = (uint16_t)(0x3c00 + i); /* the f16 of 1 + i / 1024 */

  ts_device *device = NULL;
  ts_error error;
  if (ts_device_open(&device, argc > 1 ? argv[1] : NULL, &error) || scale(device, source, file, x, a, y, &error)) {
    fprintf(stderr, "%s: %s\n", error.call, error.message);
    ts_device_close(device);
    return 1;
  }
  int right = 0;
  for (int i = 0; i < COUNT; i++) right += y[i] == a * (1 + (float)i / 1024);
  const ts_device_info *info = ts_device_get_info(device);
  printf("scale on %s (%s): %d of %d elements right\n", info->id, info->name, right, COUNT);
  ts_device_close(device);
  return right == COUNT ? 0 : 1;
}
