/* SPDX-License-Identifier: Apache-2.0
 *
 * convert_reference.c: decode a value exactly, then round it to the destination once.
 */
#include "convert_reference.h"

#include <stdio.h>
#include <string.h>

/* What rounding drops of a magnitude is compared with half a unit, which may be 2^64. */
__extension__ typedef unsigned __int128 u128;

/* ---- formats ---------------------------------------------------------------------------------------------------- */

typedef enum kind { BOOLEAN, SIGNED, UNSIGNED, FLOATING } kind;

/* FLOATING: a sign bit, then exponent bits with a bias, then mantissa bits. */
typedef struct format {
  kind kind;
  int exponent_bits, mantissa_bits, bias;
  bool has_infinity; /* all exponent bits set: infinity and NaN. Without: they are numbers too, but for one NaN */
} format;

/* Written out once more, and not made from core/tables.h, whose mistakes it has to find. */
static const format formats[TS_DTYPE_COUNT] = {
    [TS_DTYPE_b8] = {.kind = BOOLEAN},
    [TS_DTYPE_i8] = {.kind = SIGNED},
    [TS_DTYPE_u8] = {.kind = UNSIGNED},
    [TS_DTYPE_i16] = {.kind = SIGNED},
    [TS_DTYPE_u16] = {.kind = UNSIGNED},
    [TS_DTYPE_i32] = {.kind = SIGNED},
    [TS_DTYPE_u32] = {.kind = UNSIGNED},
    [TS_DTYPE_i64] = {.kind = SIGNED},
    [TS_DTYPE_u64] = {.kind = UNSIGNED},
    [TS_DTYPE_f16] = {FLOATING, 5, 10, 15, true},
    [TS_DTYPE_bf16] = {FLOATING, 8, 7, 127, true},
    [TS_DTYPE_f32] = {FLOATING, 8, 23, 127, true},
    [TS_DTYPE_f64] = {FLOATING, 11, 52, 1023, true},
    [TS_DTYPE_f8e4m3fn] = {FLOATING, 4, 3, 7, false},
    [TS_DTYPE_f8e5m2] = {FLOATING, 5, 2, 15, true},
};

bool reference_is_floating(ts_dtype dtype) { return formats[dtype].kind == FLOATING; }

int reference_mantissa_bits(ts_dtype dtype) { return formats[dtype].mantissa_bits; }

static int bits_of(ts_dtype dtype) { return 8 * (int)ts_dtype_bytes(dtype); }

/* The lowest `count` bits set; count is at most 64. */
static uint64_t ones(int count) { return count == 64 ? UINT64_MAX : ((uint64_t)1 << count) - 1; }

static uint64_t sign_bit(ts_dtype dtype) { return (uint64_t)1 << (bits_of(dtype) - 1); }

/* The bits of infinity, without its sign. */
static uint64_t infinity_of(const format *f) { return ones(f->exponent_bits) << f->mantissa_bits; }

uint64_t reference_max_finite(ts_dtype dtype) {
  const format *f = &formats[dtype];
  uint64_t all_ones = ones(f->exponent_bits + f->mantissa_bits);
  return f->has_infinity ? infinity_of(f) - 1 : all_ones - 1;
}

bool reference_is_nan(ts_dtype dtype, uint64_t bits) {
  if (!reference_is_floating(dtype)) return false;
  const format *f = &formats[dtype];
  uint64_t magnitude = bits & ~sign_bit(dtype);
  return magnitude > (f->has_infinity ? infinity_of(f) : reference_max_finite(dtype));
}

/* A NaN: all bits but the sign are set. */
static uint64_t nan_of(ts_dtype dtype) { return ones(formats[dtype].exponent_bits + formats[dtype].mantissa_bits); }

/* ---- decode ----------------------------------------------------------------------------------------------------- */

