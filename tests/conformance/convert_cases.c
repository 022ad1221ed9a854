/* SPDX-License-Identifier: Apache-2.0
 *
 * convert_cases.c: the cases of convert.c: every dtype to every dtype at every width.
 *
 *   convert.<src>.<dst>x<width>               all values of a src of 8 or 16 bits, else SHORT_COUNT of them, and
 *                                             LONG_COUNT at width 16
 *   convert_no_saturate.<src>.<dst>x<width>   the same, to 8-bit floats
 *   convert_case.<src>.<dst>                  the rows of convert.csv
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "convert_reference.h"

extern const char ts_embedded_conformance_convert[];
extern const char ts_embedded_convert_csv[];

enum list { CONVERT };
static const case_list lists[] = {[CONVERT] = {"CONVERT_CASES", "convert", false}, {NULL, NULL, false}};
const case_file convert_file = {"convert.c", ts_embedded_conformance_convert, "SRC", lists, NULL};

/* Multiples of what a group converts, ITEMS times 16. */
enum { SHORT_COUNT = 1 << 16, LONG_COUNT = 1 << 20, LONG_WIDTH = 16 };

static uint64_t get_element(const unsigned char *bytes, size_t index, size_t element_bytes) {
  uint64_t bits = 0; /* devices are little-endian, as the host */
  memcpy(&bits, bytes + index * element_bytes, element_bytes);
  return bits;
}
static void put_element(unsigned char *bytes, size_t index, size_t element_bytes, uint64_t bits) {
  memcpy(bytes + index * element_bytes, &bits, element_bytes);
}

/* ---- values to convert ------------------------------------------------------------------------------------------ */

/* The values of one src, for all of its cases. The chosen ones come first, so that short cases have them too. */
struct convert_inputs {
  ts_dtype src;
  uint64_t seed;
  size_t count;
  unsigned char *bytes; /* [LONG_COUNT] room for elements of src */
  ts_buffer *buffer;    /* the same on the device */
};

static uint64_t sign_of(ts_dtype dtype) { return (uint64_t)1 << (8 * ts_dtype_bytes(dtype) - 1); }

static void add_value(struct convert_inputs *in, uint64_t bits) {
  if (in->count < LONG_COUNT) put_element(in->bytes, in->count++, ts_dtype_bytes(in->src), bits);
}

/* A value, those of the next bits below and above, and the negative of each. */
static void add_near(struct convert_inputs *in, uint64_t bits) {
  for (uint64_t near = bits - 1; near != bits + 2; ++near) {
    add_value(in, near);
    add_value(in, reference_is_floating(in->src) ? near ^ sign_of(in->src) : 0 - near);
  }
}

/* The same of a number. Where src has no such number there is nothing to add. */
static void add_number(struct convert_inputs *in, uint64_t magnitude, int exponent) {
  reference_value v = {.what = NUMBER, .magnitude = magnitude, .exponent = exponent};
  uint64_t bits = reference_encode(in->src, v, NO_SATURATE);
  reference_value back = reference_decode(in->src, bits);
  if (back.what == NUMBER && !reference_compare_magnitudes(v, back)) add_near(in, bits);
}

/* What convert.csv has for src. */
static void add_rows_of_table(struct convert_inputs *in) {
  convert_row row;
  for (const char *at = ts_embedded_convert_csv; convert_row_read(&row, &at) == 1;)
    if (row.src == in->src) add_value(in, row.src_bits);
}

/* Numbers of a dst of floating point, and the ties half way to the next: each exponent, the first and last mantissas and one
 * in between; of the 8-bit floats all numbers. */
static void add_ties(struct convert_inputs *in, ts_dtype dst, uint64_t *random) {
  uint64_t max = reference_max_finite(dst), codes_of_exponent = (uint64_t)1 << reference_mantissa_bits(dst);
  uint64_t step = ts_dtype_bytes(dst) == 1 ? 1 : codes_of_exponent;
  for (uint64_t first = 0; first <= max; first += step) {
    const uint64_t codes[] = {first, first + step - 2, first + step - 1, first + next_random(random) % step};
    for (size_t k = 0; k < (step == 1 ? 1 : sizeof codes / sizeof *codes); ++k) {
      reference_value v = reference_decode(dst, codes[k]);
      add_number(in, v.magnitude, v.exponent);
      add_number(in, 2 * v.magnitude + 1, v.exponent - 1);
    }
  }
}

