/* SPDX-License-Identifier: Apache-2.0
 *
 * client.c: programs that use the library, well and badly. See client.h.
 */
#define _XOPEN_SOURCE 700
#include "tests/faults/client.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char source[] = "#include \"tensorstorage.h\"\n"
                             "TS_KERNEL(add, (TS_GLOBAL_CONST_ARG(i32) x_cells, TS_GLOBAL_ARG(i32) y_cells,\n"
                             "                TS_CONSTANT_ARG(i32) part, TS_SHARED_ARG(i32) scratch, int a)) {\n"
                             "  ts_index i = (ts_index)ts_global_id(0);\n"
                             "  ts_i32 x = ts_load(ts_global_const, i32, 1, ts_bind(ts_global_const, i32, x_cells), i, 0);\n"
                             "  ts_store(ts_global, i32, 1, ts_bind(ts_global, i32, y_cells), i, x + a, 0);\n"
                             "}\n";
static const char plain_source[] = "__kernel void plain(__global int *y, int a) { y[get_global_id(0)] = a; }\n";
static const char wrong_source[] = "__kernel void wrong(__global int *y) { y[0] = nowhere; }\n";

enum { COUNT = 64, BYTES = COUNT * sizeof(int32_t), PART_BYTES = 8192 };
static const ts_status WRONG = TS_STATUS_COUNT;

typedef struct objects {
  ts_device *device;
  ts_queue *queue;
  ts_program *program;
  ts_kernel *kernel;
  ts_event *event;
  ts_buffer *x, *y, *part;
} objects;

static void destroy(objects *o) {
  ts_event_destroy(o->event);
  ts_kernel_destroy(o->kernel);
  ts_program_destroy(o->program);
  ts_buffer_destroy(o->x);
  ts_buffer_destroy(o->y);
  ts_buffer_destroy(o->part);
  ts_queue_destroy(o->queue);
  ts_device_close(o->device);
  *o = (objects){0};
}

static ts_status make(objects *o, const char *device, ts_error *error) {
  const ts_build_options options = {.name = "add.c", .fast_math = true};
  ts_status status = ts_device_open(&o->device, device, error);
  if (!status) status = ts_queue_create(&o->queue, o->device, error);
  if (!status) status = ts_buffer_create(&o->x, o->device, TS_SPACE_global, BYTES, error);
  if (!status) status = ts_buffer_create(&o->y, o->device, TS_SPACE_global, BYTES, error);
  if (!status) status = ts_buffer_create(&o->part, o->device, TS_SPACE_constant, PART_BYTES, error);
  if (!status) status = ts_program_build(&o->program, o->device, source, &options, error);
  if (!status) status = ts_kernel_get(&o->kernel, o->program, "add", error);
  return status;
}

/* What was done to the buffers, as far as the library says. */
typedef struct progress {
  bool has_written, has_launched;
} progress;

/* x = 0, 1, 2 …; two launches, with different parts of a buffer; y = x + 1000. */
static ts_status use(objects *o, progress *done, ts_error *error) {
  const ts_grid grid = {.items = {COUNT}, .group = {COUNT}};
  ts_storage part = ts_buffer_storage(o->part, TS_DTYPE_i32);
  int32_t x[COUNT], y[COUNT] = {0};
  double seconds = -1;
  for (int i = 0; i < COUNT; i++) x[i] = i;
  ts_status status = ts_buffer_write(o->queue, o->x, 0, x, BYTES, error);
  done->has_written = !status;
  if (!status) status = ts_kernel_arg_buffer(o->kernel, "x_cells", o->x, error);
  if (!status) status = ts_kernel_arg_buffer(o->kernel, "y_cells", o->y, error);
  if (!status) status = ts_kernel_arg_shared(o->kernel, "scratch", COUNT, error);
  for (int k = 0; k < 2 && !status; k++) {
    part.byte_offset = (size_t)(k + 1) * PART_BYTES / 4;
    status = ts_kernel_arg_storage(o->kernel, "part", part, error);
    if (!status) status = ts_kernel_arg_i32(o->kernel, "a", 1000 * k, error);
    if (!status) status = ts_kernel_launch(o->queue, o->kernel, grid, k ? &o->event : NULL, error);
    done->has_launched = done->has_launched || !status || !strcmp(error->call, "clRetainEvent");
  }
  if (!status) status = ts_event_seconds(o->event, &seconds, error);
  if (!status) status = ts_buffer_read(o->queue, o->y, 0, y, BYTES, error);
  if (!status) status = ts_queue_finish(o->queue, error);
  for (int i = 0; i < COUNT && !status; i++)
    if (y[i] != i + 1000) status = WRONG;
  return !status && seconds < 0 ? WRONG : status;
}

