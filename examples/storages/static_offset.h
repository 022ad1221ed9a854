/* SPDX-License-Identifier: Apache-2.0
 *
 * static_offset.h: a storage that starts at a constant place of another, and knows its alignment by that. At file scope:
 *
 *   STATIC_OFFSET(row_1, ts_shared, f32, 36, TS_ALIGN(64))     policy row_1: element 0 is element 36 of a ts_shared_f32 whose
 *                                                              own element 0 has what the flags promise and ask for
 *   STATIC_OFFSET_CONST(…)                                     the same, where only loads are wanted, or P stores none
 *   row_1_f32 row = row_1_bind_f32(tile);                      tile is that ts_shared_f32
 *   row_1_align_f32                                            bytes that element 0 is aligned to: of 144 and 64, 16
 *
 * Each offset is a type of its own, so nothing is kept of it at run time. An access of W scalars starts at a multiple of W; its
 * alignment is what the type proves, whatever who accesses promises. An offset that is known at run time alone proves nothing:
 * row_1_offset_f32(row, n) is a plain ts_shared_f32.
 *
 * P is a policy of the table.
 */
#ifndef STATIC_OFFSET_H
#define STATIC_OFFSET_H

#include "tensorstorage.h"

#define STATIC_OFFSET(name, P, T, start, flags)                                                                                \
  STATIC_OFFSET_CONST(name, P, T, start, flags)                                                                                \
  STATIC_OFFSET_EACH(STATIC_OFFSET_STORE, name, P, T)
#define STATIC_OFFSET_CONST(name, P, T, start, flags)                                                                          \
  STATIC_OFFSET_OF(name, P, T, start, flags)                                                                                   \
  STATIC_OFFSET_EACH(STATIC_OFFSET_LOAD, name, P, T)
#define STATIC_OFFSET_EACH(X, name, P, T) X(name, P, T, 1) X(name, P, T, 2) X(name, P, T, 4) X(name, P, T, 8) X(name, P, T, 16)

#define STATIC_OFFSET_OF(name, P, T, start, flags)                                                                             \
  typedef struct name##_##T {                                                                                                  \
    P##_##T base;                                                                                                              \
  } name##_##T;                                                                                                                \
  typedef P##_##T name##_offset_result_##T;                                                                                    \
  enum {                                                                                                                       \
    name##_element_size_##T = 1,                                                                                               \
    name##_start_##T = (start),                                                                                                \
    name##_steps_##T = TS_PROMISE(flags, sizeof(ts_##T)) | (start) * (int)sizeof(ts_##T),                                      \
    name##_align_##T = name##_steps_##T & -name##_steps_##T,                                                                   \
    name##_flags_##T = ((flags) & ~TS_ALIGN_MASK) | name##_align_##T                                                           \
  };                                                                                                                           \
  TS_FUNCTION name##_##T name##_bind_##T(P##_##T base) {                                                                       \
    name##_##T h;                                                                                                              \
    h.base = base;                                                                                                             \
    return h;                                                                                                                  \
  }                                                                                                                            \
  TS_FUNCTION P##_##T name##_offset_##T(name##_##T h, ts_index n) { return ts_offset(P, T, h.base, name##_start_##T + n); }    \
  TS_FUNCTION ts_index name##_distance_##T(P##_##T to, name##_##T from) {                                                      \
    return ts_distance(P, T, to, from.base) - name##_start_##T;                                                                \
  }                                                                                                                            \
  TS_FUNCTION TS_TEXT name##_name_##T(void) { return #name "_" #T; }

/* Of two promises the smaller counts: that of element 0, and that of an index that is a multiple of W. */
#define STATIC_OFFSET_LOAD(name, P, T, W)                                                                                      \
  TS_FUNCTION ts_##T##x##W name##_load_##T##x##W(name##_##T h, ts_index i, int flags) {                                        \
    (void)flags;                                                                                                               \
    return ts_load(P, T, W, h.base, name##_start_##T + i, name##_flags_##T | W * (int)sizeof(ts_##T));                         \
  }
#define STATIC_OFFSET_STORE(name, P, T, W)                                                                                     \
  TS_FUNCTION void name##_store_##T##x##W(name##_##T h, ts_index i, ts_##T##x##W value, int flags) {                           \
    (void)flags;                                                                                                               \
    ts_store(P, T, W, h.base, name##_start_##T + i, value, name##_flags_##T | W * (int)sizeof(ts_##T));                        \
  }

#endif
