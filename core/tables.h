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

/* Data types. X(dtype, bits dtype, bytes, kind, computes)
 *
 *   bits dtype   the unsigned dtype of the same size: what a load moves
 *   kind         BOOL, SINT, UINT, FLOAT
 *   computes     NATIVE: a C arithmetic type. BITS: a struct of bits that is stored, loaded and converted, never computed on.
 *                DOUBLE: NATIVE where the language has f64 (TS_HAVE_F64), else BITS. */
#define TS_DTYPES(X)                                                                      \
  /* dtype   bits  bytes  kind    computes     a stored element is */                     \
  X(b8,      u8,   1,     BOOL,   BITS)     /* a boolean byte: 0 is false, the rest true */ \
  X(i8,      u8,   1,     SINT,   NATIVE)   /* two's complement */                        \
  X(u8,      u8,   1,     UINT,   NATIVE)                                                 \
  X(i16,     u16,  2,     SINT,   NATIVE)                                                 \
  X(u16,     u16,  2,     UINT,   NATIVE)                                                 \
  X(i32,     u32,  4,     SINT,   NATIVE)                                                 \
  X(u32,     u32,  4,     UINT,   NATIVE)                                                 \
  X(i64,     u64,  8,     SINT,   NATIVE)                                                 \
  X(u64,     u64,  8,     UINT,   NATIVE)                                                 \
  X(f16,     u16,  2,     FLOAT,  BITS)     /* IEEE 754 binary16 */                       \
  X(bf16,    u16,  2,     FLOAT,  BITS)     /* the high half of an f32 */                 \
  X(f32,     u32,  4,     FLOAT,  NATIVE)   /* IEEE 754 binary32 */                       \
  X(f64,     u64,  8,     FLOAT,  DOUBLE)   /* IEEE 754 binary64 */                       \
  X(f8e4m3fn,u8,   1,     FLOAT,  BITS)     /* OCP FP8 E4M3: no infinity, one NaN a sign */ \
  X(f8e5m2,  u8,   1,     FLOAT,  BITS)     /* OCP FP8 E5M2 */

/* Address spaces. X(space, id) The ids are those of Mojo's AddressSpace. "local" is the CUDA word: OpenCL says private,
 * and what OpenCL calls local is our shared. */
#define TS_SPACES(X)                                                   \
  X(generic,  0) /* any but constant; only where TS_HAVE_GENERIC */    \
  X(global,   1)                                                       \
  X(shared,   3) /* one per work-group */                              \
  X(constant, 4) /* read-only */                                       \
  X(local,    5) /* one per work-item */

/* Storage policies. X(policy, space, mutability, A, B, C) in two lists, since a language may lack generic pointers.
 *
 *   CONST     handles load only
 *   MUTABLE   handles load and store
 *   A, B, C   passed on to each row as they are, so that a list can be made for each data type */
#define TS_POLICIES_NAMED(X, A, B, C)                    \
  X(ts_global,        global,   MUTABLE, A, B, C)        \
  X(ts_global_const,  global,   CONST,   A, B, C)        \
  X(ts_shared,        shared,   MUTABLE, A, B, C)        \
  X(ts_shared_const,  shared,   CONST,   A, B, C)        \
  X(ts_constant,      constant, CONST,   A, B, C)        \
  X(ts_local,         local,    MUTABLE, A, B, C)        \
  X(ts_local_const,   local,    CONST,   A, B, C)
#define TS_POLICIES_GENERIC(X, A, B, C)                  \
  X(ts_generic,       generic,  MUTABLE, A, B, C)        \
  X(ts_generic_const, generic,  CONST,   A, B, C)

/* Widths of an access, in elements. X(width) */
#define TS_WIDTHS(X) X(1) X(2) X(4) X(8) X(16)

/* clang-format on */
#endif
