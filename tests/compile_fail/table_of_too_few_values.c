/* SPDX-License-Identifier: Apache-2.0
 *
 * A constant table of four has three values.
 *
 * expect: table: its count is 4, and it has another number of values
 * errors: 1
 */
#include "tensorstorage.h"

#ifdef FIXED
TS_CONSTANT_TABLE(table, f32, 4, (1, 2, 3, 4));
#else
TS_CONSTANT_TABLE(table, f32, 4, (1, 2, 3));
#endif
