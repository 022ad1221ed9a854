/* SPDX-License-Identifier: Apache-2.0
 *
 * copy_pair.c: one TS_COPY: its text, and what it must do.
 */
#include "copy_pair.h"

#include <string.h>

#include "convert_reference.h"

int64_t copy_count(const copy_side *side) {
  int64_t count = 1;
  for (int k = 0; k < side->rank; ++k) count *= side->shape[k];
  return count;
}

int64_t copy_offset(const copy_side *side, int64_t i) {
  int64_t offset = 0;
  for (int k = side->rank; k-- > 0;) {
    offset += i % side->shape[k] * side->stride[k];
    i /= side->shape[k];
  }
  return offset;
}

/* ---- text ------------------------------------------------------------------------------------------------------- */

/* There is no constant memory that a handle could store to: its policy is ts_constant. */
static void write_policy(FILE *f, const copy_side *side) {
  bool says_const = side->is_const && side->space != TS_SPACE_constant;
  fprintf(f, "ts_%s%s, %s", ts_space_name(side->space), says_const ? "_const" : "", ts_dtype_name(side->dtype));
}

static void write_layout(FILE *f, const char *name, int number, const copy_side *side) {
  fprintf(f, "TS_LAYOUT_%d(%s_%d", side->rank, name, number);
  for (int k = 0; k < side->rank; ++k) fprintf(f, ", %lld", (long long)side->shape[k]);
  for (int k = 0; k < side->rank; ++k) fprintf(f, ", %lld", (long long)side->stride[k]);
  fputs(")\n", f);
}

static void write_flags(FILE *f, const copy_side *side) {
  if (side->align_bytes)
    fprintf(f, "TS_ALIGN(%d)%s", side->align_bytes, side->hints);
  else
    fprintf(f, "0%s", side->hints);
}

void copy_write_pair(FILE *f, int number, const copy_pair *pair) {
  write_layout(f, "dst", number, &pair->dst);
  write_layout(f, "src", number, &pair->src);
  fprintf(f, "TS_COPY(copy_%d, ", number);
  write_policy(f, &pair->dst);
  fprintf(f, ", dst_%d, ", number);
  write_flags(f, &pair->dst);
  fputs(", ", f);
  write_policy(f, &pair->src);
  fprintf(f, ", src_%d, ", number);
  write_flags(f, &pair->src);
  fputs(")\n", f);
}

static void write_case(FILE *f, int number, const copy_pair *pair) {
  fprintf(f, " COPY(%d, ", number);
  write_policy(f, &pair->dst);
  fprintf(f, ", %s, ", ts_space_name(pair->dst.space));
  write_policy(f, &pair->src);
  fprintf(f, ", %s)", ts_space_name(pair->src.space));
}

static void write_dynamic_pair(FILE *f, int number, const copy_pair *pair) {
  fprintf(f, "TS_COPY_DYNAMIC(copy_%d, ", number);
  write_policy(f, &pair->dst);
  fputs(", ", f);
  write_flags(f, &pair->dst);
  fputs(", ", f);
  write_policy(f, &pair->src);
  fputs(", ", f);
  write_flags(f, &pair->src);
  fputs(")\n", f);
}

static bool is_in(const copy_pair *pair, ts_space space) { return pair->dst.space == space || pair->src.space == space; }

/* A list of copy.c, and whether a pair is in it. */
static bool by_item(const copy_pair *pair) { return pair->dst.rank > 0; }
static bool by_group(const copy_pair *pair) { return by_item(pair) && !is_in(pair, TS_SPACE_local); }
static bool without_shared(const copy_pair *pair) { return by_group(pair) && !is_in(pair, TS_SPACE_shared); }
static bool with_shared(const copy_pair *pair) { return by_group(pair) && is_in(pair, TS_SPACE_shared); }
static const struct {
  const char *macro;
  bool (*has)(const copy_pair *pair);
} lists[] = {{"BY_ITEM_CASES", by_item}, {"BY_GROUP_CASES", without_shared}, {"SHARED_KERNELS", with_shared}};
enum { LISTS = sizeof lists / sizeof *lists };

