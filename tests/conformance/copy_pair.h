/* SPDX-License-Identifier: Apache-2.0
 *
 * copy_pair.h: one TS_COPY or TS_COPY_DYNAMIC: its two sides, the text that makes a kernel of it (copy.c), and what it must do
 * to bytes.
 *
 * Used by the conformance cases, whose sides are those of layout_copy.json, and by fuzz_copy.c, whose sides are random.
 */
#ifndef TS_CONFORMANCE_COPY_PAIR_H
#define TS_CONFORMANCE_COPY_PAIR_H

#include <stdio.h>

#include "tensorstorage_host.h"

/* The largest rank of a static layout, and the bytes of a side's memory: the same number as in copy.c. */
enum { COPY_RANK = 6, COPY_MEMORY_BYTES = 4096 };

typedef struct copy_side {
  ts_space space;
  bool is_const; /* its policy is that of handles that only load */
  ts_dtype dtype;
  int rank; /* 1 to COPY_RANK */
  int64_t shape[COPY_RANK], stride[COPY_RANK];
  int64_t start;     /* the byte of the memory that element (0, 0 …) is at */
  int align_bytes;   /* promised; 0: nothing, so the dtype's own */
  const char *hints; /* of its flags: "", " | TS_INVARIANT" … */
} copy_side;

typedef struct copy_pair {
  copy_side dst, src;
} copy_pair;

/* Logical elements of a side. */
int64_t copy_count(const copy_side *side);

/* The scalar that logical element i is at, counted from element (0, 0 …): row-major, the last index moves fastest. */
int64_t copy_offset(const copy_side *side, int64_t i);

/* Whether a group can share the copy: no side is in local memory. */
bool copy_is_shareable(const copy_pair *pair);

/* Write the layouts and the TS_COPY of a pair, which is named copy_<number>. */
void copy_write_pair(FILE *f, int number, const copy_pair *pair);

/* Write what stands in front of copy.c: the include of the header, the pairs, and lists of cases: number k is pairs[k]. One of
 * rank 0 is left out. */
void copy_write_front(FILE *f, const copy_pair *pairs, int count, bool is_dynamic);

/* What the kernels read in number_cells: [COPY_NUMBERS]. */
enum { COPY_NUMBERS = 36 };
void copy_numbers(int64_t *numbers, const copy_pair *pair);

/* The name, of at most COPY_KERNEL_BYTES, of the kernel of copy.c that does the copy of this number, by one item or by a group.
 */
enum { COPY_KERNEL_BYTES = 32 };
void copy_kernel_name(char *name, int number, const copy_pair *pair, bool is_by_group);

/* Do the copy in the most obvious way, one element after the other, on the memory of each side: [COPY_MEMORY_BYTES]. */
void copy_by_reference(const copy_pair *pair, unsigned char *dst, const unsigned char *src);

/* Where a NaN is expected, and any other NaN came: expect that one. */
void copy_expect_any_nan(const copy_pair *pair, unsigned char *expected, const unsigned char *actual);

#endif
