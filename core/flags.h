/* SPDX-License-Identifier: Apache-2.0
 *
 * flags.h: what an access is promised and asked for, as one integer constant.
 */
#ifndef TS_CORE_FLAGS_H
#define TS_CORE_FLAGS_H

/* An alignment promise is its own power of two, so or-ing several leaves the smallest as the lowest bit. */
enum {
  TS_ALIGN_1 = 1,
  TS_ALIGN_2 = 2,
  TS_ALIGN_4 = 4,
  TS_ALIGN_8 = 8,
  TS_ALIGN_16 = 16,
  TS_ALIGN_32 = 32,
  TS_ALIGN_64 = 64,
  TS_ALIGN_128 = 128,
  TS_ALIGN_256 = 256,
  TS_ALIGN_MASK = 511,
  TS_INVARIANT = 512,
  TS_NON_TEMPORAL = 1024,
  TS_ASSUME_ONE_TO_ONE = 2048, /* of the destination of a copy: copy.h */
  TS_NO_FLAG = ~4095
};

/* What each access and copy demands of its flags. */
#define TS_ARE_FLAGS(flags) (((flags)&TS_NO_FLAG) == 0)
#define TS_FLAGS_SENTENCE "the flags have a bit that is no flag; or together TS_ALIGN(bytes), TS_INVARIANT and TS_NON_TEMPORAL"

/* The effective address of the access is a multiple of `bytes`: 1, 2, 4 … 256. Another number names an enumerator that
 * does not exist, which every compiler reports as such: TS_ALIGN(3) is "undeclared TS_ALIGN_3". */
#define TS_ALIGN(bytes) TS_ALIGN_EXPANDED(bytes)
#define TS_ALIGN_EXPANDED(bytes) TS_ALIGN_##bytes

/* The alignment that `flags` promise, in bytes: the smallest of the promises, or without one the dtype's own size. */
#define TS_PROMISE(flags, dtype_bytes)                                                                                         \
  (((flags)&TS_ALIGN_MASK) ? ((flags)&TS_ALIGN_MASK & -((flags)&TS_ALIGN_MASK)) : (int)(dtype_bytes))

#endif
