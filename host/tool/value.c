/* SPDX-License-Identifier: Apache-2.0
 *
 * value.c: one element of a dtype as text, both ways.
 */
#include "host/tool/value.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool refuse(char why[VALUE_WHY_BYTES], const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool refuse(char why[VALUE_WHY_BYTES], const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(why, VALUE_WHY_BYTES, format, arguments);
  va_end(arguments);
  return false;
}

/* ---- integers ------------------------------------------------------------------------------------------------- */

static const struct integer {
  ts_dtype dtype;
  int64_t least;
  uint64_t most;
} integers[] = {
    {TS_DTYPE_b8, 0, 1},           {TS_DTYPE_i8, INT8_MIN, INT8_MAX},
    {TS_DTYPE_u8, 0, UINT8_MAX},   {TS_DTYPE_i16, INT16_MIN, INT16_MAX},
    {TS_DTYPE_u16, 0, UINT16_MAX}, {TS_DTYPE_i32, INT32_MIN, INT32_MAX},
    {TS_DTYPE_u32, 0, UINT32_MAX}, {TS_DTYPE_i64, INT64_MIN, INT64_MAX},
    {TS_DTYPE_u64, 0, UINT64_MAX},
};

static const struct integer *integer_of(ts_dtype dtype) {
  for (size_t i = 0; i < sizeof integers / sizeof integers[0]; i++)
    if (integers[i].dtype == dtype) return &integers[i];
  return NULL;
}

/* An element from, and to, the low bytes of a number, whatever the byte order. */
static void store_bits(unsigned char *value, ts_dtype dtype, uint64_t bits) {
  switch (ts_dtype_bytes(dtype)) {
  case 1: memcpy(value, &(uint8_t){(uint8_t)bits}, 1); break;
  case 2: memcpy(value, &(uint16_t){(uint16_t)bits}, 2); break;
  case 4: memcpy(value, &(uint32_t){(uint32_t)bits}, 4); break;
  default: memcpy(value, &bits, 8); break;
  }
}

static uint64_t load_bits(ts_dtype dtype, const void *value) {
  uint8_t bits8;
  uint16_t bits16;
  uint32_t bits32;
  uint64_t bits64;
  switch (ts_dtype_bytes(dtype)) {
  case 1: memcpy(&bits8, value, 1); return bits8;
  case 2: memcpy(&bits16, value, 2); return bits16;
  case 4: memcpy(&bits32, value, 4); return bits32;
  default: memcpy(&bits64, value, 8); return bits64;
  }
}

static bool parse_integer(unsigned char *value, const struct integer *integer, const char *text, char why[VALUE_WHY_BYTES]) {
  bool is_negative = *text == '-';
  const char *digits = text + (*text == '-' || *text == '+');
  bool is_hexadecimal = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
  if (is_hexadecimal) digits += 2;
  char *end = NULL;
  errno = 0;
  uint64_t magnitude = isxdigit((unsigned char)*digits) ? strtoull(digits, &end, is_hexadecimal ? 16 : 10) : 0;
  if (!end || end == digits || *end)
    return refuse(why, "\"%s\" is no whole number; %s goes from %" PRId64 " to %" PRIu64, text, ts_dtype_name(integer->dtype),
                  integer->least, integer->most);
  uint64_t lowest = (uint64_t)0 - (uint64_t)integer->least; /* the magnitude of the least */
  if (errno == ERANGE || magnitude > (is_negative ? lowest : integer->most))
    return refuse(why, "%s does not fit: %s goes from %" PRId64 " to %" PRIu64, text, ts_dtype_name(integer->dtype),
                  integer->least, integer->most);
  store_bits(value, integer->dtype, is_negative ? (uint64_t)0 - magnitude : magnitude);
  return true;
}

/* ---- floats of 8 and 16 bits ---------------------------------------------------------------------------------- */

static const struct small_float {
  ts_dtype dtype;
  int exponent_bits, mantissa_bits;
  bool has_infinity; /* else the largest exponent is one of numbers, and only all ones are a NaN */
  unsigned nan;
} small_floats[] = {
    {TS_DTYPE_f16, 5, 10, true, 0x7e00},
    {TS_DTYPE_bf16, 8, 7, true, 0x7fc0},
    {TS_DTYPE_f8e5m2, 5, 2, true, 0x7e},
    {TS_DTYPE_f8e4m3fn, 4, 3, false, 0x7f},
};

static const struct small_float *small_float_of(ts_dtype dtype) {
  for (size_t i = 0; i < sizeof small_floats / sizeof small_floats[0]; i++)
    if (small_floats[i].dtype == dtype) return &small_floats[i];
  return NULL;
}

/* The bit of the sign. */
static unsigned sign_bit(const struct small_float *f) { return 1u << (f->exponent_bits + f->mantissa_bits); }

