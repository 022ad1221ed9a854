/* SPDX-License-Identifier: Apache-2.0
 *
 * Few elements, further apart than 64 bits count.
 *
 * expect: the layout tile has more elements, or reaches further, than 64 bits count
 * errors: 2
 */
#include "tensorstorage.h"

#ifdef FIXED
TS_LAYOUT_2(tile, 4, 4, 1000000000000000000, 1)
#else
TS_LAYOUT_2(tile, 4, 4, -9223372036854775807, 1)
#endif
