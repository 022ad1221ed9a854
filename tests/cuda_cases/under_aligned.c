/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses that are promised less than they are wide are split into the widest that the promise covers; nothing is wider than
 * its promise.
 *
 * has: ld.global.v2.[fub]32
 * has: ld.global.nc.[ub]16
 * has: ld.global.cs.[ub]8
 * has: st.global.(v4.[us]8|[usb]32)
 * has: st.global.cs.[usb]16
 * lacks: ld.global.v4.*
 * lacks: ld.global.nc.v.*
 * lacks: ld.global.cs.v.*
 * lacks: st.global.cs.v.*
 */
#include "tensorstorage.h"

TS_KERNEL(by_8, (TS_GLOBAL_CONST_ARG(f32) x, TS_GLOBAL_ARG(u8) y)) {
  ts_f32x4 v = ts_load(ts_global_const, f32, 4, ts_bind(ts_global_const, f32, x), 0, TS_ALIGN(8));
  ts_store(ts_global, u8, 4, ts_bind(ts_global, u8, y), 0, ts_convert(u8, f32, 4, v), TS_ALIGN(4));
}
TS_KERNEL(by_2, (TS_GLOBAL_CONST_ARG(f32) x, TS_GLOBAL_ARG(u8) y)) {
  ts_f32x4 v = ts_load(ts_global_const, f32, 4, ts_bind(ts_global_const, f32, x), 0, TS_ALIGN(2) | TS_INVARIANT);
  ts_store(ts_global, u8, 4, ts_bind(ts_global, u8, y), 0, ts_convert(u8, f32, 4, v), TS_ALIGN(2) | TS_NON_TEMPORAL);
}
TS_KERNEL(by_1, (TS_GLOBAL_CONST_ARG(u64) x, TS_GLOBAL_ARG(u64) y)) {
  ts_u64 v = ts_load(ts_global_const, u64, 1, ts_bind(ts_global_const, u64, x), 0, TS_ALIGN(1) | TS_NON_TEMPORAL);
  ts_store(ts_global, u64, 1, ts_bind(ts_global, u64, y), 0, v, 0);
}
