/* SPDX-License-Identifier: Apache-2.0
 *
 * compiler.c: run the system's compiler, load what it made.
 */
#define _POSIX_C_SOURCE 200809L
#include "compiler.h"

#include <dlfcn.h>
#include <errno.h>
#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "backend.h"
#include "cache.h"
#include "process.h"

/* The same bits on every device: no contraction. A mistake that OpenCL and CUDA refuse is refused here too. */
static const char *const common_flags[] = {"-std=c11",
                                           "-fPIC",
                                           "-g",
                                           "-Wno-psabi",
                                           "-fno-lax-vector-conversions",
                                           "-Werror=implicit-function-declaration",
                                           "-Werror=incompatible-pointer-types",
                                           "-Werror=int-conversion",
                                           NULL};
static const char *const exact_flags[] = {"-O2", "-ffp-contract=off", NULL};
static const char *const fast_flags[] = {"-O3", "-ffast-math", NULL};

const ts_compiler ts_compiler_c = {.language = "C",
                                   .variable = "CC",
                                   .command = "cc",
                                   .package = "gcc",
                                   .source = "kernel.c",
                                   .common = common_flags,
                                   .exact = exact_flags,
                                   .fast = fast_flags};

static ts_status no_memory(ts_error *error) {
  return ts_fail(error, TS_ERROR_MEMORY, 0, "cc", "no memory is left to run the compiler");
}

/* ---- the compiler --------------------------------------------------------------------------------------------- */

/* The words of CC, or "cc". */
static ts_status compiler_words(ts_words *words, const ts_compiler *compiler, ts_error *error) {
  ts_status status = ts_words_split(words, ts_environment_or(compiler->variable, ""), compiler->variable, error);
  if (status == TS_OK && words->count == 0 && !ts_words_append(words, compiler->command)) status = no_memory(error);
  return status;
}

static ts_status cannot_start(const ts_compiler *compiler, const char *command, int code, ts_error *error) {
  if (ts_environment_or(compiler->variable, NULL)) {
    return ts_fail(error, TS_ERROR_UNSUPPORTED, code, "posix_spawnp",
                   "the host device compiles kernels with the system's %s compiler, and %s, named by %s, can't be started: %s; "
                   "install it or set %s to another",
                   compiler->language, command, compiler->variable, strerror(code), compiler->variable);
  }
  return ts_fail(error, TS_ERROR_UNSUPPORTED, code, "posix_spawnp",
                 "the host device compiles kernels with the system's %s compiler: install one (apt install %s) or set %s",
                 compiler->language, compiler->package, compiler->variable);
}

bool ts_compiler_name(char *name, size_t bytes, const ts_compiler *compiler) {
  ts_error ignored = {.status = TS_OK};
  ts_workplace place;
  if (ts_workplace_make(&place, &ignored) != TS_OK) return false;
  ts_words command = {0};
  int ending, not_started;
  const char *log = ts_workplace_file(&place, "log");
  bool is_named = log && compiler_words(&command, compiler, &ignored) == TS_OK && ts_words_append(&command, "--version") &&
                  ts_process_run(&ending, &not_started, &command, log, &ignored) == TS_OK && !not_started &&
                  WIFEXITED(ending) && WEXITSTATUS(ending) == 0;
  char *text = is_named ? ts_file_read(log, NULL, &ignored) : NULL;
  if (text) snprintf(name, bytes, "%.*s", (int)strcspn(text, "\n"), text);
  is_named = text != NULL;
  free(text);
  ts_words_free(&command);
  place.is_kept = false; /* nobody wants to debug a version */
  ts_workplace_remove(&place);
  return is_named;
}

/* The whole command, but for its files. The user's own options come after ours, the environment's last. */
static ts_status compile_words(ts_words *words, const ts_compiler *compiler, const ts_build_options *options, ts_error *error) {
  ts_status status = compiler_words(words, compiler, error);
  if (status != TS_OK) return status;
  if (!ts_words_append_list(words, NULL, compiler->common) ||
      !ts_words_append_list(words, NULL, options->fast_math ? compiler->fast : compiler->exact) ||
      !ts_words_append_list(words, "-D", options->defines) || !ts_words_append_list(words, "-I", options->include_dirs)) {
    return no_memory(error);
  }
  status = ts_words_split(words, options->extra ? options->extra : "", "the extra options", error);
  if (status == TS_OK)
    status = ts_words_split(words, ts_environment_or("TENSORSTORAGE_HOST_FLAGS", ""), "TENSORSTORAGE_HOST_FLAGS", error);
  return status;
}

/* Name, before the compiler's log, the options that the environment adds: the message shows only the caller's. */
static void show_added_options(ts_error *error) {
  const char *added = ts_environment_or("TENSORSTORAGE_HOST_FLAGS", NULL);
  if (error->status != TS_ERROR_BUILD || !added) return;
  ts_error shown = {.status = TS_OK};
  ts_fail(&shown, error->status, error->driver_code, error->call, "TENSORSTORAGE_HOST_FLAGS: %s\n%s", added, error->message);
  *error = shown;
}

/* Compile the text into the file `output` of the folder.
 *
 * how      options that say what the output is, ended by NULL */
