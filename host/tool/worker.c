/* SPDX-License-Identifier: Apache-2.0
 *
 * worker.c: the process that runs cases, one by one as the pool asks. It may crash or hang: the pool sees that.
 *
 * It chooses no case and reports nothing to the user.
 */
#include "host/tool/worker.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "host/tool/child.h"
#include "host/tool/tool.h"

/* Returns false if the pool has gone. */
static bool say(const worker_message *message) {
  return send(WORKER_CHANNEL, message, sizeof *message, MSG_NOSIGNAL) == (ssize_t)sizeof *message;
}

static int say_failure(const ts_error *error) {
  worker_message message;
  memset(&message, 0, sizeof message);
  message.kind = WORKER_FAILED;
  message.content.error = *error;
  return say(&message) ? TOOL_PASSED : TOOL_ERROR;
}

static void run_cases(ts_suite *suite, const ts_case *cases, size_t count) {
  worker_message message;
  memset(&message, 0, sizeof message);
  message.kind = WORKER_DEVICE;
  message.content.device = *ts_suite_device(suite);

  worker_request asked;
  while (say(&message) && recv(WORKER_CHANNEL, &asked, sizeof asked, 0) == (ssize_t)sizeof asked && asked.number < count) {
    memset(&message, 0, sizeof message);
    message.kind = WORKER_RESULT;
    message.number = asked.number;
    ts_case_run(suite, &cases[asked.number], asked.seed, &message.content.result);
  }
}

int worker_run(const run_options *options) {
  int type = 0;
  socklen_t type_bytes = sizeof type;
  if (getsockopt(WORKER_CHANNEL, SOL_SOCKET, SO_TYPE, &type, &type_bytes) || type != SOCK_SEQPACKET)
    return tool_usage_error("conform", WORKER_OPTION " is how the tool starts itself; it has no other use");
  /* It is not for the compilers that a driver starts. */
  fcntl(WORKER_CHANNEL, F_SETFD, FD_CLOEXEC);
  setvbuf(stdout, NULL, _IOLBF, 0); /* lines printed before a crash are not lost */

  ts_error error = {.status = TS_OK};
  ts_case *cases = NULL;
  size_t count = 0;
  if (ts_cases_create(&cases, &count, &error)) return say_failure(&error);

  ts_suite *suite = NULL;
  if (ts_suite_open(&suite, options->device, &options->building.options, &error)) {
    ts_cases_free(cases);
    return say_failure(&error);
  }
  if (!options->building.options.extra) child_enter_place(ts_suite_device(suite)->id); /* it may name a folder */
  run_cases(suite, cases, count);
  ts_suite_close(suite);
  ts_cases_free(cases);
  return TOOL_PASSED;
}
