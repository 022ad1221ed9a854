/* SPDX-License-Identifier: Apache-2.0
 *
 * check_group.c: work-groups run, wait at barriers, share memory, and fail in words.
 *
 * The kernels are launch functions of this file: no compiler takes part.
 */
#define _POSIX_C_SOURCE 200809L /* fork, nanosleep */
#include <check.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../host/group.h"

enum { SHARED_LIMIT = 64 * 1024, THREADS = 4 };

/* Launch a function on `argument_count` pointers. */
static ts_status launch(ts_host_launch_function *function, const size_t count[3], const size_t size[3],
                        const ts_group_argument *arguments, size_t argument_count, ts_error *error) {
  ts_group_launch it = {.function = function,
                        .kernel = "tested",
                        .arguments = arguments,
                        .argument_count = argument_count,
                        .group_count = {count[0], count[1], count[2]},
                        .group_size = {size[0], size[1], size[2]},
                        .shared_limit = SHARED_LIMIT,
                        .threads = THREADS};
  *error = (ts_error){.status = TS_OK};
  return ts_group_run(&it, error);
}

static size_t item_number(const struct ts_host_item *item) {
  const int *id = item->item_in_group, *size = item->group_size;
  return ((size_t)id[2] * (size_t)size[1] + (size_t)id[1]) * (size_t)size[0] + (size_t)id[0];
}

static size_t group_number(const struct ts_host_item *item) {
  const int *id = item->group_id, *count = item->group_count;
  return ((size_t)id[2] * (size_t)count[1] + (size_t)id[1]) * (size_t)count[0] + (size_t)id[0];
}

static size_t group_items(const struct ts_host_item *item) {
  return (size_t)item->group_size[0] * (size_t)item->group_size[1] * (size_t)item->group_size[2];
}

/* ---- ids ------------------------------------------------------------------------------------------------------ */

/* Sizes that share factors: a wrong division would mix items up. */
enum { IDS = 2 * 3 * 4 * 4 * 2 * 3 };
struct seen {
  int times;
  struct ts_host_item item;
};

/* arguments: seen[work-items of the launch], by group and item. */
static void write_ids(struct ts_host_item *item, void *const *arguments) {
  struct seen *seen = *(struct seen **)arguments[0] + group_number(item) * group_items(item) + item_number(item);
  seen->times++;
  seen->item = *item;
}

static void write_ids_after_barrier(struct ts_host_item *item, void *const *arguments) {
  item->barrier(item);
  write_ids(item, arguments);
}

static void check_ids(ts_host_launch_function *function) {
  const size_t count[3] = {2, 3, 4}, size[3] = {4, 2, 3};
  struct seen *seen = calloc(IDS, sizeof *seen), *each = seen;
  ts_group_argument argument = {.value = &seen};
  ts_error error;
  ck_assert_int_eq(launch(function, count, size, &argument, 1, &error), TS_OK);
  for (int gz = 0; gz < 4; gz++) {
    for (int gy = 0; gy < 3; gy++) {
      for (int gx = 0; gx < 2; gx++) {
        for (int z = 0; z < 3; z++) {
          for (int y = 0; y < 2; y++) {
            for (int x = 0; x < 4; x++, each++) {
              const int group[3] = {gx, gy, gz}, item[3] = {x, y, z};
              ck_assert_int_eq(each->times, 1);
              for (int d = 0; d < 3; d++) {
                ck_assert_int_eq(each->item.item_in_group[d], item[d]);
                ck_assert_int_eq(each->item.group_id[d], group[d]);
                ck_assert_int_eq(each->item.group_size[d], (int)size[d]);
                ck_assert_int_eq(each->item.group_count[d], (int)count[d]);
                ck_assert_int_eq(each->item.global_id[d], group[d] * (int)size[d] + item[d]);
              }
            }
          }
        }
      }
    }
  }
  free(seen);
}

START_TEST(group_run__gives_every_item_its_ids_once) { check_ids(write_ids); }
END_TEST

START_TEST(group_run__keeps_ids_across_a_barrier) { check_ids(write_ids_after_barrier); }
END_TEST

/* ---- barriers ------------------------------------------------------------------------------------------------- */

static const char tile_site, other_site;

