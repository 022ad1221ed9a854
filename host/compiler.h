/* SPDX-License-Identifier: Apache-2.0
 *
 * compiler.h: turn C text into a loaded shared object, or into assembly, with the system's C compiler.
 *
 * It knows nothing of kernels. The environment is read at each call, beside what process.h reads:
 *   CC                       the compiler, may hold options; else cc
 *   TENSORSTORAGE_HOST_FLAGS more options, e.g. -fsanitize=address for a library that is built with it
 * Both, and extra options, are split as ts_words_split does.
 */
#ifndef TS_HOST_COMPILER_H
#define TS_HOST_COMPILER_H

#include "tensorstorage_host.h"

/* Write the first line of `CC --version` and return true; false if no compiler runs. Never an error: it is only a name. */
bool ts_compiler_name(char *name, size_t bytes);

/* Compile, link and load.
 *
 * text     C11, from its first line; options may be NULL
 * object   out: what dlsym and dlclose take
 * Errors   TS_ERROR_BUILD: the compiler or the loader refused it; the message is the compiler's log.
 *          TS_ERROR_UNSUPPORTED: no compiler. TS_ERROR_USAGE: options that can't be split. TS_ERROR_FILE, TS_ERROR_MEMORY. */
ts_status ts_compiler_load(void **object, const char *text, const ts_build_options *options, ts_error *error);

/* Compile to assembly with the same options, and source lines in it. Errors: as above.
 *
 * assembly  out: the text, to be freed
 * log       out: what the compiler said, to be freed */
ts_status ts_compiler_assemble(char **assembly, char **log, const char *text, const ts_build_options *options, ts_error *error);

#endif
