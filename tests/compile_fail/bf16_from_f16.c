/* SPDX-License-Identifier: Apache-2.0
 *
 * An f16 is assigned to a bf16.
 *
 * expect: ts_bf16
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f16) x_cells, TS_GLOBAL_ARG(bf16) z_cells)) {
  ts_global_f16 x = ts_bind(ts_global, f16, x_cells);
  ts_global_bf16 z = ts_bind(ts_global, bf16, z_cells);
  ts_f16 v = ts_load(ts_global, f16, 1, x, 1, 0);
#ifdef FIXED
  ts_bf16 w = ts_load(ts_global, bf16, 1, z, 1, 0);
  ts_store(ts_global, bf16, 1, z, 0, w, 0);
  ts_store(ts_global, f16, 1, x, 0, v, 0);
#else
  ts_bf16 w;
  w = v;
  ts_store(ts_global, bf16, 1, z, 0, w, 0);
#endif
}
