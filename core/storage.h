/* SPDX-License-Identifier: Apache-2.0
 *
 * storage.h: handles and accesses: for every policy P and dtype T
 *
 *   P_T                         the handle: a struct with one pointer, passed in a register
 *   P_element_size_T            scalars in a logical element: 1 here
 *   P_bind_T(cells)             a handle of memory that starts at `cells`
 *   P_load_TxW(h, i, flags)     elements i … i + W - 1, as a ts_TxW
 *   P_store_TxW(h, i, v, flags)
 *   P_offset_T(h, n)            the handle whose element 0 is element n of h; its type is P_offset_result_T
 *   P_distance_T(to, from)      n, where `to` is `from` offset by n. Law: P_distance_T(P_offset_T(h, n), h) == n
 *   P_name_T()                  "P_T", where TS_HAVE_NAMES
 *
 * Offsets, indices and distances count scalar elements and may be negative. Whoever defines these names for a policy of
 * his own has a storage that every macro below accepts.
 *
 * Names no backend: a prelude must have come before.
 */
#ifndef TS_CORE_STORAGE_H
#define TS_CORE_STORAGE_H

#ifndef TS_INLINE
#error "core/storage.h is a part of TensorStorage: include tensorstorage.h instead."
#endif

/* What a store through a read-only handle would return: incomplete, so a call of it is an error that names this. */
struct ts_handle_is_read_only;

/* ---- storage types: a struct of bits, at every width ---------------------------------------------------------- */

#define TS_BITS_WIDTH(T, U, W)    \
  typedef struct ts_##T##x##W {   \
    ts_##U##x##W bits;            \
  } ts_##T##x##W;
#define TS_DEFINE_BITS(T, U)      \
  typedef struct ts_##T {         \
    ts_##U bits;                  \
  } ts_##T;                       \
  typedef ts_##T ts_##T##x1;      \
  TS_BITS_WIDTH(T, U, 2) TS_BITS_WIDTH(T, U, 4) TS_BITS_WIDTH(T, U, 8) TS_BITS_WIDTH(T, U, 16)
#define TS_DEFINE_NATIVE(T, U)

/* DOUBLE is NATIVE or BITS: every macro below that ends in _NATIVE and _BITS has a third of that name. */
#if TS_HAVE_F64
#define TS_DEFINE_DOUBLE TS_DEFINE_NATIVE
#define TS_LOAD_DOUBLE TS_LOAD_NATIVE
#define TS_STORE_DOUBLE TS_STORE_NATIVE
#else
#define TS_DEFINE_DOUBLE TS_DEFINE_BITS
#define TS_LOAD_DOUBLE TS_LOAD_BITS
#define TS_STORE_DOUBLE TS_STORE_BITS
#endif

#define TS_ROW(T, U, bytes, kind, computes) TS_DEFINE_##computes(T, U)
TS_DTYPES(TS_ROW)
#undef TS_ROW

/* ---- handles and accesses ------------------------------------------------------------------------------------- */

#define TS_CONST_MUTABLE
#define TS_CONST_CONST const

