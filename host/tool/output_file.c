/* SPDX-License-Identifier: Apache-2.0
 *
 * output_file.c: a file that appears whole or not at all.
 */
#define _XOPEN_SOURCE 700 /* realpath */

#include "host/tool/output_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/tool/tool.h"

static const char suffix[] = ".tmp-XXXXXX"; /* of the temporary */

static void release(output_file *file) {
  free(file->path);
  free(file->temporary);
  *file = (output_file){0};
}

static bool fail(output_file *file, const char *path, const char *why) {
  tool_complain("%s cannot be written: %s", path, why);
  release(file);
  return false;
}

/* Why an existing file cannot be replaced; NULL if it can. What this process prints into is never replaced: /dev/stdout may
 * name a log that others write to as well. */
static const char *obstacle(const char *path) {
  struct stat facts, output;
  if (stat(path, &facts)) return NULL;
  for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
    if (!fstat(fd, &output) && output.st_dev == facts.st_dev && output.st_ino == facts.st_ino)
      return "it is where the report is printed";
  if (S_ISDIR(facts.st_mode)) return "it is a folder";
  if (!S_ISREG(facts.st_mode)) return "it is no regular file";
  return access(path, W_OK) ? strerror(errno) : NULL;
}

/* mkstemp makes a file that only its owner can read. This one gets the mode of the file whose place it takes, and its owner
 * where that may be given; else the mode that any new file has. */
static void give_mode(int fd, const char *path) {
  struct stat facts;
  mode_t mask = umask(0);
  umask(mask);
  if (stat(path, &facts)) {
    fchmod(fd, (mode_t)(S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH) & ~mask);
    return;
  }
  mode_t mode = facts.st_mode & (S_IRWXU | S_IRWXG | S_IRWXO);
  if (fchown(fd, facts.st_uid, facts.st_gid)) mode &= ~(mode_t)(S_IRWXG); /* not another group's files to our group */
  fchmod(fd, mode);
}

bool output_file_open(output_file *file, const char *path) {
  *file = (output_file){0};
  if (!*path) return fail(file, "\"\"", "it has no name");
  const char *why = obstacle(path);
  if (why) return fail(file, path, why);

  file->path = realpath(path, NULL);
  if (!file->path && errno == ENOENT) file->path = strdup(path); /* it does not exist yet */
  if (!file->path) return fail(file, path, strerror(errno));
  size_t bytes = strlen(file->path) + sizeof suffix;
  file->temporary = malloc(bytes);
  if (!file->temporary) return fail(file, path, strerror(errno));
  snprintf(file->temporary, bytes, "%s%s", file->path, suffix);

  int fd = mkstemp(file->temporary);
  if (fd < 0) return fail(file, path, strerror(errno));
  give_mode(fd, file->path);
  file->stream = fdopen(fd, "w");
  if (file->stream) return true;
  why = strerror(errno);
  close(fd);
  unlink(file->temporary);
  return fail(file, path, why);
}

bool output_file_is_same(const output_file *a, const output_file *b) {
  /* The temporaries are there already, whatever becomes of the files: their real paths show the folders. */
  char *path = realpath(a->temporary, NULL), *other = realpath(b->temporary, NULL);
  size_t length = path ? strlen(path) : 0, other_length = other ? strlen(other) : 0;
  bool is_same = length > 0 && length == other_length && !strncmp(path, other, length - (sizeof suffix - 1));
  free(path);
  free(other);
  return is_same;
}

bool output_file_is_there_as(const char *path, const char *other) {
  struct stat facts, others;
  return !stat(path, &facts) && !stat(other, &others) && facts.st_dev == others.st_dev && facts.st_ino == others.st_ino;
}

bool output_file_commit(output_file *file) {
  bool failed = ferror(file->stream);
  failed = fclose(file->stream) || failed;
  if (!failed && !rename(file->temporary, file->path)) {
    release(file);
    return true;
  }
  int code = errno;
  unlink(file->temporary);
  return fail(file, file->path, strerror(code));
}

void output_file_abandon(output_file *file) {
  if (!file->stream) return;
  fclose(file->stream);
  unlink(file->temporary);
  release(file);
}
