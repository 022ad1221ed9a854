/* SPDX-License-Identifier: Apache-2.0
 *
 * suite.c: the cases of the conformance suite: their ids, the code behind each, and what must come out.
 *
 * A row is written once: it names the case, writes its line of the kernel's switch, and says what the reference has to
 * compute. References work on bytes in the most obvious way. Every buffer is compared whole, guard bytes included.
 */
#include "suite.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

extern const char ts_embedded_conformance_dtype[];
extern const char ts_embedded_conformance_group[];

/* The same numbers as in dtype.c. */
enum { ITEMS = 16, GUARD = 256, LOCAL_BYTES = 384, SHARED_BYTES = 6144, IMAGE_BYTES = 512, ORDER_ROUNDS = 32 };

/* ---- rows ------------------------------------------------------------------------------------------------------ */

typedef struct policy {
  const char *name; /* as in an id: "global_const" */
  const char *code; /* as in a kernel: "ts_global_const" */
  ts_space space;
  bool is_const;
} policy;

#define POLICY_ENUMERATOR(P, S, M, A, B, C) P,
enum { TS_POLICIES_NAMED(POLICY_ENUMERATOR, , , ) TS_POLICIES_GENERIC(POLICY_ENUMERATOR, , , ) POLICY_COUNT };
#define POLICY_ROW(P, S, M, A, B, C) {&#P[3], #P, TS_SPACE_##S, TS_IS_##M},
#define TS_IS_CONST true
#define TS_IS_MUTABLE false
static const policy policies[POLICY_COUNT] = {TS_POLICIES_NAMED(POLICY_ROW, , , ) TS_POLICIES_GENERIC(POLICY_ROW, , , )};

/* The lists of cases that dtype.c expects, one macro each. A list that has generic pointers in it stands apart, because a
 * device may not have them. */
typedef enum list {
  ACCESS_GLOBAL,
  ACCESS_GENERIC,
  ACCESS_SHARED,
  ACCESS_CONSTANT,
  ACCESS_LOCAL,
  CAST,
  CAST_GENERIC,
  ADDRESS,
  ADDRESS_GENERIC,
  ORDER,
  LIST_COUNT
} list;
static const struct {
  const char *macro, *kernel;
} lists[LIST_COUNT] = {
    [ACCESS_GLOBAL] = {"ACCESS_GLOBAL_CASES", "access_global"},
    [ACCESS_GENERIC] = {"ACCESS_GENERIC_CASES", "access_global"},
    [ACCESS_SHARED] = {"ACCESS_SHARED_CASES", "access_shared"},
    [ACCESS_CONSTANT] = {"ACCESS_CONSTANT_CASES", "access_constant"},
    [ACCESS_LOCAL] = {"ACCESS_LOCAL_CASES", "access_local"},
    [CAST] = {"CAST_CASES", "cast"},
    [CAST_GENERIC] = {"CAST_GENERIC_CASES", "cast"},
    [ADDRESS] = {"ADDRESS_CASES", "address"},
    [ADDRESS_GENERIC] = {"ADDRESS_GENERIC_CASES", "address"},
    [ORDER] = {"ORDER_CASES", "order"},
};

typedef enum address_operation {
  OFFSET,
  DISTANCE,
  FAR_DISTANCE,
  FAR_INDEX,
  NULL_HANDLE,
  EMPTY_HANDLE,
  NAME,
  VALUE,
  SIZE
} address_operation;

typedef struct row row;
typedef struct run run;
struct row {
  void (*check)(run *r, const row *row);
  char id[TS_CASE_ID_BYTES];
  char code[128]; /* the line of the kernel's switch; empty for the cases of group.c */
  list list;
  int number; /* of the case in its switch */
  int dtype;  /* ts_dtype, or TS_DTYPE_COUNT for the cases of group.c */
  int to_dtype;
  address_operation operation;
  int policy;
  int width;
  int align_bytes; /* promised; 0: nothing, so the dtype's own */
  bool is_store;
  bool needs_generic;
  size_t size[3], group[3]; /* of the launch, or what the case makes of it */
};

typedef struct rows {
  row *at;
  size_t count, capacity;
  bool out_of_memory;
} rows;

static row *add_row(rows *rows, row base) {
  if (rows->count == rows->capacity) {
    size_t capacity = rows->capacity ? 2 * rows->capacity : 1024;
    row *at = realloc(rows->at, capacity * sizeof *at);
    if (!at) {
      rows->out_of_memory = true;
      return NULL;
    }
    rows->at = at;
    rows->capacity = capacity;
  }
  rows->at[rows->count] = base;
  return &rows->at[rows->count++];
}

/* ---- running one case ------------------------------------------------------------------------------------------ */

struct ts_suite {
  ts_device *device;
  ts_queue *queue;
  ts_build_options options;
  bool has_generic;
  ts_program *program; /* of the last group that ran; NULL if it did not build, for this reason: */
  char build_failure[TS_CASE_REASON_BYTES];
  unsigned program_group;
  rows rows;
};

struct run {
  ts_suite *suite;
  ts_case_result *result;
  ts_error error;
  ts_kernel *kernel;
  uint64_t random; /* state of the generator of bytes */
};

