/* SPDX-License-Identifier: Apache-2.0
 *
 * compiler.c: run the system's C compiler, keep its log, load what it made.
 *
 * All state is in a folder of its own, made for one call and removed before it returns.
 */
#define _POSIX_C_SOURCE 200809L
#include "compiler.h"

#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backend.h"

extern char **environ;

/* The same bits on every device: no contraction. A mistake that OpenCL and CUDA refuse is refused here too. */
static const char *const common_flags[] = {"-std=c11",
                                           "-fPIC",
                                           "-shared",
                                           "-g",
                                           "-Wno-psabi",
                                           "-fno-lax-vector-conversions",
                                           "-Werror=implicit-function-declaration",
                                           "-Werror=incompatible-pointer-types",
                                           "-Werror=int-conversion",
                                           NULL};
static const char *const exact_flags[] = {"-O2", "-ffp-contract=off", NULL};
static const char *const fast_flags[] = {"-O3", "-ffast-math", NULL};

/* The files of one call, in a folder of its own. */
struct workplace {
  char *folder, *source, *log, *object;
  bool is_kept;
};

static ts_status no_memory(ts_error *error) {
  return ts_fail(error, TS_ERROR_MEMORY, 0, "cc", "no memory is left to run the C compiler");
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
      status = ts_fail(error, TS_ERROR_USAGE, 0, "cc", "%s has a quote that is not closed: %s", what, text);
    } else if (!ts_words_append(words, word)) {
      status = no_memory(error);
    }
  }
  free(word);
  return status;
}

/* ---- files ---------------------------------------------------------------------------------------------------- */

/* "folder/name", or NULL. */
static char *path_join(const char *folder, const char *name) {
  size_t bytes = strlen(folder) + strlen(name) + 2;
  char *path = malloc(bytes);
  if (path) snprintf(path, bytes, "%s/%s", folder, name);
  return path;
}

static const char *environment_or(const char *name, const char *otherwise) {
  const char *value = getenv(name);
  return value && *value ? value : otherwise;
}

static void workplace_remove(struct workplace *place) {
  if (place->folder && !place->is_kept) {
    if (place->source) unlink(place->source);
    if (place->log) unlink(place->log);
    if (place->object) unlink(place->object);
    rmdir(place->folder);
  }
  free(place->folder);
  free(place->source);
  free(place->log);
  free(place->object);
}

static ts_status workplace_make(struct workplace *place, ts_error *error) {
  const char *kept = environment_or("TENSORSTORAGE_KEEP", NULL);
  const char *parent = kept ? kept : environment_or("TMPDIR", "/tmp");
  *place = (struct workplace){.is_kept = kept != NULL};
  char *folder = path_join(parent, "tensorstorage-XXXXXX");
  if (!folder) return no_memory(error);
  if (!mkdtemp(folder)) {
    free(folder);
    return ts_fail(error, TS_ERROR_FILE, errno, "mkdtemp",
                   "no folder for the compiler's files can be made in %s: %s; set %s to a folder that can be written", parent,
                   strerror(errno), kept ? "TENSORSTORAGE_KEEP" : "TMPDIR");
  }
  place->folder = folder;
  place->source = path_join(folder, "kernel.c");
  place->log = path_join(folder, "log");
  place->object = path_join(folder, "kernel.so");
  if (place->source && place->log && place->object) return TS_OK;
  workplace_remove(place);
  return no_memory(error);
}

static ts_status file_write(const char *path, const char *text, ts_error *error) {
  FILE *file = fopen(path, "we");
  bool is_written = file && fputs(text, file) >= 0;
  if (file && fclose(file)) is_written = false;
  if (is_written) return TS_OK;
  return ts_fail(error, TS_ERROR_FILE, errno, "fopen", "%s can't be written: %s; set TMPDIR to a folder with room", path,
                 strerror(errno));
}

/* All of a file as a string, an unreadable one as the empty string. NULL when memory runs out. */
static char *file_read(const char *path) {
  FILE *file = fopen(path, "re");
  struct stat facts = {0};
  if (file && fstat(fileno(file), &facts)) facts.st_size = 0;
  size_t bytes = (size_t)facts.st_size;
  char *text = malloc(bytes + 1);
  if (text) text[file ? fread(text, 1, bytes, file) : 0] = 0;
  if (file) fclose(file);
  return text;
}

/* ---- the compiler --------------------------------------------------------------------------------------------- */

/* The words of CC, or "cc". */
static ts_status compiler_words(ts_words *words, ts_error *error) {
  ts_status status = ts_words_split(words, environment_or("CC", ""), "CC", error);
  if (status == TS_OK && words->count == 0 && !ts_words_append(words, "cc")) status = no_memory(error);
  return status;
}

static ts_status cannot_start(const char *compiler, int code, ts_error *error) {
  if (code == ENOMEM || code == EAGAIN)
    return ts_fail(error, TS_ERROR_MEMORY, code, "posix_spawnp", "%s can't be started: %s", compiler, strerror(code));
  const char *set = environment_or("CC", NULL);
  if (set) {
    return ts_fail(error, TS_ERROR_UNSUPPORTED, code, "posix_spawnp",
                   "the host device compiles kernels with the system's C compiler, and %s, named by CC, can't be started: %s; "
                   "install it or set CC to another",
                   compiler, strerror(code));
  }
  return ts_fail(error, TS_ERROR_UNSUPPORTED, code, "posix_spawnp",
                 "the host device compiles kernels with the system's C compiler: install one (apt install gcc) or set CC");
}

