/* SPDX-License-Identifier: Apache-2.0
 *
 * status.h: every status that the host library returns and every exit code of the tool, listed once.
 */
#ifndef TS_CORE_STATUS_H
#define TS_CORE_STATUS_H

/* clang-format off */

/* X(status, exit code of the tool, what happened, what the caller can do) */
#define TS_STATUSES(X)                                                                                                  \
  X(TS_OK,                  0, "success",                               "nothing")                                      \
  X(TS_ERROR_USAGE,         2, "an argument is wrong",                  "correct the call: the message names it")       \
  X(TS_ERROR_NO_DEVICE,     3, "there is no such device",               "list devices, install a driver")               \
  X(TS_ERROR_BUILD,         5, "the program did not build",             "read the compiler's log in the message")       \
  X(TS_ERROR_NO_KERNEL,     2, "the program has no such kernel",        "the message lists the kernels that it has")    \
  X(TS_ERROR_ARGUMENT,      2, "a kernel argument is wrong",            "the message shows the kernel's own signature") \
  X(TS_ERROR_LIMIT,         2, "a limit of the device is exceeded",     "ask for less: the message names the limit")    \
  X(TS_ERROR_MEMORY,        6, "memory ran out",                        "free some, or ask for less")                   \
  X(TS_ERROR_FILE,          6, "a file could not be used",              "the message names the file")                   \
  X(TS_ERROR_UNSUPPORTED,   3, "the device cannot do this",             "use another device")                           \
  X(TS_ERROR_DRIVER,        5, "the driver reported an error",          "see the driver's code in the error")           \
  X(TS_ERROR_KERNEL,        5, "a kernel failed while it ran",          "see the message; buffers it may write are undefined")

/* clang-format on */
#endif
