/* SPDX-License-Identifier: Apache-2.0
 *
 * handles.c: the kernels of by_hand.cu and by_hand.cl on handles. softmax and histogram are those of examples/.
 */
#include "tensorstorage.h"

/* ---- saxpy: y = a x + y; nobody writes x -------------------------------------------------------------------------- */

TS_KERNEL(saxpy, (TS_GLOBAL_CONST_ARG(f32) x_cells, TS_GLOBAL_ARG(f32) y_cells, float a)) {
  ts_global_const_f32 x = ts_bind(ts_global_const, f32, x_cells);
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
  ts_index i = 4 * (ts_index)ts_global_id(0);
  ts_f32x4 u = ts_load(ts_global_const, f32, 4, x, i, TS_INVARIANT | TS_ALIGN(16));
  ts_f32x4 v = ts_load(ts_global, f32, 4, y, i, TS_ALIGN(16));
  ts_store(ts_global, f32, 4, y, i, a * u + v, TS_ALIGN(16));
}

/* ---- add: c = a + b, W elements a work-item, aligned to all of them ------------------------------------------------- */

#define ADD(W, bytes)                                                                                                          \
  TS_KERNEL(add_##W, (TS_GLOBAL_CONST_ARG(f32) a_cells, TS_GLOBAL_CONST_ARG(f32) b_cells, TS_GLOBAL_ARG(f32) c_cells)) {       \
    ts_global_const_f32 a = ts_bind(ts_global_const, f32, a_cells);                                                            \
    ts_global_const_f32 b = ts_bind(ts_global_const, f32, b_cells);                                                            \
    ts_global_f32 c = ts_bind(ts_global, f32, c_cells);                                                                        \
    ts_index i = W * (ts_index)ts_global_id(0);                                                                                \
    ts_store(ts_global, f32, W, c, i,                                                                                          \
             ts_load(ts_global_const, f32, W, a, i, TS_ALIGN(bytes)) +                                                         \
                 ts_load(ts_global_const, f32, W, b, i, TS_ALIGN(bytes)),                                                      \
             TS_ALIGN(bytes));                                                                                                 \
  }
ADD(1, 4)
ADD(2, 8)
ADD(4, 16)
ADD(8, 32)
ADD(16, 64)

/* ---- gather: y[i] = x[i * stride], from memory that nobody writes to memory that is not read soon --------------------- */

TS_KERNEL(gather, (TS_GLOBAL_CONST_ARG(f32) x_cells, TS_GLOBAL_ARG(f32) y_cells, int stride)) {
  ts_global_const_f32 x = ts_bind(ts_global_const, f32, x_cells);
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
  ts_index i = (ts_index)ts_global_id(0);
  ts_store(ts_global, f32, 1, y, i, ts_load(ts_global_const, f32, 1, x, i * stride, TS_INVARIANT), TS_NON_TEMPORAL);
}

/* ---- reduce: y[group] = the sum of the 256 elements of a group ---------------------------------------------------------- */

TS_KERNEL(reduce, (TS_GLOBAL_CONST_ARG(f32) x_cells, TS_GLOBAL_ARG(f32) y_cells)) {
  TS_SHARED(cells, f32, 256);
  ts_global_const_f32 x = ts_bind(ts_global_const, f32, x_cells);
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
  int item = ts_item_in_group(0);
  ts_store(ts_shared, f32, 1, cells, item, ts_load(ts_global_const, f32, 1, x, ts_global_id(0), TS_INVARIANT), 0);
  for (int apart = 128; apart > 0; apart /= 2) {
    ts_barrier();
    if (item < apart)
      ts_store(ts_shared, f32, 1, cells, item,
               ts_load(ts_shared, f32, 1, cells, item, 0) + ts_load(ts_shared, f32, 1, cells, item + apart, 0), 0);
  }
  if (item == 0) ts_store(ts_global, f32, 1, y, ts_group_id(0), ts_load(ts_shared, f32, 1, cells, 0, 0), 0);
}

/* ---- stencil: y[i] = a x[i - 1] + b x[i] + a x[i + 1], but at both ends ----------------------------------------------- */

#define X(i) ts_load(ts_global_const, f32, 1, x, i, TS_INVARIANT)
TS_KERNEL(stencil, (TS_GLOBAL_CONST_ARG(f32) x_cells, TS_GLOBAL_ARG(f32) y_cells, float a, float b, ts_i64 count)) {
  ts_global_const_f32 x = ts_bind(ts_global_const, f32, x_cells);
  ts_global_f32 y = ts_bind(ts_global, f32, y_cells);
  ts_index i = (ts_index)ts_global_id(0);
  if (i < 1 || i + 1 >= count) return;
  ts_store(ts_global, f32, 1, y, i, a * (X(i - 1) + X(i + 1)) + b * X(i), 0);
}

/* ---- dequantise: y = x * scale, one scale for 32 elements; four elements a work-item ----------------------------------- */

#define DEQUANTISE(T, bytes)                                                                                                   \
  TS_KERNEL(dequantise_##T,                                                                                                    \
            (TS_GLOBAL_CONST_ARG(T) x_cells, TS_GLOBAL_CONST_ARG(f32) scale_cells, TS_GLOBAL_ARG(f32) y_cells)) {              \
    ts_global_const_##T x = ts_bind(ts_global_const, T, x_cells);                                                              \
    ts_global_const_f32 scales = ts_bind(ts_global_const, f32, scale_cells);                                                   \
    ts_global_f32 y = ts_bind(ts_global, f32, y_cells);                                                                        \
    ts_index i = (ts_index)ts_global_id(0);                                                                                    \
    ts_f32x4 v = ts_convert(f32, T, 4, ts_load(ts_global_const, T, 4, x, 4 * i, TS_INVARIANT | TS_ALIGN(bytes)));              \
    ts_f32 scale = ts_load(ts_global_const, f32, 1, scales, i / 8, TS_INVARIANT);                                              \
    ts_store(ts_global, f32, 4, y, 4 * i, v * scale, TS_ALIGN(16));                                                            \
  }
DEQUANTISE(f16, 8)
DEQUANTISE(bf16, 8)
DEQUANTISE(f8e4m3fn, 4)
DEQUANTISE(i8, 4)

/* ---- lookup: two 4-bit codes of a byte, by a table in constant memory --------------------------------------------------- */

TS_CONSTANT_TABLE(table, f32, 16,
                  (-8.0f, -6.0f, -4.0f, -3.0f, -2.0f, -1.5f, -1.0f, -0.5f, 0.0f, 0.5f, 1.0f, 1.5f, 2.0f, 3.0f, 4.0f, 6.0f));

TS_KERNEL(lookup, (TS_GLOBAL_CONST_ARG(u8) x_cells, TS_GLOBAL_ARG(f32) y_cells)) {
  ts_constant_f32 values = ts_bind(ts_constant, f32, table);
  ts_index i = (ts_index)ts_global_id(0);
  ts_u8 codes = ts_load(ts_global_const, u8, 1, ts_bind(ts_global_const, u8, x_cells), i, TS_INVARIANT);
  ts_f32x2 both = ts_splat(f32, 2, ts_load(ts_constant, f32, 1, values, codes & 15, 0));
  both = ts_set_lane(f32, 2, both, 1, ts_load(ts_constant, f32, 1, values, codes >> 4, 0));
  ts_store(ts_global, f32, 2, ts_bind(ts_global, f32, y_cells), 2 * i, both, TS_ALIGN(8));
}
