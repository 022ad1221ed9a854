/* SPDX-License-Identifier: Apache-2.0
 *
 * compiler.h: turn C text into a loaded shared object with the system's C compiler.
 *
 * It knows nothing of kernels. The environment is read at each call:
 *   CC                       the compiler, may hold options; else cc
 *   TENSORSTORAGE_HOST_FLAGS more options, e.g. -fsanitize=address for a library that is built with it
 *   TENSORSTORAGE_KEEP       a folder in which source, log and object are left, for a debugger
 *   TMPDIR                   where they are otherwise, until they are loaded; else /tmp
 * Values of the first two, and extra options, are split at white space; '…', "…" and \ keep it, as in a shell. Nothing else
 * is special, and no shell takes part.
 */
#ifndef TS_HOST_COMPILER_H
#define TS_HOST_COMPILER_H

#include "tensorstorage_host.h"

/* Words of text, ended by NULL for execve and its like. */
typedef struct ts_words {
  char **items; /* [count + 1]; NULL when count is 0 */
  size_t count;
} ts_words;

/* Append a copy of a word. Returns false when memory runs out. */
bool ts_words_append(ts_words *words, const char *word);

/* Append the words that a shell would make of the text, quotes taken off.
 *
 *   -I 'a b' -DX=\"q\"  ->  [-I] [a b] [-DX="q"]
 *
 * what     where the text comes from, for the message
 * Errors   TS_ERROR_USAGE: a quote is not closed. TS_ERROR_MEMORY. */
ts_status ts_words_split(ts_words *words, const char *text, const char *what, ts_error *error);

void ts_words_free(ts_words *words);

/* Write the first line of `CC --version` and return true; false if no compiler runs. Never an error: it is only a name. */
bool ts_compiler_name(char *name, size_t bytes);

/* Compile, link and load.
 *
 * text     C11, from its first line; options may be NULL
 * object   out: what dlsym and dlclose take
 * Errors   TS_ERROR_BUILD: the compiler or the loader refused it; the message is the compiler's log.
 *          TS_ERROR_UNSUPPORTED: no compiler. TS_ERROR_USAGE: options that can't be split. TS_ERROR_FILE, TS_ERROR_MEMORY. */
ts_status ts_compiler_load(void **object, const char *text, const ts_build_options *options, ts_error *error);

#endif
