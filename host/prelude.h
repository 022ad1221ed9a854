/* SPDX-License-Identifier: Apache-2.0
 *
 * prelude.h (host): the vocabulary of core in C11 with the vector extensions that gcc and clang share.
 *
 * All address spaces are the same memory here, and the handles still differ by type. Accesses go through memcpy: right for
 * every alignment and every dtype that the memory also has, and one instruction when optimised. A kernel is a C function;
 * what a work-item may ask of its group is in launch.h.
 */
#ifndef TS_HOST_PRELUDE_H
#define TS_HOST_PRELUDE_H

#include "launch.h"

#if !defined(__STDC_VERSION__) || __STDC_VERSION__ < 201112L
#error "tensorstorage.h needs OpenCL C, CUDA, or C11 or later compiled by gcc or clang."
#endif

#define TS_LANGUAGE_OPENCL 0
#define TS_LANGUAGE_CUDA 0
#define TS_LANGUAGE_HOST 1

/* Capabilities. Define one to 0 before the include to do without it. */
#ifndef TS_HAVE_F64
#define TS_HAVE_F64 1
#endif
#ifndef TS_HAVE_GENERIC
#define TS_HAVE_GENERIC 1
#endif

/* Vectors wider than a register are passed by value between functions that are all inlined. */
#pragma GCC diagnostic ignored "-Wpsabi"

/* What C forbids and these compilers only warn about: a policy, dtype or width that does not exist is a function that was
 * not declared; other cells given to P_bind_T itself; a pointer as a number. */
#pragma GCC diagnostic error "-Wimplicit-function-declaration"
#pragma GCC diagnostic error "-Wincompatible-pointer-types"
#pragma GCC diagnostic error "-Wint-conversion"
#ifndef __clang__ /* clang counts it among the above */
#pragma GCC diagnostic error "-Wdiscarded-qualifiers"
#endif

/* ---- functions, address spaces, types ------------------------------------------------------------------------- */

#define TS_INLINE static inline __attribute__((unused))
#define TS_FUNCTION static inline __attribute__((unused))
#define TS_OUTLINE TS_INLINE  /* of a long one that is used in many places */
#define TS_PROTOTYPE          /* of a function that is never defined */
#define TS_NO_TYPE(name) name /* a type that does not exist, whose name the compiler's error tells */
#define TS_KERNEL(name, params)                                                                                                \
  void name params;                                                                                                            \
  void name params
#define TS_STATIC_ASSERT(condition, sentence) _Static_assert(condition, sentence)
#define TS_ENUM __extension__ enum
#define TS_UNROLL_4        /* gcc unrolls no loop that is long */
#ifndef TS_GROUP_IS_SERIAL /* 1: work-items of a group run one after another */
#define TS_GROUP_IS_SERIAL 1
#endif
#define TS_IS_INTEGER(n) (__builtin_classify_type(n) != 8) /* no real number */
#define TS_TYPE_IF(condition, A, B) __typeof__(__builtin_choose_expr(condition, (A)0, (B)0))
#define TS_WITHOUT_PARENTHESES(...) __VA_ARGS__
#define TS_NINTH(a, b, c, d, e, f, g, h, i, ...) i

#define TS_QUALIFIER_generic
#define TS_QUALIFIER_global
#define TS_QUALIFIER_shared
#define TS_QUALIFIER_constant
#define TS_QUALIFIER_local
#define TS_TEXT const char *

#ifdef TS_INDEX_32
typedef int ts_index;
#else
typedef long long ts_index;
#endif

/* clang-format off */
#define TS_HOST_VECTOR(T, type, W) typedef type ts_##T##x##W __attribute__((vector_size(W * sizeof(type))));
#define TS_HOST_VECTORS(T, type) \
  typedef type ts_##T; typedef type ts_##T##x1; \
  TS_HOST_VECTOR(T, type, 2) TS_HOST_VECTOR(T, type, 4) TS_HOST_VECTOR(T, type, 8) TS_HOST_VECTOR(T, type, 16)
