/* SPDX-License-Identifier: Apache-2.0
 *
 * prepare.h: what every compiler of kernels is given: one text, and the signatures that are read from it.
 *
 * Knows no device and no compiler.
 */
#ifndef TS_HOST_PREPARE_H
#define TS_HOST_PREPARE_H

#include "signature.h"
#include "tensorstorage_host.h"
#include "text.h"

/* All of it is owned; all zero is nothing. */
typedef struct ts_prepared {
  char *name;   /* the source's name in messages */
  ts_text text; /* macros and source, the header and the user's own headers in place */
  ts_signatures signatures;
  char *unread; /* why the signatures could not be read; NULL: they were, or the source does not include the header */
} ts_prepared;

/* Make the text, and read the signatures.
 *
 * language    "opencl", "cuda" or "host"
 * predefined  #define lines of what the compiler predefines and a signature may hang on; a user's own -DTS_HAVE_F64=0 comes
 *             first and stays
 * options     name is not NULL
 * Errors      TS_ERROR_USAGE, TS_ERROR_BUILD: a kernel's parameter is not portable. TS_ERROR_FILE, TS_ERROR_MEMORY. */
ts_status ts_prepare(ts_prepared *p, const char *language, const char *predefined, const char *source,
                     const ts_build_options *options, ts_error *error);

/* The lines of the capabilities that every language has, each unless it is defined already. */
void ts_predefine_capabilities(ts_text *lines, bool has_f64, bool has_generic);

void ts_prepared_free(ts_prepared *p);

#endif
