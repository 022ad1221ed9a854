/* SPDX-License-Identifier: Apache-2.0
 *
 * storage_cases.c: the cases of storage.c: the laws of a storage, and copies between storages.
 *
 * The reference knows of a storage where its element i lies, and nothing else. Right values are made from that, so a law that
 * holds of wrong values is no pass.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cases.h"

/* The same numbers as in storage.c. */
enum { IMAGE_BYTES = 4096, RESULT_BYTES = 6144, PLACES = 16 };

enum list { LAW, LAW_GENERIC, LIST_COUNT };
static const case_list lists[LIST_COUNT + 1] = {
    [LAW] = {"LAW_CASES", "law", false}, [LAW_GENERIC] = {"LAW_GENERIC_CASES", "law", false}};

typedef enum operation { LOAD, STORE, DISTANCE, NAME, COPY } operation;

/* ---- storages ------------------------------------------------------------------------------------------------------ */

/* Where element i of a tile or row lies, in elements of the image, of which there are `count`. */
static int straight(int i, int count) { return count ? i : 0; }
static int from_the_end(int i, int count) { return count - 1 - i; }
static int behind_4(int i, int count) { return count ? 4 + i : 0; }
static int behind_6(int i, int count) { return count ? 6 + i : 0; }
static int by_rows_xor(int i, int count) {
  int row = i / 32, column = i % 32;
  return count ? 32 * row + (column ^ row) : 0;
}

typedef struct storage {
  const char *name;   /* as in an id */
  const char *code;   /* as in a kernel: its policy */
  const char *offset; /* the policy of its offsets */
  ts_space image;
  int (*place)(int i, int count);
  bool is_const, is_generic, is_f32; /* is_f32: of that dtype alone */
  bool is_scaled;                    /* an element is an i8, in steps of 0.25 */
  int element_size;
  bool needs_multiples; /* an access of W elements starts at a multiple of W, and of element_size */
} storage;

