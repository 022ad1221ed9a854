/* SPDX-License-Identifier: Apache-2.0
 *
 * check_convert_reference.c: the reference of conversions, against the table of right bits, against the compiler where the
 * machine itself converts, and against what rounding means. No kernel runs here.
 */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/conformance/convert_reference.h"

extern const char ts_embedded_convert_csv[];

static const ts_dtype floats[] = {TS_DTYPE_f16, TS_DTYPE_bf16, TS_DTYPE_f32, TS_DTYPE_f64, TS_DTYPE_f8e4m3fn, TS_DTYPE_f8e5m2};
enum { FLOAT_COUNT = sizeof floats / sizeof floats[0], RANDOM_COUNT = 100000 };

/* Source: Steele, Lea, Flood, OOPSLA 2014. */
static uint64_t next_random(void) {
  static uint64_t state;
  uint64_t z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* The bits of a dtype, all equally likely but for the length of the run of equal bits that they may end with: ties and
 * numbers just beside them are common. */
static uint64_t random_bits(ts_dtype dtype) {
  uint64_t bits = next_random(), low = ((uint64_t)1 << next_random() % 64) - 1;
  switch (next_random() % 4) {
  case 0: bits |= low; break;
  case 1: bits &= ~low; break;
  case 2: bits = (bits & ~low) + 1; break;
  default: break;
  }
  return bits >> (64 - 8 * ts_dtype_bytes(dtype));
}

/* ck_assert for what is asked millions of times: Check notes each ck_assert in a file. */
#define ASSERT_OFTEN(condition, ...)                                                                                           \
  do {                                                                                                                         \
    if (!(condition)) ck_abort_msg(__VA_ARGS__);                                                                               \
  } while (0)

static uint64_t convert(ts_dtype dst, ts_dtype src, uint64_t bits) { return reference_convert(dst, src, bits, SATURATE); }

static double value_of(ts_dtype dtype, uint64_t bits) {
  reference_value v = reference_decode(dtype, bits);
  ck_assert_int_eq(v.what, NUMBER);
  double magnitude = ldexp((double)v.magnitude, v.exponent);
  return v.is_negative ? -magnitude : magnitude;
}

#define BITS_OF(type, bits_type, value)                                                                                        \
  (((union {                                                                                                                   \
     type from;                                                                                                                \
     bits_type to;                                                                                                             \
   }){value})                                                                                                                  \
       .to)
static uint64_t bits_of_f32(float value) { return BITS_OF(float, uint32_t, value); }
static uint64_t bits_of_f64(double value) { return BITS_OF(double, uint64_t, value); }
static float f32_of(uint64_t bits) { return BITS_OF(uint32_t, float, (uint32_t)bits); }
static double f64_of(uint64_t bits) { return BITS_OF(uint64_t, double, bits); }

START_TEST(reference_convert__gives_each_row_of_the_table) {
  const char *at = ts_embedded_convert_csv;
  convert_row row;
  int count = 0, found;
  while ((found = convert_row_read(&row, &at)) == 1) {
    uint64_t bits = convert(row.dst, row.src, row.src_bits);
    ck_assert_msg(reference_matches(row.dst, row.src, bits, row.dst_bits), "%s 0x%llx is %s 0x%llx, and the table says 0x%llx",
                  ts_dtype_name(row.src), (unsigned long long)row.src_bits, ts_dtype_name(row.dst), (unsigned long long)bits,
                  (unsigned long long)row.dst_bits);
    count++;
  }
  ck_assert_int_eq(found, 0);
  ck_assert_int_eq(count, 5544);
}
END_TEST

START_TEST(reference_decode__knows_the_ends_of_each_format) {
  static const struct {
    ts_dtype dtype;
    double smallest, largest;
  } ends[] = {{TS_DTYPE_f16, 0x1p-24, 65504},           {TS_DTYPE_bf16, 0x1p-133, 0x1.fep127},
              {TS_DTYPE_f32, 0x1p-149, 0x1.fffffep127}, {TS_DTYPE_f64, 0x1p-1074, 0x1.fffffffffffffp1023},
              {TS_DTYPE_f8e4m3fn, 0x1p-9, 448},         {TS_DTYPE_f8e5m2, 0x1p-16, 57344}};
  for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
    ts_dtype dtype = ends[k].dtype;
    uint64_t max = reference_max_finite(dtype);
    ck_assert(value_of(dtype, 1) == ends[k].smallest);
    ck_assert(value_of(dtype, max) == ends[k].largest);
    ck_assert(!reference_is_nan(dtype, max));
    ck_assert_int_eq(reference_decode(dtype, max + 1).what, dtype == TS_DTYPE_f8e4m3fn ? NOT_A_NUMBER : INFINITE);
    ck_assert(reference_is_nan(dtype, ((uint64_t)1 << (8 * ts_dtype_bytes(dtype) - 1)) - 1));
  }
}
END_TEST

