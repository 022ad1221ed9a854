/* SPDX-License-Identifier: Apache-2.0
 *
 * fuzz_copy.c: random copies against the obvious reference: every byte of the destination's memory, gaps and surroundings
 * included, and none of the source's changes. One program holds PROGRAM_COPIES of them; each is done by one item, then by a
 * group.
 *
 *   fuzz_copy [--device ID] [--seed S] [--minutes M] [--static N] [--dynamic N] [--pair K] [--dynamic-pair K]
 *
 *   --device ID      an id of `tensorstorage devices`, or cuda-shim; default: as of the tool
 *   --seed S         of all that is random (default 0): the same pairs and bytes on every device
 *   --minutes M      go on with the next seeds until so much time has passed
 *   --static N       how many TS_COPY, each of a pair of static layouts; default 2520, each pair of dtypes eleven times
 *   --dynamic N      how many pairs of layouts for TS_COPY_DYNAMIC, LAYOUTS for each copy; default 35280, since a device may
 *                    lack generic pointers. Both are rounded up to whole programs, and 0 is none
 *   --pair K         only this static one of the seed, and print it
 *   --dynamic-pair K likewise of the dynamic ones
 *
 * Exit codes: 0 all are right, 1 some are not, 2 usage, 3 no such device, 4 no pair was tried, 5 a build or the driver failed,
 * 6 memory.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tests/conformance/cases.h"
#include "tests/conformance/copy_pair.h"
#include "tests/conformance/copy_random.h"

extern const char ts_embedded_conformance_copy[];

enum { PROGRAM_COPIES = 63, LAYOUTS = 140, STATIC_PAIRS = 40 * PROGRAM_COPIES, DYNAMIC_PAIRS = 4 * PROGRAM_COPIES * LAYOUTS };

/* None divides the others' counts; the last is of three dimensions. */
static const size_t groups[][3] = {{7}, {3, 2, 2}, {16}, {1}};
enum { GROUPS = sizeof groups / sizeof *groups };

typedef struct fuzz {
  ts_device *device;
  ts_queue *queue;
  uint64_t seed;
  int static_pairs, dynamic_pairs;
  int only_pair;   /* of the static ones, or of the dynamic ones; -1 for all */
  bool is_dynamic; /* what runs */
  double minutes;
  long long tried, skipped, failed;
  ts_error error;
  ts_buffer *dst, *src, *constants; /* COPY_MEMORY_BYTES each; `constants` holds what `src` does */
  ts_buffer *numbers;
} fuzz;

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- crashes ---------------------------------------------------------------------------------------------------- */

/* What runs, for whoever has to find a crash: an access that is wider than its address allows may be one. */
static char running[160];
static struct sigaction old_action;

/* Say it, and let happen what would have. */
static void crashed(int signal_number) {
  ssize_t written = write(STDOUT_FILENO, running, strlen(running));
  (void)written;
  sigaction(signal_number, &old_action, NULL);
}