/* Powers of two, one less and one more, with nothing, a quarter, a half and three quarters behind the point. */
static void add_limits_of_integers(struct convert_inputs *in) {
  for (int bit = 0; bit <= 64; ++bit) {
    add_number(in, 1, bit);
    uint64_t power = (uint64_t)1 << bit % 62, first = 4 * (power - 1), end = 4 * (power + 2);
    for (uint64_t quarters = first; bit < 62 && quarters < end; ++quarters) add_number(in, quarters, -2);
    if (bit < 64) add_near(in, (uint64_t)1 << bit);
  }
}

/* Zeros, infinities, and NaNs with each bit of the payload. */
static void add_specials(struct convert_inputs *in) {
  add_near(in, 0);
  if (!reference_is_floating(in->src)) return;
  uint64_t infinity = reference_max_finite(in->src) + 1;
  add_near(in, infinity);
  add_near(in, sign_of(in->src) - 1);
  for (uint64_t payload = 1; reference_is_nan(in->src, infinity | payload) && payload < infinity; payload *= 2) {
    add_near(in, infinity | payload);
    add_near(in, infinity | (payload - 1));
  }
}

/* A number with an exponent from `lowest` on, of `count`: 2^lowest and up. */
static uint64_t random_in_range(ts_dtype src, uint64_t *random, int lowest, unsigned count) {
  uint64_t bits = next_random(random);
  reference_value v = {.what = NUMBER, .is_negative = bits & 1, .magnitude = bits | (uint64_t)1 << 63};
  v.exponent = lowest + (int)(next_random(random) % count) - 63;
  return reference_encode(src, v, NO_SATURATE);
}

/* All bits equally likely; bits that end with a run of equal ones, or just beside such; numbers of the size that smaller
 * dtypes have. */
static uint64_t random_value(ts_dtype src, uint64_t *random) {
  unsigned size = 8 * (unsigned)ts_dtype_bytes(src);
  uint64_t bits = next_random(random) >> (64 - size), run = ((uint64_t)1 << next_random(random) % size) - 1;
  switch (next_random(random) % 5) {
  case 0: return bits | run;
  case 1: return (bits & ~run) - 1 + next_random(random) % 3;
  case 2: return reference_is_floating(src) ? random_in_range(src, random, -30, 100) : bits >> next_random(random) % size;
  case 3: return reference_is_floating(src) ? random_in_range(src, random, -155, 290) : bits % 4096 - 2048;
  default: return bits;
  }
}

static void fill_inputs(struct convert_inputs *in) {
  if (ts_dtype_bytes(in->src) <= 2) {
    while (in->count >> 8 * ts_dtype_bytes(in->src) == 0) add_value(in, in->count);
    return;
  }
  uint64_t random = random_state(in->seed, (uint64_t)in->src);
  add_rows_of_table(in);
  add_specials(in);
  add_limits_of_integers(in);
  for (int dst = 0; dst < TS_DTYPE_COUNT; ++dst)
    if (dst != (int)in->src && reference_is_floating((ts_dtype)dst)) add_ties(in, (ts_dtype)dst, &random);
  while (in->count < LONG_COUNT) add_value(in, random_value(in->src, &random));
}

void convert_inputs_free(struct convert_inputs *in) {
  if (!in) return;
  ts_buffer_destroy(in->buffer);
  free(in->bytes);
  free(in);
}

/* The inputs of a src for the case's seed, made when they are first asked for. NULL: they could not be, which is the verdict.
 */