static double small_value(const struct small_float *f, unsigned bits) {
  unsigned top = (1u << f->exponent_bits) - 1, ones = (1u << f->mantissa_bits) - 1;
  unsigned exponent = bits >> f->mantissa_bits & top, mantissa = bits & ones;
  int bias = (int)(top / 2), scale = (exponent ? (int)exponent : 1) - bias - f->mantissa_bits;
  double magnitude = ldexp(exponent ? mantissa + ones + 1 : mantissa, scale);
  if (exponent == top && f->has_infinity) magnitude = mantissa ? NAN : INFINITY;
  if (exponent == top && !f->has_infinity && mantissa == ones) magnitude = NAN;
  return bits & sign_bit(f) ? -magnitude : magnitude;
}

/* The nearest of all elements, found by looking at each; of two, the even one. Returns false if the number is so large that
 * the next element, if there were one, would be as near as the largest. */
static bool nearest_small(const struct small_float *f, double number, unsigned *bits) {
  double magnitude = fabs(number), last = 0, previous = 0;
  unsigned best = 0;
  for (unsigned b = 0; b < sign_bit(f) && isfinite(small_value(f, b)); b++) {
    double value = small_value(f, b), nearest = small_value(f, best);
    if (fabs(value - magnitude) < fabs(nearest - magnitude) ||
        (fabs(value - magnitude) == fabs(nearest - magnitude) && b % 2 == 0))
      best = b;
    previous = last;
    last = value;
  }
  *bits = best | (signbit(number) ? sign_bit(f) : 0);
  return magnitude < last + (last - previous) / 2;
}

/* ---- floats --------------------------------------------------------------------------------------------------- */

static bool parse_float(unsigned char *value, ts_dtype dtype, const char *text, char why[VALUE_WHY_BYTES]) {
  const struct small_float *small = small_float_of(dtype);
  char *end;
  double number = strtod(text, &end);
  float single = strtof(text, &end); /* rounded once */
  if (end == text || *end || isspace((unsigned char)*text)) return refuse(why, "\"%s\" is no number", text);
  bool is_infinity = isinf(number) && tolower((unsigned char)text[strspn(text, "+-")]) == 'i'; /* written so */
  unsigned bits = 0;
  if (small && isnan(number)) {
    bits = small->nan;
  } else if (small && is_infinity) {
    if (!small->has_infinity) return refuse(why, "%s has no infinity", ts_dtype_name(dtype));
    bits = ((1u << small->exponent_bits) - 1) << small->mantissa_bits | (number < 0 ? sign_bit(small) : 0);
  } else if (small                   ? !nearest_small(small, number, &bits)
             : dtype == TS_DTYPE_f32 ? isinf(single) && !is_infinity
                                     : isinf(number) && !is_infinity) {
    return refuse(why, "%s is too large for %s", text, ts_dtype_name(dtype));
  }
  if (small)
    store_bits(value, dtype, bits);
  else if (dtype == TS_DTYPE_f32)
    memcpy(value, &single, sizeof single);
  else
    memcpy(value, &number, sizeof number);
  return true;
}

/* The fewest digits that give the same number again; a whole number that is held exactly in so many has no exponent. */
static void print_float(char text[VALUE_TEXT_BYTES], double number, bool is_double) {
  if (isnan(number)) {
    snprintf(text, VALUE_TEXT_BYTES, "nan");
    return;
  }
  if (fabs(number) < (is_double ? 1e15 : 1e7) && trunc(number) == number) {
    snprintf(text, VALUE_TEXT_BYTES, "%.0f", number);
    return;
  }
  for (int digits = 1; digits <= 17; digits++) {
    snprintf(text, VALUE_TEXT_BYTES, "%.*g", digits, number);
    if (is_double ? strtod(text, NULL) == number : (double)strtof(text, NULL) == number) return;
  }
}

/* ---- both ----------------------------------------------------------------------------------------------------- */

bool value_parse(unsigned char value[VALUE_BYTES], ts_dtype dtype, const char *text, char why[VALUE_WHY_BYTES]) {
  const struct integer *integer = integer_of(dtype);
  return integer ? parse_integer(value, integer, text, why) : parse_float(value, dtype, text, why);
}

void value_print(char text[VALUE_TEXT_BYTES], ts_dtype dtype, const void *value) {
  const struct integer *integer = integer_of(dtype);
  const struct small_float *small = small_float_of(dtype);
  uint64_t bits = load_bits(dtype, value);
  float single;
  double number;
  if (integer && integer->least == 0) {
    snprintf(text, VALUE_TEXT_BYTES, "%" PRIu64, bits);
  } else if (integer) {
    int unused = 64 - 8 * (int)ts_dtype_bytes(dtype); /* the sign moves up, and down again with copies of it */
    snprintf(text, VALUE_TEXT_BYTES, "%" PRId64, (int64_t)(bits << unused) >> unused);
  } else if (small) {
    print_float(text, small_value(small, (unsigned)bits), false);
  } else if (dtype == TS_DTYPE_f32) {
    memcpy(&single, value, sizeof single);
    print_float(text, (double)single, false);
  } else {
    memcpy(&number, value, sizeof number);
    print_float(text, number, true);
  }
}
