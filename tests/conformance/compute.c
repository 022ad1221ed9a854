/* SPDX-License-Identifier: Apache-2.0
 *
 * compute.c: the conformance kernels about what is computed with vectors, built once for each dtype with -DDTYPE=f32.
 *
 * `compute` is a switch over cases, which the suite writes in front of this text (…_CASES). Item k takes the elements
 * k * W … k * W + W - 1 of its operands, or element k of one that is a scalar, and stores at the same place of the target,
 * GUARD bytes into it.
 */
#include "tensorstorage.h"

#define GUARD 256

/* Whether DTYPE computes here: the suite writes cases that need it for f64 too, and skips them where it does not. */
#define IS_f64 1
#define IS(T) IS_EXPANDED(T)
#define IS_EXPANDED(T) IS_##T
#define COMPUTES (TS_HAVE_F64 || !IS(DTYPE))

#define A(W) ts_load(ts_global_const, DTYPE, W, a, item *W, 0)
#define B(W) ts_load(ts_global_const, DTYPE, W, b, item *W, 0)
#define C(W) ts_load(ts_global_const, DTYPE, W, ts_bind(ts_global_const, DTYPE, c_cells), item *W, 0)
#define MASK(W) ts_load(ts_global_const, ts_mask_dtype(DTYPE), W, mask, item *W, 0)
#define SCALAR(cells) ts_load(ts_global_const, DTYPE, 1, cells, item, 0)
#define PUT(T, W, value) ts_store(ts_global, T, W, ts_unsafe_cast(ts_global, T, ts_global, u8, target), item *W, value, 0)

/* Operators. The casts undo C's promotion at width 1. */
#define VECTORS(number, W, op)                                                                                                 \
  case number:                                                                                                                 \
    PUT(DTYPE, W, (ts_vector(DTYPE, W))(A(W) op B(W)));                                                                        \
    break;
#define BY_SCALAR(number, W, op)                                                                                               \
  case number:                                                                                                                 \
    PUT(DTYPE, W, (ts_vector(DTYPE, W))(A(W) op SCALAR(b)));                                                                   \
    break;
#define SCALAR_BY(number, W, op)                                                                                               \
  case number: PUT(DTYPE, W, (ts_vector(DTYPE, W))(SCALAR(a) op B(W))); break;

/* Comparisons and maths, by the name that is called. */
#define COMPARISON(number, W, compare)                                                                                         \
  case number:                                                                                                                 \
    PUT(ts_mask_dtype(DTYPE), W, compare(DTYPE, W, A(W), B(W)));                                                               \
    break;
#define MATHS_1(number, W, function)                                                                                           \
  case number:                                                                                                                 \
    PUT(DTYPE, W, function(DTYPE, W, A(W)));                                                                                   \
    break;
#define MATHS_2(number, W, function)                                                                                           \
  case number:                                                                                                                 \
    PUT(DTYPE, W, function(DTYPE, W, A(W), B(W)));                                                                             \
    break;
#define MATHS_3(number, W, function)                                                                                           \
  case number: PUT(DTYPE, W, function(DTYPE, W, A(W), B(W), C(W))); break;

/* Lanes: LANE reverses their order. */
#define LANE(number, W, lane)                                                                                                  \
  case number:                                                                                                                 \
    for (int k = 0; k < W; ++k)                                                                                                \
      ts_store(ts_global, DTYPE, 1, ts_unsafe_cast(ts_global, DTYPE, ts_global, u8, target), item *W + k,                      \
               lane(DTYPE, W, A(W), W - 1 - k), 0);                                                                            \
    break;
#define SET_LANE(number, W, set_lane)                                                                                          \
  case number:                                                                                                                 \
    PUT(DTYPE, W, set_lane(DTYPE, W, A(W), (int)(item % W), SCALAR(b)));                                                       \
    break;
#define SPLAT(number, W, splat)                                                                                                \
  case number:                                                                                                                 \
    PUT(DTYPE, W, splat(DTYPE, W, SCALAR(b)));                                                                                 \
    break;
#define SELECT(number, W, select)                                                                                              \
  case number: PUT(DTYPE, W, select(DTYPE, W, MASK(W), A(W), B(W))); break;

TS_KERNEL(compute, (TS_GLOBAL_CONST_ARG(DTYPE) a_cells, TS_GLOBAL_CONST_ARG(DTYPE) b_cells, TS_GLOBAL_CONST_ARG(DTYPE) c_cells,
                    TS_GLOBAL_CONST_ARG(u8) mask_cells, TS_GLOBAL_ARG(u8) target_cells, int number)) {
  ts_handle(ts_global_const, DTYPE) a = ts_bind(ts_global_const, DTYPE, a_cells);
  ts_handle(ts_global_const, DTYPE) b = ts_bind(ts_global_const, DTYPE, b_cells);
  ts_handle(ts_global_const, ts_mask_dtype(DTYPE)) mask =
      ts_unsafe_cast(ts_global_const, ts_mask_dtype(DTYPE), ts_global_const, u8, ts_bind(ts_global_const, u8, mask_cells));
  ts_global_u8 target = ts_offset(ts_global, u8, ts_bind(ts_global, u8, target_cells), GUARD);
  ts_index item = (ts_index)ts_global_id(0);
  switch (number) {
    LANE_CASES
#if COMPUTES
    COMPUTE_CASES
#endif
  default: break;
  }
}

/* ---- atomics under contention: all items add to the same two counters ------------------------------------------- */

#define IS_i32_or_u32(T) IS_32_EXPANDED(T)
#define IS_32_EXPANDED(T) IS_32_##T
#define IS_32_i32 1
#define IS_32_u32 1
#if IS_i32_or_u32(DTYPE)

#define ROUNDS 8

/* Counter 0 counts, so that every value from before is another; counter 1 sums what differs. */
#define COUNT(atomic_add, counters)                                                                                            \
  for (int round = 0; round < ROUNDS; ++round) {                                                                               \
    ts_store(ts_global, DTYPE, 1, before, (ts_index)ts_global_id(0) * ROUNDS + round,                                          \
             atomic_add(DTYPE, counters, 0, (ts_scalar(DTYPE))1), 0);                                                          \
    atomic_add(DTYPE, counters, 1, (ts_scalar(DTYPE))(3 - ts_global_id(0) * (round + 1)));                                     \
  }

TS_KERNEL(atomics, (TS_GLOBAL_ARG(DTYPE) counter_cells, TS_GLOBAL_ARG(DTYPE) before_cells, int is_shared)) {
  TS_SHARED(shared, DTYPE, 2);
  ts_handle(ts_global, DTYPE) counters = ts_bind(ts_global, DTYPE, counter_cells);
  ts_handle(ts_global, DTYPE) before = ts_bind(ts_global, DTYPE, before_cells);
  ts_index of_group = 2 * ts_group_id(0);
  if (is_shared) {
    if (ts_item_in_group(0) == 0)
      ts_store(ts_shared, DTYPE, 2, shared, 0, ts_load(ts_global, DTYPE, 2, counters, of_group, 0), 0);
    ts_barrier();
    COUNT(ts_shared_atomic_add, shared)
    ts_barrier();
    if (ts_item_in_group(0) == 0)
      ts_store(ts_global, DTYPE, 2, counters, of_group, ts_load(ts_shared, DTYPE, 2, shared, 0, 0), 0);
  } else {
    COUNT(ts_global_atomic_add, counters)
  }
}
#endif
