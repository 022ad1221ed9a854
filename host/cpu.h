/* SPDX-License-Identifier: Apache-2.0
 *
 * cpu.h: what all backends share whose kernels run on this machine's CPU: the device's description, queues, events, buffers,
 * and how a kernel's launch function is written, found and launched.
 *
 * No compiler and no language: what a kernel's text is compiled by and how its arguments are passed is the backend's.
 */
#ifndef TS_HOST_CPU_H
#define TS_HOST_CPU_H

#include "backend.h"
#include "group.h"

/* Describe this machine's CPU as a device: all but id, backend and language. TENSORSTORAGE_HOST_THREADS says how many threads
 * its launches use. Errors: TS_ERROR_USAGE: that is no number from 1 to 1024. */
ts_status ts_cpu_describe(ts_device_info *info, ts_error *error);

/* The functions of backend.h that need to know nothing else. Every command has ended when its call returns. */
ts_status ts_cpu_device_open(ts_device **device, const ts_backend *backend, const ts_device_info *info, ts_error *error);
void ts_cpu_device_close(ts_device *device);
ts_status ts_cpu_queue_create(ts_queue **queue, ts_device *device, ts_error *error);
ts_status ts_cpu_queue_finish(ts_queue *queue, ts_error *error);
void ts_cpu_queue_destroy(ts_queue *queue);
ts_status ts_cpu_event_wait(ts_event *event, ts_error *error);
ts_status ts_cpu_event_seconds(ts_event *event, double *seconds, ts_error *error);
void ts_cpu_event_destroy(ts_event *event);
ts_status ts_cpu_buffer_create(ts_buffer **buffer, ts_device *device, ts_space space, size_t bytes, ts_error *error);
void ts_cpu_buffer_destroy(ts_buffer *buffer);
ts_status ts_cpu_buffer_write(ts_queue *queue, ts_buffer *buffer, size_t byte_offset, const void *data, size_t bytes,
                              ts_error *error);
ts_status ts_cpu_buffer_read(ts_queue *queue, const ts_buffer *buffer, size_t byte_offset, void *data, size_t bytes,
                             ts_error *error);

/* A buffer's first byte; a buffer of no bytes has an address too. */
unsigned char *ts_cpu_buffer_memory(const ts_buffer *buffer);

/* How a language writes what is put around a source. */
typedef struct ts_cpu_text {
  const char *before;  /* in front of it */
  const char *after;   /* behind it, if it has a kernel of TS_KERNEL */
  const char *linkage; /* of a launch function: "", or what keeps its name as C has it */
  const char *enter;   /* statement that tells the module which work-item runs now, namely `item` */
} ts_cpu_text;

/* C's, which the host device and the target "host" have in common. */
extern const ts_cpu_text ts_cpu_text_c;

/* How the name of a launch function begins; the kernel's follows. */
#define TS_CPU_LAUNCH_PREFIX "ts_host_launch_"

/* The source with a launch function for each kernel that can have one, to be freed. NULL when memory runs out. */
char *ts_cpu_launchable(const ts_cpu_text *around, const char *source, const ts_signature *signatures, size_t signature_count);

/* Find the launch function of a kernel in a loaded object.
 * Errors   TS_ERROR_UNSUPPORTED: it has none. */
ts_status ts_cpu_find_launch(ts_host_launch_function **function, void *object, const ts_signature *signature, ts_error *error);

/* Launch over items in groups; a group of zeros is chosen. The sizes of groups and the number of threads are set here, all else
 * of the launch is given.
 * Errors   those of ts_group_run; TS_ERROR_LIMIT: more groups than can be counted. */
ts_status ts_cpu_launch(ts_queue *queue, ts_group_launch *launch, const size_t items[3], const size_t group[3],
                        ts_event **event, ts_error *error);

#endif
