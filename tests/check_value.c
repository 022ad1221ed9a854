/* SPDX-License-Identifier: Apache-2.0
 *
 * check_value.c: numbers of a command line become elements of each dtype, and elements become numbers again.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "host/tool/value.h"

/* What the text is as an element, in bits; the definitions of the formats give them. */
static const struct {
  ts_dtype dtype;
  const char *text;
  uint64_t bits;
} taken[] = {
    {TS_DTYPE_b8, "0", 0},
    {TS_DTYPE_b8, "1", 1},
    {TS_DTYPE_i8, "-128", 0x80},
    {TS_DTYPE_i8, "+127", 0x7f},
    {TS_DTYPE_u8, "0xff", 0xff},
    {TS_DTYPE_i16, "-0x10", 0xfff0},
    {TS_DTYPE_u16, "65535", 0xffff},
    {TS_DTYPE_i32, "-2147483648", 0x80000000},
    {TS_DTYPE_u32, "0XFFFFFFFF", 0xffffffff},
    {TS_DTYPE_i32, "010", 10},
    {TS_DTYPE_i64, "-9223372036854775808", 0x8000000000000000},
    {TS_DTYPE_i64, "9223372036854775807", 0x7fffffffffffffff},
    {TS_DTYPE_u64, "18446744073709551615", 0xffffffffffffffff},
    {TS_DTYPE_f32, "2.5", 0x40200000},
    {TS_DTYPE_f32, "-0", 0x80000000},
    {TS_DTYPE_f32, "0x1.8p3", 0x41400000},
    {TS_DTYPE_f32, "0x10", 0x41800000},
    {TS_DTYPE_f32, "inf", 0x7f800000},
    {TS_DTYPE_f32, "-Infinity", 0xff800000},
    {TS_DTYPE_f32, "nan", 0x7fc00000},
    {TS_DTYPE_f32, "1e-45", 1},
    {TS_DTYPE_f32, "1e-60", 0},
    {TS_DTYPE_f32, "1.00000005960464477540",
     0x3f800001}, /* just above the middle of two: by way of f64 it would be the even one */
    {TS_DTYPE_f64, "1e308", 0x7fe1ccf385ebc8a0},
    {TS_DTYPE_f16, "1", 0x3c00},
    {TS_DTYPE_f16, "65504", 0x7bff},
    {TS_DTYPE_f16, "65519", 0x7bff},
    {TS_DTYPE_f16, "2049", 0x6800}, /* between 2048 and 2050: the even one */
    {TS_DTYPE_f16, "2051", 0x6802},
    {TS_DTYPE_f16, "6e-8", 1},
    {TS_DTYPE_f16, "-inf", 0xfc00},
    {TS_DTYPE_f16, "nan", 0x7e00},
    {TS_DTYPE_bf16, "1.5", 0x3fc0},
    {TS_DTYPE_bf16, "-1e38", 0xfe96},
    {TS_DTYPE_f8e5m2, "57344", 0x7b},
    {TS_DTYPE_f8e5m2, "inf", 0x7c},
    {TS_DTYPE_f8e5m2, "nan", 0x7e},
    {TS_DTYPE_f8e4m3fn, "448", 0x7e},
    {TS_DTYPE_f8e4m3fn, "-0.001953125", 0x81},
    {TS_DTYPE_f8e4m3fn, "nan", 0x7f},
};

static uint64_t bits_of(ts_dtype dtype, const unsigned char *value) {
  uint64_t bits = 0;
  for (size_t b = 0; b < ts_dtype_bytes(dtype); b++)
    bits |= (uint64_t)value[b] << 8 * b; /* the tests' hosts are little-endian */
  return bits;
}

START_TEST(value_parse__gives_the_nearest_element) {
  unsigned char value[VALUE_BYTES] = {0};
  char why[VALUE_WHY_BYTES] = "";
  ck_assert_msg(value_parse(value, taken[_i].dtype, taken[_i].text, why), "%s: %s", taken[_i].text, why);
  ck_assert_msg(bits_of(taken[_i].dtype, value) == taken[_i].bits, "%s as %s is %#llx", taken[_i].text,
                ts_dtype_name(taken[_i].dtype), (unsigned long long)bits_of(taken[_i].dtype, value));
}
END_TEST