/* Each item adds what all items of the group wrote, by a tree in shared memory. arguments: uint32_t sums[groups]. */
static void reduce(struct ts_host_item *item, void *const *arguments) {
  size_t items = group_items(item), me = item_number(item);
  uint32_t *tile = item->shared(item, &tile_site, items * sizeof *tile);
  tile[me] = (uint32_t)(me + 1 + group_number(item));
  item->barrier(item);
  for (size_t left = items; left > 1;) {
    size_t half = (left + 1) / 2;
    if (me + half < left) tile[me] += tile[me + half];
    item->barrier(item);
    left = half;
  }
  if (me == 0) (*(uint32_t **)arguments[0])[group_number(item)] = tile[0];
}

static void check_reduction(size_t groups, size_t x, size_t y, size_t z) {
  uint32_t *sums = calloc(groups, sizeof *sums);
  ts_group_argument argument = {.value = &sums};
  ts_error error;
  ck_assert_int_eq(launch(reduce, (size_t[3]){groups, 1, 1}, (size_t[3]){x, y, z}, &argument, 1, &error), TS_OK);
  size_t items = x * y * z;
  for (size_t group = 0; group < groups; group++) {
    uint32_t right = 0;
    for (size_t item = 0; item < items; item++) right += (uint32_t)(item + 1 + group);
    ck_assert_uint_eq(sums[group], right);
  }
  free(sums);
}

static const size_t reduced_items[] = {1, 2, 3, 256, 1024};

START_TEST(group_run__reduces_through_shared_memory) { check_reduction(1, reduced_items[_i], 1, 1); }
END_TEST

START_TEST(group_run__reduces_in_three_dimensions) { check_reduction(3, 5, 7, 2); }
END_TEST

START_TEST(group_run__reduces_many_groups_on_threads) { check_reduction(500, 32, 1, 1); }
END_TEST

/* Every item passes the barrier only when all have written their step. arguments: int wrong[1]. */
static void keep_step(struct ts_host_item *item, void *const *arguments) {
  size_t items = group_items(item), me = item_number(item);
  int *step = item->shared(item, &tile_site, items * sizeof *step);
  int *wrong = *(int **)arguments[0];
  for (int i = 0; i < 10; i++) {
    step[me] = i;
    item->barrier(item);
    for (size_t other = 0; other < items; other++) *wrong += step[other] != i;
    item->barrier(item);
  }
}

START_TEST(barrier__lets_nobody_pass_before_all_arrived) {
  int wrong = 0, *out = &wrong;
  ts_group_argument argument = {.value = &out};
  ts_error error;
  ck_assert_int_eq(launch(keep_step, (size_t[3]){1, 1, 1}, (size_t[3]){64, 1, 1}, &argument, 1, &error), TS_OK);
  ck_assert_int_eq(wrong, 0);
}
END_TEST

/* Items that share a thread share its stack while none waits. arguments: const void *frames[work-items]. */
static void note_frame(struct ts_host_item *item, void *const *arguments) {
  (*(const void ***)arguments[0])[item_number(item)] = item;
}

START_TEST(group_run__uses_one_stack_without_a_barrier) {
  const void *frames[100], **out = frames;
  ts_group_argument argument = {.value = &out};
  ts_error error;
  ck_assert_int_eq(launch(note_frame, (size_t[3]){1, 1, 1}, (size_t[3]){100, 1, 1}, &argument, 1, &error), TS_OK);
  for (int i = 1; i < 100; i++) ck_assert_ptr_eq(frames[i], frames[0]);
}
END_TEST

/* ---- divergence ----------------------------------------------------------------------------------------------- */

/* In group (1,2,0), the items below `first` wait before the others; those at or above it end. arguments: int first. */
static void diverge(struct ts_host_item *item, void *const *arguments) {
  item->barrier(item);
  bool is_here = item->group_id[0] == 1 && item->group_id[1] == 2;
  if (!is_here || (int)item_number(item) < *(int *)arguments[0]) item->barrier(item);
}

/* The same at the first barrier that any item reaches. */
static void diverge_at_once(struct ts_host_item *item, void *const *arguments) {
  if ((int)item_number(item) < *(int *)arguments[0]) item->barrier(item);
}

