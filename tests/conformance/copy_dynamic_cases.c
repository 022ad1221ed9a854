/* SPDX-License-Identifier: Apache-2.0
 *
 * copy_dynamic_cases.c: the cases of copy_dynamic.c.
 *
 *   copy_dynamic.<way>.<src>.<dst>x<width>.<n>     random layouts; both sides promise the alignment of `width` elements
 *   copy_dynamic_case.<way>.<name>                 the valid cases of layout_copy.json, with a promise where it can be kept
 *
 * ways: alone, one work-item; group; constant, a group from constant memory; shared and local, by way of a tile.
 */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "convert_reference.h"
#include "layout_reference.h"

extern const char ts_embedded_conformance_copy_dynamic[];
extern const char ts_embedded_layout_copy_json[];

enum way { ALONE, GROUP, CONSTANT, SHARED, LOCAL, WAY_COUNT };
static const char *const way_names[] = {"alone", "group", "constant", "shared", "local"};
/* clang-format off */
static const case_list lists[] = {
  [ALONE]    = {"ALONE_COPIES",    "dynamic_alone", false},
  [GROUP]    = {"GROUP_COPIES",    "dynamic_group", false},
  [CONSTANT] = {"CONSTANT_COPIES", "dynamic_constant", false},
  [SHARED]   = {"SHARED_COPIES",   "dynamic_shared", false},
  [LOCAL]    = {"LOCAL_COPIES",    "dynamic_local", false},
  {NULL, NULL, false}};
/* clang-format on */
const case_file copy_dynamic_file = {"copy_dynamic.c", ts_embedded_conformance_copy_dynamic, NULL, lists, NULL};

enum { CASES_OF_EACH = 6, BEHIND = 24 }; /* elements behind the last of a layout */

/* One side of a copy: its layout, and the element of the payload that is its element 0. */
typedef struct side {
  ts_layout layout;
  integer base;
  size_t elements, element_bytes; /* of the payload; of an element */
} side;

static uint64_t get(const tested *t, const side *s, integer element) {
  uint64_t bits = 0; /* devices are little-endian, as the host */
  memcpy(&bits, t->expected + GUARD + (size_t)element * s->element_bytes, s->element_bytes);
  return bits;
}
static void put(tested *t, const side *s, integer element, uint64_t bits) {
  memcpy(t->expected + GUARD + (size_t)element * s->element_bytes, &bits, s->element_bytes);
}

/* Write what is expected in the buffer so far: what it holds before the kernel runs. */
static void write(run *r, const tested *t) {
  if (t->buffer && t->expected) good(r, ts_buffer_write(r->suite->queue, t->buffer, 0, t->expected, t->bytes, &r->error));
}

static tested make_side(run *r, const char *name, ts_space space, const side *s) {
  return make(r, name, space, GUARD + s->elements * s->element_bytes + GUARD);
}

/* Give the numbers and the group, launch. */
static void launch_copy(run *r, const row *row, const side *dst, const side *src) {
  tested numbers = make(r, "numbers", TS_SPACE_global, 2 * sizeof(ts_layout) + 16);
  if (numbers.expected) {
    memcpy(numbers.expected, &dst->layout, sizeof(ts_layout));
    memcpy(numbers.expected + sizeof(ts_layout), &src->layout, sizeof(ts_layout));
    memcpy(numbers.expected + 2 * sizeof(ts_layout), &dst->base, 8);
    memcpy(numbers.expected + 2 * sizeof(ts_layout) + 8, &src->base, 8);
    write(r, &numbers);
  }
  set_buffer(r, "number_cells", &numbers);
  set_i32(r, "number", row->number);
  ts_grid grid;
  memcpy(grid.items, row->group, sizeof grid.items);
  memcpy(grid.group, row->group, sizeof grid.group);
  launch(r, grid);
  compare(r, &numbers);
}

/* ---- random layouts ----------------------------------------------------------------------------------------------- */

/* A base that is a multiple of `step` and leaves room for the lowest element, and room behind the highest. */
static void place(side *s, const offsets *o, int step, uint64_t *random) {
  integer lowest = -reference_lowest(o);
  s->base = ((lowest + step - 1) / step + reference_random_below(random, 3)) * step;
  s->elements = (size_t)(s->base - lowest + reference_cosize(o) + BEHIND);
}

