/* SPDX-License-Identifier: Apache-2.0
 *
 * tool.h: what the subcommands of `tensorstorage` share: exit codes, and how a mistake is told.
 *
 * The tool prints and chooses the exit code; the library below it does neither.
 */
#ifndef TS_TOOL_TOOL_H
#define TS_TOOL_TOOL_H

#include <getopt.h>

#include "tensorstorage_host.h"

/* The exit codes of all subcommands. ts_status_exit_code maps a status of the library to the same numbers. */
enum tool_exit {
  TOOL_PASSED = 0,
  TOOL_FAILED = 1,
  TOOL_USAGE = 2,
  TOOL_NO_DEVICE = 3,
  TOOL_NOTHING_RAN = 4,
  TOOL_ERROR = 5,
  TOOL_FILE = 6,
  TOOL_SIGNAL = 128 /* plus the number of the signal that interrupted the run */
};

/* The subcommands. argv[0] is the subcommand's name. Return the exit code. */
int tool_devices(int argc, char **argv);
int tool_conform(int argc, char **argv);
int tool_run(int argc, char **argv);
int tool_doctor(int argc, char **argv);
int tool_build(int argc, char **argv);
int tool_show(int argc, char **argv);

/* What a command that was asked for JSON prints in place of its report (main.c): the first sentence that was printed on stderr.
 * From now on it is kept in `text` [TOOL_COMPLAINT_BYTES], memory that a child shares; NULL: here again. */
enum { TOOL_COMPLAINT_BYTES = TS_ERROR_MESSAGE_BYTES + 1024 };
const char *tool_complaint(void);
void tool_forget_complaint(void);
void tool_keep_complaint_in(char *text);

/* Print one sentence on stderr. */
void tool_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Print a sentence about a usage error and where the help is. `command` may be NULL. Returns TOOL_USAGE. */
int tool_usage_error(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Say what is wrong with argv[at], for which getopt_long answered '?' or ':' (the option string must begin with "+:" or "-:").
 * Returns TOOL_USAGE. */
int tool_option_error(const char *command, const struct option *options, int answer, char **argv, int at);

/* Print what the library said. Returns the exit code. */
int tool_library_error(const ts_error *error);

#endif
