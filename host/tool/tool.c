/* SPDX-License-Identifier: Apache-2.0
 *
 * tool.c: how a mistake is told: one sentence on stderr, with the nearest name and the place of the help.
 */
#include "host/tool/tool.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "text.h"

static char own_complaint[TOOL_COMPLAINT_BYTES], *complaint = own_complaint;

const char *tool_complaint(void) { return complaint; }

void tool_forget_complaint(void) { *complaint = '\0'; }

void tool_keep_complaint_in(char *text) {
  char *place = text ? text : own_complaint;
  if (place != complaint) memcpy(place, complaint, TOOL_COMPLAINT_BYTES);
  complaint = place;
}

static void complain(const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  if (!*complaint) vsnprintf(complaint, TOOL_COMPLAINT_BYTES, format, again);
  va_end(again);
  fputs("tensorstorage: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
}

void tool_complain(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  complain(format, arguments);
  va_end(arguments);
}

int tool_usage_error(const char *command, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  complain(format, arguments);
  va_end(arguments);
  fprintf(stderr, "try: tensorstorage %s%s--help\n", command ? command : "", command ? " " : "");
  return TOOL_USAGE;
}

enum { OPTIONS_MAX = 32, WORD_BYTES = 64 };

int tool_option_error(const char *command, const struct option *options, int answer, char **argv, int at) {
  const char *token = argv[at];
  char word[WORD_BYTES]; /* the token without dashes and value, cut: a longer one is near no name */
  const char *start = token + strspn(token, "-");
  snprintf(word, sizeof word, "%.*s", (int)strcspn(start, "="), start);

  const char *dashes = strncmp(token, "--", 2) ? "-" : "--";
  if (answer == ':') return tool_usage_error(command, "option %s%s needs a value", dashes, word);
  if (!strncmp(token, "--", 2) && optopt) return tool_usage_error(command, "option --%s takes no value", word);

  const char *names[OPTIONS_MAX];
  size_t count = 0;
  for (; options[count].name && count < OPTIONS_MAX; count++) names[count] = options[count].name;
  const char *nearest = ts_name_nearest(word, names, count);
  if (!nearest) return tool_usage_error(command, "there is no option \"%s\"", token);
  return tool_usage_error(command, "there is no option \"%s\"; the nearest is --%s", token, nearest);
}

int tool_library_error(const ts_error *error) {
  tool_complain("%s", error->message);
  return ts_status_exit_code(error->status);
}
