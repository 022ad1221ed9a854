/* SPDX-License-Identifier: Apache-2.0
 *
 * compiler.h: turn text into a loaded shared object, or C text into assembly, with the system's compiler.
 *
 * It knows nothing of kernels. The environment is read at each call, beside what process.h reads:
 *   CC                       the C compiler, may hold options; else cc. Other compilers name another variable
 *   TENSORSTORAGE_HOST_FLAGS more options, e.g. -fsanitize=address for a library that is built with it
 * Both, and extra options, are split as ts_words_split does.
 */
#ifndef TS_HOST_COMPILER_H
#define TS_HOST_COMPILER_H

#include "tensorstorage_host.h"

/* A compiler: how it is found and called. Lists of options are ended by NULL. */
typedef struct ts_compiler {
  const char *language;                                   /* that it compiles, for sentences: "C" */
  const char *variable;                                   /* of the environment: names another compiler, "CC" */
  const char *command;                                    /* else this one is called, "cc" */
  const char *package;                                    /* that has one, for sentences: "gcc" */
  const char *source;                                     /* file name of the text; its ending tells the language */
  const char *const *common, *const *exact, *const *fast; /* options: always; without fast_math; with fast_math */
} ts_compiler;

/* The host device's own. */
extern const ts_compiler ts_compiler_c;

/* Write the first line of `CC --version` and return true; false if no compiler runs. Never an error: it is only a name. */
bool ts_compiler_name(char *name, size_t bytes, const ts_compiler *compiler);

/* Compile, link and load; or load what was compiled so before (cache.h).
 *
 * text     from its first line; options may be NULL
 * device   that it is for: the cache's key has its names. NULL: no cache takes part
 * object   out: what dlsym and dlclose take
 * Errors   TS_ERROR_BUILD: the compiler or the loader refused it; the message is the compiler's log.
 *          TS_ERROR_UNSUPPORTED: no compiler. TS_ERROR_USAGE: options that can't be split. TS_ERROR_FILE, TS_ERROR_MEMORY. */
ts_status ts_compiler_load(void **object, const ts_compiler *compiler, const char *text, const ts_build_options *options,
                           const ts_device_info *device, ts_error *error);

/* Compile C11 to assembly with the same options, and source lines in it. Errors: as above.
 *
 * assembly  out: the text, to be freed
 * log       out: what the compiler said, to be freed */
ts_status ts_compiler_assemble(char **assembly, char **log, const char *text, const ts_build_options *options, ts_error *error);

#endif
