/* SPDX-License-Identifier: Apache-2.0
 *
 * storage.c: the conformance kernels about the laws of a storage, built once for each dtype with -DDTYPE=f32. One text for the
 * policies of the table, for the storages of examples/storages/, and for one that only this file knows.
 *
 * The suite writes the storages' headers and the lists of cases (…_CASES) in front of this text. One work-item runs. Each
 * storage lies over an image of IMAGE_BYTES: in global memory over `source`, GUARD bytes into it, so in constant memory, in
 * shared and local memory over copies of `values`. What cases find goes to the first RESULT_BYTES of the target, GUARD bytes
 * into it; behind that go the images of shared and local memory, as they are in the end.
 */
#include "tensorstorage.h"

#define GUARD 256
#define IMAGE_BYTES 4096
#define RESULT_BYTES 6144
#define ELEMENTS (IMAGE_BYTES / (int)sizeof(ts_scalar(DTYPE)))

/* Whether DTYPE is f32, for #if: no other has a macro. */
#define IS_f32 1
#define IS(T) IS_EXPANDED(T)
#define IS_EXPANDED(T) IS_##T

#define AS_DTYPE(P, cells) ts_unsafe_cast(P, DTYPE, P, u8, cells)
#define PUT(W, at, value) ts_store(ts_global, DTYPE, W, result, at, value, 0)

/* ---- a storage of width 1, of every dtype: elements in reverse order -------------------------------------------------- */

#define REVERSED(T) REVERSED_EXPANDED(T)
#define REVERSED_EXPANDED(T)                                                                                                   \
  typedef struct reversed_##T {                                                                                                \
    ts_global_##T first;                                                                                                       \
  } reversed_##T, reversed_offset_result_##T;                                                                                  \
  enum { reversed_element_size_##T = 1 };                                                                                      \
  TS_FUNCTION reversed_##T reversed_offset_##T(reversed_##T h, ts_index n) {                                                   \
    h.first = ts_offset(ts_global, T, h.first, -n);                                                                            \
    return h;                                                                                                                  \
  }                                                                                                                            \
  TS_FUNCTION ts_index reversed_distance_##T(reversed_##T to, reversed_##T from) {                                             \
    return ts_distance(ts_global, T, from.first, to.first);                                                                    \
  }                                                                                                                            \
  TS_FUNCTION TS_TEXT reversed_name_##T(void) { return "reversed_" #T; }                                                       \
  TS_FUNCTION ts_##T reversed_load_##T##x1(reversed_##T h, ts_index i, int flags) {                                            \
    (void)flags;                                                                                                               \
    return ts_load(ts_global, T, 1, h.first, -i, 0);                                                                           \
  }                                                                                                                            \
  TS_FUNCTION void reversed_store_##T##x1(reversed_##T h, ts_index i, ts_##T value, int flags) {                               \
    (void)flags;                                                                                                               \
    ts_store(ts_global, T, 1, h.first, -i, value, 0);                                                                          \
  }                                                                                                                            \
  TS_STORAGE_WIDTHS(reversed, T)
REVERSED(DTYPE)

/* ---- the storages of examples/storages/, and copies between them and the table's ------------------------------------------
 */

#if IS(DTYPE)
VECTORISED(fours, ts_global, f32, 4, 0)
VECTORISED(shared_fours, ts_shared, f32, 4, 0)
STATIC_OFFSET(after_4, ts_global, f32, 4, TS_ALIGN(64))
STATIC_OFFSET_CONST(after_6, ts_global_const, f32, 6, TS_ALIGN(64) | TS_INVARIANT)

TS_ROW_MAJOR_2(rows, 16, 32)
TS_COLUMN_MAJOR_2(columns, 16, 32)
TS_LAYOUT_2(quads, 8, 16, 64, 4)
TS_LAYOUT_2(quads_turned, 8, 16, 4, 32)

