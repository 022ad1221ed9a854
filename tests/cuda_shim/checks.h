/* SPDX-License-Identifier: Apache-2.0
 *
 * checks.h: what the work-items of the cuda-shim ask while they run: who they are, and whether an address is what the
 * instruction that uses it may be given.
 *
 * The functions that kernels call (ts_shim_…) are declared for them in shim.h. No compiler, no buffers: the backend says what
 * memory there is.
 */
#ifndef TS_CUDA_SHIM_CHECKS_H
#define TS_CUDA_SHIM_CHECKS_H

#include <stddef.h>

/* Memory from `begin` on. */
typedef struct shim_range {
  const unsigned char *begin;
  size_t bytes;
} shim_range;

/* All memory that a launch may use, but for what belongs to one group or one work-item. */
typedef struct shim_launch {
  const shim_range *globals; /* [global_count] buffers of global memory */
  size_t global_count;
  shim_range constants;               /* the module's data: tables, and its array of constant arguments */
  unsigned char *(*shared)(void);     /* the module's array of dynamic shared memory, of the thread that asks */
  size_t shared_offset, shared_bytes; /* where that lies in all of the module's shared memory, and the bytes of all of it */
} shim_launch;

/* For ts_group_launch.group_start: the next work-items of this thread are of this shim_launch. Fills their shared memory with
 * what they must not count on. */
void shim_group_start(void *launch);

#endif
