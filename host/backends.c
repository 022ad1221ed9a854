/* SPDX-License-Identifier: Apache-2.0
 *
 * backends.c: the list of backends, in the order in which their devices are listed.
 *
 * It stands here and nowhere else, in a file of its own: a test program that defines ts_backends itself gets its own list.
 */
#include "backend.h"

const ts_backend *const ts_backends[] = {&ts_host_backend, &ts_opencl_backend, NULL};
