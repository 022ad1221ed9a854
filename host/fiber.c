/* SPDX-License-Identifier: Apache-2.0
 *
 * fiber.c: fibers on ucontext, each with a mapped stack.
 *
 * A switch costs a system call (for the signal mask): kernels without a barrier never switch for an item, see group.c.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS, MAP_STACK */
#include "fiber.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#ifdef TS_FIBER_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef TS_FIBER_TSAN
#include <sanitizer/tsan_interface.h>

/* Of ThreadSanitizer's run-time library, which declares them in no header. */
void AnnotateIgnoreReadsBegin(const char *file, int line);
void AnnotateIgnoreReadsEnd(const char *file, int line);
void AnnotateIgnoreWritesBegin(const char *file, int line);
void AnnotateIgnoreWritesEnd(const char *file, int line);
#endif

struct ts_fiber {
  ucontext_t own;    /* where the fiber's function goes on */
  ucontext_t caller; /* where whoever runs it goes on */
  unsigned char *mapping;
  size_t guard_bytes;
  ts_fiber_function *function;
  void *argument;
  bool has_ended;
#ifdef TS_FIBER_ASAN
  void *own_fake_stack, *caller_fake_stack;
  const void *caller_stack;
  size_t caller_stack_bytes;
#endif
#ifdef TS_FIBER_TSAN
  void *own_tsan, *caller_tsan;
  unsigned tsan_flags; /* of a switch */
#endif
};

/* swapcontext, except that under AddressSanitizer its replacement of that forgets the red zones of the stack that goes on,
 * and says on stderr that it can't do better. We can: the switches are announced. */
TS_FIBER_UNTRACKED static void switch_context(ucontext_t *from, const ucontext_t *to) {
#ifdef TS_FIBER_ASAN
  volatile bool is_back = false;
  getcontext(from);
  if (is_back) return;
  is_back = true;
  setcontext(to);
#else
  swapcontext(from, to);
#endif
}

TS_FIBER_UNTRACKED static unsigned char *stack_of(const ts_fiber *fiber) { return fiber->mapping + fiber->guard_bytes; }

ts_fiber *ts_fiber_create(void) {
  ts_fiber *fiber = calloc(1, sizeof *fiber);
  if (!fiber) return NULL;
  fiber->has_ended = true;
  fiber->guard_bytes = (size_t)sysconf(_SC_PAGESIZE);
  void *mapping = mmap(NULL, fiber->guard_bytes + TS_FIBER_STACK_BYTES, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) {
    free(fiber);
    return NULL;
  }
  fiber->mapping = mapping;
  if (mprotect(mapping, fiber->guard_bytes, PROT_NONE)) {
    munmap(mapping, fiber->guard_bytes + TS_FIBER_STACK_BYTES);
    free(fiber);
    return NULL;
  }
#ifdef TS_FIBER_TSAN
  fiber->own_tsan = __tsan_create_fiber(0);
#endif
  return fiber;
}

void ts_fiber_destroy(ts_fiber *fiber) {
  if (!fiber) return;
#ifdef TS_FIBER_ASAN
  /* An abandoned function leaves its red zones behind, and the next mapping may get the same addresses. */
  ASAN_UNPOISON_MEMORY_REGION(stack_of(fiber), TS_FIBER_STACK_BYTES);
#endif
#ifdef TS_FIBER_TSAN
  __tsan_destroy_fiber(fiber->own_tsan);
#endif
  munmap(fiber->mapping, fiber->guard_bytes + TS_FIBER_STACK_BYTES);
  free(fiber);
}

/* The first thing that runs on a fiber's stack. makecontext passes ints only: the pointer comes in two halves. */
TS_FIBER_UNTRACKED static void fiber_main(unsigned high, unsigned low) {
  ts_fiber *fiber = (ts_fiber *)((uintptr_t)high << 16 << 16 | (uintptr_t)low);
#ifdef TS_FIBER_ASAN
  __sanitizer_finish_switch_fiber(NULL, &fiber->caller_stack, &fiber->caller_stack_bytes);
#endif
  fiber->function(fiber->argument);
  fiber->has_ended = true;
#ifdef TS_FIBER_ASAN
  __sanitizer_start_switch_fiber(NULL, fiber->caller_stack, fiber->caller_stack_bytes); /* NULL: for good */
#endif
#ifdef TS_FIBER_TSAN
  __tsan_switch_to_fiber(fiber->caller_tsan, fiber->tsan_flags);
#endif
  setcontext(&fiber->caller);
}

TS_FIBER_UNTRACKED bool ts_fiber_start(ts_fiber *fiber, ts_fiber_function *function, void *argument) {
  fiber->function = function;
  fiber->argument = argument;
  fiber->has_ended = false;
  getcontext(&fiber->own);
  fiber->own.uc_stack.ss_sp = stack_of(fiber);
  fiber->own.uc_stack.ss_size = TS_FIBER_STACK_BYTES;
  fiber->own.uc_link = NULL;
  uintptr_t address = (uintptr_t)fiber;
  makecontext(&fiber->own, (void (*)(void))fiber_main, 2, (unsigned)(address >> 16 >> 16), (unsigned)address);
  return ts_fiber_resume(fiber);
}

TS_FIBER_UNTRACKED bool ts_fiber_resume(ts_fiber *fiber) {
#ifdef TS_FIBER_ASAN
  __sanitizer_start_switch_fiber(&fiber->caller_fake_stack, stack_of(fiber), TS_FIBER_STACK_BYTES);
#endif
#ifdef TS_FIBER_TSAN
  fiber->caller_tsan = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(fiber->own_tsan, fiber->tsan_flags);
#endif
  switch_context(&fiber->caller, &fiber->own);
#ifdef TS_FIBER_ASAN
  __sanitizer_finish_switch_fiber(fiber->caller_fake_stack, NULL, NULL);
#endif
  return fiber->has_ended;
}

TS_FIBER_UNTRACKED void ts_fiber_pause(ts_fiber *fiber) {
#ifdef TS_FIBER_ASAN
  __sanitizer_start_switch_fiber(&fiber->own_fake_stack, fiber->caller_stack, fiber->caller_stack_bytes);
#endif
#ifdef TS_FIBER_TSAN
  __tsan_switch_to_fiber(fiber->caller_tsan, fiber->tsan_flags);
#endif
  switch_context(&fiber->own, &fiber->caller);
#ifdef TS_FIBER_ASAN
  __sanitizer_finish_switch_fiber(fiber->own_fake_stack, &fiber->caller_stack, &fiber->caller_stack_bytes);
#endif
}

#ifdef TS_FIBER_TSAN
void ts_fiber_set_apart(ts_fiber *fiber) { fiber->tsan_flags = __tsan_switch_to_fiber_no_sync; }
void ts_fiber_release(void *at) { __tsan_release(at); }
void ts_fiber_acquire(void *at) { __tsan_acquire(at); }
void ts_fiber_ignore_begin(void) {
  AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
  AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
}
void ts_fiber_ignore_end(void) {
  AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
  AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
}
#else
void ts_fiber_set_apart(ts_fiber *fiber) { (void)fiber; }
void ts_fiber_release(void *at) { (void)at; }
void ts_fiber_acquire(void *at) { (void)at; }
void ts_fiber_ignore_begin(void) {}
void ts_fiber_ignore_end(void) {}
#endif