TS_HOST_VECTORS(i8, signed char) TS_HOST_VECTORS(u8, unsigned char)
TS_HOST_VECTORS(i16, short)      TS_HOST_VECTORS(u16, unsigned short)
TS_HOST_VECTORS(i32, int)        TS_HOST_VECTORS(u32, unsigned int)
TS_HOST_VECTORS(i64, long long)  TS_HOST_VECTORS(u64, unsigned long long)
TS_HOST_VECTORS(f32, float)
#if TS_HAVE_F64
TS_HOST_VECTORS(f64, double)
#endif
#undef TS_HOST_VECTORS
#undef TS_HOST_VECTOR
/* clang-format on */

/* All bits of a U where a comparison of vectors of W elements holds, none where it does not. */
#define TS_HAVE_VECTOR_OPERATORS 1
#define TS_VECTOR_MASK(U, W, condition) ((ts_##U##x##W)(condition))

/* ---- accesses ------------------------------------------------------------------------------------------------- */

/* The address, with its promise told to the compiler; UndefinedBehaviorSanitizer reports one that is broken. The
 * streaming hint is not taken: gcc has no portable spelling of it. */
#define TS_HOST_IF_PROMISED(cells, promise, bytes, otherwise)                                                                  \
  ((promise) >= (bytes) ? __builtin_assume_aligned(cells, bytes) : (otherwise))
    /* clang-format off */
TS_INLINE const void *ts_host_promised(const void *cells, int promise) {
  return TS_HOST_IF_PROMISED(cells, promise, 256,
         TS_HOST_IF_PROMISED(cells, promise, 128,
         TS_HOST_IF_PROMISED(cells, promise, 64,
         TS_HOST_IF_PROMISED(cells, promise, 32,
         TS_HOST_IF_PROMISED(cells, promise, 16,
         TS_HOST_IF_PROMISED(cells, promise, 8,
         TS_HOST_IF_PROMISED(cells, promise, 4,
         TS_HOST_IF_PROMISED(cells, promise, 2, cells))))))));
}
/* clang-format on */

#define TS_HOST_ACCESS(T, C, W)                                                                                                \
  TS_INLINE ts_##C##x##W ts_host_load_##T##x##W(const void *cells, int promise) {                                              \
    ts_##C##x##W value;                                                                                                        \
    __builtin_memcpy(&value, ts_host_promised(cells, promise), sizeof value);                                                  \
    return value;                                                                                                              \
  }                                                                                                                            \
  TS_INLINE void ts_host_store_##T##x##W(void *cells, ts_##C##x##W value, int promise) {                                       \
    __builtin_memcpy((void *)ts_host_promised(cells, promise), &value, sizeof value);                                          \
  }
#define TS_DEFINE_CELLS(T, C)                                                                                                  \
  TS_HOST_ACCESS(T, C, 1) TS_HOST_ACCESS(T, C, 2) TS_HOST_ACCESS(T, C, 4) TS_HOST_ACCESS(T, C, 8) TS_HOST_ACCESS(T, C, 16)

