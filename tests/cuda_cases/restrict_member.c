/* SPDX-License-Identifier: Apache-2.0
 *
 * A user's __restrict__ on the member of a struct changes no instruction. On a kernel's parameter it would: that makes plain
 * loads non-coherent, and so no parameter of ours has it.
 *
 * has: ld.global.f32
 * lacks: .*\.nc\..*
 * same with: -DRESTRICT=__restrict__
 */
#include "tensorstorage.h"

#ifndef RESTRICT
#define RESTRICT
#endif

struct pair {
  const ts_f32 *RESTRICT x;
  ts_f32 *RESTRICT y;
};

TS_KERNEL(k, (TS_GLOBAL_CONST_ARG(f32) x_cells, TS_GLOBAL_ARG(f32) y_cells)) {
  pair p;
  p.x = x_cells;
  p.y = y_cells;
  ts_index i = ts_global_id(0);
  ts_f32 v = ts_load(ts_global_const, f32, 1, ts_bind(ts_global_const, f32, p.x), i, 0);
  ts_store(ts_global, f32, 1, ts_bind(ts_global, f32, p.y), i, v, 0);
  ts_store(ts_global, f32, 1, ts_bind(ts_global, f32, p.y), i + 1, v, 0);
}
