/* SPDX-License-Identifier: Apache-2.0
 *
 * sum.c: y = the sum of an element of every dtype, each as f32, on the header.
 */
#include "tensorstorage.h"

/* The element of this work-item, as f32. */
#define ELEMENT(T, cells) ts_convert(f32, T, 1, ts_load(ts_global_const, T, 1, ts_bind(ts_global_const, T, cells), i, 0))

TS_KERNEL(sum,
          (TS_GLOBAL_CONST_ARG(b8) p, TS_GLOBAL_CONST_ARG(i8) a, TS_GLOBAL_CONST_ARG(u8) b, TS_GLOBAL_CONST_ARG(i16) c,
           TS_GLOBAL_CONST_ARG(u16) d, TS_GLOBAL_CONST_ARG(i32) e, TS_GLOBAL_CONST_ARG(u32) f, TS_GLOBAL_CONST_ARG(i64) g,
           TS_GLOBAL_CONST_ARG(u64) h, TS_GLOBAL_CONST_ARG(f16) j, TS_GLOBAL_CONST_ARG(bf16) k, TS_GLOBAL_CONST_ARG(f32) l,
           TS_GLOBAL_CONST_ARG(f64) m, TS_GLOBAL_CONST_ARG(f8e4m3fn) n, TS_GLOBAL_CONST_ARG(f8e5m2) o, TS_GLOBAL_ARG(f32) y)) {
  long i = ts_global_id(0);
  ts_f32 integers = ELEMENT(b8, p) + ELEMENT(i8, a) + ELEMENT(u8, b) + ELEMENT(i16, c) + ELEMENT(u16, d) + ELEMENT(i32, e) +
                    ELEMENT(u32, f) + ELEMENT(i64, g) + ELEMENT(u64, h);
  ts_f32 floats =
      ELEMENT(f16, j) + ELEMENT(bf16, k) + ELEMENT(f32, l) + ELEMENT(f64, m) + ELEMENT(f8e4m3fn, n) + ELEMENT(f8e5m2, o);
  ts_store(ts_global, f32, 1, ts_bind(ts_global, f32, y), i, integers + floats, 0);
}