static void check_random(run *r, const row *row) {
  static const integer counts[] = {1, 6, 16, 17, 60, 64, 96, 120, 128, 240, 256, 360};
  ts_dtype from = (ts_dtype)row->operation, to = (ts_dtype)row->to_dtype;
  integer shape[8], count = counts[reference_random_below(&r->random, sizeof counts / sizeof *counts)];
  if (reference_random_below(&r->random, 16) == 0) count = 0;
  side dst = {.element_bytes = ts_dtype_bytes(to)}, src = {.element_bytes = ts_dtype_bytes(from)};
  int rank = reference_random_shape(&r->random, count, shape);
  dst.layout = reference_random_strides(&r->random, rank, shape, true);
  if (reference_random_below(&r->random, 2)) rank = reference_random_shape(&r->random, count, shape);
  src.layout = reference_random_strides(&r->random, rank, shape, reference_random_below(&r->random, 3));
  offsets d, s;
  reference_offsets(&d, &dst.layout);
  reference_offsets(&s, &src.layout);
  place(&dst, &d, row->width, &r->random);
  place(&src, &s, row->width, &r->random);
  tested source = make_side(r, "source", row->list == CONSTANT ? TS_SPACE_constant : TS_SPACE_global, &src);
  tested target = make_side(r, "target", TS_SPACE_global, &dst);
  if (source.expected && target.expected) {
    /* NaN has many right results: no NaN. */
    for (size_t k = 0; k < src.elements; ++k)
      if (reference_is_floating(from) && reference_is_nan(from, get(&source, &src, (integer)k)))
        put(&source, &src, (integer)k, 0);
    write(r, &source);
    for (int k = 0; k < d.count; ++k)
      put(&target, &dst, dst.base + d.at[k], reference_convert(to, from, get(&source, &src, src.base + s.at[k]), SATURATE));
  }
  set_buffer(r, "source_cells", &source);
  set_buffer(r, "target_cells", &target);
  launch_copy(r, row, &dst, &src);
  compare(r, &target);
  compare(r, &source);
}

/* ---- layout_copy.json --------------------------------------------------------------------------------------------- */

static integer number_of(const cJSON *object, const char *name) {
  return (integer)cJSON_GetNumberValue(cJSON_GetObjectItem(object, name));
}
static side side_of(const cJSON *copy, const char *name) {
  const cJSON *object = cJSON_GetObjectItem(copy, name), *at;
  side s = {.base = number_of(object, "base"), .elements = (size_t)number_of(object, "elements"), .element_bytes = 4};
  cJSON_ArrayForEach(at, cJSON_GetObjectItem(object, "shape")) s.layout.shape[s.layout.rank++] = (integer)at->valuedouble;
  int d = 0;
  cJSON_ArrayForEach(at, cJSON_GetObjectItem(object, "stride")) s.layout.stride[d++] = (integer)at->valuedouble;
  return s;
}

/* The case row->size[0] of the file, on i32: a source holds the numbers of its elements, a target -1 where nothing was copied
 * to. In one buffer that is both, each element is its number until it is copied to. */
static void check_json(run *r, const row *row) {
  cJSON *file = cJSON_Parse(ts_embedded_layout_copy_json);
  const cJSON *copy = cJSON_GetArrayItem(file, (int)row->size[0]), *at;
  if (!copy) {
    verdict(r, TS_CASE_ERROR, "layout_copy.json could not be read");
    cJSON_Delete(file);
    return;
  }
  side dst = side_of(copy, "dst"), src = side_of(copy, "src");
  bool is_one = cJSON_IsTrue(cJSON_GetObjectItem(copy, "same_buffer"));
  tested source = make_side(r, "source", TS_SPACE_global, &src), target = make_side(r, "target", TS_SPACE_global, &dst);
  if (source.expected && target.expected) {
    for (size_t k = 0; k < src.elements; ++k) put(&source, &src, (integer)k, k);
    for (size_t k = 0; k < dst.elements; ++k) put(&target, &dst, (integer)k, is_one ? k : UINT64_MAX);
    write(r, &source);
    write(r, &target);
    integer k = 0;
    cJSON_ArrayForEach(at, cJSON_GetObjectItem(copy, "expect")) put(&target, &dst, k++, (uint64_t)(int64_t)at->valuedouble);
    if ((size_t)k != dst.elements) verdict(r, TS_CASE_ERROR, "layout_copy.json expects %lld elements of %zu", k, dst.elements);
  }
  set_buffer(r, "source_cells", is_one ? &target : &source);
  set_buffer(r, "target_cells", &target);
  launch_copy(r, row, &dst, &src);
  compare(r, &target);
  compare(r, &source);
  cJSON_Delete(file);
}

/* ---- the family ------------------------------------------------------------------------------------------------- */

/* Sizes of groups, in turn: one that divides no row, and one of three dimensions. Few, since a driver may compile each kernel
 * once for each. */
static void choose_group(row *row, int k) {
  static const size_t groups[][3] = {{7, 1, 1}, {4, 3, 2}};
  memcpy(row->group, groups[row->list == GROUP ? k % 2 : 0], sizeof row->group);
}

static void describe_promise(char text[32], int dtype, int width) {
  strcpy(text, "0");
  if (width > 1) snprintf(text, 32, "TS_ALIGN(%d)", width * dtype_bytes(dtype));
}

