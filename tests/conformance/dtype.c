/* SPDX-License-Identifier: Apache-2.0
 *
 * dtype.c: the conformance kernels that are built once for each dtype, with -DDTYPE=f16 and so on.
 *
 * Each kernel is a switch over cases. The suite writes the lists of cases (…_CASES) in front of this text from the same
 * rows that name them, so that an id and the access behind it cannot part: a row is LOAD(number, policy, width, flags).
 *
 * Buffers are bytes. A payload starts GUARD bytes into its buffer; what is around it and in its gaps must not change.
 * Item k works at byte k * byte_step and element k * element_step of the strided side, and at element k * width of the
 * packed side, which is accessed with the default flags.
 */
#include "tensorstorage.h"

#define GUARD 256
#define LOCAL_BYTES 384
#define SHARED_BYTES 6144
#define IMAGE_BYTES 512
#define DTYPE_BYTES ((int)sizeof(ts_scalar(DTYPE)))

/* The payload of a buffer of bytes, as DTYPE. */
#define PACKED(cells) ts_unsafe_cast(ts_global, DTYPE, ts_global, u8, ts_offset(ts_global, u8, cells, GUARD))

/* ---- load and store: global and generic memory ---------------------------------------------------------------- */

#define STRIDED(P, cells) ts_unsafe_cast(P, DTYPE, ts_global, u8, ts_offset(ts_global, u8, cells, GUARD + item * byte_step))
#define LOAD(number, P, W, FLAGS)                                                                                              \
  case number:                                                                                                                 \
    ts_store(ts_global, DTYPE, W, PACKED(target), item *W,                                                                     \
             ts_load(P, DTYPE, W, STRIDED(P, source), item *element_step, FLAGS), 0);                                          \
    break;
#define STORE(number, P, W, FLAGS)                                                                                             \
  case number:                                                                                                                 \
    ts_store(P, DTYPE, W, STRIDED(P, target), item *element_step, ts_load(ts_global, DTYPE, W, PACKED(source), item *W, 0),    \
             FLAGS);                                                                                                           \
    break;
TS_KERNEL(access_global,
          (TS_GLOBAL_ARG(u8) source_cells, TS_GLOBAL_ARG(u8) target_cells, int number, int byte_step, int element_step)) {
  ts_global_u8 source = ts_bind(ts_global, u8, source_cells);
  ts_global_u8 target = ts_bind(ts_global, u8, target_cells);
  ts_index item = (ts_index)ts_global_id(0);
  switch (number) {
    ACCESS_GLOBAL_CASES
#if TS_HAVE_GENERIC
    ACCESS_GENERIC_CASES
#endif
  default: break;
  }
}
#undef LOAD
#undef STORE
#undef STRIDED

/* ---- load: constant memory ------------------------------------------------------------------------------------ */

#define LOAD(number, P, W, FLAGS)                                                                                              \
  case number:                                                                                                                 \
    ts_store(ts_global, DTYPE, W, PACKED(target), item *W,                                                                     \
             ts_load(P, DTYPE, W,                                                                                              \
                     ts_unsafe_cast(P, DTYPE, ts_constant, u8, ts_offset(ts_constant, u8, source, GUARD + item * byte_step)),  \
                     item *element_step, FLAGS),                                                                               \
             0);                                                                                                               \
    break;
TS_KERNEL(access_constant,
          (TS_CONSTANT_ARG(u8) source_cells, TS_GLOBAL_ARG(u8) target_cells, int number, int byte_step, int element_step)) {
  ts_constant_u8 source = ts_bind(ts_constant, u8, source_cells);
  ts_global_u8 target = ts_bind(ts_global, u8, target_cells);
  ts_index item = (ts_index)ts_global_id(0);
  switch (number) {
    ACCESS_CONSTANT_CASES
  default: break;
  }
}
#undef LOAD

/* ---- load and store: shared memory ---------------------------------------------------------------------------- */

