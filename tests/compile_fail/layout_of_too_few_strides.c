/* SPDX-License-Identifier: Apache-2.0
 *
 * A layout of rank 2 has one stride.
 *
 * expect: TS_LAYOUT_2
 * expect nvcc: TS_LAYOUT_2
 */
#include "tensorstorage.h"

#ifdef FIXED
TS_LAYOUT_2(tile, 4, 8, 8, 1)
#else
TS_LAYOUT_2(tile, 4, 8, 8)
#endif
