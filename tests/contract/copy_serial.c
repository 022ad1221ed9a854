/* SPDX-License-Identifier: Apache-2.0
 *
 * copy_serial.c: copies as they are made for a device whose groups are serial, for tests/copy_serial_test.sh.
 */
#include "tensorstorage.h"

#define KERNEL(kernel, dst_dtype, src_dtype, ...)                                                                              \
  TS_KERNEL(kernel, (TS_GLOBAL_ARG(dst_dtype) dst_cells, TS_GLOBAL_CONST_ARG(src_dtype) src_cells)) {                          \
    ts_handle(ts_global, dst_dtype) dst = ts_bind(ts_global, dst_dtype, dst_cells);                                            \
    ts_handle(ts_global_const, src_dtype) src = ts_bind(ts_global_const, src_dtype, src_cells);                                \
    __VA_ARGS__                                                                                                                \
  }

/* Runs of 8 KiB and of 4, and every second element of 16 KiB. */
TS_LAYOUT_1(long_run, 2048, 1)
TS_LAYOUT_1(short_run, 1024, 1)
TS_LAYOUT_1(every_second, 2048, 2)
TS_COPY(copy_long, ts_global, f32, long_run, TS_ALIGN(64), ts_global_const, f32, long_run, TS_ALIGN(64))
TS_COPY(copy_short, ts_global, f32, short_run, TS_ALIGN(64), ts_global_const, f32, short_run, TS_ALIGN(64))
TS_COPY(copy_second, ts_global, f32, long_run, TS_ALIGN(64), ts_global_const, f32, every_second, TS_ALIGN(64))
KERNEL(long_run_kernel, f32, f32, copy_long_by_group(dst, src);)
KERNEL(short_run_kernel, f32, f32, copy_short_by_group(dst, src);)
KERNEL(every_second_kernel, f32, f32, copy_second_by_group(dst, src);)

/* A tile of 32 x 128, transposed. */
TS_LAYOUT_2(to, 128, 32, 8192, 1)
TS_LAYOUT_2(from, 128, 32, 1, 8192)
TS_COPY_THROUGH(tile, ts_global, f32, to, TS_ALIGN(64), ts_global_const, f32, from, TS_ALIGN(64))
KERNEL(transpose_kernel, f32, f32, TS_SCRATCH(scratch, f32, tile_scratch_cosize); tile_through(dst, src, scratch);)
KERNEL(prefetch_kernel, f32, f32, TS_SCRATCH(scratch, f32, tile_scratch_cosize);
       tile_through_next(dst, src, scratch, ts_offset(ts_global_const, f32, src, 32 * 8192));)
