/* SPDX-License-Identifier: Apache-2.0
 *
 * check_npy.c: files that NumPy wrote are read as what was put into them, malformed ones are refused with the right sentence,
 * and the fuzzer's corpus is replayed. What NumPy reads of ours is in numpy_test.sh.
 */
#include <check.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz_npy.h"
#include "host/tool/npy.h"

static const char *corpus(void) {
  static char path[4096];
  const char *tree = getenv("TS_SOURCE_DIR");
  snprintf(path, sizeof path, "%s/tests/npy_corpus", tree ? tree : ".");
  return path;
}

/* ---- what NumPy wrote: npy_corpus/make.py says what it is ------------------------------------------------------- */

/* Read a file of the corpus; its elements are to be freed. `named` is TS_DTYPE_COUNT: not named. */
static void *read_corpus(npy_header *header, const char *name, ts_dtype named) {
  char path[8192], why[NPY_WHY_BYTES] = "";
  snprintf(path, sizeof path, "%s/%s", corpus(), name);
  FILE *stream = npy_open(header, path, named == TS_DTYPE_COUNT ? NULL : &named, why);
  ck_assert_msg(stream, "%s: %s", name, why);
  void *elements = malloc(header->elements * ts_dtype_bytes(header->dtype) + 1);
  ck_assert(elements);
  ck_assert_msg(npy_read_elements(header, stream, elements, why), "%s: %s", name, why);
  fclose(stream);
  return elements;
}

/* The bits of 0, 1 and 100 (b8: 1; those that must be named: 2), as the definition of each dtype has them. */
static const struct {
  const char *file;
  ts_dtype named, dtype;
  uint64_t bits[3];
} dtypes[] = {
    {"numpy_b1.npy", TS_DTYPE_COUNT, TS_DTYPE_b8, {0, 1, 1}},
    {"numpy_i1.npy", TS_DTYPE_COUNT, TS_DTYPE_i8, {0, 1, 100}},
    {"numpy_u1.npy", TS_DTYPE_COUNT, TS_DTYPE_u8, {0, 1, 100}},
    {"numpy_i2.npy", TS_DTYPE_COUNT, TS_DTYPE_i16, {0, 1, 100}},
    {"numpy_u2.npy", TS_DTYPE_COUNT, TS_DTYPE_u16, {0, 1, 100}},
    {"numpy_i4.npy", TS_DTYPE_COUNT, TS_DTYPE_i32, {0, 1, 100}},
    {"numpy_u4.npy", TS_DTYPE_COUNT, TS_DTYPE_u32, {0, 1, 100}},
    {"numpy_i8.npy", TS_DTYPE_COUNT, TS_DTYPE_i64, {0, 1, 100}},
    {"numpy_u8.npy", TS_DTYPE_COUNT, TS_DTYPE_u64, {0, 1, 100}},
    {"numpy_f2.npy", TS_DTYPE_COUNT, TS_DTYPE_f16, {0, 0x3c00, 0x5640}},
    {"numpy_f4.npy", TS_DTYPE_COUNT, TS_DTYPE_f32, {0, 0x3f800000, 0x42c80000}},
    {"numpy_f8.npy", TS_DTYPE_COUNT, TS_DTYPE_f64, {0, 0x3ff0000000000000, 0x4059000000000000}},
    {"numpy_f4.npy", TS_DTYPE_f32, TS_DTYPE_f32, {0, 0x3f800000, 0x42c80000}},
    {"numpy_bfloat16.npy", TS_DTYPE_bf16, TS_DTYPE_bf16, {0, 0x3f80, 0x4000}},
    {"numpy_float8_e4m3fn.npy", TS_DTYPE_f8e4m3fn, TS_DTYPE_f8e4m3fn, {0, 0x38, 0x40}},
    {"numpy_float8_e5m2.npy", TS_DTYPE_f8e5m2, TS_DTYPE_f8e5m2, {0, 0x3c, 0x40}},
    {"numpy_u2.npy", TS_DTYPE_bf16, TS_DTYPE_bf16, {0, 1, 100}},
    {"numpy_u1.npy", TS_DTYPE_f8e5m2, TS_DTYPE_f8e5m2, {0, 1, 100}},
    {"numpy_u4.npy", TS_DTYPE_f32, TS_DTYPE_f32, {0, 1, 100}},
};
enum { DTYPE_CASE_COUNT = sizeof dtypes / sizeof dtypes[0] };

