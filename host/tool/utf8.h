/* SPDX-License-Identifier: Apache-2.0
 *
 * utf8.h: find what is no UTF-8 in a text that a driver gave, so that a file made of it is well-formed.
 */
#ifndef TS_TOOL_UTF8_H
#define TS_TOOL_UTF8_H

#include <stddef.h>

/* The bytes of the character that a text starts with, 1 to 4; 0 if its first byte starts none. The text is not empty. */
size_t utf8_length(const char *text);

#endif
