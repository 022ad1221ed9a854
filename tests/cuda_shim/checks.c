/* SPDX-License-Identifier: Apache-2.0
 *
 * checks.c: see checks.h. All of it runs on work-items' fibers: ThreadSanitizer looks at the kernel's accesses, not at these.
 */
#include "checks.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "host/fiber.h"
#include "host/launch.h"

/* PENDING_COPIES: of 4 bytes each, as many as the shared memory of the backend holds, and its tables. */
enum { SHARED_GARBAGE = 0x5A, PENDING_COPIES = 16384 };

/* The ids of core/tables.h, and what is no memory of the kernel. */
enum space { GENERIC = 0, GLOBAL = 1, SHARED = 3, CONSTANT = 4, LOCAL = 5, NOWHERE };

/* Of the group and the work-item that this thread runs. */
static _Thread_local const shim_launch *launch;
static _Thread_local shim_range shared;
static _Thread_local struct ts_host_item *self;

/* Copies that work-items of the group have begun and not waited for. */
struct pending {
  int item; /* its number in the group */
  unsigned char *to;
  const void *from;
  unsigned bytes;
};
static _Thread_local struct pending pending[PENDING_COPIES];
static _Thread_local size_t pending_count;

void shim_group_start(void *context) {
  launch = context;
  unsigned char *begin = launch->shared() - launch->shared_offset;
  shared = (shim_range){begin, launch->shared_bytes};
  memset(begin, SHARED_GARBAGE, launch->shared_bytes);
  pending_count = 0;
}

/* ---- who a work-item is -------------------------------------------------------------------------------------------- */

struct index {
  unsigned x, y, z;
};

void ts_shim_enter(struct ts_host_item *item);
struct index ts_shim_thread_index(void);
struct index ts_shim_block_index(void);
struct index ts_shim_block_size(void);
struct index ts_shim_grid_size(void);
void ts_shim_barrier(void);
void ts_shim_check(const char *what, int space, const void *address, unsigned bytes, unsigned align_bytes);
void ts_shim_copy_begin(void *to, const void *from, unsigned bytes);
unsigned ts_shim_copy_next(void **to, const void **from);

TS_FIBER_UNTRACKED static struct index index_of(const int id[3]) {
  return (struct index){(unsigned)id[0], (unsigned)id[1], (unsigned)id[2]};
}

TS_FIBER_UNTRACKED void ts_shim_enter(struct ts_host_item *item) { self = item; }
TS_FIBER_UNTRACKED struct index ts_shim_thread_index(void) { return index_of(self->item_in_group); }
TS_FIBER_UNTRACKED struct index ts_shim_block_index(void) { return index_of(self->group_id); }
TS_FIBER_UNTRACKED struct index ts_shim_block_size(void) { return index_of(self->group_size); }
TS_FIBER_UNTRACKED struct index ts_shim_grid_size(void) { return index_of(self->group_count); }

/* Other work-items run on this thread before it returns. */
TS_FIBER_UNTRACKED void ts_shim_barrier(void) {
  struct ts_host_item *item = self;
  item->barrier(item);
  self = item;
}

/* ---- which memory an address is ------------------------------------------------------------------------------------- */

TS_FIBER_UNTRACKED static bool is_in(const shim_range *range, uintptr_t address) {
  return address - (uintptr_t)range->begin < range->bytes;
}

/* The memory that the address lies in, and that memory's whole extent; of NOWHERE there is none.
 *
 * frame   an address below all variables of the kernel on this work-item's stack */
TS_FIBER_UNTRACKED static enum space space_of(shim_range *extent, uintptr_t address, const unsigned char *frame) {
  const shim_range local = {frame, (size_t)((const unsigned char *)self - frame)};
  enum space found = NOWHERE;
  *extent = (shim_range){NULL, 0};
  for (size_t i = 0; i < launch->global_count && found == NOWHERE; i++) {
    if (!is_in(&launch->globals[i], address)) continue;
    *extent = launch->globals[i];
    found = GLOBAL;
  }
  if (found == NOWHERE && is_in(&shared, address)) {
    *extent = shared;
    found = SHARED;
  }
  if (found == NOWHERE && is_in(&launch->constants, address)) {
    *extent = launch->constants;
    found = CONSTANT;
  }
  if (found == NOWHERE && is_in(&local, address)) {
    *extent = local;
    found = LOCAL;
  }
  return found;
}

