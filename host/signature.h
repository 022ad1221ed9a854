/* SPDX-License-Identifier: Apache-2.0
 *
 * signature.h: read the signatures of a source's kernels, in one way for every backend.
 *
 * A preprocessor leaves what core/signature.h says, and that is parsed here. No compiler and no driver is asked.
 */
#ifndef TS_HOST_SIGNATURE_H
#define TS_HOST_SIGNATURE_H

#include "tensorstorage_host.h"
#include "text.h"

/* Signatures in the order of the source; all zero is none. Every string in them is owned. */
typedef struct ts_signatures {
  ts_signature *rows;
  size_t count;
} ts_signatures;

/* Read all signatures of a text that TS_KERNEL marks.
 *
 * text         the source with the header in place, every macro that matters defined at its start
 * name         of the source, as *unread shall say it
 * include_dirs for includes that are still in the text; ended by NULL; may be NULL
 * unread       out: NULL, or why the text could not be preprocessed (to be freed); there are no signatures then
 * Errors       TS_ERROR_BUILD: a parameter is not portable; the message has its file and line. TS_ERROR_MEMORY. */
ts_status ts_signatures_read(ts_signatures *signatures, const char *text, const char *name, const char *const *include_dirs,
                             char **unread, ts_error *error);

/* Parse the preprocessor's output; what ts_signatures_read does after the preprocessor. */
ts_status ts_signatures_parse(ts_signatures *signatures, const char *preprocessed, ts_error *error);

/* Add a kernel that no TS_KERNEL declares: unchecked, its parameters named by their positions "0", "1", … */
ts_status ts_signatures_add_unchecked(ts_signatures *signatures, const char *kernel, size_t parameter_count, ts_error *error);

void ts_signatures_free(ts_signatures *signatures);

/* Append a signature as a person reads it: scale(global const f16 x_cells, global f32 y_cells, f32 a). */
void ts_signature_print(ts_text *text, const ts_signature *signature);

#endif
