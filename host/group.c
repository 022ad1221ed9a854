/* SPDX-License-Identifier: Apache-2.0
 *
 * group.c: work-groups on threads, work-items on fibers.
 *
 * A thread runs a group's work-items one after the other on one fiber, until one of them waits at a barrier. That one keeps
 * the fiber, and the next work-items run on another. So a kernel without a barrier never switches for an item, and one
 * with a barrier needs a stack for each. Where the launch wants it, ThreadSanitizer gets to see more: each work-item has a
 * fiber of its own from the start, which only barriers order with the others. Shared memory is one allocation per declaration,
 * not carved from a pool, so that AddressSanitizer knows where it ends.
 */
#define _POSIX_C_SOURCE 200809L /* posix_memalign */
#include "group.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "fiber.h"

enum {
  SHARED_ALIGN_BYTES = 128,
  SHARED_GARBAGE = 0xA5, /* what a group finds in its shared memory */
  /* A fiber takes two mappings, and Linux gives a process 65530 (vm.max_map_count). ThreadSanitizer knows 8128 threads. */
  FIBERS_AT_ONCE = TS_FIBER_HAS_TSAN ? 6 * 1024 : 28 * 1024
};

/* What a thread found wrong. It is turned into words when all threads have ended. */
enum failure { NONE, DIVERGED, REFUSED, SHARED_LIMIT, NO_SHARED_MEMORY, NO_STACK };

/* The shared memory of one TS_SHARED declaration, or of one argument. */
struct block {
  const void *site;
  size_t bytes;
  void *memory;
};

/* What the threads of a launch have in common. */
struct crew {
  const ts_group_launch *launch;
  size_t group_items;
  size_t groups;
  atomic_size_t next_group;
  atomic_bool must_stop;
};

/* One thread, and the group that it runs. */
struct worker {
  struct crew *crew;
  ts_fiber **fibers; /* [fiber_count] of room for group_items; the first `waiting` are paused in a barrier, those of the items
                        that wait if each item has its own */
  size_t fiber_count;
  struct block *blocks; /* [block_count] */
  size_t block_count;
  size_t shared_bytes; /* of all blocks */
  void **values;       /* [argument_count] what the launch function is given */
  void **dynamic;      /* [argument_count] values of the arguments that are shared memory */

  struct ts_host_item first; /* the group's first work-item */
  size_t group;
  size_t next, waiting, ended; /* work-items: to start next, paused in a barrier, ended */
  unsigned barrier;            /* barriers that all work-items have reached */

  /* Addresses for ts_fiber_release and ts_fiber_acquire: of what this thread did before the group, of what work-items did
   * before they paused or ended, and of what they did before a barrier: of every other one, since a work-item may be released
   * at the next barrier when another has not yet gone on from this one. */
  char before_group, before_pause, before_barrier[2];

  enum failure failure;
  size_t failure_bytes; /* SHARED_LIMIT: what was asked for */
  char sentence[512];   /* REFUSED: why */
};

/* A work-item while it runs: on its fiber's stack. */
struct work_item {
  struct ts_host_item base; /* first: the kernel knows only this */
  struct worker *worker;
  ts_fiber *fiber;
};

TS_FIBER_UNTRACKED static void fail(struct worker *worker, enum failure failure) {
  worker->failure = failure;
  atomic_store(&worker->crew->must_stop, true);
}

/* ---- what a work-item can ask for ----------------------------------------------------------------------------- */

TS_FIBER_UNTRACKED static void item_barrier(struct ts_host_item *self) {
  struct work_item *item = (struct work_item *)self;
  char *order = &item->worker->before_barrier[item->worker->barrier % 2];
  item->worker->waiting++;
  ts_fiber_release(order);
  ts_fiber_release(&item->worker->before_pause);
  ts_fiber_pause(item->fiber);
  ts_fiber_acquire(order);
}

