/* SPDX-License-Identifier: Apache-2.0
 *
 * group.c: the conformance kernels about work-groups, arguments and memory that a kernel declares: built once.
 */
#include "tensorstorage.h"

/* ---- ids: every work-item writes what it is told, at its own place ---------------------------------------------- */

TS_KERNEL(ids, (TS_GLOBAL_ARG(i64) target_cells)) {
  ts_global_i64 target = ts_bind(ts_global, i64, target_cells);
  ts_i64 row = 0;
  for (int d = 2; d >= 0; --d) row = row * ts_group_size(d) * ts_group_count(d) + ts_global_id(d);
  for (int d = 0; d < 3; ++d) {
    ts_index at = (ts_index)(row * 15 + 5 * d);
    ts_store(ts_global, i64, 1, target, at, ts_global_id(d), 0);
    ts_store(ts_global, i64, 1, target, at + 1, (ts_i64)ts_item_in_group(d), 0);
    ts_store(ts_global, i64, 1, target, at + 2, (ts_i64)ts_group_id(d), 0);
    ts_store(ts_global, i64, 1, target, at + 3, (ts_i64)ts_group_size(d), 0);
    ts_store(ts_global, i64, 1, target, at + 4, (ts_i64)ts_group_count(d), 0);
  }
}

/* ---- barriers: values travel between items, there and back, in each of several rounds --------------------------- */

#define ROUNDS 5

/* The value that an item holds after a round: its partner's of the round before, times 3, plus its own number. */
#define EXCHANGE(P, cells, barrier)                                                                                            \
  for (int round = 0; round < ROUNDS; ++round) {                                                                               \
    int partner = (item + 1 + round) % size;                                                                                   \
    ts_store(P, u32, 1, cells, item, value, 0);                                                                                \
    barrier();                                                                                                                 \
    value = ts_load(P, u32, 1, cells, partner, 0) * 3u + (ts_u32)item;                                                         \
    barrier();                                                                                                                 \
  }

TS_KERNEL(barrier_shared, (TS_GLOBAL_ARG(u32) target_cells)) {
  TS_SHARED(cells, u32, 256);
  ts_global_u32 target = ts_bind(ts_global, u32, target_cells);
  int item = ts_item_in_group(0);
  int size = ts_group_size(0);
  ts_u32 value = (ts_u32)(ts_group_id(0) * 1000 + item);
  EXCHANGE(ts_shared, cells, ts_barrier)
  ts_store(ts_global, u32, 1, target, (ts_index)ts_global_id(0), value, 0);
}

TS_KERNEL(barrier_dynamic,
          (TS_SHARED_ARG(u8) before_cells, TS_SHARED_ARG(u32) exchange_cells, TS_GLOBAL_ARG(u32) target_cells)) {
  ts_shared_u8 before = ts_bind(ts_shared, u8, before_cells);
  ts_shared_u32 cells = ts_bind(ts_shared, u32, exchange_cells);
  ts_global_u32 target = ts_bind(ts_global, u32, target_cells);
  int item = ts_item_in_group(0);
  int size = ts_group_size(0);
  ts_u32 value = (ts_u32)(ts_group_id(0) * 1000 + item);
  ts_store(ts_shared, u8, 1, before, item, (ts_u8)(item * 7), 0);
  EXCHANGE(ts_shared, cells, ts_barrier)
  ts_store(ts_global, u32, 1, target, (ts_index)ts_global_id(0), value + ts_load(ts_shared, u8, 1, before, size - 1 - item, 0),
           0);
}

TS_KERNEL(barrier_global, (TS_GLOBAL_ARG(u32) scratch_cells, TS_GLOBAL_ARG(u32) target_cells)) {
  int item = ts_item_in_group(0);
  int size = ts_group_size(0);
  ts_global_u32 cells = ts_offset(ts_global, u32, ts_bind(ts_global, u32, scratch_cells), (ts_index)ts_group_id(0) * size);
  ts_global_u32 target = ts_bind(ts_global, u32, target_cells);
  ts_u32 value = (ts_u32)(ts_group_id(0) * 1000 + item);
  EXCHANGE(ts_global, cells, ts_barrier_global)
  ts_store(ts_global, u32, 1, target, (ts_index)ts_global_id(0), value, 0);
}

/* ---- memory that a kernel declares ------------------------------------------------------------------------------ */

TS_CONSTANT_TABLE(table_f32, f32, 3, (0.5f, -2.0f, 1024.0f));
TS_CONSTANT_TABLE(table_i64, i64, 2, (-1, 0x123456789abcdef0));
TS_CONSTANT_TABLE(table_bf16, bf16, 4, ({0x3f80}, {0xc000}, {0x7f80}, {0x0001}));

TS_FUNCTION ts_f32x2 load_pair(ts_constant_f32 table, ts_index i) { return ts_load(ts_constant, f32, 2, table, i, 0); }
TS_FUNCTION void store_pair(ts_global_f32 to, ts_index i, ts_f32x2 pair) { ts_store(ts_global, f32, 2, to, i, pair, 0); }

