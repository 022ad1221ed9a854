/* SPDX-License-Identifier: Apache-2.0
 *
 * group_cases.c: the cases of group.c: work-groups, arguments, memory that a kernel declares, limits of buffers.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cases.h"

extern const char ts_embedded_conformance_group[];
const case_file group_file = {"group.c", ts_embedded_conformance_group, NULL, NULL, NULL};

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

void add_group_cases(rows *rows) {
  static const size_t grids[][2][3] = {{{1, 1, 1}, {1, 1, 1}}, {{64, 1, 1}, {16, 1, 1}}, {{256, 1, 1}, {256, 1, 1}},
                                       {{8, 6, 1}, {4, 3, 1}}, {{1, 12, 1}, {1, 4, 1}},  {{4, 6, 10}, {2, 3, 5}},
                                       {{3, 1, 8}, {3, 1, 2}}};
  static const char *const barriers[][2] = {
      {"barrier.shared", "barrier_shared"}, {"barrier.dynamic", "barrier_dynamic"}, {"barrier.global", "barrier_global"}};
  static const size_t sizes[] = {1, 2, 3, 16, 64, 100, 128, 256};
  row one = {.file = &group_file, .size = {ITEMS, 1, 1}, .group = {ITEMS, 1, 1}};
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
