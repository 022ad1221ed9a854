/* SPDX-License-Identifier: Apache-2.0
 *
 * utf8.c: find what is no UTF-8 in a text.
 */
#include "host/tool/utf8.h"

#include <stdbool.h>

size_t utf8_length(const char *start) {
  const unsigned char *text = (const unsigned char *)start;
  static const struct {
    unsigned char mask, lead;
    unsigned long least; /* a smaller code in this length is an overlong form */
  } forms[] = {{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
  for (size_t extra = 0; extra < sizeof forms / sizeof forms[0]; extra++) {
    if ((text[0] & forms[extra].mask) != forms[extra].lead) continue;
    unsigned long code = text[0] & (unsigned)(unsigned char)~forms[extra].mask;
    for (size_t i = 1; i <= extra; i++) {
      if ((text[i] & 0xc0) != 0x80) return 0;
      code = code << 6 | (text[i] & 0x3f);
    }
    bool is_surrogate = code >= 0xd800 && code <= 0xdfff;
    return code < forms[extra].least || code > 0x10ffff || is_surrogate ? 0 : extra + 1;
  }
  return 0;
}
