/* SPDX-License-Identifier: Apache-2.0
 *
 * Storages of the user's own. The macros of the header take them by their names, and a copy takes both of them: f32 that is
 * kept as i8 with a scale, and elements of any dtype in reverse order, which are only loaded from.
 */
#include "tensorstorage.h"

typedef struct scaled_f32 {
  ts_global_i8 steps;
  float step;
} scaled_f32;
typedef scaled_f32 scaled_offset_result_f32;
enum { scaled_element_size_f32 = 1 };

TS_FUNCTION float scaled_load_f32x1(scaled_f32 h, ts_index i, int flags) {
  (void)flags; /* the i8 behind an f32 is aligned to 1 whatever is promised */
  return (float)ts_load(ts_global, i8, 1, h.steps, i, 0) * h.step;
}
TS_FUNCTION void scaled_store_f32x1(scaled_f32 h, ts_index i, float value, int flags) {
  (void)flags;
  ts_store(ts_global, i8, 1, h.steps, i, (ts_i8)(value / h.step), 0);
}
TS_STORAGE_WIDTHS(scaled, f32)
TS_FUNCTION scaled_f32 scaled_offset_f32(scaled_f32 h, ts_index n) {
  h.steps = ts_offset(ts_global, i8, h.steps, n);
  return h;
}
TS_FUNCTION ts_index scaled_distance_f32(scaled_f32 to, scaled_f32 from) {
  return ts_distance(ts_global, i8, to.steps, from.steps);
}

#define REVERSED(T)                                                                                                            \
  typedef struct reversed_##T {                                                                                                \
    ts_global_const_##T first;                                                                                                 \
  } reversed_##T;                                                                                                              \
  enum { reversed_element_size_##T = 1 };                                                                                      \
  TS_FUNCTION ts_##T reversed_load_##T##x1(reversed_##T h, ts_index i, int flags) {                                            \
    return flags & TS_NON_TEMPORAL ? ts_load(ts_global_const, T, 1, h.first, -i, TS_NON_TEMPORAL)                              \
                                   : ts_load(ts_global_const, T, 1, h.first, -i, 0);                                           \
  }                                                                                                                            \
  TS_STORAGE_LOAD_WIDTHS(reversed, T)
REVERSED(b8)
REVERSED(f32)
REVERSED(f64)
REVERSED(bf16)

#define SRC scaled

TS_ROW_MAJOR_2(square, 8, 8)
TS_COPY(scale_down, SRC, f32, square, TS_ALIGN(4), reversed, f64, square, TS_ALIGN(128) | TS_NON_TEMPORAL)
TS_COPY(scale_up, ts_global, bf16, square, TS_ALIGN(16), SRC, f32, square, TS_ALIGN(256))

TS_KERNEL(swap, (TS_GLOBAL_ARG(i8) x_cells, TS_GLOBAL_CONST_ARG(f64) y_cells, TS_GLOBAL_ARG(bf16) z_cells, float step)) {
  ts_handle(SRC, f32) x;
  x.steps = ts_bind(ts_global, i8, x_cells);
  x.step = step;
  ts_vector(f32, 1) first = ts_load(SRC, f32, 1, x, 0, TS_INVARIANT);
  ts_store(SRC, f32, 1, x, 0, ts_load(SRC, f32, 1, x, ts_distance(SRC, f32, ts_offset(SRC, f32, x, 1), x), 0), 0);
  ts_store(SRC, f32, 1, x, ts_element_size(SRC, f32), first, 0);

  reversed_f64 y;
  y.first = ts_offset(ts_global_const, f64, ts_bind(ts_global_const, f64, y_cells), 63);
  scale_down_by_group(x, y);
  scale_up(ts_bind(ts_global, bf16, z_cells), x);
}
