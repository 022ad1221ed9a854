/* SPDX-License-Identifier: Apache-2.0
 *
 * A copy whose layouts and flags have changed places. Only an identifier is told to be no layout, by nvcc: of 0 it tells the
 * line.
 *
 * expect: 0_must_be_declared_as_a_layout
 * expect gcc: "_must_be_declared_as_a_layout" on integer constant
 * expect clang: '_must_be_declared_as_a_layout' on integer constant
 * expect opencl: '_must_be_declared_as_a_layout' on integer constant
 * expect nvcc: user-defined literal operator not found
 */
#include "tensorstorage.h"

TS_ROW_MAJOR_1(tile, 16)
#ifdef FIXED
TS_COPY(copy_tile, ts_shared, f32, tile, 0, ts_global_const, f32, tile, 0)
#else
TS_COPY(copy_tile, ts_shared, f32, 0, tile, ts_global_const, f32, 0, tile)
#endif
