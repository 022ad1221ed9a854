/* SPDX-License-Identifier: Apache-2.0
 *
 * fuzz_copy.c: random TS_COPYs against the obvious reference: every byte of the destination's memory, gaps and surroundings
 * included. One program holds PROGRAM_PAIRS pairs of static layouts; each is copied by one item, then by a group.
 *
 *   fuzz_copy [--device ID] [--seed S] [--pairs N] [--minutes M] [--pair K]
 *
 *   --device   an id of `tensorstorage devices`, or cuda-shim; default: as of the tool
 *   --seed     of all that is random (default 0): the same pairs and bytes on every device
 *   --pairs    how many (default 2520, which is each pair of dtypes eleven times); rounded up to whole programs
 *   --minutes  go on with the next seeds until so much time has passed
 *   --pair     only this one of the seed, and print it
 *
 * Exit codes: 0 all are right, 1 some are not, 2 usage, 3 no such device, 5 a build or the driver failed, 6 memory.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tests/conformance/cases.h"
#include "tests/conformance/copy_pair.h"
#include "tests/conformance/copy_random.h"

extern const char ts_embedded_conformance_copy[];

enum { PROGRAM_PAIRS = 63, PAIRS = 40 * PROGRAM_PAIRS };

/* None divides the others' counts; the last is of three dimensions. */
static const size_t groups[][3] = {{7}, {3, 2, 2}, {16}, {1}};
enum { GROUPS = sizeof groups / sizeof *groups };

typedef struct fuzz {
  ts_device *device;
  ts_queue *queue;
  uint64_t seed;
  int pairs, only_pair; /* only_pair: -1 for all */
  double minutes;
  long long tried, skipped, failed;
  ts_error error;
  ts_buffer *dst, *src, *constants; /* COPY_MEMORY_BYTES each; `constants` holds what `src` does */
} fuzz;

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- crashes ---------------------------------------------------------------------------------------------------- */

/* What runs, for whoever has to find a crash: an access that is wider than its address allows may be one. */
static char running[128];
static struct sigaction old_action;

/* Say it, and let happen what would have. */
static void crashed(int signal_number) {
  ssize_t written = write(STDOUT_FILENO, running, strlen(running));
  (void)written;
  sigaction(signal_number, &old_action, NULL);
}

/* ---- one pair --------------------------------------------------------------------------------------------------- */

/* Say what is wrong, and how to see it again. */
static void complain(fuzz *f, const char *side, int index, const copy_pair *pair, const size_t *group,
                     const unsigned char *actual, const unsigned char *expected) {
  int wrong = 0, first = -1;
  for (int k = 0; k < COPY_MEMORY_BYTES; ++k)
    if (actual[k] != expected[k]) {
      ++wrong;
      if (first < 0) first = k;
    }
  if (!wrong) return;
  ++f->failed;
  printf("FAILED: by %s: %d bytes of the %s's memory are wrong, the first is byte %d: 0x%02x, must be 0x%02x\n",
         group ? "a group" : "one item", wrong, side, first, actual[first], expected[first]);
  printf("  element 0 of the destination starts at byte %lld, of the source at byte %lld\n", (long long)pair->dst.start,
         (long long)pair->src.start);
  if (group) printf("  a group of %zux%zux%zu\n", group[0], group[1] + !group[1], group[2] + !group[2]);
  copy_write_pair(stdout, index, pair);
  printf("  again: fuzz_copy --device %s --seed %" PRIu64 " --pair %d\n", ts_device_get_info(f->device)->id, f->seed, index);
}