/* The command that runs a pair alone. */
static void command_of(char *text, size_t bytes, const fuzz *f, int index) {
  snprintf(text, bytes, "fuzz_copy --device %s --seed %" PRIu64 " %s %d\n", ts_device_get_info(f->device)->id, f->seed,
           f->is_dynamic ? "--dynamic-pair" : "--pair", index);
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
  printf("FAILED: %s, by %s: %d bytes of the %s's memory are wrong, the first is byte %d: 0x%02x, must be 0x%02x\n",
         f->is_dynamic ? "dynamic" : "static", group ? "a group" : "one item", wrong, side, first, actual[first],
         expected[first]);
  printf("  element 0 of the destination starts at byte %lld, of the source at byte %lld\n", (long long)pair->dst.start,
         (long long)pair->src.start);
  if (group) printf("  a group of %zux%zux%zu\n", group[0], group[1] + !group[1], group[2] + !group[2]);
  copy_write_pair(stdout, index, pair);
  char again[128];
  command_of(again, sizeof again, f, index);
  printf("  again: %s", again);
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
  if (!status) status = ts_kernel_arg_buffer(kernel, "number_cells", f->numbers, &f->error);
  if (!status) status = ts_kernel_arg_i32(kernel, "number", number, &f->error);
  if (!status) status = ts_kernel_arg_i32(kernel, "dst_space", (int32_t)pair->dst.space, &f->error);
  snprintf(running, sizeof running, "CRASHED: ");
  command_of(running + strlen(running), sizeof running - strlen(running), f, index);
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
  int64_t numbers[COPY_NUMBERS];
  copy_numbers(numbers, pair);
  ts_status status = ts_buffer_write(f->queue, f->numbers, 0, numbers, sizeof numbers, &f->error);
  if (!status) status = ts_buffer_write(f->queue, f->dst, 0, expected, sizeof expected, &f->error);
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

static char *source_of(const copy_pair *pairs, int count, bool is_dynamic) {
  char *text = NULL;
  size_t bytes = 0;
  FILE *f = open_memstream(&text, &bytes);
  if (!f) return NULL;
  copy_write_front(f, pairs, count, is_dynamic);
  fputs(ts_embedded_conformance_copy, f);
  if (!fclose(f)) return text;
  free(text);
  return NULL;
}

static bool has_generic_side(const copy_pair *pair) {
  return pair->dst.space == TS_SPACE_generic || pair->src.space == TS_SPACE_generic;
}

/* Copy `number` of a program, which is pair `index`, by one item and by a group. */
static ts_status try_both(fuzz *f, ts_program *program, int number, int index, const copy_pair *pair, const size_t *group) {
  if (has_generic_side(pair) && !ts_device_get_info(f->device)->has_generic) {
    ++f->skipped;
    return TS_OK;
  }
  ++f->tried;
  if (f->only_pair >= 0) copy_write_pair(stdout, index, pair);
  ts_status status = try_pair(f, program, number, index, pair, NULL);
  if (!status && copy_is_shareable(pair)) status = try_pair(f, program, number, index, pair, group);
  return status;
}

/* Copy `number` of a program, or all pairs of layouts that are tried with it, if it is dynamic. */
static ts_status try_copy(fuzz *f, ts_program *program, int number, int copy, const copy_pair *pair) {
  /* One shape of groups for a copy, since drivers compile a kernel for each anew; another one from program to program. */
  const size_t *group = groups[(copy + copy / PROGRAM_COPIES) % GROUPS];
  if (!f->is_dynamic) return try_both(f, program, number, copy, pair, group);
  ts_status status = TS_OK;
  for (int l = 0; !status && l < LAYOUTS; ++l) {
    int index = copy * LAYOUTS + l;
    copy_pair with_layouts = *pair;
    copy_random_layouts(&with_layouts, f->seed, index);
    if (f->only_pair < 0 || index == f->only_pair) status = try_both(f, program, number, index, &with_layouts, group);
  }
  return status;
}

/* The copies from `first` on. */
static ts_status try_program(fuzz *f, int first, int count) {
  copy_pair pairs[PROGRAM_COPIES];
  for (int k = 0; k < count; ++k) copy_random_pair(&pairs[k], f->seed, first + k);
  char *source = source_of(pairs, count, f->is_dynamic);
  if (!source) return TS_ERROR_MEMORY;
  ts_program *program = NULL;
  ts_status status =
      ts_program_build(&program, f->device, source, &(ts_build_options){.name = "copies.c", .uncached = true}, &f->error);
  for (int k = 0; !status && k < count; ++k) status = try_copy(f, program, k, first + k, &pairs[k]);
  if (status) printf("seed %" PRIu64 ", copies %d to %d: %s\n", f->seed, first, first + count - 1, f->error.message);
  ts_program_destroy(program);
  free(source);
  return status;
}

/* ---- the command line ------------------------------------------------------------------------------------------- */

enum { PAIRS_MAX = 1000000000 };

static const char usage_line[] =
    "usage: fuzz_copy [--device ID] [--seed S] [--minutes M] [--static N] [--dynamic N] [--pair K] [--dynamic-pair K]\n";

/* Say what an option's value is to be. Returns the exit code. */
static int fail_option(const char *option, const char *value, const char *is) {
  fprintf(stderr, "fuzz_copy: %s is %s, not \"%s\"\n", option, is, value);
  return 2;
}

/* A number of digits alone, from 0 to `most`. Returns false if it is none. */
static bool read_number(uint64_t *number, const char *text, uint64_t most) {
  char *end;
  errno = 0;
  *number = strtoull(text, &end, 10);
  return isdigit((unsigned char)*text) && !*end && !errno && *number <= most;
}

static bool read_minutes(double *minutes, const char *text) {
  char *end;
  *minutes = strtod(text, &end);
  bool is_decimal = (isdigit((unsigned char)*text) || *text == '.') && !text[strspn(text, "0123456789.e+-")];
  return is_decimal && !*end && isfinite(*minutes) && *minutes > 0;
}

/* Take an option and its value; `device` gets the name of one. Returns 0, or 2 after a sentence. */
static int take_option(fuzz *f, const char **device, const char *option, const char *value) {
  uint64_t number;
  if (!strcmp(option, "--device")) {
    *device = value;
  } else if (!strcmp(option, "--seed")) {
    if (!read_number(&f->seed, value, UINT64_MAX)) return fail_option(option, value, "a number from 0 to 2^64 - 1");
  } else if (!strcmp(option, "--minutes")) {
    if (!read_minutes(&f->minutes, value)) return fail_option(option, value, "a number above 0, such as 30 or 0.5");
  } else if (!strcmp(option, "--static") || !strcmp(option, "--dynamic")) {
    if (!read_number(&number, value, PAIRS_MAX)) return fail_option(option, value, "a number of pairs, 0 to 1000000000");
    *(option[2] == 's' ? &f->static_pairs : &f->dynamic_pairs) = (int)number;
  } else if (!strcmp(option, "--pair") || !strcmp(option, "--dynamic-pair")) {
    if (!read_number(&number, value, PAIRS_MAX)) return fail_option(option, value, "the number of a pair, 0 to 1000000000");
    f->only_pair = (int)number;
    f->is_dynamic = option[2] == 'd';
  } else {
    fprintf(stderr, "fuzz_copy: there is no option %s\n%s", option, usage_line);
    return 2;
  }
  return 0;
}

static ts_status open_device(fuzz *f, const char *device) {
  ts_status status = ts_device_open(&f->device, device, &f->error);
  if (!status) status = ts_queue_create(&f->queue, f->device, &f->error);
  if (!status) status = ts_buffer_create(&f->dst, f->device, TS_SPACE_global, COPY_MEMORY_BYTES, &f->error);
  if (!status) status = ts_buffer_create(&f->src, f->device, TS_SPACE_global, COPY_MEMORY_BYTES, &f->error);
  if (!status) status = ts_buffer_create(&f->constants, f->device, TS_SPACE_constant, COPY_MEMORY_BYTES, &f->error);
  if (!status) status = ts_buffer_create(&f->numbers, f->device, TS_SPACE_global, COPY_NUMBERS * sizeof(int64_t), &f->error);
  if (status) fprintf(stderr, "fuzz_copy: %s\n", f->error.message);
  return status;
}

static void close_device(fuzz *f) {
  ts_buffer_destroy(f->dst);
  ts_buffer_destroy(f->src);
  ts_buffer_destroy(f->constants);
  ts_buffer_destroy(f->numbers);
  ts_queue_destroy(f->queue);
  ts_device_close(f->device);
}

/* Programs until there are `pairs`, of which a copy takes `of_each`, or until `end`. */
static ts_status try_programs(fuzz *f, bool is_dynamic, int pairs, int of_each, double end) {
  ts_status status = TS_OK;
  f->is_dynamic = is_dynamic;
  for (int first = 0; !status && first * of_each < pairs && (f->minutes <= 0 || seconds() < end); first += PROGRAM_COPIES) {
    status = try_program(f, first, PROGRAM_COPIES);
    fflush(stdout);
  }
  return status;
}

static ts_status try_all(fuzz *f) {
  double end = seconds() + 60 * f->minutes;
  ts_status status;
  do {
    status = try_programs(f, false, f->static_pairs, 1, end);
    if (!status) status = try_programs(f, true, f->dynamic_pairs, LAYOUTS, end);
    ++f->seed;
  } while (!status && seconds() < end);
  return status;
}

int main(int argc, char **argv) {
  fuzz f = {.static_pairs = STATIC_PAIRS, .dynamic_pairs = DYNAMIC_PAIRS, .only_pair = -1};
  const char *device = NULL;
  if (argc == 2 && !strcmp(argv[1], "--help")) return fputs(usage_line, stdout) < 0 ? 6 : 0;
  for (int k = 1; k < argc; k += 2) {
    if (k + 1 == argc) {
      fprintf(stderr, "fuzz_copy: nothing follows %s\n%s", argv[k], usage_line);
      return 2;
    }
    int code = take_option(&f, &device, argv[k], argv[k + 1]);
    if (code) return code;
  }
  sigaction(SIGSEGV, &(struct sigaction){.sa_handler = crashed}, &old_action);
  double start = seconds();
  uint64_t seed = f.seed;
  ts_status status = open_device(&f, device);
  if (!status) status = f.only_pair >= 0 ? try_program(&f, f.is_dynamic ? f.only_pair / LAYOUTS : f.only_pair, 1) : try_all(&f);
  if (f.device)
    printf("%s: %lld pairs from seed %" PRIu64 " on, %lld wrong; %lld with a generic side left out; %.1f s\n",
           ts_device_get_info(f.device)->id, f.tried, seed, f.failed, f.skipped, seconds() - start);
  close_device(&f);
  if (status) return status == TS_ERROR_NO_DEVICE ? 3 : status == TS_ERROR_MEMORY ? 6 : 5;
  if (!f.tried) fputs("fuzz_copy: no pair was tried: the counts are 0, or the device has no generic pointers\n", stderr);
  return f.failed ? 1 : f.tried ? 0 : 4;
}
