/* SPDX-License-Identifier: Apache-2.0
 *
 * process.c: run a compiler of the system as a child process. See process.h.
 */
#define _POSIX_C_SOURCE 200809L
#include "process.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backend.h"

extern char **environ;

static ts_status no_memory(ts_error *error) {
  return ts_fail(error, TS_ERROR_MEMORY, 0, "cc", "no memory is left to run a compiler");
}

/* ---- words ---------------------------------------------------------------------------------------------------- */

static bool append_bytes(ts_words *words, const char *word, size_t length) {
  char **items = realloc(words->items, (words->count + 2) * sizeof *items);
  if (!items) return false;
  words->items = items;
  items[words->count] = strndup(word, length);
  if (!items[words->count]) return false;
  items[++words->count] = NULL;
  return true;
}

bool ts_words_append(ts_words *words, const char *word) { return append_bytes(words, word, strlen(word)); }

void ts_words_free(ts_words *words) {
  for (size_t i = 0; i < words->count; i++) free(words->items[i]);
  free(words->items);
  *words = (ts_words){0};
}

/* Read one word, quotes taken off, into `word`, which has room for all of the text.
 * Returns where it ends, or NULL if a quote is not closed. */
static const char *read_word(char *word, const char *text) {
  char quote = 0;
  for (; *text && (quote || !isspace((unsigned char)*text)); text++) {
    if (*text == quote) {
      quote = 0;
    } else if (!quote && (*text == '\'' || *text == '"')) {
      quote = *text;
    } else if (*text == '\\' && quote != '\'' && text[1]) {
      *word++ = *++text;
    } else {
      *word++ = *text;
    }
  }
  *word = 0;
  return quote ? NULL : text;
}

ts_status ts_words_split(ts_words *words, const char *text, const char *what, ts_error *error) {
  char *word = malloc(strlen(text) + 1);
  if (!word) return no_memory(error);
  ts_status status = TS_OK;
  const char *at = text;
  while (status == TS_OK) {
    while (isspace((unsigned char)*at)) at++;
    if (!*at) break;
    at = read_word(word, at);
    if (!at) {
      status = ts_fail(error, TS_ERROR_USAGE, 0, "cc", "a quote is not closed in %s: %s", what, text);
    } else if (!ts_words_append(words, word)) {
      status = no_memory(error);
    }
  }
  free(word);
  return status;
}

bool ts_words_append_list(ts_words *words, const char *before, const char *const *list) {
  for (; list && *list; list++) {
    if (before && !ts_words_append(words, before)) return false;
    if (!ts_words_append(words, *list)) return false;
  }
  return true;
}

/* ---- files ---------------------------------------------------------------------------------------------------- */

const char *ts_environment_or(const char *name, const char *otherwise) {
  const char *value = getenv(name);
  return value && *value ? value : otherwise;
}

/* "folder/name", or NULL. */
static char *path_join(const char *folder, const char *name) {
  size_t bytes = strlen(folder) + strlen(name) + 2;
  char *path = malloc(bytes);
  if (path) snprintf(path, bytes, "%s/%s", folder, name);
  return path;
}

ts_status ts_workplace_make(ts_workplace *place, ts_error *error) {
  const char *kept = ts_environment_or("TENSORSTORAGE_KEEP", NULL);
  const char *parent = kept ? kept : ts_environment_or("TMPDIR", "/tmp");
  *place = (ts_workplace){.is_kept = kept != NULL};
  char *folder = path_join(parent, "tensorstorage-XXXXXX");
  if (!folder) return no_memory(error);
  if (!mkdtemp(folder)) {
    free(folder);
    return ts_fail(error, TS_ERROR_FILE, errno, "mkdtemp",
                   "no folder for the compiler's files can be made in %s: %s; set %s to a folder that can be written", parent,
                   strerror(errno), kept ? "TENSORSTORAGE_KEEP" : "TMPDIR");
  }
  place->folder = folder;
  return TS_OK;
}

const char *ts_workplace_file(ts_workplace *place, const char *name) {
  char *path = path_join(place->folder, name);
  bool is_noted = path && ts_words_append(&place->files, path);
  free(path);
  return is_noted ? place->files.items[place->files.count - 1] : NULL;
}

void ts_workplace_remove(ts_workplace *place) {
  if (place->folder && !place->is_kept) {
    for (size_t i = 0; i < place->files.count; i++) unlink(place->files.items[i]);
    rmdir(place->folder);
  }
  ts_words_free(&place->files);
  free(place->folder);
  *place = (ts_workplace){0};
}

ts_status ts_file_write_bytes(const char *path, const void *data, size_t bytes, ts_error *error) {
  FILE *file = fopen(path, "we");
  bool is_written = file && fwrite(data, 1, bytes, file) == bytes;
  if (file && fclose(file)) is_written = false;
  if (is_written) return TS_OK;
  return ts_fail(error, TS_ERROR_FILE, errno, "fopen", "%s can't be written: %s; set TMPDIR to a folder with room", path,
                 strerror(errno));
}

