/* SPDX-License-Identifier: Apache-2.0
 *
 * fiber.h: run a function on a stack of its own, and let it pause in the middle.
 *
 * No scheduler: whoever starts a fiber says when it goes on. A fiber belongs to the thread that started its function until
 * that function returns. Sanitizers are told of each switch.
 */
#ifndef TS_HOST_FIBER_H
#define TS_HOST_FIBER_H

#include <stdbool.h>

/* gcc says which sanitizer is on by a macro, clang by a feature. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TS_FIBER_ASAN 1
#elif __has_feature(thread_sanitizer)
#define TS_FIBER_TSAN 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define TS_FIBER_ASAN 1
#elif defined(__SANITIZE_THREAD__)
#define TS_FIBER_TSAN 1
#endif

/* For functions that run on fibers which are apart (ts_fiber_set_apart) and use what these share: ThreadSanitizer does not
 * look at their accesses. */
#ifdef TS_FIBER_TSAN
enum { TS_FIBER_HAS_TSAN = 1 };
#define TS_FIBER_UNTRACKED __attribute__((no_sanitize("thread"), noinline))
#else
enum { TS_FIBER_HAS_TSAN = 0 };
#define TS_FIBER_UNTRACKED
#endif

typedef struct ts_fiber ts_fiber;
typedef void ts_fiber_function(void *argument);

/* Bytes of a fiber's stack. Below it lies a page that no access survives. */
enum { TS_FIBER_STACK_BYTES = 256 * 1024 };

/* Returns NULL when memory (or the system's limit on mappings) runs out. */
ts_fiber *ts_fiber_create(void);

/* Free the fiber and its stack. A function that is paused in it is abandoned: it never goes on. NULL is fine. */
void ts_fiber_destroy(ts_fiber *fiber);

/* From here on, the fiber is to ThreadSanitizer a thread that no switch orders with another: ts_fiber_release and
 * ts_fiber_acquire say what is ordered. */
void ts_fiber_set_apart(ts_fiber *fiber);

/* Run the function on the fiber's stack, from its start; no function may be paused there.
 * Returns  true when the function has returned, false when it has paused. */
bool ts_fiber_start(ts_fiber *fiber, ts_fiber_function *function, void *argument);

/* Go on with the paused function. Returns as ts_fiber_start does. */
bool ts_fiber_resume(ts_fiber *fiber);

/* Called by the function that runs on the fiber: return to whoever started or resumed it, until the next resume. */
void ts_fiber_pause(ts_fiber *fiber);

/* What was done before a release of `at` is done before what follows an acquire of it that comes later. Between the two of
 * `ignore`, nothing that this fiber does counts. All of it is for ThreadSanitizer, and nothing without it. */
void ts_fiber_release(void *at);
void ts_fiber_acquire(void *at);
void ts_fiber_ignore_begin(void);
void ts_fiber_ignore_end(void);

#endif