static const struct {
  ts_dtype dtype;
  const char *text, *why;
} refused[] = {
    {TS_DTYPE_b8, "2", "2 does not fit: b8 goes from 0 to 1"},
    {TS_DTYPE_i8, "128", "128 does not fit: i8 goes from -128 to 127"},
    {TS_DTYPE_i8, "-129", "-129 does not fit: i8 goes from -128 to 127"},
    {TS_DTYPE_u8, "-1", "-1 does not fit: u8 goes from 0 to 255"},
    {TS_DTYPE_u16, "0x10000", "0x10000 does not fit: u16 goes from 0 to 65535"},
    {TS_DTYPE_i64, "9223372036854775808",
     "9223372036854775808 does not fit: i64 goes from -9223372036854775808 to 9223372036854775807"},
    {TS_DTYPE_u64, "18446744073709551616", "18446744073709551616 does not fit: u64 goes from 0 to 18446744073709551615"},
    {TS_DTYPE_i32, "2.5", "\"2.5\" is no whole number; i32 goes from -2147483648 to 2147483647"},
    {TS_DTYPE_i32, "", "\"\" is no whole number; i32 goes from -2147483648 to 2147483647"},
    {TS_DTYPE_u32, "0x", "\"0x\" is no whole number; u32 goes from 0 to 4294967295"},
    {TS_DTYPE_u32, "ff", "\"ff\" is no whole number; u32 goes from 0 to 4294967295"},
    {TS_DTYPE_u32, " 1", "\" 1\" is no whole number; u32 goes from 0 to 4294967295"},
    {TS_DTYPE_u32, "--1", "\"--1\" is no whole number; u32 goes from 0 to 4294967295"},
    {TS_DTYPE_f32, "", "\"\" is no number"},
    {TS_DTYPE_f32, "2,5", "\"2,5\" is no number"},
    {TS_DTYPE_f32, " 1", "\" 1\" is no number"},
    {TS_DTYPE_f32, "3.5e38", "3.5e38 is too large for f32"},
    {TS_DTYPE_f64, "-1e309", "-1e309 is too large for f64"},
    {TS_DTYPE_f16, "65520", "65520 is too large for f16"},
    {TS_DTYPE_f16, "1e999", "1e999 is too large for f16"},
    {TS_DTYPE_bf16, "3.4e38", "3.4e38 is too large for bf16"},
    {TS_DTYPE_f8e5m2, "61440", "61440 is too large for f8e5m2"},
    {TS_DTYPE_f8e4m3fn, "464", "464 is too large for f8e4m3fn"},
    {TS_DTYPE_f8e4m3fn, "inf", "f8e4m3fn has no infinity"},
};

START_TEST(value_parse__says_what_is_wrong) {
  unsigned char value[VALUE_BYTES];
  char why[VALUE_WHY_BYTES] = "";
  ck_assert_msg(!value_parse(value, refused[_i].dtype, refused[_i].text, why), "%s is taken", refused[_i].text);
  ck_assert_str_eq(why, refused[_i].why);
}
END_TEST

/* All elements of 8 bits, and many of the others: printed and read they are the same, NaNs apart. */
START_TEST(value_print__is_read_as_the_same_element) {
  ts_dtype dtype = (ts_dtype)_i;
  size_t bytes = ts_dtype_bytes(dtype);
  /* Every 251st of 16 bits: finding the nearest looks at each element. */
  uint64_t step = bytes == 1 ? 1 : bytes == 2 ? 251 : bytes == 4 ? 2654435 : 11400714819323u;
  uint64_t count = bytes <= 2 ? 256 : 1000;
  for (uint64_t i = 0; i < count; i++) {
    uint64_t bits = i * step;
    if (dtype == TS_DTYPE_b8) bits &= 1;
    unsigned char value[VALUE_BYTES], again[VALUE_BYTES];
    for (size_t b = 0; b < bytes; b++) value[b] = (unsigned char)(bits >> 8 * b);
    char text[VALUE_TEXT_BYTES], why[VALUE_WHY_BYTES] = "";
    value_print(text, dtype, value);
    if (!strcmp(text, "nan")) continue;
    ck_assert_msg(value_parse(again, dtype, text, why), "%s: %s", text, why);
    ck_assert_msg(!memcmp(value, again, bytes), "%s %#llx is printed as %s", ts_dtype_name(dtype), (unsigned long long)bits,
                  text);
  }
}
END_TEST

START_TEST(value_print__is_short) {
  static const struct {
    ts_dtype dtype;
    const char *text;
  } cases[] = {{TS_DTYPE_f32, "0.1"},
               {TS_DTYPE_f64, "0.1"},
               {TS_DTYPE_i8, "-1"},
               {TS_DTYPE_u8, "255"},
               {TS_DTYPE_f16, "2.5"},
               {TS_DTYPE_f32, "-inf"},
               {TS_DTYPE_bf16, "nan"},
               {TS_DTYPE_b8, "1"},
               {TS_DTYPE_f8e5m2, "0.25"},
               {TS_DTYPE_i64, "-5"},
               {TS_DTYPE_f32, "10"},
               {TS_DTYPE_f32, "1200"},
               {TS_DTYPE_f32, "-100000"},
               {TS_DTYPE_f32, "12.5"},
               {TS_DTYPE_f32, "-0"},
               {TS_DTYPE_f32, "9999999"},
               {TS_DTYPE_f32, "1e+10"},
               {TS_DTYPE_f64, "123000"},
               {TS_DTYPE_f64, "999999999999999"},
               {TS_DTYPE_f64, "1e+15"},
               {TS_DTYPE_f64, "1e-10"},
               {TS_DTYPE_f16, "20"},
               {TS_DTYPE_bf16, "1000"},
               {TS_DTYPE_f8e4m3fn, "40"}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    unsigned char value[VALUE_BYTES];
    char text[VALUE_TEXT_BYTES], why[VALUE_WHY_BYTES];
    ck_assert(value_parse(value, cases[i].dtype, cases[i].text, why));
    value_print(text, cases[i].dtype, value);
    ck_assert_str_eq(text, cases[i].text);
  }
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("value");
  tcase_add_loop_test(cases, value_parse__gives_the_nearest_element, 0, (int)(sizeof taken / sizeof taken[0]));
  tcase_add_loop_test(cases, value_parse__says_what_is_wrong, 0, (int)(sizeof refused / sizeof refused[0]));
  tcase_add_loop_test(cases, value_print__is_read_as_the_same_element, 0, TS_DTYPE_COUNT);
  tcase_add_test(cases, value_print__is_short);
  Suite *suite = suite_create("value");
  suite_add_tcase(suite, cases);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