ts_status ts_file_write(const char *path, const char *text, ts_error *error) {
  return ts_file_write_bytes(path, text, strlen(text), error);
}

char *ts_file_read(const char *path, size_t *bytes, ts_error *error) {
  FILE *file = fopen(path, "re");
  struct stat facts = {0};
  bool is_open = file ? !fstat(fileno(file), &facts) : errno == ENOENT;
  char *text = is_open ? malloc((size_t)facts.st_size + 1) : NULL;
  size_t length = text && file ? fread(text, 1, (size_t)facts.st_size, file) : 0;
  bool is_read = is_open && !(file && ferror(file));
  if (is_open && !text)
    no_memory(error);
  else if (!is_read)
    ts_fail(error, TS_ERROR_FILE, errno, "fopen", "%s can't be read: %s", path, strerror(errno));
  if (file) fclose(file);
  if (!text || !is_read) {
    free(text);
    return NULL;
  }
  text[length] = 0;
  if (bytes) *bytes = length;
  return text;
}

int ts_folder_try(const char *path) {
  struct stat facts;
  char *there = path_join(*path == '/' ? "" : ".", path), *slash;
  while (there && lstat(there, &facts) && errno == ENOENT && (slash = strrchr(there, '/'))) *slash = 0;
  char *made = there ? path_join(there, "tensorstorage-XXXXXX") : NULL;
  int code = !made ? ENOMEM : mkdtemp(made) ? 0 : errno;
  if (!code) rmdir(made);
  free(made);
  free(there);
  return code;
}

/* ---- processes ------------------------------------------------------------------------------------------------ */

ts_status ts_process_run(int *ending, int *not_started, const ts_words *command, const char *log, ts_error *error) {
  posix_spawn_file_actions_t actions;
  if (posix_spawn_file_actions_init(&actions)) return no_memory(error);
  pid_t child = 0;
  int code = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (!code) code = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (!code) code = posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  if (!code) code = posix_spawnp(&child, command->items[0], &actions, NULL, command->items, environ);
  posix_spawn_file_actions_destroy(&actions);
  *not_started = code;
  if (code == ENOMEM || code == EAGAIN)
    return ts_fail(error, TS_ERROR_MEMORY, code, "posix_spawnp", "%s can't be started: %s", command->items[0], strerror(code));
  if (code) return TS_OK;
  while (waitpid(child, ending, 0) < 0) {
    if (errno == EINTR) continue;
    return ts_fail(error, TS_ERROR_DRIVER, errno, "waitpid",
                   "how %s ended is not known: %s; a program that runs compilers must not ignore SIGCHLD", command->items[0],
                   strerror(errno));
  }
  return TS_OK;
}

ts_status ts_process_judge(int ending, const char *compiler, const char *log, ts_error *error) {
  if (WIFEXITED(ending) && WEXITSTATUS(ending) == 0) return TS_OK;
  char *text = ts_file_read(log, NULL, error);
  if (!text) return error->status;
  ts_status status;
  if (WIFSIGNALED(ending)) {
    status = ts_fail(error, TS_ERROR_BUILD, WTERMSIG(ending), "cc", "the compiler %s was ended by signal %d (%s)\n%s", compiler,
                     WTERMSIG(ending), strsignal(WTERMSIG(ending)), text);
  } else if (!*text) {
    status = ts_fail(error, TS_ERROR_BUILD, WEXITSTATUS(ending), "cc", "the compiler %s ended with code %d and said nothing",
                     compiler, WEXITSTATUS(ending));
  } else {
    status = ts_fail(error, TS_ERROR_BUILD, WEXITSTATUS(ending), "cc", "%s", text);
  }
  free(text);
  return status;
}

static bool is_program(const char *path) {
  struct stat facts;
  return !access(path, X_OK) && !stat(path, &facts) && S_ISREG(facts.st_mode);
}

/* The program's path; false: there is none, or it is too long. It asks for no memory, so that none is taken for no program. */
static bool find_program(char *path, size_t bytes, const char *name) {
  bool is_path = strchr(name, '/') != NULL, is_found = false;
  const char *list = is_path ? "" : ts_environment_or("PATH", "/bin:/usr/bin");
  for (const char *at = list, *next; at && !is_found; at = next) {
    int length = (int)strcspn(at, ":");
    int written = is_path ? snprintf(path, bytes, "%s", name)
                          : snprintf(path, bytes, "%.*s/%s", length ? length : 1, length ? at : ".", name);
    is_found = written >= 0 && (size_t)written < bytes && is_program(path);
    next = at[length] ? at + length + 1 : NULL;
  }
  return is_found;
}

enum { PROGRAM_BYTES = 4096 };

char *ts_process_find(const char *name) {
  char path[PROGRAM_BYTES];
  return find_program(path, sizeof path, name) ? strdup(path) : NULL;
}

bool ts_process_exists(const char *name) {
  char path[PROGRAM_BYTES];
  return find_program(path, sizeof path, name);
}
