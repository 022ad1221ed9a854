/* SPDX-License-Identifier: Apache-2.0
 *
 * layout_reference.c: see layout_reference.h.
 */
#include "layout_reference.h"

#include "cases.h"

bool reference_next(integer *index, int rank, const integer *shape) {
  for (int d = rank - 1; d >= 0; --d) {
    if (++index[d] < shape[d]) return true;
    index[d] = 0;
  }
  return false;
}

integer reference_size(int rank, const integer *shape) {
  integer size = 1;
  for (int d = 0; d < rank; ++d) size *= shape[d];
  return size;
}

integer reference_offset(const ts_layout *layout, const integer *index) {
  integer offset = 0;
  for (int d = 0; d < (int)layout->rank; ++d) offset += index[d] * layout->stride[d];
  return offset;
}

void reference_offsets(offsets *o, const ts_layout *layout) {
  integer index[8] = {0};
  o->count = 0;
  if (layout->rank < 0 || !reference_size((int)layout->rank, layout->shape)) return;
  do o->at[o->count++] = reference_offset(layout, index);
  while (o->count < REFERENCE_MOST && reference_next(index, (int)layout->rank, layout->shape));
}

integer reference_lowest(const offsets *o) {
  integer lowest = o->count ? o->at[0] : 0;
  for (int k = 0; k < o->count; ++k)
    if (o->at[k] < lowest) lowest = o->at[k];
  return lowest;
}

integer reference_cosize(const offsets *o) {
  integer highest = o->count ? o->at[0] : 0;
  for (int k = 0; k < o->count; ++k)
    if (o->at[k] > highest) highest = o->at[k];
  return o->count ? highest - reference_lowest(o) + 1 : 0;
}

bool reference_all_differ(const offsets *o) {
  for (int k = 0; k < o->count; ++k)
    for (int l = 0; l < k; ++l)
      if (o->at[k] == o->at[l]) return false;
  return true;
}

bool reference_strides_nest(const ts_layout *layout) {
  bool is_done[8] = {false};
  integer reach = 0;
  if (!reference_size((int)layout->rank, layout->shape)) return true;
  for (;;) {
    int next = -1; /* the mode of the smallest stride that is left */
    integer least = 0;
    for (int d = 0; d < (int)layout->rank; ++d) {
      integer s = layout->stride[d] < 0 ? -layout->stride[d] : layout->stride[d];
      if (is_done[d] || layout->shape[d] == 1 || (next >= 0 && s >= least)) continue;
      next = d;
      least = s;
    }
    if (next < 0) return true;
    if (least <= reach) return false;
    reach += least * (layout->shape[next] - 1);
    is_done[next] = true;
  }
}

bool reference_has_strides(const offsets *o, int rank, const integer *shape) {
  if (reference_size(rank, shape) != o->count) return false;
  ts_layout layout = {.rank = rank};
  integer inner = 1; /* number of the element at index 1 of mode d and 0 of the others */
  for (int d = rank - 1; d >= 0 && o->count; --d) {
    layout.shape[d] = shape[d];
    layout.stride[d] = shape[d] > 1 ? o->at[inner] - o->at[0] : 0;
    inner *= shape[d];
  }
  offsets own;
  reference_offsets(&own, &layout);
  for (int k = 0; k < o->count; ++k)
    if (own.at[k] != o->at[k] - o->at[0]) return false;
  return true;
}

/* Whether the offsets from `step` to `step` are runs of n, each evenly spaced, all alike. */
static bool has_runs(const offsets *o, int step, int n) {
  integer stride = o->at[step] - o->at[0];
  for (int k = 0; k < o->count; k += step)
    if (k / step % n && o->at[k] - o->at[k - step] != stride) return false;
  return true;
}
static bool has_outer_modes(const offsets *a, const offsets *b, int step, int modes) {
  if (step == a->count) return true;
  for (int n = 2; modes && n <= a->count / step; ++n)
    if (a->count / step % n == 0 && has_runs(a, step, n) && has_runs(b, step, n) && has_outer_modes(a, b, step * n, modes - 1))
      return true;
  return false;
}
bool reference_has_common_modes(const offsets *a, const offsets *b, int modes) {
  if (a->count != b->count) return false;
  return !a->count || has_outer_modes(a, b, 1, modes);
}

/* ---- random ones -------------------------------------------------------------------------------------------------- */

integer reference_random_below(uint64_t *random, integer count) {
  return count > 0 ? (integer)(next_random(random) % (uint64_t)count) : 0;
}

int reference_random_shape(uint64_t *random, integer count, integer *shape) {
  int rank = 0;
  integer left = count, rows = 2 + reference_random_below(random, 7);
  if (count && count % rows == 0 && reference_random_below(random, 2)) { /* two modes, which divide those of others or don't */
    bool inner = reference_random_below(random, 2);
    shape[0] = inner ? count / rows : rows;
    shape[1] = inner ? rows : count / rows;
    return 2;
  }
  while (rank < 7 && left != 1) {
    integer n = 1 + reference_random_below(random, left);
    while (left && left % n) --n; /* a divisor, the small ones more often */
    if (left == 0) n = reference_random_below(random, 2) ? 0 : 3;
    shape[rank++] = n;
    left = n ? left / n : 1;
  }
  if (rank < 8 && (left != 1 || reference_random_below(random, 4) == 0)) shape[rank++] = left;
  return rank;
}

ts_layout reference_random_strides(uint64_t *random, int rank, const integer *shape, bool nests) {
  ts_layout layout = {.rank = rank};
  bool is_done[8] = {false};
  integer stride = 1, kind = reference_random_below(random, nests ? 3 : 4); /* compact, padded, permuted, anything */
  for (int k = 0; k < rank; ++k) {
    int d = rank - 1 - k;
    if (kind == 2) do
        d = (int)reference_random_below(random, rank);
      while (is_done[d]);
    is_done[d] = true;
    layout.shape[d] = shape[d];
    layout.stride[d] = kind == 3 ? reference_random_below(random, 25) - 12 : stride;
    if (shape[d] == 1) layout.stride[d] = reference_random_below(random, 2001) - 1000; /* never used */
    stride *= shape[d];
    if (kind > 0 && reference_random_below(random, 4) == 0) stride += reference_random_below(random, 6);
    if (kind > 0 && reference_random_below(random, 3) == 0) stride = (stride + 15) / 16 * 16; /* rows aligned alike */
    if (stride == 0) stride = 1;
    if (kind > 0 && reference_random_below(random, 8) == 0) layout.stride[d] = -layout.stride[d];
    if (!nests && reference_random_below(random, 12) == 0) layout.stride[d] = 0;
  }
  return layout;
}

ts_layout reference_random_layout(uint64_t *random) {
  static const integer counts[] = {1, 2, 12, 16, 24, 36, 48, 60, 64, 72, 96, 100, 120, 128, 144, 180, 240, 256, 360};
  integer shape[8], count = counts[reference_random_below(random, sizeof counts / sizeof *counts)];
  if (reference_random_below(random, 10) == 0) count = 0;
  int rank = reference_random_shape(random, count, shape);
  return reference_random_strides(random, rank, shape, false);
}