START_TEST(barrier__that_some_never_reach_is_an_error_in_words) {
  int first = 3;
  ts_group_argument argument = {.value = &first};
  ts_error error;
  ck_assert_int_eq(launch(diverge, (size_t[3]){2, 3, 1}, (size_t[3]){8, 1, 1}, &argument, 1, &error), TS_ERROR_KERNEL);
  ck_assert_int_eq(error.status, TS_ERROR_KERNEL);
  ck_assert_ptr_nonnull(strstr(error.message, "kernel tested: a barrier was not reached by all work-items of group (1,2,0): "
                                              "3 wait, 5 ended"));
}
END_TEST

START_TEST(barrier__that_some_never_reach_first_of_all_is_found) {
  int first = 1023;
  ts_group_argument argument = {.value = &first};
  ts_error error;
  ck_assert_int_eq(launch(diverge_at_once, (size_t[3]){1, 1, 1}, (size_t[3]){1024, 1, 1}, &argument, 1, &error),
                   TS_ERROR_KERNEL);
  ck_assert_ptr_nonnull(strstr(error.message, "1023 wait, 1 ended"));
}
END_TEST

START_TEST(barrier__that_nobody_reaches_is_fine) {
  int first = 0;
  ts_group_argument argument = {.value = &first};
  ts_error error;
  ck_assert_int_eq(launch(diverge, (size_t[3]){2, 3, 1}, (size_t[3]){8, 1, 1}, &argument, 1, &error), TS_OK);
}
END_TEST

