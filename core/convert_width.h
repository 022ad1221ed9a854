/* SPDX-License-Identifier: Apache-2.0
 *
 * convert_width.h: the functions that conversions are made of, for vectors of one width. convert.h includes it once for
 * each, after defining the words that it is written in, so it has no include guard.
 *
 * They pass bits: an f32 as a u32, an f64 as a u64, so that no option of a compiler changes one. Floating-point
 * instructions appear where their operands are normal numbers and the result is exact, or rounded once to the bits that
 * are wanted; integers convert to f32 and f64 by the language's own conversion, which rounds to nearest even.
 * Law of each: its result is the exact value, rounded as it says, once.
 */

/* ---- f32 bits of every dtype: exact, or rounded to odd ----------------------------------------------------------- */

/* Rounding to odd (drop the rest, set the last bit if it was not 0) keeps what a second rounding to two or more bits
 * fewer needs to know. Source: Boldo and Melquiond, "When double rounding is odd", 2005. */

#if (!TS_HAVE_F16_CONVERSION && (TS_USES(f16) || TS_USES(f8e5m2))) || (!TS_HAVE_F8_CONVERSION && TS_USES(f8e4m3fn))
/* The f32 of a small float's magnitude x, whose mantissa is already in place; the exponents' biases differ by `gap`.
 * A subnormal is what it adds to the smallest normal. */
TS_INLINE TS_V(u32) TS_X(ts_rebias)(TS_V(u32) x, ts_u32 gap) {
  ts_u32 one = (gap + 1u) << 23;
  TS_V(u32) is_subnormal = TS_MASK(u32, x < 0x800000u);
  TS_V(u32) subnormal = TS_AS(u32, f32, TS_AS(f32, u32, x + one) - TS_REINTERPRET(f32, u32, 1, one));
  return TS_PICK(is_subnormal, subnormal, x + (gap << 23));
}
#endif
#if TS_USES(f16) || TS_USES(f8e5m2)
#if TS_HAVE_F16_CONVERSION
TS_INLINE TS_V(u32) TS_X(ts_wide_f16)(TS_V(u16) cell) { return TS_INSTRUCTION(wide_f16, cell); }
#else
TS_INLINE TS_V(u32) TS_X(ts_wide_f16)(TS_V(u16) cell) {
  TS_V(u32) bits = TS_CAST(u32, cell), x = (bits & 0x7fffu) << 13;
  TS_V(u32) is_special = TS_MASK(u32, x >= 0x0f800000u);
  return TS_PICK(is_special, x + (224u << 23), TS_X(ts_rebias)(x, 112u)) | (bits & 0x8000u) << 16;
}
#endif
#endif
#if TS_USES(bf16)
TS_INLINE TS_V(u32) TS_X(ts_wide_bf16)(TS_V(u16) cell) { return TS_CAST(u32, cell) << 16; }
#endif
#if TS_USES(f8e5m2)
TS_INLINE TS_V(u32) TS_X(ts_wide_f8e5m2)(TS_V(u8) cell) { return TS_X(ts_wide_f16)(TS_CAST(u16, TS_CAST(u32, cell) << 8)); }
#endif
#if TS_USES(f8e4m3fn) && TS_HAVE_F8_CONVERSION
TS_INLINE TS_V(u32) TS_X(ts_wide_f8e4m3fn)(TS_V(u8) cell) { return TS_INSTRUCTION(wide_f8e4m3fn, cell); }
#elif TS_USES(f8e4m3fn)
TS_INLINE TS_V(u32) TS_X(ts_wide_f8e4m3fn)(TS_V(u8) cell) {
  TS_V(u32) bits = TS_CAST(u32, cell), x = (bits & 0x7fu) << 20;
  TS_V(u32) is_nan = TS_MASK(u32, x == 0x7fu << 20);
  return TS_PICK(is_nan, 0x7fc00000u, TS_X(ts_rebias)(x, 120u)) | (bits & 0x80u) << 24;
}
#endif
#if TS_USES(f32)
TS_INLINE TS_V(u32) TS_X(ts_wide_f32)(TS_V(f32) cell) { return TS_AS(u32, f32, cell); }
#endif

