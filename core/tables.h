/* SPDX-License-Identifier: Apache-2.0
 *
 * tables.h: the data types, the address spaces and the storage policies, each listed once.
 *
 * Everything that has one entry per data type, space or policy (handles, accesses, names, host enumerations, conformance
 * cases) is made from these rows. No backend is named here, and nothing is declared: these are list macros.
 */
#ifndef TS_CORE_TABLES_H
#define TS_CORE_TABLES_H

/* clang-format off */

/* Data types: a row is a macro; a list hands its columns to X(dtype, bits dtype, bytes, kind, computes).
 *
 *   bits dtype   the unsigned dtype of the same size: what a load moves
 *   kind         BOOL, INT, SMALL (a float of 8 or 16 bits), SINGLE, DOUBLE: what a conversion has to know
 *   computes     NATIVE: a C arithmetic type. BITS: a struct of bits that is stored, loaded and converted, never computed on.
 *                DOUBLE: NATIVE where the language has f64 (TS_HAVE_F64), else BITS. */
#define TS_DTYPE_ROW_b8       b8, u8, 1, BOOL, BITS           /* a boolean byte: 0 is false, the rest true */
#define TS_DTYPE_ROW_i8       i8, u8, 1, INT, NATIVE          /* two's complement */
#define TS_DTYPE_ROW_u8       u8, u8, 1, INT, NATIVE
#define TS_DTYPE_ROW_i16      i16, u16, 2, INT, NATIVE
#define TS_DTYPE_ROW_u16      u16, u16, 2, INT, NATIVE
#define TS_DTYPE_ROW_i32      i32, u32, 4, INT, NATIVE
#define TS_DTYPE_ROW_u32      u32, u32, 4, INT, NATIVE
#define TS_DTYPE_ROW_i64      i64, u64, 8, INT, NATIVE
#define TS_DTYPE_ROW_u64      u64, u64, 8, INT, NATIVE
#define TS_DTYPE_ROW_f16      f16, u16, 2, SMALL, BITS        /* IEEE 754 binary16 */
#define TS_DTYPE_ROW_bf16     bf16, u16, 2, SMALL, BITS       /* the high half of an f32 */
#define TS_DTYPE_ROW_f32      f32, u32, 4, SINGLE, NATIVE     /* IEEE 754 binary32 */
#define TS_DTYPE_ROW_f64      f64, u64, 8, DOUBLE, DOUBLE     /* IEEE 754 binary64 */
#define TS_DTYPE_ROW_f8e4m3fn f8e4m3fn, u8, 1, SMALL, BITS    /* OCP FP8 E4M3: no infinity, one NaN a sign */
#define TS_DTYPE_ROW_f8e5m2   f8e5m2, u8, 1, SMALL, BITS      /* OCP FP8 E5M2 */
#define TS_DTYPES(X)                                                                                      \
  TS_APPLY(X, TS_DTYPE_ROW_b8)                                                                                \
  TS_APPLY(X, TS_DTYPE_ROW_i8) TS_APPLY(X, TS_DTYPE_ROW_u8) TS_APPLY(X, TS_DTYPE_ROW_i16) TS_APPLY(X, TS_DTYPE_ROW_u16)   \
  TS_APPLY(X, TS_DTYPE_ROW_i32) TS_APPLY(X, TS_DTYPE_ROW_u32) TS_APPLY(X, TS_DTYPE_ROW_i64) TS_APPLY(X, TS_DTYPE_ROW_u64) \
  TS_APPLY(X, TS_DTYPE_ROW_f16) TS_APPLY(X, TS_DTYPE_ROW_bf16) TS_APPLY(X, TS_DTYPE_ROW_f32) TS_APPLY(X, TS_DTYPE_ROW_f64) \
  TS_APPLY(X, TS_DTYPE_ROW_f8e4m3fn) TS_APPLY(X, TS_DTYPE_ROW_f8e5m2)
#define TS_APPLY(X, row) X(row)

/* Address spaces. X(space, id) The ids are those of Mojo's AddressSpace. "local" is the CUDA word: OpenCL says private,
 * and what OpenCL calls local is our shared. */
#define TS_SPACES(X)                                                   \
  X(generic,  0) /* any but constant; only where TS_HAVE_GENERIC */    \
  X(global,   1)                                                       \
  X(shared,   3) /* one per work-group */                              \
  X(constant, 4) /* read-only */                                       \
  X(local,    5) /* one per work-item */

/* Storage policies: a row is a macro; a list hands its columns to X(policy, space, mutability, A, B, C).
 *
 *   CONST     handles load only
 *   MUTABLE   handles load and store
 *   A, B, C   passed on as they are, so that a list can be made for each data type */
#define TS_POLICY_ROW_ts_global        ts_global, global, MUTABLE
#define TS_POLICY_ROW_ts_global_const  ts_global_const, global, CONST
#define TS_POLICY_ROW_ts_shared        ts_shared, shared, MUTABLE
#define TS_POLICY_ROW_ts_shared_const  ts_shared_const, shared, CONST
#define TS_POLICY_ROW_ts_constant      ts_constant, constant, CONST
#define TS_POLICY_ROW_ts_local         ts_local, local, MUTABLE
#define TS_POLICY_ROW_ts_local_const   ts_local_const, local, CONST
#define TS_POLICY_ROW_ts_generic       ts_generic, generic, MUTABLE
#define TS_POLICY_ROW_ts_generic_const ts_generic_const, generic, CONST
/* Two lists, since a language may lack generic pointers. */
#define TS_POLICIES_NAMED(X, A, B, C)                                                                           \
  TS_APPLY_ABC(X, TS_POLICY_ROW_ts_global, A, B, C) TS_APPLY_ABC(X, TS_POLICY_ROW_ts_global_const, A, B, C)             \
  TS_APPLY_ABC(X, TS_POLICY_ROW_ts_shared, A, B, C) TS_APPLY_ABC(X, TS_POLICY_ROW_ts_shared_const, A, B, C)             \
  TS_APPLY_ABC(X, TS_POLICY_ROW_ts_constant, A, B, C)                                                               \
  TS_APPLY_ABC(X, TS_POLICY_ROW_ts_local, A, B, C) TS_APPLY_ABC(X, TS_POLICY_ROW_ts_local_const, A, B, C)
#define TS_POLICIES_GENERIC(X, A, B, C)                                                                         \
  TS_APPLY_ABC(X, TS_POLICY_ROW_ts_generic, A, B, C) TS_APPLY_ABC(X, TS_POLICY_ROW_ts_generic_const, A, B, C)
#define TS_APPLY_ABC(X, row, A, B, C) X(row, A, B, C)

/* Widths of an access, in elements. X(width) */
#define TS_WIDTHS(X) X(1) X(2) X(4) X(8) X(16)

/* clang-format on */
#endif
