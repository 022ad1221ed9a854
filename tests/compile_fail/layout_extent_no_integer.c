/* SPDX-License-Identifier: Apache-2.0
 *
 * An extent that is no integer.
 *
 * expect: the layout tile has an extent or a stride that is no integer
 * errors: 3
 */
#include "tensorstorage.h"

#ifdef FIXED
TS_LAYOUT_2(tile, 2, 3, 3, 1)
#else
TS_LAYOUT_2(tile, 2.5, 3, 3, 1)
#endif