TS_COPY(swizzled_of_global, swizzled, f32, columns, 0, ts_global, f32, rows, TS_ALIGN(16))
TS_COPY(global_of_swizzled, ts_global, f32, rows, TS_ALIGN(64), swizzled, f32, columns, 0)
TS_COPY(local_of_swizzled, ts_local, f32, rows, TS_ALIGN(64), swizzled, f32, rows, TS_ALIGN(16))
TS_COPY(after_4_of_shared, after_4, f32, rows, TS_ALIGN(16), ts_shared, f32, rows, TS_ALIGN(64))
TS_COPY(shared_of_after_6, ts_shared, f32, columns, TS_ALIGN(16), after_6, f32, rows, TS_ALIGN(8))
TS_COPY(scaled_of_shared, scaled, f32, columns, TS_ALIGN(64), ts_shared, f32, rows, TS_ALIGN(64))
TS_COPY(local_of_scaled, ts_local, f32, rows, TS_ALIGN(64), scaled, f32, rows, TS_ALIGN(64))
TS_COPY(fours_of_shared, fours, f32, quads_turned, TS_ALIGN(16), shared_fours, f32, quads, TS_ALIGN(16))
TS_COPY(shared_of_fours, shared_fours, f32, quads, TS_ALIGN(16), fours, f32, quads, TS_ALIGN(16))
TS_COPY(reversed_of_shared, reversed, f32, rows, TS_ALIGN(16), ts_shared, f32, columns, TS_ALIGN(16))
TS_COPY(scaled_of_swizzled, scaled, f32, rows, TS_ALIGN(64), swizzled, f32, columns, TS_ALIGN(16))
TS_COPY_EDGE_2(swizzled_edge, swizzled, f32, columns, TS_ALIGN(16), ts_global, f32, rows, TS_ALIGN(16))
TS_COPY_EDGE_2(edge_of_scaled, ts_local, f32, rows, TS_ALIGN(16), scaled, f32, rows, TS_ALIGN(16))
TS_FUNCTION void part_of_swizzled(swizzled_f32 to, ts_global_f32 from) { swizzled_edge(to, from, 11, 23); }
TS_FUNCTION void local_of_part(ts_local_f32 to, scaled_f32 from) { edge_of_scaled(to, from, 11, 23); }
#endif

/* ---- laws ------------------------------------------------------------------------------------------------------------------
 */

/* Place k of `places` of a case: an offset, and an index from there, both of which are multiples of `unit`. */
#define AT_PLACE                                                                                                               \
  int n = unit * (7 * k % 20);                                                                                                 \
  int i = unit * (11 * k % 30) - n;

/* For each place, W elements of storage P, three times: by one access; by one access from the offset handle, of policy R; and
 * one by one. */
