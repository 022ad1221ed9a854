/* SPDX-License-Identifier: Apache-2.0
 *
 * prelude.h (OpenCL C): the vocabulary of core in OpenCL C 1.2 and later.
 *
 * A load or store is one vector dereference. Its promised alignment is that of the pointed-to type, so the compiler sees
 * one access with a known alignment and picks the instructions. Built-ins such as vload4 promise nothing and cost more to
 * compile.
 */
#ifndef TS_OPENCL_PRELUDE_H
#define TS_OPENCL_PRELUDE_H

#define TS_LANGUAGE_OPENCL 1
#define TS_LANGUAGE_CUDA 0
#define TS_LANGUAGE_HOST 0

/* Capabilities, by the language's own feature macros. Define one to 0 before the include to do without it. */
#ifndef TS_HAVE_F64
#if defined(cl_khr_fp64) || defined(__opencl_c_fp64)
#define TS_HAVE_F64 1
#else
#define TS_HAVE_F64 0
#endif
#endif
#ifndef TS_HAVE_GENERIC
#if defined(__opencl_c_generic_address_space) || (__OPENCL_C_VERSION__ >= 200 && __OPENCL_C_VERSION__ < 300)
#define TS_HAVE_GENERIC 1
#else
#define TS_HAVE_GENERIC 0
#endif
#endif

#ifndef TS_HAVE_F16_CONVERSION /* instructions that round as ts_convert does, whatever the options: x86 and AMD have them */
#if defined(__F16C__) || defined(__AMDGCN__)
#define TS_HAVE_F16_CONVERSION 1
#else
#define TS_HAVE_F16_CONVERSION 0
#endif
#endif

/* Quiet what clang says of the header itself, with -pedantic: variadic macros are C99, OpenCL C 1.2 lacks them by the letter,
 * and every compiler for it has them; and on x86: vectors wider than a register are passed by value, between functions that
 * are all inlined. Only for clang called by name: of a driver's clang nobody reads warnings, and one diagnostic pragma costs
 * it more than all conversions do (docs/performance.md). */
#if defined(__clang__) && !defined(__OPENCL_VERSION__)
#pragma clang diagnostic ignored "-Wpsabi"
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpedantic"
#endif
#define TS_WITHOUT_PARENTHESES(...) __VA_ARGS__
#define TS_NINTH(a, b, c, d, e, f, g, h, i, ...) i
#if defined(__clang__) && !defined(__OPENCL_VERSION__)
#pragma clang diagnostic pop
#endif

/* ---- functions, address spaces, types ------------------------------------------------------------------------- */

/* Always inlined: where all calls of a function are given one array of shared memory, LLVM writes that array into the function,
 * and PoCL 3.1 then gives the function an array of its own, unless it is a part of the kernel by then. Not so without
 * optimising: oclgrind 21.10 then loses all kernels. */
#ifdef __OPTIMIZE__
#define TS_INLINE static inline __attribute__((unused, always_inline))
#else
#define TS_INLINE static inline __attribute__((unused))
#endif
#define TS_FUNCTION TS_INLINE
#define TS_OUTLINE static inline __attribute__((unused)) /* of a long one that is used in many places; takes no handle */
#define TS_PROTOTYPE                                     /* of a function that is never defined */
#define TS_NO_TYPE(name) name                            /* a type that does not exist, whose name the compiler's error tells */
#define TS_KERNEL(name, params) __kernel void name params
#define TS_STATIC_ASSERT(condition, sentence) __extension__ _Static_assert(condition, sentence)
#define TS_ENUM __extension__ enum
#ifdef __SPIR__ /* where such a mark makes llvm-spirv write modules that spirv-val refuses */
#define TS_UNROLL_4
#define TS_CL_UNROLL
#else
#define TS_CL_UNROLL _Pragma("unroll")
#define TS_UNROLL_4 _Pragma("unroll 4") /* of a loop of any number of rounds: no more than four are side by side */
#endif
#ifndef TS_GROUP_IS_SERIAL /* 1: the device is a CPU, which runs the work-items of a group one after another */
#define TS_GROUP_IS_SERIAL 0
#endif
#define TS_IS_INTEGER(n) (__builtin_classify_type(n) != 8) /* no real number */
#define TS_TYPE_IF(condition, A, B) __typeof__(__builtin_choose_expr(condition, (A)0, (B)0))

