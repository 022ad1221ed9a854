/* SPDX-License-Identifier: Apache-2.0
 *
 * A copy from a policy that does not exist. It might be a storage of the file's own, so that an error follows for each of its
 * names that is used. The tool's message says so (host/build_error.c).
 *
 * expect: ts_globl_const_element_size_f32
 * errors: 19
 */
#include "tensorstorage.h"

TS_ROW_MAJOR_1(tile, 16)
#ifdef FIXED
TS_COPY(copy_tile, ts_shared, f32, tile, 0, ts_global_const, f32, tile, 0)
#else
TS_COPY(copy_tile, ts_shared, f32, tile, 0, ts_globl_const, f32, tile, 0)
#endif