static const struct convert_inputs *inputs_of(run *r, ts_dtype src) {
  struct convert_inputs *in = r->suite->convert_inputs;
  if (in && in->src == src && in->seed == r->suite->seed) return in;
  convert_inputs_free(in);
  r->suite->convert_inputs = NULL;
  in = calloc(1, sizeof *in);
  size_t element_bytes = ts_dtype_bytes(src);
  if (in) in->bytes = malloc(LONG_COUNT * element_bytes);
  if (!in || !in->bytes) {
    convert_inputs_free(in);
    verdict(r, TS_CASE_ERROR, "out of memory for the values to convert");
    return NULL;
  }
  in->src = src;
  in->seed = r->suite->seed;
  fill_inputs(in);
  size_t bytes = in->count * element_bytes;
  if (good(r, ts_buffer_create(&in->buffer, r->suite->device, TS_SPACE_global, bytes, &r->error)) &&
      good(r, ts_buffer_write(r->suite->queue, in->buffer, 0, in->bytes, bytes, &r->error)))
    return r->suite->convert_inputs = in;
  convert_inputs_free(in);
  return NULL;
}

/* ---- one case --------------------------------------------------------------------------------------------------- */

/* A NaN that came is as good as the one that is expected: expect it. */
static void expect_any_nan(const row *row, const unsigned char *actual, unsigned char *expected, size_t count) {
  size_t bytes = (size_t)dtype_bytes(row->to_dtype);
  for (size_t k = 0; k < count; ++k) {
    uint64_t is = get_element(actual, k, bytes), must_be = get_element(expected, k, bytes);
    if (reference_matches((ts_dtype)row->to_dtype, (ts_dtype)row->dtype, is, must_be)) put_element(expected, k, bytes, is);
  }
}

/* Say which value became a wrong one, and how many did. */
static void compare_elements(run *r, const row *row, const unsigned char *source, const unsigned char *actual,
                             const unsigned char *expected, size_t count) {
  size_t from = (size_t)dtype_bytes(row->dtype), to = (size_t)dtype_bytes(row->to_dtype), wrong = 0, first = 0;
  for (size_t k = count; k-- > 0;)
    if (memcmp(actual + k * to, expected + k * to, to)) {
      ++wrong;
      first = k;
    }
  if (wrong)
    verdict(r, TS_CASE_FAILED,
            "%zu of %zu values are wrong, the first at element %zu: %s 0x%0*llx became %s 0x%0*llx, must be "
            "0x%0*llx",
            wrong, count, first, ts_dtype_name((ts_dtype)row->dtype), (int)(2 * from),
            (unsigned long long)get_element(source, first, from), ts_dtype_name((ts_dtype)row->to_dtype), (int)(2 * to),
            (unsigned long long)get_element(actual, first, to), (int)(2 * to),
            (unsigned long long)get_element(expected, first, to));
}

/* Convert the first `count` elements of a buffer that holds those of `source`. The elements of target.expected are the
 * right ones, but for NaNs. */
static void convert_and_compare(run *r, const row *row, const unsigned char *source, ts_buffer *buffer, tested *target,
                                size_t count) {
  size_t bytes = count * (size_t)dtype_bytes(row->to_dtype);
  if (buffer) good(r, ts_kernel_arg_buffer(r->kernel, "source_cells", buffer, &r->error));
  set_buffer(r, "target_cells", target);
  set_i32(r, "number", row->number);
  size_t items = count / (size_t)row->width;
  launch(r, (ts_grid){{items}, {ITEMS}});
  unsigned char *actual = room_for(r, bytes);
  if (actual && good(r, ts_buffer_read(r->suite->queue, target->buffer, GUARD, actual, bytes, &r->error))) {
    expect_any_nan(row, actual, target->expected + GUARD, count);
    compare_elements(r, row, source, actual, target->expected + GUARD, count);
  }
  free(actual);
}

