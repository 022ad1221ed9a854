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

/* Data types: a row is a macro that hands its columns to X(dtype, bits dtype, bytes, kind, computes).
 *
 *   bits dtype   the unsigned dtype of the same size: what a load moves
 *   kind         BOOL, SINT, UINT, FLOAT
 *   computes     NATIVE: a C arithmetic type. BITS: a struct of bits that is stored, loaded and converted, never computed on.
 *                DOUBLE: NATIVE where the language has f64 (TS_HAVE_F64), else BITS. */
#define TS_DTYPE_b8(X) X(b8, u8, 1, BOOL, BITS)  /* a boolean byte: 0 is false, the rest true */
#define TS_DTYPE_i8(X) X(i8, u8, 1, SINT, NATIVE)  /* two's complement */
#define TS_DTYPE_u8(X) X(u8, u8, 1, UINT, NATIVE)
#define TS_DTYPE_i16(X) X(i16, u16, 2, SINT, NATIVE)
#define TS_DTYPE_u16(X) X(u16, u16, 2, UINT, NATIVE)
#define TS_DTYPE_i32(X) X(i32, u32, 4, SINT, NATIVE)
#define TS_DTYPE_u32(X) X(u32, u32, 4, UINT, NATIVE)
#define TS_DTYPE_i64(X) X(i64, u64, 8, SINT, NATIVE)
#define TS_DTYPE_u64(X) X(u64, u64, 8, UINT, NATIVE)
#define TS_DTYPE_f16(X) X(f16, u16, 2, FLOAT, BITS)  /* IEEE 754 binary16 */
#define TS_DTYPE_bf16(X) X(bf16, u16, 2, FLOAT, BITS)  /* the high half of an f32 */
#define TS_DTYPE_f32(X) X(f32, u32, 4, FLOAT, NATIVE)  /* IEEE 754 binary32 */
#define TS_DTYPE_f64(X) X(f64, u64, 8, FLOAT, DOUBLE)  /* IEEE 754 binary64 */
#define TS_DTYPE_f8e4m3fn(X) X(f8e4m3fn, u8, 1, FLOAT, BITS)  /* OCP FP8 E4M3: no infinity, one NaN a sign */
#define TS_DTYPE_f8e5m2(X) X(f8e5m2, u8, 1, FLOAT, BITS)  /* OCP FP8 E5M2 */
#define TS_DTYPES(X)                                                                 \
  TS_DTYPE_b8(X)                                                                     \
  TS_DTYPE_i8(X) TS_DTYPE_u8(X) TS_DTYPE_i16(X) TS_DTYPE_u16(X)                      \
  TS_DTYPE_i32(X) TS_DTYPE_u32(X) TS_DTYPE_i64(X) TS_DTYPE_u64(X)                    \
  TS_DTYPE_f16(X) TS_DTYPE_bf16(X) TS_DTYPE_f32(X) TS_DTYPE_f64(X)                   \
  TS_DTYPE_f8e4m3fn(X) TS_DTYPE_f8e5m2(X)

/* Address spaces. X(space, id) The ids are those of Mojo's AddressSpace. "local" is the CUDA word: OpenCL says private,
 * and what OpenCL calls local is our shared. */
#define TS_SPACES(X)                                                   \
  X(generic,  0) /* any but constant; only where TS_HAVE_GENERIC */    \
  X(global,   1)                                                       \
  X(shared,   3) /* one per work-group */                              \
  X(constant, 4) /* read-only */                                       \
  X(local,    5) /* one per work-item */

/* Storage policies: a row is a macro that hands its columns to X(policy, space, mutability, A, B, C).
 *
 *   CONST     handles load only
 *   MUTABLE   handles load and store
 *   A, B, C   passed on as they are, so that a list can be made for each data type */
#define TS_POLICY_ts_global(X, A, B, C)        X(ts_global, global, MUTABLE, A, B, C)
#define TS_POLICY_ts_global_const(X, A, B, C)  X(ts_global_const, global, CONST, A, B, C)
#define TS_POLICY_ts_shared(X, A, B, C)        X(ts_shared, shared, MUTABLE, A, B, C)
#define TS_POLICY_ts_shared_const(X, A, B, C)  X(ts_shared_const, shared, CONST, A, B, C)
#define TS_POLICY_ts_constant(X, A, B, C)      X(ts_constant, constant, CONST, A, B, C)
#define TS_POLICY_ts_local(X, A, B, C)         X(ts_local, local, MUTABLE, A, B, C)
#define TS_POLICY_ts_local_const(X, A, B, C)   X(ts_local_const, local, CONST, A, B, C)
#define TS_POLICY_ts_generic(X, A, B, C)       X(ts_generic, generic, MUTABLE, A, B, C)
#define TS_POLICY_ts_generic_const(X, A, B, C) X(ts_generic_const, generic, CONST, A, B, C)
/* Two lists, since a language may lack generic pointers. */
#define TS_POLICIES_NAMED(X, A, B, C)                                          \
  TS_POLICY_ts_global(X, A, B, C) TS_POLICY_ts_global_const(X, A, B, C)        \
  TS_POLICY_ts_shared(X, A, B, C) TS_POLICY_ts_shared_const(X, A, B, C)        \
  TS_POLICY_ts_constant(X, A, B, C)                                            \
  TS_POLICY_ts_local(X, A, B, C) TS_POLICY_ts_local_const(X, A, B, C)
#define TS_POLICIES_GENERIC(X, A, B, C)                                        \
  TS_POLICY_ts_generic(X, A, B, C) TS_POLICY_ts_generic_const(X, A, B, C)

/* Widths of an access, in elements. X(width) */
#define TS_WIDTHS(X) X(1) X(2) X(4) X(8) X(16)

/* clang-format on */
#endif
