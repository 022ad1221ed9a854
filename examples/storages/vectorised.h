/* SPDX-License-Identifier: Apache-2.0
 *
 * vectorised.h: a storage whose logical elements are vectors of E scalars. At file scope:
 *
 *   VECTORISED(fours, ts_global, f32, 4, TS_NON_TEMPORAL)      policy fours over ts_global; hints, or 0, go to each access
 *   fours_f32 x = fours_bind_f32(cells);                       cells is a ts_global_f32, aligned to E scalars
 *
 * Shapes of layouts count logical elements, strides, offsets and indices count scalars. An access of E scalars or more starts
 * at a multiple of E and moves vectors of E, without a promise from who accesses: the storage is the promise. A narrower one
 * moves scalars. Both sides of a copy have elements of one size, so a copy's other side is vectorised too.
 *
 * P is a policy of the table that stores, E is 2, 4, 8 or 16.
 */
#ifndef VECTORISED_H
#define VECTORISED_H

#include "tensorstorage.h"

#define VECTORISED(name, P, T, E, hints) VECTORISED_OF(name, P, T, E, hints)
#define VECTORISED_OF(name, P, T, E, hints)                                                                                    \
  typedef struct name##_##T {                                                                                                  \
    P##_##T cells;                                                                                                             \
  } name##_##T, name##_offset_result_##T;                                                                                      \
  enum {                                                                                                                       \
    name##_element_size_##T = (E),                                                                                             \
    name##_scalar_flags_##T = (hints),                                                                                         \
    name##_vector_flags_##T = (hints) | (E) * (int)sizeof(ts_##T)                                                              \
  };                                                                                                                           \
  TS_FUNCTION name##_##T name##_bind_##T(P##_##T cells) {                                                                      \
    name##_##T h;                                                                                                              \
    h.cells = cells;                                                                                                           \
    return h;                                                                                                                  \
  }                                                                                                                            \
  TS_FUNCTION name##_##T name##_offset_##T(name##_##T h, ts_index n) { return name##_bind_##T(ts_offset(P, T, h.cells, n)); }  \
  TS_FUNCTION ts_index name##_distance_##T(name##_##T to, name##_##T from) { return ts_distance(P, T, to.cells, from.cells); } \
  TS_FUNCTION TS_TEXT name##_name_##T(void) { return #name "_" #T; }                                                           \
  VECTORISED_WIDTH(name, P, T, 1)                                                                                              \
  VECTORISED_WIDTH(name, P, T, 2)                                                                                              \
  VECTORISED_WIDTH(name, P, T, 4)                                                                                              \
  VECTORISED_WIDTH(name, P, T, 8)                                                                                              \
  VECTORISED_WIDTH(name, P, T, 16)
#define VECTORISED_WIDTH(name, P, T, W)                                                                                        \
  enum { name##_flags_##T##x##W = W < name##_element_size_##T ? +name##_scalar_flags_##T : +name##_vector_flags_##T };         \
  TS_FUNCTION ts_##T##x##W name##_load_##T##x##W(name##_##T h, ts_index i, int flags) {                                        \
    (void)flags;                                                                                                               \
    return ts_load(P, T, W, h.cells, i, name##_flags_##T##x##W);                                                               \
  }                                                                                                                            \
  TS_FUNCTION void name##_store_##T##x##W(name##_##T h, ts_index i, ts_##T##x##W value, int flags) {                           \
    (void)flags;                                                                                                               \
    ts_store(P, T, W, h.cells, i, value, name##_flags_##T##x##W);                                                              \
  }

#endif
