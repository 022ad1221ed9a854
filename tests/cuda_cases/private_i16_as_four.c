/* SPDX-License-Identifier: Apache-2.0
 *
 * Four i16 of a private array, promised to be aligned, are one load and not eight of a byte. The index is known at run time
 * only, so the array is in local memory.
 *
 * local memory
 * has: ld.local.(v4.[usb]16|v2.[ub]32|[ub]64)
 * lacks: ld.local.[usb](8|16)
 */
#include "tensorstorage.h"

TS_KERNEL(k, (TS_GLOBAL_CONST_ARG(i16) x_cells, TS_GLOBAL_ARG(i16) y_cells, int n)) {
  ts_global_const_i16 x = ts_bind(ts_global_const, i16, x_cells);
  TS_LOCAL(mine, i16, 32);
  for (int k = 0; k < 32; k++) ts_store(ts_local, i16, 1, mine, (k * n) % 32, ts_load(ts_global_const, i16, 1, x, k, 0), 0);
  ts_store(ts_global, i16, 4, ts_bind(ts_global, i16, y_cells), 4 * ts_global_id(0),
           ts_load(ts_local, i16, 4, mine, 4 * n, TS_ALIGN(8)), TS_ALIGN(8));
}
