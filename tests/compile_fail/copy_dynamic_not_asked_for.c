/* SPDX-License-Identifier: Apache-2.0
 *
 * A copy between layouts known at run time, in a file that did not ask for them.
 *
 * expect: TS_USE_DYNAMIC_LAYOUTS is 1 before the include
 */
#ifdef FIXED
#define TS_USE_DYNAMIC_LAYOUTS 1
#endif
#include "tensorstorage.h"

TS_COPY_DYNAMIC(copy_any, ts_global, f32, 0, ts_global_const, f32, 0)
