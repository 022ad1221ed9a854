/* SPDX-License-Identifier: Apache-2.0
 *
 * copy_random.c: random pairs of layouts for TS_COPY.
 */
#include "copy_random.h"

#include <string.h>

#include "cases.h"
#include "convert_reference.h"

/* The largest promise: what the least aligned kind of memory is aligned to. */
enum { ALIGN_MOST = 128 };

static int64_t below(uint64_t *random, int64_t n) { return (int64_t)(next_random(random) % (uint64_t)n); }
static bool chance(uint64_t *random, int percent) { return below(random, 100) < percent; }

/* ---- spaces ----------------------------------------------------------------------------------------------------- */

/* dst, then src. */
static const ts_space space_pairs[COPY_SPACE_PAIRS][2] = {
    {TS_SPACE_global, TS_SPACE_global},   {TS_SPACE_global, TS_SPACE_shared},   {TS_SPACE_global, TS_SPACE_constant},
    {TS_SPACE_global, TS_SPACE_local},    {TS_SPACE_shared, TS_SPACE_global},   {TS_SPACE_shared, TS_SPACE_shared},
    {TS_SPACE_shared, TS_SPACE_constant}, {TS_SPACE_shared, TS_SPACE_local},    {TS_SPACE_local, TS_SPACE_global},
    {TS_SPACE_local, TS_SPACE_shared},    {TS_SPACE_local, TS_SPACE_constant},  {TS_SPACE_local, TS_SPACE_local},
    {TS_SPACE_generic, TS_SPACE_global},  {TS_SPACE_generic, TS_SPACE_shared},  {TS_SPACE_generic, TS_SPACE_constant},
    {TS_SPACE_generic, TS_SPACE_local},   {TS_SPACE_generic, TS_SPACE_generic}, {TS_SPACE_global, TS_SPACE_generic},
    {TS_SPACE_shared, TS_SPACE_generic},  {TS_SPACE_local, TS_SPACE_generic}};

/* ---- shapes and strides ----------------------------------------------------------------------------------------- */

static void shuffle(int64_t *list, int count, uint64_t *random) {
  for (int k = count; k-- > 1;) {
    int other = (int)below(random, k + 1);
    int64_t kept = list[k];
    list[k] = list[other];
    list[other] = kept;
  }
}

static int64_t random_divisor(int64_t n, uint64_t *random) {
  int64_t divisor = 1 + below(random, n);
  while (n % divisor) divisor = divisor % n + 1;
  return divisor;
}

/* A factorisation of `count`, of any rank. */
static void random_shape(copy_side *side, int64_t count, uint64_t *random) {
  side->rank = 1 + (int)below(random, COPY_RANK);
  int64_t rest = count ? count : 12;
  for (int k = 0; k + 1 < side->rank; ++k) {
    side->shape[k] = random_divisor(rest, random);
    rest /= side->shape[k];
  }
  side->shape[side->rank - 1] = rest;
  if (!count) side->shape[below(random, side->rank)] = 0;
  shuffle(side->shape, side->rank, random);
}

/* How strides are chosen: in any way, or so that a copy is likely to be wide. */
typedef enum order { ANY, ROWS, COLUMNS } order;

/* Strides that nest: so no two elements share a place. */
static void random_strides(copy_side *side, order wanted, uint64_t *random) {
  static const int64_t pads[] = {1, 2, 3, 31, 4, 8, 16, 32};
  int64_t modes[COPY_RANK]; /* of the modes, the one with the shortest stride last */
  for (int k = 0; k < side->rank; ++k) modes[k] = k;
  int way = wanted == ANY ? (int)below(random, 10) : wanted == ROWS ? 0 : 5;
  for (int k = 0; way >= 5 && way < 7 && k < side->rank; ++k) modes[k] = side->rank - 1 - k;
  if (way >= 7) shuffle(modes, side->rank, random);
  int64_t next = wanted != ANY || chance(random, 85) ? 1 : 2 + below(random, 3);
  for (int k = side->rank; k-- > 0;) {
    int64_t extent = side->shape[modes[k]];
    side->stride[modes[k]] = (wanted == ANY || next > 1) && chance(random, 10) ? -next : next;
    if (extent == 1 && chance(random, 50)) side->stride[modes[k]] = below(random, 2000001) - 1000000; /* never used */
    if (extent > 1) next *= extent;
    if (chance(random, 25)) next += wanted == ANY ? pads[below(random, 8)] : pads[4 + below(random, 4)];
  }
}

/* Of a source: also a mode that stays where it is, or strides without any order. */
static void loosen_strides(copy_side *side, order wanted, uint64_t *random) {
  if (wanted != ANY) {
    if (side->rank > 1 && chance(random, 8)) side->stride[wanted == ROWS ? 0 : side->rank - 1] = 0;
    return;
  }
  if (chance(random, 12)) side->stride[below(random, side->rank)] = 0;
  for (int k = 0; chance(random, 4) && k < side->rank; ++k) side->stride[k] = below(random, 17) - 8;
}

/* Shape (p, q) with strides (q, p), which have no common divisor, is one-to-one although its strides don't nest. */
static void unnested(copy_side *side, uint64_t *random) {
  static const int64_t coprime[][2] = {{2, 3}, {3, 4}, {5, 4}, {7, 8}, {16, 9}};
  const int64_t *pq = coprime[below(random, sizeof coprime / sizeof *coprime)];
  side->rank = 2;
  memcpy(side->shape, pq, sizeof coprime[0]);
  side->stride[0] = pq[1];
  side->stride[1] = pq[0];
  side->hints = " | TS_ASSUME_ONE_TO_ONE";
}