#if TS_USES(f64)
#if TS_HAVE_F64_CONVERSION
TS_INLINE TS_V(u32) TS_X(ts_f32_of_f64)(TS_V(u64) bits, int to_odd) {
  return to_odd ? TS_INSTRUCTION(f32_of_f64_to_odd, bits) : TS_INSTRUCTION(f32_of_f64, bits);
}
#else
/* An f64 as an f32: rounded to odd, or to nearest even. Below the f32's normal numbers the mantissa is shifted to where an
 * f32 has it first, with what falls out gathered in the last bit. */
TS_INLINE TS_V(u32) TS_X(ts_f32_of_f64)(TS_V(u64) bits, int to_odd) {
  TS_V(u64) a = bits & 0x7fffffffffffffffu, exponent = a >> 52;
  TS_V(u64) is_normal = TS_MASK(u64, exponent >= (ts_u64)897);
  TS_V(u64) down = TS_PICK(is_normal, (ts_u64)1, (ts_u64)897 - exponent);
  TS_V(u64) is_far = TS_MASK(u64, down > (ts_u64)63);
  down = TS_PICK(is_far, (ts_u64)63, down);
  TS_V(u64) mantissa = (a & 0x000fffffffffffffu) | 0x0010000000000000u;
  TS_V(u64) rest = TS_MASK(u64, mantissa << ((ts_u64)64 - down) != (ts_u64)0) & (ts_u64)1;
  TS_V(u64) x = TS_PICK(is_normal, a - ((ts_u64)896 << 52), mantissa >> down | rest);
  TS_V(u64) is_inexact = TS_MASK(u64, (x & 0x1fffffffu) != (ts_u64)0);
  TS_V(u64) odd = x >> 29 | (is_inexact & (ts_u64)1);
  TS_V(u64) even = (x + 0x0fffffffu + (x >> 29 & (ts_u64)1)) >> 29;
  TS_V(u64) is_large = TS_MASK(u64, a >= (ts_u64)0x47f << 52);
  TS_V(u64) is_finite = TS_MASK(u64, a < (ts_u64)0x7ff << 52);
  TS_V(u64) is_nan = TS_MASK(u64, a > (ts_u64)0x7ff << 52);
  TS_V(u64)
  magnitude =
      to_odd ? TS_PICK(is_large, 0x7f800000u - (is_finite & (ts_u64)1), odd) : TS_PICK(is_large, (ts_u64)0x7f800000, even);
  magnitude = TS_PICK(is_nan, (ts_u64)0x7fc00000, magnitude);
  return TS_CAST(u32, magnitude | (bits >> 32 & 0x80000000u));
}
#endif
TS_INLINE TS_V(u32) TS_X(ts_wide_f64)(TS_V(f64cell) cell) { return TS_X(ts_f32_of_f64)(TS_F64_BITS(cell), 1); }
#endif