/* The number half way between the value of a code and that of the next. */
static reference_value midpoint(ts_dtype dtype, uint64_t code) {
  reference_value v = reference_decode(dtype, code);
  v.magnitude = 2 * v.magnitude + 1;
  v.exponent--;
  return v;
}

/* The number v, of a src, became `bits`: is it between the midpoints on both sides? On a midpoint only an even code is right.
 */
static void assert_nearest(ts_dtype dst, ts_dtype src, uint64_t src_bits, uint64_t bits) {
  reference_value v = reference_decode(src, src_bits);
  uint64_t sign = (uint64_t)1 << (8 * ts_dtype_bytes(dst) - 1), code = bits & ~sign, max = reference_max_finite(dst);
  bool is_saturated = ts_dtype_bytes(dst) == 1 && code == max;
  int slack = code % 2 == 0 ? 0 : 1; /* how far from a midpoint it has to be, in what comparing gives */
  bool above = code == 0 || reference_compare_magnitudes(v, midpoint(dst, code - 1)) >= slack;
  bool below = code > max || is_saturated || reference_compare_magnitudes(v, midpoint(dst, code)) <= -slack;
  bool has_sign = (bits & sign) != 0;
  ASSERT_OFTEN(above && below && code <= max + 1 && has_sign == v.is_negative, "%s 0x%llx is not the nearest to %s 0x%llx",
               ts_dtype_name(dst), (unsigned long long)bits, ts_dtype_name(src), (unsigned long long)src_bits);
}

START_TEST(reference_convert__gives_the_nearest_number_and_the_even_one_of_two) {
  for (size_t k = 0; k < FLOAT_COUNT; k++)
    for (int src = 0; src < TS_DTYPE_COUNT; src++)
      for (int n = 0; n < RANDOM_COUNT; n++) {
        uint64_t bits = random_bits((ts_dtype)src);
        if ((int)floats[k] != src && reference_decode((ts_dtype)src, bits).what == NUMBER)
          assert_nearest(floats[k], (ts_dtype)src, bits, convert(floats[k], (ts_dtype)src, bits));
      }
}
END_TEST

START_TEST(reference_convert__rounds_a_tie_to_even_wherever_the_source_has_it) {
  for (size_t k = 0; k < FLOAT_COUNT; k++) {
    ts_dtype dst = floats[k];
    if (dst == TS_DTYPE_f64) continue; /* no dtype has its ties but integers, which the compiler converts */
    for (int n = 0; n < RANDOM_COUNT; n++) {
      uint64_t code = random_bits(dst) & (((uint64_t)1 << (8 * ts_dtype_bytes(dst) - 1)) - 1);
      if (code >= reference_max_finite(dst)) continue;
      reference_value tie = midpoint(dst, code);
      uint64_t bits = bits_of_f64(ldexp((double)tie.magnitude, tie.exponent));
      bool is_right = convert(dst, TS_DTYPE_f64, bits) == code + code % 2 && convert(dst, TS_DTYPE_f64, bits - 1) == code &&
                      convert(dst, TS_DTYPE_f64, bits + 1) == code + 1;
      ASSERT_OFTEN(is_right, "the tie behind %s 0x%llx, or a number beside it, is wrong", ts_dtype_name(dst),
                   (unsigned long long)code);
    }
  }
}
END_TEST

START_TEST(reference_convert__takes_every_float_there_and_back) {
  for (size_t k = 0; k < FLOAT_COUNT; k++) {
    ts_dtype src = floats[k];
    if (ts_dtype_bytes(src) > 2) continue;
    for (uint64_t bits = 0; bits < (uint64_t)1 << (8 * ts_dtype_bytes(src)); bits++)
      for (int wide = 0; wide < 2; wide++) {
        ts_dtype dst = wide ? TS_DTYPE_f64 : TS_DTYPE_f32;
        uint64_t back = reference_convert(src, dst, convert(dst, src, bits), NO_SATURATE);
        bool is_back = back == bits || (reference_is_nan(src, back) && reference_is_nan(src, bits));
        bool is_alike = reference_decode(dst, convert(dst, src, bits)).what == reference_decode(src, bits).what;
        ASSERT_OFTEN(is_back && is_alike, "%s 0x%llx came back as 0x%llx", ts_dtype_name(src), (unsigned long long)bits,
                     (unsigned long long)back);
      }
  }
}
END_TEST

