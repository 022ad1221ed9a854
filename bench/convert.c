/* SPDX-License-Identifier: Apache-2.0
 *
 * convert.c: bench_convert: conversions at memory speed, on handles and by hand (contest.h). Kernels are found by their names:
 * to add one, write it into its file. Each is there with and without streaming hints.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../host/source.h"
#include "contest.h"

extern const char ts_embedded_handle[], ts_embedded_f32_to_f16[], ts_embedded_f16_to_f32[], ts_embedded_f32_to_bf16[],
    ts_embedded_i8_to_f32[], ts_embedded_u8_to_i32[];

/* ---- the conversions -------------------------------------------------------------------------------------------- */

/* A number that looks random, the same on every run. */
static uint32_t random_bits(size_t i) {
  uint32_t x = (uint32_t)i * 2654435761u;
  x ^= x >> 15;
  x *= 2246822519u;
  return x ^ x >> 13;
}

/* A source element, and the right result, by the plainest way there is. Elements are numbers whose results are normal, since
 * hand-written kernels differ on the rest; every eighth f32 is a tie. */
static void f32_to_f16(size_t i, void *src, void *dst) {
  uint32_t r = random_bits(i), sign = r >> 31, exponent = 113 + r % 30, mantissa = r >> 8 & 0x7fffff;
  if (r % 8 == 0) mantissa = (mantissa & ~0x1fffu) | 0x1000;
  uint32_t bits = sign << 31 | exponent << 23 | mantissa;
  uint32_t kept = (exponent - 112) << 10 | mantissa >> 13, rest = mantissa & 0x1fff;
  if (rest > 0x1000 || (rest == 0x1000 && kept % 2 == 1)) kept++;
  memcpy(src, &bits, 4);
  memcpy(dst, &(uint16_t){(uint16_t)(sign << 15 | kept)}, 2);
}

static void f16_to_f32(size_t i, void *src, void *dst) {
  uint32_t r = random_bits(i), sign = r >> 31, exponent = 1 + r % 30, mantissa = r >> 8 & 0x3ff;
  uint32_t bits = sign << 31 | (exponent + 112) << 23 | mantissa << 13;
  memcpy(src, &(uint16_t){(uint16_t)(sign << 15 | exponent << 10 | mantissa)}, 2);
  memcpy(dst, &bits, 4);
}

static void f32_to_bf16(size_t i, void *src, void *dst) {
  uint32_t r = random_bits(i), bits = (r & 0x807fffff) | (1 + r % 253) << 23;
  if (r % 8 == 0) bits = (bits & ~0xffffu) | 0x8000;
  uint32_t kept = bits >> 16, rest = bits & 0xffff;
  if (rest > 0x8000 || (rest == 0x8000 && kept % 2 == 1)) kept++;
  memcpy(src, &bits, 4);
  memcpy(dst, &(uint16_t){(uint16_t)kept}, 2);
}

static void i8_to_f32(size_t i, void *src, void *dst) {
  int8_t element = (int8_t)(random_bits(i) >> 24);
  memcpy(src, &element, 1);
  memcpy(dst, &(float){element}, 4);
}

static void u8_to_i32(size_t i, void *src, void *dst) {
  uint8_t element = (uint8_t)(random_bits(i) >> 24);
  memcpy(src, &element, 1);
  memcpy(dst, &(int32_t){element}, 4);
}

typedef struct conversion {
  const char *src, *dst;
  size_t src_bytes, dst_bytes;
  const char *by_hand; /* the hand-written kernels */
  void (*element)(size_t i, void *src, void *dst);
} conversion;

#define CONVERSION(src, dst, src_bytes, dst_bytes)                                                                             \
  (&(const conversion){#src, #dst, src_bytes, dst_bytes, ts_embedded_##src##_to_##dst, src##_to_##dst})
#define SUBJECT(src, dst, src_bytes, dst_bytes)                                                                                \
  { #src "_to_" #dst, 0.95, CONVERSION(src, dst, src_bytes, dst_bytes), prepare, is_right }

/* ---- who takes part --------------------------------------------------------------------------------------------- */

static const size_t groups[] = {64, 256, 1024, 0};
static const char *const hints[] = {"", "store streamed", "both streamed"};
enum { HINTS = sizeof hints / sizeof *hints, WHOLE = 16 * 1024 /* every width and group divides it */ };

static void prepare(bench_contest *contest, const void *context) {
  const conversion *c = context;
  size_t element_bytes = c->src_bytes + c->dst_bytes, bytes = contest->is_quick ? 1 << 20 : 256 << 20;
  contest->elements = (bytes / element_bytes / WHOLE + 1) * WHOLE;
  contest->bytes = contest->elements * element_bytes;
  bench_add_buffer(contest, contest->elements * c->src_bytes);
  bench_add_buffer(contest, contest->elements * c->dst_bytes);
  char *expected = contest->expected = bench_memory(contest->elements * c->dst_bytes);
  char *src = bench_map(contest->device, contest->buffers[0], contest->elements * c->src_bytes);
  for (size_t i = 0; i < contest->elements; i++) c->element(i, src + i * c->src_bytes, expected + i * c->dst_bytes);
  bench_unmap(contest->device, contest->buffers[0], src);

  for (int hint = 0; hint < HINTS; hint++) {
    char defines[3][32];
    snprintf(defines[0], sizeof defines[0], "STREAM=%d", hint);
    snprintf(defines[1], sizeof defines[1], "SRC=%s", c->src);
    snprintf(defines[2], sizeof defines[2], "DST=%s", c->dst);
    const char *const list[] = {defines[0], defines[1], defines[2], NULL};
    bench_enter_source(contest, BENCH_BY_HAND, c->by_hand, list, hints[hint], groups);
    bench_enter_source(contest, BENCH_HANDLES, ts_embedded_handle, list, hints[hint], groups);
  }
}

static bool is_right(const bench_contest *contest, const void *cells) {
  return !memcmp(cells, contest->expected, contest->buffer_bytes[contest->buffer_count - 1]);
}

static const bench_subject subjects[] = {SUBJECT(f32, f16, 4, 2), SUBJECT(f16, f32, 2, 4), SUBJECT(f32, bf16, 4, 2),
                                         SUBJECT(i8, f32, 1, 4), SUBJECT(u8, i32, 1, 4)};

int main(int argc, char **argv) {
  bench_options options = bench_read_options(argc, argv);
  return bench_contests("convert", subjects, sizeof subjects / sizeof *subjects, &options);
}