#if TS_USES(i32) || TS_USES(u32) || TS_USES(i64) || TS_USES(u64)
/* Integers. Those of up to 24 bits are exact; of larger ones, 8, 16 or 32 bits fall out, and at least 17 stay. */
TS_INLINE TS_V(u32) TS_X(ts_wide_u32)(TS_V(u32) x) {
  TS_V(u32) is_large = TS_MASK(u32, x >= 1u << 24);
  TS_V(u32) rest = TS_MASK(u32, (x & 0xffu) != 0u) & 1u;
  TS_V(u32) few = TS_PICK(is_large, x >> 8 | rest, x);
  return TS_AS(u32, f32, TS_CAST(f32, TS_AS(i32, u32, few))) + (is_large & 8u << 23);
}
#endif
#if TS_USES(i64) || TS_USES(u64)
TS_INLINE TS_V(u32) TS_X(ts_wide_u64)(TS_V(u64) x) {
  TS_V(u64) rest = TS_MASK(u64, (x & 0xffffffffu) != (ts_u64)0) & (ts_u64)1;
  TS_V(u64) is_huge = TS_MASK(u64, x >= (ts_u64)1 << 48);
  x = TS_PICK(is_huge, x >> 32 | rest, x);
  rest = TS_MASK(u64, (x & 0xffffu) != (ts_u64)0) & (ts_u64)1;
  TS_V(u64) is_large = TS_MASK(u64, x >= (ts_u64)1 << 32);
  x = TS_PICK(is_large, x >> 16 | rest, x);
  return TS_X(ts_wide_u32)(TS_CAST(u32, x)) + (TS_CAST(u32, (is_huge & (ts_u64)32) + (is_large & (ts_u64)16)) << 23);
}
#endif
#if TS_USES(i32)
TS_INLINE TS_V(u32) TS_X(ts_wide_i32)(TS_V(i32) x) {
  TS_V(u32) bits = TS_AS(u32, i32, x), is_negative = TS_MASK(u32, x < 0);
  return TS_X(ts_wide_u32)(TS_PICK(is_negative, 0u - bits, bits)) | (is_negative & 0x80000000u);
}
#endif
#if TS_USES(i64)
TS_INLINE TS_V(u32) TS_X(ts_wide_i64)(TS_V(i64) x) {
  TS_V(u64) bits = TS_AS(u64, i64, x), is_negative = TS_MASK(u64, x < (ts_i64)0);
  TS_V(u32) wide = TS_X(ts_wide_u64)(TS_PICK(is_negative, (ts_u64)0 - bits, bits));
  return wide | TS_CAST(u32, is_negative & 0x80000000u);
}
#endif
#if TS_USES(i16)
TS_INLINE TS_V(u32) TS_X(ts_wide_i16)(TS_V(i16) x) { return TS_AS(u32, f32, TS_CAST(f32, x)); }
#endif
#if TS_USES(u16)
TS_INLINE TS_V(u32) TS_X(ts_wide_u16)(TS_V(u16) x) { return TS_AS(u32, f32, TS_CAST(f32, x)); }
#endif
#if TS_USES(i8)
TS_INLINE TS_V(u32) TS_X(ts_wide_i8)(TS_V(i8) x) { return TS_AS(u32, f32, TS_CAST(f32, x)); }
#endif
#if TS_USES(u8) || TS_USES(b8)
TS_INLINE TS_V(u32) TS_X(ts_wide_u8)(TS_V(u8) x) { return TS_AS(u32, f32, TS_CAST(f32, x)); }
#endif

/* ---- whether it is true: 1 or 0 --------------------------------------------------------------------------------- */

#if TS_USES(b8)
/* Of a u8, u16, u32, u64 the bits under `magnitude`: all, or all but a float's sign. */
TS_INLINE TS_V(u8) TS_X(ts_true_u8)(TS_V(u8) x, ts_u8 magnitude) {
  return TS_CAST(u8, TS_CAST(u32, TS_MASK(u8, (x & magnitude) != (ts_u8)0)) & 1u);
}
TS_INLINE TS_V(u8) TS_X(ts_true_u16)(TS_V(u16) x, ts_u16 magnitude) {
  return TS_CAST(u8, TS_CAST(u32, TS_MASK(u16, (x & magnitude) != (ts_u16)0)) & 1u);
}
TS_INLINE TS_V(u8) TS_X(ts_true_u32)(TS_V(u32) x, ts_u32 magnitude) {
  return TS_CAST(u8, TS_MASK(u32, (x & magnitude) != 0u) & 1u);
}
TS_INLINE TS_V(u8) TS_X(ts_true_u64)(TS_V(u64) x, ts_u64 magnitude) {
  return TS_CAST(u8, TS_MASK(u64, (x & magnitude) != (ts_u64)0) & (ts_u64)1);
}
#endif