/* Group 0 fails at once; the others are counted and take a millisecond. arguments: atomic_int started. */
static void count_or_diverge(struct ts_host_item *item, void *const *arguments) {
  if (item_number(item) > 0) return;
  atomic_fetch_add(*(atomic_int **)arguments[0], 1);
  if (item->group_id[0] == 0) item->barrier(item);
  nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

START_TEST(group_run__starts_no_group_after_a_failure) {
  atomic_int started = 0, *out = &started;
  ts_group_argument argument = {.value = &out};
  ts_error error;
  ck_assert_int_eq(launch(count_or_diverge, (size_t[3]){2000, 1, 1}, (size_t[3]){2, 1, 1}, &argument, 1, &error),
                   TS_ERROR_KERNEL);
  ck_assert_int_lt(atomic_load(&started), 2000);
  ck_assert_ptr_nonnull(strstr(error.message, "group (0,0,0)"));
}
END_TEST

/* Every group fails. arguments: none. */
static void diverge_always(struct ts_host_item *item, void *const *arguments) {
  (void)arguments;
  if (item_number(item) == 0) item->barrier(item);
}

START_TEST(group_run__tells_the_failure_of_the_first_group) {
  ts_error error;
  ck_assert_int_eq(launch(diverge_always, (size_t[3]){100, 1, 1}, (size_t[3]){2, 1, 1}, NULL, 0, &error), TS_ERROR_KERNEL);
  ck_assert_ptr_nonnull(strstr(error.message, "group (0,0,0)"));
}
END_TEST

/* ---- shared memory -------------------------------------------------------------------------------------------- */

/* Count the bytes that are not garbage when the group starts, then spoil them. arguments: atomic_int spoilt; dynamic shared. */
static void count_spoilt(struct ts_host_item *item, void *const *arguments) {
  unsigned char *declared = item->shared(item, &tile_site, 100), *dynamic = *(unsigned char **)arguments[1];
  atomic_int *spoilt = *(atomic_int **)arguments[0];
  for (int i = 0; i < 100; i++) {
    if (declared[i] != 0xA5) atomic_fetch_add(spoilt, 1);
    if (dynamic[i] != 0xA5) atomic_fetch_add(spoilt, 1);
    declared[i] = dynamic[i] = 0;
  }
}

START_TEST(shared__is_garbage_when_a_group_starts) {
  atomic_int spoilt = 0, *out = &spoilt;
  ts_group_argument arguments[] = {{.value = &out}, {.is_shared = true, .shared_bytes = 100}};
  ts_error error;
  ck_assert_int_eq(launch(count_spoilt, (size_t[3]){100, 1, 1}, (size_t[3]){1, 1, 1}, arguments, 2, &error), TS_OK);
  ck_assert_int_eq(atomic_load(&spoilt), 0);
}
END_TEST

/* arguments: int wrong; dynamic shared a, b. */
static void tell_blocks_apart(struct ts_host_item *item, void *const *arguments) {
  unsigned char *blocks[4] = {item->shared(item, &tile_site, 7), item->shared(item, &other_site, 7),
                              *(unsigned char **)arguments[1], *(unsigned char **)arguments[2]};
  int *wrong = *(int **)arguments[0];
  for (int i = 0; i < 4; i++) {
    *wrong += (uintptr_t)blocks[i] % 128 != 0;
    for (int j = 0; j < i; j++) *wrong += blocks[i] == blocks[j];
  }
  *wrong += item->shared(item, &tile_site, 7) != blocks[0];
  if (item_number(item) == 0) blocks[0][6] = 42;
  item->barrier(item);
  *wrong += blocks[0][6] != 42;
}

START_TEST(shared__is_one_aligned_block_for_each_declaration) {
  int wrong = 0, *out = &wrong;
  ts_group_argument arguments[] = {
      {.value = &out}, {.is_shared = true, .shared_bytes = 7}, {.is_shared = true, .shared_bytes = 7}};
  ts_error error;
  ck_assert_int_eq(launch(tell_blocks_apart, (size_t[3]){1, 1, 1}, (size_t[3]){4, 1, 1}, arguments, 3, &error), TS_OK);
  ck_assert_int_eq(wrong, 0);
}
END_TEST

/* arguments: size_t bytes. */
static void take_shared(struct ts_host_item *item, void *const *arguments) {
  unsigned char *bytes = item->shared(item, &tile_site, *(size_t *)arguments[0]);
  bytes[0] = 1;
}

START_TEST(shared__at_the_limit_is_given) {
  size_t bytes = SHARED_LIMIT;
  ts_group_argument argument = {.value = &bytes};
  ts_error error;
  ck_assert_int_eq(launch(take_shared, (size_t[3]){1, 1, 1}, (size_t[3]){4, 1, 1}, &argument, 1, &error), TS_OK);
}
END_TEST

START_TEST(shared__over_the_limit_is_an_error_in_words) {
  size_t bytes = SHARED_LIMIT;
  ts_group_argument arguments[] = {{.value = &bytes}, {.is_shared = true, .shared_bytes = 1}};
  ts_error error;
  ck_assert_int_eq(launch(take_shared, (size_t[3]){1, 1, 1}, (size_t[3]){4, 1, 1}, arguments, 2, &error), TS_ERROR_LIMIT);
  ck_assert_ptr_nonnull(strstr(error.message, "asks for 65537 bytes of shared memory, the device has 65536"));
}
END_TEST

START_TEST(shared__argument_over_the_limit_is_an_error_before_any_item_runs) {
  ts_group_argument arguments[] = {{.value = NULL}, {.is_shared = true, .shared_bytes = SHARED_LIMIT + 1}};
  ts_error error;
  ck_assert_int_eq(launch(take_shared, (size_t[3]){1, 1, 1}, (size_t[3]){4, 1, 1}, arguments, 2, &error), TS_ERROR_LIMIT);
}
END_TEST

START_TEST(shared__argument_may_be_empty) {
  int first = 0;
  ts_group_argument arguments[] = {{.value = &first}, {.is_shared = true, .shared_bytes = 0}};
  ts_error error;
  ck_assert_int_eq(launch(diverge, (size_t[3]){1, 1, 1}, (size_t[3]){4, 1, 1}, arguments, 2, &error), TS_OK);
}
END_TEST

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_ASAN 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define HAS_ASAN 1
#endif

#ifdef HAS_ASAN
/* arguments: size_t where. */
static void write_shared_at(struct ts_host_item *item, void *const *arguments) {
  unsigned char *bytes = item->shared(item, &tile_site, 101);
  item->barrier(item);
  bytes[*(size_t *)arguments[0]] = 1;
}

/* Run write_shared_at in a child, without its words. Returns whether it ended well. */
static bool child_ends_well(size_t where) {
  fflush(NULL);
  pid_t child = fork();
  ck_assert_int_ge(child, 0);
  if (child == 0) {
    close(STDERR_FILENO);
    ts_group_argument argument = {.value = &where};
    ts_error error;
    _exit(launch(write_shared_at, (size_t[3]){1, 1, 1}, (size_t[3]){4, 1, 1}, &argument, 1, &error) == TS_OK ? 0 : 1);
  }
  int status;
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

START_TEST(shared__has_an_end_that_the_address_sanitizer_knows) {
  ck_assert(child_ends_well(100));
  ck_assert(!child_ends_well(101));
}
END_TEST
#endif

/* ---- what a work-item says, and what is told of a group ------------------------------------------------------------ */

/* arguments: bool must_wait, atomic_int after. */
static void refuse_in_third(struct ts_host_item *item, void *const *arguments) {
  if (*(bool *)arguments[0]) item->barrier(item);
  if (item_number(item) != 2) return;
  item->refuse(item, "there is no ink left");
  atomic_fetch_add((atomic_int *)arguments[1], 1);
}

START_TEST(group_run__ends_with_the_sentence_of_an_item) {
  const size_t count[3] = {3, 1, 1}, size[3] = {4, 1, 1};
  bool must_wait = _i == 1;
  atomic_int after = 0;
  ts_group_argument arguments[] = {{.value = &must_wait}, {.value = &after}};
  ts_error error;
  ck_assert_int_eq(launch(refuse_in_third, count, size, arguments, 2, &error), TS_ERROR_KERNEL);
  ck_assert_str_eq(error.message, "kernel tested: there is no ink left");
  ck_assert_int_eq(after, 0);
}
END_TEST

static _Thread_local bool has_started; /* the group that this thread runs */
static atomic_int starts, items_before_start;

static void note_start(void *context) {
  has_started = true;
  atomic_fetch_add((atomic_int *)context, 1);
}

static void look_for_start(struct ts_host_item *item, void *const *arguments) {
  (void)arguments;
  if (!has_started) atomic_fetch_add(&items_before_start, 1);
  item->barrier(item);
  if (item_number(item) + 1 == group_items(item)) has_started = false;
}

START_TEST(group_run__tells_the_start_of_each_group_on_its_thread) {
  starts = items_before_start = 0;
  ts_group_launch it = {.function = look_for_start,
                        .kernel = "tested",
                        .group_count = {20, 2, 1},
                        .group_size = {5, 1, 1},
                        .shared_limit = SHARED_LIMIT,
                        .threads = THREADS,
                        .group_start = note_start,
                        .context = &starts};
  ts_error error = {.status = TS_OK};
  ck_assert_int_eq(ts_group_run(&it, &error), TS_OK);
  ck_assert_int_eq(starts, 40);
  ck_assert_int_eq(items_before_start, 0);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("group");
  TCase *tests = tcase_create("group");
  suite_add_tcase(suite, tests);
  tcase_set_timeout(tests, 120);
  tcase_add_test(tests, group_run__gives_every_item_its_ids_once);
  tcase_add_test(tests, group_run__keeps_ids_across_a_barrier);
  tcase_add_loop_test(tests, group_run__reduces_through_shared_memory, 0,
                      (int)(sizeof reduced_items / sizeof reduced_items[0]));
  tcase_add_test(tests, group_run__reduces_in_three_dimensions);
  tcase_add_test(tests, group_run__reduces_many_groups_on_threads);
  tcase_add_test(tests, barrier__lets_nobody_pass_before_all_arrived);
  tcase_add_test(tests, group_run__uses_one_stack_without_a_barrier);
  tcase_add_test(tests, barrier__that_some_never_reach_is_an_error_in_words);
  tcase_add_test(tests, barrier__that_some_never_reach_first_of_all_is_found);
  tcase_add_test(tests, barrier__that_nobody_reaches_is_fine);
  tcase_add_test(tests, group_run__starts_no_group_after_a_failure);
  tcase_add_test(tests, group_run__tells_the_failure_of_the_first_group);
  tcase_add_loop_test(tests, group_run__ends_with_the_sentence_of_an_item, 0, 2);
  tcase_add_test(tests, group_run__tells_the_start_of_each_group_on_its_thread);
  tcase_add_test(tests, shared__is_garbage_when_a_group_starts);
  tcase_add_test(tests, shared__is_one_aligned_block_for_each_declaration);
  tcase_add_test(tests, shared__at_the_limit_is_given);
  tcase_add_test(tests, shared__over_the_limit_is_an_error_in_words);
  tcase_add_test(tests, shared__argument_over_the_limit_is_an_error_before_any_item_runs);
  tcase_add_test(tests, shared__argument_may_be_empty);
#ifdef HAS_ASAN
  tcase_add_test(tests, shared__has_an_end_that_the_address_sanitizer_knows);
#endif
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
