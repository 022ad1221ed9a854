/* SPDX-License-Identifier: Apache-2.0
 *
 * flags.h: what an access is promised and asked for, as one integer constant.
 */
#ifndef TS_CORE_FLAGS_H
#define TS_CORE_FLAGS_H

/* The effective address of the access is a multiple of `bytes`: 1, 2, 4 … 256. Of another number it makes the name of an
 * enumerator that does not exist, which every compiler's error tells, and of a product like 4 * 4 no name at all. */
#define TS_ALIGN(bytes) TS_ALIGN_EXPANDED(bytes)
#define TS_ALIGN_EXPANDED(bytes) TS_ALIGN_##bytes##_must_be_a_power_of_two_up_to_256

/* An alignment promise is its own power of two, so or-ing several leaves the smallest as the lowest bit. */
enum {
  TS_ALIGN(1) = 1,
  TS_ALIGN(2) = 2,
  TS_ALIGN(4) = 4,
  TS_ALIGN(8) = 8,
  TS_ALIGN(16) = 16,
  TS_ALIGN(32) = 32,
  TS_ALIGN(64) = 64,
  TS_ALIGN(128) = 128,
  TS_ALIGN(256) = 256,
  TS_ALIGN_MASK = 511,
  TS_INVARIANT = 512,
  TS_NON_TEMPORAL = 1024,
  TS_ASSUME_ONE_TO_ONE = 2048, /* of the destination of a copy: copy.h */
  TS_NO_FLAG = ~4095
};

/* What each access and copy demands of its flags. */
#define TS_ARE_FLAGS(flags) (((flags)&TS_NO_FLAG) == 0)
#define TS_FLAGS_SENTENCE "the flags have a bit that is no flag; or together TS_ALIGN(bytes), TS_INVARIANT and TS_NON_TEMPORAL"

/* The alignment that `flags` promise, in bytes: the smallest of the promises, or without one the dtype's own size. */
#define TS_PROMISE(flags, dtype_bytes)                                                                                         \
  (((flags)&TS_ALIGN_MASK) ? ((flags)&TS_ALIGN_MASK & -((flags)&TS_ALIGN_MASK)) : (int)(dtype_bytes))

#endif