/* ---- small floats of f32 bits: to nearest even ------------------------------------------------------------------ */

#if (!TS_HAVE_F16_CONVERSION && TS_USES(f16)) || TS_USES(f8e4m3fn) || TS_USES(f8e5m2)
/* `drop` bits of the f32's mantissa go, the biases differ by `gap`. `largest` is the largest finite number, `beyond` what
 * rounds to more, `nan` a NaN, all without a sign; the sign goes to bit `sign`. Subnormal results are rounded by an
 * addition whose sum has the last bit that they have. */
TS_INLINE TS_V(u32)
    TS_X(ts_narrow)(TS_V(u32) bits, ts_u32 drop, ts_u32 gap, ts_u32 largest, ts_u32 beyond, ts_u32 nan, ts_u32 sign) {
  TS_V(u32) a = bits & 0x7fffffffu;
  TS_V(u32) is_subnormal = TS_MASK(u32, a < (gap + 1u) << 23);
  ts_u32 unit = (gap + 1u + drop) << 23;
  TS_V(u32) subnormal = TS_AS(u32, f32, TS_AS(f32, u32, a & is_subnormal) + TS_REINTERPRET(f32, u32, 1, unit)) - unit;
  TS_V(u32) normal = a - (gap << 23);
  normal = (normal + (normal >> drop & 1u) + ((1u << (drop - 1u)) - 1u)) >> drop;
  TS_V(u32) rounded = TS_PICK(is_subnormal, subnormal, normal);
  TS_V(u32) is_beyond = TS_MASK(u32, rounded > largest), is_nan = TS_MASK(u32, a > 0x7f800000u);
  rounded = TS_PICK(is_beyond, beyond, rounded);
  return TS_PICK(is_nan, nan, rounded) | bits >> 31 << sign;
}
#endif
#if TS_USES(f16) && TS_HAVE_F16_CONVERSION
TS_INLINE TS_V(u16) TS_X(ts_narrow_f16)(TS_V(u32) bits) { return TS_INSTRUCTION(narrow_f16, bits); }
#elif TS_USES(f16)
TS_INLINE TS_V(u16) TS_X(ts_narrow_f16)(TS_V(u32) bits) {
  return TS_CAST(u16, TS_X(ts_narrow)(bits, 13u, 112u, 0x7bffu, 0x7c00u, 0x7e00u, 15u));
}
#endif
#if TS_USES(bf16) && TS_HAVE_BF16_CONVERSION
TS_INLINE TS_V(u16) TS_X(ts_narrow_bf16)(TS_V(u32) bits) { return TS_INSTRUCTION(narrow_bf16, bits); }
#elif TS_USES(bf16)
TS_INLINE TS_V(u16) TS_X(ts_narrow_bf16)(TS_V(u32) bits) {
  TS_V(u16) is_nan = TS_CAST(u16, TS_MASK(u32, (bits & 0x7fffffffu) > 0x7f800000u));
  TS_V(u16) rounded = TS_CAST(u16, (bits + (bits >> 16 & 1u) + 0x7fffu) >> 16);
  return TS_CAST(u16, TS_PICK(is_nan, (ts_u16)0x7fc0, rounded)); /* last, or LLVM narrows in a store, which is not streamed */
}
#endif
#if TS_USES(f8e4m3fn) || TS_USES(f8e5m2)
#if TS_HAVE_F8_CONVERSION
TS_INLINE TS_V(u8) TS_X(ts_narrow_f8e4m3fn)(TS_V(u32) bits) { return TS_INSTRUCTION(narrow_f8e4m3fn, bits); }
TS_INLINE TS_V(u8) TS_X(ts_narrow_f8e5m2)(TS_V(u32) bits) { return TS_INSTRUCTION(narrow_f8e5m2, bits); }
#else
TS_INLINE TS_V(u8) TS_X(ts_narrow_f8e4m3fn)(TS_V(u32) bits) {
  return TS_CAST(u8, TS_X(ts_narrow)(bits, 20u, 120u, 0x7eu, 0x7eu, 0x7fu, 7u));
}
TS_INLINE TS_V(u8) TS_X(ts_narrow_f8e5m2)(TS_V(u32) bits) {
  return TS_CAST(u8, TS_X(ts_narrow)(bits, 21u, 112u, 0x7bu, 0x7bu, 0x7fu, 7u));
}
#endif
/* Not saturating: more than the largest is infinity, or NaN where there is none. */
TS_INLINE TS_V(u8) TS_X(ts_narrow_no_saturate_f8e4m3fn)(TS_V(u32) bits) {
  return TS_CAST(u8, TS_X(ts_narrow)(bits, 20u, 120u, 0x7eu, 0x7fu, 0x7fu, 7u));
}
TS_INLINE TS_V(u8) TS_X(ts_narrow_no_saturate_f8e5m2)(TS_V(u32) bits) {
  return TS_CAST(u8, TS_X(ts_narrow)(bits, 21u, 112u, 0x7bu, 0x7cu, 0x7fu, 7u));
}
#endif

