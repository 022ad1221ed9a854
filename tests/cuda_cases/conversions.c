/* SPDX-License-Identifier: Apache-2.0
 *
 * Conversions are the exact instructions where the architecture has them, and no option adds .ftz to one: bits are promised.
 *
 * options: -use_fast_math
 * has: cvt.f32.f16
 * has: cvt.rn.f16.f32
 * has: cvt.rn.f32.f64
 * has: cvt.f64.f32
 * has: cvt.rzi.s32.f32
 * has: cvt.rzi.s64.f32
 * has 80 90 100 120: cvt.rn.bf16.f32
 * lacks 75: cvt.rn.bf16.f32
 * has 90 100 120: cvt.rn.satfinite.e4m3x2.f32
 * has 90 100 120: cvt.rn.satfinite.e5m2x2.f32
 * has 90 100 120: cvt.rn.f16x2.e4m3x2
 * lacks 75 80: cvt.*e4m3.*
 * lacks: cvt.*\.ftz\..*
 */
#include "tensorstorage.h"

#define CONVERT(dst, src)                                                                                                      \
  TS_KERNEL(dst##_of_##src, (TS_GLOBAL_CONST_ARG(src) x, TS_GLOBAL_ARG(dst) y)) {                                              \
    ts_vector(src, 1) v = ts_load(ts_global_const, src, 1, ts_bind(ts_global_const, src, x), ts_global_id(0), 0);              \
    ts_store(ts_global, dst, 1, ts_bind(ts_global, dst, y), ts_global_id(0), ts_convert(dst, src, 1, v), 0);                   \
  }
CONVERT(f32, f16)
CONVERT(f16, f32)
CONVERT(f32, f64)
CONVERT(f64, f32)
CONVERT(i32, f32)
CONVERT(i64, f32)
CONVERT(bf16, f32)
CONVERT(f8e4m3fn, f32)
CONVERT(f8e5m2, f32)
CONVERT(f32, f8e4m3fn)
TS_KERNEL(no_saturate, (TS_GLOBAL_CONST_ARG(f32) x, TS_GLOBAL_ARG(f8e5m2) y)) {
  ts_f32x4 v = ts_load(ts_global_const, f32, 4, ts_bind(ts_global_const, f32, x), 4 * ts_global_id(0), 0);
  ts_store(ts_global, f8e5m2, 4, ts_bind(ts_global, f8e5m2, y), 4 * ts_global_id(0), ts_convert_no_saturate(f8e5m2, f32, 4, v),
           0);
}
