/* SPDX-License-Identifier: Apache-2.0
 *
 * dtype_cases.c: the cases of dtype.c: accesses, casts, offsets, names, sizes and order of each dtype.
 */
#include <stdio.h>
#include <string.h>

#include "cases.h"

/* The same numbers as in dtype.c. */
enum { LOCAL_BYTES = 384, SHARED_BYTES = 6144, IMAGE_BYTES = 512, ORDER_ROUNDS = 32 };

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
enum list {
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
};
static const case_list lists[LIST_COUNT + 1] = {
    [ACCESS_GLOBAL] = {"ACCESS_GLOBAL_CASES", "access_global", false},
    [ACCESS_GENERIC] = {"ACCESS_GENERIC_CASES", "access_global", false},
    [ACCESS_SHARED] = {"ACCESS_SHARED_CASES", "access_shared", false},
    [ACCESS_CONSTANT] = {"ACCESS_CONSTANT_CASES", "access_constant", false},
    [ACCESS_LOCAL] = {"ACCESS_LOCAL_CASES", "access_local", false},
    [CAST] = {"CAST_CASES", "cast", false},
    [CAST_GENERIC] = {"CAST_GENERIC_CASES", "cast", false},
    [ADDRESS] = {"ADDRESS_CASES", "address", false},
    [ADDRESS_GENERIC] = {"ADDRESS_GENERIC_CASES", "address", false},
    [ORDER] = {"ORDER_CASES", "order", false},
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
static void add_accesses(rows *rows, int dtype, enum list list, int policy, bool is_store, int *number) {
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
      row row = {.file = &dtype_file,
                 .check = check_access,
                 .list = (int)list,
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
      row row = {.file = &dtype_file,
                 .check = check_cast,
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
  for (int k = 0; k < ITEMS; ++k) switch ((address_operation)row->operation) {
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
    case SIZE: /* of a vector: its size, and aligned to it */
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
  /* A name and a size have one place to go: several work-items that store the same there are a data race all the same. */
  launch(r, row->operation == NAME || row->operation == SIZE ? (ts_grid){{1}, {1}} : one_group);
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
  row row = {.file = &dtype_file,
             .check = check_address,
             .list = generic ? ADDRESS_GENERIC : ADDRESS,
             .number = (*number)++,
             .dtype = dtype,
             .operation = (int)operation,
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
        row row = {.file = &dtype_file,
                   .check = check_order,
                   .list = ORDER,
                   .number = number++,
                   .dtype = dtype,
                   .policy = spaces[s],
                   .width = width};
        flags flags = describe_flags(k == 1 ? 1 : k == 3 ? full : 0, 0, k >= 2 ? NON_TEMPORAL : NO_HINT);
        snprintf(row.id, sizeof row.id, "order.%sx%d.%s%s", ts_dtype_name((ts_dtype)dtype), width, policies[spaces[s]].name,
                 flags.name);
        snprintf(row.code, sizeof row.code, "ORDER(%d, %s, %d, %s)", row.number, policies[spaces[s]].code, width, flags.code);
        add_row(rows, row);
      }
}

/* ---- the family ------------------------------------------------------------------------------------------------- */

extern const char ts_embedded_conformance_dtype[];
const case_file dtype_file = {"dtype.c", ts_embedded_conformance_dtype, "DTYPE", lists, NULL};

void add_dtype_cases(rows *rows) {
  for (int dtype = 0; dtype < TS_DTYPE_COUNT; ++dtype) {
    static const struct {
      enum list list;
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
}
