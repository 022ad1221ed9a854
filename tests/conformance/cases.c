/* SPDX-License-Identifier: Apache-2.0
 *
 * cases.c: what the families of conformance cases share. No case of its own.
 */
#include "cases.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void add_row(rows *rows, row base) {
  if (rows->count == rows->capacity) {
    size_t capacity = rows->capacity ? 2 * rows->capacity : 1024;
    row *at = realloc(rows->at, capacity * sizeof *at);
    if (!at) {
      rows->out_of_memory = true;
      return;
    }
    rows->at = at;
    rows->capacity = capacity;
  }
  rows->at[rows->count++] = base;
}

void verdict(run *r, ts_verdict verdict, const char *format, ...) {
  if (r->result->verdict != TS_CASE_PASSED) return; /* the first one counts */
  r->result->verdict = verdict;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(r->result->reason, sizeof r->result->reason, format, arguments);
  va_end(arguments);
  for (char *c = r->result->reason; *c; ++c)
    if (*c == '\n') *c = ' ';
}

bool good(run *r, ts_status status) {
  if (status) verdict(r, TS_CASE_ERROR, "%s: %s", r->error.call, r->error.message);
  return status == TS_OK;
}

/* Source: Steele, Lea, Flood, OOPSLA 2014. */
uint64_t next_random(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

uint64_t random_state(uint64_t seed, uint64_t start) { return start ^ seed * 0xd1342543de82ef95u; }

static void fill_random(run *r, unsigned char *bytes, size_t count) {
  for (size_t k = 0; k < count; ++k) bytes[k] = (unsigned char)(next_random(&r->random) >> 56);
}

tested make(run *r, const char *name, ts_space space, size_t bytes) {
  tested t = {name, NULL, malloc(bytes ? bytes : 1), bytes};
  if (!t.expected) {
    verdict(r, TS_CASE_ERROR, "out of memory for %zu bytes of the reference", bytes);
    return t;
  }
  fill_random(r, t.expected, bytes);
  if (good(r, ts_buffer_create(&t.buffer, r->suite->device, space, bytes, &r->error)))
    good(r, ts_buffer_write(r->suite->queue, t.buffer, 0, t.expected, bytes, &r->error));
  return t;
}

unsigned char *room_for(run *r, size_t bytes) {
  if (r->result->verdict != TS_CASE_PASSED) return NULL;
  unsigned char *room = malloc(bytes ? bytes : 1);
  if (!room) verdict(r, TS_CASE_ERROR, "out of memory for the %zu bytes that came out", bytes);
  return room;
}

void compare(run *r, tested *t) {
  unsigned char *actual = room_for(r, t->bytes);
  if (actual && good(r, ts_buffer_read(r->suite->queue, t->buffer, 0, actual, t->bytes, &r->error))) {
    size_t wrong = 0, first = 0;
    for (size_t k = t->bytes; k-- > 0;)
      if (actual[k] != t->expected[k]) {
        ++wrong;
        first = k;
      }
    if (wrong)
      verdict(r, TS_CASE_FAILED, "%s: %zu of %zu bytes are wrong, the first at payload byte %lld: is 0x%02x, must be 0x%02x",
              t->name, wrong, t->bytes, (long long)first - GUARD, actual[first], t->expected[first]);
  }
  free(actual);
  free(t->expected);
  ts_buffer_destroy(t->buffer);
}

void set_buffer(run *r, const char *name, const tested *t) {
  if (r->kernel) good(r, ts_kernel_arg_buffer(r->kernel, name, t->buffer, &r->error));
}
void set_i32(run *r, const char *name, int value) {
  if (r->kernel) good(r, ts_kernel_arg_i32(r->kernel, name, value, &r->error));
}

void launch(run *r, ts_grid grid) {
  if (r->result->verdict != TS_CASE_PASSED || !r->kernel) return;
  if (good(r, ts_kernel_launch(r->suite->queue, r->kernel, grid, NULL, &r->error)))
    good(r, ts_queue_finish(r->suite->queue, &r->error));
}
