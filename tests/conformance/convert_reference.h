/* SPDX-License-Identifier: Apache-2.0
 *
 * convert_reference.h: what a conversion has to give, by exact integer arithmetic; and the rows of tests/cases/convert.csv.
 *
 * It shares nothing with core/convert.h, uses no floating point, and is neither fast nor short on purpose.
 */
#ifndef TS_CONFORMANCE_CONVERT_REFERENCE_H
#define TS_CONFORMANCE_CONVERT_REFERENCE_H

#include "tensorstorage_host.h"

/* ---- values ----------------------------------------------------------------------------------------------------- */

/* The exact value of some bits. NUMBER: magnitude * 2^exponent, negated if is_negative; zero is a number of magnitude 0 and
 * keeps its sign. INFINITE: the sign alone means something. NOT_A_NUMBER: nothing else does. */
typedef struct reference_value {
  enum { NUMBER, INFINITE, NOT_A_NUMBER } what;
  bool is_negative;
  uint64_t magnitude;
  int exponent;
} reference_value;

/* The value that the bits of a dtype stand for: all bits above the dtype's size must be 0. */
reference_value reference_decode(ts_dtype dtype, uint64_t bits);

/* Compare the magnitudes of two numbers, exactly: negative, 0 or positive as a is below, at or above b. */
int reference_compare_magnitudes(reference_value a, reference_value b);

/* Whether the bits are a NaN of this dtype. */
bool reference_is_nan(ts_dtype dtype, uint64_t bits);

bool reference_is_floating(ts_dtype dtype);

/* Of a dtype of floating point: the low bits that are not exponent. */
int reference_mantissa_bits(ts_dtype dtype);

/* The bits of the largest finite value of a dtype of floating point. */
uint64_t reference_max_finite(ts_dtype dtype);

/* ---- conversions ------------------------------------------------------------------------------------------------ */

/* What becomes of a value that the 8-bit floats have no number for: the largest finite one, or infinity (a NaN, for
 * f8e4m3fn). It makes no difference to other dtypes. */
typedef enum reference_overflow { SATURATE, NO_SATURATE } reference_overflow;

/* The bits of a value in a dtype: the nearest, ties to even, for floating point; truncated and within its limits, with 0
 * for NaN, for integers; whether it is not 0 for b8. */
uint64_t reference_encode(ts_dtype dtype, reference_value v, reference_overflow overflow);

/* The bits that ts_convert(dst, src, 1, …) must give for the bits of a src: the same bits for a dtype and itself. Where it
 * gives a NaN, any NaN of dst is right: compare with reference_matches. */
uint64_t reference_convert(ts_dtype dst, ts_dtype src, uint64_t bits, reference_overflow overflow);

/* Whether `actual` is right where `expected` comes from reference_convert or from a row. */
bool reference_matches(ts_dtype dst, ts_dtype src, uint64_t actual, uint64_t expected);

/* ---- rows of convert.csv ---------------------------------------------------------------------------------------- */

typedef struct convert_row {
  ts_dtype src, dst;
  uint64_t src_bits, dst_bits;
} convert_row;

/* Read the next row.
 *
 * at       in: where the last call ended, or the start of the file's text; out: behind this row
 * Returns  1: *row is filled. 0: there is no further row. -1: a line is no row; *at is where it begins. */
int convert_row_read(convert_row *row, const char **at);

#endif