/* ---- f64 -------------------------------------------------------------------------------------------------------- */

#if TS_USES(f64) && TS_HAVE_F64_CONVERSION
TS_INLINE TS_V(f64cell) TS_X(ts_f64_of_f32)(TS_V(u32) bits) { return TS_F64(TS_INSTRUCTION(f64_of_f32, bits)); }
#elif TS_USES(f64)
/* The f64 of f32 bits, exactly. A subnormal, n * 2^-149, is the f32 of the integer n with 149 off its exponent. */
TS_INLINE TS_V(f64cell) TS_X(ts_f64_of_f32)(TS_V(u32) bits) {
  TS_V(u32) a = bits & 0x7fffffffu;
  TS_V(u64) is_zero = TS_MASK(u64, TS_CAST(u64, a) == (ts_u64)0), is_subnormal = TS_MASK(u64, TS_CAST(u64, a) < 0x800000u);
  TS_V(u64) is_special = TS_MASK(u64, TS_CAST(u64, a) >= 0x7f800000u);
  TS_V(u64) whole = TS_CAST(u64, TS_AS(u32, f32, TS_CAST(f32, TS_AS(i32, u32, a & 0x7fffffu))));
  TS_V(u64) x = TS_PICK(is_subnormal, (whole << 29) - ((ts_u64)149 << 52), TS_CAST(u64, a) << 29) + ((ts_u64)896 << 52);
  x = x + (is_special & (ts_u64)896 << 52);
  return TS_F64(TS_PICK(is_zero, (ts_u64)0, x) | TS_CAST(u64, bits & 0x80000000u) << 32);
}
#endif
#if !TS_HAVE_F64 && TS_USES(f64)
/* The f64 of an integer, to nearest even: the highest set bit is moved to bit 63 first. */
TS_INLINE TS_V(u64) TS_X(ts_f64_of_u64)(TS_V(u64) x) {
  TS_V(u64) is_zero = TS_MASK(u64, x == (ts_u64)0), exponent = (x & (ts_u64)0) + (ts_u64)1085;
  for (ts_u64 step = 32; step > 0; step >>= 1) {
    TS_V(u64) is_low = TS_MASK(u64, x >> ((ts_u64)64 - step) == (ts_u64)0);
    x = TS_PICK(is_low, x << step, x);
    exponent = exponent - (is_low & step);
  }
  TS_V(u64) rounded = (x >> 11) + (((x & (ts_u64)0x7ff) + (x >> 11 & (ts_u64)1) + (ts_u64)0x3ff) >> 11);
  return TS_PICK(is_zero, (ts_u64)0, rounded + (exponent << 52));
}
TS_INLINE TS_V(u64) TS_X(ts_f64_of_i64)(TS_V(i64) x) {
  TS_V(u64) bits = TS_AS(u64, i64, x), is_negative = TS_MASK(u64, x < (ts_i64)0);
  return TS_X(ts_f64_of_u64)(TS_PICK(is_negative, (ts_u64)0 - bits, bits)) | (is_negative & (ts_u64)1 << 63);
}
#endif