static ts_status compile(ts_workplace *place, const ts_compiler *compiler, const char *const *how, const char *output,
                         const char *log, const char *text, const ts_build_options *options, ts_error *error) {
  static const ts_build_options no_options;
  const char *source = ts_workplace_file(place, compiler->source);
  if (!source || !output || !log) return no_memory(error);
  ts_words command = {0};
  int ending = 0, not_started = 0;
  const char *const files[] = {"-o", output, source, "-lm", NULL};
  ts_status status = compile_words(&command, compiler, options ? options : &no_options, error);
  if (status == TS_OK && (!ts_words_append_list(&command, NULL, how) || !ts_words_append_list(&command, NULL, files)))
    status = no_memory(error);
  if (status == TS_OK) status = ts_file_write(source, text, error);
  if (status == TS_OK) status = ts_process_run(&ending, &not_started, &command, log, error);
  if (status == TS_OK && not_started) status = cannot_start(compiler, command.items[0], not_started, error);
  if (status == TS_OK) {
    status = ts_process_judge(ending, command.items[0], log, error);
    show_added_options(error);
  }
  ts_words_free(&command);
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

/* ---- objects that were compiled before: see cache.h -------------------------------------------------------------------- */

/* Begin with a key of all that an object hangs on: the text, the command, the compiler, the machine. */
static ts_status begin_cached(ts_cached *cached, const ts_compiler *compiler, const char *text, const ts_build_options *options,
                              const ts_device_info *device, ts_error *error) {
  if (ts_cached_begin(cached, compiler->language, device ? device->id : "-", text, options, NULL, error) != TS_OK)
    return error->status;
  if (!device) ts_cached_refuse(cached, "it is built for no device");
  if (ts_environment_or("TENSORSTORAGE_KEEP", NULL)) ts_cached_refuse(cached, "TENSORSTORAGE_KEEP wants the compiler's files");
  if (*cached->refusal) return TS_OK;
  const char *of_user = ts_environment_or(compiler->variable, "");
  ts_cached_check_options(cached, of_user + strcspn(of_user, " \t")); /* behind the program's name */
  ts_cached_check_options(cached, ts_environment_or("TENSORSTORAGE_HOST_FLAGS", ""));
  ts_words command = {0};
  if (compile_words(&command, compiler, options, error) == TS_OK) {
    char *program = ts_process_find(command.items[0]);
    ts_cached_add_file(cached, "compiler", program ? program : "");
    ts_cached_add_list(cached, "command", (const char *const *)command.items);
    ts_cached_add(cached, "compiler's name", device->language);
    ts_cached_add(cached, "machine", device->name);
    free(program);
  }
  ts_words_free(&command);
  return error->status;
}

/* Load the object that was compiled before, by way of the file `output`. Returns false if there is none, or it can't be loaded
 * here any more. */
static bool load_cached(void **object, ts_cached *cached, const char *output) {
  ts_cache_part parts[TS_CACHE_PARTS];
  if (!ts_cached_find(cached, parts)) return false;
  ts_error why = {.status = TS_OK};
  if (ts_file_write_bytes(output, parts[0].bytes, parts[0].count, &why) == TS_OK) load(object, output, &why);
  if (why.status != TS_OK) ts_cached_reject(cached, why.message);
  for (int i = 0; i < TS_CACHE_PARTS; i++) free(parts[i].bytes);
  return why.status == TS_OK;
}

static void store_object(const ts_cached *cached, const char *output) {
  if (*cached->refusal) return;
  ts_error why = {.status = TS_OK};
  ts_cache_part object = {0};
  object.bytes = ts_file_read(output, &object.count, &why);
  if (object.bytes)
    ts_cached_store(cached, (const ts_cache_part[TS_CACHE_PARTS]){object});
  else
    ts_cached_fail(cached, why.message);
  free(object.bytes);
}

ts_status ts_compiler_load(void **object, const ts_compiler *compiler, const char *text, const ts_build_options *options,
                           const ts_device_info *device, ts_error *error) {
  /* Its own functions come first: a kernel may be called as a function of libc is. */
  static const char *const shared[] = {"-shared", "-Wl,-Bsymbolic-functions", NULL};
  static const ts_build_options no_options;
  ts_cached cached;
  ts_workplace place = {0};
  ts_status status = begin_cached(&cached, compiler, text, options ? options : &no_options, device, error);
  if (status == TS_OK) status = ts_workplace_make(&place, error);
  if (status == TS_OK) {
    const char *output = ts_workplace_file(&place, "kernel.so"), *log = ts_workplace_file(&place, "log");
    if (!output || !load_cached(object, &cached, output)) {
      status = compile(&place, compiler, shared, output, log, text, options, error);
      if (status == TS_OK) status = load(object, output, error);
      if (status == TS_OK) store_object(&cached, output);
    }
  }
  ts_workplace_remove(&place);
  ts_cached_end(&cached);
  return status;
}

ts_status ts_compiler_assemble(char **assembly, char **log, const char *text, const ts_build_options *options,
                               ts_error *error) {
  static const char *const assembly_only[] = {"-S", "-g1", NULL};
  ts_workplace place;
  ts_status status = ts_workplace_make(&place, error);
  if (status != TS_OK) return status;
  const char *output = ts_workplace_file(&place, "kernel.s"), *log_file = ts_workplace_file(&place, "log");
  status = compile(&place, &ts_compiler_c, assembly_only, output, log_file, text, options, error);
  if (status == TS_OK) {
    *assembly = ts_file_read(output, NULL, error);
    *log = *assembly ? ts_file_read(log_file, NULL, error) : NULL;
    status = error->status;
  }
  ts_workplace_remove(&place);
  return status;
}
