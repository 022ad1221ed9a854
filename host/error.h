/* SPDX-License-Identifier: Apache-2.0
 *
 * error.h: what the library's own files share about errors. A backend needs only ts_fail, of backend.h.
 */
#ifndef TS_HOST_ERROR_H
#define TS_HOST_ERROR_H

#include "tensorstorage_host.h"

/* The end of every public function: hand a failure to the caller. A public function collects into an error of its own,
 * since the caller's may be NULL, uninitialised, or hold an older failure.
 *
 * from     its status is TS_OK: *to is left alone
 * Returns  from's status. */
ts_status ts_error_give(ts_error *to, const ts_error *from);

/* ts_fail for a pointer that must not be NULL. Returns whether it was NULL. */
bool ts_fail_if_null(ts_error *error, const char *call, const char *what, const void *pointer);

/* Cut a text in place so that it fits into `bytes` with its 0, at a line's end if there is one in its last half; a last line
 * "[N more bytes]" says how much is missing. Cutting again counts what was cut before.
 *
 * length   of the text in the array
 * missing  bytes that the text lacks already */
void ts_text_cut(char *text, size_t length, size_t missing, size_t bytes);

#endif