/* ---- good ones -------------------------------------------------------------------------------------------------- */

/* From the list of devices to the end. */
static ts_status live(const char *device, ts_error *error) {
  objects o = {0};
  progress done = {false, false};
  ts_device_info *devices = NULL;
  size_t count = 0;
  ts_status status = ts_device_list(&devices, &count, error);
  if (error->driver_code && (count == 0 || strcmp(devices[0].id, "host") != 0)) status = WRONG; /* it needs no driver */
  ts_device_list_free(devices);
  if (!status) status = make(&o, device, error);
  if (!status) status = use(&o, &done, error);
  destroy(&o);
  return status;
}

/* The device that is meant where none is named: the host does not stand in for one whose driver fails. */
static ts_status choose(const char *device, ts_error *error) {
  ts_device *chosen = NULL;
  ts_status status = ts_device_open(&chosen, NULL, error);
  if (!status && strcmp(ts_device_get_info(chosen)->id, device) != 0) status = WRONG;
  ts_device_close(chosen);
  return status;
}

/* A kernel without TS_KERNEL, of which only the driver knows, and a source that does not build. */
static ts_status build(const char *device, ts_error *error) {
  objects o = {0};
  ts_program *wrong = NULL;
  ts_status status = ts_device_open(&o.device, device, error);
  if (!status) status = ts_program_build(&o.program, o.device, plain_source, NULL, error);
  if (!status) status = ts_kernel_get(&o.kernel, o.program, "plain", error);
  if (!status) status = ts_kernel_arg_i32(o.kernel, "1", 3, error);
  if (!status) {
    status = ts_program_build(&wrong, o.device, wrong_source, NULL, error);
    status = status == TS_ERROR_BUILD ? TS_OK : status == TS_OK ? WRONG : status;
  }
  ts_program_destroy(wrong);
  destroy(&o);
  return status;
}

/* What a driver makes of a source, without a device of one's own. */
static ts_status compile(const char *device, ts_error *error) {
  ts_binary *binary = NULL;
  size_t bytes = 0;
  ts_status status = ts_compile(&binary, strcmp(device, "host") ? "cl" : "host", source, NULL, error);
  if (!status) ts_binary_bytes(binary, &bytes);
  if (!status && (!bytes || ts_binary_kernel_count(binary) != 1)) status = WRONG;
  ts_binary_destroy(binary);
  return status;
}

/* ---- objects that live through all disturbances: what the library says it did not do has changed no buffer ------- */

static objects kept;
static progress done;

enum { MARK = 0x5eed };

static ts_status mark(const char *device, ts_error *error) {
  int32_t marks[COUNT];
  for (int i = 0; i < COUNT; i++) marks[i] = MARK;
  ts_status status = kept.kernel ? TS_OK : make(&kept, device, error);
  if (!status) status = ts_buffer_write(kept.queue, kept.x, 0, marks, BYTES, error);
  if (!status) status = ts_buffer_write(kept.queue, kept.y, 0, marks, BYTES, error);
  ts_storage part = ts_buffer_storage(kept.part, TS_DTYPE_i32); /* from here on the kernel holds a part of it, always one */
  part.byte_offset = PART_BYTES / 4;
  if (!status) status = ts_kernel_arg_storage(kept.kernel, "part", part, error);
  done = (progress){false, false};
  return status;
}

static ts_status command(const char *device, ts_error *error) {
  (void)device;
  ts_status status = use(&kept, &done, error);
  ts_event_destroy(kept.event);
  kept.event = NULL;
  return status;
}

static bool is_marked(const ts_buffer *buffer) {
  int32_t cells[COUNT];
  ts_status status = ts_buffer_read(kept.queue, buffer, 0, cells, BYTES, NULL);
  for (int i = 0; i < COUNT && !status; i++)
    if (cells[i] != MARK) status = WRONG;
  return !status;
}

