/* SPDX-License-Identifier: Apache-2.0
 *
 * A constant table of two has three values, of a dtype that is stored as bits.
 *
 * expect: table: its count is 2, and it has another number of values
 * errors: 1
 */
#include "tensorstorage.h"

enum { COUNT = 2 };
#ifdef FIXED
TS_CONSTANT_TABLE(table, f16, COUNT, ({0x3c00}, {0xbc00}));
#else
TS_CONSTANT_TABLE(table, f16, 2, ({0x3c00}, {0xbc00}, {0}));
#endif
