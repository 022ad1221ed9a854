/* SPDX-License-Identifier: Apache-2.0
 *
 * process.h: run a compiler of the system as a child process, with its files in a folder of their own.
 *
 * It knows neither kernels nor any compiler's options. No shell takes part. The environment is read at each call:
 *   TENSORSTORAGE_KEEP  a folder in which the files are left, for a debugger
 *   TMPDIR              where they are otherwise, until the call is over; else /tmp
 */
#ifndef TS_HOST_PROCESS_H
#define TS_HOST_PROCESS_H

#include "tensorstorage_host.h"

/* ---- words ---------------------------------------------------------------------------------------------------- */

/* Words of text, ended by NULL for execve and its like. */
typedef struct ts_words {
  char **items; /* [count + 1]; NULL when count is 0 */
  size_t count;
} ts_words;

/* Append a copy of a word. Returns false when memory runs out. */
bool ts_words_append(ts_words *words, const char *word);

/* Append each word of a list that ends with NULL, or is NULL; before each, `before` as a word of its own unless that is NULL.
 */
bool ts_words_append_list(ts_words *words, const char *before, const char *const *list);

/* Append the words that a shell would make of the text: split at white space, quotes taken off; '…', "…" and \ keep it. Nothing
 * else is special.
 *
 *   -I 'a b' -DX=\"q\"  ->  [-I] [a b] [-DX="q"]
 *
 * what     where the text comes from, for the message
 * Errors   TS_ERROR_USAGE: a quote is not closed. TS_ERROR_MEMORY. */
ts_status ts_words_split(ts_words *words, const char *text, const char *what, ts_error *error);

void ts_words_free(ts_words *words);

/* ---- files ---------------------------------------------------------------------------------------------------- */

/* A folder of its own for one call. */
typedef struct ts_workplace {
  char *folder;
  ts_words files; /* paths that were handed out */
  bool is_kept;
} ts_workplace;

/* Errors: TS_ERROR_FILE, TS_ERROR_MEMORY; there is nothing to remove then. */
ts_status ts_workplace_make(ts_workplace *place, ts_error *error);

/* The path of a file in the folder, which is removed with it. NULL when memory runs out. */
const char *ts_workplace_file(ts_workplace *place, const char *name);

void ts_workplace_remove(ts_workplace *place);

/* Errors: TS_ERROR_FILE. */
ts_status ts_file_write(const char *path, const char *text, ts_error *error);
ts_status ts_file_write_bytes(const char *path, const void *data, size_t bytes, ts_error *error);

/* All of a file, with a 0 after its last byte; one that is not there is empty. To be freed. NULL if it can't be had whole.
 *
 * bytes    out: its length; may be NULL
 * Errors   TS_ERROR_FILE, TS_ERROR_MEMORY */
char *ts_file_read(const char *path, size_t *bytes, ts_error *error);

/* Find out whether a folder of this path, which may not be there yet, can be written: make a folder where it is or would be
 * made, and remove it. Permissions alone do not tell it. Returns 0, or a code of errno. */
int ts_folder_try(const char *path);

/* ---- processes ------------------------------------------------------------------------------------------------ */

/* The value of an environment variable; `otherwise` if it is not set or empty. */
const char *ts_environment_or(const char *name, const char *otherwise);

/* Run a command and wait for it; what it says goes to the file `log`.
 *
 * not_started  out: 0, or why it can't be started, a code of errno: that is no error here
 * ending       out: how it ended, as waitpid gives it
 * Errors       TS_ERROR_MEMORY, TS_ERROR_DRIVER: how it ended is not known. */
ts_status ts_process_run(int *ending, int *not_started, const ts_words *command, const char *log, ts_error *error);

/* Turn how a compiler ended into a status: TS_OK if well, else TS_ERROR_BUILD with what `log` holds as the message. */
ts_status ts_process_judge(int ending, const char *compiler, const char *log, ts_error *error);

/* The path of the program of this name: itself if it is one, else somewhere in PATH. To be freed. NULL: there is none. */
char *ts_process_find(const char *name);

/* Whether there is one. */
bool ts_process_exists(const char *name);

#endif
