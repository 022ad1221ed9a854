/* SPDX-License-Identifier: Apache-2.0
 *
 * A user's file that includes the header twice, and uses nothing of it.
 */
#include "tensorstorage.h"
#include "tensorstorage.h"

TS_STATIC_ASSERT(TS_LANGUAGE_OPENCL + TS_LANGUAGE_CUDA + TS_LANGUAGE_HOST == 1, "the header knows its language");