static const char *see_marks(void) {
  if (ts_queue_finish(kept.queue, NULL)) return "the queue is of no use any more";
  if (!done.has_written && !is_marked(kept.x)) return "a write that failed changed its buffer";
  return !done.has_launched && !is_marked(kept.y) ? "a launch that failed wrote to a buffer" : NULL;
}

/* ---- the cache of built programs: see TENSORSTORAGE_CACHE_DIR, a folder in one that is not there either -------------- */

/* The cache's files that match, of those of its folder and the one around it; removed, and the folders, if that is wanted.
 * Returns how many there were. */
static size_t cache_files(const char *pattern, bool is_removed) {
  const char *folder = getenv("TENSORSTORAGE_CACHE_DIR");
  char path[1024];
  glob_t files = {0};
  snprintf(path, sizeof path, "%s/%s", folder, pattern);
  size_t count = glob(path, 0, NULL, &files) ? 0 : files.gl_pathc;
  for (size_t i = 0; i < count && is_removed; i++) unlink(files.gl_pathv[i]);
  globfree(&files);
  snprintf(path, sizeof path, "%s/..", folder);
  char *parent = is_removed ? realpath(path, NULL) : NULL;
  if (parent) rmdir(folder), rmdir(parent);
  free(parent);
  return count;
}

static ts_status empty_cache(const char *device, ts_error *error) {
  (void)device, (void)error;
  cache_files("*", true);
  setenv("TENSORSTORAGE_CACHE", "on", 1);
  setenv("TENSORSTORAGE_TRACE", "1", 1);
  return TS_OK;
}

static ts_status build_and_use(const char *device, ts_error *error) {
  objects o = {0};
  progress ignored = {false, false};
  ts_status status = make(&o, device, error);
  if (!status) status = use(&o, &ignored, error);
  destroy(&o);
  return status;
}

static const char *cached_device;

/* It is built and stored; then it is found. */
static ts_status cache(const char *device, ts_error *error) {
  cached_device = device;
  ts_status status = build_and_use(device, error);
  return status ? status : build_and_use(device, error);
}

static const char *see_cache(void) {
  ts_error error = {.status = TS_OK};
  ts_status status = build_and_use(cached_device, &error);
  setenv("TENSORSTORAGE_CACHE", "off", 1);
  unsetenv("TENSORSTORAGE_TRACE");
  if (status) return "after it, a program of the cache is wrong, or does not build";
  return !cache_files("*.program", false) ? "after it, the next build is not stored" : NULL;
}

/* ---- bad ones --------------------------------------------------------------------------------------------------- */

static ts_status leak(const char *device, ts_error *error) {
  static void *volatile lost;
  ts_status status = live(device, error);
  lost = malloc(COUNT);
  if (lost) lost = NULL;
  return status;
}

static ts_status forget(const char *device, ts_error *error) {
  objects o = {0};
  ts_status status = make(&o, device, error);
  if (!status) destroy(&o);
  return status;
}

static ts_status crash(const char *device, ts_error *error) {
  ts_status status = live(device, error);
  if (status) abort();
  return status;
}

static ts_status hang(const char *device, ts_error *error) {
  ts_status status = live(device, error);
  while (status) pause();
  return status;
}

static ts_status swallow(const char *device, ts_error *error) {
  live(device, error);
  return TS_OK;
}

static ts_status overwrite(const char *device, ts_error *error) {
  ts_status status = command(device, error);
  const int32_t zeros[COUNT] = {0};
  ts_buffer_write(kept.queue, kept.x, 0, zeros, BYTES, NULL);
  return status;
}

static const client clients[] = {
    {"life", NULL, live, NULL},        {"chooses", NULL, choose, NULL},        {"builds", NULL, build, NULL},
    {"compiles", NULL, compile, NULL}, {"commands", mark, command, see_marks}, {"caches", empty_cache, cache, see_cache},
    {"leaks", NULL, leak, NULL},       {"forgets", NULL, forget, NULL},        {"crashes", NULL, crash, NULL},
    {"hangs", NULL, hang, NULL},       {"swallows", NULL, swallow, NULL},      {"overwrites", mark, overwrite, see_marks},
};

const client *client_find(const char *name) {
  for (size_t i = 0; i < sizeof clients / sizeof clients[0]; i++)
    if (!strcmp(name, clients[i].name)) return &clients[i];
  return NULL;
}
