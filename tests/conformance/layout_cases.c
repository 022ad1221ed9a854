/* SPDX-License-Identifier: Apache-2.0
 *
 * layout_cases.c: the cases of layout.c: layout.<operation>.<n>, each on a random layout of its own.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "layout_reference.h"

extern const char ts_embedded_conformance_layout[];
const case_file layout_file = {"layout.c", ts_embedded_conformance_layout, NULL, NULL, NULL};

enum { CASES_OF_EACH = 24, RESULT = 6 + 2 * REFERENCE_MOST };

/* What the kernel is given: two layouts, and numbers in a third; and what it must give. */
typedef struct given {
  ts_layout a, b, numbers;
} given;
typedef struct wanted {
  bool ok;
  integer offset;
  offsets a, b;
} wanted;

static void want_a(given *g, wanted *w) { reference_offsets(&w->a, &g->a); }

static void want_row_major(given *g, wanted *w) {
  (void)g;
  for (int k = 0; k < w->a.count; ++k) w->a.at[k] = k;
}
static void want_column_major(given *g, wanted *w) {
  integer index[8] = {0};
  for (int k = 0; k < w->a.count; ++k, reference_next(index, (int)g->a.rank, g->a.shape)) {
    integer factor = 1;
    w->a.at[k] = 0;
    for (int d = 0; d < (int)g->a.rank; factor *= g->a.shape[d++]) w->a.at[k] += index[d] * factor;
  }
}
static void want_two(given *g, wanted *w) { reference_offsets(&w->b, &g->b); }
static void want_refined(given *g, wanted *w) {
  want_two(g, w);
  w->ok = reference_has_common_modes(&w->a, &w->b, TS_LAYOUT_MAX_RANK);
}
static void want_reshaped(given *g, wanted *w) {
  w->ok = reference_has_strides(&w->a, (int)g->numbers.rank, g->numbers.shape);
  if (!w->ok) w->a.count = 0;
}
static void want_permuted(given *g, wanted *w) {
  integer shape[8], index[8] = {0}, own[8] = {0};
  for (int d = 0; d < (int)g->a.rank; ++d) shape[d] = g->a.shape[g->numbers.shape[d]];
  for (int k = 0; k < w->a.count; ++k, reference_next(index, (int)g->a.rank, shape)) {
    for (int d = 0; d < (int)g->a.rank; ++d) own[g->numbers.shape[d]] = index[d];
    w->a.at[k] = reference_offset(&g->a, own);
  }
}

/* Of L's elements those whose index of each mode d is in begin[d] … end[d] - 1, seen from the first of them. */
static void want_part(given *g, wanted *w, const integer *begin, const integer *end) {
  integer index[8] = {0};
  int count = 0;
  for (int k = 0; k < w->a.count; ++k, reference_next(index, (int)g->a.rank, g->a.shape)) {
    bool is_inside = true;
    for (int d = 0; d < (int)g->a.rank; ++d) is_inside = is_inside && index[d] >= begin[d] && index[d] < end[d];
    if (!is_inside) continue;
    if (!count) w->offset = w->a.at[k];
    w->a.at[count++] = w->a.at[k] - w->offset;
  }
  w->a.count = count;
}
static void want_slice(given *g, wanted *w, integer first, integer last) {
  integer begin[8] = {0}, end[8];
  memcpy(end, g->a.shape, sizeof end);
  begin[g->numbers.rank] = first;
  end[g->numbers.rank] = last;
  want_part(g, w, begin, end);
  if (g->a.shape[g->numbers.rank] && last > first) w->offset = first * g->a.stride[g->numbers.rank];
}
static void want_restricted(given *g, wanted *w) {
  want_slice(g, w, g->numbers.shape[0], g->numbers.shape[0] + g->numbers.shape[1]);
}
static void want_fixed(given *g, wanted *w) { want_slice(g, w, g->numbers.shape[0], g->numbers.shape[0] + 1); }
static void want_tile(given *g, wanted *w) {
  integer begin[8] = {0}, end[8] = {0}, counts[8] = {0};
  for (int d = 0; d < (int)g->a.rank; ++d)
    for (integer k = 0; k < g->a.shape[d]; k += g->numbers.shape[d]) ++counts[d];
  for (integer number = g->numbers.rank; number > 0; --number) reference_next(begin, (int)g->a.rank, counts);
  for (int d = 0; d < (int)g->a.rank; ++d) {
    begin[d] *= g->numbers.shape[d];
    end[d] = begin[d] + g->numbers.shape[d];
  }
  want_part(g, w, begin, end);
}
/* The stride that is largest by magnitude counts last; of equal ones the later mode is the inner one. */
static void want_sorted(given *g, wanted *w) {
  given sorted = *g;
  bool is_done[8] = {false};
  for (int e = 0; e < (int)g->a.rank; ++e) {
    int best = -1;
    for (int d = 0; d < (int)g->a.rank; ++d)
      if (!is_done[d] && (best < 0 || llabs(g->a.stride[d]) > llabs(g->a.stride[best]))) best = d;
    is_done[best] = true;
    sorted.a.shape[e] = sorted.b.shape[e] = g->a.shape[best];
    sorted.a.stride[e] = g->a.stride[best];
    sorted.b.stride[e] = g->b.stride[best];
  }
  want_a(&sorted, w);
  want_two(&sorted, w);
}

