/* SPDX-License-Identifier: Apache-2.0
 *
 * price.c: the parts of the header up to PARTS, with a kernel that uses none of them: what each costs a build.
 */
#if PARTS >= 1
#include "core/tables.h"
#include "core/choice.h"
#include "core/flags.h"
#endif
#if PARTS >= 2
#include "opencl/prelude.h"
#endif
#if PARTS >= 3
#include "core/storage.h"
#endif
#if PARTS >= 4
#include "core/convert.h"
#endif
#if PARTS >= 5
#include "core/layout.h"
#include "core/copy.h"
#include "core/copy_edge.h"
#endif

__kernel void nothing(__global float *y) { y[0] = 1; }