/* What core calls: W cells of dtype T. The space of the policy P makes no difference here. */
#define TS_LOAD_CELLS(P, T, W, cells, flags) ts_host_load_##T##x##W(cells, TS_HOST_PROMISE(T, flags))
#define TS_STORE_CELLS(P, T, W, cells, value, flags) ts_host_store_##T##x##W(cells, value, TS_HOST_PROMISE(T, flags))
#define TS_HOST_PROMISE(T, flags)                                                                                              \
  TS_CHECKED(TS_ARE_FLAGS(flags), __builtin_choose_expr((flags) == 0, (int)sizeof(ts_##T), TS_PROMISE(flags, sizeof(ts_##T))), \
             TS_FLAGS_SENTENCE)

/* What core/copy.h calls: NAME_lanes cells of dtype T, with NAME_dst_flags and NAME_src_flags. */
#define TS_MOVE_TYPES(name, C)
#define TS_MOVE_CELLS(name, P, Q, T, dst, src)                                                                                 \
  for (ts_index b = 0; b < name##_block; ++b) {                                                                                \
    ts_##T ts_moved_[name##_lanes];                                                                                            \
    if (name##_gathers)                                                                                                        \
      for (int k = 0; k < name##_lanes; ++k)                                                                                   \
        __builtin_memcpy(&ts_moved_[k],                                                                                        \
                         ts_host_promised((src) + b + k * (ts_index)name##_step, name##_src_flags_1 & TS_ALIGN_MASK),          \
                         sizeof(ts_##T));                                                                                      \
    else                                                                                                                       \
      __builtin_memcpy(ts_moved_, ts_host_promised(src, name##_src_flags &TS_ALIGN_MASK), sizeof ts_moved_);                   \
    __builtin_memcpy((void *)ts_host_promised((dst) + b * (ts_index)name##_d4, name##_dst_flags & TS_ALIGN_MASK), ts_moved_,   \
                     sizeof ts_moved_);                                                                                        \
  }

/* Ask for the cache line at `cells`. */
#define TS_PREFETCH(cells) __builtin_prefetch(cells, 0, 2)

/* The bits of a src as a dst of the same size. */
#define TS_REINTERPRET(dst, src, W, v)                                                                                         \
  (((union {                                                                                                                   \
     ts_##src##x##W from;                                                                                                      \
     ts_##dst##x##W to;                                                                                                        \
   }){v})                                                                                                                      \
       .to)

/* Through an integer, because a handle may be offset from NULL by 0 and to places that are never accessed. */
#define TS_ADVANCE(cells, elements)                                                                                            \
  ((__typeof__(cells))((__UINTPTR_TYPE__)(cells) + (__UINTPTR_TYPE__)(elements) * sizeof(*(cells))))

/* ---- vectors, maths, atomics: what core/vector.h is written in -------------------------------------------------- */

/* W cells that are all `cell`; cells with one lane replaced. */
#define TS_SPREAD(C, W, cell)                                                                                                  \
  __extension__({                                                                                                              \
    ts_##C ts_cell_ = (cell);                                                                                                  \
    (ts_##C##x##W){TS_HOST_TIMES_##W(ts_cell_)};                                                                               \
  })
#define TS_HOST_TIMES_1(cell) cell
#define TS_HOST_TIMES_2(cell) cell, cell
#define TS_HOST_TIMES_4(cell) TS_HOST_TIMES_2(cell), TS_HOST_TIMES_2(cell)
#define TS_HOST_TIMES_8(cell) TS_HOST_TIMES_4(cell), TS_HOST_TIMES_4(cell)
#define TS_HOST_TIMES_16(cell) TS_HOST_TIMES_8(cell), TS_HOST_TIMES_8(cell)
#define TS_WITH_LANE(C, W, cells, k, cell)                                                                                     \
  __extension__({                                                                                                              \
    ts_##C##x##W ts_lanes_ = (cells);                                                                                          \
    ts_lanes_[k] = (cell);                                                                                                     \
    ts_lanes_;                                                                                                                 \
  })

/* A comparison is 1 or 0 for scalars and has all bits of a lane set for vectors. */
#define TS_COMPARE(M, T, W, a, op, b) ((ts_##M##x##W)(TS_BY_WIDTH_##W(-, +)((ts_##T##x##W)(a)op(ts_##T##x##W)(b))))

/* C has no ?: of vectors, so lanes are chosen bit by bit. */
#define TS_SELECT_CELLS(C, M, W, mask, a, b) TS_BY_WIDTH_##W(TS_HOST_SELECT_ONE, TS_HOST_SELECT_WIDE)(C, M, W, mask, a, b)
#define TS_HOST_SELECT_ONE(C, M, W, mask, a, b)                                                                                \
  __extension__({                                                                                                              \
    ts_##C ts_true_ = (a), ts_false_ = (b);                                                                                    \
    (ts_##C)((mask) ? ts_true_ : ts_false_);                                                                                   \
  })
#define TS_HOST_SELECT_WIDE(C, M, W, mask, a, b)                                                                               \
  __extension__({                                                                                                              \
    ts_##M##x##W ts_mask_ = (mask);                                                                                            \
    (ts_##C##x##W)(((ts_##M##x##W)(a)&ts_mask_) | ((ts_##M##x##W)(b) & ~ts_mask_));                                            \
  })

/* The functions of libm, lane by lane. Built-in names, since the header includes nothing. */
#define TS_HOST_1(function, T, W)                                                                                              \
  TS_INLINE ts_##T##x##W ts_host_##function##_##T##x##W(ts_##T##x##W a) {                                                      \
    for (int k = 0; k < W; ++k) a[k] = ts_host_##function##_##T##x1(a[k]);                                                     \
    return a;                                                                                                                  \
  }
#define TS_HOST_2(function, T, W)                                                                                              \
  TS_INLINE ts_##T##x##W ts_host_##function##_##T##x##W(ts_##T##x##W a, ts_##T##x##W b) {                                      \
    for (int k = 0; k < W; ++k) a[k] = ts_host_##function##_##T##x1(a[k], b[k]);                                               \
    return a;                                                                                                                  \
  }
#define TS_HOST_3(function, T, W)                                                                                              \
  TS_INLINE ts_##T##x##W ts_host_##function##_##T##x##W(ts_##T##x##W a, ts_##T##x##W b, ts_##T##x##W c) {                      \
    for (int k = 0; k < W; ++k) a[k] = ts_host_##function##_##T##x1(a[k], b[k], c[k]);                                         \
    return a;                                                                                                                  \
  }
#define TS_HOST_WIDE(arity, function, T)                                                                                       \
  TS_HOST_##arity(function, T, 2) TS_HOST_##arity(function, T, 4) TS_HOST_##arity(function, T, 8)                              \
      TS_HOST_##arity(function, T, 16)
#define TS_HOST_MATHS(T, suffix)                                                                                               \
  TS_INLINE ts_##T ts_host_fma_##T##x1(ts_##T a, ts_##T b, ts_##T c) { return __builtin_fma##suffix(a, b, c); }                \
  TS_INLINE ts_##T ts_host_fmin_##T##x1(ts_##T a, ts_##T b) { return __builtin_fmin##suffix(a, b); }                           \
  TS_INLINE ts_##T ts_host_fmax_##T##x1(ts_##T a, ts_##T b) { return __builtin_fmax##suffix(a, b); }                           \
  TS_INLINE ts_##T ts_host_fabs_##T##x1(ts_##T a) { return __builtin_fabs##suffix(a); }                                        \
  TS_INLINE ts_##T ts_host_sqrt_##T##x1(ts_##T a) { return __builtin_sqrt##suffix(a); }                                        \
  TS_INLINE ts_##T ts_host_exp_##T##x1(ts_##T a) { return __builtin_exp##suffix(a); }                                          \
  TS_HOST_WIDE(3, fma, T)                                                                                                      \
  TS_HOST_WIDE(2, fmin, T)                                                                                                     \
  TS_HOST_WIDE(2, fmax, T) TS_HOST_WIDE(1, fabs, T) TS_HOST_WIDE(1, sqrt, T) TS_HOST_WIDE(1, exp, T)
TS_HOST_MATHS(f32, f)
#if TS_HAVE_F64
TS_HOST_MATHS(f64, )
#endif
#undef TS_HOST_MATHS
#undef TS_HOST_WIDE
#undef TS_HOST_1
#undef TS_HOST_2
#undef TS_HOST_3

#define TS_CALL_1(T, W, function, a) ts_host_##function##_##T##x##W(a)
#define TS_CALL_2(T, W, function, a, b) ts_host_##function##_##T##x##W(a, b)
#define TS_CALL_3(T, W, function, a, b, c) ts_host_##function##_##T##x##W(a, b, c)

#define TS_ATOMIC_ADD(S, T, cells, x) __atomic_fetch_add(cells, (ts_##T)(x), __ATOMIC_RELAXED)

/* ---- binding, memory, arguments ------------------------------------------------------------------------------- */

/* The value, or where the constant condition is false a compile error that is the sentence. */
#define TS_SAME_TYPE(expression, type) __builtin_types_compatible_p(__typeof__(expression), type)
#define TS_CHECKED(condition, value, sentence)                                                                                 \
  (__extension__(void) sizeof(struct {                                                                                         \
     _Static_assert(condition, sentence);                                                                                      \
     int never_used;                                                                                                           \
   }),                                                                                                                         \
   (value))

/* The pragmas at the top refuse pointers as numbers, and other cells. */
#define TS_INDEX(n) (n)
#define TS_OVERLOADED
#define TS_REFUSE_OTHER_CELLS(P, S, T)

/* The vector `value`, once its type is checked. */
#define TS_CHECKED_VECTOR(T, W, value)                                                                                         \
  __extension__({                                                                                                              \
    __auto_type ts_vector_ = (value);                                                                                          \
    _Static_assert(TS_SAME_TYPE(ts_vector_, ts_##T##x##W), "the value is a vector of another dtype or width");                 \
    ts_vector_;                                                                                                                \
  })

/* The running work-item. Set by the launch function, and again after each barrier, during which others ran. */
static _Thread_local struct ts_host_item *ts_host_item __attribute__((unused));

#define TS_SHARED(name, T, count) TS_SHARED_EXPANDED(name, T, count)
#define TS_SHARED_EXPANDED(name, T, count) TS_IF_USED(T, TS_SHARED_USED, TS_UNUSED_MEMORY)(name, T, count)
#define TS_SHARED_USED(name, T, count)                                                                                         \
  TS_CHECK_COUNT(name, count);                                                                                                 \
  static char name##_site;                                                                                                     \
  ts_shared_##T name = ts_shared_bind_##T(                                                                                     \
      (ts_##T *)ts_host_item->shared(ts_host_item, &name##_site, (unsigned long long)(count) * sizeof(ts_##T)))
#define TS_LOCAL(name, T, count) TS_LOCAL_EXPANDED(name, T, count)
#define TS_LOCAL_EXPANDED(name, T, count) TS_IF_USED(T, TS_LOCAL_USED, TS_UNUSED_MEMORY)(name, T, count)
#define TS_LOCAL_USED(name, T, count)                                                                                          \
  TS_CHECK_COUNT(name, count);                                                                                                 \
  _Alignas(128) ts_##T name##_cells[count];                                                                                    \
  ts_local_##T name = ts_local_bind_##T(name##_cells)
#define TS_CONSTANT_TABLE(name, T, count, values) TS_CONSTANT_TABLE_EXPANDED(name, T, count, values)
#define TS_CONSTANT_TABLE_EXPANDED(name, T, count, values) TS_IF_USED(T, TS_TABLE_USED, TS_UNUSED_TABLE)(name, T, count, values)
#define TS_TABLE_USED(name, T, count, values)                                                                                  \
  static const _Alignas(128) __attribute__((unused)) ts_##T name[] = {TS_WITHOUT_PARENTHESES values};                          \
  TS_CHECK_TABLE(name, count)

#define TS_GLOBAL_ARG(T) TS_ARG_EXPANDED(, T)
#define TS_GLOBAL_CONST_ARG(T) TS_ARG_EXPANDED(const, T)
#define TS_CONSTANT_ARG(T) TS_ARG_EXPANDED(const, T)
#define TS_SHARED_ARG(T) TS_ARG_EXPANDED(, T)
#define TS_ARG_EXPANDED(qualifiers, T) qualifiers TS_TYPE_OF_ARG(T) *

/* ---- work-items and barriers ---------------------------------------------------------------------------------- */

TS_INLINE long long ts_global_id(int d) { return ts_host_item->global_id[d]; }
TS_INLINE int ts_item_in_group(int d) { return ts_host_item->item_in_group[d]; }
TS_INLINE int ts_group_id(int d) { return ts_host_item->group_id[d]; }
TS_INLINE int ts_group_size(int d) { return ts_host_item->group_size[d]; }
TS_INLINE int ts_group_count(int d) { return ts_host_item->group_count[d]; }

/* All memory is coherent here, so both barriers are one. */
TS_INLINE void ts_barrier(void) {
  struct ts_host_item *self = ts_host_item;
  self->barrier(self);
  ts_host_item = self;
}
TS_INLINE void ts_barrier_global(void) { ts_barrier(); }

#endif