/* The memory of a site, the same until the group ends. NULL after a failure. */
TS_FIBER_UNTRACKED static void *shared_block(struct worker *worker, const void *site, size_t bytes) {
  for (size_t i = 0; i < worker->block_count; i++) {
    if (worker->blocks[i].site == site && worker->blocks[i].bytes == bytes) return worker->blocks[i].memory;
  }
  size_t limit = worker->crew->launch->shared_limit;
  if (bytes > limit || worker->shared_bytes > limit - bytes) {
    worker->failure_bytes = bytes > SIZE_MAX - worker->shared_bytes ? SIZE_MAX : worker->shared_bytes + bytes;
    fail(worker, SHARED_LIMIT);
    return NULL;
  }
  struct block *blocks = realloc(worker->blocks, (worker->block_count + 1) * sizeof *blocks);
  if (blocks) worker->blocks = blocks;
  void *memory;
  if (!blocks || posix_memalign(&memory, SHARED_ALIGN_BYTES, bytes)) {
    fail(worker, NO_SHARED_MEMORY);
    return NULL;
  }
  memset(memory, SHARED_GARBAGE, bytes);
  blocks[worker->block_count++] = (struct block){.site = site, .bytes = bytes, .memory = memory};
  worker->shared_bytes += bytes;
  return memory;
}

/* Leave a group that failed. Its fibers are abandoned: this never goes on. */
TS_FIBER_UNTRACKED static void give_up(struct work_item *item) {
  ts_fiber_release(&item->worker->before_pause);
  while (true) ts_fiber_pause(item->fiber);
}

TS_FIBER_UNTRACKED static void *item_shared(struct ts_host_item *self, const void *site, unsigned long long bytes) {
  struct work_item *item = (struct work_item *)self;
  ts_fiber_ignore_begin(); /* the first work-item that asks makes the memory, and is ordered with none of the others */
  void *memory = shared_block(item->worker, site, bytes > SIZE_MAX ? SIZE_MAX : (size_t)bytes);
  ts_fiber_ignore_end();
  if (!memory) give_up(item);
  return memory;
}

TS_FIBER_UNTRACKED static void item_refuse(struct ts_host_item *self, const char *sentence) {
  struct work_item *item = (struct work_item *)self;
  ts_fiber_ignore_begin();
  snprintf(item->worker->sentence, sizeof item->worker->sentence, "%s", sentence);
  ts_fiber_ignore_end();
  fail(item->worker, REFUSED);
  give_up(item);
}

/* ---- one group ------------------------------------------------------------------------------------------------ */

/* Whether each work-item is a thread to ThreadSanitizer. */
TS_FIBER_UNTRACKED static bool is_apart(const struct worker *worker) {
  return TS_FIBER_HAS_TSAN && worker->crew->launch->items_apart;
}

/* Where in worker->fibers the fiber of the next work-item is: its own, or the first that nobody waits on. */
TS_FIBER_UNTRACKED static size_t fiber_index(const struct worker *worker) {
  return is_apart(worker) ? worker->next : worker->waiting;
}

/* Run work-items on this fiber, until one waits or none is left; one, where each has its own. */
TS_FIBER_UNTRACKED static void run_items(void *argument) {
  struct worker *worker = argument;
  const struct crew *crew = worker->crew;
  struct work_item item = {.base = worker->first, .worker = worker, .fiber = worker->fibers[fiber_index(worker)]};
  ts_fiber_acquire(&worker->before_group);
  while (worker->next < crew->group_items && worker->failure == NONE) {
    size_t rest = worker->next++;
    for (int d = 0; d < 3; d++) {
      size_t size = crew->launch->group_size[d];
      item.base.item_in_group[d] = (int)(rest % size);
      item.base.global_id[d] = worker->first.global_id[d] + item.base.item_in_group[d];
      rest /= size;
    }
    crew->launch->function(&item.base, worker->values);
    worker->ended++;
    if (is_apart(worker)) break;
  }
  ts_fiber_release(&worker->before_pause);
}