/* Byte k of the payload of `from` to byte k of `to`, for all k below `bytes`, by `count` items of which this is `first`. */
#define COPY_BYTES(to_policy, to, to_start, from_policy, from, from_start, bytes, first, count)                                \
  for (ts_index k = first; k < bytes; k += count)                                                                              \
  ts_store(to_policy, u8, 1, to, to_start + k, ts_load(from_policy, u8, 1, from, from_start + k, 0), 0)

#define STRIDED(P) ts_unsafe_cast(P, DTYPE, ts_shared, u8, ts_offset(ts_shared, u8, cells, item *byte_step))
#define LOAD(number, P, W, FLAGS)                                                                                              \
  case number:                                                                                                                 \
    ts_store(ts_global, DTYPE, W, PACKED(target), item *W, ts_load(P, DTYPE, W, STRIDED(P), item *element_step, FLAGS), 0);    \
    break;
#define STORE(number, P, W, FLAGS)                                                                                             \
  case number:                                                                                                                 \
    ts_store(P, DTYPE, W, STRIDED(P), item *element_step, ts_load(ts_global, DTYPE, W, PACKED(source), item *W, 0), FLAGS);    \
    break;
TS_KERNEL(access_shared, (TS_GLOBAL_ARG(u8) source_cells, TS_GLOBAL_ARG(u8) target_cells, int number, int byte_step,
                          int element_step, int bytes, int is_store)) {
  TS_SHARED(cells, u8, SHARED_BYTES);
  ts_global_u8 source = ts_bind(ts_global, u8, source_cells);
  ts_global_u8 target = ts_bind(ts_global, u8, target_cells);
  ts_index item = ts_item_in_group(0);
  ts_global_u8 strided = is_store ? target : source;
  COPY_BYTES(ts_shared, cells, 0, ts_global, strided, GUARD, bytes, item, ts_group_size(0));
  ts_barrier();
  switch (number) {
    ACCESS_SHARED_CASES
  default: break;
  }
  ts_barrier();
  if (is_store) COPY_BYTES(ts_global, target, GUARD, ts_shared, cells, 0, bytes, item, ts_group_size(0));
}
#undef LOAD
#undef STORE
#undef STRIDED

/* ---- load and store: local memory: each item has LOCAL_BYTES of its own, offsets are taken modulo 128 ---------- */

#define STRIDED(P) ts_unsafe_cast(P, DTYPE, ts_local, u8, ts_offset(ts_local, u8, cells, item *byte_step & 127))
#define LOAD(number, P, W, FLAGS)                                                                                              \
  case number:                                                                                                                 \
    ts_store(ts_global, DTYPE, W, PACKED(target), item *W,                                                                     \
             ts_load(P, DTYPE, W, STRIDED(P), (item * element_step * DTYPE_BYTES & 127) / DTYPE_BYTES, FLAGS), 0);             \
    break;
#define STORE(number, P, W, FLAGS)                                                                                             \
  case number:                                                                                                                 \
    ts_store(P, DTYPE, W, STRIDED(P), (item * element_step * DTYPE_BYTES & 127) / DTYPE_BYTES,                                 \
             ts_load(ts_global, DTYPE, W, PACKED(source), item * W, 0), FLAGS);                                                \
    break;
TS_KERNEL(access_local, (TS_GLOBAL_ARG(u8) source_cells, TS_GLOBAL_ARG(u8) target_cells, int number, int byte_step,
                         int element_step, int is_store)) {
  TS_LOCAL(cells, u8, LOCAL_BYTES);
  ts_global_u8 source = ts_bind(ts_global, u8, source_cells);
  ts_global_u8 target = ts_bind(ts_global, u8, target_cells);
  ts_index item = (ts_index)ts_global_id(0);
  ts_global_u8 strided = is_store ? target : source;
  COPY_BYTES(ts_local, cells, 0, ts_global, strided, GUARD + item * LOCAL_BYTES, LOCAL_BYTES, 0, 1);
  switch (number) {
    ACCESS_LOCAL_CASES
  default: break;
  }
  if (is_store) COPY_BYTES(ts_global, target, GUARD + item * LOCAL_BYTES, ts_local, cells, 0, LOCAL_BYTES, 0, 1);
}
#undef LOAD
#undef STORE
#undef STRIDED

