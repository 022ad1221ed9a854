/* SPDX-License-Identifier: Apache-2.0
 *
 * An extent is negative.
 *
 * expect: the layout tile has a negative extent
 */
#include "tensorstorage.h"

#ifdef FIXED
TS_LAYOUT_2(tile, 4, 8, -8, 1)
#else
TS_LAYOUT_2(tile, 4, -8, 8, 1)
#endif
