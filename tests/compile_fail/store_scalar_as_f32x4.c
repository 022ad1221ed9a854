/* SPDX-License-Identifier: Apache-2.0
 *
 * A scalar is stored as a vector: OpenCL C alone would spread it.
 *
 * expect: the value is a vector of another dtype or width
 * expect nvcc: from "float" to "ts_cuda_vector<float, 0, 1, 2, 3>"
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) y_cells)) {
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
#ifdef FIXED
  ts_store(ts_global, f32, 1, y, 4, 1.0f, 0);
#else
  ts_store(ts_global, f32, 4, y, 4, 1.0f, 0);
#endif
}