static void verdict(run *r, ts_verdict verdict, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void verdict(run *r, ts_verdict verdict, const char *format, ...) {
  if (r->result->verdict != TS_CASE_PASSED) return; /* the first one counts */
  r->result->verdict = verdict;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(r->result->reason, sizeof r->result->reason, format, arguments);
  va_end(arguments);
  for (char *c = r->result->reason; *c; ++c)
    if (*c == '\n') *c = ' ';
}

/* Whether a call of the library went well; its error becomes the verdict otherwise. */
static bool good(run *r, ts_status status) {
  if (status) verdict(r, TS_CASE_ERROR, "%s: %s", r->error.call, r->error.message);
  return status == TS_OK;
}

/* A buffer and what it must hold in the end. */
typedef struct tested {
  const char *name;
  ts_buffer *buffer;
  unsigned char *expected;
  size_t bytes;
} tested;

/* Fill bytes from a generator (splitmix64) that never repeats in a run. Source: Steele, Lea, Flood, OOPSLA 2014. */
static void fill_random(run *r, unsigned char *bytes, size_t count) {
  for (size_t k = 0; k < count; ++k) {
    uint64_t z = r->random += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    bytes[k] = (unsigned char)(z >> 56);
  }
}

/* A buffer of random bytes. It is expected to keep them, until the reference says otherwise. */
static tested make(run *r, const char *name, ts_space space, size_t bytes) {
  tested t = {name, NULL, malloc(bytes ? bytes : 1), bytes};
  if (!t.expected) {
    verdict(r, TS_CASE_ERROR, "out of memory for %zu bytes of the reference", bytes);
    return t;
  }
  fill_random(r, t.expected, bytes);
  if (good(r, ts_buffer_create(&t.buffer, r->suite->device, space, bytes, &r->error)))
    good(r, ts_buffer_write(r->suite->queue, t.buffer, 0, t.expected, bytes, &r->error));
  return t;
}

/* Compare a whole buffer with what it must hold, then destroy both. */
static void compare(run *r, tested *t) {
  unsigned char *actual = r->result->verdict == TS_CASE_PASSED ? malloc(t->bytes ? t->bytes : 1) : NULL;
  if (actual && good(r, ts_buffer_read(r->suite->queue, t->buffer, 0, actual, t->bytes, &r->error))) {
    size_t wrong = 0, first = 0;
    for (size_t k = t->bytes; k-- > 0;)
      if (actual[k] != t->expected[k]) {
        ++wrong;
        first = k;
      }
    if (wrong)
      verdict(r, TS_CASE_FAILED, "%s: %zu of %zu bytes are wrong, the first at payload byte %lld: is 0x%02x, must be 0x%02x",
              t->name, wrong, t->bytes, (long long)first - GUARD, actual[first], t->expected[first]);
  }
  free(actual);
  free(t->expected);
  ts_buffer_destroy(t->buffer);
}

static void set_buffer(run *r, const char *name, const tested *t) {
  if (r->kernel) good(r, ts_kernel_arg_buffer(r->kernel, name, t->buffer, &r->error));
}
static void set_i32(run *r, const char *name, int value) {
  if (r->kernel) good(r, ts_kernel_arg_i32(r->kernel, name, value, &r->error));
}

/* Launch, unless something went wrong before. */
static void launch(run *r, ts_grid grid) {
  if (r->result->verdict != TS_CASE_PASSED || !r->kernel) return;
  if (good(r, ts_kernel_launch(r->suite->queue, r->kernel, grid, NULL, &r->error)))
    good(r, ts_queue_finish(r->suite->queue, &r->error));
}
static const ts_grid one_group = {{ITEMS}, {ITEMS}};

static int dtype_bytes(int dtype) { return (int)ts_dtype_bytes((ts_dtype)dtype); }

/* ---- load and store ------------------------------------------------------------------------------------------- */

static void check_access(run *r, const row *row) {
  int element = dtype_bytes(row->dtype), access = element * row->width;
  int byte_step = 0, element_step = row->width + (row->width % 2 ? 2 : 1); /* odd: 16 items meet every offset 0..15 */
  if (row->align_bytes > 0 && row->align_bytes < element) {
    byte_step = access + 1;
    element_step = 1;
  } else if (row->align_bytes) {
    element_step = ((access / row->align_bytes + 1) | 1) * row->align_bytes / element;
  }
  bool is_local = row->list == ACCESS_LOCAL;
  size_t at[ITEMS], strided_bytes = 0;
  for (int k = 0; k < ITEMS; ++k) {
    at[k] = (size_t)(is_local ? k * LOCAL_BYTES + (k * byte_step & 127) + (k * element_step * element & 127)
                              : k * byte_step + k * element_step * element);
    strided_bytes = at[k] + (size_t)access;
  }
  if (is_local) strided_bytes = ITEMS * LOCAL_BYTES;
  size_t packed_bytes = (size_t)(ITEMS * access);

  tested source = make(r, "source", row->list == ACCESS_CONSTANT ? TS_SPACE_constant : TS_SPACE_global,
                       GUARD + (row->is_store ? packed_bytes : strided_bytes));
  tested target = make(r, "target", TS_SPACE_global, GUARD + (row->is_store ? strided_bytes : packed_bytes) + GUARD);
  if (source.expected && target.expected)
    for (int k = 0; k < ITEMS; ++k) {
      size_t packed = GUARD + (size_t)(k * access), strided = GUARD + at[k];
      memcpy(target.expected + (row->is_store ? strided : packed), source.expected + (row->is_store ? packed : strided),
             (size_t)access);
    }
  set_buffer(r, "source_cells", &source);
  set_buffer(r, "target_cells", &target);
  set_i32(r, "number", row->number);
  set_i32(r, "byte_step", byte_step);
  set_i32(r, "element_step", element_step);
  if (row->list == ACCESS_SHARED) set_i32(r, "bytes", (int)strided_bytes);
  if (row->list == ACCESS_SHARED || is_local) set_i32(r, "is_store", row->is_store);
  launch(r, one_group);
  compare(r, &target);
  compare(r, &source);
}

/* What an access is promised and asked for, as the end of an id and as a kernel spells it. */
typedef enum hint { NO_HINT, INVARIANT, NON_TEMPORAL, BOTH_HINTS } hint;
typedef struct flags {
  char name[48], code[80];
} flags;

/* align_bytes   what is promised, 0: nothing
 * larger_bytes  a second promise beside it, 0: none. The smaller one is what counts. */
static flags describe_flags(int align_bytes, int larger_bytes, hint hint) {
  static const char *const names[] = {"", ".invariant", ".non_temporal", ".invariant.non_temporal"};
  static const char *const codes[] = {"0", "TS_INVARIANT", "TS_NON_TEMPORAL", "TS_INVARIANT | TS_NON_TEMPORAL"};
  flags f = {"", ""};
  char larger_name[16] = "", larger_code[24] = "";
  if (larger_bytes) {
    snprintf(larger_name, sizeof larger_name, ".align%d", larger_bytes);
    snprintf(larger_code, sizeof larger_code, "TS_ALIGN(%d) | ", larger_bytes);
  }
  if (align_bytes) {
    snprintf(f.name, sizeof f.name, ".align%d%s%s", align_bytes, larger_name, names[hint]);
    snprintf(f.code, sizeof f.code, "TS_ALIGN(%d) | %s%s", align_bytes, larger_code, codes[hint]);
  } else {
    snprintf(f.name, sizeof f.name, "%s", names[hint]);
    snprintf(f.code, sizeof f.code, "%s", codes[hint]);
  }
  return f;
}

/* One row for each width and each set of flags that means something at that width. */
static void add_accesses(rows *rows, int dtype, list list, int policy, bool is_store, int *number) {
  int element = dtype_bytes(dtype);
  for (int width = 1; width <= 16; width *= 2) {
    int full = element * width, half = full / 2;
    struct {
      int align;
      hint hint;
      int larger;
    } sets[] = {{0, NO_HINT, 0},      {1, NO_HINT, 0},         {half, NO_HINT, 0},    {full, NO_HINT, 0}, {0, INVARIANT, 0},
                {0, NON_TEMPORAL, 0}, {full, NON_TEMPORAL, 0}, {full, BOTH_HINTS, 0}, {1, NO_HINT, full}};
    for (size_t k = 0; k < sizeof sets / sizeof *sets; ++k) {
      int align = sets[k].align;
      if (k == 2 && half <= element) continue;              /* the dtype's own, or less: has its row */
      if (k == 3 && full == 1) continue;                    /* TS_ALIGN(1) has its row */
      if (sets[k].larger && width != 4) continue;           /* one width shows which promise counts */
      if (is_store && (sets[k].hint & INVARIANT)) continue; /* who stores makes the memory variant */
      row row = {.check = check_access,
                 .list = list,
                 .number = (*number)++,
                 .dtype = dtype,
                 .policy = policy,
                 .width = width,
                 .align_bytes = align,
                 .is_store = is_store,
                 .needs_generic = list == ACCESS_GENERIC};
      flags flags = describe_flags(align, sets[k].larger, sets[k].hint);
      snprintf(row.id, sizeof row.id, "%s.%sx%d.%s%s", is_store ? "store" : "load", ts_dtype_name((ts_dtype)dtype), width,
               policies[policy].name, flags.name);
      snprintf(row.code, sizeof row.code, "%s(%d, %s, %d, %s)", is_store ? "STORE" : "LOAD", row.number, policies[policy].code,
               width, flags.code);
      add_row(rows, row);
    }
  }
}

/* ---- unsafe_cast ------------------------------------------------------------------------------------------------ */

static void check_cast(run *r, const row *row) {
  size_t to = (size_t)dtype_bytes(row->to_dtype);
  tested source = make(r, "source", TS_SPACE_global, GUARD + IMAGE_BYTES);
  tested constants = make(r, "constants", TS_SPACE_constant, GUARD + IMAGE_BYTES);
  tested target = make(r, "target", TS_SPACE_global, GUARD + ITEMS * 8 + GUARD);
  const tested *image = policies[row->policy].space == TS_SPACE_constant ? &constants : &source;
  if (target.expected && image->expected) memcpy(target.expected + GUARD, image->expected + GUARD, ITEMS * to);
  set_buffer(r, "source_cells", &source);
  set_buffer(r, "constant_cells", &constants);
  set_buffer(r, "target_cells", &target);
  set_i32(r, "number", row->number);
  launch(r, one_group);
  compare(r, &target);
  compare(r, &constants);
  compare(r, &source);
}

static void add_casts(rows *rows, int dtype) {
  static const int pairs[][2] = {{ts_global, ts_global_const},   {ts_global_const, ts_global},      {ts_shared, ts_shared},
                                 {ts_shared, ts_shared_const},   {ts_constant, ts_constant},        {ts_local, ts_local},
                                 {ts_local, ts_local_const},     {ts_generic, ts_generic},          {ts_generic, ts_shared},
                                 {ts_generic, ts_generic_const}, {ts_generic_const, ts_local_const}};
  int number = 0;
  for (size_t k = 0; k < sizeof pairs / sizeof *pairs; ++k)
    for (int to = 0; to < TS_DTYPE_COUNT; ++to) {
      const policy *from_policy = &policies[pairs[k][0]], *to_policy = &policies[pairs[k][1]];
      bool generic = from_policy->space == TS_SPACE_generic;
      row row = {.check = check_cast,
                 .list = generic ? CAST_GENERIC : CAST,
                 .number = number++,
                 .dtype = dtype,
                 .to_dtype = to,
                 .policy = pairs[k][0],
                 .needs_generic = generic};
      const char *from_dtype = ts_dtype_name((ts_dtype)dtype), *to_dtype = ts_dtype_name((ts_dtype)to);
      snprintf(row.id, sizeof row.id, "cast.%s.%s.to.%s.%s", from_dtype, from_policy->name, to_dtype, to_policy->name);
      snprintf(row.code, sizeof row.code, "CAST(%d, %s, %s, %s)", row.number, from_policy->code, to_policy->code, to_dtype);
      add_row(rows, row);
    }
}

/* ---- offset, distance, null handles, names, values, sizes ------------------------------------------------------- */

/* What kind of number a dtype is. An integer is signed if the bits of it are another dtype. */
typedef enum kind { BOOL, INT, SMALL, SINGLE, DOUBLE } kind;
#define KIND_ROW(T, U, bytes, kind, computes) {kind, TS_DTYPE_##T != TS_DTYPE_##U},
static const struct {
  kind kind;
  bool is_signed;
} kinds[TS_DTYPE_COUNT] = {TS_DTYPES(KIND_ROW)};

/* The integer of this dtype whose bytes these are, lowest first. */
static int64_t integer_of(int dtype, const unsigned char *bytes) {
  int count = dtype_bytes(dtype);
  bool is_negative = kinds[dtype].is_signed && bytes[count - 1] >= 0x80;
  uint64_t bits = is_negative ? UINT64_MAX : 0;
  for (int k = count; k-- > 0;) bits = bits << 8 | bytes[k];
  return (int64_t)bits;
}

static void put_i64(unsigned char *bytes, int index, int64_t value) { memcpy(bytes + GUARD + 8 * index, &value, 8); }

static void expect_address(const row *row, const unsigned char *image, const int64_t *numbers, unsigned char *target) {
  int element = dtype_bytes(row->dtype);
  for (int k = 0; k < ITEMS; ++k) switch (row->operation) {
    case OFFSET:
      memcpy(target + GUARD + 2 * k * element, image + GUARD + (3 * k + 2) * element, (size_t)element);
      memcpy(target + GUARD + (2 * k + 1) * element, image + GUARD + (k ? 3 * k - 1 : 0) * element, (size_t)element);
      break;
    case DISTANCE:
    case FAR_DISTANCE:
      put_i64(target, 3 * k, numbers[k]);
      put_i64(target, 3 * k + 1, 0);
      put_i64(target, 3 * k + 2, -numbers[k]);
      break;
    case FAR_INDEX: memcpy(target + GUARD + k * element, image + GUARD + k * element, (size_t)element); break;
    case NULL_HANDLE:
    case EMPTY_HANDLE:
      put_i64(target, 2 * k, 0);
      put_i64(target, 2 * k + 1, 0);
      break;
    case NAME:
      snprintf((char *)target + GUARD, 60, "%s_%s", policies[row->policy].code, ts_dtype_name((ts_dtype)row->dtype));
      target[GUARD + 60] = 1;
      break;
    case VALUE: put_i64(target, k, integer_of(row->dtype, image + GUARD + k * element)); break;
    case SIZE: /* of a vector of both languages that run here: its size, and aligned to it */
      put_i64(target, 0, element * row->width);
      put_i64(target, 1, element * row->width);
      break;
    }
}

static void check_address(run *r, const row *row) {
  static const int64_t near[ITEMS] = {0, 1, -1, 2, -2, 7, -13, 24, -24, 255, -256, 1000, -1001, 4095, -4096, 30000};
  const int64_t far = (int64_t)3 << 30;
  bool is_far = row->operation == FAR_DISTANCE || row->operation == FAR_INDEX;
  int64_t numbers[ITEMS];
  for (int k = 0; k < ITEMS; ++k) numbers[k] = !is_far ? near[k] : k % 2 ? -far - k : far + k;
  tested source = make(r, "source", TS_SPACE_global, GUARD + IMAGE_BYTES);
  tested constants = make(r, "constants", TS_SPACE_constant, GUARD + IMAGE_BYTES);
  tested target = make(r, "target", TS_SPACE_global, GUARD + 1024 + GUARD);
  tested number_list = make(r, "numbers", TS_SPACE_global, sizeof numbers);
  tested nothing = {.name = "nothing"}, constant_nothing = {.name = "constant nothing"};
  if (row->operation == EMPTY_HANDLE) {
    nothing = make(r, "nothing", TS_SPACE_global, 0);
    constant_nothing = make(r, "constant nothing", TS_SPACE_constant, 0);
  }
  if (number_list.expected) memcpy(number_list.expected, numbers, sizeof numbers);
  if (number_list.buffer) good(r, ts_buffer_write(r->suite->queue, number_list.buffer, 0, numbers, sizeof numbers, &r->error));
  const tested *image = policies[row->policy].space == TS_SPACE_constant ? &constants : &source;
  if (target.expected && image->expected) expect_address(row, image->expected, numbers, target.expected);
  set_buffer(r, "source_cells", &source);
  set_buffer(r, "constant_cells", &constants);
  set_buffer(r, "target_cells", &target);
  set_buffer(r, "numbers_cells", &number_list);
  set_buffer(r, "ts_global_nothing", &nothing);
  set_buffer(r, "ts_constant_nothing", &constant_nothing);
  set_i32(r, "number", row->number);
  launch(r, one_group);
  compare(r, &target);
  compare(r, &number_list);
  compare(r, &constants);
  compare(r, &source);
  if (row->operation == EMPTY_HANDLE) {
    compare(r, &nothing);
    compare(r, &constant_nothing);
  }
}

static void add_address(rows *rows, int dtype, address_operation operation, const char *name, const char *macro, int policy,
                        int width, const char *rest, int *number) {
  bool generic = width == 0 && policies[policy].space == TS_SPACE_generic;
  row row = {.check = check_address,
             .list = generic ? ADDRESS_GENERIC : ADDRESS,
             .number = (*number)++,
             .dtype = dtype,
             .operation = operation,
             .policy = policy,
             .width = width,
             .needs_generic = generic};
  if (width) {
    snprintf(row.id, sizeof row.id, "%s.%sx%d", name, ts_dtype_name((ts_dtype)dtype), width);
    snprintf(row.code, sizeof row.code, "%s(%d, %d)", macro, row.number, width);
  } else {
    snprintf(row.id, sizeof row.id, "%s.%s.%s", name, ts_dtype_name((ts_dtype)dtype), policies[policy].name);
    snprintf(row.code, sizeof row.code, "%s(%d, %s%s)", macro, row.number, policies[policy].code, rest);
  }
  add_row(rows, row);
}

static void add_addresses(rows *rows, int dtype) {
  int number = 0;
  for (int p = 0; p < POLICY_COUNT; ++p) {
    add_address(rows, dtype, OFFSET, "offset", "OFFSET", p, 0, "", &number);
    add_address(rows, dtype, DISTANCE, "distance", "DISTANCE", p, 0, "", &number);
    add_address(rows, dtype, NAME, "name", "NAME", p, 0, "", &number);
    if (policies[p].space == TS_SPACE_global) {
      add_address(rows, dtype, FAR_DISTANCE, "distance_far", "DISTANCE", p, 0, "", &number);
      add_address(rows, dtype, FAR_INDEX, "index_far", "FAR_INDEX", p, 0, "", &number);
      add_address(rows, dtype, NULL_HANDLE, "null", "NOTHING", p, 0, ", ts_global", &number);
      add_address(rows, dtype, EMPTY_HANDLE, "empty", "NOTHING", p, 0, ", ts_global", &number);
    } else if (policies[p].space == TS_SPACE_constant) {
      add_address(rows, dtype, NULL_HANDLE, "null", "NOTHING", p, 0, ", ts_constant", &number);
      add_address(rows, dtype, EMPTY_HANDLE, "empty", "NOTHING", p, 0, ", ts_constant", &number);
    }
  }
  if (kinds[dtype].kind == INT) add_address(rows, dtype, VALUE, "value", "VALUE", ts_global, 0, "", &number);
  for (int width = 1; width <= 16; width *= 2) add_address(rows, dtype, SIZE, "size", "SIZE", ts_global, width, "", &number);
}

/* ---- order ------------------------------------------------------------------------------------------------------ */

static void check_order(run *r, const row *row) {
  size_t access = (size_t)(dtype_bytes(row->dtype) * row->width), all = ORDER_ROUNDS * access;
  tested source = make(r, "source", TS_SPACE_global, GUARD + all);
  tested target = make(r, "target", TS_SPACE_global, GUARD + ITEMS * all + GUARD);
  tested place = make(r, "place", TS_SPACE_global, ITEMS * 128);
  if (source.expected && target.expected && place.expected)
    for (int k = 0; k < ITEMS; ++k) {
      memcpy(target.expected + GUARD + (size_t)k * all, source.expected + GUARD, all);
      if (row->policy == ts_global) memcpy(place.expected + k * 128, source.expected + GUARD + all - access, access);
    }
  set_buffer(r, "source_cells", &source);
  set_buffer(r, "target_cells", &target);
  set_buffer(r, "place_cells", &place);
  set_i32(r, "number", row->number);
  launch(r, one_group);
  compare(r, &target);
  compare(r, &place);
  compare(r, &source);
}

static void add_orders(rows *rows, int dtype) {
  static const int spaces[] = {ts_global, ts_shared, ts_local};
  int number = 0;
  for (size_t s = 0; s < sizeof spaces / sizeof *spaces; ++s)
    for (int width = 1; width <= 4; width *= 4)
      for (int k = 0; k < 4; ++k) {
        int full = dtype_bytes(dtype) * width;
        row row = {
            .check = check_order, .list = ORDER, .number = number++, .dtype = dtype, .policy = spaces[s], .width = width};
        flags flags = describe_flags(k == 1 ? 1 : k == 3 ? full : 0, 0, k >= 2 ? NON_TEMPORAL : NO_HINT);
        snprintf(row.id, sizeof row.id, "order.%sx%d.%s%s", ts_dtype_name((ts_dtype)dtype), width, policies[spaces[s]].name,
                 flags.name);
        snprintf(row.code, sizeof row.code, "ORDER(%d, %s, %d, %s)", row.number, policies[spaces[s]].code, width, flags.code);
        add_row(rows, row);
      }
}

/* ---- group.c ---------------------------------------------------------------------------------------------------- */

static bool fits(run *r, const size_t group[3]) {
  const ts_device_info *info = ts_device_get_info(r->suite->device);
  size_t items = group[0] * group[1] * group[2];
  if (items <= info->max_group_items && group[0] <= info->max_group_size[0] && group[1] <= info->max_group_size[1] &&
      group[2] <= info->max_group_size[2])
    return true;
  verdict(r, TS_CASE_SKIPPED, "the device's work-groups have at most %zu work-items", info->max_group_items);
  return false;
}

static ts_grid grid_of(const row *row) {
  ts_grid grid;
  memcpy(grid.items, row->size, sizeof grid.items);
  memcpy(grid.group, row->group, sizeof grid.group);
  return grid;
}

static void check_ids(run *r, const row *row) {
  if (!fits(r, row->group)) return;
  size_t nx = row->size[0], ny = row->size[1], nz = row->size[2];
  tested target = make(r, "target", TS_SPACE_global, nx * ny * nz * 15 * 8);
  for (size_t z = 0; z < nz && target.expected; ++z)
    for (size_t y = 0; y < ny; ++y)
      for (size_t x = 0; x < nx; ++x) {
        size_t id[3] = {x, y, z};
        for (int d = 0; d < 3; ++d) {
          int64_t five[5] = {(int64_t)id[d], (int64_t)(id[d] % row->group[d]), (int64_t)(id[d] / row->group[d]),
                             (int64_t)row->group[d], (int64_t)(row->size[d] / row->group[d])};
          memcpy(target.expected + (((z * ny + y) * nx + x) * 15 + 5 * (size_t)d) * 8, five, sizeof five);
        }
      }
  set_buffer(r, "target_cells", &target);
  launch(r, grid_of(row));
  compare(r, &target);
}

/* What group.c's EXCHANGE computes, one round after the other for all items of a group.
 * `stored` is what the items stored for each other in the last round. */
static void exchange(uint32_t *values, uint32_t *stored, size_t size) {
  for (size_t round = 0; round < 5; ++round) {
    memcpy(stored, values, size * sizeof *values);
    for (size_t k = 0; k < size; ++k) values[k] = stored[(k + 1 + round) % size] * 3u + (uint32_t)k;
  }
}

static void check_barrier(run *r, const row *row) {
  enum { GROUPS = 3 };
  if (!fits(r, row->group)) return;
  size_t size = row->group[0];
  bool dynamic = !strcmp(row->code, "barrier_dynamic"), global = !strcmp(row->code, "barrier_global");
  tested target = make(r, "target", TS_SPACE_global, GROUPS * size * 4);
  tested scratch = {.name = "scratch"};
  if (global) scratch = make(r, "scratch", TS_SPACE_global, GROUPS * size * 4);
  for (size_t g = 0; g < GROUPS && target.expected; ++g) {
    uint32_t values[256], stored[256];
    for (size_t k = 0; k < size; ++k) values[k] = (uint32_t)(g * 1000 + k);
    exchange(values, stored, size);
    for (size_t k = 0; dynamic && k < size; ++k) values[k] += (uint8_t)((size - 1 - k) * 7);
    memcpy(target.expected + g * size * 4, values, size * 4);
    if (scratch.expected) memcpy(scratch.expected + g * size * 4, stored, size * 4);
  }
  if (global) set_buffer(r, "scratch_cells", &scratch);
  if (dynamic && r->kernel) {
    good(r, ts_kernel_arg_shared(r->kernel, "before_cells", size, &r->error));
    good(r, ts_kernel_arg_shared(r->kernel, "exchange_cells", size, &r->error));
  }
  set_buffer(r, "target_cells", &target);
  launch(r, grid_of(row));
  compare(r, &target);
  if (global) compare(r, &scratch);
}

static void check_tables(run *r, const row *row) {
  static const float f32s[3] = {0.5f, -2.0f, 1024.0f};
  static const int64_t i64s[2] = {-1, 0x123456789abcdef0};
  static const uint16_t bf16s[4] = {0x3f80, 0xc000, 0x7f80, 0x0001};
  tested target = make(r, "target", TS_SPACE_global, ITEMS * 24 + GUARD);
  for (size_t k = 0; k < ITEMS && target.expected; ++k) {
    memcpy(target.expected + 24 * k, f32s + k % 2, 8);
    memcpy(target.expected + 24 * k + 8, i64s + k % 2, 8);
    memcpy(target.expected + 24 * k + 16, bf16s, 8);
  }
  set_buffer(r, "target_cells", &target);
  launch(r, grid_of(row));
  compare(r, &target);
}

static void check_declared(run *r, const row *row) {
  if (!fits(r, row->group)) return;
  size_t size = row->group[0];
  tested target = make(r, "target", TS_SPACE_global, size * 12);
  for (size_t k = 0; k < size && target.expected; ++k) {
    uint32_t three[3] = {(uint32_t)(size - 1 - k) * 0x01010101u, (uint32_t)(size - 1 - k) + 4000, (uint32_t)(100 * k + k % 3)};
    memcpy(target.expected + 12 * k, three, sizeof three);
  }
  set_buffer(r, "target_cells", &target);
  launch(r, grid_of(row));
  compare(r, &target);
}

/* Every scalar argument is given; this case is about the one of its dtype: its bytes, and the gap behind them. */
static void check_argument(run *r, const row *row) {
  static const unsigned char bytes[8] = {0x01, 0x12, 0x23, 0x34, 0x45, 0x56, 0x67, 0x3f};
  tested target = make(r, "target", TS_SPACE_global, TS_DTYPE_COUNT * 8 + GUARD);
  for (int k = 0; k < TS_DTYPE_COUNT && target.expected; ++k) {
    char name[32];
    snprintf(name, sizeof name, "%s_value", ts_dtype_name((ts_dtype)k));
    if (r->kernel) good(r, ts_kernel_arg_scalar(r->kernel, name, (ts_dtype)k, bytes, &r->error));
    memcpy(target.expected + 8 * k, bytes, ts_dtype_bytes((ts_dtype)k));
  }
  set_buffer(r, "target_cells", &target);
  launch(r, grid_of(row));
  if (r->result->verdict == TS_CASE_PASSED && target.buffer) { /* only this dtype's 8 bytes count */
    unsigned char slot[8];
    if (good(r, ts_buffer_read(r->suite->queue, target.buffer, (size_t)row->to_dtype * 8, slot, 8, &r->error)))
      for (size_t k = 0; k < 8; ++k)
        if (slot[k] != target.expected[(size_t)row->to_dtype * 8 + k])
          verdict(r, TS_CASE_FAILED, "byte %zu of the argument is 0x%02x, must be 0x%02x", k, slot[k],
                  target.expected[(size_t)row->to_dtype * 8 + k]);
  }
  free(target.expected);
  ts_buffer_destroy(target.buffer);
}

/* A constant buffer of exactly the device's limit works to its last byte; one byte more is an error of ours. */
static void check_constant_limit(run *r, const row *row) {
  uint64_t limit = ts_device_get_info(r->suite->device)->max_constant_bytes;
  tested constants = make(r, "constants", TS_SPACE_constant, (size_t)limit);
  tested indices = make(r, "indices", TS_SPACE_global, ITEMS * 8);
  tested target = make(r, "target", TS_SPACE_global, ITEMS + GUARD);
  for (size_t k = 0; k < ITEMS && indices.expected && target.expected && constants.expected; ++k) {
    int64_t index = (int64_t)(k == 0 ? 0 : limit - k);
    memcpy(indices.expected + 8 * k, &index, 8);
    target.expected[k] = constants.expected[index];
  }
  if (indices.buffer) good(r, ts_buffer_write(r->suite->queue, indices.buffer, 0, indices.expected, indices.bytes, &r->error));
  set_buffer(r, "source_cells", &constants);
  set_buffer(r, "index_cells", &indices);
  set_buffer(r, "target_cells", &target);
  launch(r, grid_of(row));
  compare(r, &target);
  compare(r, &indices);
  compare(r, &constants);
}

static void check_constant_over_limit(run *r, const row *row) {
  (void)row;
  size_t bytes = (size_t)ts_device_get_info(r->suite->device)->max_constant_bytes + 1;
  ts_buffer *buffer = NULL;
  ts_error error = {.status = TS_OK};
  ts_status status = ts_buffer_create(&buffer, r->suite->device, TS_SPACE_constant, bytes, &error);
  if (status == TS_OK)
    verdict(r, TS_CASE_FAILED, "a constant buffer of %zu bytes, one more than the limit, was accepted", bytes);
  else if (status != TS_ERROR_LIMIT)
    verdict(r, TS_CASE_FAILED, "a constant buffer over the limit gave \"%s\", must be \"%s\"", ts_status_text(status),
            ts_status_text(TS_ERROR_LIMIT));
  ts_buffer_destroy(buffer);
}

static void check_far_element(run *r, const row *row) {
  const uint64_t needed = ((uint64_t)1 << 31) + 64, free_needed = (uint64_t)6 << 30;
  uint64_t available = (uint64_t)sysconf(_SC_AVPHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
  if (ts_device_get_info(r->suite->device)->max_buffer_bytes < needed) {
    verdict(r, TS_CASE_SKIPPED, "the device's largest buffer has no element past 2^31");
    return;
  }
  if (available < free_needed) {
    verdict(r, TS_CASE_SKIPPED, "less than 6 GiB of memory are free");
    return;
  }
  ts_buffer *far = NULL;
  tested target = make(r, "target", TS_SPACE_global, 8 + GUARD);
  int64_t index = ((int64_t)1 << 31) + 5;
  if (target.expected) memcpy(target.expected + 4, target.expected, 4);
  if (good(r, ts_buffer_create(&far, r->suite->device, TS_SPACE_global, (size_t)needed, &r->error)) && r->kernel) {
    good(r, ts_kernel_arg_buffer(r->kernel, "far_cells", far, &r->error));
    good(r, ts_kernel_arg_i64(r->kernel, "index", index, &r->error));
  }
  set_buffer(r, "target_cells", &target);
  launch(r, grid_of(row));
  unsigned char stored[4] = {0};
  if (r->result->verdict == TS_CASE_PASSED &&
      good(r, ts_buffer_read(r->suite->queue, far, (size_t)index, stored, 4, &r->error)) && memcmp(stored, target.expected, 4))
    verdict(r, TS_CASE_FAILED, "the bytes at element 2^31 + 5 are not those that were stored there");
  compare(r, &target);
  ts_buffer_destroy(far);
}

static void add_group_cases(rows *rows) {
  static const size_t grids[][2][3] = {{{1, 1, 1}, {1, 1, 1}}, {{64, 1, 1}, {16, 1, 1}}, {{256, 1, 1}, {256, 1, 1}},
                                       {{8, 6, 1}, {4, 3, 1}}, {{1, 12, 1}, {1, 4, 1}},  {{4, 6, 10}, {2, 3, 5}},
                                       {{3, 1, 8}, {3, 1, 2}}};
  static const char *const barriers[][2] = {
      {"barrier.shared", "barrier_shared"}, {"barrier.dynamic", "barrier_dynamic"}, {"barrier.global", "barrier_global"}};
  static const size_t sizes[] = {1, 2, 3, 16, 64, 100, 128, 256};
  row one = {.dtype = TS_DTYPE_COUNT, .size = {ITEMS, 1, 1}, .group = {ITEMS, 1, 1}};
  for (size_t k = 0; k < sizeof grids / sizeof *grids; ++k) {
    row row = one;
    row.check = check_ids;
    memcpy(row.size, grids[k][0], sizeof row.size);
    memcpy(row.group, grids[k][1], sizeof row.group);
    snprintf(row.id, sizeof row.id, "ids.%zux%zux%zu.by.%zux%zux%zu", row.size[0], row.size[1], row.size[2], row.group[0],
             row.group[1], row.group[2]);
    strcpy(row.code, "ids");
    add_row(rows, row);
  }
  for (size_t b = 0; b < sizeof barriers / sizeof *barriers; ++b)
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
      row row = one;
      row.check = check_barrier;
      row.group[0] = sizes[k];
      row.size[0] = 3 * sizes[k];
      snprintf(row.id, sizeof row.id, "%s.%zu", barriers[b][0], sizes[k]);
      strcpy(row.code, barriers[b][1]);
      add_row(rows, row);
    }
  for (int dtype = 0; dtype < TS_DTYPE_COUNT; ++dtype) {
    row row = one;
    row.check = check_argument;
    row.to_dtype = dtype;
    row.size[0] = row.group[0] = 1;
    snprintf(row.id, sizeof row.id, "argument.%s", ts_dtype_name((ts_dtype)dtype));
    strcpy(row.code, "arguments");
    add_row(rows, row);
  }
  static const struct {
    const char *id, *kernel;
    void (*check)(run *r, const row *row);
    size_t items;
  } singles[] = {{"constant.table", "tables", check_tables, ITEMS},
                 {"declared.memory", "declared", check_declared, 64},
                 {"constant.limit", "constant_bytes", check_constant_limit, ITEMS},
                 {"constant.over_limit", "", check_constant_over_limit, 1},
                 {"far.u8.global", "far_element", check_far_element, 1}};
  for (size_t k = 0; k < sizeof singles / sizeof *singles; ++k) {
    row row = one;
    row.check = singles[k].check;
    row.size[0] = row.group[0] = singles[k].items;
    strcpy(row.id, singles[k].id);
    strcpy(row.code, singles[k].kernel);
    add_row(rows, row);
  }
}

/* ---- the list --------------------------------------------------------------------------------------------------- */

static ts_status make_rows(rows *rows, ts_error *error) {
  *rows = (struct rows){0};
  for (int dtype = 0; dtype < TS_DTYPE_COUNT; ++dtype) {
    static const struct {
      list list;
      int policies[2];
    } accesses[] = {{ACCESS_GLOBAL, {ts_global, ts_global_const}},
                    {ACCESS_GENERIC, {ts_generic, ts_generic_const}},
                    {ACCESS_SHARED, {ts_shared, ts_shared_const}},
                    {ACCESS_CONSTANT, {ts_constant, -1}},
                    {ACCESS_LOCAL, {ts_local, ts_local_const}}};
    int number = 0; /* of the cases of a kernel: global and generic share one */
    for (size_t k = 0; k < sizeof accesses / sizeof *accesses; ++k) {
      if (accesses[k].list != ACCESS_GENERIC) number = 0;
      for (int p = 0; p < 2; ++p) {
        int policy = accesses[k].policies[p];
        if (policy < 0) continue;
        add_accesses(rows, dtype, accesses[k].list, policy, false, &number);
        if (!policies[policy].is_const) add_accesses(rows, dtype, accesses[k].list, policy, true, &number);
      }
    }
    add_casts(rows, dtype);
    add_addresses(rows, dtype);
    add_orders(rows, dtype);
  }
  add_group_cases(rows);
  if (!rows->out_of_memory) return TS_OK;
  free(rows->at);
  if (error) {
    *error = (ts_error){.status = TS_ERROR_MEMORY};
    snprintf(error->call, sizeof error->call, "ts_cases_create");
    snprintf(error->message, sizeof error->message, "out of memory for the list of cases");
  }
  return TS_ERROR_MEMORY;
}

ts_status ts_cases_create(ts_case **cases, size_t *count, ts_error *error) {
  rows rows;
  ts_status status = make_rows(&rows, error);
  if (status) return status;
  *count = rows.count;
  *cases = calloc(rows.count, sizeof **cases);
  for (size_t k = 0; *cases && k < rows.count; ++k) {
    (*cases)[k].number = k;
    (*cases)[k].group = (unsigned)rows.at[k].dtype;
    memcpy((*cases)[k].id, rows.at[k].id, TS_CASE_ID_BYTES);
  }
  free(rows.at);
  return *cases ? TS_OK : TS_ERROR_MEMORY;
}

void ts_cases_free(ts_case *cases) { free(cases); }

/* ---- programs --------------------------------------------------------------------------------------------------- */

static bool defines_to_0(const ts_build_options *options, const char *name) {
  size_t length = strlen(name);
  for (const char *const *d = options->defines; d && *d; ++d)
    if (!strncmp(*d, name, length) && !strcmp(*d + length, "=0")) return true;
  return false;
}

ts_status ts_suite_open(ts_suite **suite, const char *device, const ts_build_options *options, ts_error *error) {
  ts_suite *s = calloc(1, sizeof *s);
  if (!s) return TS_ERROR_MEMORY;
  ts_status status = make_rows(&s->rows, error);
  if (!status) status = ts_device_open(&s->device, device, error);
  if (!status) status = ts_queue_create(&s->queue, s->device, error);
  if (status) {
    ts_suite_close(s);
    return status;
  }
  if (options) s->options = *options;
  s->has_generic = ts_device_get_info(s->device)->has_generic && !defines_to_0(&s->options, "TS_HAVE_GENERIC") &&
                   !(s->options.standard && !strcmp(s->options.standard, "CL1.2"));
  s->program_group = UINT32_MAX;
  *suite = s;
  return TS_OK;
}

void ts_suite_close(ts_suite *suite) {
  if (!suite) return;
  ts_program_destroy(suite->program);
  ts_queue_destroy(suite->queue);
  ts_device_close(suite->device);
  free(suite->rows.at);
  free(suite);
}

const ts_device_info *ts_suite_device(const ts_suite *suite) { return ts_device_get_info(suite->device); }

/* The text of dtype.c for one dtype, with the lists of its cases in front; NULL if memory ran out. */
static char *dtype_source(const rows *rows, unsigned dtype) {
  char *text = NULL;
  size_t bytes = 0;
  FILE *f = open_memstream(&text, &bytes);
  if (!f) return NULL;
  for (int l = 0; l < LIST_COUNT; ++l) {
    fprintf(f, "#define %s", lists[l].macro);
    for (size_t k = 0; k < rows->count; ++k)
      if (rows->at[k].dtype == (int)dtype && rows->at[k].list == (list)l) fprintf(f, " %s", rows->at[k].code);
    fputc('\n', f);
  }
  fputs(ts_embedded_conformance_dtype, f);
  if (!fclose(f)) return text;
  free(text);
  return NULL;
}

/* Build the program of a group of cases: the dtype's number, or TS_DTYPE_COUNT for group.c. */
static void build(run *r, unsigned group) {
  ts_suite *suite = r->suite;
  if (suite->program_group == group) {
    if (!suite->program) verdict(r, TS_CASE_ERROR, "%s", suite->build_failure);
    return;
  }
  ts_program_destroy(suite->program);
  suite->program = NULL;
  suite->program_group = group;
  ts_build_options options = suite->options;
  size_t count = 0;
  while (options.defines && options.defines[count]) ++count;
  const char **defines = calloc(count + 2, sizeof *defines);
  char define[32] = "";
  char *source = group < TS_DTYPE_COUNT ? dtype_source(&suite->rows, group) : strdup(ts_embedded_conformance_group);
  if (!defines || !source) {
    verdict(r, TS_CASE_ERROR, "out of memory for the kernels' text");
  } else {
    if (count) memcpy(defines, options.defines, count * sizeof *defines);
    if (group < TS_DTYPE_COUNT) {
      snprintf(define, sizeof define, "DTYPE=%s", ts_dtype_name((ts_dtype)group));
      defines[count] = define;
    }
    options.defines = defines;
    options.name = group < TS_DTYPE_COUNT ? "dtype.c" : "group.c";
    good(r, ts_program_build(&suite->program, suite->device, source, &options, &r->error));
  }
  memcpy(suite->build_failure, r->result->reason, sizeof suite->build_failure);
  free(source);
  free(defines);
}

void ts_case_run(ts_suite *suite, const ts_case *c, ts_case_result *result) {
  const row *row = &suite->rows.at[c->number];
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  *result = (ts_case_result){.verdict = TS_CASE_PASSED};
  run r = {.suite = suite, .result = result, .random = c->number * 0x632be59bd9b4e019u + 1};
  if (row->needs_generic && !suite->has_generic) {
    verdict(&r, TS_CASE_SKIPPED, "the device has no generic pointers");
  } else {
    const char *kernel = row->dtype < TS_DTYPE_COUNT ? lists[row->list].kernel : row->code;
    build(&r, c->group);
    if (result->verdict == TS_CASE_PASSED && *kernel) good(&r, ts_kernel_get(&r.kernel, suite->program, kernel, &r.error));
    if (result->verdict == TS_CASE_PASSED) row->check(&r, row);
    ts_kernel_destroy(r.kernel);
  }
  clock_gettime(CLOCK_MONOTONIC, &end);
  result->seconds = (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
}