/* Say what is wrong with an access, for whoever wrote the kernel, and end the launch. */
TS_FIBER_UNTRACKED static void refuse(const char *what, unsigned bytes, const void *address, const char *wrong) {
  char sentence[512];
  ts_fiber_ignore_begin();
  snprintf(sentence, sizeof sentence, "work-item (%d,%d,%d) of group (%d,%d,%d): %s of %u bytes at %p, %s",
           self->item_in_group[0], self->item_in_group[1], self->item_in_group[2], self->group_id[0], self->group_id[1],
           self->group_id[2], what, bytes, address, wrong);
  ts_fiber_ignore_end();
  self->refuse(self, sentence);
}

TS_FIBER_UNTRACKED static void refuse_space(const char *what, enum space space, enum space found, unsigned bytes,
                                            const void *address) {
  static const char *const names[] = {
      [GENERIC] = "generic", [GLOBAL] = "global", [SHARED] = "shared", [CONSTANT] = "constant", [LOCAL] = "local"};
  char wrong[192];
  ts_fiber_ignore_begin();
  if (found == NOWHERE)
    snprintf(wrong, sizeof wrong,
             "which is no memory of this kernel, and %s memory was meant; is the handle of another work-item, "
             "or an index out of range?",
             names[space]);
  else
    snprintf(wrong, sizeof wrong, "which is %s memory and not %s memory; bind it with a policy of its own space", names[found],
             names[space]);
  ts_fiber_ignore_end();
  refuse(what, bytes, address, wrong);
}

/* Is this memory where a pending copy will be? */
TS_FIBER_UNTRACKED static bool is_pending(const void *address, unsigned bytes) {
  for (size_t i = 0; i < pending_count; i++) {
    if ((uintptr_t)address < (uintptr_t)pending[i].to + pending[i].bytes &&
        (uintptr_t)pending[i].to < (uintptr_t)address + bytes)
      return true;
  }
  return false;
}

/* Check `bytes` bytes at an address for an instruction that wants them in a space, or in any (GENERIC), and aligned. */
TS_FIBER_UNTRACKED void ts_shim_check(const char *what, int space, const void *address, unsigned bytes, unsigned align_bytes) {
  char wrong[192];
  shim_range extent;
  uintptr_t at = (uintptr_t)address;
  enum space found = space_of(&extent, at, __builtin_frame_address(0));
  if (found == NOWHERE || (space != GENERIC && (enum space)space != found)) {
    refuse_space(what, (enum space)space, found, bytes, address);
  } else if (at % align_bytes != 0) {
    ts_fiber_ignore_begin();
    snprintf(wrong, sizeof wrong, "which is no multiple of %u: promise less with TS_ALIGN, or move the data", align_bytes);
    ts_fiber_ignore_end();
    refuse(what, bytes, address, wrong);
  } else if (extent.bytes - (at - (uintptr_t)extent.begin) < bytes) {
    ts_fiber_ignore_begin();
    snprintf(wrong, sizeof wrong, "byte %zu of a memory of %zu bytes: it reaches beyond the end",
             (size_t)(at - (uintptr_t)extent.begin), extent.bytes);
    ts_fiber_ignore_end();
    refuse(what, bytes, address, wrong);
  } else if (is_pending(address, bytes)) {
    refuse(what, bytes, address, "which a copy that was begun will write: call ts_copy_wait first");
  }
}

/* ---- copies that go on in the background ------------------------------------------------------------------------------ */

TS_FIBER_UNTRACKED static int item_number(void) {
  const int *id = self->item_in_group, *size = self->group_size;
  return id[0] + size[0] * (id[1] + size[1] * id[2]);
}

/* A work-item begins to copy from checked memory to checked memory. */
TS_FIBER_UNTRACKED void ts_shim_copy_begin(void *to, const void *from, unsigned bytes) {
  if (bytes != 4 && bytes != 8 && bytes != 16) refuse("cp.async", bytes, to, "and the instruction copies 4, 8 or 16");
  if (pending_count == PENDING_COPIES) refuse("cp.async", bytes, to, "one copy too many to wait for: call ts_copy_wait first");
  pending[pending_count++] = (struct pending){item_number(), to, from, bytes};
}

/* The work-item's next copy that it has to do now, and how many bytes; 0: none is left. The others of the group wait for
 * their own. */
TS_FIBER_UNTRACKED unsigned ts_shim_copy_next(void **to, const void **from) {
  for (size_t i = 0; i < pending_count; i++) {
    struct pending copy = pending[i];
    if (copy.item != item_number()) continue;
    pending[i] = pending[--pending_count];
    *to = copy.to;
    *from = copy.from;
    return copy.bytes;
  }
  return 0;
}
