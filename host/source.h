/* SPDX-License-Identifier: Apache-2.0
 *
 * source.h: make one text of a user's source, for a compiler at run time and for the reader of signatures.
 *
 * Pure work on text, but for reading the user's own headers. It does not expand macros and decides no #if: what stands in
 * a branch that is not taken is put in place too, and the compiler skips it.
 */
#ifndef TS_HOST_SOURCE_H
#define TS_HOST_SOURCE_H

#include "tensorstorage_host.h"
#include "text.h"

/* tensorstorage.h with its own parts in place; made when the library is built. The second has no parts that CUDA does not need.
 */
extern const char ts_embedded_header[], ts_embedded_header_cuda[];

/* Append the #define lines of options->defines: a macro with blanks or quotes in it needs no shell's rules that way.
 *
 *   "N=4"  ->  #define N 4          "FAST"  ->  #define FAST 1
 *
 * Errors  TS_ERROR_USAGE: neither NAME nor NAME=VALUE, or more than one line. */
ts_status ts_source_defines(ts_text *text, const ts_build_options *options, ts_error *error);

/* Append the source, with `header` in place of each include of "tensorstorage.h" or <tensorstorage.h>, and each header that
 * is found in options->include_dirs (first in the folder of the file that includes it) in place of its own. A byte order mark
 * at the start of a file is left out. #line around each makes a compiler's messages name the user's own files and lines. Other
 * includes are left for the compiler.
 *
 * options     name and include_dirs are used; name is not NULL
 * has_header  out: whether the source, or a header of the user's, includes tensorstorage.h
 * Law:        a file that is being included already, or that said #pragma once, is not put in place again.
 * Errors      TS_ERROR_USAGE: includes nested deeper than 64. TS_ERROR_MEMORY. */
ts_status ts_source_flatten(ts_text *text, const char *source, const char *header, const ts_build_options *options,
                            bool *has_header, ts_error *error);

/* Why what a compiler makes of a text may change though the text does not, as a word of it: "#include" of a file that is not in
 * place, "__DATE__", and so on. NULL: nothing of that kind is in it. */
const char *ts_source_reaches_out(const char *text);

/* Blank what a plain preprocessor stumbles over and signatures never need: #include <…>, #warning. Lines stay lines. */
void ts_source_blank(char *text);

#endif