#define LOAD(number, P, R, W)                                                                                                  \
  case number:                                                                                                                 \
    for (int k = 0; k < places; ++k) {                                                                                         \
      AT_PLACE                                                                                                                 \
      PUT(W, 3 * W * k, ts_load(P, DTYPE, W, in_##P, n + i, 0));                                                               \
      PUT(W, 3 * W * k + W, ts_load(R, DTYPE, W, ts_offset(P, DTYPE, in_##P, n), i, 0));                                       \
      for (int j = 0; j < W; ++j) PUT(1, 3 * W * k + 2 * W + j, ts_load(P, DTYPE, 1, in_##P, n + i + j, 0));                   \
    }                                                                                                                          \
    break;

/* Store W elements at each place, at odd ones by way of an offset handle, and load them one by one. */
#define STORE(number, P, R, W)                                                                                                 \
  case number:                                                                                                                 \
    for (int k = 0; k < places; ++k) {                                                                                         \
      AT_PLACE                                                                                                                 \
      ts_vector(DTYPE, W) stored = ts_load(ts_global, DTYPE, W, AS_DTYPE(ts_global, values), W * k, 0);                        \
      if (k % 2)                                                                                                               \
        ts_store(R, DTYPE, W, ts_offset(P, DTYPE, in_##P, n), i, stored, 0);                                                   \
      else                                                                                                                     \
        ts_store(P, DTYPE, W, in_##P, n + i, stored, 0);                                                                       \
      for (int j = 0; j < W; ++j) PUT(1, W *k + j, ts_load(P, DTYPE, 1, in_##P, n + i + j, 0));                                \
    }                                                                                                                          \
    break;

/* The distance of an offset of n from where it started, 8 bytes each. */
#define DISTANCE(number, P)                                                                                                    \
  case number:                                                                                                                 \
    for (int k = 0; k < places; ++k)                                                                                           \
      ts_store(ts_global, i64, 1, ts_unsafe_cast(ts_global, i64, ts_global, u8, target), k,                                    \
               (ts_i64)ts_distance(P, DTYPE, ts_offset(P, DTYPE, in_##P, unit *(37 * k - 250)), in_##P), 0);                   \
    break;

/* The name of the handle's type, and scalars in a logical element. */
#define NAME(number, P)                                                                                                        \
  case number:                                                                                                                 \
    for (int k = 0; ts_type_name(P, DTYPE)[k]; ++k)                                                                            \
      ts_store(ts_global, u8, 1, target, k, (ts_u8)ts_type_name(P, DTYPE)[k], 0);                                              \
    ts_store(ts_global, u8, 1, target, 60, (ts_u8)ts_element_size(P, DTYPE), 0);                                               \
    break;

#define COPY(number, P, Q, name)                                                                                               \
  case number: name(in_##P, in_##Q); break;

TS_KERNEL(law, (TS_GLOBAL_ARG(u8) source_cells, TS_CONSTANT_ARG(u8) constant_cells, TS_GLOBAL_ARG(u8) values_cells,
                TS_GLOBAL_ARG(u8) target_cells, int number, int places, int unit)) {
  TS_SHARED(shared_bytes, u8, IMAGE_BYTES);
  TS_LOCAL(local_bytes, u8, IMAGE_BYTES);
  ts_global_u8 source = ts_offset(ts_global, u8, ts_bind(ts_global, u8, source_cells), GUARD);
  ts_global_u8 values = ts_offset(ts_global, u8, ts_bind(ts_global, u8, values_cells), GUARD);
  ts_global_u8 target = ts_offset(ts_global, u8, ts_bind(ts_global, u8, target_cells), GUARD);
  ts_constant_u8 constants = ts_offset(ts_constant, u8, ts_bind(ts_constant, u8, constant_cells), GUARD);
  ts_handle(ts_global, DTYPE) result = AS_DTYPE(ts_global, target);
  for (int k = 0; k < IMAGE_BYTES; ++k) {
    ts_store(ts_shared, u8, 1, shared_bytes, k, ts_load(ts_global, u8, 1, values, k, 0), 0);
    ts_store(ts_local, u8, 1, local_bytes, k, ts_load(ts_global, u8, 1, values, k, 0), 0);
  }

  ts_handle(ts_global, DTYPE) in_ts_global = AS_DTYPE(ts_global, source);
  ts_handle(ts_shared, DTYPE) in_ts_shared = AS_DTYPE(ts_shared, shared_bytes);
  ts_handle(ts_local, DTYPE) in_ts_local = AS_DTYPE(ts_local, local_bytes);
  ts_handle(ts_constant, DTYPE) in_ts_constant = AS_DTYPE(ts_constant, constants);
  ts_handle(ts_global_const, DTYPE) in_ts_global_const = ts_unsafe_cast(ts_global_const, DTYPE, ts_global, DTYPE, in_ts_global);
  ts_handle(ts_shared_const, DTYPE) in_ts_shared_const = ts_unsafe_cast(ts_shared_const, DTYPE, ts_shared, DTYPE, in_ts_shared);
  ts_handle(ts_local_const, DTYPE) in_ts_local_const = ts_unsafe_cast(ts_local_const, DTYPE, ts_local, DTYPE, in_ts_local);
#if TS_HAVE_GENERIC
  ts_handle(ts_generic, DTYPE) in_ts_generic = ts_unsafe_cast(ts_generic, DTYPE, ts_shared, DTYPE, in_ts_shared);
  ts_handle(ts_generic_const, DTYPE) in_ts_generic_const =
      ts_unsafe_cast(ts_generic_const, DTYPE, ts_local, DTYPE, in_ts_local);
#endif
  ts_handle(reversed, DTYPE) in_reversed;
  in_reversed.first = ts_offset(ts_global, DTYPE, in_ts_global, ELEMENTS - 1);
#if IS(DTYPE)
  fours_f32 in_fours = fours_bind_f32(in_ts_global);
  shared_fours_f32 in_shared_fours = shared_fours_bind_f32(in_ts_shared);
  after_4_f32 in_after_4 = after_4_bind_f32(in_ts_global);
  after_6_f32 in_after_6 = after_6_bind_f32(in_ts_global_const);
  swizzled_f32 in_swizzled = swizzled_bind_f32(in_ts_shared);
  scaled_f32 in_scaled = scaled_bind_f32(ts_unsafe_cast(ts_global, i8, ts_global, u8, source), 0.25f);
#endif

  switch (number) {
    LAW_CASES
#if TS_HAVE_GENERIC
    LAW_GENERIC_CASES
#endif
  default: break;
  }

  for (int k = 0; k < IMAGE_BYTES; ++k) {
    ts_store(ts_global, u8, 1, target, RESULT_BYTES + k, ts_load(ts_shared, u8, 1, shared_bytes, k, 0), 0);
    ts_store(ts_global, u8, 1, target, RESULT_BYTES + IMAGE_BYTES + k, ts_load(ts_local, u8, 1, local_bytes, k, 0), 0);
  }
}
