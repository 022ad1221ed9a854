/* SPDX-License-Identifier: Apache-2.0
 *
 * copy_tile_cases.c: the cases of copy_tile.c: copies through scratch, and of tiles that hang over an end.
 *
 *   copy_through.<tile>.<dst>.<src>.<group>
 *   copy_edge.<tile>.<dst>.<src>.<left>.<keep or fill>.<item, or group>      left: along each index of the tile
 *
 * The reference moves one element after the other. No side is aligned to more than what it promises.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "convert_reference.h"

enum { RANK = 4, VALUE_BYTES = 8 };

/* ---- tiles: a new one is a row here ----------------------------------------------------------------------------- */

typedef enum way { THROUGH, EDGE, EDGE_LOCAL, EDGE_SHARED } way;

typedef struct side {
  int rank, shape[RANK], stride[RANK];
  int align_bytes; /* promised */
} side;

static const struct tile {
  way way;
  const char *name;
  ts_dtype to, from;
  side dst, src;
  int via[RANK]; /* strides of the tile in between */
  bool all_groups;
} tiles[] = {
#define T(dtype) TS_DTYPE_##dtype
    /* A transpose: by size of an element; aligned and padded; with a stride that is negative. */
    {THROUGH, "transpose", T(u8), T(u8), {2, {24, 20}, {1, 24}, 8}, {2, {24, 20}, {20, 1}, 4}, {0}, true},
    {THROUGH, "transpose", T(u16), T(u16), {2, {24, 20}, {1, 24}, 2}, {2, {24, 20}, {20, 1}, 8}, {0}, true},
    {THROUGH, "transpose", T(f32), T(f32), {2, {24, 20}, {1, 24}, 4}, {2, {24, 20}, {20, 1}, 4}, {0}, true},
    {THROUGH, "transpose", T(i64), T(i64), {2, {24, 20}, {1, 24}, 8}, {2, {24, 20}, {20, 1}, 16}, {0}, true},
    {THROUGH, "padded", T(f32), T(f32), {2, {32, 32}, {1, 40}, 16}, {2, {32, 32}, {36, 1}, 16}, {0}, true},
    {THROUGH, "wide", T(f32), T(f32), {2, {32, 12}, {1, 64}, 64}, {2, {32, 12}, {16, 1}, 64}, {0}, true},
    {THROUGH, "tail", T(f32), T(f32), {2, {22, 20}, {1, 32}, 16}, {2, {22, 20}, {20, 1}, 4}, {0}, true},
    {THROUGH, "tail", T(u8), T(u8), {2, {39, 10}, {1, 48}, 16}, {2, {39, 10}, {10, 1}, 1}, {0}, false},
    {THROUGH, "odd", T(f32), T(f32), {2, {17, 13}, {1, 17}, 4}, {2, {17, 13}, {13, 1}, 4}, {0}, true},
    {THROUGH, "backwards", T(u16), T(u16), {2, {9, 16}, {-1, 9}, 2}, {2, {9, 16}, {16, -1}, 2}, {0}, false},
    /* The six permutations of three indices. */
    {THROUGH, "permute_012", T(u16), T(u16), {3, {6, 5, 8}, {40, 8, 1}, 16}, {3, {6, 5, 8}, {40, 8, 1}, 16}, {0}, false},
    {THROUGH, "permute_021", T(f32), T(f32), {3, {6, 5, 8}, {40, 1, 5}, 4}, {3, {6, 5, 8}, {40, 8, 1}, 16}, {0}, false},
    {THROUGH, "permute_102", T(u8), T(u8), {3, {6, 5, 8}, {8, 48, 1}, 8}, {3, {6, 5, 8}, {40, 8, 1}, 8}, {0}, false},
    {THROUGH, "permute_120", T(i64), T(i64), {3, {6, 5, 8}, {1, 48, 6}, 16}, {3, {6, 5, 8}, {40, 8, 1}, 16}, {0}, false},
    {THROUGH, "permute_201", T(u16), T(u16), {3, {6, 5, 8}, {5, 1, 30}, 2}, {3, {6, 5, 8}, {40, 8, 1}, 2}, {0}, false},
    {THROUGH, "permute_210", T(f32), T(f32), {3, {6, 5, 8}, {1, 6, 30}, 8}, {3, {6, 5, 8}, {40, 8, 1}, 4}, {0}, false},
    /* Shapes that differ: elements correspond in logical order. */
    {THROUGH, "reshape_2_2", T(f32), T(f32), {2, {12, 10}, {10, 1}, 8}, {2, {10, 12}, {1, 10}, 8}, {0}, false},
    {THROUGH, "reshape_3_2", T(u16), T(u16), {3, {4, 5, 6}, {30, 6, 1}, 4}, {2, {8, 15}, {1, 8}, 16}, {0}, false},
    {THROUGH, "reshape_2_4", T(u8), T(u8), {2, {30, 8}, {8, 1}, 8}, {4, {2, 3, 5, 8}, {3, 1, 48, 6}, 1}, {0}, false},
    {THROUGH, "convert", T(f32), T(f16), {2, {24, 20}, {1, 24}, 16}, {2, {24, 20}, {20, 1}, 8}, {0}, false},
    {THROUGH, "convert", T(i8), T(f32), {2, {16, 32}, {1, 16}, 16}, {2, {16, 32}, {32, 1}, 16}, {0}, false},
    {THROUGH, "convert", T(bf16), T(f64), {3, {6, 5, 8}, {1, 6, 30}, 4}, {3, {6, 5, 8}, {40, 8, 1}, 16}, {0}, false},
    {THROUGH, "convert", T(f16), T(u8), {2, {10, 12}, {1, 10}, 2}, {2, {10, 12}, {12, 1}, 4}, {0}, false},

    {EDGE, "run", T(u8), T(u8), {1, {37}, {1}, 16}, {1, {37}, {1}, 16}, {0}, false},
    {EDGE, "strided", T(f32), T(f32), {1, {11}, {2}, 8}, {1, {11}, {3}, 4}, {0}, false},
    {EDGE, "padded", T(f32), T(f32), {2, {9, 16}, {20, 1}, 16}, {2, {9, 16}, {24, 1}, 16}, {0}, false},
    {EDGE, "column_major", T(u16), T(u16), {2, {16, 9}, {1, 16}, 16}, {2, {16, 9}, {1, 24}, 8}, {0}, false},
    {EDGE, "transpose", T(f32), T(f16), {2, {12, 10}, {1, 12}, 4}, {2, {12, 10}, {10, 1}, 4}, {0}, false},
    {EDGE, "permute", T(i64), T(i64), {3, {4, 3, 5}, {1, 20, 4}, 8}, {3, {4, 3, 5}, {15, 5, 1}, 8}, {0}, false},
    {EDGE, "rows", T(u8), T(u8), {3, {3, 4, 32}, {128, 32, 1}, 16}, {3, {3, 4, 32}, {160, 40, 1}, 8}, {0}, false},
    {EDGE, "narrow", T(i8), T(f32), {4, {2, 3, 4, 8}, {96, 32, 8, 1}, 8}, {4, {2, 3, 4, 8}, {96, 32, 8, 1}, 16}, {0}, false},
    {EDGE, "backwards", T(f32), T(f32), {4, {3, 2, 5, 4}, {40, 20, -4, 1}, 4}, {4, {3, 2, 5, 4}, {1, 3, 6, 30}, 4}, {0}, false},
    {EDGE, "flat", T(u16), T(u16), {3, {4, 1, 6}, {6, 6, 1}, 2}, {3, {4, 1, 6}, {8, 1, 1}, 4}, {0}, false},
    {EDGE_LOCAL, "local", T(f32), T(i8), {2, {8, 16}, {24, 1}, 16}, {2, {8, 16}, {16, 1}, 16}, {16, 1}, false},
    {EDGE_LOCAL, "local", T(u16), T(u16), {1, {16}, {1}, 4}, {1, {16}, {1}, 16}, {1}, false},
    {EDGE_SHARED, "shared", T(f32), T(f16), {2, {8, 32}, {40, 1}, 16}, {2, {8, 32}, {32, 1}, 16}, {36, 1}, false},
    {EDGE_SHARED, "shared", T(u8), T(u8), {3, {4, 6, 8}, {48, 8, 1}, 1}, {3, {4, 6, 8}, {48, 8, 1}, 8}, {1, 4, 24}, false},
#undef T
};
enum { TILES = sizeof tiles / sizeof *tiles };

