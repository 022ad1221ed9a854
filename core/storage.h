/* SPDX-License-Identifier: Apache-2.0
 *
 * storage.h: handles and accesses. For every policy P and dtype T there are
 *
 *   P_T                         the handle: a struct with one pointer, passed in a register
 *   P_bind_T(cells)             a handle of memory that starts at `cells`
 *   P_offset_T(h, n)            the handle whose element 0 is element n of h; its type is P_offset_result_T
 *
 * and what kernels write, ts_load(P, T, W, …) and so on, at the end of this file. Offsets, indices and distances count
 * scalar elements and may be negative.
 *
 * A storage of one's own is a policy that defines the names above and these, which the macros of this file then call:
 *
 *   P_load_TxW(h, i, flags), P_store_TxW(h, i, value, flags)    for the widths W that are used; a copy uses all.
 *                               TS_STORAGE_WIDTHS(P, T) makes the others of width 1
 *   P_distance_T(to, from)      n, where `to` is `from` offset by n. Law: P_distance_T(P_offset_T(h, n), h) == n
 *   P_element_size_T            scalars in a logical element
 *   P_name_T()                  its name, as constant text
 *
 * docs/storages.md says what each must do, and shows one.
 *
 * The policies of the table are accessed in place instead: so `flags` choose an access before any optimisation, and a build
 * does not pay for functions that it does not use.
 *
 * Names no backend: a prelude must have come before.
 */
#ifndef TS_CORE_STORAGE_H
#define TS_CORE_STORAGE_H

#ifndef TS_INLINE
#error "core/storage.h is a part of TensorStorage: include tensorstorage.h instead."
#endif

/* ---- storage types: a struct of bits, at every width ---------------------------------------------------------- */

#ifndef TS_BITS_WIDTH
#define TS_BITS_WIDTH(T, U, W)                                                                                                 \
  typedef struct ts_##T##x##W {                                                                                                \
    ts_##U##x##W bits;                                                                                                         \
  } ts_##T##x##W;
#endif
#define TS_DEFINE_BITS(T, U)                                                                                                   \
  typedef struct ts_##T {                                                                                                      \
    ts_##U bits;                                                                                                               \
  } ts_##T;
#define TS_BITS_WIDTHS(T, U)                                                                                                   \
  typedef ts_##T ts_##T##x1;                                                                                                   \
  TS_BITS_WIDTH(T, U, 2) TS_BITS_WIDTH(T, U, 4) TS_BITS_WIDTH(T, U, 8) TS_BITS_WIDTH(T, U, 16)
#define TS_DEFINE_NATIVE(T, U)

/* A cell is what memory holds of a value: the value itself, or its bits. TS_AS_CELL also checks the value's type. A prelude may
 * define these words its own way. */
#ifndef TS_AS_CELL
#define TS_AS_CELL(T, W, value) ts_cell_##T##x##W(value)
#define TS_AS_VALUE(T, W, cell) ts_value_##T##x##W(cell)
#define TS_CELL_WIDTH_NATIVE(T, U, W)                                                                                          \
  TS_INLINE ts_##T##x##W ts_cell_##T##x##W(ts_##T##x##W value) { return value; }                                               \
  TS_INLINE ts_##T##x##W ts_value_##T##x##W(ts_##T##x##W cell) { return cell; }
#define TS_CELL_WIDTH_BITS(T, U, W)                                                                                            \
  TS_INLINE ts_##U##x##W ts_cell_##T##x##W(ts_##T##x##W value) { return value.bits; }                                          \
  TS_INLINE ts_##T##x##W ts_value_##T##x##W(ts_##U##x##W cell) {                                                               \
    ts_##T##x##W value;                                                                                                        \
    value.bits = cell;                                                                                                         \
    return value;                                                                                                              \
  }