/* Whether the machine's result is the reference's, NaN being NaN. */
static void assert_same(ts_dtype dst, ts_dtype src, uint64_t bits, uint64_t machine) {
  uint64_t mine = convert(dst, src, bits);
  ASSERT_OFTEN(reference_matches(dst, src, mine, machine), "%s 0x%llx is %s 0x%llx, and the machine says 0x%llx",
               ts_dtype_name(src), (unsigned long long)bits, ts_dtype_name(dst), (unsigned long long)mine,
               (unsigned long long)machine);
}

START_TEST(reference_convert__agrees_with_the_machine_on_floats_of_both_sizes) {
  for (int n = 0; n < 10 * RANDOM_COUNT; n++) {
    uint64_t narrow = random_bits(TS_DTYPE_f32), wide = random_bits(TS_DTYPE_f64);
    if (n % 2) wide = (wide & ~((uint64_t)0x7ff << 52)) | (1023 - 160 + next_random() % 320) << 52; /* near what f32 has */
    assert_same(TS_DTYPE_f64, TS_DTYPE_f32, narrow, bits_of_f64((double)f32_of(narrow)));
    assert_same(TS_DTYPE_f32, TS_DTYPE_f64, wide, bits_of_f32((float)f64_of(wide)));
  }
}
END_TEST

START_TEST(reference_convert__agrees_with_the_machine_on_integers_as_floats) {
  for (int n = 0; n < 10 * RANDOM_COUNT; n++) {
    uint64_t wide = random_bits(TS_DTYPE_u64) >> (n % 2 ? next_random() % 64 : 0), narrow = random_bits(TS_DTYPE_u32);
    assert_same(TS_DTYPE_f32, TS_DTYPE_u64, wide, bits_of_f32((float)wide));
    assert_same(TS_DTYPE_f64, TS_DTYPE_u64, wide, bits_of_f64((double)wide));
    assert_same(TS_DTYPE_f32, TS_DTYPE_i64, wide, bits_of_f32((float)(int64_t)wide));
    assert_same(TS_DTYPE_f64, TS_DTYPE_i64, wide, bits_of_f64((double)(int64_t)wide));
    assert_same(TS_DTYPE_f32, TS_DTYPE_u32, narrow, bits_of_f32((float)(uint32_t)narrow));
    assert_same(TS_DTYPE_f32, TS_DTYPE_i32, narrow, bits_of_f32((float)(int32_t)narrow));
    assert_same(TS_DTYPE_f64, TS_DTYPE_i32, narrow, bits_of_f64((double)(int32_t)narrow));
  }
}
END_TEST

