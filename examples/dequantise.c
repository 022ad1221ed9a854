/* SPDX-License-Identifier: Apache-2.0
 *
 * dequantise.c: y = x * scale, with one scale for each block of 32 elements. x is of any dtype: -DSRC_T=i8, f8e4m3fn, …
 *
 * Work-items: a fourth of the elements. One text for all dtypes, since every public macro takes a macro for a dtype.
 */
#include "tensorstorage.h"

#ifndef SRC_T
#define SRC_T i8
#endif

TS_KERNEL(dequantise, (TS_GLOBAL_CONST_ARG(SRC_T) x_cells, TS_GLOBAL_CONST_ARG(f32) scale_cells, TS_GLOBAL_ARG(f32) y_cells)) {
  ts_handle(ts_global_const, SRC_T) x = ts_bind(ts_global_const, SRC_T, x_cells);
  ts_global_const_f32 scales = ts_bind(ts_global_const, f32, scale_cells);
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
  ts_index i = 4 * (ts_index)ts_global_id(0);
  ts_f32x4 v = ts_convert(f32, SRC_T, 4, ts_load(ts_global_const, SRC_T, 4, x, i, TS_INVARIANT));
  ts_f32 scale = ts_load(ts_global_const, f32, 1, scales, i / 32, TS_INVARIANT);
  ts_store(ts_global, f32, 4, y, i, v * scale, TS_ALIGN(16));
}