/* ---- integers of floats: truncated, saturated, NaN is 0 ----------------------------------------------------------- */

#if TS_HAVE_INTEGER_CONVERSION
TS_INLINE TS_V(i32) TS_X(ts_i32_of_f32)(TS_V(u32) bits) { return TS_INSTRUCTION(i32_of_f32, bits); }
TS_INLINE TS_V(u32) TS_X(ts_u32_of_f32)(TS_V(u32) bits) { return TS_INSTRUCTION(u32_of_f32, bits); }
#if TS_USES(i64) || TS_USES(u64)
TS_INLINE TS_V(i64) TS_X(ts_i64_of_f32)(TS_V(u32) bits) { return TS_INSTRUCTION(i64_of_f32, bits); }
TS_INLINE TS_V(u64) TS_X(ts_u64_of_f32)(TS_V(u32) bits) { return TS_INSTRUCTION(u64_of_f32, bits); }
#endif
#else
/* The language converts what fits; the rest is 0 there and gets its limit here. */
TS_INLINE TS_V(i32) TS_X(ts_i32_of_f32)(TS_V(u32) bits) {
  TS_V(u32) a = bits & 0x7fffffffu, fits = TS_MASK(u32, a < 0x4f000000u), is_number = TS_MASK(u32, a <= 0x7f800000u);
  TS_V(u32) limit = (bits >> 31) + 0x7fffffffu;
  TS_V(u32) x = TS_AS(u32, i32, TS_CAST(i32, TS_AS(f32, u32, bits & fits)));
  return TS_AS(i32, u32, x | (~fits & is_number & limit));
}
#if TS_USES(u32)
TS_INLINE TS_V(u32) TS_X(ts_u32_of_f32)(TS_V(u32) bits) {
  TS_V(u32) fits = TS_MASK(u32, bits < 0x4f800000u), is_positive = TS_MASK(u32, bits <= 0x7f800000u);
  return TS_CAST(u32, TS_AS(f32, u32, bits & fits)) | (~fits & is_positive);
}
#endif
#if TS_USES(i64)
TS_INLINE TS_V(i64) TS_X(ts_i64_of_f32)(TS_V(u32) bits) {
  TS_V(u32) a = bits & 0x7fffffffu, fits = TS_MASK(u32, a < 0x5f000000u);
  TS_V(u64) is_limit = TS_MASK(u64, TS_CAST(u64, a & ~fits) - 0x5f000000u <= (ts_u64)(0x7f800000u - 0x5f000000u));
  TS_V(u64) limit = TS_CAST(u64, bits >> 31) + 0x7fffffffffffffffu;
  TS_V(u64) x = TS_AS(u64, i64, TS_CAST(i64, TS_AS(f32, u32, bits & fits)));
  return TS_AS(i64, u64, x | (is_limit & limit));
}
#endif
#if TS_USES(u64)
TS_INLINE TS_V(u64) TS_X(ts_u64_of_f32)(TS_V(u32) bits) {
  TS_V(u32) fits = TS_MASK(u32, bits < 0x5f800000u);
  TS_V(u64) is_limit = TS_MASK(u64, TS_CAST(u64, bits & ~fits) - 0x5f800000u <= (ts_u64)(0x7f800000u - 0x5f800000u));
  return TS_CAST(u64, TS_AS(f32, u32, bits & fits)) | is_limit;
}
#endif
#endif

