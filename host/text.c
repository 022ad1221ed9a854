/* SPDX-License-Identifier: Apache-2.0
 *
 * text.c: a string that grows, and the distance between two names. See text.h.
 */
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Make room for `length` more characters and a 0. */
static bool reserve(ts_text *text, size_t length) {
  if (text->failed) return false;
  if (length < text->capacity - text->length) return true;
  size_t capacity = 2 * text->capacity + length + 64;
  char *chars = realloc(text->chars, capacity);
  if (!chars) {
    text->failed = true;
    return false;
  }
  text->chars = chars;
  text->capacity = capacity;
  return true;
}

void ts_text_append(ts_text *text, const char *chars, size_t length) {
  if (!reserve(text, length)) return;
  memcpy(text->chars + text->length, chars, length);
  text->length += length;
  text->chars[text->length] = 0;
}

void ts_text_print(ts_text *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  if (length < 0 || !reserve(text, (size_t)length)) return;
  va_start(arguments, format);
  vsnprintf(text->chars + text->length, (size_t)length + 1, format, arguments);
  va_end(arguments);
  text->length += (size_t)length;
}

void ts_text_quote(ts_text *text, const char *chars) {
  ts_text_append(text, "\"", 1);
  for (; *chars; chars++) {
    if (*chars == '"' || *chars == '\\') ts_text_append(text, "\\", 1);
    ts_text_append(text, chars, 1);
  }
  ts_text_append(text, "\"", 1);
}

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

size_t ts_name_distance(const char *a, const char *b) {
  enum { LONGEST = 63 };
  /* row[j]: the distance between the part of a that was read and the first j characters of b; then of parts shorter by 1, 2 */
  size_t rows[3][LONGEST + 1], *row = rows[0], *last = rows[1], *before_last = rows[2];
  size_t columns = smaller(strlen(b), LONGEST), count = smaller(strlen(a), LONGEST);
  for (size_t j = 0; j <= columns; j++) row[j] = j;
  for (size_t i = 1; i <= count; i++) {
    size_t *oldest = before_last;
    before_last = last;
    last = row;
    row = oldest;
    row[0] = i;
    for (size_t j = 1; j <= columns; j++) {
      row[j] = smaller(last[j - 1] + (a[i - 1] != b[j - 1]), 1 + smaller(row[j - 1], last[j]));
      bool is_swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_swapped) row[j] = smaller(row[j], before_last[j - 2] + 1);
    }
  }
  return row[columns];
}

const char *ts_name_nearest(const char *word, const char *const *names, size_t count) {
  const char *nearest = NULL;
  size_t fewest = strlen(word) / 2;
  for (size_t i = 0; i < count; i++) {
    if (word[0] && !strncmp(names[i], word, strlen(word))) return names[i];
    size_t distance = ts_name_distance(word, names[i]);
    if (distance < fewest || (distance == fewest && !nearest)) {
      fewest = distance;
      nearest = names[i];
    }
  }
  return nearest;
}