/* ---- the text in front of the kernels --------------------------------------------------------------------------- */

static void write_layout(FILE *f, const char *name, int number, const side *side, const int *stride) {
  fprintf(f, " TS_LAYOUT_%d(%s_%d", side->rank, name, number);
  for (int k = 0; k < side->rank; ++k) fprintf(f, ", %d", side->shape[k]);
  for (int k = 0; k < side->rank; ++k) fprintf(f, ", %d", stride[k]);
  fputs(")", f);
}

static void write_front(FILE *f) {
  static const char *const ways[] = {"THROUGH", "EDGE", "EDGE_LOCAL", "EDGE_SHARED"};
  fputs("#define TILE_LAYOUTS", f);
  for (int k = 0; k < TILES; ++k) {
    write_layout(f, "dst", k, &tiles[k].dst, tiles[k].dst.stride);
    write_layout(f, "src", k, &tiles[k].src, tiles[k].src.stride);
    if (tiles[k].via[0]) write_layout(f, "via", k, &tiles[k].dst, tiles[k].via);
  }
  fputs("\n#define TILE_KERNELS", f);
  for (int k = 0; k < TILES; ++k) {
    fprintf(f, " %s(%d", ways[tiles[k].way], k);
    if (tiles[k].way != THROUGH) fprintf(f, ", %d", tiles[k].dst.rank);
    fprintf(f, ", %s, %s, TS_ALIGN(%d), TS_ALIGN(%d))", ts_dtype_name(tiles[k].to), ts_dtype_name(tiles[k].from),
            tiles[k].dst.align_bytes, tiles[k].src.align_bytes);
  }
  fputc('\n', f);
}

