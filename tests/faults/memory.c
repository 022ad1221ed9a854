/* SPDX-License-Identifier: Apache-2.0
 *
 * memory.c: the functions that give memory, of which one fails. See faults.h.
 *
 * The linker's --wrap sends the calls of the library's and the tool's own objects here, and nobody else's. cJSON takes its
 * memory from us, too, and so does libmcpp, where there is a static one: its calls are a kind of their own.
 */
#define _XOPEN_SOURCE 700 /* realpath */
#include <cJSON.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "tests/faults/faults.h"

/* Names that begin so are the compiler's; here the linker makes them. */
void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t length);
char *__real_realpath(const char *path, char *resolved);
int __real_posix_memalign(void **memory, size_t alignment, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t length);
char *__wrap_realpath(const char *path, char *resolved);
int __wrap_posix_memalign(void **memory, size_t alignment, size_t bytes);
void *mcpp_malloc(size_t bytes);
void *mcpp_realloc(void *old, size_t bytes);

static bool has_none(const char *function) {
  if (!faults_strike(FAULTS_MEMORY, function, 0)) return false;
  errno = ENOMEM;
  return true;
}

void *__wrap_malloc(size_t bytes) { return has_none("malloc") ? NULL : __real_malloc(bytes); }

void *__wrap_calloc(size_t count, size_t bytes) { return has_none("calloc") ? NULL : __real_calloc(count, bytes); }

void *__wrap_realloc(void *old, size_t bytes) { return has_none("realloc") ? NULL : __real_realloc(old, bytes); }

char *__wrap_strdup(const char *text) { return has_none("strdup") ? NULL : __real_strdup(text); }

char *__wrap_strndup(const char *text, size_t length) { return has_none("strndup") ? NULL : __real_strndup(text, length); }

char *__wrap_realpath(const char *path, char *resolved) {
  return has_none("realpath") ? NULL : __real_realpath(path, resolved);
}

int __wrap_posix_memalign(void **memory, size_t alignment, size_t bytes) {
  return has_none("posix_memalign") ? ENOMEM : __real_posix_memalign(memory, alignment, bytes);
}

void *mcpp_malloc(size_t bytes) { return faults_strike(FAULTS_MCPP, "malloc", 0) ? NULL : __real_malloc(bytes); }

void *mcpp_realloc(void *old, size_t bytes) {
  return faults_strike(FAULTS_MCPP, "realloc", 0) ? NULL : __real_realloc(old, bytes);
}

static void *allocate(size_t bytes) { return __wrap_malloc(bytes); }

static void __attribute__((constructor)) give_cjson_ours(void) {
  cJSON_Hooks hooks = {.malloc_fn = allocate, .free_fn = free};
  cJSON_InitHooks(&hooks);
}