#define TS_QUALIFIER_generic
#define TS_QUALIFIER_global __global
#define TS_QUALIFIER_shared __local
#define TS_QUALIFIER_constant __constant
#define TS_QUALIFIER_local __private
#define TS_TEXT __constant const char *
#define TS_LAYOUT_INTEGER long

#ifdef TS_INDEX_32
typedef int ts_index;
#else
typedef long ts_index;
#endif

/* clang-format off */
#define TS_CL_VECTORS(T, type) \
  typedef type ts_##T; typedef type ts_##T##x1; typedef type##2 ts_##T##x2; typedef type##4 ts_##T##x4; \
  typedef type##8 ts_##T##x8; typedef type##16 ts_##T##x16;
TS_CL_VECTORS(i8, char) TS_CL_VECTORS(u8, uchar) TS_CL_VECTORS(i16, short) TS_CL_VECTORS(u16, ushort)
TS_CL_VECTORS(i32, int) TS_CL_VECTORS(u32, uint) TS_CL_VECTORS(i64, long) TS_CL_VECTORS(u64, ulong)
TS_CL_VECTORS(f32, float)
#if TS_HAVE_F64
TS_CL_VECTORS(f64, double)
#endif
#undef TS_CL_VECTORS
/* clang-format on */

/* All bits of a U where a comparison of vectors of W elements holds, none where it does not. */
#define TS_HAVE_VECTOR_OPERATORS 1
#define TS_VECTOR_MASK(U, W, condition) __builtin_astype(condition, ts_##U##x##W)

/* ---- accesses ------------------------------------------------------------------------------------------------- */

#define TS_DEFINE_CELLS(T, C)

/* Streaming accesses, where there is a cache to stream past. The built-in takes the alignment of a store from the type of
 * the value. Without the built-ins the hint is not taken. */
#define TS_CL_CACHED_generic 1
#define TS_CL_CACHED_global 1
#define TS_CL_CACHED_shared 0
#define TS_CL_CACHED_constant 0
#define TS_CL_CACHED_local 0
#define TS_CL_COLUMN_CACHED(P, S, M) TS_CL_CACHED_##S
#define TS_CL_STREAMS(P, flags) (TS_OF_POLICY(TS_CL_COLUMN_CACHED, TS_POLICY_ROW_##P) && ((flags)&TS_NON_TEMPORAL))
#if defined(__has_builtin)
#if __has_builtin(__builtin_nontemporal_load) && __has_builtin(__builtin_nontemporal_store)
#define TS_CL_STREAM_LOAD(cells) __builtin_nontemporal_load(cells)
#define TS_CL_STREAM_STORE(value, cells) __builtin_nontemporal_store(value, cells)
#endif
#endif
#ifndef TS_CL_STREAM_LOAD
#define TS_CL_STREAM_LOAD(cells) (*(cells))
#define TS_CL_STREAM_STORE(value, cells) (*(cells) = (value))
#endif

/* What core calls: W cells of dtype T at `cells`, a pointer in P's space. `flags` must be constant: the pointer's type says
 * what they promise, so that the access is one from the start. (Of branches that the optimiser has yet to fold, LLVM makes
 * one access with the least alignment of them all, and drops the streaming hint.) may_alias: the same memory may also be
 * accessed as another dtype. Other arguments are written once, so that accesses within accesses stay small. */