extern const char ts_embedded_conformance_copy_tile[];
const case_file copy_tile_file = {"copy_tile.c", ts_embedded_conformance_copy_tile, NULL, NULL, write_front};

/* ---- one case --------------------------------------------------------------------------------------------------- */

/* The offset, in elements, of logical element i; its indices. */
static int offset_of(const side *side, int i, int index[RANK]) {
  int offset = 0;
  for (int k = side->rank - 1; k >= 0; --k) {
    index[k] = i % side->shape[k];
    i /= side->shape[k];
    offset += index[k] * side->stride[k];
  }
  return offset;
}
static int size_of(const side *side) {
  int size = 1;
  for (int k = 0; k < side->rank; ++k) size *= side->shape[k];
  return size;
}

/* Where element (0, 0 …) starts, behind a guard: at a multiple of what is promised, and not of twice as much. And the bytes of
 * the buffer, with a guard behind. */
static int start_of(const side *side, int element_bytes, size_t *bytes) {
  int lowest = 0, highest = 0;
  for (int k = 0; k < side->rank; ++k) {
    int reach = side->stride[k] * (side->shape[k] - 1);
    *(reach < 0 ? &lowest : &highest) += reach;
  }
  int align = side->align_bytes, start = (GUARD - lowest * element_bytes) / (2 * align) * (2 * align) + 3 * align;
  *bytes = (size_t)(start + (highest + 1) * element_bytes + GUARD);
  return start;
}

static uint64_t get(const unsigned char *bytes, ts_dtype dtype) {
  uint64_t bits = 0;
  memcpy(&bits, bytes, ts_dtype_bytes(dtype));
  return bits;
}

