/* SPDX-License-Identifier: Apache-2.0
 *
 * scaled.h: f32 that is kept in global memory as i8, in steps of one size.
 *
 *   scaled_f32 x = scaled_bind_f32(cells, 0.25f);      cells is a ts_global_i8
 *
 * A load gives step * i8. A store keeps value * (1 / step), rounded to the nearest integer, of two the even one, and saturated
 * to -128 … 127; NaN becomes 0. So a store and a load give a value back within half a step, if it was in range; exactly, if it
 * is a multiple of a step that is a power of two.
 */
#ifndef SCALED_H
#define SCALED_H

#include "tensorstorage.h"

typedef struct scaled_f32 {
  ts_global_i8 steps;
  float step, inverse;
} scaled_f32, scaled_offset_result_f32;
enum { scaled_element_size_f32 = 1 };

TS_FUNCTION scaled_f32 scaled_bind_f32(ts_global_i8 steps, float step) {
  scaled_f32 h;
  h.steps = steps;
  h.step = step;
  h.inverse = 1.0f / step;
  return h;
}
TS_FUNCTION scaled_f32 scaled_offset_f32(scaled_f32 h, ts_index n) {
  h.steps = ts_offset(ts_global, i8, h.steps, n);
  return h;
}
TS_FUNCTION ts_index scaled_distance_f32(scaled_f32 to, scaled_f32 from) {
  return ts_distance(ts_global, i8, to.steps, from.steps);
}
TS_FUNCTION TS_TEXT scaled_name_f32(void) { return "scaled_f32"; }

TS_FUNCTION float scaled_load_f32x1(scaled_f32 h, ts_index i, int flags) {
  (void)flags; /* a promise is about f32; the i8 behind it is aligned to 1 whatever is promised */
  return h.step * (float)ts_load(ts_global, i8, 1, h.steps, i, 0);
}
TS_FUNCTION void scaled_store_f32x1(scaled_f32 h, ts_index i, float value, int flags) {
  (void)flags;
  float steps = value * h.inverse;
  steps = steps < -128.0f ? -128.0f : steps > 127.0f ? 127.0f : steps;
  int whole = ts_convert(i32, f32, 1, steps); /* toward 0; NaN is 0 */
  float rest = steps - (float)whole;          /* exact */
  int up = rest > 0.5f || (rest == 0.5f && (whole & 1));
  int down = rest < -0.5f || (rest == -0.5f && (whole & 1));
  ts_store(ts_global, i8, 1, h.steps, i, (ts_i8)(whole + up - down), 0);
}
TS_STORAGE_WIDTHS(scaled, f32)

#endif