static reference_value decode_float(ts_dtype dtype, uint64_t bits) {
  const format *f = &formats[dtype];
  reference_value v = {.what = NUMBER, .is_negative = (bits & sign_bit(dtype)) != 0};
  uint64_t mantissa = bits & ones(f->mantissa_bits);
  int exponent = (int)(bits >> f->mantissa_bits & ones(f->exponent_bits));
  if (reference_is_nan(dtype, bits)) {
    v.what = NOT_A_NUMBER;
  } else if (f->has_infinity && exponent == (int)ones(f->exponent_bits)) {
    v.what = INFINITE;
  } else if (exponent == 0) { /* zero and subnormals: those of the lowest exponent, without a leading 1 */
    v.magnitude = mantissa;
    v.exponent = 1 - f->bias - f->mantissa_bits;
  } else {
    v.magnitude = mantissa | (uint64_t)1 << f->mantissa_bits;
    v.exponent = exponent - f->bias - f->mantissa_bits;
  }
  return v;
}

reference_value reference_decode(ts_dtype dtype, uint64_t bits) {
  if (reference_is_floating(dtype)) return decode_float(dtype, bits);
  reference_value v = {.what = NUMBER, .magnitude = bits};
  if (formats[dtype].kind == BOOLEAN) v.magnitude = bits != 0;
  if (formats[dtype].kind == SIGNED && (bits & sign_bit(dtype))) {
    v.is_negative = true;
    v.magnitude = (0 - bits) & ones(bits_of(dtype));
  }
  return v;
}

/* The exponent of a number's highest bit: 2^h <= value < 2^(h+1). The magnitude is not 0. */
static int highest_exponent(reference_value v) { return 63 - __builtin_clzll(v.magnitude) + v.exponent; }

int reference_compare_magnitudes(reference_value a, reference_value b) {
  if (!a.magnitude || !b.magnitude) return (a.magnitude > b.magnitude) - (a.magnitude < b.magnitude);
  if (highest_exponent(a) != highest_exponent(b)) return highest_exponent(a) < highest_exponent(b) ? -1 : 1;
  a.magnitude <<= __builtin_clzll(a.magnitude); /* both have the highest bit at the same place now */
  b.magnitude <<= __builtin_clzll(b.magnitude);
  return (a.magnitude > b.magnitude) - (a.magnitude < b.magnitude);
}

/* ---- encode ----------------------------------------------------------------------------------------------------- */

/* The bits of the nearest value of the format, without sign, as if the exponent had no upper end: ties to even. Codes of
 * floating point count the values of a format in their order, from 0 up. */
static uint64_t round_to_code(const format *f, reference_value v) {
  if (!v.magnitude) return 0;
  int lowest = 1 - f->bias - f->mantissa_bits; /* the exponent of the smallest subnormal, and of its multiples */
  int unit = highest_exponent(v) - f->mantissa_bits;
  if (unit < lowest) unit = lowest;

  uint64_t units; /* v is `units` of 2^unit, and a rest */
  int dropped = unit - v.exponent;
  if (dropped <= 0) {
    units = v.magnitude << -dropped;
  } else if (dropped > 65) {
    units = 0; /* less than half of one */
  } else {
    u128 rest = v.magnitude & (((u128)1 << dropped) - 1), half = (u128)1 << (dropped - 1);
    units = (uint64_t)((u128)v.magnitude >> dropped);
    if (rest > half || (rest == half && units % 2)) units++;
  }
  /* A subnormal's code is `units`. Each exponent above has 2^mantissa_bits codes; the leading 1 counts as the first step, and
   * a carry out of the mantissa arrives at the next exponent by itself. */
  return ((uint64_t)(unit - lowest) << f->mantissa_bits) + units;
}

