/* SPDX-License-Identifier: Apache-2.0
 *
 * epilogue.h (OpenCL C): what holds for the user's code after the header.
 *
 * What OpenCL C forbids and clang only warns about is an error: other cells given to P_bind_T itself, a pointer as a number.
 * Last in the header, since after a diagnostic pragma clang takes twice as long over every line (docs/performance.md).
 */
#ifndef TS_OPENCL_EPILOGUE_H
#define TS_OPENCL_EPILOGUE_H

#ifdef __clang__
#pragma clang diagnostic error "-Wincompatible-pointer-types"
#pragma clang diagnostic error "-Wint-conversion"
#endif

#endif
