/* SPDX-License-Identifier: Apache-2.0
 *
 * Dynamic shared memory carved at byte 4 modulo 16 and promised 4: the array's own alignment must not lead to a wider access.
 *
 * has: ld.shared.[fb]32
 * has: st.shared.[fb]32
 * lacks: (ld|st).shared.v[248].*
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_ARG(f32) y_cells, TS_SHARED_ARG(u8) bytes_cells)) {
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
  ts_shared_u8 bytes = ts_bind(ts_shared, u8, bytes_cells);
  ts_shared_f32 tile = ts_unsafe_cast(ts_shared, f32, ts_shared, u8, ts_offset(ts_shared, u8, bytes, 4));
  int i = 4 * ts_item_in_group(0);
  ts_store(ts_shared, f32, 4, tile, i, ts_load(ts_global, f32, 4, y, i, TS_ALIGN(16)), TS_ALIGN(4));
  ts_barrier();
  ts_store(ts_global, f32, 4, y, i, ts_load(ts_shared, f32, 4, tile, 252 - i, TS_ALIGN(4)), TS_ALIGN(16));
}
