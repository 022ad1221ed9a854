/* SPDX-License-Identifier: Apache-2.0
 *
 * The same, between layouts known at run time.
 *
 * expect: copy copy_any: f33 is no dtype; use one such as f32, bf16 or i64
 * errors: 1
 */
#define TS_USE_DYNAMIC_LAYOUTS 1
#include "tensorstorage.h"

#ifdef FIXED
TS_COPY_DYNAMIC(copy_any, ts_global, f32, 0, ts_global_const, f32, 0)
#else
TS_COPY_DYNAMIC(copy_any, ts_global, f33, 0, ts_global_const, f32, 0)
#endif
