/* SPDX-License-Identifier: Apache-2.0
 *
 * A parameter of a dtype that does not exist. No sentence fits into a list of parameters, so it is a name.
 * C declares a kernel once more before it defines it.
 *
 * expect: float_is_no_dtype
 * errors: 2
 */
#include "tensorstorage.h"

#ifdef FIXED
TS_KERNEL(k, (TS_GLOBAL_ARG(f32) y_cells)) {
#else
TS_KERNEL(k, (TS_GLOBAL_ARG(float) y_cells)) {
#endif
  ts_store(ts_global, f32, 1, ts_bind(ts_global, f32, y_cells), 0, 1.0f, 0);
}