#if TS_USES(f64) && TS_HAVE_F64_CONVERSION
TS_INLINE TS_V(i64) TS_X(ts_i64_of_f64)(TS_V(f64cell) cell) { return TS_INSTRUCTION(i64_of_f64, TS_F64_BITS(cell)); }
TS_INLINE TS_V(u64) TS_X(ts_u64_of_f64)(TS_V(f64cell) cell) { return TS_INSTRUCTION(u64_of_f64, TS_F64_BITS(cell)); }
#elif TS_USES(f64)
/* The magnitude of an f64 below 2^64, without what is behind the point. */
TS_INLINE TS_V(u64) TS_X(ts_whole_of_f64)(TS_V(u64) a) {
  TS_V(u64) exponent = a >> 52, is_large = TS_MASK(u64, exponent >= (ts_u64)1075);
  TS_V(u64) mantissa = (a & 0x000fffffffffffffu) | 0x0010000000000000u;
  TS_V(u64) up = is_large & (exponent - (ts_u64)1075) & (ts_u64)15, down = ~is_large & ((ts_u64)1075 - exponent);
  TS_V(u64) is_far = TS_MASK(u64, down > (ts_u64)63);
  return mantissa << up >> TS_PICK(is_far, (ts_u64)63, down);
}
TS_INLINE TS_V(i64) TS_X(ts_i64_of_f64)(TS_V(f64cell) cell) {
  TS_V(u64) bits = TS_F64_BITS(cell), a = bits & 0x7fffffffffffffffu, is_negative = (ts_u64)0 - (bits >> 63);
  TS_V(u64) fits = TS_MASK(u64, a < (ts_u64)0x43e << 52), is_number = TS_MASK(u64, a <= (ts_u64)0x7ff << 52);
  TS_V(u64) whole = TS_X(ts_whole_of_f64)(a), limit = (bits >> 63) + 0x7fffffffffffffffu;
  TS_V(u64) x = TS_PICK(is_negative, (ts_u64)0 - whole, whole);
  return TS_AS(i64, u64, TS_PICK(fits, x, is_number & limit));
}
TS_INLINE TS_V(u64) TS_X(ts_u64_of_f64)(TS_V(f64cell) cell) {
  TS_V(u64) bits = TS_F64_BITS(cell);
  TS_V(u64) fits = TS_MASK(u64, bits < (ts_u64)0x43f << 52), is_positive = TS_MASK(u64, bits <= (ts_u64)0x7ff << 52);
  return TS_PICK(fits, TS_X(ts_whole_of_f64)(bits), is_positive);
}
#endif

/* Narrower integers: what an i32 or i64 holds after the float saturated there, within the dtype's limits. */
TS_INLINE TS_V(i32) TS_X(ts_clamp_i32)(TS_V(i32) x, ts_i32 least, ts_i32 most) {
  TS_V(u32) is_less = TS_MASK(u32, x < least), is_more = TS_MASK(u32, x > most), bits = TS_AS(u32, i32, x);
  bits = TS_PICK(is_less, (ts_u32)least, bits);
  return TS_AS(i32, u32, TS_PICK(is_more, (ts_u32)most, bits));
}
#if TS_USES(f64)
TS_INLINE TS_V(i64) TS_X(ts_clamp_i64)(TS_V(i64) x, ts_i64 least, ts_i64 most) {
  TS_V(u64) is_less = TS_MASK(u64, x < least), is_more = TS_MASK(u64, x > most), bits = TS_AS(u64, i64, x);
  bits = TS_PICK(is_less, (ts_u64)least, bits);
  return TS_AS(i64, u64, TS_PICK(is_more, (ts_u64)most, bits));
}
#endif

#undef TS_V
#undef TS_X
#undef TS_CAST
#undef TS_MASK
#undef TS_AS
#undef TS_F64_BITS
#undef TS_F64
#undef TS_INSTRUCTION
