/* SPDX-License-Identifier: Apache-2.0
 *
 * signature.h: the "language" in which the host library reads the signatures of a file's kernels.
 *
 * The library runs a preprocessor over the user's source with TS_READ_SIGNATURES defined. TS_KERNEL then leaves
 *
 *   ts_signature_begin name (ts_argument(global, CONST, f16) x_cells, float a) ts_signature_end
 *
 * after all macros, on every backend alike. The library defines the TS_HAVE_ and TS_LANGUAGE_ macros to what the device's
 * own prelude would. Nothing else of the header is needed, so nothing else is here.
 */
#ifndef TS_CORE_SIGNATURE_H
#define TS_CORE_SIGNATURE_H

#define TS_KERNEL(name, params) TS_KERNEL_EXPANDED(name, params)
#define TS_KERNEL_EXPANDED(name, params) ts_signature_begin name params ts_signature_end

#define TS_GLOBAL_ARG(T) TS_ARG_EXPANDED(global, MUTABLE, T)
#define TS_GLOBAL_CONST_ARG(T) TS_ARG_EXPANDED(global, CONST, T)
#define TS_CONSTANT_ARG(T) TS_ARG_EXPANDED(constant, CONST, T)
#define TS_SHARED_ARG(T) TS_ARG_EXPANDED(shared, MUTABLE, T)
#define TS_ARG_EXPANDED(space, mutability, T) ts_argument(space, mutability, T)

#endif
