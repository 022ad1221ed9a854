/* SPDX-License-Identifier: Apache-2.0
 *
 * compute_cases.c: the cases of compute.c: arithmetic, comparisons, lanes, maths and atomics of each dtype.
 *
 * A reference computes one element at a time, in C. Single operations must give its bits; only ts_sqrt and ts_exp may be
 * off, by ULPS. A NaN may be any NaN.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"

/* Elements of an operand; how far from the correctly rounded result ts_sqrt and ts_exp may be, as in OpenCL's full profile. */
enum { ELEMENTS = 1024, ULPS = 3 };

/* The same numbers as in compute.c, and the groups that add to the counters. */
enum { ATOMIC_ROUNDS = 8, ATOMIC_GROUPS = 64 };

/* ---- elements ----------------------------------------------------------------------------------------------------- */

/* What a dtype computes as. */
typedef enum kind { NOTHING, SIGNED, UNSIGNED, FLOAT } kind;
static kind kind_of(int dtype) {
  static const bool computes[TS_DTYPE_COUNT] = {
#define DTYPE_ROW(T, U, bytes, kind, computes) COMPUTES_##computes,
#define COMPUTES_NATIVE true
#define COMPUTES_BITS false
#define COMPUTES_DOUBLE true
      TS_DTYPES(DTYPE_ROW)};
  char initial = ts_dtype_name((ts_dtype)dtype)[0];
  return !computes[dtype] ? NOTHING : initial == 'i' ? SIGNED : initial == 'u' ? UNSIGNED : FLOAT;
}

/* The bits of element k, zero-extended; and back. */
static uint64_t get_bits(const tested *t, size_t start, int dtype, size_t k) {
  uint64_t bits = 0;
  memcpy(&bits, t->expected + start + k * (size_t)dtype_bytes(dtype), (size_t)dtype_bytes(dtype));
  return bits;
}
static void put_bits(tested *t, size_t start, int dtype, size_t k, uint64_t bits) {
  memcpy(t->expected + start + k * (size_t)dtype_bytes(dtype), &bits, (size_t)dtype_bytes(dtype));
}

/* The value of an integer's bits, as a signed integer: for a u64, the one with the same bits. */
static int64_t to_integer(int dtype, uint64_t bits) {
  int unused = 64 - 8 * dtype_bytes(dtype);
  return kind_of(dtype) == SIGNED ? (int64_t)(bits << unused) >> unused : (int64_t)bits;
}