#define TS_LOAD_NATIVE(P, S, T, U, W)                                                \
  TS_INLINE ts_##T##x##W P##_load_##T##x##W(P##_##T h, ts_index i, int flags) {      \
    return TS_LOAD_CELLS(S, T, U, W, TS_ADVANCE(h.S##_cells, i), flags);             \
  }
#define TS_LOAD_BITS(P, S, T, U, W)                                                  \
  TS_INLINE ts_##T##x##W P##_load_##T##x##W(P##_##T h, ts_index i, int flags) {      \
    ts_##T##x##W value;                                                              \
    value.bits = TS_LOAD_CELLS(S, U, U, W, TS_ADVANCE(h.S##_cells, i), flags);       \
    return value;                                                                    \
  }
#define TS_STORE_NATIVE(P, S, T, U, W)                                                       \
  TS_INLINE void P##_store_##T##x##W(P##_##T h, ts_index i, ts_##T##x##W value, int flags) { \
    TS_STORE_CELLS(S, T, U, W, TS_ADVANCE(h.S##_cells, i), value, flags);                    \
  }
#define TS_STORE_BITS(P, S, T, U, W)                                                         \
  TS_INLINE void P##_store_##T##x##W(P##_##T h, ts_index i, ts_##T##x##W value, int flags) { \
    TS_STORE_CELLS(S, U, U, W, TS_ADVANCE(h.S##_cells, i), value.bits, flags);               \
  }
#define TS_WRITABLE_MUTABLE(P, S, T, U, W, C) TS_STORE_##C(P, S, T, U, W)
#define TS_WRITABLE_CONST(P, S, T, U, W, C) \
  TS_DECLARE_ONLY struct ts_handle_is_read_only P##_store_##T##x##W(P##_##T, ts_index, ts_##T##x##W, int);

#define TS_STORAGE_WIDTH(P, S, M, T, U, C, W) \
  TS_LOAD_##C(P, S, T, U, W)                  \
  TS_WRITABLE_##M(P, S, T, U, W, C)

#if TS_HAVE_NAMES
#define TS_STORAGE_NAME(P, T) \
  TS_INLINE TS_TEXT P##_name_##T(void) { return #P "_" #T; }
#else
#define TS_STORAGE_NAME(P, T)
#endif

#define TS_STORAGE(P, S, M, T, U, C)                                                               \
  typedef struct P##_##T {                                                                         \
    TS_QUALIFIER_##S TS_CONST_##M ts_##T *S##_cells;                                               \
  } P##_##T;                                                                                       \
  typedef P##_##T P##_offset_result_##T;                                                           \
  enum { P##_element_size_##T = 1 };                                                               \
  TS_INLINE P##_##T P##_bind_##T(TS_QUALIFIER_##S TS_CONST_##M ts_##T *cells) {                    \
    P##_##T h;                                                                                     \
    h.S##_cells = cells;                                                                           \
    return h;                                                                                      \
  }                                                                                                \
  TS_INLINE P##_##T P##_offset_##T(P##_##T h, ts_index n) {                                        \
    h.S##_cells = TS_ADVANCE(h.S##_cells, n);                                                      \
    return h;                                                                                      \
  }                                                                                                \
  TS_INLINE ts_index P##_distance_##T(P##_##T to, P##_##T from) {                                  \
    return (ts_index)(to.S##_cells - from.S##_cells);                                              \
  }                                                                                                \
  TS_STORAGE_NAME(P, T)                                                                            \
  TS_STORAGE_WIDTH(P, S, M, T, U, C, 1)                                                            \
  TS_STORAGE_WIDTH(P, S, M, T, U, C, 2)                                                            \
  TS_STORAGE_WIDTH(P, S, M, T, U, C, 4)                                                            \
  TS_STORAGE_WIDTH(P, S, M, T, U, C, 8)                                                            \
  TS_STORAGE_WIDTH(P, S, M, T, U, C, 16)

#define TS_ROW(T, U, bytes, kind, computes) TS_POLICIES_NAMED(TS_STORAGE, T, U, computes)
TS_DTYPES(TS_ROW)
#undef TS_ROW
#if TS_HAVE_GENERIC
#define TS_ROW(T, U, bytes, kind, computes) TS_POLICIES_GENERIC(TS_STORAGE, T, U, computes)
TS_DTYPES(TS_ROW)
#undef TS_ROW
#endif

/* ---- what kernels write: policy, dtype and width may be macros ------------------------------------------------- */

#define ts_load(P, T, W, h, i, flags) TS_CALL_LOAD(P, T, W, h, i, flags)
#define ts_store(P, T, W, h, i, value, flags) TS_CALL_STORE(P, T, W, h, i, value, flags)
#define ts_offset(P, T, h, n) TS_CALL_OFFSET(P, T, h, n)
#define ts_distance(P, T, to, from) TS_CALL_DISTANCE(P, T, to, from)
#define ts_element_size(P, T) TS_CALL_ELEMENT_SIZE(P, T)
#define ts_type_name(P, T) TS_CALL_TYPE_NAME(P, T)

#define TS_CALL_LOAD(P, T, W, h, i, flags) P##_load_##T##x##W(h, i, flags)
#define TS_CALL_STORE(P, T, W, h, i, value, flags) P##_store_##T##x##W(h, i, TS_CHECKED_VALUE(T, W, value), flags)
#define TS_CALL_OFFSET(P, T, h, n) P##_offset_##T(h, n)
#define TS_CALL_DISTANCE(P, T, to, from) P##_distance_##T(to, from)
#define TS_CALL_ELEMENT_SIZE(P, T) P##_element_size_##T
#define TS_CALL_TYPE_NAME(P, T) P##_name_##T()

/* A vector must be the one that is stored: clang's C would take any other of the same size, bit by bit, and OpenCL would
 * spread a scalar. At width 1 the language's own rules hold. */
#define TS_CHECKED_VALUE(T, W, value)                                 \
  TS_CHECKED((W) == 1 || TS_SAME_TYPE(value, ts_##T##x##W), value,    \
             "ts_store: the value is a vector of another dtype or width")

/* Types by name: ts_handle(ts_global, f32) is ts_global_f32, ts_vector(f32, 4) is ts_f32x4, ts_scalar(f32) is ts_f32. */
#define ts_handle(P, T) TS_PASTE_HANDLE(P, T)
#define ts_vector(T, W) TS_PASTE_VECTOR(T, W)
#define ts_scalar(T) TS_PASTE_SCALAR(T)
#define TS_PASTE_HANDLE(P, T) P##_##T
#define TS_PASTE_VECTOR(T, W) ts_##T##x##W
#define TS_PASTE_SCALAR(T) ts_##T

/* A handle of the memory at `cells`: a kernel's parameter, a constant table, any pointer or array of ts_T in P's space.
 * Cells of another dtype or space, or const cells for a policy that stores, are a compile error. */
#define ts_bind(P, T, cells) TS_CALL_BIND(P, T, cells)
#define TS_CALL_BIND(P, T, cells) P##_bind_##T(TS_CHECKED_CELLS(TS_QUALIFIER_OF_##P, TS_CELLS_OF_##P, T, cells))
#define TS_CHECKED_CELLS(Q, C, T, cells)                                                                 \
  TS_CHECKED(TS_SAME_TYPE(&(cells)[0], Q ts_##T *) || TS_SAME_TYPE(&(cells)[0], C ts_##T *), cells,      \
             "ts_bind: the cells are of another dtype, address space or mutability")

/* The same memory as another dtype and mutability: Q and U are the new policy and dtype, P and T those of h. The space
 * stays, or becomes generic, or is taken back from generic; any other change is a compile error. */
#define ts_unsafe_cast(Q, U, P, T, h) TS_CALL_UNSAFE_CAST(Q, U, P, T, h)
#define TS_CALL_UNSAFE_CAST(Q, U, P, T, h)                                                                    \
  Q##_bind_##U(TS_CHECKED(TS_SPACES_CONVERT(Q##_space, P##_space),                                            \
                          (TS_CELLS_OF_##Q ts_##U *)P##_offset_##T(h, 0).TS_MEMBER_OF_##P,                    \
                          "ts_unsafe_cast: the address spaces differ"))
#define TS_SPACES_CONVERT(to, from)                                                         \
  ((to) == (from) || ((to) == TS_ID_generic && (from) != TS_ID_constant) ||                 \
   ((from) == TS_ID_generic && (to) != TS_ID_constant))

/* Spaces and the spaces of policies as one enumeration, so that they compare. */
#define TS_SPACE_ROW(space, id) TS_ID_##space = (id),
#define TS_POLICY_ROW(P, S, M, A, B, C) P##_space = TS_ID_##S,
enum { TS_SPACES(TS_SPACE_ROW) TS_POLICIES_NAMED(TS_POLICY_ROW, , , ) TS_POLICIES_GENERIC(TS_POLICY_ROW, , , ) TS_ID_END };
#undef TS_SPACE_ROW
#undef TS_POLICY_ROW

/* A list cannot define macros: these say again, for each policy, its space and what its handles point to. */
#define TS_QUALIFIER_OF_ts_generic TS_QUALIFIER_generic
#define TS_QUALIFIER_OF_ts_generic_const TS_QUALIFIER_generic
#define TS_QUALIFIER_OF_ts_global TS_QUALIFIER_global
#define TS_QUALIFIER_OF_ts_global_const TS_QUALIFIER_global
#define TS_QUALIFIER_OF_ts_shared TS_QUALIFIER_shared
#define TS_QUALIFIER_OF_ts_shared_const TS_QUALIFIER_shared
#define TS_QUALIFIER_OF_ts_constant TS_QUALIFIER_constant
#define TS_QUALIFIER_OF_ts_local TS_QUALIFIER_local
#define TS_QUALIFIER_OF_ts_local_const TS_QUALIFIER_local

#define TS_CELLS_OF_ts_generic TS_QUALIFIER_generic
#define TS_CELLS_OF_ts_generic_const TS_QUALIFIER_generic const
#define TS_CELLS_OF_ts_global TS_QUALIFIER_global
#define TS_CELLS_OF_ts_global_const TS_QUALIFIER_global const
#define TS_CELLS_OF_ts_shared TS_QUALIFIER_shared
#define TS_CELLS_OF_ts_shared_const TS_QUALIFIER_shared const
#define TS_CELLS_OF_ts_constant TS_QUALIFIER_constant const
#define TS_CELLS_OF_ts_local TS_QUALIFIER_local
#define TS_CELLS_OF_ts_local_const TS_QUALIFIER_local const

#define TS_MEMBER_OF_ts_generic generic_cells
#define TS_MEMBER_OF_ts_generic_const generic_cells
#define TS_MEMBER_OF_ts_global global_cells
#define TS_MEMBER_OF_ts_global_const global_cells
#define TS_MEMBER_OF_ts_shared shared_cells
#define TS_MEMBER_OF_ts_shared_const shared_cells
#define TS_MEMBER_OF_ts_constant constant_cells
#define TS_MEMBER_OF_ts_local local_cells
#define TS_MEMBER_OF_ts_local_const local_cells

#endif