/* ---- unsafe_cast: item k loads element k, as another dtype through another policy, of an image in each space --- */

#define IMAGES                                                                                                                 \
  TS_SHARED(shared_bytes, u8, IMAGE_BYTES);                                                                                    \
  TS_LOCAL(local_bytes, u8, IMAGE_BYTES);                                                                                      \
  ts_global_u8 source = ts_bind(ts_global, u8, source_cells);                                                                  \
  ts_global_u8 target = ts_bind(ts_global, u8, target_cells);                                                                  \
  ts_constant_u8 constants = ts_bind(ts_constant, u8, constant_cells);                                                         \
  ts_index item = ts_item_in_group(0);                                                                                         \
  COPY_BYTES(ts_shared, shared_bytes, 0, ts_global, source, GUARD, IMAGE_BYTES, item, ts_group_size(0));                       \
  COPY_BYTES(ts_local, local_bytes, 0, ts_global, source, GUARD, IMAGE_BYTES, 0, 1);                                           \
  ts_barrier();                                                                                                                \
  ts_handle(ts_global, DTYPE) in_ts_global = PACKED(source);                                                                   \
  ts_handle(ts_shared, DTYPE) in_ts_shared = ts_unsafe_cast(ts_shared, DTYPE, ts_shared, u8, shared_bytes);                    \
  ts_handle(ts_local, DTYPE) in_ts_local = ts_unsafe_cast(ts_local, DTYPE, ts_local, u8, local_bytes);                         \
  ts_handle(ts_constant, DTYPE) in_ts_constant =                                                                               \
      ts_unsafe_cast(ts_constant, DTYPE, ts_constant, u8, ts_offset(ts_constant, u8, constants, GUARD));                       \
  ts_handle(ts_global_const, DTYPE) in_ts_global_const =                                                                       \
      ts_unsafe_cast(ts_global_const, DTYPE, ts_global, DTYPE, in_ts_global);                                                  \
  ts_handle(ts_shared_const, DTYPE) in_ts_shared_const =                                                                       \
      ts_unsafe_cast(ts_shared_const, DTYPE, ts_shared, DTYPE, in_ts_shared);                                                  \
  ts_handle(ts_local_const, DTYPE) in_ts_local_const = ts_unsafe_cast(ts_local_const, DTYPE, ts_local, DTYPE, in_ts_local)
#if TS_HAVE_GENERIC
#define GENERIC_IMAGES                                                                                                         \
  ts_handle(ts_generic, DTYPE) in_ts_generic = ts_unsafe_cast(ts_generic, DTYPE, ts_shared, DTYPE, in_ts_shared);              \
  ts_handle(ts_generic_const, DTYPE) in_ts_generic_const = ts_unsafe_cast(ts_generic_const, DTYPE, ts_local, DTYPE, in_ts_local)
#endif