/* The buffers hold what they should before the copy. group: NULL for one item. */
static ts_status copy_on_device(fuzz *f, ts_program *program, int number, int index, const copy_pair *pair,
                                const size_t *group) {
  char name[COPY_KERNEL_BYTES];
  copy_kernel_name(name, number, pair, group != NULL);
  ts_kernel *kernel = NULL;
  ts_grid grid = {{1}, {1}};
  if (group) {
    memcpy(grid.items, group, sizeof grid.items);
    memcpy(grid.group, group, sizeof grid.group);
  }
  ts_status status = ts_kernel_get(&kernel, program, name, &f->error);
  if (!status) status = ts_kernel_arg_buffer(kernel, "dst_cells", f->dst, &f->error);
  if (!status) status = ts_kernel_arg_buffer(kernel, "src_cells", f->src, &f->error);
  if (!status) status = ts_kernel_arg_buffer(kernel, "constant_cells", f->constants, &f->error);
  if (!status) status = ts_kernel_arg_i32(kernel, "number", number, &f->error);
  if (!status) status = ts_kernel_arg_i32(kernel, "dst_space", (int32_t)pair->dst.space, &f->error);
  snprintf(running, sizeof running, "CRASHED: fuzz_copy --device %s --seed %" PRIu64 " --pair %d\n",
           ts_device_get_info(f->device)->id, f->seed, index);
  if (!status) status = ts_kernel_launch(f->queue, kernel, grid, NULL, &f->error);
  if (!status) status = ts_queue_finish(f->queue, &f->error);
  ts_kernel_destroy(kernel);
  return status;
}

/* Copy, by one item (group is NULL) or by a group, and compare the memory of both sides. */
static ts_status try_pair(fuzz *f, ts_program *program, int number, int index, const copy_pair *pair, const size_t *group) {
  unsigned char src[COPY_MEMORY_BYTES], expected[COPY_MEMORY_BYTES], actual[COPY_MEMORY_BYTES];
  uint64_t random = random_state(f->seed, ~(uint64_t)index);
  copy_random_source(pair, src, &random);
  for (int k = 0; k < COPY_MEMORY_BYTES; ++k) expected[k] = (unsigned char)(next_random(&random) >> 56);
  ts_status status = ts_buffer_write(f->queue, f->dst, 0, expected, sizeof expected, &f->error);
  if (!status) status = ts_buffer_write(f->queue, f->src, 0, src, sizeof src, &f->error);
  if (!status) status = ts_buffer_write(f->queue, f->constants, 0, src, sizeof src, &f->error);
  if (!status) status = copy_on_device(f, program, number, index, pair, group);
  if (!status) status = ts_buffer_read(f->queue, f->dst, 0, actual, sizeof actual, &f->error);
  if (status) return status;
  copy_by_reference(pair, expected, src);
  copy_expect_any_nan(pair, expected, actual);
  complain(f, "destination", index, pair, group, actual, expected);
  status = ts_buffer_read(f->queue, f->src, 0, actual, sizeof actual, &f->error);
  if (!status) complain(f, "source", index, pair, group, actual, src);
  return status;
}

/* ---- one program ------------------------------------------------------------------------------------------------ */

static char *source_of(const copy_pair *pairs, int count) {
  char *text = NULL;
  size_t bytes = 0;
  FILE *f = open_memstream(&text, &bytes);
  if (!f) return NULL;
  copy_write_front(f, pairs, count);
  fputs(ts_embedded_conformance_copy, f);
  if (!fclose(f)) return text;
  free(text);
  return NULL;
}

static bool has_generic_side(const copy_pair *pair) {
  return pair->dst.space == TS_SPACE_generic || pair->src.space == TS_SPACE_generic;
}

/* The pairs from `first` on. */
static ts_status try_program(fuzz *f, int first, int count) {
  copy_pair pairs[PROGRAM_PAIRS];
  for (int k = 0; k < count; ++k) copy_random_pair(&pairs[k], f->seed, first + k);
  char *source = source_of(pairs, count);
  if (!source) return TS_ERROR_MEMORY;
  if (f->only_pair >= 0) copy_write_pair(stdout, first, &pairs[0]);
  ts_program *program = NULL;
  ts_status status = ts_program_build(&program, f->device, source, &(ts_build_options){.name = "copies.c"}, &f->error);
  const size_t *group = groups[first / PROGRAM_PAIRS % GROUPS];
  for (int k = 0; !status && k < count; ++k) {
    if (has_generic_side(&pairs[k]) && !ts_device_get_info(f->device)->has_generic) {
      ++f->skipped;
      continue;
    }
    ++f->tried;
    status = try_pair(f, program, k, first + k, &pairs[k], NULL);
    if (!status && copy_is_shareable(&pairs[k])) status = try_pair(f, program, k, first + k, &pairs[k], group);
  }
  if (status) printf("seed %" PRIu64 ", pairs %d to %d: %s\n", f->seed, first, first + count - 1, f->error.message);
  ts_program_destroy(program);
  free(source);
  return status;
}

