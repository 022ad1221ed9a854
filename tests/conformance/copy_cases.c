/* SPDX-License-Identifier: Apache-2.0
 *
 * copy_cases.c: the cases of copy.c: each copy of layout_copy.json that a static pair of layouts can do, in global memory, and
 * random ones.
 *
 *   copy.<name>.<dst>.<src>                                 by one work-item
 *   copy_by_group.<name>.<dst>.<src>.<group>                by a group of that many items: 1, 7, 16, 3x2x2
 *   copy_random.<n>.<dst space>.<src space>.<dst>.<src>     a random pair of layouts in any two spaces; _by_group likewise
 *
 * The elements of a source are 0, 1, 2 … as its memory has them, so that each tells where it is from. What must come out stands
 * in the file. The rows that must not compile are in tests/compile_fail/; those about the ends of a buffer, and about source
 * and destination that overlap, are mistakes that only the host can see.
 */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "convert_reference.h"
#include "copy_pair.h"
#include "copy_random.h"

extern const char ts_embedded_conformance_copy[];
extern const char ts_embedded_layout_copy_json[];

/* ---- rows of layout_copy.json ----------------------------------------------------------------------------------- */

/* dst, then src: the same bits at two sizes, one that narrows, one that widens. */
static const ts_dtype dtypes[][2] = {
    {TS_DTYPE_u8, TS_DTYPE_u8}, {TS_DTYPE_f32, TS_DTYPE_f32}, {TS_DTYPE_f16, TS_DTYPE_f32}, {TS_DTYPE_f64, TS_DTYPE_u8}};
enum { DTYPES = sizeof dtypes / sizeof *dtypes, ROWS_MAX = 64, EXPECT_MAX = 512, NAME_BYTES = 40 };

/* A copy of the file. */
typedef struct copy_row {
  char name[NAME_BYTES];
  copy_pair pair; /* its dtypes, starts and promises depend on the dtypes; rank 0: none that a static pair can do */
  int dst_base, src_base;
  bool same_buffer;
  int count;              /* of `expect` */
  int expect[EXPECT_MAX]; /* the destination's memory from its element 0 on; -1: as it was */
} copy_row;

static int integer(const cJSON *object, const char *name) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
  return cJSON_IsNumber(item) ? item->valueint : 0;
}

static int read_side(copy_side *side, const cJSON *object) {
  const cJSON *shape = cJSON_GetObjectItemCaseSensitive(object, "shape");
  const cJSON *stride = cJSON_GetObjectItemCaseSensitive(object, "stride");
  *side = (copy_side){.space = TS_SPACE_global, .rank = cJSON_GetArraySize(shape), .hints = ""};
  for (int k = 0; k < side->rank && k < COPY_RANK; ++k) {
    side->shape[k] = cJSON_GetArrayItem(shape, k)->valueint;
    side->stride[k] = cJSON_GetArrayItem(stride, k)->valueint;
  }
  return integer(object, "base");
}

static void read_row(copy_row *row, const cJSON *object) {
  const cJSON *name = cJSON_GetObjectItemCaseSensitive(object, "name");
  const cJSON *expect = cJSON_GetObjectItemCaseSensitive(object, "expect"), *value;
  snprintf(row->name, sizeof row->name, "%s", cJSON_GetStringValue(name));
  if (!expect) return;
  row->dst_base = read_side(&row->pair.dst, cJSON_GetObjectItemCaseSensitive(object, "dst"));
  row->src_base = read_side(&row->pair.src, cJSON_GetObjectItemCaseSensitive(object, "src"));
  row->same_buffer = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, "same_buffer"));
  row->pair.src.is_const = !row->same_buffer;
  cJSON_ArrayForEach(value, expect) if (row->count < EXPECT_MAX) row->expect[row->count++] = value->valueint;
}

/* A side whose element (0, 0 …) is `base` elements behind the guard, which is all that is promised. */
static void place(copy_side *side, ts_dtype dtype, int base) {
  int bytes = (int)ts_dtype_bytes(dtype), start = GUARD + base * bytes;
  side->dtype = dtype;
  side->start = start;
  side->align_bytes = start & -start & 63 ? start & -start : 64;
}

