/* SPDX-License-Identifier: Apache-2.0
 *
 * A storage of the user's own: f32 that is kept as i8 with a scale, of width 1. The macros of the header take it by its names.
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
TS_FUNCTION scaled_f32 scaled_offset_f32(scaled_f32 h, ts_index n) {
  h.steps = ts_offset(ts_global, i8, h.steps, n);
  return h;
}
TS_FUNCTION ts_index scaled_distance_f32(scaled_f32 to, scaled_f32 from) {
  return ts_distance(ts_global, i8, to.steps, from.steps);
}

#define SRC scaled

TS_KERNEL(swap, (TS_GLOBAL_ARG(i8) x_cells, float step)) {
  ts_handle(SRC, f32) x;
  x.steps = ts_bind(ts_global, i8, x_cells);
  x.step = step;
  ts_vector(f32, 1) first = ts_load(SRC, f32, 1, x, 0, TS_INVARIANT);
  ts_store(SRC, f32, 1, x, 0, ts_load(SRC, f32, 1, x, ts_distance(SRC, f32, ts_offset(SRC, f32, x, 1), x), 0), 0);
  ts_store(SRC, f32, 1, x, ts_element_size(SRC, f32), first, 0);
}