/* The fiber for the next work-item. NULL after a failure. */
static ts_fiber *next_fiber(struct worker *worker) {
  if (fiber_index(worker) == worker->fiber_count) {
    ts_fiber *fiber = ts_fiber_create();
    if (!fiber) {
      fail(worker, NO_STACK);
      return NULL;
    }
    if (is_apart(worker)) ts_fiber_set_apart(fiber);
    worker->fibers[worker->fiber_count++] = fiber;
  }
  return worker->fibers[fiber_index(worker)];
}

/* Start every work-item, then let all go on from barrier to barrier until all have ended. */
static void run_group(struct worker *worker) {
  const size_t items = worker->crew->group_items;
  worker->next = worker->waiting = worker->ended = 0;
  ts_fiber_release(&worker->before_group);
  while (worker->next < items && worker->failure == NONE) {
    ts_fiber *fiber = next_fiber(worker);
    if (fiber) ts_fiber_start(fiber, run_items, worker);
  }
  while (worker->failure == NONE && worker->waiting > 0) {
    if (worker->waiting < items) {
      fail(worker, DIVERGED);
      return;
    }
    worker->waiting = worker->ended = 0;
    worker->barrier++;
    for (size_t i = 0; i < items && worker->failure == NONE; i++) ts_fiber_resume(worker->fibers[i]);
  }
}

/* Describe group number `group`, and forget what the last one left in shared memory. */
static void set_group(struct worker *worker, size_t group) {
  const ts_group_launch *launch = worker->crew->launch;
  worker->group = group;
  for (int d = 0; d < 3; d++) {
    size_t id = group % launch->group_count[d];
    worker->first.group_id[d] = (int)id;
    worker->first.global_id[d] = (long long)(id * launch->group_size[d]);
    worker->first.item_in_group[d] = 0;
    group /= launch->group_count[d];
  }
  for (size_t i = 0; i < worker->block_count; i++) memset(worker->blocks[i].memory, SHARED_GARBAGE, worker->blocks[i].bytes);
}

/* ---- threads -------------------------------------------------------------------------------------------------- */

/* Take groups until none is left or somebody failed. */
static void *work(void *argument) {
  struct worker *worker = argument;
  struct crew *crew = worker->crew;
  while (!atomic_load(&crew->must_stop)) {
    size_t group = atomic_fetch_add(&crew->next_group, 1);
    if (group >= crew->groups) break;
    set_group(worker, group);
    if (crew->launch->group_start) crew->launch->group_start(crew->launch->context);
    run_group(worker);
    ts_fiber_acquire(&worker->before_pause);
  }
  return NULL;
}

/* Prepare a thread's memory. Returns false, with a failure, when there is none. */
static bool worker_init(struct worker *worker, struct crew *crew) {
  const ts_group_launch *launch = crew->launch;
  worker->crew = crew;
  worker->first.barrier = item_barrier;
  worker->first.shared = item_shared;
  worker->first.refuse = item_refuse;
  for (int d = 0; d < 3; d++) {
    worker->first.group_size[d] = (int)launch->group_size[d];
    worker->first.group_count[d] = (int)launch->group_count[d];
  }
  worker->fibers = calloc(crew->group_items, sizeof *worker->fibers);
  worker->values = calloc(launch->argument_count + 1, sizeof *worker->values);
  worker->dynamic = calloc(launch->argument_count + 1, sizeof *worker->dynamic);
  if (!worker->fibers || !worker->values || !worker->dynamic) {
    fail(worker, NO_STACK);
    return false;
  }
  for (size_t i = 0; i < launch->argument_count; i++) {
    const ts_group_argument *argument = &launch->arguments[i];
    worker->values[i] = argument->value;
    if (!argument->is_shared) continue;
    worker->dynamic[i] = shared_block(worker, argument, argument->shared_bytes);
    worker->values[i] = &worker->dynamic[i];
    if (worker->failure != NONE) return false;
  }
  return true;
}

