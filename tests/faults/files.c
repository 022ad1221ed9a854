/* SPDX-License-Identifier: Apache-2.0
 *
 * files.c: the functions that make, read and write files, of which one fails. See faults.h.
 *
 * The linker's --wrap sends the calls of the library's and the tool's own objects here. Pipes are left alone: only what is done
 * to files and folders counts. The question of a call on an open file is 1 + its access mode: of one that is only read, 1.
 */
#define _XOPEN_SOURCE 700
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/faults/faults.h"

/* Names that begin so are the compiler's; here the linker makes them. */
int __real_open(const char *path, int flags, ...);
int __real_openat(int folder, const char *path, int flags, ...);
int __real_close(int fd);
ssize_t __real_read(int fd, void *data, size_t bytes);
ssize_t __real_write(int fd, const void *data, size_t bytes);
int __real_fstat(int fd, struct stat *facts);
int __real_mkdir(const char *path, mode_t mode);
int __real_renameat(int from_folder, const char *from, int to_folder, const char *to);
DIR *__real_fdopendir(int fd);
char *__real_mkdtemp(char *pattern);
int __real_mkstemp(char *pattern);
FILE *__real_fopen(const char *path, const char *mode);
FILE *__real_fdopen(int fd, const char *mode);
size_t __real_fread(void *data, size_t bytes, size_t count, FILE *file);
size_t __real_fwrite(const void *data, size_t bytes, size_t count, FILE *file);
int __real_fclose(FILE *file);
int __wrap_open(const char *path, int flags, ...);
int __wrap_openat(int folder, const char *path, int flags, ...);
int __wrap_close(int fd);
ssize_t __wrap_read(int fd, void *data, size_t bytes);
ssize_t __wrap_write(int fd, const void *data, size_t bytes);
int __wrap_fstat(int fd, struct stat *facts);
int __wrap_mkdir(const char *path, mode_t mode);
int __wrap_renameat(int from_folder, const char *from, int to_folder, const char *to);
DIR *__wrap_fdopendir(int fd);
char *__wrap_mkdtemp(char *pattern);
int __wrap_mkstemp(char *pattern);
FILE *__wrap_fopen(const char *path, const char *mode);
FILE *__wrap_fdopen(int fd, const char *mode);
size_t __wrap_fread(void *data, size_t bytes, size_t count, FILE *file);
size_t __wrap_fwrite(const void *data, size_t bytes, size_t count, FILE *file);
int __wrap_fclose(FILE *file);

/* Whether this call is the one. fail() does what is to be done then. */
static bool is_struck(const char *name, unsigned question) {
  return faults_strike(FAULTS_FILE, name, question) || faults_strike(FAULTS_END, name, question);
}

static void fail(void) {
  if (faults_here()->kind == FAULTS_END) raise(SIGKILL);
  errno = faults_here()->code;
}

static bool fails(const char *name, unsigned question) {
  if (!is_struck(name, question)) return false;
  fail();
  return true;
}

/* 0: it is no file and no folder. */
static unsigned question_of(int fd) {
  struct stat facts;
  bool is_file = !__real_fstat(fd, &facts) && (S_ISREG(facts.st_mode) || S_ISDIR(facts.st_mode));
  return is_file ? 1 + (unsigned)(fcntl(fd, F_GETFL) & O_ACCMODE) : 0;
}

static bool fails_on(const char *name, int fd) {
  unsigned question = question_of(fd);
  return question && fails(name, question);
}

/* Put another file in a stream's place, on which what follows goes wrong as it does on a bad disk. */
static void spoil(FILE *file, const char *path, int flags) {
  int bad = __real_open(path, flags | O_CLOEXEC);
  if (bad < 0 || dup2(bad, fileno(file)) < 0) abort();
  __real_close(bad);
}

/* ---- descriptors -------------------------------------------------------------------------------------------------- */

static mode_t mode_of(int flags, va_list arguments) { return flags & O_CREAT ? va_arg(arguments, mode_t) : 0; }

