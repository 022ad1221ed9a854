/* SPDX-License-Identifier: Apache-2.0
 *
 * text.h: a string that grows, and the distance between two names.
 *
 * Knows nothing of devices, kernels or errors. Running out of memory is remembered and asked for once, at the end.
 */
#ifndef TS_HOST_TEXT_H
#define TS_HOST_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* All zero is the empty text. The caller frees chars, which is NULL while nothing has been appended. */
typedef struct ts_text {
  char *chars; /* ended by a 0 */
  size_t length, capacity;
  bool failed; /* memory ran out: chars is not the whole text */
} ts_text;

void ts_text_append(ts_text *text, const char *chars, size_t length);
void ts_text_print(ts_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Append as a C string literal: in quotes, with quotes and backslashes escaped. */
void ts_text_quote(ts_text *text, const char *chars);

/* How many characters to insert, delete, replace or swap with their neighbour to make one name the other, none of them twice.
 * Of longer names the first 63 characters count. Law: 0 exactly if the names are equal; symmetric. */
size_t ts_name_distance(const char *a, const char *b);

/* Of the names [count] the nearest to `word`: one that begins with it, else the one with the fewest changes; NULL if more than
 * half of the word would have to change. */
const char *ts_name_nearest(const char *word, const char *const *names, size_t count);

#endif
