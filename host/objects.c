/* SPDX-License-Identifier: Apache-2.0
 *
 * objects.c: queues, events, buffers and storage: every argument is checked here, then a backend does the work.
 *
 * Ranges and limits are decided here, whatever a driver would accept.
 */
#include "backend.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "error.h"

/* ---- queues and events ---------------------------------------------------------------------------------------- */

ts_status ts_queue_create(ts_queue **queue, ts_device *device, ts_error *error) {
  ts_error failure = {.status = TS_OK};
  if (ts_fail_if_null(&failure, "ts_queue_create", "queue", queue) ||
      ts_fail_if_null(&failure, "ts_queue_create", "device", device) ||
      device->backend->queue_create(queue, device, &failure) != TS_OK)
    return ts_error_give(error, &failure);
  (*queue)->device = device;
  return TS_OK;
}

ts_status ts_queue_finish(ts_queue *queue, ts_error *error) {
  ts_error failure = {.status = TS_OK};
  if (!ts_fail_if_null(&failure, "ts_queue_finish", "queue", queue)) queue->device->backend->queue_finish(queue, &failure);
  return ts_error_give(error, &failure);
}

void ts_queue_destroy(ts_queue *queue) {
  if (!queue) return;
  ts_queue_finish(queue, NULL);
  queue->device->backend->queue_destroy(queue);
}

ts_status ts_event_wait(ts_event *event, ts_error *error) {
  ts_error failure = {.status = TS_OK};
  if (!ts_fail_if_null(&failure, "ts_event_wait", "event", event)) event->queue->device->backend->event_wait(event, &failure);
  return ts_error_give(error, &failure);
}

ts_status ts_event_seconds(ts_event *event, double *seconds, ts_error *error) {
  ts_error failure = {.status = TS_OK};
  if (ts_fail_if_null(&failure, "ts_event_seconds", "event", event) ||
      ts_fail_if_null(&failure, "ts_event_seconds", "seconds", seconds))
    return ts_error_give(error, &failure);
  const ts_backend *backend = event->queue->device->backend;
  if (backend->event_wait(event, &failure) == TS_OK) backend->event_seconds(event, seconds, &failure);
  return ts_error_give(error, &failure);
}

void ts_event_destroy(ts_event *event) {
  if (event) event->queue->device->backend->event_destroy(event);
}

/* ---- buffers -------------------------------------------------------------------------------------------------- */

static ts_status check_buffer_size(const ts_device_info *info, ts_space space, size_t bytes, ts_error *error) {
  const char *call = "ts_buffer_create";
  if (space != TS_SPACE_global && space != TS_SPACE_constant)
    return ts_fail(error, TS_ERROR_USAGE, 0, call,
                   "a buffer is in global or constant memory, not in %s; dynamic shared memory is given with "
                   "ts_kernel_arg_shared",
                   ts_space_name(space));
  bool is_constant = space == TS_SPACE_constant;
  uint64_t limit = is_constant ? info->max_constant_bytes : info->max_buffer_bytes;
  if (bytes > limit)
    return ts_fail(error, TS_ERROR_LIMIT, 0, call,
                   "%zu bytes are more than %s of %s, which has %" PRIu64 " bytes; ask for less", bytes,
                   is_constant ? "the constant memory" : "the largest buffer", info->id, limit);
  return TS_OK;
}

ts_status ts_buffer_create(ts_buffer **buffer, ts_device *device, ts_space space, size_t bytes, ts_error *error) {
  ts_error failure = {.status = TS_OK};
  if (ts_fail_if_null(&failure, "ts_buffer_create", "buffer", buffer) ||
      ts_fail_if_null(&failure, "ts_buffer_create", "device", device) ||
      check_buffer_size(&device->info, space, bytes, &failure) != TS_OK ||
      device->backend->buffer_create(buffer, device, space, bytes, &failure) != TS_OK)
    return ts_error_give(error, &failure);
  (*buffer)->device = device;
  (*buffer)->space = space;
  (*buffer)->bytes = bytes;
  return TS_OK;
}

void ts_buffer_destroy(ts_buffer *buffer) {
  if (buffer) buffer->device->backend->buffer_destroy(buffer);
}

