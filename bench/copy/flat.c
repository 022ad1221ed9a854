/* SPDX-License-Identifier: Apache-2.0
 *
 * flat.c: a copy of f32 by contiguous chunks, and one of every second element, each by the items of a group.
 */
#include "tensorstorage.h"

enum { CHUNK = 4096 };
TS_ROW_MAJOR_1(chunk, CHUNK)
TS_LAYOUT_1(every_second, CHUNK, 2)
TS_COPY(copy_chunk, ts_global, f32, chunk, TS_ALIGN(64) | HINT, ts_global_const, f32, chunk, TS_ALIGN(64))
TS_COPY(gather_chunk, ts_global, f32, chunk, TS_ALIGN(64) | HINT, ts_global_const, f32, every_second, TS_ALIGN(64))

TS_KERNEL(copy, (TS_GLOBAL_ARG(f32) y_cells, TS_GLOBAL_CONST_ARG(f32) x_cells)) {
  ts_index at = (ts_index)ts_group_id(0) * CHUNK;
  copy_chunk_by_group(ts_offset(ts_global, f32, ts_bind(ts_global, f32, y_cells), at),
                      ts_offset(ts_global_const, f32, ts_bind(ts_global_const, f32, x_cells), at));
}

TS_KERNEL(gather, (TS_GLOBAL_ARG(f32) y_cells, TS_GLOBAL_CONST_ARG(f32) x_cells)) {
  ts_index at = (ts_index)ts_group_id(0) * CHUNK;
  gather_chunk_by_group(ts_offset(ts_global, f32, ts_bind(ts_global, f32, y_cells), at),
                        ts_offset(ts_global_const, f32, ts_bind(ts_global_const, f32, x_cells), 2 * at));
}
