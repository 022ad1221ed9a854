/* SPDX-License-Identifier: Apache-2.0
 *
 * copy_random.h: random pairs of layouts for TS_COPY, the same for the same seed and index on every device.
 */
#ifndef TS_CONFORMANCE_COPY_RANDOM_H
#define TS_CONFORMANCE_COPY_RANDOM_H

#include "copy_pair.h"

/* Ordered pairs of spaces, and pairs of dtypes. Pair `index` is of spaces index % COPY_SPACE_PAIRS and of dtypes
 * index % COPY_DTYPE_PAIRS. */
enum { COPY_SPACE_PAIRS = 20, COPY_DTYPE_PAIRS = TS_DTYPE_COUNT * TS_DTYPE_COUNT };

/* Make a pair that TS_COPY must take.
 *
 * About a third are wide, of each width. Ranks are 1 to 6; both sides have one shape, or two factorisations of one count;
 * strides are those of packed layouts in any order, padded, doubled, negative, of a source also zero or anything; bases are
 * aligned to just what is promised and to no more, which may be less than an element. Elements lie at least 256 bytes from the
 * ends of the memory. */
void copy_random_pair(copy_pair *pair, uint64_t seed, int index);

/* Other layouts, at other places, for a pair whose spaces, dtypes and promises stay: what a TS_COPY_DYNAMIC may get. */
void copy_random_layouts(copy_pair *pair, uint64_t seed, int index);

/* Fill the memory of a pair's source: elements are random bits, small numbers and zeros, what is between them is random. */
void copy_random_source(const copy_pair *pair, unsigned char *src, uint64_t *random);

#endif