/* A generic handle points into shared memory, a constant one into local memory. */
static const storage storages[] = {
#define TABLE_ROW(P, S, M, A, B, C)                                                                                            \
  {.name = &#P[3], .code = #P, .offset = #P, .image = TS_SPACE_##S, .place = straight, .is_const = IS_##M, .element_size = 1},
#define IS_CONST true
#define IS_MUTABLE false
    TS_POLICIES_NAMED(TABLE_ROW, , , ) /* clang-format off */
    {"generic", "ts_generic", "ts_generic", TS_SPACE_shared, straight, .is_generic = true, .element_size = 1},
    {"generic_const", "ts_generic_const", "ts_generic_const", TS_SPACE_local, straight, .is_const = true, .is_generic = true, .element_size = 1},
    {"reversed", "reversed", "reversed", TS_SPACE_global, from_the_end, .element_size = 1},
    {"fours", "fours", "fours", TS_SPACE_global, straight, .is_f32 = true, .element_size = 4, .needs_multiples = true},
    {"shared_fours", "shared_fours", "shared_fours", TS_SPACE_shared, straight, .is_f32 = true, .element_size = 4, .needs_multiples = true},
    {"after_4", "after_4", "ts_global", TS_SPACE_global, behind_4, .is_f32 = true, .element_size = 1, .needs_multiples = true},
    {"after_6", "after_6", "ts_global_const", TS_SPACE_global, behind_6, .is_const = true, .is_f32 = true, .element_size = 1, .needs_multiples = true},
    {"swizzled", "swizzled", "swizzled", TS_SPACE_shared, by_rows_xor, .is_f32 = true, .element_size = 1},
    {"scaled", "scaled", "scaled", TS_SPACE_global, straight, .is_f32 = true, .is_scaled = true, .element_size = 1},
                                       /* clang-format on */
};
enum { STORAGE_COUNT = sizeof storages / sizeof *storages };

/* ---- the reference -------------------------------------------------------------------------------------------------- */

/* The buffers of a case. What must come out is written into them. */
typedef struct buffers {
  tested source, constants, values, target;
} buffers;

static unsigned char *image_of(buffers *b, const storage *s) {
  switch (s->image) {
  case TS_SPACE_constant: return b->constants.expected + GUARD;
  case TS_SPACE_shared: return b->target.expected + GUARD + RESULT_BYTES;
  case TS_SPACE_local: return b->target.expected + GUARD + RESULT_BYTES + IMAGE_BYTES;
  default: return b->source.expected + GUARD;
  }
}

/* The bytes of element i of the storage; and the same given to it. */
static void get(buffers *b, const storage *s, int bytes, int i, unsigned char *element) {
  unsigned char *at = image_of(b, s) + (s->is_scaled ? 1 : bytes) * s->place(i, IMAGE_BYTES / bytes);
  float value = 0.25f * (float)(signed char)*at;
  memcpy(element, s->is_scaled ? (void *)&value : at, (size_t)bytes);
}
static void put(buffers *b, const storage *s, int bytes, int i, const unsigned char *element) {
  unsigned char *at = image_of(b, s) + (s->is_scaled ? 1 : bytes) * s->place(i, IMAGE_BYTES / bytes);
  if (!s->is_scaled) {
    memcpy(at, element, (size_t)bytes);
    return;
  }
  float value;
  memcpy(&value, element, sizeof value);
  double steps = rint((double)value / 0.25); /* of two nearest integers the even one */
  *at = (unsigned char)(int)(isnan(steps) ? 0 : steps < -128 ? -128 : steps > 127 ? 127 : steps);
}

/* As in storage.c. */
static int unit_of(const row *row) {
  const storage *s = &storages[row->policy];
  return !s->needs_multiples ? 1 : row->width > s->element_size ? row->width : s->element_size;
}
static int index_of(const row *row, int k) { return unit_of(row) * (11 * k % 30); }

static void expect_loads(const row *row, buffers *b) {
  int bytes = dtype_bytes(row->dtype), width = row->width;
  unsigned char *result = b->target.expected + GUARD;
  for (int k = 0; k < PLACES; ++k)
    for (int time = 0; time < 3; ++time)
      for (int j = 0; j < width; ++j, result += bytes) get(b, &storages[row->policy], bytes, index_of(row, k) + j, result);
}

static void expect_stores(const row *row, buffers *b) {
  int bytes = dtype_bytes(row->dtype), width = row->width;
  const storage *s = &storages[row->policy];
  unsigned char *result = b->target.expected + GUARD;
  for (int k = 0; k < PLACES; ++k) {
    for (int j = 0; j < width; ++j)
      put(b, s, bytes, index_of(row, k) + j, b->values.expected + GUARD + (k * width + j) * bytes);
    for (int j = 0; j < width; ++j, result += bytes) get(b, s, bytes, index_of(row, k) + j, result);
  }
}

static void expect_distances(const row *row, buffers *b) {
  for (int k = 0; k < PLACES; ++k) {
    int64_t distance = unit_of(row) * (37 * k - 250);
    memcpy(b->target.expected + GUARD + 8 * k, &distance, 8);
  }
}

static void expect_name(const row *row, buffers *b) {
  char name[60];
  int length = snprintf(name, sizeof name, "%s_%s", storages[row->policy].code, ts_dtype_name((ts_dtype)row->dtype));
  memcpy(b->target.expected + GUARD, name, (size_t)length);
  b->target.expected[GUARD + 60] = (unsigned char)storages[row->policy].element_size;
}

/* ---- copies --------------------------------------------------------------------------------------------------------- */

/* A layout of rank 2, in logical elements; strides in scalars. */
typedef struct layout {
  int extent[2], stride[2];
} layout;
static const layout rows_layout = {{16, 32}, {32, 1}}, columns_layout = {{16, 32}, {1, 16}};
static const layout part_of_rows_layout = {{11, 23}, {32, 1}}, part_of_columns_layout = {{11, 23}, {1, 16}};
static const layout quads_layout = {{8, 16}, {64, 4}}, quads_turned_layout = {{8, 16}, {4, 32}};

/* As in storage.c. */
static const struct {
  const char *name, *to, *from;
  const layout *to_layout, *from_layout;
} copies[] = {
    {"swizzled_of_global", "swizzled", "ts_global", &columns_layout, &rows_layout},
    {"global_of_swizzled", "ts_global", "swizzled", &rows_layout, &columns_layout},
    {"local_of_swizzled", "ts_local", "swizzled", &rows_layout, &rows_layout},
    {"after_4_of_shared", "after_4", "ts_shared", &rows_layout, &rows_layout},
    {"shared_of_after_6", "ts_shared", "after_6", &columns_layout, &rows_layout},
    {"scaled_of_shared", "scaled", "ts_shared", &columns_layout, &rows_layout},
    {"local_of_scaled", "ts_local", "scaled", &rows_layout, &rows_layout},
    {"fours_of_shared", "fours", "shared_fours", &quads_turned_layout, &quads_layout},
    {"shared_of_fours", "shared_fours", "fours", &quads_layout, &quads_layout},
    {"reversed_of_shared", "reversed", "ts_shared", &rows_layout, &columns_layout},
    {"scaled_of_swizzled", "scaled", "swizzled", &rows_layout, &columns_layout},
    {"part_of_swizzled", "swizzled", "ts_global", &part_of_columns_layout, &part_of_rows_layout},
    {"local_of_part", "ts_local", "scaled", &part_of_rows_layout, &part_of_rows_layout},
};
enum { COPY_COUNT = sizeof copies / sizeof *copies };

static const storage *storage_named(const char *code) {
  int s = 0;
  while (strcmp(storages[s].code, code)) ++s;
  return &storages[s];
}

static void expect_copy(const row *row, buffers *b) {
  const storage *to = storage_named(copies[row->policy].to), *from = storage_named(copies[row->policy].from);
  const layout *t = copies[row->policy].to_layout, *f = copies[row->policy].from_layout;
  for (int x = 0; x < t->extent[0]; ++x)
    for (int y = 0; y < t->extent[1]; ++y)
      for (int j = 0; j < to->element_size; ++j) {
        unsigned char element[4];
        get(b, from, 4, x * f->stride[0] + y * f->stride[1] + j, element);
        put(b, to, 4, x * t->stride[0] + y * t->stride[1] + j, element);
      }
}

/* ---- a case --------------------------------------------------------------------------------------------------------- */

/* f32 to be kept in steps of 0.25: all that a step can be, halves of a step between, and what is far out of range or no number.
 */
static void fill_with_steps(tested *t) {
  static const float special[] = {NAN, INFINITY, -INFINITY, 1e30f, -1e30f, 0.125f, -0.125f, 31.875f, -32.125f};
  enum { SPECIAL_COUNT = sizeof special / sizeof *special };
  for (size_t k = 0; k < IMAGE_BYTES / 4; ++k) {
    float value = k < SPECIAL_COUNT ? special[k] : (float)((int)(k * 389 % 1201) - 600) / 16;
    memcpy(t->expected + GUARD + 4 * k, &value, 4);
  }
}

static void check_law(run *r, const row *row) {
  buffers b = {.source = make(r, "source", TS_SPACE_global, GUARD + IMAGE_BYTES + GUARD),
               .constants = make(r, "constants", TS_SPACE_constant, GUARD + IMAGE_BYTES),
               .values = make(r, "values", TS_SPACE_global, GUARD + IMAGE_BYTES + GUARD),
               .target = make(r, "target", TS_SPACE_global, GUARD + RESULT_BYTES + 2 * IMAGE_BYTES + GUARD)};
  bool is_scaled = row->operation == COPY ? !strcmp(copies[row->policy].to, "scaled") : storages[row->policy].is_scaled;
  if (b.source.expected && b.constants.expected && b.values.expected && b.target.expected) {
    if (is_scaled) {
      fill_with_steps(&b.values);
      if (b.values.buffer)
        good(r, ts_buffer_write(r->suite->queue, b.values.buffer, 0, b.values.expected, b.values.bytes, &r->error));
    }
    unsigned char *images = b.target.expected + GUARD + RESULT_BYTES;
    memcpy(images, b.values.expected + GUARD, IMAGE_BYTES);
    memcpy(images + IMAGE_BYTES, b.values.expected + GUARD, IMAGE_BYTES);
    switch ((operation)row->operation) {
    case LOAD: expect_loads(row, &b); break;
    case STORE: expect_stores(row, &b); break;
    case DISTANCE: expect_distances(row, &b); break;
    case NAME: expect_name(row, &b); break;
    case COPY: expect_copy(row, &b); break;
    }
  }
  set_buffer(r, "source_cells", &b.source);
  set_buffer(r, "constant_cells", &b.constants);
  set_buffer(r, "values_cells", &b.values);
  set_buffer(r, "target_cells", &b.target);
  set_i32(r, "number", row->number);
  set_i32(r, "places", PLACES);
  set_i32(r, "unit", row->operation == COPY ? 1 : unit_of(row));
  launch(r, (ts_grid){{1}, {1}});
  compare(r, &b.target);
  compare(r, &b.values);
  compare(r, &b.constants);
  compare(r, &b.source);
}

/* ---- the family ------------------------------------------------------------------------------------------------------- */

extern const char ts_embedded_storage_vectorised[], ts_embedded_storage_static_offset[], ts_embedded_storage_swizzled[],
    ts_embedded_storage_scaled[], ts_embedded_conformance_storage[];
static void write_storages(FILE *f) {
  static const char *const headers[] = {ts_embedded_storage_vectorised, ts_embedded_storage_static_offset,
                                        ts_embedded_storage_swizzled, ts_embedded_storage_scaled};
  for (size_t i = 0; i < sizeof headers / sizeof *headers; ++i) fputs(headers[i], f);
}
const case_file storage_file = {"storage.c", ts_embedded_conformance_storage, "DTYPE", lists, write_storages};

static void add_law(rows *rows, row row, const char *operation, const char *macro, int width, int *number) {
  const storage *s = &storages[row.policy];
  row.number = (*number)++;
  row.width = width ? width : 1;
  char x[16] = "", offset[64] = "";
  if (width) {
    snprintf(x, sizeof x, "x%d", width);
    snprintf(offset, sizeof offset, ", %s, %d", s->offset, width);
  }
  snprintf(row.id, sizeof row.id, "storage_%s.%s%s.%s", operation, ts_dtype_name((ts_dtype)row.dtype), x, s->name);
  snprintf(row.code, sizeof row.code, "%s(%d, %s%s)", macro, row.number, s->code, offset);
  add_row(rows, row);
}

/* What dtype.c's cases do at all widths of the policies of the table is done here at two of them. */
void add_storage_cases(rows *rows) {
  for (int dtype = 0; dtype < TS_DTYPE_COUNT; ++dtype) {
    int number = 0;
    row row = {.file = &storage_file, .check = check_law, .dtype = dtype};
    for (row.policy = 0; row.policy < STORAGE_COUNT; ++row.policy) {
      const storage *s = &storages[row.policy];
      if (s->is_f32 && dtype != TS_DTYPE_f32) continue;
      bool is_of_table = !strncmp(s->code, "ts_", 3);
      row.list = s->is_generic ? LAW_GENERIC : LAW;
      row.needs_generic = s->is_generic;
      for (int width = 1; width <= 16; width *= is_of_table ? 4 : 2) {
        if (is_of_table && width == 16) continue;
        row.operation = LOAD;
        add_law(rows, row, "load", "LOAD", width, &number);
        row.operation = STORE;
        if (!s->is_const) add_law(rows, row, "store", "STORE", width, &number);
      }
      row.operation = DISTANCE;
      add_law(rows, row, "distance", "DISTANCE", 0, &number);
      row.operation = NAME;
      add_law(rows, row, "name", "NAME", 0, &number);
    }
    row.operation = COPY;
    row.list = LAW;
    row.needs_generic = false;
    for (row.policy = 0; dtype == TS_DTYPE_f32 && row.policy < COPY_COUNT; ++row.policy) {
      row.number = number++;
      snprintf(row.id, sizeof row.id, "storage_copy.f32.%s", copies[row.policy].name);
      snprintf(row.code, sizeof row.code, "COPY(%d, %s, %s, %s)", row.number, copies[row.policy].to, copies[row.policy].from,
               copies[row.policy].name);
      add_row(rows, row);
    }
  }
}
