/* SPDX-License-Identifier: Apache-2.0
 *
 * markup.c: write text into XML and HTML so that it means itself.
 */
#include "host/tool/markup.h"

#include <stdbool.h>
#include <string.h>

#include "host/tool/utf8.h"

/* What is written for one byte that can't stand for itself; NULL: it can. In attributes a line's end would become a blank. */
static const char *replacement(char c, bool in_attribute) {
  switch (c) {
  case '&': return "&amp;";
  case '<': return "&lt;";
  case '>': return "&gt;";
  case '"': return "&quot;";
  case '\n': return in_attribute ? "&#10;" : NULL;
  case '\t': return in_attribute ? "&#9;" : NULL;
  default: return (unsigned char)c < 0x20 || c == 0x7f ? "?" : NULL;
  }
}

/* U+FFFE and U+FFFF are characters of UTF-8 and none of XML. */
static bool is_character(const char *text, size_t length) {
  return length && strncmp(text, "\xef\xbf\xbe", 3) != 0 && strncmp(text, "\xef\xbf\xbf", 3) != 0;
}

static void escape(FILE *stream, const char *text, bool in_attribute) {
  while (*text) {
    size_t length = utf8_length(text);
    const char *instead = is_character(text, length) ? replacement(*text, in_attribute) : "?";
    if (instead)
      fputs(instead, stream);
    else
      fwrite(text, 1, length, stream);
    text += length ? length : 1;
  }
}

void markup_text(FILE *stream, const char *text) { escape(stream, text, false); }

void markup_attribute(FILE *stream, const char *name, const char *text) {
  fprintf(stream, " %s=\"", name);
  escape(stream, text, true);
  fputc('"', stream);
}

void markup_element(FILE *stream, const char *tag, const char *text) {
  fprintf(stream, "<%s>", tag);
  markup_text(stream, text);
  fprintf(stream, "</%.*s>", (int)strcspn(tag, " "), tag);
}