/* 24 bytes an item: 2 f32, an i64, 4 bf16; the tables reach the accesses through functions that take handles. */
TS_KERNEL(tables, (TS_GLOBAL_ARG(u8) target_cells)) {
  ts_index item = (ts_index)ts_global_id(0);
  ts_global_u8 row = ts_offset(ts_global, u8, ts_bind(ts_global, u8, target_cells), item * 24);
  store_pair(ts_unsafe_cast(ts_global, f32, ts_global, u8, row), 0, load_pair(ts_bind(ts_constant, f32, table_f32), item % 2));
  ts_store(ts_global, i64, 1, ts_unsafe_cast(ts_global, i64, ts_global, u8, row), 1,
           ts_load(ts_constant, i64, 1, ts_bind(ts_constant, i64, table_i64), item % 2, 0), 0);
  ts_store(ts_global, bf16, 4, ts_unsafe_cast(ts_global, bf16, ts_global, u8, row), 8,
           ts_load(ts_constant, bf16, 4, ts_bind(ts_constant, bf16, table_bf16), 0, 0), 0);
}

/* Two shared arrays, of one size in bytes, and a local one do not overlap, and an item's local memory is its own across a
 * barrier. */
TS_KERNEL(declared, (TS_GLOBAL_ARG(u32) target_cells)) {
  TS_SHARED(first, u32, 64);
  TS_SHARED(second, u16, 128);
  TS_LOCAL(mine, u32, 3);
  ts_global_u32 target = ts_bind(ts_global, u32, target_cells);
  int item = ts_item_in_group(0);
  int size = ts_group_size(0);
  for (int k = 0; k < 3; ++k) ts_store(ts_local, u32, 1, mine, k, (ts_u32)(100 * item + k), 0);
  ts_store(ts_shared, u32, 1, first, item, (ts_u32)item * 0x01010101u, 0);
  ts_store(ts_shared, u16, 1, second, item, (ts_u16)(item + 4000), 0);
  ts_barrier();
  ts_store(ts_global, u32, 1, target, 3 * item, ts_load(ts_shared, u32, 1, first, size - 1 - item, 0), 0);
  ts_store(ts_global, u32, 1, target, 3 * item + 1, (ts_u32)ts_load(ts_shared, u16, 1, second, size - 1 - item, 0), 0);
  ts_store(ts_global, u32, 1, target, 3 * item + 2, ts_load(ts_local, u32, 1, mine, item % 3, 0), 0);
}

/* ---- arguments -------------------------------------------------------------------------------------------------- */

/* The bits of a scalar of each dtype, 8 bytes apart. */
#define ARGUMENT_PARAMETER(T, U, bytes, kind, computes) ts_##T T##_value,
#define ARGUMENT_STORE(T, U, bytes, kind, computes)                                                                            \
  ts_store(ts_global, T, 1, ts_unsafe_cast(ts_global, T, ts_global, u8, ts_offset(ts_global, u8, target, 8 * at)), 0,          \
           T##_value, 0);                                                                                                      \
  ++at;
TS_KERNEL(arguments, (TS_DTYPES(ARGUMENT_PARAMETER) TS_GLOBAL_ARG(u8) target_cells)) {
  ts_global_u8 target = ts_bind(ts_global, u8, target_cells);
  ts_index at = 0;
  TS_DTYPES(ARGUMENT_STORE)
}

/* The byte at each index, of a constant buffer. */
TS_KERNEL(constant_bytes,
          (TS_CONSTANT_ARG(u8) source_cells, TS_GLOBAL_CONST_ARG(i64) index_cells, TS_GLOBAL_ARG(u8) target_cells)) {
  ts_constant_u8 source = ts_bind(ts_constant, u8, source_cells);
  ts_index item = (ts_index)ts_global_id(0);
  ts_index at = (ts_index)ts_load(ts_global_const, i64, 1, ts_bind(ts_global_const, i64, index_cells), item, 0);
  ts_store(ts_global, u8, 1, ts_bind(ts_global, u8, target_cells), item, ts_load(ts_constant, u8, 1, source, at, 0), 0);
}

/* Stores number + 1 at far[number], by a wide access of 4, and loads it again by one of 1. */
TS_KERNEL(far_element, (TS_GLOBAL_ARG(u8) far_cells, TS_GLOBAL_ARG(u8) target_cells, ts_i64 index)) {
  ts_global_u8 far = ts_bind(ts_global, u8, far_cells);
  ts_global_u8 target = ts_bind(ts_global, u8, target_cells);
  ts_store(ts_global, u8, 4, far, (ts_index)index, ts_load(ts_global, u8, 4, target, 0, 0), 0);
  for (int k = 0; k < 4; ++k)
    ts_store(ts_global, u8, 1, target, 4 + k, ts_load(ts_global, u8, 1, ts_offset(ts_global, u8, far, (ts_index)index), k, 0),
             0);
}
