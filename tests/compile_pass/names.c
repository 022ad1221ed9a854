/* SPDX-License-Identifier: Apache-2.0
 *
 * Type names, where the language has strings, and a dtype's bits read as another's.
 */
#include "tensorstorage.h"

TS_KERNEL(name_of, (TS_GLOBAL_ARG(u8) y_cells, TS_GLOBAL_ARG(f64) z_cells)) {
  ts_global_u8 y = ts_bind(ts_global, u8, y_cells);
  ts_global_u64 z = ts_unsafe_cast(ts_global, u64, ts_global, f64, ts_bind(ts_global, f64, z_cells));
  ts_store(ts_global, u64, 2, z, 0, ts_load(ts_global, u64, 2, z, 2, TS_INVARIANT), 0);
  ts_store(ts_global, u8, 1, y, 0, (ts_u8)ts_type_name(ts_global, f8e4m3fn)[0], 0);
}