/* ---- places and promises ---------------------------------------------------------------------------------------- */

/* Elements from (0, 0 …) down to the lowest, and up to the highest. */
static int64_t reach(const copy_side *side, int sign) {
  int64_t elements = 0;
  for (int k = 0; copy_count(side) && k < side->rank; ++k) {
    int64_t steps = sign * side->stride[k] * (side->shape[k] - 1);
    if (steps > 0) elements += steps;
  }
  return elements;
}

static int random_align(bool is_large, uint64_t *random) {
  if (is_large) return 8 << below(random, 5);
  return chance(random, 40) ? 0 : 1 << below(random, 8);
}

/* Put element (0, 0 …) where it is aligned to just what is promised. Returns whether the memory is large enough. */
static bool place(copy_side *side) {
  int64_t bytes = (int64_t)ts_dtype_bytes(side->dtype);
  int64_t align = side->align_bytes ? side->align_bytes : bytes;
  side->start = (GUARD + reach(side, -1) * bytes + align - 1) / align * align;
  if (align < ALIGN_MOST && side->start / align % 2 == 0) side->start += align;
  return side->start + (reach(side, 1) + 1) * bytes + GUARD <= COPY_MEMORY_BYTES;
}

static const char *random_hints(bool loads_only, uint64_t *random) {
  static const char *const hints[] = {"", "", " | TS_NON_TEMPORAL", " | TS_INVARIANT", " | TS_INVARIANT | TS_NON_TEMPORAL"};
  return hints[below(random, loads_only ? 5 : 3)];
}

/* ---- pairs ------------------------------------------------------------------------------------------------------ */

/* Layouts of `count` elements. Returns whether both fit into the memory. */
static bool random_layouts(copy_pair *pair, int64_t count, order wanted, uint64_t *random) {
  copy_side *dst = &pair->dst, *src = &pair->src;
  random_shape(dst, count, random);
  random_strides(dst, wanted, random);
  if (wanted == ANY && chance(random, 6)) unnested(dst, random);
  random_shape(src, copy_count(dst), random);
  if (chance(random, 50)) {
    src->rank = dst->rank;
    memcpy(src->shape, dst->shape, sizeof src->shape);
  }
  random_strides(src, wanted, random);
  if (src->rank == dst->rank && chance(random, 30)) memcpy(src->stride, dst->stride, sizeof src->stride);
  loosen_strides(src, wanted, random);
  bool dst_fits = place(dst), src_fits = place(src);
  return dst_fits && src_fits;
}

static void random_pair(copy_pair *pair, uint64_t *random) {
  static const int64_t counts[] = {0,  1,  2,  3,  4,  6,  7,   8,   12,  15,  16,  17,  24,  32,  36,
                                   48, 60, 63, 64, 96, 97, 100, 120, 128, 210, 240, 256, 360, 480, 1000};
  int64_t count = counts[below(random, sizeof counts / sizeof *counts)];
  order wanted = chance(random, 40) ? ANY : chance(random, 75) ? ROWS : COLUMNS;
  while (!random_layouts(pair, count, wanted, random)) count /= 2;
}

void copy_random_pair(copy_pair *pair, uint64_t seed, int index) {
  uint64_t random = random_state(seed, (uint64_t)index * 0x9fb21c651e98df25u);
  const ts_space *spaces = space_pairs[index % COPY_SPACE_PAIRS];
  int dtypes = index % COPY_DTYPE_PAIRS;
  *pair = (copy_pair){.dst = {.space = spaces[0], .dtype = (ts_dtype)(dtypes / TS_DTYPE_COUNT)},
                      .src = {.space = spaces[1], .dtype = (ts_dtype)(dtypes % TS_DTYPE_COUNT)}};
  pair->src.is_const = chance(&random, 50);
  bool is_large = chance(&random, 70);
  pair->dst.align_bytes = random_align(is_large, &random);
  pair->src.align_bytes = random_align(is_large, &random);
  pair->dst.hints = random_hints(false, &random);
  pair->src.hints = random_hints(true, &random);
  random_pair(pair, &random);
}

void copy_random_layouts(copy_pair *pair, uint64_t seed, int index) {
  uint64_t random = random_state(seed, (uint64_t)index * 0xc2b2ae3d27d4eb4fu + 1);
  random_pair(pair, &random);
}

void copy_random_source(const copy_pair *pair, unsigned char *src, uint64_t *random) {
  const copy_side *side = &pair->src;
  size_t bytes = ts_dtype_bytes(side->dtype);
  for (size_t k = 0; k < COPY_MEMORY_BYTES; ++k) src[k] = (unsigned char)(next_random(random) >> 56);
  for (int64_t i = 0; i < copy_count(side); ++i) {
    reference_value small = {.what = NUMBER, .is_negative = chance(random, 50), .magnitude = (uint64_t)below(random, 100)};
    if (chance(random, 20)) small.magnitude = 0;
    uint64_t bits = reference_encode(side->dtype, small, SATURATE);
    if (chance(random, 60)) memcpy(src + side->start + copy_offset(side, i) * (int64_t)bytes, &bits, bytes);
  }
}
