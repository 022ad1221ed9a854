/* SPDX-License-Identifier: Apache-2.0
 *
 * Operators, comparisons, maths and atomics of every dtype that computes at every width, one inside another.
 */
#include "tensorstorage.h"

/* At width 1 C promotes, so a result is cast back. */
#define ARITHMETIC(T, W)                                                                                                       \
  {                                                                                                                            \
    ts_vector(T, W) a = ts_splat(T, W, (ts_##T)3), b = ts_splat(T, W, (ts_##T)5);                                              \
    ts_scalar(T) s = (ts_##T)2;                                                                                                \
    a = (ts_vector(T, W))((a + b) * (a - b) / b);                                                                              \
    b = (ts_vector(T, W))((a + s) * s - (s - a) / s + s / b);                                                                  \
    ts_mask(T, W) mask = ts_equal(T, W, ts_select(T, W, ts_less(T, W, a, b), a, b), b);                                        \
    a = ts_select(T, W, mask, a, ts_select(T, W, ts_less_equal(T, W, a, b), b, a));                                            \
    b = ts_select(T, W, ts_not_equal(T, W, a, b), a, b);                                                                       \
    ts_store(ts_global, T, W, ts_unsafe_cast(ts_global, T, ts_global, u8, y), 0, b, 0);                                        \
  }
#define ARITHMETIC_OF(T, U, bytes, kind, computes) ARITHMETIC_##computes(T)
#define ARITHMETIC_NATIVE(T) ARITHMETIC(T, 1) ARITHMETIC(T, 2) ARITHMETIC(T, 4) ARITHMETIC(T, 8) ARITHMETIC(T, 16)
#define ARITHMETIC_BITS(T)
#if TS_HAVE_F64
#define ARITHMETIC_DOUBLE(T) ARITHMETIC_NATIVE(T)
#else
#define ARITHMETIC_DOUBLE(T)
#endif

TS_KERNEL(arithmetic, (TS_GLOBAL_ARG(u8) y_cells)) {
  ts_global_u8 y = ts_bind(ts_global, u8, y_cells);
  TS_DTYPES(ARITHMETIC_OF)
}

#define MATHS(T, W)                                                                                                            \
  {                                                                                                                            \
    ts_handle(ts_global, T) of = ts_unsafe_cast(ts_global, T, ts_global, u8, y);                                               \
    ts_vector(T, W) a = ts_load(ts_global, T, W, of, 0, 0), b = ts_sqrt(T, W, ts_abs(T, W, a));                                \
    b = ts_fma(T, W, ts_min(T, W, a, ts_max(T, W, ts_min(T, W, a, b), b)), ts_exp(T, W, ts_exp(T, W, a)), b);                  \
    ts_store(ts_global, T, W, of, 0, b, 0);                                                                                    \
  }
#define MATHS_OF(T) MATHS(T, 1) MATHS(T, 2) MATHS(T, 4) MATHS(T, 8) MATHS(T, 16)

TS_KERNEL(maths, (TS_GLOBAL_ARG(u8) y_cells)) {
  ts_global_u8 y = ts_bind(ts_global, u8, y_cells);
  MATHS_OF(f32)
#if TS_HAVE_F64
  MATHS_OF(f64)
#endif
}

TS_KERNEL(atomics, (TS_GLOBAL_ARG(i32) y_cells, TS_GLOBAL_ARG(u32) z_cells)) {
  TS_SHARED(s, i32, 4);
  TS_SHARED(t, u32, 4);
  ts_global_i32 y = ts_bind(ts_global, i32, y_cells);
  ts_global_u32 z = ts_bind(ts_global, u32, z_cells);
  ts_i32 before = ts_shared_atomic_add(i32, s, 1, ts_global_atomic_add(i32, y, 2, -1));
  ts_u32 old = ts_shared_atomic_add(u32, t, 1, ts_global_atomic_add(u32, z, 2, 1u));
  ts_store(ts_global, i32, 1, y, 0, before, 0);
  ts_store(ts_global, u32, 1, z, 0, old, 0);
}
