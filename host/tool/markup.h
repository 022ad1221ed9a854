/* SPDX-License-Identifier: Apache-2.0
 *
 * markup.h: write text into XML and HTML so that it means itself.
 *
 * What neither may hold (bytes that are no UTF-8, control characters) becomes '?'. Whoever opened a stream looks for its
 * errors.
 */
#ifndef TS_TOOL_MARKUP_H
#define TS_TOOL_MARKUP_H

#include <stdio.h>

/* Text between tags. */
void markup_text(FILE *stream, const char *text);

/* ` name="text"`; line ends survive. */
void markup_attribute(FILE *stream, const char *name, const char *text);

/* `<tag>text</tag>`; the tag may have attributes, `td class="count"`. */
void markup_element(FILE *stream, const char *tag, const char *text);

#endif
