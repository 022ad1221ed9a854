/* SPDX-License-Identifier: Apache-2.0
 *
 * build_error.h: what a person reads when a program did not build.
 */
#ifndef TS_HOST_BUILD_ERROR_H
#define TS_HOST_BUILD_ERROR_H

#include "tensorstorage_host.h"

/* Make a message of a compiler's log, which the error holds: a sentence with the target, the options, a hint if the log calls a
 * name undeclared that the header's macros made of a layout or a storage, the log (cut to fit), and the first line of the
 * user's source that the log calls wrong, with a caret under it unless the log shows one.
 *
 * target, compiler  what it was built for and by what: a device's id and name, "sm_90" and "NVRTC 13.0"
 * options, source   what was built; options->name is the name that #line gave to the source
 * text              what the compiler was given. oclgrind's does not heed #line, and calls the whole text "input.cl" */
void ts_build_error_present(ts_error *error, const char *target, const char *compiler, const ts_build_options *options,
                            const char *source, const char *text);

/* Find the first error in a file of that name. Compilers write "NAME:LINE:COLUMN: error: …", PoCL "error: NAME:LINE:COLUMN: …";
 * the column may lack. NVRTC writes "NAME(LINE): error: …".
 *
 * column       out: from 1; 0 if the log gives none
 * shows_caret  out: whether the log has the caret itself, on one of the next three lines
 * Returns      false if the log has none. */
bool ts_build_error_find(const char *log, const char *name, size_t *line, size_t *column, bool *shows_caret);

#endif