/* All rows, each for each pair of dtypes: row r, dtypes t at r * DTYPES + t. Freed by free(). NULL: memory ran out. */
static copy_row *read_rows(int *count) {
  copy_row *rows = calloc((size_t)ROWS_MAX * DTYPES, sizeof *rows);
  cJSON *file = cJSON_Parse(ts_embedded_layout_copy_json);
  const cJSON *object;
  *count = 0;
  if (!file || !rows) {
    cJSON_Delete(file);
    free(rows);
    return NULL;
  }
  cJSON_ArrayForEach(object, file) {
    if (*count == ROWS_MAX * DTYPES) break;
    for (int t = 0; t < DTYPES; ++t) {
      copy_row *row = &rows[(*count)++];
      read_row(row, object);
      place(&row->pair.dst, dtypes[t][0], row->dst_base);
      place(&row->pair.src, dtypes[t][1], row->src_base);
      if (row->same_buffer && dtypes[t][0] != dtypes[t][1]) row->pair.dst.rank = 0;
    }
  }
  cJSON_Delete(file);
  return rows;
}

static void write_front(FILE *f) {
  int count;
  copy_row *rows = read_rows(&count);
  copy_pair *pairs = rows ? calloc((size_t)count, sizeof *pairs) : NULL;
  for (int k = 0; pairs && k < count; ++k) pairs[k] = rows[k].pair;
  if (pairs) copy_write_front(f, pairs, count, false);
  free(pairs);
  free(rows);
}

const case_file copy_file = {"copy.c", ts_embedded_conformance_copy, NULL, NULL, write_front};

/* ---- one case --------------------------------------------------------------------------------------------------- */

static uint64_t bits_of(ts_dtype dtype, int value) {
  return reference_encode(dtype, (reference_value){.what = NUMBER, .magnitude = (uint64_t)value}, SATURATE);
}

/* 0, 1, 2 … from the guard on. */
static void count_up(run *r, tested *t, ts_dtype dtype) {
  size_t bytes = ts_dtype_bytes(dtype);
  for (int k = 0; t->expected && GUARD + ((size_t)k + 1) * bytes <= COPY_MEMORY_BYTES - GUARD; ++k) {
    uint64_t bits = bits_of(dtype, k % 256);
    memcpy(t->expected + GUARD + (size_t)k * bytes, &bits, bytes);
  }
  if (t->buffer && t->expected)
    good(r, ts_buffer_write(r->suite->queue, t->buffer, 0, t->expected, COPY_MEMORY_BYTES, &r->error));
}

/* Launch a row's kernel by its group. */
static void copy(run *r, const row *row, const copy_pair *pair, const tested *dst, const tested *src, const tested *constants) {
  tested numbers = make(r, "numbers", TS_SPACE_global, COPY_NUMBERS * sizeof(int64_t));
  int64_t expected[COPY_NUMBERS];
  copy_numbers(expected, pair);
  if (numbers.expected) memcpy(numbers.expected, expected, sizeof expected);
  if (numbers.buffer) good(r, ts_buffer_write(r->suite->queue, numbers.buffer, 0, expected, sizeof expected, &r->error));
  set_buffer(r, "number_cells", &numbers);
  set_buffer(r, "dst_cells", dst);
  set_buffer(r, "src_cells", src);
  set_buffer(r, "constant_cells", constants);
  set_i32(r, "number", row->number);
  set_i32(r, "dst_space", (int)pair->dst.space);
  ts_grid grid;
  memcpy(grid.items, row->group, sizeof grid.items);
  memcpy(grid.group, row->group, sizeof grid.group);
  launch(r, grid);
  compare(r, &numbers);
}

static void check_copy(run *r, const row *row) {
  int count;
  copy_row *rows = read_rows(&count);
  if (!rows || row->number >= count) {
    verdict(r, TS_CASE_ERROR, "out of memory for the rows of layout_copy.json");
    free(rows);
    return;
  }
  const copy_row *copied = &rows[row->number];
  tested dst = make(r, "destination", TS_SPACE_global, COPY_MEMORY_BYTES);
  tested src = make(r, "source", TS_SPACE_global, COPY_MEMORY_BYTES);
  tested constants = make(r, "constants", TS_SPACE_constant, COPY_MEMORY_BYTES); /* that no row looks at */
  count_up(r, copied->same_buffer ? &dst : &src, copied->pair.src.dtype);
  size_t bytes = ts_dtype_bytes(copied->pair.dst.dtype);
  for (int k = 0; dst.expected && k < copied->count; ++k) {
    uint64_t bits = bits_of(copied->pair.dst.dtype, copied->expect[k] < 0 ? 0 : copied->expect[k]);
    if (copied->expect[k] >= 0) memcpy(dst.expected + GUARD + (size_t)k * bytes, &bits, bytes);
  }
  copy(r, row, &copied->pair, &dst, copied->same_buffer ? &dst : &src, &constants);
  compare(r, &dst);
  compare(r, &src);
  compare(r, &constants);
  free(rows);
}

/* ---- random pairs ----------------------------------------------------------------------------------------------- */

/* A few of those that tests/fuzz_copy.c tries, so that the suite knows of all spaces, ranks and promises. */
enum { RANDOM_PAIRS = 120 };

