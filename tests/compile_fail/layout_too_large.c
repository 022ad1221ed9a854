/* SPDX-License-Identifier: Apache-2.0
 *
 * More elements than 64 bits count. TS_COPY would see 0 of them.
 *
 * expect: the layout tile has more than 2^59 elements
 * errors: 1
 */
#include "tensorstorage.h"

#ifdef FIXED
TS_LAYOUT_2(tile, 4294967296, 67108864, 67108864, 1)
#else
TS_LAYOUT_2(tile, 4294967296, 4294967296, 4294967296, 1)
#endif