static void check_convert(run *r, const row *row) {
  ts_dtype src = (ts_dtype)row->dtype, dst = (ts_dtype)row->to_dtype;
  const struct convert_inputs *in = inputs_of(r, src);
  if (!in) return;
  size_t from = ts_dtype_bytes(src), to = ts_dtype_bytes(dst);
  size_t count = row->width == LONG_WIDTH || in->count < SHORT_COUNT ? in->count : SHORT_COUNT;
  tested target = make(r, "target", TS_SPACE_global, GUARD + count * to + GUARD);
  for (size_t k = 0; k < count && target.expected; ++k)
    put_element(target.expected + GUARD, k, to,
                reference_convert(dst, src, get_element(in->bytes, k, from), (reference_overflow)row->operation));
  convert_and_compare(r, row, in->bytes, in->buffer, &target, count);
  compare(r, &target);
}

/* The rows of convert.csv for a pair, filled up to whole groups with the first. */
static void check_rows_of_table(run *r, const row *row) {
  enum { COUNT = 4 * ITEMS };
  ts_dtype src = (ts_dtype)row->dtype, dst = (ts_dtype)row->to_dtype;
  size_t from = ts_dtype_bytes(src), to = ts_dtype_bytes(dst), count = 0;
  tested source = make(r, "source", TS_SPACE_global, COUNT * from);
  tested target = make(r, "target", TS_SPACE_global, GUARD + COUNT * to + GUARD);
  convert_row next, first = {0};
  const char *at = ts_embedded_convert_csv;
  if (source.expected && target.expected) {
    while (convert_row_read(&next, &at) == 1 && count < COUNT)
      if (next.src == src && next.dst == dst) {
        put_element(source.expected, count, from, next.src_bits);
        put_element(target.expected + GUARD, count, to, next.dst_bits);
        if (!count++) first = next;
      }
    for (; count < COUNT; ++count) {
      put_element(source.expected, count, from, first.src_bits);
      put_element(target.expected + GUARD, count, to, first.dst_bits);
    }
    if (source.buffer) good(r, ts_buffer_write(r->suite->queue, source.buffer, 0, source.expected, source.bytes, &r->error));
    convert_and_compare(r, row, source.expected, source.buffer, &target, COUNT);
  }
  compare(r, &target);
  compare(r, &source);
}

/* ---- the family ------------------------------------------------------------------------------------------------- */

static void add_conversion(rows *rows, int src, int dst, int width, reference_overflow overflow, int number) {
  bool saturates = overflow == SATURATE;
  const char *to = ts_dtype_name((ts_dtype)dst);
  row row = {.check = check_convert,
             .file = &convert_file,
             .list = CONVERT,
             .number = number,
             .dtype = src,
             .to_dtype = dst,
             .operation = (int)overflow,
             .width = width};
  snprintf(row.id, sizeof row.id, "convert%s.%s.%sx%d", saturates ? "" : "_no_saturate", ts_dtype_name((ts_dtype)src), to,
           width);
  snprintf(row.code, sizeof row.code, "CONVERT%s(%d, %s, %d)", saturates ? "" : "_NO_SATURATE", number, to, width);
  add_row(rows, row);
}

/* By the conversion of width 1, whose line of the switch is there already. */
static void add_rows_of_table_case(rows *rows, int src, int dst, int number) {
  row row = {.check = check_rows_of_table,
             .file = &convert_file,
             .list = CONVERT,
             .number = number,
             .dtype = src,
             .to_dtype = dst,
             .width = 1};
  snprintf(row.id, sizeof row.id, "convert_case.%s.%s", ts_dtype_name((ts_dtype)src), ts_dtype_name((ts_dtype)dst));
  add_row(rows, row);
}

void add_convert_cases(rows *rows) {
  for (int src = 0; src < TS_DTYPE_COUNT; ++src) {
    int number = 0;
    for (int dst = 0; dst < TS_DTYPE_COUNT; ++dst) {
      if (dst != src) add_rows_of_table_case(rows, src, dst, number);
      for (int width = 1; width <= 16; width *= 2) add_conversion(rows, src, dst, width, SATURATE, number++);
    }
    for (int dst = TS_DTYPE_f8e4m3fn; dst <= TS_DTYPE_f8e5m2; ++dst)
      for (int width = 1; width <= 16; width *= 2) add_conversion(rows, src, dst, width, NO_SATURATE, number++);
  }
}
