/* SPDX-License-Identifier: Apache-2.0
 *
 * copy_async_cases.c: the cases of copy_async.c: what is in shared memory after asynchronous copies, whole, by group sizes.
 */
#include <stdio.h>
#include <string.h>

#include "cases.h"

extern const char ts_embedded_conformance_copy_async[];
static const case_list lists[] = {{"COPY_ASYNC_CASES", "copy_async_", true}, {NULL, NULL, false}};
const case_file copy_async_file = {"copy_async.c", ts_embedded_conformance_copy_async, "COPY_T", lists, NULL};

/* The same numbers as in copy_async.c. Shared memory starts as 7 k + 3 at byte k. */
enum { HALF_BYTES = 5120, IMAGE_BYTES = 2 * HALF_BYTES, SOURCE_HALF_BYTES = 16384 };

typedef struct side {
  int shape[3], stride[3];
} side;

/* Two sides, and the promises in bytes that they are tried with, or-ed: 16 | 4 is two copies. Every dtype has those of every
 * width, f32 the others too; groups of all sizes, those that show what an item's share is. A CPU's driver compiles each anew.
 */
typedef struct pair {
  const char *name;
  side dst, src;
  int promises;
  bool is_f32_only, has_all_groups;
} pair;
/* clang-format off */
static const pair pairs[] = {
    {"packed",       {{1, 16, 30}, {0, 30, 1}},    {{1, 16, 30}, {0, 30, 1}},      1 | 4 | 16,  false, false},
    {"padded",       {{1, 8, 32}, {0, 48, 1}},     {{1, 8, 32}, {0, 80, 1}},       8 | 16,      false, true},
    {"tails",        {{1, 4, 77}, {0, 80, 1}},     {{1, 4, 77}, {0, 96, 1}},       2 | 16,      false, true},
    {"odd_rows",     {{1, 6, 33}, {0, 35, 1}},     {{1, 6, 33}, {0, 37, 1}},       16,          true,  false},
    {"column_major", {{1, 16, 12}, {0, 1, 16}},    {{1, 16, 12}, {0, 1, 32}},      4 | 16,      true,  false},
    {"reshape",      {{1, 12, 16}, {0, 32, 1}},    {{3, 2, 32}, {128, 64, 1}},     4 | 16,      true,  false},
    {"transpose",    {{1, 8, 24}, {0, 25, 1}},     {{1, 8, 24}, {0, 1, 8}},        16,          true,  true},
    {"every_other",  {{1, 8, 16}, {0, 16, 1}},     {{1, 8, 16}, {0, 64, 2}},       16,          true,  false},
    {"upside_down",  {{1, 4, 64}, {0, 64, 1}},     {{1, 4, 64}, {0, -128, 1}},     16,          true,  false},
    {"broadcast",    {{2, 4, 32}, {160, 32, 1}},   {{2, 4, 32}, {64, 0, 1}},       16,          true,  false},
    {"many_rows",    {{4, 20, 4}, {80, 4, 1}},     {{4, 20, 4}, {256, 8, 1}},      16,          true,  false},
    {"nothing",      {{1, 0, 8}, {0, 8, 1}},       {{1, 0, 8}, {0, 8, 1}},         16,          true,  false},
};
/* clang-format on */
static const size_t groups[][3] = {{64, 1, 1}, {1, 1, 1}, {7, 1, 1}, {16, 4, 1}};
static const ts_dtype dtypes[] = {TS_DTYPE_u8, TS_DTYPE_bf16, TS_DTYPE_f32, TS_DTYPE_i64};
enum { PAIRS = sizeof pairs / sizeof *pairs, GROUPS = sizeof groups / sizeof *groups, DTYPES = sizeof dtypes / sizeof *dtypes };

/* The offset of element i, and how far below element 0 the lowest is. */
static int offset_of(const side *side, int i) {
  int offset = 0;
  for (int d = 2; d >= 0; --d) {
    offset += i % side->shape[d] * side->stride[d];
    i /= side->shape[d];
  }
  return offset;
}
static int lowest_of(const side *side) {
  int lowest = 0;
  for (int d = 0; d < 3; ++d)
    if (side->stride[d] < 0) lowest += (side->shape[d] - 1) * side->stride[d];
  return lowest;
}

