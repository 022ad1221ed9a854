/* SPDX-License-Identifier: Apache-2.0
 *
 * layout_reference.h: layouts in the most obvious way, element by element, and random ones. Nothing here is what is tested.
 */
#ifndef TS_LAYOUT_REFERENCE_H
#define TS_LAYOUT_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "../../core/layout_struct.h"

typedef TS_LAYOUT_INTEGER integer;

enum { REFERENCE_MOST = 400 }; /* elements that a random layout has at most */

/* The offsets of a layout's elements in their order, at most REFERENCE_MOST. */
typedef struct offsets {
  int count;
  integer at[REFERENCE_MOST];
} offsets;

/* Step an index to the next element of a shape, the last index fastest. Returns false after the last one, and at 0 again. */
bool reference_next(integer *index, int rank, const integer *shape);

integer reference_size(int rank, const integer *shape);
integer reference_offset(const ts_layout *layout, const integer *index);
void reference_offsets(offsets *o, const ts_layout *layout);

/* From the lowest to the highest, both included, and the lowest. */
integer reference_cosize(const offsets *o);
integer reference_lowest(const offsets *o);

/* Whether all offsets differ. */
bool reference_all_differ(const offsets *o);

/* Whether the strides, sorted, each exceed what the ones before can reach. */
bool reference_strides_nest(const ts_layout *layout);

/* Whether a shape and strides exist that give the offsets. */
bool reference_has_strides(const offsets *o, int rank, const integer *shape);

/* Whether there are modes, at most `modes` of them, that give a's offsets with some strides and b's with others: tries all. */
bool reference_has_common_modes(const offsets *a, const offsets *b, int modes);

/* Random layouts: of any rank, any shape of at most REFERENCE_MOST elements (0 elements in one of ten), compact, padded,
 * permuted or at random, with extents of 1, strides of zero and negative ones. */
ts_layout reference_random_layout(uint64_t *random);
/* Of this shape; `nests`: no two elements share an offset. */
ts_layout reference_random_strides(uint64_t *random, int rank, const integer *shape, bool nests);
/* A shape of `count` elements. Returns its rank. */
int reference_random_shape(uint64_t *random, integer count, integer *shape);
/* A number below `count`, or 0. */
integer reference_random_below(uint64_t *random, integer count);

#endif