/* ---- the command line ------------------------------------------------------------------------------------------- */

static int usage(void) {
  fputs("usage: fuzz_copy [--device ID] [--seed S] [--pairs N] [--minutes M] [--pair K]\n", stderr);
  return 2;
}

static ts_status open_device(fuzz *f, const char *device) {
  ts_status status = ts_device_open(&f->device, device, &f->error);
  if (!status) status = ts_queue_create(&f->queue, f->device, &f->error);
  if (!status) status = ts_buffer_create(&f->dst, f->device, TS_SPACE_global, COPY_MEMORY_BYTES, &f->error);
  if (!status) status = ts_buffer_create(&f->src, f->device, TS_SPACE_global, COPY_MEMORY_BYTES, &f->error);
  if (!status) status = ts_buffer_create(&f->constants, f->device, TS_SPACE_constant, COPY_MEMORY_BYTES, &f->error);
  if (status) fprintf(stderr, "fuzz_copy: %s\n", f->error.message);
  return status;
}

static void close_device(fuzz *f) {
  ts_buffer_destroy(f->dst);
  ts_buffer_destroy(f->src);
  ts_buffer_destroy(f->constants);
  ts_queue_destroy(f->queue);
  ts_device_close(f->device);
}

static ts_status try_all(fuzz *f) {
  double end = seconds() + 60 * f->minutes;
  ts_status status = TS_OK;
  do {
    for (int first = 0; !status && first < f->pairs; first += PROGRAM_PAIRS) {
      status = try_program(f, first, PROGRAM_PAIRS);
      fflush(stdout);
      if (f->minutes > 0 && seconds() >= end) break;
    }
    ++f->seed;
  } while (!status && seconds() < end);
  return status;
}

int main(int argc, char **argv) {
  fuzz f = {.pairs = PAIRS, .only_pair = -1};
  const char *device = NULL;
  for (int k = 1; k < argc; k += 2) {
    const char *option = argv[k], *value = argv[k + 1];
    char *end = "";
    if (!value) return usage();
    if (!strcmp(option, "--device"))
      device = value;
    else if (!strcmp(option, "--seed"))
      f.seed = strtoull(value, &end, 10);
    else if (!strcmp(option, "--pairs"))
      f.pairs = (int)strtol(value, &end, 10);
    else if (!strcmp(option, "--minutes"))
      f.minutes = strtod(value, &end);
    else if (!strcmp(option, "--pair"))
      f.only_pair = (int)strtol(value, &end, 10);
    else
      return usage();
    if (*end || !*value) return usage();
  }
  sigaction(SIGSEGV, &(struct sigaction){.sa_handler = crashed}, &old_action);
  double start = seconds();
  uint64_t seed = f.seed;
  ts_status status = open_device(&f, device);
  if (!status) status = f.only_pair >= 0 ? try_program(&f, f.only_pair, 1) : try_all(&f);
  if (f.device)
    printf("%s: %lld pairs from seed %" PRIu64 " on, %lld wrong; %lld with a generic side left out; %.1f s\n",
           ts_device_get_info(f.device)->id, f.tried, seed, f.failed, f.skipped, seconds() - start);
  close_device(&f);
  if (status) return status == TS_ERROR_NO_DEVICE ? 3 : status == TS_ERROR_MEMORY ? 6 : 5;
  return f.failed ? 1 : 0;
}