#define TS_CELLS_NATIVE(T, U)                                                                                                  \
  TS_CELL_WIDTH_NATIVE(T, U, 1)                                                                                                \
  TS_CELL_WIDTH_NATIVE(T, U, 2)                                                                                                \
  TS_CELL_WIDTH_NATIVE(T, U, 4) TS_CELL_WIDTH_NATIVE(T, U, 8) TS_CELL_WIDTH_NATIVE(T, U, 16) TS_DEFINE_CELLS(T, T)
#define TS_CELLS_BITS(T, U)                                                                                                    \
  TS_BITS_WIDTHS(T, U)                                                                                                         \
  TS_CELL_WIDTH_BITS(T, U, 1)                                                                                                  \
  TS_CELL_WIDTH_BITS(T, U, 2)                                                                                                  \
  TS_CELL_WIDTH_BITS(T, U, 4) TS_CELL_WIDTH_BITS(T, U, 8) TS_CELL_WIDTH_BITS(T, U, 16) TS_DEFINE_CELLS(T, U)
#endif

/* DOUBLE is NATIVE or BITS: every macro above that ends in _NATIVE and _BITS has a third of that name. */
#if TS_HAVE_F64
#define TS_DEFINE_DOUBLE TS_DEFINE_NATIVE
#define TS_CELLS_DOUBLE TS_CELLS_NATIVE
#else
#define TS_DEFINE_DOUBLE TS_DEFINE_BITS
#define TS_CELLS_DOUBLE TS_CELLS_BITS
#endif

/* ---- handles -------------------------------------------------------------------------------------------------- */

#define TS_CONST_MUTABLE
#define TS_CONST_CONST const

/* A prelude may define handles and these words its own way. */
#ifndef TS_STORAGE
#define TS_STORAGE(P, S, M, T, B, C)                                                                                           \
  typedef struct P##_##T {                                                                                                     \
    TS_QUALIFIER_##S TS_CONST_##M ts_##T *S##_cells;                                                                           \
  } P##_##T;                                                                                                                   \
  typedef P##_##T P##_offset_result_##T;                                                                                       \
  TS_REFUSE_OTHER_CELLS(P, S, T)                                                                                               \
  TS_INLINE TS_OVERLOADED P##_##T P##_bind_##T(TS_QUALIFIER_##S TS_CONST_##M ts_##T *cells) {                                  \
    P##_##T h;                                                                                                                 \
    h.S##_cells = cells;                                                                                                       \
    return h;                                                                                                                  \
  }                                                                                                                            \
  TS_INLINE P##_##T P##_offset_##T(P##_##T h, ts_index n) {                                                                    \
    h.S##_cells = TS_ADVANCE(h.S##_cells, n);                                                                                  \
    return h;                                                                                                                  \
  }
#define TS_BIND_CELLS(S, M, P, T, cells)                                                                                       \
  P##_bind_##T(TS_CHECKED(TS_SAME_TYPE(&(cells)[0], TS_QUALIFIER_##S ts_##T *) ||                                              \
                              TS_SAME_TYPE(&(cells)[0], TS_QUALIFIER_##S TS_CONST_##M ts_##T *),                               \
                          cells, "ts_bind: the cells are of another dtype, address space or mutability"))
#define TS_OFFSET_HANDLE(P, T, h, n) P##_offset_##T(h, n)
#endif

#if TS_HAVE_GENERIC
#define TS_POLICIES_OF_THIS_LANGUAGE(X, A, B, C) TS_POLICIES_NAMED(X, A, B, C) TS_POLICIES_GENERIC(X, A, B, C)
#else
#define TS_POLICIES_OF_THIS_LANGUAGE TS_POLICIES_NAMED
#endif
/* A type of each dtype; cells and handles of those that are there. */
#define TS_ROW(T, U, bytes, kind, computes)                                                                                    \
  TS_DEFINE_##computes(T, U) TS_IF_USED(T, TS_CELLS_AND_HANDLES, TS_NOTHING)(T, U, computes)
