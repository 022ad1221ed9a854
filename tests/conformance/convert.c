/* SPDX-License-Identifier: Apache-2.0
 *
 * convert.c: the conformance kernel of conversions, built once for each dtype that is converted, with -DSRC=f16 and so on.
 *
 * A switch over cases, which the suite writes in front of this text: CONVERT(number, dst, width). Item k converts elements
 * k * width and on. Bits come and go through the default accesses. The payload of the target starts GUARD bytes into it.
 */
#include "tensorstorage.h"

#define GUARD 256

#define CONVERT(number, DST, W) CONVERT_BY(ts_convert, number, DST, W)
#define CONVERT_NO_SATURATE(number, DST, W) CONVERT_BY(ts_convert_no_saturate, number, DST, W)
#define CONVERT_BY(convert, number, DST, W)                                                                                    \
  case number:                                                                                                                 \
    ts_store(ts_global, DST, W, ts_unsafe_cast(ts_global, DST, ts_global, u8, target), item *W,                                \
             convert(DST, SRC, W, ts_load(ts_global_const, SRC, W, source, item *W, 0)), 0);                                   \
    break;
TS_KERNEL(convert, (TS_GLOBAL_CONST_ARG(SRC) source_cells, TS_GLOBAL_ARG(u8) target_cells, int number)) {
  ts_handle(ts_global_const, SRC) source = ts_bind(ts_global_const, SRC, source_cells);
  ts_global_u8 target = ts_offset(ts_global, u8, ts_bind(ts_global, u8, target_cells), GUARD);
  ts_index item = (ts_index)ts_global_id(0);
  switch (number) {
    CONVERT_CASES
  default: break;
  }
}
