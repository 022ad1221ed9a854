/* SPDX-License-Identifier: Apache-2.0
 *
 * copy.h: copies between two static layouts, in any two spaces and dtypes. Written at file scope:
 *
 *   TS_COPY(name, P, T, layout, flags,  Q, U, layout, flags)      destination first, as in the functions it defines:
 *
 *   name(dst, src)             one work-item copies all; dst is a P_T, src a Q_U, each at its element (0, 0 …)
 *   name_by_group(dst, src)    the work-items of a group share it by their linear id, for any size of group. All must call it;
 *                              there is no barrier inside. A local side is a compile error: each item has its own
 *   name_width                 elements of the widest access to both sides, an integer constant
 *
 * Elements correspond in logical order (row-major), also where the shapes differ. Law: with D and S the layouts' offsets,
 * dst[D(i)] becomes ts_convert(T, U, 1, src[S(i)]) for each 0 <= i < size, and no other byte changes. Source and destination
 * may not overlap. Flags promise and ask as those of ts_load and ts_store do; TS_ALIGN promises the address of element
 * (0, 0 …). TS_ASSUME_ONE_TO_ONE, of the destination: no two of its elements share a place, though nested strides don't prove
 * it.
 *
 * An access is as wide as both promises, all strides, both dtypes and the run common to both sides allow, up to 16 elements;
 * the rest of a run goes element by element. Where the shapes are the same, modes go in the order of the destination's
 * strides: so a column-major pair is as wide as a row-major one. Where TS_GROUP_IS_SERIAL is 1 and only the destination has
 * runs, vectors are stored of elements loaded one by one; of every second element, those between the first and the last are
 * read, too. There, runs of 8 KiB and more are prefetched, which reads nothing.
 *
 * Names no backend: a prelude must have come before.
 */
#ifndef TS_CORE_COPY_H
#define TS_CORE_COPY_H

#ifndef TS_INLINE
#error "core/copy.h is a part of TensorStorage: include tensorstorage.h instead."
#endif

/* clang-format off */
#define TS_COPY(name, P, T, D, dst_flags, Q, U, S, src_flags) \
  TS_COPY_CHECKED(TS_COPY_OF, name, P, T, D, U, S, (dst_flags) | (src_flags), (name, P, T, D, dst_flags, Q, U, S, src_flags))