static uint64_t encode_float(ts_dtype dtype, reference_value v, reference_overflow overflow) {
  const format *f = &formats[dtype];
  uint64_t sign = v.is_negative ? sign_bit(dtype) : 0;
  uint64_t max = reference_max_finite(dtype);
  if (v.what == NOT_A_NUMBER) return nan_of(dtype);
  uint64_t code = v.what == INFINITE ? UINT64_MAX : round_to_code(f, v);
  if (code <= max) return sign | code;
  if (bits_of(dtype) == 8 && overflow == SATURATE) return sign | max;
  return sign | (max + 1); /* infinity, or the NaN of a format that has none */
}

/* Truncate towards zero; what does not fit becomes the nearest limit. */
static uint64_t encode_truncated(ts_dtype dtype, reference_value v) {
  if (v.what == NOT_A_NUMBER) return 0;
  bool is_signed = formats[dtype].kind == SIGNED;
  uint64_t limit = is_signed ? ones(bits_of(dtype) - 1) + v.is_negative : v.is_negative ? 0 : ones(bits_of(dtype));
  uint64_t whole; /* saturated at 2^64 - 1, which no limit exceeds */
  if (v.what == INFINITE || (v.magnitude && highest_exponent(v) >= 64))
    whole = UINT64_MAX;
  else if (!v.magnitude || v.exponent <= -64)
    whole = 0;
  else
    whole = v.exponent >= 0 ? v.magnitude << v.exponent : v.magnitude >> -v.exponent;
  if (whole > limit) whole = limit;
  return (v.is_negative ? 0 - whole : whole) & ones(bits_of(dtype));
}

uint64_t reference_encode(ts_dtype dtype, reference_value v, reference_overflow overflow) {
  if (formats[dtype].kind == BOOLEAN) return v.what != NUMBER || v.magnitude;
  return reference_is_floating(dtype) ? encode_float(dtype, v, overflow) : encode_truncated(dtype, v);
}

uint64_t reference_convert(ts_dtype dst, ts_dtype src, uint64_t bits, reference_overflow overflow) {
  if (dst == src) return bits;
  reference_value v = reference_decode(src, bits);
  bool wraps = !reference_is_floating(src) && (formats[dst].kind == SIGNED || formats[dst].kind == UNSIGNED);
  if (wraps) return (v.is_negative ? 0 - v.magnitude : v.magnitude) & ones(bits_of(dst));
  return reference_encode(dst, v, overflow);
}

bool reference_matches(ts_dtype dst, ts_dtype src, uint64_t actual, uint64_t expected) {
  return actual == expected || (dst != src && reference_is_nan(dst, actual) && reference_is_nan(dst, expected));
}

/* ---- rows ------------------------------------------------------------------------------------------------------- */

/* "0x3c00", to its end. */
static bool read_bits(uint64_t *bits, const char *text) {
  unsigned long long number;
  int length = 0;
  if (sscanf(text, "0x%llx%n", &number, &length) != 1 || text[length]) return false;
  *bits = number;
  return true;
}

int convert_row_read(convert_row *row, const char **at) {
  static const char title[] = "src,src_bits,dst,dst_bits,why\n";
  if (!strncmp(*at, title, sizeof title - 1)) *at += sizeof title - 1;
  if (!**at) return 0;
  char line[96], src[16], src_bits[24], dst[16], dst_bits[24];
  size_t length = strcspn(*at, "\n");
  if (length >= sizeof line) return -1;
  memcpy(line, *at, length);
  line[length] = 0;
  if (sscanf(line, "%15[^,],%23[^,],%15[^,],%23[^,],", src, src_bits, dst, dst_bits) != 4) return -1;
  if (!ts_dtype_from_name(&row->src, src) || !ts_dtype_from_name(&row->dst, dst) || !read_bits(&row->src_bits, src_bits))
    return -1;
  if (!strcmp(dst_bits, "nan") && reference_is_floating(row->dst))
    row->dst_bits = nan_of(row->dst);
  else if (!read_bits(&row->dst_bits, dst_bits))
    return -1;
  *at += length + ((*at)[length] == '\n');
  return 1;
}