static void write_random_front(FILE *f) {
  copy_pair pairs[RANDOM_PAIRS];
  for (int k = 0; k < RANDOM_PAIRS; ++k) copy_random_pair(&pairs[k], 0, k);
  copy_write_front(f, pairs, RANDOM_PAIRS, false);
}

const case_file copy_random_file = {"copy_random.c", ts_embedded_conformance_copy, NULL, NULL, write_random_front};

static void check_random_copy(run *r, const row *row) {
  copy_pair pair;
  copy_random_pair(&pair, 0, row->number);
  tested dst = make(r, "destination", TS_SPACE_global, COPY_MEMORY_BYTES);
  tested src = make(r, "source", TS_SPACE_global, COPY_MEMORY_BYTES);
  tested constants = make(r, "constants", TS_SPACE_constant, COPY_MEMORY_BYTES);
  unsigned char *actual = malloc(COPY_MEMORY_BYTES);
  if (!actual) verdict(r, TS_CASE_ERROR, "out of memory for the bytes that came out");
  if (r->result->verdict == TS_CASE_PASSED) {
    copy_random_source(&pair, src.expected, &r->random);
    memcpy(constants.expected, src.expected, COPY_MEMORY_BYTES);
    good(r, ts_buffer_write(r->suite->queue, src.buffer, 0, src.expected, src.bytes, &r->error));
    good(r, ts_buffer_write(r->suite->queue, constants.buffer, 0, src.expected, src.bytes, &r->error));
    copy(r, row, &pair, &dst, &src, &constants);
    copy_by_reference(&pair, dst.expected, src.expected);
  }
  if (r->result->verdict == TS_CASE_PASSED &&
      good(r, ts_buffer_read(r->suite->queue, dst.buffer, 0, actual, COPY_MEMORY_BYTES, &r->error)))
    copy_expect_any_nan(&pair, dst.expected, actual);
  free(actual);
  compare(r, &dst);
  compare(r, &src);
  compare(r, &constants);
}

/* ---- the family ------------------------------------------------------------------------------------------------- */

/* The first is that of the copies by one item. */
static const struct {
  const char *name;
  size_t group[3];
} groups[] = {{"", {1}}, {".1", {1}}, {".7", {7}}, {".16", {16}}, {".3x2x2", {3, 2, 2}}};
enum { GROUPS = sizeof groups / sizeof *groups };

static void add_copies_of_table(rows *rows) {
  int count;
  copy_row *copies = read_rows(&count);
  if (!copies) rows->out_of_memory = true;
  for (int g = 0; g < GROUPS; ++g)
    for (int k = 0; copies && k < count; ++k) {
      if (!copies[k].pair.dst.rank) continue;
      row row = {.check = check_copy, .file = &copy_file, .number = k};
      copy_kernel_name(row.code, k, &copies[k].pair, g > 0);
      memcpy(row.group, groups[g].group, sizeof row.group);
      snprintf(row.id, sizeof row.id, "copy%s.%s.%s.%s%s", g ? "_by_group" : "", copies[k].name,
               ts_dtype_name(copies[k].pair.dst.dtype), ts_dtype_name(copies[k].pair.src.dtype), groups[g].name);
      add_row(rows, row);
    }
  free(copies);
}

/* Each by one item, and by a group of one of the sizes where no side is local. */
static void add_random_copies(rows *rows) {
  for (int k = 0; k < 2 * RANDOM_PAIRS; ++k) {
    copy_pair pair;
    bool is_by_group = k >= RANDOM_PAIRS;
    row row = {.check = check_random_copy, .file = &copy_random_file, .number = k % RANDOM_PAIRS};
    copy_random_pair(&pair, 0, row.number);
    if (is_by_group && !copy_is_shareable(&pair)) continue;
    int g = is_by_group ? 2 + k % (GROUPS - 2) : 0;
    memcpy(row.group, groups[g].group, sizeof row.group);
    row.needs_generic = pair.dst.space == TS_SPACE_generic || pair.src.space == TS_SPACE_generic;
    copy_kernel_name(row.code, row.number, &pair, is_by_group);
    snprintf(row.id, sizeof row.id, "copy_random%s.%d.%s.%s.%s.%s%s", is_by_group ? "_by_group" : "", row.number,
             ts_space_name(pair.dst.space), ts_space_name(pair.src.space), ts_dtype_name(pair.dst.dtype),
             ts_dtype_name(pair.src.dtype), groups[g].name);
    add_row(rows, row);
  }
}

void add_copy_cases(rows *rows) {
  add_copies_of_table(rows);
  add_random_copies(rows);
}