#define TS_CELLS_AND_HANDLES(T, U, computes) TS_CELLS_##computes(T, U) TS_POLICIES_OF_THIS_LANGUAGE(TS_STORAGE, T, , )
#define TS_NOTHING(T, U, computes)
TS_DTYPES(TS_ROW)
#undef TS_POLICIES_OF_THIS_LANGUAGE
#undef TS_ROW
#undef TS_CELLS_AND_HANDLES
#undef TS_NOTHING
#undef TS_STORAGE

/* ---- columns of a row, by its name -------------------------------------------------------------------------------- */

#define TS_BITS_OF(T) TS_OF_DTYPE(TS_COLUMN_BITS, TS_DTYPE_ROW_##T)
#define TS_KIND_OF(T) TS_OF_DTYPE(TS_COLUMN_KIND, TS_DTYPE_ROW_##T)
#define TS_OF_DTYPE(column, row) column(row)
#define TS_COLUMN_BITS(T, U, bytes, kind, computes) U
#define TS_COLUMN_KIND(T, U, bytes, kind, computes) kind

#define TS_SPACE_OF(P) TS_OF_POLICY(TS_COLUMN_SPACE, TS_POLICY_ROW_##P)
#define TS_MUTABILITY_OF(P) TS_OF_POLICY(TS_COLUMN_MUTABILITY, TS_POLICY_ROW_##P)
#define TS_QUALIFIER_OF(P) TS_OF_POLICY(TS_COLUMN_QUALIFIER, TS_POLICY_ROW_##P)
#define TS_MEMBER_OF(P) TS_OF_POLICY(TS_COLUMN_MEMBER, TS_POLICY_ROW_##P)
#define TS_OF_POLICY(column, row) column(row)
#define TS_COLUMN_SPACE(P, S, M) S
#define TS_COLUMN_MUTABILITY(P, S, M) M
#define TS_COLUMN_QUALIFIER(P, S, M) TS_QUALIFIER_##S
#define TS_COLUMN_MEMBER(P, S, M) S##_cells

/* `place` if P is of the table, `name` if it is a storage of somebody's own, or does not exist; `unused` if T is not there. The
 * second is of an access, and `unused` also if W is no width. */
