/* SPDX-License-Identifier: Apache-2.0
 *
 * A streaming load of 16 bits stays behind a store that may be to the same address: CUDA's own function for halves is assembly
 * that the compiler moves to the front.
 *
 * has: st.global.[ub]16
 * has: ld.global.cs.[ub]16
 * order: st.global.[ub]16 ld.global.cs.[ub]16
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f16) x_cells, TS_GLOBAL_ARG(f16) y_cells, TS_GLOBAL_CONST_ARG(f16) z_cells)) {
  ts_global_f16 x = ts_bind(ts_global, f16, x_cells);
  ts_global_f16 y = ts_bind(ts_global, f16, y_cells);
  ts_f16 one = {0x3c00};
  ts_store(ts_global, f16, 1, x, 0, one, 0);
  ts_store(ts_global, f16, 1, y, 1,
           ts_load(ts_global_const, f16, 1, ts_bind(ts_global_const, f16, z_cells), 0, TS_NON_TEMPORAL), TS_NON_TEMPORAL);
}