/* All of the pairs that have a generic side, or of those that have none. */
static void write_pairs(FILE *f, const char *prefix, const copy_pair *pairs, int count, bool is_dynamic, bool is_generic) {
  for (int k = 0; k < count; ++k)
    if (by_item(&pairs[k]) && is_in(&pairs[k], TS_SPACE_generic) == is_generic)
      (is_dynamic ? write_dynamic_pair : copy_write_pair)(f, k, &pairs[k]);
  for (int l = 0; l < LISTS; ++l) {
    fprintf(f, "#define %s_%s", prefix, lists[l].macro);
    for (int k = 0; k < count; ++k)
      if (lists[l].has(&pairs[k]) && is_in(&pairs[k], TS_SPACE_generic) == is_generic) write_case(f, k, &pairs[k]);
    fputc('\n', f);
  }
}

void copy_write_front(FILE *f, const copy_pair *pairs, int count, bool is_dynamic) {
  fprintf(f, "#define COPY_IS_DYNAMIC %d\n", is_dynamic);
  if (is_dynamic) fputs("#define TS_USE_DYNAMIC_LAYOUTS 1\n", f);
  fputs("#include \"tensorstorage.h\"\n", f);
  write_pairs(f, "COPY", pairs, count, is_dynamic, false);
  fputs("#if TS_HAVE_GENERIC\n", f);
  write_pairs(f, "COPY_GENERIC", pairs, count, is_dynamic, true);
  fputs("#else\n", f);
  write_pairs(f, "COPY_GENERIC", NULL, 0, is_dynamic, true);
  fputs("#endif\n", f);
}

static void write_side_numbers(int64_t *start, int64_t *layout, const copy_side *side) {
  *start = side->start;
  layout[0] = side->rank;
  for (int k = 0; k < side->rank; ++k) {
    layout[1 + k] = side->shape[k];
    layout[9 + k] = side->stride[k];
  }
}

void copy_numbers(int64_t *numbers, const copy_pair *pair) {
  memset(numbers, 0, COPY_NUMBERS * sizeof *numbers);
  write_side_numbers(&numbers[0], &numbers[2], &pair->dst);
  write_side_numbers(&numbers[1], &numbers[19], &pair->src);
}

bool copy_is_shareable(const copy_pair *pair) { return by_group(pair); }

void copy_kernel_name(char *name, int number, const copy_pair *pair, bool is_by_group) {
  if (is_by_group && with_shared(pair))
    snprintf(name, COPY_KERNEL_BYTES, "copy_shared_%d", number);
  else
    snprintf(name, COPY_KERNEL_BYTES, "copy_by_%s", is_by_group ? "group" : "item");
}

/* ---- what it must do -------------------------------------------------------------------------------------------- */

static uint64_t get_element(const unsigned char *memory, const copy_side *side, int64_t i) {
  uint64_t bits = 0; /* devices are little-endian, as the host */
  size_t bytes = ts_dtype_bytes(side->dtype);
  memcpy(&bits, memory + side->start + copy_offset(side, i) * (int64_t)bytes, bytes);
  return bits;
}
static void put_element(unsigned char *memory, const copy_side *side, int64_t i, uint64_t bits) {
  size_t bytes = ts_dtype_bytes(side->dtype);
  memcpy(memory + side->start + copy_offset(side, i) * (int64_t)bytes, &bits, bytes);
}

void copy_by_reference(const copy_pair *pair, unsigned char *dst, const unsigned char *src) {
  for (int64_t i = 0; i < copy_count(&pair->dst); ++i)
    put_element(dst, &pair->dst, i,
                reference_convert(pair->dst.dtype, pair->src.dtype, get_element(src, &pair->src, i), SATURATE));
}

void copy_expect_any_nan(const copy_pair *pair, unsigned char *expected, const unsigned char *actual) {
  for (int64_t i = 0; i < copy_count(&pair->dst); ++i) {
    uint64_t is = get_element(actual, &pair->dst, i), must_be = get_element(expected, &pair->dst, i);
    if (reference_matches(pair->dst.dtype, pair->src.dtype, is, must_be)) put_element(expected, &pair->dst, i, is);
  }
}
