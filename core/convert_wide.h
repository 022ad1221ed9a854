/* SPDX-License-Identifier: Apache-2.0
 *
 * convert_wide.h: convert_width.h at the widths from 2 on, for languages with vector operators.
 *
 * A part of its own, so that what is given to NVRTC can be without it.
 */
#ifndef TS_CORE_CONVERT_WIDE_H
#define TS_CORE_CONVERT_WIDE_H

#define TS_V(T) ts_##T##x2
#define TS_X(name) name##x2
#define TS_CAST(T, v) __builtin_convertvector(v, ts_##T##x2)
#define TS_MASK(U, condition) TS_VECTOR_MASK(U, 2, condition)
#define TS_AS(dst, src, v) TS_REINTERPRET(dst, src, 2, v)
#define TS_F64_BITS(cell) TS_F64_BITS_AT(2, cell)
#define TS_F64(bits) TS_F64_OF_BITS_AT(2, bits)
#define TS_INSTRUCTION(name, bits) TS_INSTRUCTION_AT(name, 2, bits)
#include "convert_width.h"
#define TS_V(T) ts_##T##x4
#define TS_X(name) name##x4
#define TS_CAST(T, v) __builtin_convertvector(v, ts_##T##x4)
#define TS_MASK(U, condition) TS_VECTOR_MASK(U, 4, condition)
#define TS_AS(dst, src, v) TS_REINTERPRET(dst, src, 4, v)
#define TS_F64_BITS(cell) TS_F64_BITS_AT(4, cell)
#define TS_F64(bits) TS_F64_OF_BITS_AT(4, bits)
#define TS_INSTRUCTION(name, bits) TS_INSTRUCTION_AT(name, 4, bits)
#include "convert_width.h"
#define TS_V(T) ts_##T##x8
#define TS_X(name) name##x8
#define TS_CAST(T, v) __builtin_convertvector(v, ts_##T##x8)
#define TS_MASK(U, condition) TS_VECTOR_MASK(U, 8, condition)
#define TS_AS(dst, src, v) TS_REINTERPRET(dst, src, 8, v)
#define TS_F64_BITS(cell) TS_F64_BITS_AT(8, cell)
#define TS_F64(bits) TS_F64_OF_BITS_AT(8, bits)
#define TS_INSTRUCTION(name, bits) TS_INSTRUCTION_AT(name, 8, bits)
#include "convert_width.h"
#define TS_V(T) ts_##T##x16
#define TS_X(name) name##x16
#define TS_CAST(T, v) __builtin_convertvector(v, ts_##T##x16)
#define TS_MASK(U, condition) TS_VECTOR_MASK(U, 16, condition)
#define TS_AS(dst, src, v) TS_REINTERPRET(dst, src, 16, v)
#define TS_F64_BITS(cell) TS_F64_BITS_AT(16, cell)
#define TS_F64(bits) TS_F64_OF_BITS_AT(16, bits)
#define TS_INSTRUCTION(name, bits) TS_INSTRUCTION_AT(name, 16, bits)
#include "convert_width.h"

#endif
