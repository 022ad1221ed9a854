/* SPDX-License-Identifier: Apache-2.0
 *
 * host_driver.c: the backend "host": kernels are compiled as C and run on this machine's CPU.
 *
 * It joins compiler.h and cpu_program.h: what is here is C's.
 */
#define _POSIX_C_SOURCE 200809L
#include "backend.h"

#include <stdio.h>

#include "compiler.h"
#include "cpu.h"
#include "cpu_program.h"

static ts_status host_list(ts_device_infos *infos, ts_error *error) {
  ts_device_info info;
  ts_status status = ts_cpu_describe(&info, error);
  if (status != TS_OK) return status;
  snprintf(info.id, sizeof info.id, "host");
  snprintf(info.backend, sizeof info.backend, "host");
  char compiler[TS_DEVICE_TEXT_BYTES - 8];
  if (!ts_compiler_name(compiler, sizeof compiler, &ts_compiler_c)) snprintf(compiler, sizeof compiler, "no compiler found");
  snprintf(info.language, sizeof info.language, "C11, %s", compiler);
  return ts_device_list_append(infos, &info, error);
}

static ts_status host_device_open(ts_device **device, const ts_device_info *info, ts_error *error) {
  return ts_cpu_device_open(device, &ts_host_backend, info, error);
}

const ts_cpu_text ts_cpu_text_c = {.before = "", .after = "", .linkage = "", .enter = "ts_host_item = item"};

static ts_status host_program_build(ts_program **program, ts_device *device, const char *text, const ts_signature *signatures,
                                    size_t signature_count, const ts_build_options *options, ts_error *error) {
  return ts_cpu_program_build(program, &ts_compiler_c, &ts_cpu_text_c, text, signatures, signature_count, options,
                              &device->info, error);
}

const ts_backend ts_host_backend = {
    .name = "host",
    .language = "host",
    .list = host_list,
    .device_open = host_device_open,
    .device_close = ts_cpu_device_close,
    .queue_create = ts_cpu_queue_create,
    .queue_finish = ts_cpu_queue_finish,
    .queue_destroy = ts_cpu_queue_destroy,
    .event_wait = ts_cpu_event_wait,
    .event_seconds = ts_cpu_event_seconds,
    .event_destroy = ts_cpu_event_destroy,
    .buffer_create = ts_cpu_buffer_create,
    .buffer_destroy = ts_cpu_buffer_destroy,
    .buffer_write = ts_cpu_buffer_write,
    .buffer_read = ts_cpu_buffer_read,
    .program_build = host_program_build,
    .program_destroy = ts_cpu_program_destroy,
    .kernel_get = ts_cpu_kernel_get,
    .kernel_destroy = ts_cpu_kernel_destroy,
    .kernel_arg = ts_cpu_kernel_arg,
    .kernel_launch = ts_cpu_kernel_launch,
};