START_TEST(npy_read__takes_every_dtype) {
  npy_header header;
  unsigned char *elements = read_corpus(&header, dtypes[_i].file, dtypes[_i].named);
  ck_assert_int_eq(header.dtype, dtypes[_i].dtype);
  ck_assert_int_eq(header.rank, 1);
  ck_assert_uint_eq(header.shape[0], 3);
  ck_assert_uint_eq(header.elements, 3);
  size_t bytes = ts_dtype_bytes(header.dtype);
  for (size_t i = 0; i < 3; i++) {
    uint64_t bits = 0;
    for (size_t b = 0; b < bytes; b++)
      bits |= (uint64_t)elements[i * bytes + b] << 8 * b; /* the tests' hosts are little-endian */
    ck_assert_uint_eq(bits, dtypes[_i].bits[i]);
  }
  free(elements);
}
END_TEST

/* 0, 1, 2, … in the shape 2 x 3 x 4, in any byte order, order of elements and version. */
START_TEST(npy_read__hands_over_row_major_elements_of_this_machine) {
  static const char *const files[] = {"numpy_swapped.npy", "numpy_fortran.npy", "numpy_fortran_swapped.npy",
                                      "numpy_version_2.npy", "numpy_version_3.npy"};
  for (size_t f = 0; f < sizeof files / sizeof files[0]; f++) {
    npy_header header;
    void *elements = read_corpus(&header, files[f], TS_DTYPE_COUNT);
    ck_assert_int_eq(header.rank, 3);
    ck_assert(header.shape[0] == 2 && header.shape[1] == 3 && header.shape[2] == 4);
    ck_assert_int_eq(header.is_fortran, f == 1 || f == 2);
    ck_assert_int_eq(header.is_swapped, f == 0 || f == 2);
    for (int i = 0; i < 24; i++) {
      double value = header.dtype == TS_DTYPE_i16   ? ((int16_t *)elements)[i]
                     : header.dtype == TS_DTYPE_i32 ? ((int32_t *)elements)[i]
                                                    : ((double *)elements)[i];
      ck_assert_msg(value == i, "%s: element %d is %g", files[f], i, value);
    }
    free(elements);
  }
}
END_TEST

START_TEST(npy_read__takes_every_rank) {
  npy_header header;
  float *one = read_corpus(&header, "numpy_scalar.npy", TS_DTYPE_COUNT);
  ck_assert_int_eq(header.rank, 0);
  ck_assert_uint_eq(header.elements, 1);
  ck_assert(one[0] == 2.5f);
  free(one);
  free(read_corpus(&header, "numpy_empty.npy", TS_DTYPE_COUNT));
  ck_assert_int_eq(header.rank, 2);
  ck_assert_uint_eq(header.elements, 0);
  unsigned char *two = read_corpus(&header, "numpy_rank_9.npy", TS_DTYPE_COUNT);
  ck_assert_int_eq(header.rank, 9);
  ck_assert(two[0] == 0 && two[1] == 1);
  free(two);
}
END_TEST

/* ---- headers made by hand --------------------------------------------------------------------------------------- */

/* Read a header of version 1.0 with this dictionary, before `bytes` bytes of elements. */
static bool read_dictionary(npy_header *header, const char *dictionary, size_t bytes, const ts_dtype *named, char *why) {
  char file[4096] = "\x93NUMPY\x01\x00";
  size_t length = strlen(dictionary);
  ck_assert(length < 2048 && bytes < 1024);
  file[8] = (char)(length & 0xff);
  file[9] = (char)(length >> 8);
  memcpy(file + 10, dictionary, length);
  FILE *stream = fmemopen(file, 10 + length + bytes, "r");
  bool is_read = npy_read_header(header, stream, 10 + length + bytes, named, why);
  fclose(stream);
  return is_read;
}

