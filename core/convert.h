/* SPDX-License-Identifier: Apache-2.0
 *
 * convert.h: ts_convert(dst, src, W, v): a ts_srcxW as a ts_dstxW, the same bits everywhere.
 *
 * Decided on bits, so that no fast-math or flush-to-zero option changes a result.
 */
#ifndef TS_CORE_CONVERT_H
#define TS_CORE_CONVERT_H

#define ts_convert(dst, src, W, v) TS_CALL_CONVERT(dst, src, W, v)
#define TS_CALL_CONVERT(dst, src, W, v) ts_convert_##dst##_##src##x##W(v)

#endif