int __wrap_open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return fails("open", 1 + (unsigned)(flags & O_ACCMODE)) ? -1 : __real_open(path, flags, mode);
}

int __wrap_openat(int folder, const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return fails("openat", 1 + (unsigned)(flags & O_ACCMODE)) ? -1 : __real_openat(folder, path, flags, mode);
}

/* It is closed, whatever is returned. */
int __wrap_close(int fd) {
  bool is_bad = fails_on("close", fd);
  int code = errno, result = __real_close(fd);
  if (is_bad) errno = code;
  return is_bad ? -1 : result;
}

ssize_t __wrap_read(int fd, void *data, size_t bytes) {
  if (question_of(fd) && bytes > 1 && faults_strike(FAULTS_SHORT, "read", 1)) return __real_read(fd, data, bytes / 2);
  return fails_on("read", fd) ? -1 : __real_read(fd, data, bytes);
}

/* Half of it was written when it fails. */
ssize_t __wrap_write(int fd, const void *data, size_t bytes) {
  unsigned question = question_of(fd);
  bool is_short = question && bytes > 1 && faults_strike(FAULTS_SHORT, "write", question);
  bool is_bad = question && is_struck("write", question);
  ssize_t done = __real_write(fd, data, is_short || is_bad ? bytes / 2 : bytes);
  if (!is_bad) return done;
  fail();
  return -1;
}

int __wrap_fstat(int fd, struct stat *facts) { return fails_on("fstat", fd) ? -1 : __real_fstat(fd, facts); }

/* ---- folders and names ---------------------------------------------------------------------------------------------- */

/* The question: 1 if there is something of this name, else 2. */
int __wrap_mkdir(const char *path, mode_t mode) {
  return fails("mkdir", access(path, F_OK) ? 2 : 1) ? -1 : __real_mkdir(path, mode);
}

int __wrap_renameat(int from_folder, const char *from, int to_folder, const char *to) {
  return fails("renameat", 0) ? -1 : __real_renameat(from_folder, from, to_folder, to);
}

DIR *__wrap_fdopendir(int fd) { return fails_on("fdopendir", fd) ? NULL : __real_fdopendir(fd); }

char *__wrap_mkdtemp(char *pattern) { return fails("mkdtemp", 0) ? NULL : __real_mkdtemp(pattern); }

int __wrap_mkstemp(char *pattern) { return fails("mkstemp", 0) ? -1 : __real_mkstemp(pattern); }

/* ---- streams -------------------------------------------------------------------------------------------------------- */

FILE *__wrap_fopen(const char *path, const char *mode) {
  return fails("fopen", *mode == 'r' ? 1 : 2) ? NULL : __real_fopen(path, mode);
}

FILE *__wrap_fdopen(int fd, const char *mode) { return fails_on("fdopen", fd) ? NULL : __real_fdopen(fd, mode); }

size_t __wrap_fread(void *data, size_t bytes, size_t count, FILE *file) {
  bool is_bad = fails_on("fread", fileno(file));
  if (is_bad) spoil(file, "/dev/null", O_WRONLY);
  size_t done = __real_fread(data, bytes, count, file);
  if (is_bad) errno = faults_here()->code;
  return done;
}

/* The disk is full from here on, whatever the code was to be; a stream may notice it later. */
size_t __wrap_fwrite(const void *data, size_t bytes, size_t count, FILE *file) {
  if (fails_on("fwrite", fileno(file))) {
    faults_here()->code = ENOSPC;
    spoil(file, "/dev/full", O_WRONLY);
  }
  return __real_fwrite(data, bytes, count, file);
}

/* It is closed, whatever is returned. */
int __wrap_fclose(FILE *file) {
  int fd = fileno(file); /* negative: it is memory */
  bool is_bad = fd >= 0 && fails_on("fclose", fd);
  int code = errno, result = __real_fclose(file);
  if (is_bad) errno = code;
  return is_bad ? EOF : result;
}