#define TS_WAY(P, T, place, name, unused) TS_IF_USED(T, TS_IF_POLICY(TS_POLICY_ROW_##P, place, name), unused)
#define TS_WAY_AT(P, T, W, place, name, unused)                                                                                \
  TS_IF_USED(T, TS_IF_POLICY_AT(TS_POLICY_ROW_##P, TS_WIDTH_##W, place, name, unused), unused)

/* ---- what kernels write: policy, dtype and width may be macros ------------------------------------------------- */

/* Elements i … i + W - 1 of the storage h, as a ts_TxW. `flags` (core/flags.h) is an integer constant. */
#define ts_load(P, T, W, h, i, flags) TS_LOAD(P, T, W, h, TS_INDEX(i), flags)
#define TS_LOAD(P, T, W, h, i, flags)                                                                                          \
  TS_WAY_AT(P, T, W, TS_LOAD_IN_PLACE, TS_LOAD_BY_NAME, TS_LOAD_UNUSED)(P, T, W, h, i, flags)
#define TS_LOAD_BY_NAME(P, T, W, h, i, flags) P##_load_##T##x##W(h, i, flags)
#define TS_LOAD_UNUSED(P, T, W, h, i, flags) TS_UNUSED_VECTOR(T, W)
#define TS_LOAD_IN_PLACE(P, T, W, h, i, flags)                                                                                 \
  TS_AS_VALUE(T, W, TS_LOAD_CELLS(P, T, W, TS_OFFSET_HANDLE(P, T, h, i).TS_MEMBER_OF(P), flags))

/* Store `value`, a ts_TxW, as the elements i … i + W - 1 of the storage h. */
#define ts_store(P, T, W, h, i, value, flags) TS_STORE(P, T, W, h, TS_INDEX(i), value, flags)
#define TS_STORE(P, T, W, h, i, value, flags)                                                                                  \
  TS_WAY_AT(P, T, W, TS_STORE_IN_PLACE, TS_STORE_BY_NAME, TS_STORE_UNUSED)(P, T, W, h, i, value, flags)
#define TS_STORE_BY_NAME(P, T, W, h, i, value, flags) P##_store_##T##x##W(h, i, TS_CHECKED_VALUE(T, W, value), flags)
#define TS_STORE_UNUSED(P, T, W, h, i, value, flags) TS_UNUSED_VECTOR(T, W)
#define TS_STORE_IN_PLACE(P, T, W, h, i, value, flags)                                                                         \
  TS_OF_POLICY(TS_COLUMN_STORE, TS_POLICY_ROW_##P)(P, T, W, h, i, value, flags)
#define TS_COLUMN_STORE(P, S, M) TS_STORE_##M
#define TS_STORE_MUTABLE(P, T, W, h, i, value, flags)                                                                          \
  TS_STORE_CELLS(P, T, W, TS_OFFSET_HANDLE(P, T, h, i).TS_MEMBER_OF(P), TS_AS_CELL(T, W, TS_CHECKED_VALUE(T, W, value)), flags)
#define TS_STORE_CONST(P, T, W, h, i, value, flags)                                                                            \
  TS_CHECKED(0, (void)TS_OFFSET_HANDLE(P, T, h, i), "ts_store: " #P " handles are read-only")

/* A vector must be the very one: clang's C would take any other of the same size, bit by bit, and OpenCL would spread a
 * scalar. At width 1 the language's own rules hold. */
#define TS_CHECKED_VALUE(T, W, value) TS_CHECKED_VALUE_##W(T, value)
#define TS_CHECKED_VALUE_1(T, value) value
#define TS_CHECKED_VALUE_2(T, value) TS_CHECKED_VECTOR(T, 2, value)
#define TS_CHECKED_VALUE_4(T, value) TS_CHECKED_VECTOR(T, 4, value)
#define TS_CHECKED_VALUE_8(T, value) TS_CHECKED_VECTOR(T, 8, value)
#define TS_CHECKED_VALUE_16(T, value) TS_CHECKED_VECTOR(T, 16, value)

/* The storage whose element 0 is element n of h. */
#define ts_offset(P, T, h, n) TS_OFFSET(P, T, h, TS_INDEX(n))
#define TS_OFFSET(P, T, h, n) TS_WAY(P, T, TS_OFFSET_HANDLE, TS_OFFSET_BY_NAME, TS_OFFSET_UNUSED)(P, T, h, n)
#define TS_OFFSET_UNUSED(P, T, h, n) TS_UNUSED_DTYPE(T)
#define TS_OFFSET_BY_NAME(P, T, h, n) P##_offset_##T(h, n)

/* n, where `to` is `from` offset by n. Law: ts_distance(P, T, ts_offset(P, T, h, n), h) == n. */
#define ts_distance(P, T, to, from) TS_DISTANCE(P, T, to, from)
#define TS_DISTANCE(P, T, to, from) TS_WAY(P, T, TS_DISTANCE_IN_PLACE, TS_DISTANCE_BY_NAME, TS_DISTANCE_UNUSED)(P, T, to, from)
#define TS_DISTANCE_UNUSED(P, T, to, from) TS_UNUSED_DTYPE(T)
#define TS_DISTANCE_BY_NAME(P, T, to, from) P##_distance_##T(to, from)
#define TS_DISTANCE_IN_PLACE(P, T, to, from)                                                                                   \
  ((ts_index)(TS_OFFSET_HANDLE(P, T, to, 0).TS_MEMBER_OF(P) - TS_OFFSET_HANDLE(P, T, from, 0).TS_MEMBER_OF(P)))

/* Scalars in a logical element: an integer constant, 1 but for storages of one's own. */
#define ts_element_size(P, T) TS_ELEMENT_SIZE(P, T)
#define TS_ELEMENT_SIZE(P, T) TS_WAY(P, T, TS_ELEMENT_SIZE_IN_PLACE, TS_ELEMENT_SIZE_BY_NAME, TS_ELEMENT_SIZE_UNUSED)(P, T)
#define TS_ELEMENT_SIZE_UNUSED(P, T) TS_UNUSED_DTYPE(T)
#define TS_ELEMENT_SIZE_BY_NAME(P, T) (+P##_element_size_##T) /* a number: gcc warns where two enumerations are compared */
#define TS_ELEMENT_SIZE_IN_PLACE(P, T) 1

/* The name of a handle's type, e.g. "ts_global_f16", as a TS_TEXT: a string in constant memory. */
#define ts_type_name(P, T) TS_TYPE_NAME(P, T)
#define TS_TYPE_NAME(P, T) TS_WAY(P, T, TS_TYPE_NAME_IN_PLACE, TS_TYPE_NAME_BY_NAME, TS_TYPE_NAME_UNUSED)(P, T)
#define TS_TYPE_NAME_UNUSED(P, T) TS_UNUSED_DTYPE(T)
#define TS_TYPE_NAME_BY_NAME(P, T) P##_name_##T()
#define TS_TYPE_NAME_IN_PLACE(P, T) #P "_" #T

/* At file scope, for a storage of one's own that has P_load_Tx1 and P_store_Tx1 and nothing better: the widths 2 … 16, one
 * element after the other. Hints are passed on, and as much of a promise as holds for every element. The second one is for a
 * storage that is only loaded from. */
#define TS_STORAGE_WIDTHS(P, T) TS_STORAGE_LOAD_WIDTHS(P, T) TS_EACH_WIDE(TS_STORE_ONE_BY_ONE, P, T)
#define TS_STORAGE_LOAD_WIDTHS(P, T) TS_EACH_WIDE(TS_LOAD_ONE_BY_ONE, P, T)
#define TS_EACH_WIDE(X, P, T) X(P, T, 2) X(P, T, 4) X(P, T, 8) X(P, T, 16)
#define TS_LOAD_ONE_BY_ONE(P, T, W)                                                                                            \
  TS_INLINE ts_##T##x##W P##_load_##T##x##W(P##_##T h, ts_index i, int flags) {                                                \
    ts_##T##x##W value = ts_splat(T, W, P##_load_##T##x1(h, i, TS_FLAGS_OF_ONE(T, flags)));                                    \
    for (int k = 1; k < W; ++k) value = ts_set_lane(T, W, value, k, P##_load_##T##x1(h, i + k, TS_FLAGS_OF_ONE(T, flags)));    \
    return value;                                                                                                              \
  }
#define TS_STORE_ONE_BY_ONE(P, T, W)                                                                                           \
  TS_INLINE void P##_store_##T##x##W(P##_##T h, ts_index i, ts_##T##x##W value, int flags) {                                   \
    for (int k = 0; k < W; ++k) P##_store_##T##x1(h, i + k, ts_lane(T, W, value, k), TS_FLAGS_OF_ONE(T, flags));               \
  }
#define TS_FLAGS_OF_ONE(T, flags)                                                                                              \
  (((flags) & ~TS_ALIGN_MASK) |                                                                                                \
   (TS_PROMISE(flags, sizeof(ts_##T)) < (int)sizeof(ts_##T) ? TS_PROMISE(flags, 1) : (int)sizeof(ts_##T)))

/* Types by name: ts_handle(ts_global, f32) is ts_global_f32, ts_vector(f32, 4) is ts_f32x4, ts_scalar(f32) is ts_f32. */
#define ts_handle(P, T) TS_PASTE_HANDLE(P, T)
#define ts_vector(T, W) TS_PASTE_VECTOR(T, W)
#define ts_scalar(T) TS_PASTE_SCALAR(T)
#define TS_PASTE_HANDLE(P, T) P##_##T
#define TS_PASTE_VECTOR(T, W) ts_##T##x##W
#define TS_PASTE_SCALAR(T) ts_##T

/* A handle of the memory at `cells`: a kernel's parameter, a constant table, any pointer or array of ts_T in P's space.
 * Cells of another dtype or space, or const cells for a policy that stores, are a compile error. */
#define ts_bind(P, T, cells) TS_BIND(P, T, cells)
#define TS_BIND(P, T, cells) TS_WAY(P, T, TS_BIND_USED, TS_BIND_UNKNOWN, TS_BIND_UNUSED)(P, T, cells)
#define TS_BIND_UNUSED(P, T, cells) TS_UNUSED_DTYPE(T)
#define TS_BIND_UNKNOWN(P, T, cells) TS_UNKNOWN_POLICY("ts_bind", P)
#define TS_UNKNOWN_POLICY(call, P)                                                                                             \
  TS_CHECKED(0, 0, call ": " #P " is no policy of the header; use one such as ts_global, ts_global_const or ts_shared")
#define TS_BIND_USED(P, T, cells) TS_BIND_IN(TS_SPACE_OF(P), TS_MUTABILITY_OF(P), P, T, cells)
#define TS_BIND_IN(S, M, P, T, cells) TS_BIND_CELLS(S, M, P, T, cells)

/* Of a count of TS_SHARED or TS_LOCAL: compilers of OpenCL C take an array of none. */
#define TS_CHECK_COUNT(name, count) TS_STATIC_ASSERT((count) > 0, #name ": its count is an integer constant, 1 or more")
/* A constant table has as many values as its count says: a language fills up what lacks, and C drops what is too much. */
#define TS_CHECK_TABLE(name, count)                                                                                            \
  TS_STATIC_ASSERT(sizeof(name) == (count) * sizeof((name)[0]),                                                                \
                   #name ": its count is " #count ", and it has another number of values")

/* The same memory as another dtype and mutability: Q and U are the new policy and dtype, P and T those of h. The space
 * stays, or becomes generic, or is taken back from generic; any other change is a compile error. */
#define ts_unsafe_cast(Q, U, P, T, h) TS_UNSAFE_CAST(Q, U, P, T, h)
#define TS_UNSAFE_CAST(Q, U, P, T, h)                                                                                          \
  TS_WAY(Q, U, TS_WAY(P, T, TS_UNSAFE_CAST_USED, TS_CAST_NO_P, TS_CAST_NO_T), TS_CAST_NO_Q, TS_CAST_NO_U)(Q, U, P, T, h)
#define TS_CAST_NO_P(Q, U, P, T, h) TS_UNKNOWN_POLICY("ts_unsafe_cast", P)
#define TS_CAST_NO_Q(Q, U, P, T, h) TS_UNKNOWN_POLICY("ts_unsafe_cast", Q)
#define TS_CAST_NO_T(Q, U, P, T, h) TS_UNUSED_DTYPE(T)
#define TS_CAST_NO_U(Q, U, P, T, h) TS_UNUSED_DTYPE(U)
#define TS_UNSAFE_CAST_USED(Q, U, P, T, h) TS_UNSAFE_CAST_IN(TS_SPACE_OF(Q), TS_MUTABILITY_OF(Q), TS_SPACE_OF(P), Q, U, P, T, h)
#define TS_UNSAFE_CAST_IN(to, M, from, Q, U, P, T, h) TS_UNSAFE_CAST_IN_EXPANDED(to, M, from, Q, U, P, T, h)
#define TS_UNSAFE_CAST_IN_EXPANDED(to, M, from, Q, U, P, T, h)                                                                 \
  Q##_bind_##U(TS_CHECKED(TS_SPACES_CONVERT(TS_ID_##to, TS_ID_##from),                                                         \
                          (TS_QUALIFIER_##to TS_CONST_##M ts_##U *)TS_OFFSET_HANDLE(P, T, h, 0).from##_cells,                  \
                          "ts_unsafe_cast: the address spaces differ"))
#define TS_SPACES_CONVERT(to, from)                                                                                            \
  ((to) == (from) || ((to) == TS_ID_generic && (from) != TS_ID_constant) || ((from) == TS_ID_generic && (to) != TS_ID_constant))

#define TS_ROW(space, id) TS_ID_##space = (id),
enum { TS_SPACES(TS_ROW) TS_ID_END };
#undef TS_ROW

#endif