START_TEST(npy_read__takes_all_that_the_format_allows) {
  static const struct {
    const char *dictionary;
    int rank;
  } cases[] = {
      {"{'descr': '<i2', 'fortran_order': False, 'shape': (3, 4), }\n", 2},
      {"{\"shape\":(3,4),\"fortran_order\":False,\"descr\":\"<i2\"}", 2},
      {"  { 'fortran_order' : True , 'descr' : '=i2' ,\n 'shape' : ( 3 , 4 , ) } ", 2},
      {"{'descr': 'i2', 'fortran_order': False, 'shape': (12L,)}", 1},
      {"{'descr': '>i2', 'fortran_order': False, 'shape': (12,)}", 1},
      {"{'descr': '|u2', 'fortran_order': False, 'shape': (12,)}", 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char why[NPY_WHY_BYTES] = "";
    npy_header header;
    ck_assert_msg(read_dictionary(&header, cases[i].dictionary, 24, NULL, why), "%s: %s", cases[i].dictionary, why);
    ck_assert_int_eq(header.rank, cases[i].rank);
    ck_assert_uint_eq(header.elements, 12);
  }
}
END_TEST

#define I2 "'descr': '<i2', 'fortran_order': False, "

static const struct {
  const char *dictionary, *why; /* a part of the sentence */
} refused[] = {
    {"", "does not begin with {"},
    {"[]", "does not begin with {"},
    {"{" I2 "'shape': (3, 4)", "no Python dictionary"},
    {"{'descr': '<i2' 'fortran_order': False, 'shape': (3, 4)}", "no Python dictionary"},
    {"{descr: '<i2', 'fortran_order': False, 'shape': (3, 4)}", "no Python dictionary"},
    {"{'descr': '<i2', 'shape': (3, 4)}", "lacks 'fortran_order'"},
    {"{}", "lacks 'descr'"},
    {"{" I2 "'shape': (12,), 'shape': (12,)}", "has 'shape' twice"},
    {"{" I2 "'shape': (12,), 'strides': (2,)}", "a key 'strides'"},
    {"{" I2 "'shape': (12,)} {}", "goes on after"},
    {"{'descr': '<i2', 'fortran_order': 0, 'shape': (12,)}", "'fortran_order' is not True or False"},
    {"{" I2 "'shape': (12)}", "'shape' is not a tuple"},
    {"{" I2 "'shape': 12}", "'shape' is not a tuple"},
    {"{" I2 "'shape': [12]}", "'shape' is not a tuple"},
    {"{" I2 "'shape': (-12,)}", "'shape' is not a tuple"},
    {"{" I2 "'shape': (012,)}", "'shape' is not a tuple"},
    {"{" I2 "'shape': (,)}", "'shape' is not a tuple"},
    {"{" I2 "'shape': (3 4)}", "'shape' is not a tuple"},
    {"{" I2 "'shape': (99999999999999999999,)}", "'shape' is not a tuple"},
    {"{" I2 "'shape': (4294967296, 4294967296)}", "more than 2^63 bytes"},
    {"{" I2 "'shape': (4294967296, 4294967296, 0)}", "more than 2^63 bytes"},
    {"{" I2 "'shape': (9223372036854775807,)}", "more than 2^63 bytes"},
    {"{" I2 "'shape': (13,)}", "26 bytes; 24 follow, so it is cut short"},
    {"{" I2 "'shape': (1000000000000,)}", "cut short"},
    {"{" I2 "'shape': (11,)}", "22 bytes; 24 follow, so it is something else"},
    {"{'descr': [('x', '<i2')], 'fortran_order': False, 'shape': (12,)}", "records"},
    {"{'descr': [('x', '<i2'), 'fortran_order': False, 'shape': (12,)}", "'descr' is not"},
    {"{'descr': 2, 'fortran_order': False, 'shape': (12,)}", "'descr' is not a dtype in quotes"},
    {"{'descr': '|O', 'fortran_order': False, 'shape': (3,)}", "it holds '|O'"},
    {"{'descr': '<c8', 'fortran_order': False, 'shape': (3,)}", "it holds '<c8'"},
    {"{'descr': '<f16', 'fortran_order': False, 'shape': (3,)}", "it holds '<f16'"},
    {"{'descr': '<b2', 'fortran_order': False, 'shape': (3,)}", "it holds '<b2'"},
    {"{'descr': '<M8[ns]', 'fortran_order': False, 'shape': (3,)}", "it holds '<M8[ns]'"},
    {"{'descr': '<U1', 'fortran_order': False, 'shape': (6,)}", "it holds '<U1'"},
    {"{'descr': '', 'fortran_order': False, 'shape': (6,)}", "it holds ''"},
    {"{'descr': '|V2', 'fortran_order': False, 'shape': (12,)}", "says no dtype; name it, e.g. :bf16"},
    {"{'descr': '<f1', 'fortran_order': False, 'shape': (24,)}", "says no dtype; name it, e.g. :f8e5m2"},
    {"{'descr': '|V16', 'fortran_order': False, 'shape': (1,)}", "it holds '|V16'"},
};

START_TEST(npy_read__says_what_is_wrong_with_a_header) {
  char why[NPY_WHY_BYTES] = "";
  npy_header header;
  ck_assert_msg(!read_dictionary(&header, refused[_i].dictionary, 24, NULL, why), "%s is taken", refused[_i].dictionary);
  ck_assert_msg(strstr(why, refused[_i].why), "%s: %s", refused[_i].dictionary, why);
}
END_TEST

START_TEST(npy_read__takes_64_lengths_and_no_more) {
  for (int rank = NPY_RANK_MAX; rank <= NPY_RANK_MAX + 1; rank++) {
    char dictionary[1024] = "{'descr': '|u1', 'fortran_order': False, 'shape': (", why[NPY_WHY_BYTES] = "";
    npy_header header;
    for (int d = 0; d < rank; d++) strcat(dictionary, "1,");
    strcat(dictionary, ")}");
    ck_assert_int_eq(read_dictionary(&header, dictionary, 1, NULL, why), rank == NPY_RANK_MAX);
    ck_assert(rank == NPY_RANK_MAX || strstr(why, "a tuple of at most 64 lengths"));
  }
}
END_TEST

START_TEST(npy_read__lets_only_bits_of_the_same_size_be_named) {
  static const struct {
    const char *descr;
    ts_dtype named;
    bool is_taken;
  } cases[] = {{"<u2", TS_DTYPE_bf16, true},  {"|V2", TS_DTYPE_bf16, true},     {"|V1", TS_DTYPE_f8e5m2, true},
               {"<V2", TS_DTYPE_f16, true},   {"|u1", TS_DTYPE_f8e4m3fn, true}, {"<f2", TS_DTYPE_f16, true},
               {"<f2", TS_DTYPE_bf16, false}, {"<i2", TS_DTYPE_bf16, false},    {"<u4", TS_DTYPE_bf16, false},
               {"|u1", TS_DTYPE_bf16, false}, {"<f4", TS_DTYPE_f64, false},     {"|b1", TS_DTYPE_f8e5m2, false}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char dictionary[128], why[NPY_WHY_BYTES] = "";
    npy_header header;
    snprintf(dictionary, sizeof dictionary, "{'descr': '%s', 'fortran_order': False, 'shape': (0,)}", cases[i].descr);
    bool is_taken = read_dictionary(&header, dictionary, 0, &cases[i].named, why);
    ck_assert_msg(is_taken == cases[i].is_taken, "%s as %s: %s", cases[i].descr, ts_dtype_name(cases[i].named), why);
    if (is_taken) ck_assert_int_eq(header.dtype, cases[i].named);
    if (!is_taken) ck_assert(strstr(why, "can't be named"));
  }
}
END_TEST

START_TEST(npy_read__finds_the_end_of_a_file_that_is_cut_anywhere) {
  char path[8192], whole[256], why[NPY_WHY_BYTES];
  snprintf(path, sizeof path, "%s/numpy_version_2.npy", corpus());
  FILE *file = fopen(path, "r");
  ck_assert(file);
  size_t bytes = fread(whole, 1, sizeof whole, file);
  fclose(file);
  ck_assert_uint_eq(bytes, 176);
  for (size_t cut = 1; cut < bytes; cut++) {
    npy_header header;
    FILE *stream = fmemopen(whole, cut, "r");
    why[0] = '\0';
    ck_assert(!npy_read_header(&header, stream, cut, NULL, why));
    ck_assert_msg(strstr(why, "no .npy file") || strstr(why, "it ends") || strstr(why, "cut short"), "%zu: %s", cut, why);
    fclose(stream);
  }
}
END_TEST

START_TEST(npy_read__knows_its_versions_and_no_endless_header) {
  static const struct {
    const char *start, *why;
  } cases[] = {{"\x93NUMPX\x01", "no .npy file"},
               {"\x93NUMPY\x04", "version 4.0"},
               {"\x93NUMPY\x01\x02", "version 1.2"},
               {"\x93NUMPY\x02\x00\xff\xff\xff\xff", "said to have 4294967295 bytes"}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char file[64] = "", why[NPY_WHY_BYTES] = "";
    size_t length = i == 3 ? 12 : strlen(cases[i].start); /* its version has a 0 in it */
    memcpy(file, cases[i].start, length);
    npy_header header;
    FILE *stream = fmemopen(file, sizeof file, "r");
    ck_assert(!npy_read_header(&header, stream, sizeof file, NULL, why));
    ck_assert_msg(strstr(why, cases[i].why), "%s", why);
    fclose(stream);
  }
}
END_TEST

START_TEST(npy_open__refuses_what_is_no_file) {
  char folder[] = "/tmp/check_npy-XXXXXX", pipe[64], why[NPY_WHY_BYTES];
  npy_header header;
  ck_assert(mkdtemp(folder));
  ck_assert(!npy_open(&header, folder, NULL, why));
  ck_assert_str_eq(why, "it is a folder");
  snprintf(pipe, sizeof pipe, "%s/pipe", folder);
  ck_assert(!npy_open(&header, pipe, NULL, why));
  ck_assert_str_eq(why, "No such file or directory");
  ck_assert(!mkfifo(pipe, 0600));
  ck_assert(!npy_open(&header, pipe, NULL, why)); /* and does not wait for a writer */
  ck_assert(strstr(why, "no regular file"));
  unlink(pipe);
  rmdir(folder);
}
END_TEST

START_TEST(npy_write_header__is_that_of_numpy) {
  static const uint64_t shape[] = {2, 3};
  static const char start[] = "\x93NUMPY\x01\x00\x76\x00{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), } ";
  char file[256] = "";
  FILE *stream = fmemopen(file, sizeof file, "w");
  npy_write_header(stream, TS_DTYPE_f32, 2, shape);
  ck_assert_int_eq(ftell(stream), 128);
  fclose(stream);
  ck_assert(!memcmp(file, start, sizeof start - 1));
  ck_assert_int_eq(file[127], '\n');
  ck_assert_str_eq(npy_stand_in(TS_DTYPE_bf16), "u2");
  ck_assert_str_eq(npy_stand_in(TS_DTYPE_f8e5m2), "u1");
  ck_assert(!npy_stand_in(TS_DTYPE_u16));
}
END_TEST

/* ---- the fuzzer's corpus ---------------------------------------------------------------------------------------- */

START_TEST(fuzz_npy__is_content_with_its_corpus) {
  DIR *folder = opendir(corpus());
  ck_assert(folder);
  int count = 0;
  for (struct dirent *entry; (entry = readdir(folder));) {
    char path[8192];
    static uint8_t data[65536];
    snprintf(path, sizeof path, "%s/%s", corpus(), entry->d_name);
    FILE *file = entry->d_name[0] == '.' ? NULL : fopen(path, "r");
    if (!file) continue;
    size_t bytes = fread(data, 1, sizeof data, file);
    fclose(file);
    LLVMFuzzerTestOneInput(data, bytes);
    count++;
  }
  closedir(folder);
  ck_assert_int_gt(count, 25);
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("npy");
  tcase_add_loop_test(cases, npy_read__takes_every_dtype, 0, DTYPE_CASE_COUNT);
  tcase_add_test(cases, npy_read__hands_over_row_major_elements_of_this_machine);
  tcase_add_test(cases, npy_read__takes_every_rank);
  tcase_add_test(cases, npy_read__takes_all_that_the_format_allows);
  tcase_add_loop_test(cases, npy_read__says_what_is_wrong_with_a_header, 0, (int)(sizeof refused / sizeof refused[0]));
  tcase_add_test(cases, npy_read__takes_64_lengths_and_no_more);
  tcase_add_test(cases, npy_read__lets_only_bits_of_the_same_size_be_named);
  tcase_add_test(cases, npy_read__finds_the_end_of_a_file_that_is_cut_anywhere);
  tcase_add_test(cases, npy_read__knows_its_versions_and_no_endless_header);
  tcase_add_test(cases, npy_open__refuses_what_is_no_file);
  tcase_add_test(cases, npy_write_header__is_that_of_numpy);
  tcase_add_test(cases, fuzz_npy__is_content_with_its_corpus);
  Suite *suite = suite_create("npy");
  suite_add_tcase(suite, cases);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
