/* SPDX-License-Identifier: Apache-2.0
 *
 * error.c: the texts of statuses, dtypes and spaces, and how an error is filled.
 *
 * Everything here is made from the rows of core/status.h and core/tables.h; there is no other list.
 */
#include "backend.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "error.h"

#define TEXT_OF(status, exit_code, what, remedy) [status] = what,
#define EXIT_OF(status, exit_code, what, remedy) [status] = exit_code,
static const char *const status_texts[TS_STATUS_COUNT] = {TS_STATUSES(TEXT_OF)};
static const int status_exit_codes[TS_STATUS_COUNT] = {TS_STATUSES(EXIT_OF)};
#undef TEXT_OF
#undef EXIT_OF

#define NAME_OF(dtype, bits, bytes, kind, computes) [TS_DTYPE_##dtype] = #dtype,
#define BYTES_OF(dtype, bits, bytes, kind, computes) [TS_DTYPE_##dtype] = bytes,
static const char *const dtype_names[TS_DTYPE_COUNT] = {TS_DTYPES(NAME_OF)};
static const size_t dtype_bytes[TS_DTYPE_COUNT] = {TS_DTYPES(BYTES_OF)};
#undef NAME_OF
#undef BYTES_OF

#define NAME_OF(space, id) [TS_SPACE_##space] = #space,
static const char *const space_names[TS_SPACE_END] = {TS_SPACES(NAME_OF)};
#undef NAME_OF

const char *ts_status_text(ts_status status) {
  return (unsigned)status < TS_STATUS_COUNT ? status_texts[status] : "an unknown status";
}

int ts_status_exit_code(ts_status status) {
  return (unsigned)status < TS_STATUS_COUNT ? status_exit_codes[status] : status_exit_codes[TS_ERROR_DRIVER];
}

const char *ts_dtype_name(ts_dtype dtype) { return (unsigned)dtype < TS_DTYPE_COUNT ? dtype_names[dtype] : "?"; }

size_t ts_dtype_bytes(ts_dtype dtype) { return (unsigned)dtype < TS_DTYPE_COUNT ? dtype_bytes[dtype] : 0; }

bool ts_dtype_from_name(ts_dtype *dtype, const char *name) {
  for (int i = 0; i < TS_DTYPE_COUNT; i++)
    if (name && !strcmp(name, dtype_names[i])) {
      *dtype = (ts_dtype)i;
      return true;
    }
  return false;
}

const char *ts_space_name(ts_space space) {
  return (unsigned)space < TS_SPACE_END && space_names[space] ? space_names[space] : "?";
}

/* Where to cut a text so that at most `limit` bytes stay: after a line's end if there is one in the last half, and never
 * inside a UTF-8 character. */
static size_t cut_at(const char *text, size_t limit) {
  for (size_t end = limit; end > limit / 2; end--)
    if (text[end - 1] == '\n') return end;
  while (limit > 0 && ((unsigned char)text[limit] & 0xC0) == 0x80) limit--;
  return limit;
}

/* The N of a last line "[N more bytes]", which is taken off. 0: there is none. */
static size_t take_cut_line(const char *text, size_t *length) {
  size_t start = *length, missing = 0;
  while (start > 0 && text[start - 1] != '\n') start--;
  int end = 0;
  if (sscanf(text + start, "[%zu more bytes]%n", &missing, &end) != 1 || start + (size_t)end != *length) return 0;
  *length = start;
  return missing;
}

void ts_text_cut(char *text, size_t length, size_t missing, size_t bytes) {
  enum { CUT_LINE_BYTES = 40 };
  if (length + missing < bytes) return;
  missing += take_cut_line(text, &length);
  size_t limit = bytes > CUT_LINE_BYTES ? bytes - CUT_LINE_BYTES : 0;
  size_t keep = limit < length ? cut_at(text, limit) : length;
  const char *line_end = keep > 0 && text[keep - 1] != '\n' ? "\n" : "";
  snprintf(text + keep, bytes - keep, "%s[%zu more bytes]", line_end, missing + length - keep);
}

ts_status ts_fail(ts_error *error, ts_status status, int driver_code, const char *call, const char *format, ...) {
  if (error->status != TS_OK) return error->status;
  error->status = status;
  error->driver_code = driver_code;
  snprintf(error->call, sizeof error->call, "%s", call);
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(error->message, sizeof error->message, format, arguments);
  va_end(arguments);
  size_t whole = length < 0 ? 0 : (size_t)length, held = strlen(error->message);
  ts_text_cut(error->message, held, whole - held, sizeof error->message);
  return status;
}

ts_status ts_error_give(ts_error *to, const ts_error *from) {
  if (from->status != TS_OK && to) *to = *from;
  return from->status;
}

bool ts_fail_if_null(ts_error *error, const char *call, const char *what, const void *pointer) {
  if (!pointer) ts_fail(error, TS_ERROR_USAGE, 0, call, "%s is NULL; give one", what);
  return !pointer;
}