#define TS_CL_CELLS(T, W) TS_CL_CELLS_OF(TS_CELL_OF(T), W)
#define TS_CL_CELLS_OF(C, W) TS_CL_CELLS_IN(C, W)
#define TS_CL_CELLS_IN(C, W) ts_##C##x##W
#define TS_LOAD_CELLS(P, T, W, cells, flags)                                                                                   \
  __extension__({                                                                                                              \
    enum { ts_promise_ = TS_PROMISE(flags, sizeof(ts_##T)), ts_bytes_ = W * sizeof(ts_##T) };                                  \
    typedef TS_CL_CELLS(T, W) ts_type_ __attribute__((aligned(ts_promise_ < ts_bytes_ ? ts_promise_ : ts_bytes_), may_alias)); \
    _Static_assert(TS_ARE_FLAGS(flags), TS_FLAGS_SENTENCE);                                                                    \
    const TS_QUALIFIER_OF(P) ts_type_ *ts_cells_ = (const TS_QUALIFIER_OF(P) ts_type_ *)(cells);                               \
    __builtin_choose_expr(TS_CL_STREAMS(P, flags), TS_CL_STREAM_LOAD(ts_cells_), *ts_cells_);                                  \
  })
#define TS_STORE_CELLS(P, T, W, cells, value, flags)                                                                           \
  __extension__({                                                                                                              \
    enum { ts_promise_ = TS_PROMISE(flags, sizeof(ts_##T)), ts_bytes_ = W * sizeof(ts_##T) };                                  \
    typedef TS_CL_CELLS(T, W) ts_type_ __attribute__((aligned(ts_promise_ < ts_bytes_ ? ts_promise_ : ts_bytes_), may_alias)); \
    _Static_assert(TS_ARE_FLAGS(flags), TS_FLAGS_SENTENCE);                                                                    \
    TS_QUALIFIER_OF(P) ts_type_ *ts_cells_ = (TS_QUALIFIER_OF(P) ts_type_ *)(cells);                                           \
    ts_type_ ts_stored_ = (value);                                                                                             \
    (void)__builtin_choose_expr(TS_CL_STREAMS(P, flags), TS_CL_STREAM_STORE(ts_stored_, ts_cells_), *ts_cells_ = ts_stored_);  \
  })

/* What core/copy.h calls: NAME_lanes cells of dtype C, with NAME_dst_flags and NAME_src_flags. One lane is no vector. */
#define TS_MOVE_TYPES(name, C) TS_CL_MOVE_TYPES(name, C)
#define TS_CL_MOVE_TYPES(name, C)                                                                                              \
  typedef ts_##C name##_vector __attribute__((ext_vector_type(name##_lanes == 1 ? 2 : name##_lanes)));                         \
  typedef TS_TYPE_IF(name##_lanes == 1, ts_##C, name##_vector) name##_cells;                                                   \
  typedef name##_cells name##_dst_cells __attribute__((aligned(name##_dst_flags & TS_ALIGN_MASK), may_alias));                 \
  typedef name##_cells name##_src_cells __attribute__((aligned(name##_src_flags & TS_ALIGN_MASK), may_alias));                 \
  TS_CL_SERIAL_TYPES(name, C)
#define TS_CL_MOVE_IN(name, Q, src)                                                                                            \
  const TS_QUALIFIER_OF(Q) name##_src_cells *ts_src_ = (const TS_QUALIFIER_OF(Q) name##_src_cells *)(src);                     \
  name##_dst_cells ts_moved_ = __builtin_choose_expr(TS_CL_STREAMS(Q, name##_src_flags), TS_CL_STREAM_LOAD(ts_src_), *ts_src_);
#define TS_CL_MOVE_OUT(name, P, dst, value)                                                                                    \
  do {                                                                                                                         \
    TS_QUALIFIER_OF(P) name##_dst_cells *ts_dst_ = (TS_QUALIFIER_OF(P) name##_dst_cells *)(dst);                               \
    (void)__builtin_choose_expr(TS_CL_STREAMS(P, name##_dst_flags), TS_CL_STREAM_STORE(value, ts_dst_), *ts_dst_ = (value));   \
  } while (0)
#if TS_GROUP_IS_SERIAL
/* Every second cell is picked from two vectors, which reach from the first cell to the last and no further. A block is a
 * transpose in registers: rows of four cells are loaded, row k into quarter k / 4 of vector k % 4, and a vector is stored of
 * each column. Of a long run in a cached space, what the move 2 KiB ahead will read is asked for. */
#define TS_CL_SERIAL_TYPES(name, C)                                                                                            \
  typedef ts_##C name##_src_cell __attribute__((aligned(name##_src_flags_1 & TS_ALIGN_MASK), may_alias));                      \
  typedef name##_vector name##_src_vector __attribute__((aligned(name##_src_flags_1 & TS_ALIGN_MASK), may_alias));             \
  typedef ts_##C##x4 name##_src_row __attribute__((aligned(name##_src_flags_1 & TS_ALIGN_MASK), may_alias));                   \
  typedef ts_##C name##_column __attribute__((ext_vector_type(name##_lanes < 4 ? 4 : name##_lanes), may_alias));               \
  TS_ENUM{name##_span = name##_lanes * (int)sizeof(ts_##C) * (name##_step <= 2 ? +name##_step : 0),                            \
          name##_is_long = (ts_i64)name##_run * (int)sizeof(ts_##C) >= 8192 && name##_span >= 64};
#define TS_MOVE_CELLS(name, P, Q, T, dst, src)                                                                                 \
  if (name##_is_long && TS_OF_POLICY(TS_CL_COLUMN_CACHED, TS_POLICY_ROW_##Q))                                                  \
    TS_CL_UNROLL for (int k = 0; k < name##_span; k += 64) TS_PREFETCH((const TS_QUALIFIER_OF(Q) uchar *)(src) + 2048 + k);    \
  if (name##_block == 4) {                                                                                                     \
    name##_column ts_rows_[4];                                                                                                 \
    TS_CL_UNROLL for (int k = 0; k < name##_lanes; ++k)((__private name##_src_row *)&ts_rows_[k % 4])[k / 4] =                 \
        *(const TS_QUALIFIER_OF(Q) name##_src_row *)((src) + k * (ts_index)name##_step);                                       \
    TS_CL_COLUMN(name, P, dst, even.even);                                                                                     \
    TS_CL_COLUMN(name, P, (dst) + name##_d4, odd.even);                                                                        \
    TS_CL_COLUMN(name, P, (dst) + 2 * (ts_index)name##_d4, even.odd);                                                          \
    TS_CL_COLUMN(name, P, (dst) + 3 * (ts_index)name##_d4, odd.odd);                                                           \
  } else if (name##_step == 2 && name##_lanes > 1) {                                                                           \
    name##_vector ts_low_ = *(const TS_QUALIFIER_OF(Q) name##_src_vector *)(src);                                              \
    name##_vector ts_high_ = *(const TS_QUALIFIER_OF(Q) name##_src_vector *)((src) + name##_lanes - 1);                        \
    name##_vector ts_picked_ = (name##_vector)(ts_low_.even, ts_high_.odd);                                                    \
    TS_CL_MOVE_OUT(name, P, dst, *(__private name##_dst_cells *)&ts_picked_);                                                  \
  } else if (name##_gathers) {                                                                                                 \
    name##_dst_cells ts_moved_;                                                                                                \
    for (int k = 0; k < name##_lanes; ++k)                                                                                     \
      ((__private name##_src_cell *)&ts_moved_)[k] =                                                                           \
          *(const TS_QUALIFIER_OF(Q) name##_src_cell *)((src) + k * (ts_index)name##_step);                                    \
    TS_CL_MOVE_OUT(name, P, dst, ts_moved_);                                                                                   \
  } else {                                                                                                                     \
    TS_CL_MOVE_IN(name, Q, src)                                                                                                \
    TS_CL_MOVE_OUT(name, P, dst, ts_moved_);                                                                                   \
  }
#define TS_CL_COLUMN(name, P, dst, of_row)                                                                                     \
  do {                                                                                                                         \
    name##_column ts_column_;                                                                                                  \
    ts_column_.even.even = ts_rows_[0].of_row;                                                                                 \
    ts_column_.odd.even = ts_rows_[1].of_row;                                                                                  \
    ts_column_.even.odd = ts_rows_[2].of_row;                                                                                  \
    ts_column_.odd.odd = ts_rows_[3].of_row;                                                                                   \
    TS_CL_MOVE_OUT(name, P, dst, *(__private name##_dst_cells *)&ts_column_);                                                  \
  } while (0)
#else
#define TS_CL_SERIAL_TYPES(name, C)
#define TS_MOVE_CELLS(name, P, Q, T, dst, src)                                                                                 \
  TS_CL_MOVE_IN(name, Q, src)                                                                                                  \
  TS_CL_MOVE_OUT(name, P, dst, ts_moved_)
#endif

/* Ask for the cache line at `cells`, where the processor has an instruction for that which never faults. */
#if defined(__x86_64__) || defined(__aarch64__)
#define TS_PREFETCH(cells) __builtin_prefetch(cells, 0, 2)
#else
#define TS_PREFETCH(cells) (void)(cells)
#endif

/* The bits of a src as a dst of the same size. */
#define TS_REINTERPRET(dst, src, W, v) __builtin_astype((ts_##src##x##W)(v), ts_##dst##x##W)
#define TS_ADVANCE(cells, elements) ((cells) + (elements))

/* The f32 bits of the f16 in `cells`, and f16 bits of f32 bits, to nearest even. The language converts them in memory only:
 * a variable that never leaves its registers. */
#if TS_HAVE_F16_CONVERSION
#define TS_INSTRUCTION_AT(name, W, bits) TS_CL_##name(W, bits)
#define TS_CL_NAME_1(name, end) name##end
#define TS_CL_NAME_2(name, end) name##2##end
#define TS_CL_NAME_4(name, end) name##4##end
#define TS_CL_NAME_8(name, end) name##8##end
#define TS_CL_NAME_16(name, end) name##16##end
#define TS_CL_wide_f16(W, cells)                                                                                               \
  __extension__({                                                                                                              \
    typedef ts_u16x##W ts_type_ __attribute__((may_alias));                                                                    \
    ts_type_ ts_halves_ = (cells);                                                                                             \
    __builtin_astype(TS_CL_NAME_##W(vload_half, )(0, (const __private half *)&ts_halves_), ts_u32x##W);                        \
  })
#define TS_CL_narrow_f16(W, bits)                                                                                              \
  __extension__({                                                                                                              \
    typedef ts_u16x##W ts_type_ __attribute__((may_alias));                                                                    \
    ts_type_ ts_halves_;                                                                                                       \
    TS_CL_NAME_##W(vstore_half, _rte)(__builtin_astype((ts_u32x##W)(bits), ts_f32x##W), 0, (__private half *)&ts_halves_);     \
    (ts_u16x##W) ts_halves_;                                                                                                   \
  })
#endif

/* ---- vectors, maths, atomics: what core/vector.h is written in -------------------------------------------------- */

/* W cells that are all `cell`; cells with one lane replaced. */
#define TS_SPREAD(C, W, cell) ((ts_##C##x##W)(cell))
#define TS_WITH_LANE(C, W, cells, k, cell)                                                                                     \
  __extension__({                                                                                                              \
    ts_##C##x##W ts_lanes_ = (cells);                                                                                          \
    ts_lanes_[k] = (cell);                                                                                                     \
    ts_lanes_;                                                                                                                 \
  })

/* A comparison is 1 or 0 for scalars and has all bits of a lane set for vectors. */
#define TS_COMPARE(M, T, W, a, op, b) ((ts_##M##x##W)(TS_BY_WIDTH_##W(-, +)((ts_##T##x##W)(a)op(ts_##T##x##W)(b))))
#define TS_SELECT_CELLS(C, M, W, mask, a, b)                                                                                   \
  __extension__({                                                                                                              \
    ts_##C##x##W ts_true_ = (a), ts_false_ = (b);                                                                              \
    (mask) ? ts_true_ : ts_false_;                                                                                             \
  })

#define TS_CALL_1(T, W, function, a) function((ts_##T##x##W)(a))
#define TS_CALL_2(T, W, function, a, b) function((ts_##T##x##W)(a), (ts_##T##x##W)(b))
#define TS_CALL_3(T, W, function, a, b, c) function((ts_##T##x##W)(a), (ts_##T##x##W)(b), (ts_##T##x##W)(c))

#define TS_ATOMIC_ADD(S, T, cells, x) atomic_add((volatile TS_QUALIFIER_##S ts_##T *)(cells), (ts_##T)(x))

/* ---- binding, memory, arguments ------------------------------------------------------------------------------- */

/* The value, or where the constant condition is false a compile error that is the sentence. */
#define TS_SAME_TYPE(expression, type) __builtin_types_compatible_p(__typeof__(expression), type)
#define TS_CHECKED(condition, value, sentence)                                                                                 \
  (__extension__(void) sizeof(struct {                                                                                         \
     _Static_assert(condition, sentence);                                                                                      \
     int never_used;                                                                                                           \
   }),                                                                                                                         \
   (value))

/* A number of elements, once it is known to be no pointer, which clang would take for a number. */
#define TS_INDEX(n)                                                                                                            \
  __extension__({                                                                                                              \
    __auto_type ts_number_ = (n);                                                                                              \
    _Static_assert(__builtin_classify_type(ts_number_) != 5,                                                                   \
                   "an offset or index is a pointer: incompatible pointer to integer conversion");                             \
    ts_number_;                                                                                                                \
  })

/* Refuse P_bind_T of cells of another dtype or mutability, about which clang would only warn: they fit this one best. (A
 * diagnostic pragma would do too, and cost each build more than all conversions: docs/performance.md.) */
#define TS_OVERLOADED __attribute__((overloadable))
#define TS_REFUSE_OTHER_CELLS(P, S, T)                                                                                         \
  P##_##T P##_bind_##T(const TS_QUALIFIER_##S void *cells)                                                                     \
      __attribute__((overloadable, unavailable("the cells are no ts_" #T " *, or are const and this discards qualifiers")));

/* The vector `value`, once its type is checked. */
#define TS_CHECKED_VECTOR(T, W, value)                                                                                         \
  __extension__({                                                                                                              \
    __auto_type ts_vector_ = (value);                                                                                          \
    _Static_assert(TS_SAME_TYPE(ts_vector_, ts_##T##x##W), "the value is a vector of another dtype or width");                 \
    ts_vector_;                                                                                                                \
  })

#define TS_SHARED(name, T, count) TS_SHARED_EXPANDED(name, T, count)
#define TS_SHARED_EXPANDED(name, T, count) TS_IF_USED(T, TS_SHARED_USED, TS_UNUSED_MEMORY)(name, T, count)
#define TS_SHARED_USED(name, T, count)                                                                                         \
  TS_CHECK_COUNT(name, count);                                                                                                 \
  __local ts_##T name##_cells[count] __attribute__((aligned(128)));                                                            \
  ts_shared_##T name = ts_shared_bind_##T(name##_cells)
#define TS_LOCAL(name, T, count) TS_LOCAL_EXPANDED(name, T, count)
#define TS_LOCAL_EXPANDED(name, T, count) TS_IF_USED(T, TS_LOCAL_USED, TS_UNUSED_MEMORY)(name, T, count)
#define TS_LOCAL_USED(name, T, count)                                                                                          \
  TS_CHECK_COUNT(name, count);                                                                                                 \
  __private ts_##T name##_cells[count] __attribute__((aligned(128)));                                                          \
  ts_local_##T name = ts_local_bind_##T(name##_cells)
#define TS_CONSTANT_TABLE(name, T, count, values) TS_CONSTANT_TABLE_EXPANDED(name, T, count, values)
#define TS_CONSTANT_TABLE_EXPANDED(name, T, count, values) TS_IF_USED(T, TS_TABLE_USED, TS_UNUSED_TABLE)(name, T, count, values)
#define TS_TABLE_USED(name, T, count, values)                                                                                  \
  __constant ts_##T name[] __attribute__((aligned(128))) = {TS_WITHOUT_PARENTHESES values};                                    \
  TS_CHECK_TABLE(name, count)

#define TS_GLOBAL_ARG(T) TS_ARG_EXPANDED(__global, T)
#define TS_GLOBAL_CONST_ARG(T) TS_ARG_EXPANDED(const __global, T)
#define TS_CONSTANT_ARG(T) TS_ARG_EXPANDED(__constant, T)
#define TS_SHARED_ARG(T) TS_ARG_EXPANDED(__local, T)
/* clang-format off */
#define TS_ARG_EXPANDED(qualifiers, T) qualifiers TS_TYPE_OF_ARG(T) *

/* ---- work-items and barriers ---------------------------------------------------------------------------------- */

TS_INLINE long ts_global_id(int d) { return (long)get_global_id((uint)d); }
/* clang-format on */
TS_INLINE int ts_item_in_group(int d) { return (int)get_local_id((uint)d); }
TS_INLINE int ts_group_id(int d) { return (int)get_group_id((uint)d); }
TS_INLINE int ts_group_size(int d) { return (int)get_local_size((uint)d); }
TS_INLINE int ts_group_count(int d) { return (int)get_num_groups((uint)d); }

TS_INLINE void ts_barrier(void) { barrier(CLK_LOCAL_MEM_FENCE); }
TS_INLINE void ts_barrier_global(void) { barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); }

/* ---- asynchronous copies: what core/copy_async.h is written in --------------------------------------------------- */

/* A copy that is not asynchronous calls the function, too, for no elements: an event of no call may not be waited for. */
#if !TS_GROUP_IS_SERIAL
typedef event_t ts_copy_event;
#define ts_copy_begin() ((event_t)0)
#define ts_copy_wait(e)                                                                                                        \
  __extension__({                                                                                                              \
    event_t ts_event_ = (e);                                                                                                   \
    wait_group_events(1, &ts_event_);                                                                                          \
    ts_barrier();                                                                                                              \
  })
#define TS_ASYNC_FACTS(name, T)                                                                                                \
  TS_ENUM{name##_calls = (ts_i64)name##_runs * (name##_rest ? 2 : 1),                                                          \
          name##_is_async = name##_calls > 0 && name##_calls <= 64 && (ts_i64)name##_run * name##_dst_bytes >= 64 &&           \
                            name##_dst_align >= name##_dst_bytes && name##_src_align >= name##_src_bytes};
#define TS_ASYNC_BODY(name, T)                                                                                                 \
  if (!name##_is_async) name##_by_group(dst, src);                                                                             \
  for (name##_unit r = 0; r != (name##_unit)(name##_is_async ? name##_runs : 1); ++r) {                                        \
    __local ts_##T *to = dst.shared_cells + name##_dst_start(r);                                                               \
    const __global ts_##T *from = src.global_cells + name##_src_start(r);                                                      \
    e = async_work_group_copy((__local name##_cells *)to, (const __global name##_cells *)from,                                 \
                              (size_t)(name##_is_async ? name##_vectors : 0), e);                                              \
    if (name##_is_async && name##_rest)                                                                                        \
      e = async_work_group_copy((__local TS_CL_CELLS(T, 1) *)to + (name##_run - name##_rest),                                  \
                                (const __global TS_CL_CELLS(T, 1) *)from + (name##_run - name##_rest), (size_t)name##_rest,    \
                                e);                                                                                            \
  }
#endif

#endif
