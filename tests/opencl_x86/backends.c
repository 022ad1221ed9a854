/* SPDX-License-Identifier: Apache-2.0
 *
 * backends.c: the library's list of backends with opencl-x86 behind it, for programs that are linked with this file.
 */
#include "host/backend.h"

extern const ts_backend ts_opencl_x86_backend;

const ts_backend *const ts_backends[] = {&ts_host_backend, &ts_opencl_backend, &ts_opencl_x86_backend, NULL};