/* Numbers that an operation takes, at random. */
static void give_shape(given *g, uint64_t *random) {
  g->numbers.rank = reference_random_shape(random, reference_size((int)g->a.rank, g->a.shape), g->numbers.shape);
}
static void give_order(given *g, uint64_t *random) {
  for (int d = 0; d < (int)g->a.rank; ++d) g->numbers.shape[d] = d;
  for (int d = (int)g->a.rank - 1; d > 0; --d) {
    integer e = reference_random_below(random, d + 1), swapped = g->numbers.shape[d];
    g->numbers.shape[d] = g->numbers.shape[e];
    g->numbers.shape[e] = swapped;
  }
}
/* An index of a mode, and a count from there. The layout has a mode and elements: else it becomes another one. */
static void give_range(given *g, uint64_t *random) {
  while (!g->a.rank || !reference_size((int)g->a.rank, g->a.shape)) g->a = reference_random_layout(random);
  integer d = g->numbers.rank = reference_random_below(random, g->a.rank);
  g->numbers.shape[0] = reference_random_below(random, g->a.shape[d]);
  g->numbers.shape[1] = reference_random_below(random, g->a.shape[d] - g->numbers.shape[0] + 1);
}
static void give_tile(given *g, uint64_t *random) {
  integer count = 1;
  give_range(g, random);
  for (int d = 0; d < (int)g->a.rank; ++d) {
    g->numbers.shape[d] = 1 + reference_random_below(random, g->a.shape[d] + 1);
    count *= (g->a.shape[d] + g->numbers.shape[d] - 1) / g->numbers.shape[d];
  }
  g->numbers.rank = reference_random_below(random, count);
}
static void give_same_shape(given *g, uint64_t *random) {
  g->b = reference_random_strides(random, (int)g->a.rank, g->a.shape, false);
}
static void give_same_count(given *g, uint64_t *random) {
  integer shape[8], count = reference_size((int)g->a.rank, g->a.shape);
  g->b = reference_random_strides(random, reference_random_shape(random, count, shape), shape, false);
}

/* In the order of the kernel's switch. `wants` starts from a's own offsets. */
static const struct operation {
  const char *name;
  void (*gives)(given *g, uint64_t *random);
  void (*wants)(given *g, wanted *w);
} operations[] = {{"make", NULL, want_a},
                  {"row_major", NULL, want_row_major},
                  {"column_major", NULL, want_column_major},
                  {"fold", NULL, want_a},
                  {"fold_two", give_same_shape, want_two},
                  {"refine", give_same_count, want_refined},
                  {"reshape", give_shape, want_reshaped},
                  {"permute", give_order, want_permuted},
                  {"restrict", give_range, want_restricted},
                  {"fix", give_range, want_fixed},
                  {"tile", give_tile, want_tile},
                  {"sort_two", give_same_shape, want_sorted}};

static void put(unsigned char *bytes, size_t at, integer value) { memcpy(bytes + GUARD + 8 * at, &value, 8); }

static void check_layout(run *r, const row *row) {
  const struct operation *operation = &operations[row->operation];
  given g = {.a = reference_random_layout(&r->random)};
  wanted w = {.ok = true};
  if (operation->gives) operation->gives(&g, &r->random);
  reference_offsets(&w.a, &g.a);
  operation->wants(&g, &w);
  tested source = make(r, "source", TS_SPACE_global, sizeof g);
  tested target = make(r, "target", TS_SPACE_global, 2 * GUARD + 8 * RESULT);
  if (source.expected && target.expected) {
    memcpy(source.expected, &g, sizeof g);
    if (source.buffer) good(r, ts_buffer_write(r->suite->queue, source.buffer, 0, &g, sizeof g, &r->error));
    const integer head[6] = {w.ok,
                             w.offset,
                             w.a.count,
                             reference_cosize(&w.a),
                             reference_lowest(&w.a),
                             row->operation == 0 && reference_strides_nest(&g.a)};
    for (size_t k = 0; k < 6; ++k) put(target.expected, k, head[k]);
    for (int k = 0; k < w.a.count; ++k) put(target.expected, 6 + (size_t)k, w.a.at[k]);
    for (int k = 0; k < w.b.count; ++k) put(target.expected, 6 + REFERENCE_MOST + (size_t)k, w.b.at[k]);
  }
  set_buffer(r, "source_cells", &source);
  set_buffer(r, "target_cells", &target);
  set_i32(r, "operation", row->operation);
  launch(r, (ts_grid){{1}, {1}});
  compare(r, &target);
  compare(r, &source);
}

void add_layout_cases(rows *rows) {
  for (size_t o = 0; o < sizeof operations / sizeof *operations; ++o)
    for (int k = 0; k < CASES_OF_EACH; ++k) {
      row row = {.file = &layout_file, .check = check_layout, .operation = (int)o, .code = "layout"};
      snprintf(row.id, sizeof row.id, "layout.%s.%d", operations[o].name, k);
      add_row(rows, row);
    }
}