size_t ts_buffer_bytes(const ts_buffer *buffer) { return buffer->bytes; }

ts_space ts_buffer_space(const ts_buffer *buffer) { return buffer->space; }

/* What a transfer of a buffer's range to or from host memory needs. */
static ts_status check_transfer(const char *call, const ts_queue *queue, const ts_buffer *buffer, size_t byte_offset,
                                const void *data, size_t bytes, ts_error *error) {
  if (ts_fail_if_null(error, call, "queue", queue) || ts_fail_if_null(error, call, "buffer", buffer)) return error->status;
  if (queue->device != buffer->device)
    return ts_fail(error, TS_ERROR_USAGE, 0, call,
                   "the buffer belongs to %s and the queue to another device, %s; use a queue of "
                   "the buffer's own device",
                   buffer->device->info.id, queue->device->info.id);
  if (byte_offset > buffer->bytes || bytes > buffer->bytes - byte_offset)
    return ts_fail(error, TS_ERROR_USAGE, 0, call, "%zu bytes from byte %zu on are not inside the buffer, which has %zu bytes",
                   bytes, byte_offset, buffer->bytes);
  if (bytes > 0) ts_fail_if_null(error, call, "data", data);
  return error->status;
}

ts_status ts_buffer_write(ts_queue *queue, ts_buffer *buffer, size_t byte_offset, const void *data, size_t bytes,
                          ts_error *error) {
  ts_error failure = {.status = TS_OK};
  if (check_transfer("ts_buffer_write", queue, buffer, byte_offset, data, bytes, &failure) == TS_OK && bytes > 0)
    queue->device->backend->buffer_write(queue, buffer, byte_offset, data, bytes, &failure);
  return ts_error_give(error, &failure);
}

ts_status ts_buffer_read(ts_queue *queue, const ts_buffer *buffer, size_t byte_offset, void *data, size_t bytes,
                         ts_error *error) {
  ts_error failure = {.status = TS_OK};
  if (check_transfer("ts_buffer_read", queue, buffer, byte_offset, data, bytes, &failure) == TS_OK && bytes > 0)
    queue->device->backend->buffer_read(queue, buffer, byte_offset, data, bytes, &failure);
  return ts_error_give(error, &failure);
}

/* ---- storage -------------------------------------------------------------------------------------------------- */

ts_storage ts_buffer_storage(ts_buffer *buffer, ts_dtype dtype) {
  return (ts_storage){.buffer = buffer, .dtype = dtype, .space = buffer->space, .is_const = buffer->space == TS_SPACE_constant};
}

/* Unsigned arithmetic wraps, so a negative offset is added like any other. */
ts_storage ts_storage_offset(ts_storage storage, int64_t elements) {
  storage.byte_offset += (size_t)elements * ts_dtype_bytes(storage.dtype);
  return storage;
}

int64_t ts_storage_distance(ts_storage to, ts_storage from) {
  int64_t bytes = (int64_t)(to.byte_offset - from.byte_offset), element_bytes = (int64_t)ts_dtype_bytes(to.dtype);
  return element_bytes ? bytes / element_bytes : 0;
}

ts_storage ts_storage_unsafe_cast(ts_storage storage, ts_dtype dtype, bool is_const) {
  storage.dtype = dtype;
  storage.is_const = is_const;
  return storage;
}

/* The name of the policy of a space and a mutability: "ts_global_const". */
static const char *policy_name(ts_space space, bool is_const) {
  enum { MUTABLE, CONST };
  bool wants_const = is_const || space == TS_SPACE_constant;
#define RETURN_IF_MEANT(policy, policy_space, mutability, a, b, c)                                                             \
  if (space == TS_SPACE_##policy_space && wants_const == (mutability == CONST)) return #policy;
  TS_POLICIES_NAMED(RETURN_IF_MEANT, , , )
  TS_POLICIES_GENERIC(RETURN_IF_MEANT, , , )
#undef RETURN_IF_MEANT
  return "?";
}

size_t ts_storage_write_type_name(ts_storage storage, char *text, size_t bytes) {
  int length = snprintf(text, bytes, "%s_%s", policy_name(storage.space, storage.is_const), ts_dtype_name(storage.dtype));
  return length < 0 ? 0 : (size_t)length;
}