/* row->operation is the pair's number, row->width how many copies go by the event. */
static void check_copy(run *r, const row *row) {
  const pair *pair = &pairs[row->operation];
  int bytes = dtype_bytes(row->dtype), size = pair->dst.shape[0] * pair->dst.shape[1] * pair->dst.shape[2];
  /* Behind a multiple of 256, by the promise and no more. */
  int dst_byte = 256 + row->align_bytes, src_byte = GUARD + row->align_bytes - lowest_of(&pair->src) * bytes;
  tested source = make(r, "source", TS_SPACE_global, GUARD + 2 * SOURCE_HALF_BYTES + GUARD);
  tested target = make(r, "target", TS_SPACE_global, GUARD + IMAGE_BYTES + GUARD);
  if (source.expected && target.expected) {
    unsigned char *image = target.expected + GUARD;
    for (int k = 0; k < IMAGE_BYTES; ++k) image[k] = (unsigned char)(7 * k + 3);
    for (int copy = 0; copy < row->width; ++copy)
      for (int i = 0; i < size; ++i)
        memcpy(image + copy * HALF_BYTES + dst_byte + offset_of(&pair->dst, i) * bytes,
               source.expected + copy * SOURCE_HALF_BYTES + src_byte + offset_of(&pair->src, i) * bytes, (size_t)bytes);
  }
  set_buffer(r, "source_cells", &source);
  set_buffer(r, "target_cells", &target);
  set_i32(r, "copies", row->width);
  set_i32(r, "dst_byte", dst_byte);
  set_i32(r, "src_byte", src_byte);
  ts_grid grid = {{0}, {0}};
  memcpy(grid.items, row->group, sizeof grid.items);
  memcpy(grid.group, row->group, sizeof grid.group);
  launch(r, grid);
  compare(r, &source);
  compare(r, &target);
}

static void print_side(char *code, size_t bytes, const side *side, int promise) {
  size_t used = strlen(code);
  snprintf(code + used, bytes - used, ", %d,%d,%d, %d,%d,%d, %d", side->shape[0], side->shape[1], side->shape[2],
           side->stride[0], side->stride[1], side->stride[2], promise);
}

/* All rows of one static copy: the first writes it into the kernel, and all name it by its number. */
static void add_copy(rows *rows, ts_dtype dtype, int number, int p, int promise) {
  row base = {.check = check_copy,
              .file = &copy_async_file,
              .dtype = (int)dtype,
              .operation = p,
              .number = number,
              .align_bytes = promise};
  snprintf(base.code, sizeof base.code, "CASE(%d", number);
  print_side(base.code, sizeof base.code, &pairs[p].dst, promise);
  print_side(base.code, sizeof base.code, &pairs[p].src, promise);
  strcat(base.code, ")");
  int group_count = dtype == TS_DTYPE_f32 && pairs[p].has_all_groups ? GROUPS : 1;
  for (int g = 0; g < group_count; ++g)
    for (int copies = 1; copies <= 2; ++copies) {
      row row = base;
      memcpy(row.group, groups[g], sizeof row.group);
      row.width = copies;
      snprintf(row.id, sizeof row.id, "copy_async.%s.%s.align%d.by.%zux%zu%s", ts_dtype_name(dtype), pairs[p].name, promise,
               row.group[0], row.group[1], copies == 2 ? ".twice" : "");
      if (g > 0 || copies > 1) *row.code = '\0';
      add_row(rows, row);
    }
}

void add_copy_async_cases(rows *rows) {
  for (int t = 0; t < DTYPES; ++t) {
    int number = 0;
    for (int p = 0; p < PAIRS; ++p)
      for (int promise = 1; promise <= 16; promise *= 2)
        if (pairs[p].promises & promise && (dtypes[t] == TS_DTYPE_f32 || !pairs[p].is_f32_only))
          add_copy(rows, dtypes[t], number++, p, promise);
  }
}