static void check_tile(run *r, const row *row) {
  const struct tile *tile = &tiles[row->number];
  const int to_bytes = (int)ts_dtype_bytes(tile->to), from_bytes = (int)ts_dtype_bytes(tile->from);
  size_t dst_bytes, src_bytes;
  int dst_start = start_of(&tile->dst, to_bytes, &dst_bytes), src_start = start_of(&tile->src, from_bytes, &src_bytes);
  tested dst = make(r, "destination", TS_SPACE_global, dst_bytes), src = make(r, "source", TS_SPACE_global, src_bytes);
  int index[RANK];
  for (int i = 0; dst.expected && src.expected && i < size_of(&tile->dst); ++i) {
    unsigned char *from = src.expected + src_start + offset_of(&tile->src, i, index) * from_bytes;
    unsigned char *to = dst.expected + dst_start + offset_of(&tile->dst, i, index) * to_bytes;
    bool inside = true;
    for (int k = 0; tile->way != THROUGH && k < tile->dst.rank; ++k) inside = inside && index[k] < row->left[k];
    /* Of the NaNs that a conversion may give, any is right: there is none. */
    if (tile->to != tile->from && reference_is_nan(tile->from, get(from, tile->from))) memset(from, 0, (size_t)from_bytes);
    uint64_t bits =
        inside ? reference_convert(tile->to, tile->from, get(from, tile->from), SATURATE) : get(src.expected, tile->to);
    if (inside || row->fills) memcpy(to, &bits, (size_t)to_bytes);
  }
  if (src.buffer && src.expected) good(r, ts_buffer_write(r->suite->queue, src.buffer, 0, src.expected, src.bytes, &r->error));
  set_buffer(r, "dst_cells", &dst);
  set_buffer(r, "src_cells", &src);
  set_i32(r, "dst_start", dst_start);
  set_i32(r, "src_start", src_start);
  if (tile->way != THROUGH) {
    static const char *const names[RANK] = {"left0", "left1", "left2", "left3"};
    for (int k = 0; k < RANK; ++k) set_i32(r, names[k], row->left[k]);
    set_i32(r, "by_group", row->by_group);
    set_i32(r, "fills", row->fills);
  }
  ts_grid grid;
  memcpy(grid.items, row->group, sizeof grid.items);
  memcpy(grid.group, row->group, sizeof grid.group);
  launch(r, grid);
  compare(r, &dst);
  compare(r, &src);
}

/* ---- the family ------------------------------------------------------------------------------------------------- */

static void add_tile(rows *rows, row row, const char *what, const char *more) {
  const struct tile *tile = &tiles[row.number];
  row.check = check_tile;
  row.file = &copy_tile_file;
  row.group[2] = 1;
  snprintf(row.code, sizeof row.code, "tile_%s%d", tile->way == EDGE_LOCAL ? "local_" : "", row.number);
  snprintf(row.id, sizeof row.id, "%s.%s.%s.%s%s", what, tile->name, ts_dtype_name(tile->to), ts_dtype_name(tile->from), more);
  add_row(rows, row);
}

/* What is left along index k, of `extent` elements: in pattern p, of PATTERNS. */
enum { PATTERNS = 12, PATTERNS_OF_RANK_1 = 6 };
static int left_of(int p, int k, int extent) {
  const int left[] = {-1, 0, 1, extent - 1, extent, extent + 3};
  if (p < 6) return left[(p + k) % 6];
  if (p < 10) return left[p - 4];                             /* alike along all */
  return p == 10 ? extent - k % 2 : extent - 1 + 4 * (k % 2); /* in turn */
}

void add_copy_tile_cases(rows *rows) {
  static const size_t through_groups[][2] = {{7, 1}, {16, 4}, {1, 1}, {64, 1}}, edge_groups[] = {7, 64};
  char more[64];
  for (int t = 0; t < TILES; ++t) {
    const struct tile *tile = &tiles[t];
    for (int g = 0; tile->way == THROUGH && g < (tile->all_groups ? 4 : 2); ++g) {
      const size_t *group = through_groups[g];
      snprintf(more, sizeof more, ".%zux%zu", group[0], group[1]);
      add_tile(rows, (row){.number = t, .group = {group[0], group[1]}}, "copy_through", more);
    }
    for (int p = 0; tile->way != THROUGH && p < (tile->dst.rank == 1 ? PATTERNS_OF_RANK_1 : PATTERNS); ++p)
      for (int by = tile->way == EDGE_SHARED ? 1 : 0; by < (tile->way == EDGE_LOCAL ? 1 : 3); ++by)
        for (int fills = 0; fills < 2; ++fills) {
          row row = {.number = t, .group = {by ? edge_groups[by - 1] : 7, 1}, .by_group = by > 0, .fills = fills};
          int length = 0;
          for (int k = 0; k < tile->dst.rank; ++k) {
            row.left[k] = left_of(p, k, tile->dst.shape[k]);
            length += snprintf(more + length, sizeof more - (size_t)length, "%c%s%d", k ? 'x' : '.',
                               row.left[k] < 0 ? "minus" : "", abs(row.left[k]));
          }
          snprintf(more + length, sizeof more - (size_t)length, ".%s.", fills ? "fill" : "keep");
          if (!by) strcat(more, "item");
          if (by) snprintf(more + strlen(more), sizeof more - strlen(more), "%zu", row.group[0]);
          add_tile(rows, row, "copy_edge", more);
        }
  }
}
