/* SPDX-License-Identifier: Apache-2.0
 *
 * tensorstorage.h: storage for GPU kernels: typed handles, accesses and copies, in OpenCL C, CUDA and host C11.
 *
 * The entry. It is the only place that asks which language this is: one prelude, which defines the vocabulary of that
 * language, then core, which is written in it. The header includes nothing but its own parts.
 */
#ifndef TENSORSTORAGE_H
#define TENSORSTORAGE_H

#include "core/tables.h"

#if defined(TS_READ_SIGNATURES)
#include "core/signature.h"
#else

#include "core/choice.h"
#include "core/flags.h"

#if defined(__OPENCL_VERSION__) || defined(__OPENCL_C_VERSION__)
#include "opencl/prelude.h"
#elif defined(__CUDACC__) || defined(__CUDACC_RTC__)
#include "cuda/prelude.h"
#else
#include "host/prelude.h"
#endif

#include "core/storage.h"
#include "core/vector.h"
#include "core/convert.h"
#include "core/layout.h"
#include "core/copy.h"
#include "core/copy_edge.h"
#include "core/copy_async.h"

#if defined(TS_USE_DYNAMIC_LAYOUTS) && 0 - TS_USE_DYNAMIC_LAYOUTS - 1 != -1 /* 1 or empty, as TS_USE_<dtype> */
#include "core/layout_dynamic.h"
#include "core/copy_dynamic.h"
#else
#define TS_COPY_DYNAMIC(name, P, T, dst_flags, Q, U, src_flags)                                                                \
  TS_STATIC_ASSERT(0, "copy " #name ": TS_COPY_DYNAMIC is there where TS_USE_DYNAMIC_LAYOUTS is 1 before the include");
#endif

#endif
#endif
