/* SPDX-License-Identifier: Apache-2.0
 *
 * items.c: what the work-items of opencl-x86 ask while they run: who they are, barriers, and copies by the whole group.
 * builtins.cl declares these functions to kernels. They run on work-items' fibers: ThreadSanitizer looks at the kernel's
 * accesses, and at those of a copy, not at these.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "host/fiber.h"
#include "host/launch.h"

void ts_x86_enter(struct ts_host_item *item);
size_t ts_x86_global_id(unsigned d);
size_t ts_x86_local_id(unsigned d);
size_t ts_x86_group_id(unsigned d);
size_t ts_x86_local_size(unsigned d);
size_t ts_x86_num_groups(unsigned d);
void ts_x86_barrier(void);
void ts_x86_copy_begin(void *to, const void *from, size_t bytes, size_t align_bytes);
void ts_x86_copy_wait(void);

enum { PENDING_COPIES = 4096 };

static _Thread_local struct ts_host_item *self;

/* Copies that the group has begun and not waited for, as its first work-item named them. */
static _Thread_local struct {
  void *to;
  const void *from;
  size_t bytes;
} pending[PENDING_COPIES];
static _Thread_local size_t pending_count;

TS_FIBER_UNTRACKED static bool is_first(void) {
  return !self->item_in_group[0] && !self->item_in_group[1] && !self->item_in_group[2];
}

/* A group that failed may have left copies behind. */
TS_FIBER_UNTRACKED void ts_x86_enter(struct ts_host_item *item) {
  self = item;
  if (is_first()) pending_count = 0;
}

TS_FIBER_UNTRACKED size_t ts_x86_global_id(unsigned d) { return d < 3 ? (size_t)self->global_id[d] : 0; }
TS_FIBER_UNTRACKED size_t ts_x86_local_id(unsigned d) { return d < 3 ? (size_t)self->item_in_group[d] : 0; }
TS_FIBER_UNTRACKED size_t ts_x86_group_id(unsigned d) { return d < 3 ? (size_t)self->group_id[d] : 0; }
TS_FIBER_UNTRACKED size_t ts_x86_local_size(unsigned d) { return d < 3 ? (size_t)self->group_size[d] : 1; }
TS_FIBER_UNTRACKED size_t ts_x86_num_groups(unsigned d) { return d < 3 ? (size_t)self->group_count[d] : 1; }

/* Other work-items run on this thread before it returns. */
TS_FIBER_UNTRACKED void ts_x86_barrier(void) {
  struct ts_host_item *item = self;
  item->barrier(item);
  self = item;
}

/* End the launch: a copy can't be done. */
TS_FIBER_UNTRACKED static void refuse(size_t bytes, const void *to, const char *wrong) {
  char sentence[256];
  ts_fiber_ignore_begin();
  snprintf(sentence, sizeof sentence, "async_work_group_copy of %zu bytes to %p: %s", bytes, to, wrong);
  ts_fiber_ignore_end();
  self->refuse(self, sentence);
}

TS_FIBER_UNTRACKED void ts_x86_copy_begin(void *to, const void *from, size_t bytes, size_t align_bytes) {
  if (bytes > 0 && ((uintptr_t)to % align_bytes || (uintptr_t)from % align_bytes))
    refuse(bytes, to, "its memory is no multiple of its type's alignment");
  if (!is_first()) return;
  if (pending_count == PENDING_COPIES) refuse(bytes, to, "one copy too many to wait for");
  pending[pending_count].to = to;
  pending[pending_count].from = from;
  pending[pending_count++].bytes = bytes;
}

/* All work-items must come here: then the first copies. memcpy is checked by AddressSanitizer. */
TS_FIBER_UNTRACKED void ts_x86_copy_wait(void) {
  ts_x86_barrier();
  for (size_t i = 0; is_first() && i < pending_count; i++)
    if (pending[i].bytes > 0) memcpy(pending[i].to, pending[i].from, pending[i].bytes);
  if (is_first()) pending_count = 0;
  ts_x86_barrier();
}
