/* SPDX-License-Identifier: Apache-2.0
 *
 * The host library's header alone, as C and as C++.
 */
#include "host/tensorstorage_host.h"

size_t bytes_of(ts_dtype dtype, size_t count);

size_t bytes_of(ts_dtype dtype, size_t count) { return count * ts_dtype_bytes(dtype); }
