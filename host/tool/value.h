/* SPDX-License-Identifier: Apache-2.0
 *
 * value.h: one element of a dtype as text, both ways.
 *
 * On the host and for a few numbers: kernels convert with core/convert.h.
 */
#ifndef TS_TOOL_VALUE_H
#define TS_TOOL_VALUE_H

#include "tensorstorage_host.h"

enum { VALUE_BYTES = 8, VALUE_TEXT_BYTES = 32, VALUE_WHY_BYTES = 256 };

/* Read a number.
 *
 *   integers   a sign, then decimal digits, or 0x and hexadecimal ones
 *   floats     as strtod takes them: 2.5, 1e-3, 0x1.8p3, inf, nan; rounded to nearest even
 *   b8         0 or 1
 *
 * value    out: the first ts_dtype_bytes(dtype) bytes are the element
 * why      out: what is wrong, e.g. "300 does not fit: u8 goes from 0 to 255"
 * Errors   no number of the dtype; one that is out of its range. A float that is too large is; one that is too small is 0. */
bool value_parse(unsigned char value[VALUE_BYTES], ts_dtype dtype, const char *text, char why[VALUE_WHY_BYTES]);

/* Write an element, with as many digits as tell it from its neighbours: value_parse gives the same element again. */
void value_print(char text[VALUE_TEXT_BYTES], ts_dtype dtype, const void *value);

#endif
