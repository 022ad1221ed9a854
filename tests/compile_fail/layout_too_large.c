/* SPDX-License-Identifier: Apache-2.0
 *
 * More elements than 64 bits count. TS_COPY would see 0 of them.
 *
 * expect: the layout tile has more elements, or reaches further, than 64 bits count
 * errors: 1
 */
#include "tensorstorage.h"

#ifdef FIXED
TS_LAYOUT_2(tile, 4294967296, 1073741824, 1073741824, 1)
#else
TS_LAYOUT_2(tile, 4294967296, 4294967296, 4294967296, 1)
#endif