/* Run a command and wait for it; what it says goes to the file `log`.
 * Errors   only if it can't be started or waited for; how it ended is in *ending, as waitpid gives it. */
static ts_status run(int *ending, const ts_words *command, const char *log, ts_error *error) {
  posix_spawn_file_actions_t actions;
  if (posix_spawn_file_actions_init(&actions)) return no_memory(error);
  pid_t child = 0;
  int code = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (!code) code = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (!code) code = posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  if (!code) code = posix_spawnp(&child, command->items[0], &actions, NULL, command->items, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (code) return cannot_start(command->items[0], code, error);
  while (waitpid(child, ending, 0) < 0) {
    if (errno == EINTR) continue;
    return ts_fail(error, TS_ERROR_DRIVER, errno, "waitpid",
                   "how %s ended is not known: %s; a program that uses the host device must not ignore SIGCHLD",
                   command->items[0], strerror(errno));
  }
  return TS_OK;
}

bool ts_compiler_name(char *name, size_t bytes) {
  ts_error ignored = {.status = TS_OK};
  struct workplace place;
  if (workplace_make(&place, &ignored) != TS_OK) return false;
  ts_words command = {0};
  int ending;
  bool is_named = compiler_words(&command, &ignored) == TS_OK && ts_words_append(&command, "--version") &&
                  run(&ending, &command, place.log, &ignored) == TS_OK && WIFEXITED(ending) && WEXITSTATUS(ending) == 0;
  char *text = is_named ? file_read(place.log) : NULL;
  if (text) snprintf(name, bytes, "%.*s", (int)strcspn(text, "\n"), text);
  is_named = text != NULL;
  free(text);
  ts_words_free(&command);
  place.is_kept = false; /* nobody wants to debug a version */
  workplace_remove(&place);
  return is_named;
}

/* Append each of a list that ends with NULL, or is NULL, with `before` as a word of its own before it unless that is NULL. */
static bool append_list(ts_words *words, const char *before, const char *const *list) {
  for (; list && *list; list++) {
    if (before && !ts_words_append(words, before)) return false;
    if (!ts_words_append(words, *list)) return false;
  }
  return true;
}

/* The whole command. The user's own options come after ours, the environment's last. */
static ts_status compile_words(ts_words *words, const struct workplace *place, const ts_build_options *options,
                               ts_error *error) {
  ts_status status = compiler_words(words, error);
  if (status != TS_OK) return status;
  if (!append_list(words, NULL, common_flags) || !append_list(words, NULL, options->fast_math ? fast_flags : exact_flags) ||
      !append_list(words, "-D", options->defines) || !append_list(words, "-I", options->include_dirs)) {
    return no_memory(error);
  }
  status = ts_words_split(words, options->extra ? options->extra : "", "the extra options", error);
  if (status == TS_OK)
    status = ts_words_split(words, environment_or("TENSORSTORAGE_HOST_FLAGS", ""), "TENSORSTORAGE_HOST_FLAGS", error);
  if (status != TS_OK) return status;
  const char *const files[] = {"-o", place->object, place->source, "-lm", NULL};
  return append_list(words, NULL, files) ? TS_OK : no_memory(error);
}

/* Turn how the compiler ended into a status. */
static ts_status judge(int ending, const char *compiler, const char *log, ts_error *error) {
  if (WIFEXITED(ending) && WEXITSTATUS(ending) == 0) return TS_OK;
  char *text = file_read(log);
  if (!text) return no_memory(error);
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

/* Load the object. With -ffast-math compilers link start-up code into it that makes the loading thread flush subnormals to
 * zero, for good: the thread's floating-point environment is put back. */
static ts_status load(void **object, const char *path, ts_error *error) {
  fenv_t environment;
  fegetenv(&environment);
  *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  fesetenv(&environment);
  if (*object) return TS_OK;
  const char *why = dlerror();
  return ts_fail(error, TS_ERROR_BUILD, 0, "dlopen", "the compiled kernels can't be loaded: %s",
                 why ? why : "no reason is known");
}

ts_status ts_compiler_load(void **object, const char *text, const ts_build_options *options, ts_error *error) {
  static const ts_build_options no_options;
  struct workplace place;
  ts_status status = workplace_make(&place, error);
  if (status != TS_OK) return status;
  ts_words command = {0};
  int ending = 0;
  status = compile_words(&command, &place, options ? options : &no_options, error);
  if (status == TS_OK) status = file_write(place.source, text, error);
  if (status == TS_OK) status = run(&ending, &command, place.log, error);
  if (status == TS_OK) status = judge(ending, command.items[0], place.log, error);
  if (status == TS_OK) status = load(object, place.object, error);
  ts_words_free(&command);
  workplace_remove(&place);
  return status;
}