/* The row of a copy, with its line of the lists. */
static row row_of(enum way way, int number, int src, int dst, int width) {
  char dst_flags[32], src_flags[32];
  row row = {.check = check_random,
             .file = &copy_dynamic_file,
             .list = (int)way,
             .number = number,
             .operation = src,
             .to_dtype = dst,
             .width = width};
  describe_promise(dst_flags, dst, width);
  describe_promise(src_flags, src, width);
  snprintf(row.code, sizeof row.code, "COPY(%d, %s, %s, %s, %s)", number, ts_dtype_name((ts_dtype)dst), dst_flags,
           ts_dtype_name((ts_dtype)src), src_flags);
  return row;
}

static void add_random_cases(rows *rows, enum way way, int number, int src, int dst, int width) {
  row row = row_of(way, number, src, dst, width);
  for (int k = 0; k < CASES_OF_EACH; ++k) {
    choose_group(&row, number + k);
    snprintf(row.id, sizeof row.id, "copy_dynamic.%s.%s.%sx%d.%d", way_names[way], ts_dtype_name((ts_dtype)src),
             ts_dtype_name((ts_dtype)dst), width, k);
    add_row(rows, row);
    row.code[0] = 0; /* the copy is in the list once */
  }
}

/* The valid cases of the file by the copies `plain` and `promised`, of widths 1 and 4. */
static void add_json_cases(rows *rows, enum way way, int plain) {
  cJSON *file = cJSON_Parse(ts_embedded_layout_copy_json);
  const cJSON *copy;
  size_t index = 0;
  bool is_listed[2] = {false, false};
  if (!file) rows->out_of_memory = true;
  cJSON_ArrayForEach(copy, file) {
    size_t own = index++;
    if (!cJSON_GetObjectItem(copy, "expect")) continue;
    bool is_promised = side_of(copy, "dst").base % 4 == 0 && side_of(copy, "src").base % 4 == 0;
    row row = row_of(way, plain + is_promised, TS_DTYPE_i32, TS_DTYPE_i32, is_promised ? 4 : 1);
    if (is_listed[is_promised]) row.code[0] = 0;
    is_listed[is_promised] = true;
    row.check = check_json;
    row.size[0] = own;
    choose_group(&row, (int)own);
    snprintf(row.id, sizeof row.id, "copy_dynamic_case.%s.%s", way_names[way],
             cJSON_GetStringValue(cJSON_GetObjectItem(copy, "name")));
    add_row(rows, row);
  }
  cJSON_Delete(file);
}

void add_copy_dynamic_cases(rows *rows) {
  /* Of every width; each dtype on both sides. */
  static const struct {
    int src, dst, width;
  } pairs[] = {{TS_DTYPE_f16, TS_DTYPE_f32, 8},      {TS_DTYPE_f32, TS_DTYPE_bf16, 4},     {TS_DTYPE_i64, TS_DTYPE_u8, 2},
               {TS_DTYPE_f32, TS_DTYPE_i8, 16},      {TS_DTYPE_f16, TS_DTYPE_f16, 8},      {TS_DTYPE_i32, TS_DTYPE_f64, 2},
               {TS_DTYPE_u16, TS_DTYPE_b8, 4},       {TS_DTYPE_f32, TS_DTYPE_f8e4m3fn, 4}, {TS_DTYPE_f8e5m2, TS_DTYPE_f32, 16},
               {TS_DTYPE_f64, TS_DTYPE_i64, 1},      {TS_DTYPE_u32, TS_DTYPE_u32, 4},      {TS_DTYPE_b8, TS_DTYPE_i16, 1},
               {TS_DTYPE_bf16, TS_DTYPE_f16, 8},     {TS_DTYPE_u8, TS_DTYPE_u64, 2},       {TS_DTYPE_i16, TS_DTYPE_u16, 16},
               {TS_DTYPE_f8e4m3fn, TS_DTYPE_f64, 1}, {TS_DTYPE_u64, TS_DTYPE_i32, 4},      {TS_DTYPE_i8, TS_DTYPE_f8e5m2, 16}};
  int count = sizeof pairs / sizeof *pairs;
  for (int k = 0; k < count; ++k) add_random_cases(rows, GROUP, k, pairs[k].src, pairs[k].dst, pairs[k].width);
  add_json_cases(rows, GROUP, count);
  /* The other ways differ in what surrounds the same loop: a few dtypes. */
  for (int way = 0; way < WAY_COUNT; ++way)
    for (int k = 0; k < 3 && way != GROUP; ++k)
      add_random_cases(rows, (enum way)way, k, pairs[k].src, pairs[k].dst, pairs[k].width);
  add_json_cases(rows, ALONE, 3);
}