#define CAST(number, P, Q, U)                                                                                                  \
  case number:                                                                                                                 \
    ts_store(ts_global, U, 1, ts_unsafe_cast(ts_global, U, ts_global, DTYPE, PACKED(target)), item,                            \
             ts_load(Q, U, 1, ts_unsafe_cast(Q, U, P, DTYPE, in_##P), item, 0), 0);                                            \
    break;
TS_KERNEL(cast,
          (TS_GLOBAL_ARG(u8) source_cells, TS_CONSTANT_ARG(u8) constant_cells, TS_GLOBAL_ARG(u8) target_cells, int number)) {
  IMAGES;
#if TS_HAVE_GENERIC
  GENERIC_IMAGES;
#endif
  switch (number) {
    CAST_CASES
#if TS_HAVE_GENERIC
    CAST_GENERIC_CASES
#endif
  default: break;
  }
}
#undef CAST

/* ---- offset, distance, null handles, names, values, sizes ----------------------------------------------------- */

/* Item k: elements 3k + 2 and, for k > 0, 3k - 1, both reached from element 24 by an offset that may be negative. */
#define OFFSET(number, P)                                                                                                      \
  case number: {                                                                                                               \
    ts_handle(P, DTYPE) there = ts_offset(P, DTYPE, ts_offset(P, DTYPE, in_##P, 24), 3 * item - 24);                           \
    ts_store(ts_global, DTYPE, 1, PACKED(target), 2 * item, ts_load(P, DTYPE, 1, there, 2, 0), 0);                             \
    ts_store(ts_global, DTYPE, 1, PACKED(target), 2 * item + 1, ts_load(P, DTYPE, 1, there, item ? -1 : 0, 0), 0);             \
    break;                                                                                                                     \
  }

/* Item k: the distance of an offset of n = numbers[k], of the offset back by -n, and from there to where it came from. */
#define DISTANCE(number, P)                                                                                                    \
  case number: {                                                                                                               \
    ts_index n = (ts_index)ts_load(ts_global, i64, 1, numbers, item, 0);                                                       \
    ts_handle(P, DTYPE) there = ts_offset(P, DTYPE, in_##P, n);                                                                \
    ts_store(ts_global, i64, 1, results, 3 * item, (ts_i64)ts_distance(P, DTYPE, there, in_##P), 0);                           \
    ts_store(ts_global, i64, 1, results, 3 * item + 1, (ts_i64)ts_distance(P, DTYPE, ts_offset(P, DTYPE, there, -n), in_##P),  \
             0);                                                                                                               \
    ts_store(ts_global, i64, 1, results, 3 * item + 2, (ts_i64)ts_distance(P, DTYPE, in_##P, there), 0);                       \
    break;                                                                                                                     \
  }

/* Item k copies element k, from and to handles that are n = numbers[k] elements away, by indices that lead back. */
#define FAR_INDEX(number, P)                                                                                                   \
  case number: {                                                                                                               \
    ts_index n = (ts_index)ts_load(ts_global, i64, 1, numbers, item, 0);                                                       \
    ts_handle(P, DTYPE) from = ts_offset(P, DTYPE, in_##P, n);                                                                 \
    ts_handle(ts_global, DTYPE) to = ts_offset(ts_global, DTYPE, PACKED(target), n);                                           \
    ts_store(ts_global, DTYPE, 1, to, item - n, ts_load(P, DTYPE, 1, from, item - n, 0), 0);                                   \
    break;                                                                                                                     \
  }

/* A handle of no memory: bound, offset by 0 and by a number that is 0 at run time, compared. */
#define NOTHING(number, P, space)                                                                                              \
  case number: {                                                                                                               \
    ts_index zero = (ts_index)ts_load(ts_global, i64, 1, numbers, 0, 0);                                                       \
    ts_handle(P, DTYPE) nothing = ts_unsafe_cast(P, DTYPE, space, u8, ts_bind(space, u8, space##_nothing));                    \
    ts_store(ts_global, i64, 1, results, 2 * item, (ts_i64)ts_distance(P, DTYPE, ts_offset(P, DTYPE, nothing, 0), nothing),    \
             0);                                                                                                               \
    ts_store(ts_global, i64, 1, results, 2 * item + 1,                                                                         \
             (ts_i64)ts_distance(P, DTYPE, ts_offset(P, DTYPE, nothing, zero), nothing), 0);                                   \
    break;                                                                                                                     \
  }

/* The type's name with its terminating 0, and the element size after 60 bytes. */
#define NAME(number, P)                                                                                                        \
  case number: {                                                                                                               \
    TS_TEXT name = ts_type_name(P, DTYPE);                                                                                     \
    int end = 0;                                                                                                               \
    for (int k = 0; k < 60 && !end; ++k) {                                                                                     \
      ts_store(ts_global, u8, 1, target, GUARD + k, (ts_u8)name[k], 0);                                                        \
      end = name[k] == 0;                                                                                                      \
    }                                                                                                                          \
    ts_store(ts_global, u8, 1, target, GUARD + 60, (ts_u8)ts_element_size(P, DTYPE), 0);                                       \
    break;                                                                                                                     \
  }

/* Item k: the value of element k, an integer, by way of its dtype's own sign and size. */
#define VALUE(number, P)                                                                                                       \
  case number: ts_store(ts_global, i64, 1, results, item, (ts_i64)ts_load(P, DTYPE, 1, in_##P, item, 0), 0); break;

/* sizeof of a vector, and its alignment: what a char in front of it costs. */
/* clang-format off */
#define VECTOR_BEHIND_CHAR(W) struct behind_char_##W { char c; ts_vector(DTYPE, W) v; };
VECTOR_BEHIND_CHAR(1)
VECTOR_BEHIND_CHAR(2)
VECTOR_BEHIND_CHAR(4)
VECTOR_BEHIND_CHAR(8)
VECTOR_BEHIND_CHAR(16)
/* clang-format on */
#define SIZE(number, W)                                                                                                        \
  case number:                                                                                                                 \
    ts_store(ts_global, i64, 1, results, 0, (ts_i64)sizeof(ts_vector(DTYPE, W)), 0);                                           \
    ts_store(ts_global, i64, 1, results, 1, (ts_i64)(sizeof(struct behind_char_##W) - sizeof(ts_vector(DTYPE, W))), 0);        \
    break;

TS_KERNEL(address, (TS_GLOBAL_ARG(u8) source_cells, TS_CONSTANT_ARG(u8) constant_cells, TS_GLOBAL_ARG(u8) target_cells,
                    TS_GLOBAL_CONST_ARG(i64) numbers_cells, TS_GLOBAL_ARG(u8) ts_global_nothing,
                    TS_CONSTANT_ARG(u8) ts_constant_nothing, int number)) {
  IMAGES;
#if TS_HAVE_GENERIC
  GENERIC_IMAGES;
#endif
  ts_global_const_i64 const_numbers = ts_bind(ts_global_const, i64, numbers_cells);
  ts_global_i64 numbers = ts_unsafe_cast(ts_global, i64, ts_global_const, i64, const_numbers);
  ts_global_i64 results = ts_unsafe_cast(ts_global, i64, ts_global, DTYPE, PACKED(target));
  switch (number) {
    ADDRESS_CASES
#if TS_HAVE_GENERIC
    ADDRESS_GENERIC_CASES
#endif
  default: break;
  }
}

/* ---- order: what an item stored is what it loads next, at the same place, again and again ---------------------- */

#define ORDER_ROUNDS 32
#define ORDER(number, P, W, FLAGS)                                                                                             \
  case number:                                                                                                                 \
    for (int k = 0; k < ORDER_ROUNDS; ++k) {                                                                                   \
      ts_store(P, DTYPE, W, at_##P, 0, ts_load(ts_global, DTYPE, W, PACKED(source), k *W, 0), FLAGS);                          \
      ts_store(ts_global, DTYPE, W, PACKED(target), (item * ORDER_ROUNDS + k) * W, ts_load(P, DTYPE, W, at_##P, 0, FLAGS), 0); \
    }                                                                                                                          \
    break;
TS_KERNEL(order, (TS_GLOBAL_ARG(u8) source_cells, TS_GLOBAL_ARG(u8) target_cells, TS_GLOBAL_ARG(u8) place_cells, int number)) {
  TS_SHARED(shared_bytes, u8, SHARED_BYTES);
  TS_LOCAL(local_bytes, u8, 128);
  ts_global_u8 source = ts_bind(ts_global, u8, source_cells);
  ts_global_u8 target = ts_bind(ts_global, u8, target_cells);
  ts_global_u8 places = ts_bind(ts_global, u8, place_cells);
  ts_index item = ts_item_in_group(0);
  ts_handle(ts_global, DTYPE) at_ts_global =
      ts_unsafe_cast(ts_global, DTYPE, ts_global, u8, ts_offset(ts_global, u8, places, item * 128));
  ts_handle(ts_shared, DTYPE) at_ts_shared =
      ts_unsafe_cast(ts_shared, DTYPE, ts_shared, u8, ts_offset(ts_shared, u8, shared_bytes, item * 128));
  ts_handle(ts_local, DTYPE) at_ts_local = ts_unsafe_cast(ts_local, DTYPE, ts_local, u8, local_bytes);
  switch (number) {
    ORDER_CASES
  default: break;
  }
}