#define TS_COPY_OF(name, P, T, D, dst_flags, Q, U, S, src_flags) \
  TS_ENUM { \
    name##_element = ts_element_size(P, T), \
    name##_overlaps = !(((dst_flags) & TS_ASSUME_ONE_TO_ONE) || TS_ONE_TO_ONE(D, name##_element)) \
  }; \
  TS_STATIC_ASSERT(name##_element == ts_element_size(Q, U), "copy " #name ": the elements have different sizes"); \
  TS_STATIC_ASSERT(!name##_overlaps, "copy " #name ": elements of the destination " #D \
                   " may share a place; if they do not, add TS_ASSUME_ONE_TO_ONE to its flags"); \
  TS_COPY_FACTS(name, P, T, D, dst_flags, Q, U, S, src_flags) \
  TS_COPY_FUNCTIONS(name, P, T, Q, U)

/* `way arguments`, or one error in its place: what would follow from a dtype that is not there, a destination that can't be
 * stored to, or a policy for a layout, is no use to anybody. */
#define TS_COPY_CHECKED(way, name, P, T, D, U, S, flags, arguments) \
  TS_IF_USED(T, TS_IF_USED(U, TS_IF_STORES(TS_POLICY_ROW_##P, TS_COPY_LAYOUTS(D, S), TS_COPY_TO_CONST), TS_COPY_NO_SRC), \
             TS_COPY_NO_DST)(way, name, P, T, D, U, S, flags, arguments)
#define TS_COPY_LAYOUTS(D, S) TS_IF_NO_POLICY(TS_POLICY_ROW_##D, TS_POLICY_ROW_##S, TS_COPY_MADE, TS_COPY_NO_LAYOUT)
/* `yes` if neither is a policy of the table: then their rows are two arguments. */
#define TS_IF_NO_POLICY(row, other_row, yes, no) TS_NINTH(row, other_row, , , no, , no, , yes, )
/* What is said of the layouts comes first: so that of one which is not there, this name is the first error. */
#define TS_COPY_MADE(way, name, P, T, D, U, S, flags, arguments) \
  TS_STATIC_ASSERT((ts_i64)D##_must_be_declared_as_a_layout == (ts_i64)S##_must_be_declared_as_a_layout, \
                   "copy " #name ": " #D " and " #S " have different numbers of elements"); \
  TS_STATIC_ASSERT(TS_ARE_FLAGS(flags), "copy " #name ": " TS_FLAGS_SENTENCE); \
  way arguments
#define TS_COPY_NO_LAYOUT(way, name, P, T, D, U, S, flags, arguments) \
  TS_STATIC_ASSERT(0, "copy " #name ": " #D " and " #S " stand for its layouts; each side is a policy, dtype, layout and flags");
#define TS_COPY_TO_CONST(way, name, P, T, D, U, S, flags, arguments) \
  TS_STATIC_ASSERT(0, "copy " #name ": " #P " handles are read-only; its destination takes one such as ts_global or ts_shared");
#define TS_COPY_NO_DST(way, name, P, T, D, U, S, flags, arguments) \
  TS_STATIC_ASSERT(0, "copy " #name ": " TS_UNUSED_SENTENCE(T));
#define TS_COPY_NO_SRC(way, name, P, T, D, U, S, flags, arguments) \
  TS_STATIC_ASSERT(0, "copy " #name ": " TS_UNUSED_SENTENCE(U));
/* `no` if the policy is of the table and CONST. A row that is not there is one argument, and the ninth is `own`. */
#define TS_IF_STORES(row, yes, no) TS_IF_STORES_IN(TS_NINTH(, , , , , , row, , own, ), yes, no)
#define TS_IF_STORES_IN(mutability, yes, no) TS_IF_STORES_OF(mutability, yes, no)
#define TS_IF_STORES_OF(mutability, yes, no) TS_IF_COMMA(TS_NO_STORES_OF_##mutability, no, yes)
#define TS_NO_STORES_OF_CONST ,

/* ---- facts, in scalars ---------------------------------------------------------------------------------------------
 *
 * nk, dk, sk    mode k: its extent in the destination, strides of destination and source; ak is dk without its sign
 * mk            its extent in the source
 * pk, qk        scalars within one step of mode k, in the destination and in the source
 * run           scalars that follow each other on both sides, from each multiple of it on
 * is_near       all offsets are from 0 to 2^31, and computed in 32 bits
 * gathers       on a device that is serial, where only the destination has runs: a vector is stored of elements that are loaded
 *               one by one, `step` apart, or with those between them
 * block         runs that one move covers: 4 where they gather from elements side by side, so that rows of 4 are loaded
 * lanes         elements of a store: NAME_width, or more if it gathers */
#define TS_COPY_FACTS(name, P, T, D, dst_flags, Q, U, S, src_flags) \
  TS_ENUM { \
    name##_same = TS_SAME_SHAPE(D, S), \
    TS_ORDER(name, D##_N0, D##_A0, D##_S0, S##_S0, D##_N5, D##_A5, D##_S5, S##_S5, a0, a5) \
    TS_ORDER(name, D##_N1, D##_A1, D##_S1, S##_S1, D##_N3, D##_A3, D##_S3, S##_S3, a1, a3) \
    TS_ORDER(name, D##_N2, D##_A2, D##_S2, S##_S2, D##_N4, D##_A4, D##_S4, S##_S4, a2, a4) \
    TS_ORDER_MODES(name, a1, a2, b1, b2) \
    TS_ORDER_MODES(name, a3, a4, b3, b4) \
    TS_ORDER_MODES(name, a0, b3, b0, c3) \
    TS_ORDER_MODES(name, b2, a5, c2, b5) \
    TS_ORDER_MODES(name, b0, b1, 0, c1) \
    TS_ORDER_MODES(name, c2, c3, d2, d3) \
    TS_ORDER_MODES(name, b4, b5, c4, 5) \
    TS_ORDER_MODES(name, c1, d2, 1, 2) \
    TS_ORDER_MODES(name, d3, c4, 3, 4) \
    name##_m0 = name##_same ? +name##_n0 : +S##_N0, name##_m1 = name##_same ? +name##_n1 : +S##_N1, \
    name##_m2 = name##_same ? +name##_n2 : +S##_N2, name##_m3 = name##_same ? +name##_n3 : +S##_N3, \
    name##_m4 = name##_same ? +name##_n4 : +S##_N4, name##_m5 = name##_same ? +name##_n5 : +S##_N5, \
    TS_WITHIN_STEPS(name##_element, name##_p, name##_n) \
    TS_WITHIN_STEPS(name##_element, name##_q, name##_m) \
    name##_dst_run = TS_RUN_OF(name##_p, name##_n, name##_d), \
    name##_gathers = TS_GROUP_IS_SERIAL && TS_MOVES_BITS(P, T, Q, U) && name##_same && name##_p5 == 1 && name##_d5 == 1 && \
      name##_s5 != 1 && name##_n5 > 1, \
    name##_src_run = name##_gathers ? +name##_n5 : TS_RUN_OF(name##_q, name##_m, name##_s), \
    name##_run = TS_COMMON_RUN(name##_dst_run, name##_src_run), \
    name##_runs = (ts_i64)D##_size * name##_element / name##_run, \
    name##_is_near = (ts_i64)D##_lowest == 0 && (ts_i64)D##_cosize + name##_element < 0x7fffffff && \
                     (ts_i64)S##_lowest == 0 && (ts_i64)S##_cosize + name##_element < 0x7fffffff, \
    name##_dst_bytes = (int)sizeof(ts_scalar(T)), \
    name##_src_bytes = (int)sizeof(ts_scalar(U)), \
    name##_dst_steps = TS_COPY_STEPS(name##_run, name##_dst_run, name##_p, name##_n, name##_d), \
    name##_src_steps = TS_COPY_STEPS(name##_run, name##_src_run, name##_q, name##_m, name##_s), \
    name##_dst_align = TS_COPY_ALIGN(dst_flags, name##_dst_bytes, (ts_i64)name##_dst_steps), \
    name##_src_align = TS_COPY_ALIGN(src_flags, name##_src_bytes, (ts_i64)name##_src_steps), \
    name##_dst_most = TS_LESSER(name##_run, name##_dst_align / name##_dst_bytes), \
    name##_src_most = name##_src_align / name##_src_bytes, \
    name##_most = name##_gathers ? +name##_dst_most : TS_LESSER(name##_dst_most, name##_src_most), \
    name##_lanes = name##_most >= 16 ? 16 : name##_most >= 8 ? 8 : name##_most >= 4 ? 4 : name##_most >= 2 ? 2 : 1, \
    name##_width = name##_gathers ? 1 : +name##_lanes, \
    name##_step = name##_gathers ? +name##_s5 : 1, \
    name##_block = name##_gathers && name##_s4 == 1 && name##_n4 % 4 == 0 && name##_lanes >= 4 ? 4 : 1, \
    name##_dst_flags = ((dst_flags) & TS_COPY_FLAGS) | TS_LESSER(name##_dst_align, name##_lanes * name##_dst_bytes), \
    name##_src_flags = ((src_flags) & TS_COPY_FLAGS) | TS_LESSER(name##_src_align, name##_width * name##_src_bytes), \
    name##_dst_flags_1 = ((dst_flags) & TS_COPY_FLAGS) | TS_LESSER(name##_dst_align, name##_dst_bytes), \
    name##_src_flags_1 = ((src_flags) & TS_COPY_FLAGS) | TS_LESSER(name##_src_align, name##_src_bytes), \
    name##_vectors = (ts_i64)name##_run / name##_lanes, \
    name##_rest = (ts_i64)name##_run % name##_lanes \
  };
#define TS_COPY_FLAGS (TS_INVARIANT | TS_NON_TEMPORAL)
#define TS_LESSER(a, b) ((a) < (b) ? (a) : (b))
#define TS_SAME_SHAPE(D, S) \
  (+D##_N0 == +S##_N0 && +D##_N1 == +S##_N1 && +D##_N2 == +S##_N2 && +D##_N3 == +S##_N3 && +D##_N4 == +S##_N4 && +D##_N5 == +S##_N5)

/* Two modes in the order of the destination's strides, the longer first, as modes A and B: a comparator of a sorting network. Its
 * twelve are those of Knuth, The Art of Computer Programming 3, 5.3.4, for six inputs. Different shapes keep their order. */
#define TS_ORDER_MODES(name, a, b, A, B) \
  TS_ORDER(name, name##_n##a, name##_a##a, name##_d##a, name##_s##a, name##_n##b, name##_a##b, name##_d##b, name##_s##b, A, B)
#define TS_ORDER(name, na, aa, da, sa, nb, ab, db, sb, A, B) \
  name##_o##A = name##_same && aa < ab, \
  name##_n##A = name##_o##A ? nb : na, name##_n##B = name##_o##A ? na : nb, \
  name##_a##A = name##_o##A ? ab : aa, name##_a##B = name##_o##A ? aa : ab, \
  name##_d##A = name##_o##A ? db : da, name##_d##B = name##_o##A ? da : db, \
  name##_s##A = name##_o##A ? sb : sa, name##_s##B = name##_o##A ? sa : sb,

/* The lesser run if it divides the greater; else the largest power of two that divides both. */
#define TS_COMMON_RUN(a, b) \
  ((a) % (b) == 0 ? (b) : (b) % (a) == 0 ? (a) : TS_LOWEST_BIT((ts_i64)(a) | (b)))
/* Steps, or-ed, from one common run of a side to another. */
#define TS_COPY_STEPS(run, side_run, P, N, S) (((run) < (side_run) ? (run) : 0) | TS_STEPS_OUTSIDE(side_run, P, N, S))
/* The bytes, a power of two of at most 256, that each common run of a side starts at a multiple of. */
#define TS_COPY_ALIGN(flags, bytes, steps) \
  (int)TS_LESSER(TS_PROMISE(flags, bytes), (steps) ? TS_LOWEST_BIT(steps) * (bytes) : 256)

/* ---- functions ------------------------------------------------------------------------------------------------------ */

/* The scalar that run r starts at, on one side, computed as a `place`. Its modes are those outside the side's own runs. */
#define TS_RUN_START(unit, place, r, run, side_run, P, N, S) \
  (place)TS_REMAINDER(r, (unit)(side_run / run)) * (place)run + \
    TS_STEP_TO(unit, place, r, run, side_run, P, N, S, 0) + TS_STEP_TO(unit, place, r, run, side_run, P, N, S, 1) + \
    TS_STEP_TO(unit, place, r, run, side_run, P, N, S, 2) + TS_STEP_TO(unit, place, r, run, side_run, P, N, S, 3) + \
    TS_STEP_TO(unit, place, r, run, side_run, P, N, S, 4) + TS_STEP_TO(unit, place, r, run, side_run, P, N, S, 5)
#define TS_STEP_TO(unit, place, r, run, side_run, P, N, S, k) \
  ((ts_i64)P##k * N##k <= side_run ? 0 : \
   (place)TS_INDEX_OF(unit, r / (unit)(P##k < run ? 1 : P##k / run), P, N, k) * (place)S##k)
/* The index of mode k, of which `steps` steps have been done: the remainder by its extent, but the outermost has done no more. */
#define TS_INDEX_OF(unit, steps, P, N, k) \
  (N##k != 1 && (ts_i64)P##k * N##k == (ts_i64)P##0 * N##0 ? steps : TS_REMAINDER(steps, (unit)N##k))
/* a % n: of `/` and `%` side by side LLVM makes code that SPIR-V can't say (freeze). */
#define TS_REMAINDER(a, n) ((a) - (a) / (n) * (n))
#define TS_OR_1(n) ((n) < 1 ? 1 : (n))

#define TS_COPY_ELEMENTS(name, P, T, Q, U, W, d, s, dst_flags, src_flags) \
  ts_store(P, T, W, dst, d, ts_convert(T, U, W, ts_load(Q, U, W, src, s, src_flags)), dst_flags)
/* 1 if a copy moves bits: both policies are of the table, and the dtypes are one. */
#define TS_MOVES_BITS(P, T, Q, U) TS_BOTH_POLICIES(TS_POLICY_ROW_##P, TS_POLICY_ROW_##Q, TS_IF_COMMA(TS_SAME_##T##_##U, 1, 0), 0)
/* `yes` if both policies are of the table: then their rows are six arguments. */
#define TS_BOTH_POLICIES(row, other_row, yes, no) TS_NINTH(row, other_row, , , yes, no, no, no, no, )

/* NAME_move: one access of the full width on each side. W must be a number where it chooses a name, so all are written. */
#define TS_COPY_LADDER(name, P, T, Q, U, at_width) \
  TS_INLINE void name##_move(ts_handle(P, T) dst, ts_index d, ts_handle(Q, U) src, ts_index s) { \
    if (name##_width == 16) at_width(name, P, T, Q, U, 16); \
    if (name##_width == 8) at_width(name, P, T, Q, U, 8); \
    if (name##_width == 4) at_width(name, P, T, Q, U, 4); \
    if (name##_width == 2) at_width(name, P, T, Q, U, 2); \
    if (name##_width == 1) at_width(name, P, T, Q, U, 1); \
  }
/* For any two storages. */
#define TS_COPY_VALUES(name, P, T, Q, U) TS_COPY_LADDER(name, P, T, Q, U, TS_COPY_VALUES_AT)
#define TS_COPY_VALUES_AT(name, P, T, Q, U, W) \
  TS_COPY_ELEMENTS(name, P, T, Q, U, W, d, s, name##_dst_flags, name##_src_flags)
/* For two policies of the table, with less text. */
#define TS_COPY_CELLS(name, P, T, Q, U) TS_COPY_LADDER(name, P, T, Q, U, TS_COPY_CELLS_AT)
#define TS_COPY_CELLS_AT(name, P, T, Q, U, W) \
  TS_STORE_CELLS(P, T, W, TS_OFFSET_HANDLE(P, T, dst, d).TS_MEMBER_OF(P), \
                 TS_CONVERT_CELLS(TS_CELL_OF(T), TS_KIND_OF(T), T, U, W, \
                                  (TS_LOAD_CELLS(Q, U, W, TS_OFFSET_HANDLE(Q, U, src, s).TS_MEMBER_OF(Q), name##_src_flags))), \
                 name##_dst_flags)
/* And one dtype: bits that the prelude moves. */
#define TS_COPY_BITS(name, P, T, Q, U) \
  TS_MOVE_TYPES(name, TS_CELL_OF(T)) \
  TS_INLINE void name##_move(P##_##T dst, ts_index d, Q##_##T src, ts_index s) { \
    TS_MOVE_CELLS(name, P, Q, T, TS_OFFSET_HANDLE(P, T, dst, d).TS_MEMBER_OF(P), TS_OFFSET_HANDLE(Q, T, src, s).TS_MEMBER_OF(Q)); \
  }

#define TS_COPY_FUNCTIONS(name, P, T, Q, U) \
  typedef TS_TYPE_IF((ts_i64)name##_runs * name##_run < 0x7fffffff, ts_u32, ts_u64) name##_unit; \
  typedef TS_TYPE_IF(name##_is_near, ts_u32, ts_index) name##_place; \
  TS_INLINE ts_index name##_dst_start(name##_unit r) { \
    return (ts_index)(TS_RUN_START(name##_unit, name##_place, r, name##_run, name##_dst_run, name##_p, name##_n, name##_d)); \
  } \
  TS_INLINE ts_index name##_src_start(name##_unit r) { \
    return (ts_index)(TS_RUN_START(name##_unit, name##_place, r, name##_run, name##_src_run, name##_q, name##_m, name##_s)); \
  } \
  TS_BOTH_POLICIES(TS_POLICY_ROW_##P, TS_POLICY_ROW_##Q, TS_IF_COMMA(TS_SAME_##T##_##U, TS_COPY_BITS, TS_COPY_CELLS), \
                   TS_COPY_VALUES)(name, P, T, Q, U) \
  TS_INLINE void name##_move_1(ts_handle(P, T) dst, ts_index d, ts_handle(Q, U) src, ts_index s) { \
    TS_COPY_ELEMENTS(name, P, T, Q, U, 1, d, s, name##_dst_flags_1, name##_src_flags_1); \
  } \
  TS_INLINE void name(ts_handle(P, T) dst, ts_handle(Q, U) src) { TS_COPY_RUNS(name, dst, src, ) } \
  TS_UNLESS_LOCAL(TS_POLICY_ROW_##P, TS_POLICY_ROW_##Q, TS_COPY_BY_GROUP, TS_COPY_NOT_BY_GROUP)(name, P, T, Q, U)
/* All runs; `before` comes before each move. */
#define TS_COPY_RUNS(name, dst, src, before) \
  for (name##_unit r = 0; r != (name##_unit)name##_runs; r += name##_block) { \
    ts_index d = name##_dst_start(r), s = name##_src_start(r); \
    TS_UNROLL_4 for (ts_index e = 0; e != (ts_index)(name##_run - name##_rest); e += name##_lanes) { \
      before \
      name##_move(dst, d + e, src, s + e * (ts_index)name##_step); \
    } \
    for (ts_index e = (ts_index)(name##_run - name##_rest); e != (ts_index)name##_run; ++e) \
      for (ts_index b = 0; b != name##_block; ++b) \
        name##_move_1(dst, d + b * (ts_index)name##_d4 + e, src, s + b + e * (ts_index)name##_step); \
  }
#define TS_COPY_BY_GROUP(name, P, T, Q, U) \
  TS_INLINE void name##_by_group(ts_handle(P, T) dst, ts_handle(Q, U) src) { \
    TS_BY_GROUP(name##_unit, TS_COPY_SHARE(name, name##_move, name##_lanes, name##_vectors)) \
  }
/* The share of work-item `id` of `items`: of the vectors, `vectors` of `lanes` elements in a run, and of what is left of runs. */
#define TS_COPY_SHARE(name, move, lanes, vectors) \
  name##_unit count = (name##_unit)((ts_i64)name##_runs / name##_block * vectors), rest = (name##_unit)((ts_i64)name##_runs * name##_rest); \
  for (name##_unit v = id; v < count; v += items) { \
    name##_unit r = v / (name##_unit)TS_OR_1(vectors); \
    ts_index e = (ts_index)(v - r * (name##_unit)TS_OR_1(vectors)) * lanes; \
    r *= name##_block; \
    move(dst, name##_dst_start(r) + e, src, name##_src_start(r) + e * (ts_index)name##_step); \
  } \
  if (name##_rest != 0) for (name##_unit v = id; v < rest; v += items) { \
    name##_unit r = v / (name##_unit)TS_OR_1(name##_rest); \
    ts_index e = (ts_index)(name##_run - name##_rest) + (ts_index)(v - r * (name##_unit)TS_OR_1(name##_rest)); \
    name##_move_1(dst, name##_dst_start(r) + e, src, name##_src_start(r) + e * (ts_index)name##_step); \
  }
/* Of work-items that run one after another the first does all: to share costs each more than a copy does. Others take vectors in
 * turn. */
#if TS_GROUP_IS_SERIAL
#define TS_BY_GROUP(unit, share) \
  if (ts_item_linear_id() == 0) { \
    const unit id = 0, items = 1; \
    share \
  }
#else
#define TS_BY_GROUP(unit, share) \
  const unit id = (unit)ts_item_linear_id(), items = (unit)ts_group_items(); \
  share
#endif
#define TS_COPY_NOT_BY_GROUP(name, P, T, Q, U) TS_NOT_BY_GROUP(name, (ts_handle(P, T), ts_handle(Q, U)))
/* What it returns does not exist, which a call can't do without: every compiler's error names it. */
struct ts_by_group_but_local_memory_is_one_work_items_own;
#define TS_NOT_BY_GROUP(name, parameters) \
  TS_PROTOTYPE struct ts_by_group_but_local_memory_is_one_work_items_own name##_by_group parameters;

/* `yes` unless one of the two policies is of local memory. A row that is not there, that of a storage of one's own, is one
 * argument instead of three: then the ninth is `own`. */
#define TS_UNLESS_LOCAL(row, other_row, yes, no) \
  TS_UNLESS_LOCAL_IN(TS_NINTH(, , , , , , , row, own, ), TS_NINTH(, , , , , , , other_row, own, ), yes, no)
#define TS_UNLESS_LOCAL_IN(space, other_space, yes, no) TS_UNLESS_LOCAL_SPACE(space, other_space, yes, no)
#define TS_UNLESS_LOCAL_SPACE(space, other_space, yes, no) \
  TS_IF_COMMA(TS_LOCAL_OF_##space, no, TS_IF_COMMA(TS_LOCAL_OF_##other_space, no, yes))
#define TS_LOCAL_OF_local ,

/* ---- through scratch -------------------------------------------------------------------------------------------------
 *
 *   TS_COPY_THROUGH(name, P, T, layout, flags,  Q, U, layout, flags)     at file scope, for two sides in global memory
 *
 *   TS_SCRATCH(scratch, T, name_scratch_cosize);      at the start of a kernel
 *   name_through(dst, src, scratch)                   all work-items of the group must call it, and share the copy
 *   name_through_next(dst, src, scratch, next)        the same; `next` is the src of the group after this one
 *
 * The same copy as TS_COPY's, for sides whose shortest strides lie in different modes: a transpose, a permutation. The tile is
 * read in the order of the source's memory into scratch, converted on the way, and written from there in the order of the
 * destination's. Scratch is a padded tile of shared memory with a barrier in between; on a device that is serial, where a barrier
 * costs more than it gives, a local one of the group's first work-item. There name_through_next prefetches the tile at `next`, some
 * lines before each store; it may lie beyond the memory: no element is read. As after NAME_by_group, the kernel calls ts_barrier()
 * before others read dst, and before scratch is used again. */
#define TS_COPY_THROUGH(name, P, T, D, dst_flags, Q, U, S, src_flags) \
  TS_COPY_THROUGH_BY(TS_SCRATCH_POLICY, name, P, T, D, dst_flags, Q, U, S, src_flags)
#define TS_COPY_THROUGH_BY(X, name, P, T, D, dst_flags, Q, U, S, src_flags) \
  TS_COPY_CHECKED(TS_COPY_THROUGH_OF, name, P, T, D, U, S, (dst_flags) | (src_flags), \
                  (X, name, P, T, D, dst_flags, Q, U, S, src_flags))
#define TS_COPY_THROUGH_OF(X, name, P, T, D, dst_flags, Q, U, S, src_flags) \
  TS_STATIC_ASSERT(TS_MAY_GO_THROUGH(TS_POLICY_ROW_##P) && TS_MAY_GO_THROUGH(TS_POLICY_ROW_##Q), \
                   "copy " #name ": both sides of TS_COPY_THROUGH are in global memory"); \
  TS_ENUM { \
    name##_b0 = TS_SHORTER(S, 0), name##_b1 = TS_SHORTER(S, 1), name##_b2 = TS_SHORTER(S, 2), name##_b3 = TS_SHORTER(S, 3), \
    name##_b4 = TS_SHORTER(S, 4), name##_b5 = TS_SHORTER(S, 5), \
    name##_first = TS_IF_FIRST(name, S, 0) TS_IF_FIRST(name, S, 1) TS_IF_FIRST(name, S, 2) TS_IF_FIRST(name, S, 3) \
      TS_IF_FIRST(name, S, 4) TS_IF_FIRST(name, S, 5) 1, \
    name##_pitch = TS_SCRATCH_PITCH(name##_first, (int)sizeof(ts_scalar(T))) \
  }; \
  TS_LAYOUT_6(name##_scratch, (ts_i64)S##_size == 0 ? 0 : +S##_N0, S##_N1, S##_N2, S##_N3, S##_N4, S##_N5, \
              TS_SCRATCH_STRIDE(name, 0), TS_SCRATCH_STRIDE(name, 1), TS_SCRATCH_STRIDE(name, 2), TS_SCRATCH_STRIDE(name, 3), \
              TS_SCRATCH_STRIDE(name, 4), TS_SCRATCH_STRIDE(name, 5)) \
  TS_COPY_OF(name##_in, X, T, name##_scratch, TS_ALIGN(128), Q, U, S, src_flags) \
  TS_COPY_OF(name##_out, P, T, D, dst_flags, X, T, name##_scratch, TS_ALIGN(128)) \
  TS_SCRATCH_LINES(name, U) \
  TS_INLINE void name##_through(ts_handle(P, T) dst, ts_handle(Q, U) src, ts_handle(X, T) scratch) { TS_SCRATCH_CALLS(name) } \
  TS_INLINE void name##_through_next(ts_handle(P, T) dst, ts_handle(Q, U) src, ts_handle(X, T) scratch, ts_handle(Q, U) next) { \
    TS_SCRATCH_CALLS_NEXT(name, Q, U) \
  }
/* 1 for global memory, which the group shares, and for a storage of one's own, of which nothing is known. */
#define TS_MAY_GO_THROUGH(row) TS_MAY_GO_THROUGH_IN(TS_NINTH(, , , , , , , row, own, ))
#define TS_MAY_GO_THROUGH_IN(space) TS_MAY_GO_THROUGH_OF(space)
#define TS_MAY_GO_THROUGH_OF(space) TS_IF_COMMA(TS_LOCAL_OF_##space, 0, TS_IF_COMMA(TS_SHARED_OF_##space, 0, 1))
#define TS_SHARED_OF_shared ,
#define TS_SHARED_OF_constant ,
/* Elements within one step of mode k, if modes lay in the order of their strides. */
#define TS_SHORTER(S, k) \
  (ts_i64)TS_IF_SHORTER(S, k, 0) * TS_IF_SHORTER(S, k, 1) * TS_IF_SHORTER(S, k, 2) * TS_IF_SHORTER(S, k, 3) * \
    TS_IF_SHORTER(S, k, 4) * TS_IF_SHORTER(S, k, 5)
#define TS_IF_SHORTER(S, k, j) (S##_A##j < S##_A##k || (S##_A##j == S##_A##k && j > k) ? S##_N##j : 1)
#define TS_IF_FIRST(name, S, k) name##_b##k == 1 && S##_N##k > 1 ? S##_N##k :
#define TS_SCRATCH_STRIDE(name, k) (name##_b##k == 1 ? 1 : (ts_i64)name##_b##k / name##_first * name##_pitch)

#if TS_GROUP_IS_SERIAL
#define TS_SCRATCH_POLICY ts_local
/* A row of a cache line more: rows of a power of two would share a set of the cache. */
#define TS_SCRATCH_PITCH(row, bytes) (row + 64 / bytes)
#define TS_SCRATCH(name, T, count) TS_LOCAL(name, T, TS_OR_1(count))
#define TS_SCRATCH_CALLS(name) \
  if (ts_item_linear_id() == 0) { \
    name##_in(scratch, src); \
    name##_out(dst, scratch); \
  }
#define TS_SCRATCH_CALLS_NEXT(name, Q, U) \
  if (ts_item_linear_id() == 0) { \
    name##_in_unit line = 0; \
    name##_in(scratch, src); \
    TS_COPY_RUNS(name##_out, dst, scratch, \
                 TS_BOTH_POLICIES(TS_POLICY_ROW_##Q, TS_POLICY_ROW_##Q, TS_PREFETCH_LINES, TS_PREFETCH_NOTHING)(name, Q, U)) \
  }
/* Lines of 64 bytes in a run of the source, and how many are asked for before each move out of scratch. */
#define TS_SCRATCH_LINES(name, U) \
  TS_ENUM { \
    name##_lines = (name##_in_run * (int)sizeof(ts_scalar(U)) + 63) / 64, \
    name##_out_moves = (ts_i64)name##_out_runs / name##_out_block * name##_out_vectors, \
    name##_ahead = ((ts_i64)name##_in_runs * name##_lines + name##_out_moves - 1) / TS_OR_1(name##_out_moves) \
  };
#define TS_PREFETCH_LINES(name, Q, U) \
  TS_UNROLL_4 for (int k = 0; k < name##_ahead; ++k, ++line) \
    TS_PREFETCH(TS_OFFSET_HANDLE(Q, U, next, name##_in_src_start(line / name##_lines) + \
                                               (ts_index)(line % name##_lines) * (64 / (int)sizeof(ts_scalar(U)))).TS_MEMBER_OF(Q));
#define TS_PREFETCH_NOTHING(name, Q, U) (void)line, (void)next;
#else
#define TS_SCRATCH_POLICY ts_shared
/* Rows of an odd number of banks, which are 4 bytes each: then a column lies in all of them. */
#define TS_SCRATCH_PITCH(row, bytes) (bytes >= 4 ? (row | 1) : ((row * bytes + 3) / 4 | 1) * (4 / bytes))
#define TS_SCRATCH(name, T, count) TS_SHARED(name, T, TS_OR_1(count))
#define TS_SCRATCH_CALLS(name) \
  name##_in_by_group(scratch, src); \
  ts_barrier(); \
  name##_out_by_group(dst, scratch);
#define TS_SCRATCH_CALLS_NEXT(name, Q, U) \
  (void)next; \
  TS_SCRATCH_CALLS(name)
#define TS_SCRATCH_LINES(name, U)
#endif

/* clang-format on */

/* A work-item's number in its group, and how many there are: dimension 0 moves fastest. */
TS_INLINE int ts_item_linear_id(void) {
  return ts_item_in_group(0) + ts_group_size(0) * (ts_item_in_group(1) + ts_group_size(1) * ts_item_in_group(2));
}
TS_INLINE int ts_group_items(void) { return ts_group_size(0) * ts_group_size(1) * ts_group_size(2); }

#endif
