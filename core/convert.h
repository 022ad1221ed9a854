/* SPDX-License-Identifier: Apache-2.0
 *
 * convert.h: ts_convert(dst, src, W, v): a ts_srcxW as a ts_dstxW, the same bits everywhere.
 *
 * Decided on bits, so that no fast-math or flush-to-zero option changes a result.
 */
#ifndef TS_CORE_CONVERT_H
#define TS_CORE_CONVERT_H

#ifndef TS_INLINE
#error "core/convert.h is a part of TensorStorage: include tensorstorage.h instead."
#endif

#define ts_convert(dst, src, W, v) TS_CONVERT(dst, src, W, v)
#define TS_CONVERT(dst, src, W, v) ts_convert_##dst##_##src##x##W(v)

/* The f32 of an f16, exactly. A subnormal f16, n * 2^-24, is the f32 of the integer n with 24 off its exponent. */
TS_INLINE ts_f32 ts_convert_f32_f16x1(ts_f16 v) {
  ts_u32 magnitude = v.bits & 0x7fffu;
  ts_u32 sign = (v.bits & 0x8000u) << 16;
  ts_u32 bits;
  if (magnitude >= 0x7c00u) /* infinity and NaN */
    bits = (magnitude << 13) + (224u << 23);
  else if (magnitude >= 0x400u)
    bits = (magnitude << 13) + (112u << 23);
  else
    bits = magnitude ? TS_REINTERPRET(u32, f32, 1, (ts_f32)magnitude) - (24u << 23) : 0u;
  return TS_REINTERPRET(f32, u32, 1, sign | bits);
}
#define TS_CONVERT_WIDTH(dst, src, W)                                                                                          \
  TS_INLINE ts_##dst##x##W ts_convert_##dst##_##src##x##W(ts_##src##x##W v) {                                                  \
    ts_##dst##x##W converted;                                                                                                  \
    for (int k = 0; k < W; ++k) {                                                                                              \
      ts_##src lane;                                                                                                           \
      lane.bits = v.bits[k];                                                                                                   \
      converted[k] = ts_convert_##dst##_##src##x1(lane);                                                                       \
    }                                                                                                                          \
    return converted;                                                                                                          \
  }
TS_CONVERT_WIDTH(f32, f16, 2)
TS_CONVERT_WIDTH(f32, f16, 4)
TS_CONVERT_WIDTH(f32, f16, 8)
TS_CONVERT_WIDTH(f32, f16, 16)
#undef TS_CONVERT_WIDTH

#endif
