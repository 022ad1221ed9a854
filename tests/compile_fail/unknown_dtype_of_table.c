/* SPDX-License-Identifier: Apache-2.0
 *
 * A constant table of a dtype that does not exist.
 *
 * expect: table: f23 is no dtype; use one such as f32, bf16 or i64
 * errors: 1
 */
#include "tensorstorage.h"

#ifdef FIXED
TS_CONSTANT_TABLE(table, f32, 2, (1, 2));
#else
TS_CONSTANT_TABLE(table, f23, 2, (1, 2));
#endif
