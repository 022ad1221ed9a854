/* SPDX-License-Identifier: Apache-2.0
 *
 * One C file may be a kernel file and a user of the host library: the library's header last.
 */
#include "tensorstorage.h"
#include "host/tensorstorage_host.h"

TS_KERNEL(clear, (TS_GLOBAL_ARG(f32) y_cells)) { ts_store(ts_global, f32, 1, ts_bind(ts_global, f32, y_cells), 0, 0.0f, 0); }

_Static_assert(TS_SPACE_shared == (ts_space)TS_ID_shared, "both headers are made from one table");