static void worker_end(struct worker *worker) {
  for (size_t i = 0; i < worker->fiber_count; i++) ts_fiber_destroy(worker->fibers[i]);
  for (size_t i = 0; i < worker->block_count; i++) free(worker->blocks[i].memory);
  free(worker->fibers);
  free(worker->blocks);
  free(worker->values);
  free(worker->dynamic);
}

static ts_status report(const struct worker *worker, ts_error *error) {
  const ts_group_launch *launch = worker->crew->launch;
  const char *call = "ts_kernel_launch";
  switch (worker->failure) {
  case NONE: return TS_OK;
  case DIVERGED:
    return ts_fail(error, TS_ERROR_KERNEL, 0, call,
                   "kernel %s: a barrier was not reached by all work-items of group (%d,%d,%d): %zu wait, %zu ended; move the "
                   "barrier out of the branch or loop that not all of them enter",
                   launch->kernel, worker->first.group_id[0], worker->first.group_id[1], worker->first.group_id[2],
                   worker->waiting, worker->ended);
  case REFUSED: return ts_fail(error, TS_ERROR_KERNEL, 0, call, "kernel %s: %s", launch->kernel, worker->sentence);
  case SHARED_LIMIT:
    return ts_fail(error, TS_ERROR_LIMIT, 0, call,
                   "kernel %s: a work-group asks for %zu bytes of shared memory, the device has %zu; use less", launch->kernel,
                   worker->failure_bytes, launch->shared_limit);
  case NO_SHARED_MEMORY:
    return ts_fail(error, TS_ERROR_MEMORY, 0, call, "kernel %s: no memory is left for a work-group's shared memory",
                   launch->kernel);
  case NO_STACK: break;
  }
  return ts_fail(error, TS_ERROR_MEMORY, 0, call,
                 "kernel %s: no memory is left for the stacks of a work-group of %zu work-items; use smaller groups, or fewer "
                 "threads (TENSORSTORAGE_HOST_THREADS)",
                 launch->kernel, worker->crew->group_items);
}

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

ts_status ts_group_run(const ts_group_launch *launch, ts_error *error) {
  struct crew crew = {.launch = launch, .group_items = 1, .groups = 1};
  for (int d = 0; d < 3; d++) {
    crew.group_items *= launch->group_size[d];
    crew.groups *= launch->group_count[d];
  }
  size_t threads = smaller(smaller(launch->threads, crew.groups), FIBERS_AT_ONCE / crew.group_items + 1);
  struct worker *workers = calloc(threads, sizeof *workers);
  pthread_t *ids = calloc(threads, sizeof *ids);
  if (!workers || !ids) {
    free(workers);
    free(ids);
    return ts_fail(error, TS_ERROR_MEMORY, 0, "ts_kernel_launch", "kernel %s: no memory is left for %zu threads",
                   launch->kernel, threads);
  }

  /* The caller's thread is one of them. A thread that can't be made is done without. */
  size_t ready = 0, made = 1;
  while (ready < threads && worker_init(&workers[ready], &crew)) ready++;
  if (ready == threads) {
    while (made < threads && !pthread_create(&ids[made], NULL, work, &workers[made])) made++;
    work(&workers[0]);
    for (size_t i = 1; i < made; i++) pthread_join(ids[i], NULL);
  }

  /* Of several failures, that of the first group is told. */
  const struct worker *told = NULL;
  for (size_t i = 0; i < threads; i++) {
    if (workers[i].failure != NONE && (!told || workers[i].group < told->group)) told = &workers[i];
  }
  ts_status status = told ? report(told, error) : TS_OK;
  for (size_t i = 0; i < threads; i++) worker_end(&workers[i]);
  free(workers);
  free(ids);
  return status;
}
