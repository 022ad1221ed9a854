/* SPDX-License-Identifier: Apache-2.0
 *
 * More modes than a static layout has.
 *
 * expect: the layout tile has seven modes
 * errors: 1
 */
#include "tensorstorage.h"

#ifdef FIXED
TS_LAYOUT_6(tile, 2, 3, 4, 5, 6, 7, 2520, 840, 210, 42, 7, 1)
#else
TS_LAYOUT_7(tile, 1, 2, 3, 4, 5, 6, 7, 5040, 2520, 840, 210, 42, 7, 1)
#endif