static float to_f32(uint64_t bits) {
  uint32_t low = (uint32_t)bits;
  float value;
  memcpy(&value, &low, sizeof value);
  return value;
}
static uint64_t from_f32(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}
static double to_f64(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
static uint64_t from_f64(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* The value of a float's bits, exactly. */
static double to_float(int dtype, uint64_t bits) { return dtype == TS_DTYPE_f32 ? (double)to_f32(bits) : to_f64(bits); }

/* ---- what is computed, for one element ---------------------------------------------------------------------------- */

typedef enum operation {
  ADD,
  SUBTRACT,
  MULTIPLY,
  DIVIDE,
  LESS,
  LESS_EQUAL,
  EQUAL,
  NOT_EQUAL,
  FMA,
  MIN,
  MAX,
  ABS,
  SQRT,
  EXP,
  LANE,
  SET_LANE,
  SPLAT,
  SELECT
} operation;

/* Which operand of an operator is a scalar. */
typedef enum scalar_side { NO_SCALAR, RIGHT_SCALAR, LEFT_SCALAR } scalar_side;

/* A line for each operation: its id, and how its line of the switch is spelled. */
static const struct {
  operation operation;
  scalar_side scalar;
  const char *id, *macro, *code;
} operations[] = {
    {LANE, NO_SCALAR, "lane", "LANE", "ts_lane"},
    {SET_LANE, NO_SCALAR, "set_lane", "SET_LANE", "ts_set_lane"},
    {SPLAT, NO_SCALAR, "splat", "SPLAT", "ts_splat"},
    {SELECT, NO_SCALAR, "select", "SELECT", "ts_select"},
    {ADD, NO_SCALAR, "add", "VECTORS", "+"},
    {ADD, RIGHT_SCALAR, "add_scalar", "BY_SCALAR", "+"},
    {ADD, LEFT_SCALAR, "scalar_add", "SCALAR_BY", "+"},
    {SUBTRACT, NO_SCALAR, "subtract", "VECTORS", "-"},
    {SUBTRACT, RIGHT_SCALAR, "subtract_scalar", "BY_SCALAR", "-"},
    {SUBTRACT, LEFT_SCALAR, "scalar_subtract", "SCALAR_BY", "-"},
    {MULTIPLY, NO_SCALAR, "multiply", "VECTORS", "*"},
    {MULTIPLY, RIGHT_SCALAR, "multiply_scalar", "BY_SCALAR", "*"},
    {MULTIPLY, LEFT_SCALAR, "scalar_multiply", "SCALAR_BY", "*"},
    {DIVIDE, NO_SCALAR, "divide", "VECTORS", "/"},
    {DIVIDE, RIGHT_SCALAR, "divide_scalar", "BY_SCALAR", "/"},
    {DIVIDE, LEFT_SCALAR, "scalar_divide", "SCALAR_BY", "/"},
    {LESS, NO_SCALAR, "less", "COMPARISON", "ts_less"},
    {LESS_EQUAL, NO_SCALAR, "less_equal", "COMPARISON", "ts_less_equal"},
    {EQUAL, NO_SCALAR, "equal", "COMPARISON", "ts_equal"},
    {NOT_EQUAL, NO_SCALAR, "not_equal", "COMPARISON", "ts_not_equal"},
    {FMA, NO_SCALAR, "fma", "MATHS_3", "ts_fma"},
    {MIN, NO_SCALAR, "min", "MATHS_2", "ts_min"},
    {MAX, NO_SCALAR, "max", "MATHS_2", "ts_max"},
    {ABS, NO_SCALAR, "abs", "MATHS_1", "ts_abs"},
    {SQRT, NO_SCALAR, "sqrt", "MATHS_1", "ts_sqrt"},
    {EXP, NO_SCALAR, "exp", "MATHS_1", "ts_exp"},
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

static bool is_comparison(operation operation) { return operation >= LESS && operation <= NOT_EQUAL; }

/* Integers, modulo their size. Signed operands are such that nothing overflows. */
static uint64_t compute_integer(operation operation, int dtype, uint64_t a, uint64_t b) {
  int64_t x = to_integer(dtype, a), y = to_integer(dtype, b);
  switch (operation) {
  case ADD: return a + b;
  case SUBTRACT: return a - b;
  case MULTIPLY: return a * b;
  case DIVIDE: return kind_of(dtype) == SIGNED ? (uint64_t)(x / y) : a / b;
  default: return 0;
  }
}

static bool compare_integers(operation operation, int dtype, uint64_t a, uint64_t b) {
  int64_t x = to_integer(dtype, a), y = to_integer(dtype, b);
  switch (operation) {
  case LESS: return kind_of(dtype) == SIGNED ? x < y : a < b;
  case LESS_EQUAL: return kind_of(dtype) == SIGNED ? x <= y : a <= b;
  case EQUAL: return a == b;
  default: return a != b;
  }
}

static bool compare_floats(operation operation, double x, double y) {
  switch (operation) {
  case LESS: return x < y;
  case LESS_EQUAL: return x <= y;
  case EQUAL: return x == y;
  default: return x != y;
  }
}

/* ts_sqrt and ts_exp in the next larger type, rounded: at most half an ulp off, and a hair. */
static float compute_f32(operation operation, float a, float b, float c) {
  switch (operation) {
  case ADD: return a + b;
  case SUBTRACT: return a - b;
  case MULTIPLY: return a * b;
  case DIVIDE: return a / b;
  case FMA: return fmaf(a, b, c);
  case MIN: return fminf(a, b);
  case MAX: return fmaxf(a, b);
  case ABS: return fabsf(a);
  case SQRT: return (float)sqrt(a);
  case EXP: return (float)exp(a);
  default: return 0;
  }
}

static double compute_f64(operation operation, double a, double b, double c) {
  switch (operation) {
  case ADD: return a + b;
  case SUBTRACT: return a - b;
  case MULTIPLY: return a * b;
  case DIVIDE: return a / b;
  case FMA: return fma(a, b, c);
  case MIN: return fmin(a, b);
  case MAX: return fmax(a, b);
  case ABS: return fabs(a);
  case SQRT: return (double)sqrtl(a);
  case EXP: return (double)expl(a);
  default: return 0;
  }
}

/* The bits of the result: of the dtype, or of a mask. */
static uint64_t compute(operation operation, int dtype, uint64_t a, uint64_t b, uint64_t c) {
  if (is_comparison(operation)) {
    bool is_true = kind_of(dtype) == FLOAT ? compare_floats(operation, to_float(dtype, a), to_float(dtype, b))
                                           : compare_integers(operation, dtype, a, b);
    return is_true ? UINT64_MAX : 0;
  }
  if (dtype == TS_DTYPE_f32) return from_f32(compute_f32(operation, to_f32(a), to_f32(b), to_f32(c)));
  if (dtype == TS_DTYPE_f64) return from_f64(compute_f64(operation, to_f64(a), to_f64(b), to_f64(c)));
  return compute_integer(operation, dtype, a, b);
}

/* ---- operands ----------------------------------------------------------------------------------------------------- */

/* An operand of an integer operation, from random bits: one for which C defines the result. */
static uint64_t fit_integer(operation operation, int dtype, int width, bool is_right, uint64_t bits) {
  int size = 8 * dtype_bytes(dtype);
  int64_t x = to_integer(dtype, bits);
  if (operation == DIVIDE && is_right && x == 0) return 1;
  /* At width 1 a u16 becomes an int, which has no room for the product of two large ones. */
  if (operation == MULTIPLY && dtype == TS_DTYPE_u16 && width == 1) return bits & 0x7fff;
  if (kind_of(dtype) != SIGNED) return bits;
  switch (operation) {
  case ADD:
  case SUBTRACT: return (uint64_t)(x >> 1);
  case MULTIPLY: return (uint64_t)(x >> (size / 2));
  case DIVIDE: return !is_right && bits == (uint64_t)1 << (size - 1) ? bits + 1 : bits; /* the least one / -1 */
  default: return bits;
  }
}

/* An operand of a float operation, from random bits: a special value, any, or one of those that are near 1 or, for ts_exp,
 * have a finite result. NaNs are quiet: what becomes of a signalling one is for the platform to say. */
static uint64_t fit_float(operation operation, int dtype, uint64_t bits, uint64_t random) {
  static const double specials[] = {0.0,      -0.0,      1.0,     -1.0,     2.0,     INFINITY, -INFINITY,  NAN,
                                    0x1p-126, 0x1p-1022, 0x1p127, 0x1p1023, -1000.0, 0x1p-149, -0x1p-1074, 0x1.8p-127};
  double special = specials[random >> 8 & 15];
  bool is_f32 = dtype == TS_DTYPE_f32;
  double unit = (double)((int64_t)random >> 11) * 0x1p-52; /* in [-1, 1] */
  uint64_t chosen = bits;
  if ((random & 7) == 0)
    chosen = is_f32 ? from_f32((float)special) : from_f64(special);
  else if (operation == EXP)
    chosen = is_f32 ? from_f32((float)(unit * 80)) : from_f64(unit * 700);
  else if ((random & 7) > 3)
    chosen = is_f32 ? from_f32((float)(unit * 256)) : from_f64(unit * 256);
  if (isnan(to_float(dtype, chosen))) chosen |= is_f32 ? UINT64_C(1) << 22 : UINT64_C(1) << 51;
  return chosen;
}

/* Make random bits into operands; `right` repeats `left` now and then, for comparisons. */
static void fit_operands(run *r, const row *row, tested *left, tested *right) {
  operation operation = operations[row->operation].operation;
  for (size_t k = 0; k < ELEMENTS && left->expected && right->expected; ++k)
    for (int side = 0; side < 2; ++side) {
      tested *t = side ? right : left;
      uint64_t bits = get_bits(t, 0, row->dtype, k);
      bits = kind_of(row->dtype) == FLOAT ? fit_float(operation, row->dtype, bits, next_random(&r->random))
                                          : fit_integer(operation, row->dtype, row->width, side, bits);
      bool is_repeated = side && is_comparison(operation) && k % 3 == 0;
      put_bits(t, 0, row->dtype, k, is_repeated ? get_bits(left, 0, row->dtype, k) : bits);
    }
}

/* ---- how close a result must be ----------------------------------------------------------------------------------- */

/* The place of a float among all floats of its dtype, in order. The two zeros are neighbours. */
static int64_t rank_of(int dtype, uint64_t bits) {
  uint64_t sign = UINT64_C(1) << (8 * dtype_bytes(dtype) - 1);
  return bits & sign ? -1 - (int64_t)(bits ^ sign) : (int64_t)bits;
}

static bool is_close(operation operation, int dtype, uint64_t actual, uint64_t expected) {
  double a = to_float(dtype, actual), e = to_float(dtype, expected);
  if (isnan(a) || isnan(e)) return isnan(a) && isnan(e);
  if (operation == MIN || operation == MAX) return a == e; /* of two zeros, either */
  if (operation != SQRT && operation != EXP) return false;
  int64_t distance = rank_of(dtype, actual) - rank_of(dtype, expected);
  return !isinf(e) && distance <= ULPS && -distance <= ULPS;
}

/* Expect what was computed wherever it is close enough to what is expected. */
static void expect_close(run *r, const row *row, tested *target) {
  unsigned char *bytes = room_for(r, target->bytes);
  if (bytes && good(r, ts_buffer_read(r->suite->queue, target->buffer, 0, bytes, target->bytes, &r->error))) {
    tested actual = {.expected = bytes};
    for (size_t k = 0; k < ELEMENTS; ++k) {
      uint64_t bits = get_bits(&actual, GUARD, row->dtype, k);
      if (is_close(operations[row->operation].operation, row->dtype, bits, get_bits(target, GUARD, row->dtype, k)))
        put_bits(target, GUARD, row->dtype, k, bits);
    }
  }
  free(bytes);
}

/* ---- the cases of the kernel `compute` ---------------------------------------------------------------------------- */

/* The lists of cases that compute.c expects: those of all dtypes, and those of dtypes that compute. */
enum list { LANE_LIST, COMPUTE_LIST, ATOMIC_LIST, LIST_COUNT };
static const case_list lists[LIST_COUNT + 1] = {[LANE_LIST] = {"LANE_CASES", "compute", false},
                                                [COMPUTE_LIST] = {"COMPUTE_CASES", "compute", false},
                                                [ATOMIC_LIST] = {"ATOMIC_CASES", "atomics", false}};

/* What element k of the target must be: lane k % W of item k / W. */
static uint64_t expected_element(const row *row, const tested operands[3], const tested *mask, size_t k) {
  size_t width = (size_t)row->width, item = k / width, lane = k % width, first = item * width;
  scalar_side scalar = operations[row->operation].scalar;
  uint64_t a = get_bits(&operands[0], 0, row->dtype, scalar == LEFT_SCALAR ? item : k);
  uint64_t b = get_bits(&operands[1], 0, row->dtype, scalar == RIGHT_SCALAR ? item : k);
  uint64_t c = get_bits(&operands[2], 0, row->dtype, k);
  switch (operations[row->operation].operation) {
  case LANE: return get_bits(&operands[0], 0, row->dtype, first + width - 1 - lane);
  case SET_LANE: return lane == item % width ? get_bits(&operands[1], 0, row->dtype, item) : a;
  case SPLAT: return get_bits(&operands[1], 0, row->dtype, item);
  case SELECT: return get_bits(mask, 0, row->dtype, k) ? a : b;
  default: return compute(operations[row->operation].operation, row->dtype, a, b, c);
  }
}

static void upload(run *r, const tested *t) {
  if (t->buffer) good(r, ts_buffer_write(r->suite->queue, t->buffer, 0, t->expected, t->bytes, &r->error));
}

static void check_compute(run *r, const row *row) {
  if (r->suite->options.fast_math && row->list == COMPUTE_LIST && kind_of(row->dtype) == FLOAT) {
    verdict(r, TS_CASE_SKIPPED, "fast-math options may change the arithmetic of floats");
    return;
  }
  static const char *const names[] = {"a", "b", "c"}, *const parameters[] = {"a_cells", "b_cells", "c_cells"};
  size_t bytes = ELEMENTS * (size_t)dtype_bytes(row->dtype);
  tested operands[3];
  for (int k = 0; k < 3; ++k) operands[k] = make(r, names[k], TS_SPACE_global, bytes);
  tested mask = make(r, "mask", TS_SPACE_global, bytes);
  tested target = make(r, "target", TS_SPACE_global, GUARD + bytes + GUARD);
  if (row->list == COMPUTE_LIST) {
    fit_operands(r, row, &operands[0], &operands[1]);
    fit_operands(r, row, &operands[2], &operands[2]);
  }
  for (size_t k = 0; mask.expected && k < ELEMENTS; ++k)
    put_bits(&mask, 0, row->dtype, k, next_random(&r->random) & 1 ? UINT64_MAX : 0);
  for (int k = 0; k < 3; ++k) upload(r, &operands[k]);
  upload(r, &mask);
  if (r->result->verdict == TS_CASE_PASSED)
    for (size_t k = 0; k < ELEMENTS; ++k) put_bits(&target, GUARD, row->dtype, k, expected_element(row, operands, &mask, k));
  for (int k = 0; k < 3; ++k) set_buffer(r, parameters[k], &operands[k]);
  set_buffer(r, "mask_cells", &mask);
  set_buffer(r, "target_cells", &target);
  set_i32(r, "number", row->number);
  launch(r, (ts_grid){{ELEMENTS / (size_t)row->width}, {ITEMS}});
  if (row->list == COMPUTE_LIST && kind_of(row->dtype) == FLOAT && !is_comparison(operations[row->operation].operation))
    expect_close(r, row, &target);
  compare(r, &target);
  compare(r, &mask);
  for (int k = 0; k < 3; ++k) compare(r, &operands[k]);
}

static void add_operation(rows *rows, int dtype, int line, int width, int *number) {
  operation operation = operations[line].operation;
  bool is_lane = operation >= LANE;
  if (!is_lane && kind_of(dtype) == NOTHING) return;
  if (operation >= FMA && !is_lane && kind_of(dtype) != FLOAT) return;
  if (operations[line].scalar != NO_SCALAR && width == 1) return; /* both are scalars: has its row */
  row row = {.file = &compute_file,
             .check = check_compute,
             .list = is_lane ? LANE_LIST : COMPUTE_LIST,
             .number = (*number)++,
             .dtype = dtype,
             .operation = line,
             .width = width,
             .needs_f64 = !is_lane && dtype == TS_DTYPE_f64};
  snprintf(row.id, sizeof row.id, "%s.%sx%d", operations[line].id, ts_dtype_name((ts_dtype)dtype), width);
  snprintf(row.code, sizeof row.code, "%s(%d, %d, %s)", operations[line].macro, row.number, width, operations[line].code);
  add_row(rows, row);
}

/* ---- atomics ------------------------------------------------------------------------------------------------------ */

static uint32_t u32_at(const unsigned char *bytes, size_t k) {
  uint32_t value;
  memcpy(&value, bytes + 4 * k, 4);
  return value;
}
static void put_u32(unsigned char *bytes, size_t k, uint32_t value) { memcpy(bytes + 4 * k, &value, 4); }

/* Of the counts from before, which `count` additions of 1 gave when they started from `first`, each must be there once, in
 * any order: then what is there is expected. */
static void expect_each_once(run *r, const unsigned char *actual, unsigned char *expected, uint32_t first, size_t count) {
  bool *is_seen = calloc(count, sizeof *is_seen);
  if (!is_seen) verdict(r, TS_CASE_ERROR, "out of memory for the reference");
  for (size_t k = 0; is_seen && k < count; ++k) {
    uint32_t before = u32_at(actual, k), nth = before - first;
    if (nth >= count)
      verdict(r, TS_CASE_FAILED, "an addition returned %u: %zu additions of 1 start from %u", before, count, first);
    else if (is_seen[nth])
      verdict(r, TS_CASE_FAILED, "two additions of 1 returned %u", before);
    else
      is_seen[nth] = true;
    put_u32(expected, k, before);
  }
  free(is_seen);
}

/* Every item adds 1 to one counter and another number to a second one, ATOMIC_ROUNDS times: to its group's two counters in
 * shared memory, or to two for all. */
static void check_atomic(run *r, const row *row) {
  bool is_shared = row->operation;
  size_t items = ATOMIC_GROUPS * ITEMS, sets = is_shared ? ATOMIC_GROUPS : 1, set_items = items / sets;
  tested counters = make(r, "counters", TS_SPACE_global, ATOMIC_GROUPS * 8 + GUARD);
  tested before = make(r, "before", TS_SPACE_global, items * ATOMIC_ROUNDS * 4 + GUARD);
  uint32_t first[ATOMIC_GROUPS];
  for (size_t s = 0; s < sets && counters.expected; ++s) {
    first[s] = u32_at(counters.expected, 2 * s);
    uint32_t sum = u32_at(counters.expected, 2 * s + 1);
    for (size_t item = s * set_items; item < (s + 1) * set_items; ++item)
      for (uint32_t round = 0; round < ATOMIC_ROUNDS; ++round) sum += 3 - (uint32_t)item * (round + 1);
    put_u32(counters.expected, 2 * s, first[s] + (uint32_t)(set_items * ATOMIC_ROUNDS));
    put_u32(counters.expected, 2 * s + 1, sum);
  }
  set_buffer(r, "counter_cells", &counters);
  set_buffer(r, "before_cells", &before);
  set_i32(r, "is_shared", is_shared);
  launch(r, (ts_grid){{items}, {ITEMS}});
  unsigned char *actual = room_for(r, before.bytes);
  if (actual && good(r, ts_buffer_read(r->suite->queue, before.buffer, 0, actual, before.bytes, &r->error)))
    for (size_t s = 0; s < sets; ++s) {
      size_t start = s * set_items * ATOMIC_ROUNDS * 4;
      expect_each_once(r, actual + start, before.expected + start, first[s], set_items * ATOMIC_ROUNDS);
    }
  free(actual);
  compare(r, &before);
  compare(r, &counters);
}

static void add_atomics(rows *rows, int dtype) {
  if (dtype != TS_DTYPE_i32 && dtype != TS_DTYPE_u32) return;
  for (int is_shared = 0; is_shared < 2; ++is_shared) {
    row row = {.file = &compute_file, .check = check_atomic, .list = ATOMIC_LIST, .dtype = dtype, .operation = is_shared};
    snprintf(row.id, sizeof row.id, "atomic_add.%s.%s", ts_dtype_name((ts_dtype)dtype), is_shared ? "shared" : "global");
    add_row(rows, row);
  }
}

/* ---- the family --------------------------------------------------------------------------------------------------- */

extern const char ts_embedded_conformance_compute[];
const case_file compute_file = {"compute.c", ts_embedded_conformance_compute, "DTYPE", lists, NULL};

void add_compute_cases(rows *rows) {
  for (int dtype = 0; dtype < TS_DTYPE_COUNT; ++dtype) {
    int number = 0;
    for (int line = 0; line < OPERATIONS; ++line)
      for (int width = 1; width <= 16; width *= 2) add_operation(rows, dtype, line, width, &number);
    add_atomics(rows, dtype);
  }
}