/* A machine's conversion is undefined where the value does not fit: there the limit is what must come out. */
#define ASSERT_TRUNCATED(T, type, min, max, end, src, bits, value)                                                             \
  do {                                                                                                                         \
    if ((value) > (double)(min)-1.0 && (value) < (end))                                                                        \
      assert_same(TS_DTYPE_##T, src, bits, (uint64_t)(type)(value) & (uint64_t)((max) - (min)));                               \
    else if (!isnan(value))                                                                                                    \
      assert_same(TS_DTYPE_##T, src, bits, (uint64_t)((value) < 0 ? (min) : (max)) & (uint64_t)((max) - (min)));               \
    else                                                                                                                       \
      assert_same(TS_DTYPE_##T, src, bits, 0);                                                                                 \
  } while (0)

START_TEST(reference_convert__truncates_as_the_machine_and_saturates) {
  for (int n = 0; n < 10 * RANDOM_COUNT; n++) {
    uint64_t bits = random_bits(TS_DTYPE_f64);
    if (n % 4) bits = (bits & ~((uint64_t)0x7ff << 52)) | (1023 - 4 + next_random() % 72) << 52; /* near what integers have */
    double value = f64_of(bits);
    ASSERT_TRUNCATED(i8, int8_t, -128, 127, 128.0, TS_DTYPE_f64, bits, value);
    ASSERT_TRUNCATED(u8, uint8_t, 0, 255, 256.0, TS_DTYPE_f64, bits, value);
    ASSERT_TRUNCATED(i16, int16_t, -32768, 32767, 32768.0, TS_DTYPE_f64, bits, value);
    ASSERT_TRUNCATED(u16, uint16_t, 0, 65535, 65536.0, TS_DTYPE_f64, bits, value);
    ASSERT_TRUNCATED(i32, int32_t, (int64_t)INT32_MIN, (int64_t)INT32_MAX, 0x1p31, TS_DTYPE_f64, bits, value);
    ASSERT_TRUNCATED(u32, uint32_t, (int64_t)0, (int64_t)UINT32_MAX, 0x1p32, TS_DTYPE_f64, bits, value);
    ASSERT_TRUNCATED(u64, uint64_t, (uint64_t)0, UINT64_MAX, 0x1p64, TS_DTYPE_f64, bits, value);
    uint64_t i64 = value >= 0x1p63   ? INT64_MAX
                   : value < -0x1p63 ? (uint64_t)INT64_MIN
                   : isnan(value)    ? 0
                                     : (uint64_t)(int64_t)value;
    assert_same(TS_DTYPE_i64, TS_DTYPE_f64, bits, i64);
  }
}
END_TEST

START_TEST(reference_convert__of_a_dtype_to_itself_keeps_every_bit) {
  for (int dtype = 0; dtype < TS_DTYPE_COUNT; dtype++)
    for (int n = 0; n < 1000; n++) {
      uint64_t bits = random_bits((ts_dtype)dtype);
      ck_assert_uint_eq(convert((ts_dtype)dtype, (ts_dtype)dtype, bits), bits);
      ck_assert(!reference_matches((ts_dtype)dtype, (ts_dtype)dtype, bits ^ 1, bits));
    }
}
END_TEST

START_TEST(reference_convert__without_saturation_gives_infinity_and_nan) {
  uint64_t too_large = bits_of_f32(60000.0f), infinite = bits_of_f32(-INFINITY), tie = bits_of_f32(464.0f);
  ck_assert_uint_eq(reference_convert(TS_DTYPE_f8e5m2, TS_DTYPE_f32, too_large, NO_SATURATE), 0x7b);
  ck_assert_uint_eq(reference_convert(TS_DTYPE_f8e5m2, TS_DTYPE_f32, bits_of_f32(61440.0f), NO_SATURATE), 0x7c);
  ck_assert_uint_eq(reference_convert(TS_DTYPE_f8e5m2, TS_DTYPE_f32, bits_of_f32(61440.0f), SATURATE), 0x7b);
  ck_assert_uint_eq(reference_convert(TS_DTYPE_f8e5m2, TS_DTYPE_f32, infinite, NO_SATURATE), 0xfc);
  ck_assert_uint_eq(reference_convert(TS_DTYPE_f8e5m2, TS_DTYPE_f32, infinite, SATURATE), 0xfb);
  ck_assert_uint_eq(reference_convert(TS_DTYPE_f8e4m3fn, TS_DTYPE_f32, tie, NO_SATURATE), 0x7e);
  ck_assert_uint_eq(reference_convert(TS_DTYPE_f8e4m3fn, TS_DTYPE_f32, tie + 1, NO_SATURATE), 0x7f);
  ck_assert_uint_eq(reference_convert(TS_DTYPE_f8e4m3fn, TS_DTYPE_f32, tie + 1, SATURATE), 0x7e);
  ck_assert_uint_eq(reference_convert(TS_DTYPE_f8e4m3fn, TS_DTYPE_f32, infinite, NO_SATURATE), 0xff);
  ck_assert_uint_eq(reference_convert(TS_DTYPE_f8e4m3fn, TS_DTYPE_i32, 1000, NO_SATURATE), 0x7f);
}
END_TEST

START_TEST(convert_row_read__refuses_what_is_no_row) {
  static const char *const wrong[] = {"f16,0x0000,bf17,0x0000,edge\n", "f16,0x0000,bf16\n", "f16,12,bf16,0x0000,edge\n",
                                      "f16,0x00g0,bf16,0x0000,edge\n", "f16,0x0000,i16,nan,edge\n"};
  convert_row row;
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    const char *at = wrong[k];
    ck_assert_int_eq(convert_row_read(&row, &at), -1);
    ck_assert_ptr_eq(at, wrong[k]);
  }
  const char *at = "";
  ck_assert_int_eq(convert_row_read(&row, &at), 0);
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("convert_reference");
  tcase_set_timeout(cases, 120);
  tcase_add_test(cases, reference_convert__gives_each_row_of_the_table);
  tcase_add_test(cases, reference_decode__knows_the_ends_of_each_format);
  tcase_add_test(cases, reference_convert__gives_the_nearest_number_and_the_even_one_of_two);
  tcase_add_test(cases, reference_convert__rounds_a_tie_to_even_wherever_the_source_has_it);
  tcase_add_test(cases, reference_convert__takes_every_float_there_and_back);
  tcase_add_test(cases, reference_convert__agrees_with_the_machine_on_floats_of_both_sizes);
  tcase_add_test(cases, reference_convert__agrees_with_the_machine_on_integers_as_floats);
  tcase_add_test(cases, reference_convert__truncates_as_the_machine_and_saturates);
  tcase_add_test(cases, reference_convert__of_a_dtype_to_itself_keeps_every_bit);
  tcase_add_test(cases, reference_convert__without_saturation_gives_infinity_and_nan);
  tcase_add_test(cases, convert_row_read__refuses_what_is_no_row);
  Suite *suite = suite_create("convert_reference");
  suite_add_tcase(suite, cases);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
