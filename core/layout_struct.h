/* SPDX-License-Identifier: Apache-2.0
 *
 * layout_struct.h: a layout that is known at run time, as kernels and the host library both have it. What is done with one is
 * in layout_dynamic.h.
 */
#ifndef TS_CORE_LAYOUT_STRUCT_H
#define TS_CORE_LAYOUT_STRUCT_H

/* 64 bits in every language: OpenCL's prelude has it as long. */
#ifndef TS_LAYOUT_INTEGER
#define TS_LAYOUT_INTEGER long long
#endif

enum { TS_LAYOUT_MAX_RANK = 8 };

/* Where the elements of a tensor are. The element at (i0, i1, …), 0 <= i[d] < shape[d], is i0 * stride[0] + i1 * stride[1] + …
 * scalars behind the first. Elements are numbered with the last index moving fastest, whatever the strides.
 *
 * rank     modes, 0 to 8. Of rank 0 there is one element. -1: no layout, which is what a function gives that has none to give
 * shape    [rank] extents, >= 0
 * stride   [rank] in scalar elements; may be zero or negative. Where the extent is 1 it is never used
 *
 * All fields have 64 bits, so there is no padding; those past the rank may hold anything. */
typedef struct ts_layout {
  TS_LAYOUT_INTEGER rank;
  TS_LAYOUT_INTEGER shape[8];
  TS_LAYOUT_INTEGER stride[8];
} ts_layout;

#endif
