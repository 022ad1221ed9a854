/* SPDX-License-Identifier: Apache-2.0
 *
 * check_fiber.c: fibers pause, go on, are used again and are abandoned. Not how work-groups use them: see check_group.c.
 */
#include <check.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../host/fiber.h"

/* A function that writes its steps down, pausing between them. */
struct walk {
  ts_fiber *fiber;
  int pauses; /* how many it makes */
  int steps;  /* how many it has made */
};

static void walk(void *argument) {
  struct walk *self = argument;
  for (int i = 0; i < self->pauses; i++) {
    self->steps++;
    ts_fiber_pause(self->fiber);
  }
  self->steps++;
}

START_TEST(fiber__runs_to_the_end_when_it_never_pauses) {
  struct walk self = {.fiber = ts_fiber_create(), .pauses = 0};
  ck_assert(ts_fiber_start(self.fiber, walk, &self));
  ck_assert_int_eq(self.steps, 1);
  ts_fiber_destroy(self.fiber);
}
END_TEST

START_TEST(fiber__goes_on_where_it_paused) {
  struct walk self = {.fiber = ts_fiber_create(), .pauses = 3};
  ck_assert(!ts_fiber_start(self.fiber, walk, &self));
  for (int step = 1; step <= 3; step++) {
    ck_assert_int_eq(self.steps, step);
    ck_assert_int_eq(ts_fiber_resume(self.fiber), step == 3);
  }
  ck_assert_int_eq(self.steps, 4);
  ts_fiber_destroy(self.fiber);
}
END_TEST

START_TEST(fiber__can_be_started_again) {
  struct walk self = {.fiber = ts_fiber_create(), .pauses = 1};
  for (int round = 0; round < 100; round++) {
    self.steps = 0;
    ck_assert(!ts_fiber_start(self.fiber, walk, &self));
    ck_assert(ts_fiber_resume(self.fiber));
    ck_assert_int_eq(self.steps, 2);
  }
  ts_fiber_destroy(self.fiber);
}
END_TEST

START_TEST(fiber__abandoned_in_its_middle_is_freed) {
  for (int round = 0; round < 100; round++) {
    struct walk self = {.fiber = ts_fiber_create(), .pauses = 1};
    ck_assert(!ts_fiber_start(self.fiber, walk, &self));
    ts_fiber_destroy(self.fiber);
    ck_assert_int_eq(self.steps, 1);
  }
}
END_TEST

START_TEST(fiber__destroy_takes_null) { ts_fiber_destroy(NULL); }
END_TEST

/* A paused function's own memory is its own: many of them at once, each with an array that it fills and checks. */
enum { CROWD = 1000, CROWD_BYTES = 4096 };

struct member {
  ts_fiber *fiber;
  int number;
  bool is_intact;
};

static void keep_bytes(void *argument) {
  struct member *self = argument;
  unsigned char bytes[CROWD_BYTES];
  memset(bytes, self->number % 251, sizeof bytes);
  ts_fiber_pause(self->fiber);
  self->is_intact = true;
  for (int i = 0; i < CROWD_BYTES; i++) {
    if (bytes[i] != self->number % 251) self->is_intact = false;
  }
}

START_TEST(fiber__keeps_its_stack_while_others_run) {
  struct member *members = calloc(CROWD, sizeof *members);
  for (int i = 0; i < CROWD; i++) {
    members[i] = (struct member){.fiber = ts_fiber_create(), .number = i};
    ck_assert_ptr_nonnull(members[i].fiber);
    ck_assert(!ts_fiber_start(members[i].fiber, keep_bytes, &members[i]));
  }
  for (int i = CROWD - 1; i >= 0; i--) {
    ck_assert(ts_fiber_resume(members[i].fiber));
    ck_assert(members[i].is_intact);
    ts_fiber_destroy(members[i].fiber);
  }
  free(members);
}
END_TEST

static void use_most_of_the_stack(void *argument) {
  volatile unsigned char bytes[TS_FIBER_STACK_BYTES - 32 * 1024];
  for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = 1;
  *(int *)argument = bytes[0] + bytes[sizeof bytes - 1];
}

START_TEST(fiber__has_the_stack_that_it_says) {
  int sum = 0;
  ts_fiber *fiber = ts_fiber_create();
  ck_assert(ts_fiber_start(fiber, use_most_of_the_stack, &sum));
  ck_assert_int_eq(sum, 2);
  ts_fiber_destroy(fiber);
}
END_TEST

/* Call itself, a KiB at a time, further than the stack reaches. */
static int dig(int depth) {
  volatile unsigned char bytes[1024];
  bytes[depth % 1024] = 1;
  int below = depth > 0 ? dig(depth - 1) : 0;
  return below + bytes[depth % 1024]; /* read after the call: the bytes are still in use there */
}

static void overrun(void *argument) { *(int *)argument = dig(TS_FIBER_STACK_BYTES / 1024); }

START_TEST(fiber__overrun_hits_the_guard_page) {
  int unused = 0;
  signal(SIGSEGV, SIG_DFL); /* a sanitizer's own handler would exit instead */
  ts_fiber_start(ts_fiber_create(), overrun, &unused);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("fiber");
  TCase *tests = tcase_create("fiber");
  suite_add_tcase(suite, tests);
  tcase_set_timeout(tests, 60);
  tcase_add_test(tests, fiber__runs_to_the_end_when_it_never_pauses);
  tcase_add_test(tests, fiber__goes_on_where_it_paused);
  tcase_add_test(tests, fiber__can_be_started_again);
  tcase_add_test(tests, fiber__abandoned_in_its_middle_is_freed);
  tcase_add_test(tests, fiber__destroy_takes_null);
  tcase_add_test(tests, fiber__keeps_its_stack_while_others_run);
  tcase_add_test(tests, fiber__has_the_stack_that_it_says);
  tcase_add_test_raise_signal(tests, fiber__overrun_hits_the_guard_page, SIGSEGV);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
