/* SPDX-License-Identifier: Apache-2.0
 *
 * cache.c: keep built programs in files. See cache.h.
 *
 * A file is written under another name and then renamed, so that a reader sees all of it or none, and no lock is needed. Only
 * files and folders of the user's own that nobody else can write are read: a program from the cache is run.
 */
#define _POSIX_C_SOURCE 200809L
#include "cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "backend.h"
#include "source.h"

/* ---- files: how they are called, and what is in them --------------------------------------------------------------- */

/* The head of a file; the key follows, then each part. Numbers are as this machine has them: elsewhere the checksum is wrong.
 */
typedef struct head {
  char magic[8];
  uint64_t checksum; /* of all that follows it */
  uint64_t key_bytes;
  uint64_t part_bytes[TS_CACHE_PARTS];
} head;

static const char magic[8] = "TSprog1\n"; /* another number for another form */
enum { CHECKED_FROM = offsetof(head, key_bytes), NAME_BYTES = 64, REASON_BYTES = sizeof((ts_cached *)0)->refusal };

static const char ending[] = ".program", temporary_ending[] = ".tmp";

/* FNV-1a. For names, and to find damage: a change of any one byte gives another number, since each step can be undone. It
 * guards against nobody who means harm; permissions do that. */
static uint64_t checksum_of(const char *bytes, size_t count) {
  uint64_t sum = 0xcbf29ce484222325u;
  for (size_t i = 0; i < count; i++) sum = (sum ^ (unsigned char)bytes[i]) * 0x100000001b3u;
  return sum;
}

static void write_name(char name[NAME_BYTES], const ts_cached *cached) {
  snprintf(name, NAME_BYTES, "%016" PRIx64 "%s", checksum_of(cached->key.chars, cached->key.length), ending);
}

/* A name that no other thread and no other process of this machine uses; another machine's fails to be made. */
static void write_temporary_name(char name[NAME_BYTES], const char *final_name) {
  static atomic_uint count;
  snprintf(name, NAME_BYTES, "%.16s.%ld-%u%s", final_name, (long)getpid(), atomic_fetch_add(&count, 1), temporary_ending);
}

static bool has_ending(const char *name, const char *wanted) {
  size_t length = strlen(name), wanted_length = strlen(wanted);
  return strspn(name, "0123456789abcdef") == 16 && length >= 16 + wanted_length &&
         !strcmp(name + length - wanted_length, wanted);
}

/* ---- trace ----------------------------------------------------------------------------------------------------------- */

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double milliseconds_since(const ts_cached *cached) { return 1e3 * (seconds_now() - cached->start); }

/* One line, in one piece: other threads and processes may write too. */
static void __attribute__((format(printf, 3, 4))) trace(const ts_cached *cached, const char *what, const char *format, ...) {
  if (!ts_environment_or("TENSORSTORAGE_TRACE", NULL)) return;
  char detail[512], name[NAME_BYTES] = "-";
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(detail, sizeof detail, format, arguments);
  va_end(arguments);
  if (cached->key.chars && !cached->key.failed) write_name(name, cached);
  char line[1024];
  snprintf(line, sizeof line, "tensorstorage: cache: %-7s %.16s %s%s\n", what, name, cached->name, detail);
  fputs(line, stderr);
}

/* ---- the folder ------------------------------------------------------------------------------------------------------ */

/* Its path, to be freed. NULL: there is none, or no memory. */
static char *folder_path(void) {
  const char *folder = ts_environment_or("TENSORSTORAGE_CACHE_DIR", NULL), *home = ts_environment_or("HOME", NULL);
  const char *caches = ts_environment_or("XDG_CACHE_HOME", NULL);
  ts_text path = {0};
  if (folder)
    ts_text_print(&path, "%s", folder);
  else if (caches && *caches == '/') /* others are to be ignored, says the XDG Base Directory Specification */
    ts_text_print(&path, "%s/tensorstorage", caches);
  else if (home)
    ts_text_print(&path, "%s/.cache/tensorstorage", home);
  if (!path.failed) return path.chars;
  free(path.chars);
  return NULL;
}

/* Make a folder and those that it is in. Returns errno of the first that can't be made; what is there shows when it is opened.
 */
static int make_folder(char *path) {
  int code = 0;
  for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    if (mkdir(path, 0700) && errno != EEXIST && !code) code = errno;
    *slash = '/';
  }
  return mkdir(path, 0700) && errno != EEXIST && !code ? errno : code;
}

/* Whether it is the user's own, and nobody else can write it. */
static bool is_private(const struct stat *facts) {
  return facts->st_uid == geteuid() && !(facts->st_mode & (S_IWGRP | S_IWOTH));
}

static void say_unusable(char why[REASON_BYTES], const char *path, int code) {
  snprintf(why, REASON_BYTES, "the folder %.150s can't be used: %s; set TENSORSTORAGE_CACHE_DIR to another", path,
           strerror(code));
}

/* Open the folder. Returns -1 if it can't be used, with the reason in `why`; none if it is only not there yet.
 *
 * is_made  whether it is to be made */
static int open_folder(char why[REASON_BYTES], bool is_made) {
  *why = 0;
  char *path = folder_path();
  if (!path) {
    snprintf(why, REASON_BYTES, "there is no folder for it: set TENSORSTORAGE_CACHE_DIR, or HOME");
    return -1;
  }
  int not_made = is_made ? make_folder(path) : 0;
  int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  struct stat facts;
  bool is_known = folder >= 0 && !fstat(folder, &facts);
  bool is_absent = folder < 0 && errno == ENOENT;
  int code = is_absent && not_made ? not_made : errno;
  if (!is_known && (is_made || !is_absent)) {
    say_unusable(why, path, code);
  } else if (is_known && !is_private(&facts)) {
    snprintf(why, REASON_BYTES, "the folder %.150s belongs to another user, or others can write it", path);
  }
  if (folder >= 0 && *why) {
    close(folder);
    folder = -1;
  }
  free(path);
  return folder;
}

/* ---- the key --------------------------------------------------------------------------------------------------------- */

static void add_bytes(ts_cached *cached, const char *name, const char *bytes, size_t count) {
  ts_text_print(&cached->key, "%s %zu\n", name, count);
  ts_text_append(&cached->key, bytes, count);
  ts_text_append(&cached->key, "\n", 1);
}

void ts_cached_refuse(ts_cached *cached, const char *reason) {
  if (!*cached->refusal) snprintf(cached->refusal, sizeof cached->refusal, "%s", reason);
}

/* Of an option: whether it is one of those that name no file and do not ask what machine this is. */
static bool is_harmless(const char *option) {
  static const char *const beginnings[] = {
      "-D", "-U", "-O", "-f", "-g", "-m", "-W", "-std", "-pedantic", "--use_fast_math", "--fmad=", "--ftz=", "-cl-"};
  static const char *const suspicious[] = {"/", "native", "-Wl,", "-Wa,", "-Wp,", "plugin", "file", "list"};
  bool is_known = false;
  for (size_t i = 0; i < sizeof beginnings / sizeof beginnings[0]; i++)
    is_known = is_known || !strncmp(option, beginnings[i], strlen(beginnings[i]));
  for (size_t i = 0; i < sizeof suspicious / sizeof suspicious[0]; i++) is_known = is_known && !strstr(option, suspicious[i]);
  return is_known;
}

void ts_cached_check_options(ts_cached *cached, const char *options) {
  ts_words words = {0};
  ts_error ignored = {.status = TS_OK}; /* the build says it */
  if (ts_words_split(&words, options, "options", &ignored) != TS_OK) ts_cached_refuse(cached, "the options can't be split");
  for (size_t i = 0; i < words.count; i++) {
    char reason[REASON_BYTES];
    snprintf(reason, sizeof reason, "more than the options' text may be behind \"%.100s\"", words.items[i]);
    if (!is_harmless(words.items[i])) ts_cached_refuse(cached, reason);
  }
  ts_words_free(&words);
}

/* What TENSORSTORAGE_CACHE says, unless nobody wants to know. */
static ts_status check_environment(ts_cached *cached, const char *own, ts_error *error) {
  const char *wanted = ts_environment_or("TENSORSTORAGE_CACHE", "auto");
  bool is_auto = !strcmp(wanted, "auto");
  if (!strcmp(wanted, "off"))
    ts_cached_refuse(cached, "TENSORSTORAGE_CACHE is off");
  else if (is_auto && own)
    ts_cached_refuse(cached, own);
  else if (!is_auto && strcmp(wanted, "on") != 0)
    return ts_fail(error, TS_ERROR_USAGE, 0, "getenv", "TENSORSTORAGE_CACHE is \"%s\"; set it to auto, on or off", wanted);
  return TS_OK;
}

ts_status ts_cached_begin(ts_cached *cached, const char *maker, const char *target, const char *text,
                          const ts_build_options *options, const char *own, ts_error *error) {
  *cached = (ts_cached){.start = seconds_now()};
  snprintf(cached->name, sizeof cached->name, "%.150s for %.60s", options->name ? options->name : "-", target);
  if (options->uncached) {
    ts_cached_refuse(cached, "a build of its own is asked for");
    return TS_OK;
  }
  if (check_environment(cached, own, error) != TS_OK) return error->status;
  if (*cached->refusal) return TS_OK;
  const char *beyond = ts_source_reaches_out(text);
  char reason[REASON_BYTES];
  snprintf(reason, sizeof reason, "the source is not all that is compiled, it has %.100s", beyond ? beyond : "");
  if (beyond) ts_cached_refuse(cached, reason);
  ts_cached_check_options(cached, options->extra ? options->extra : "");
  ts_cached_add(cached, "maker", maker);
  ts_cached_add(cached, "text", text);
  ts_cached_add(cached, "extra options", options->extra ? options->extra : "");
  return TS_OK;
}

void ts_cached_add(ts_cached *cached, const char *name, const char *value) { add_bytes(cached, name, value, strlen(value)); }

void ts_cached_add_list(ts_cached *cached, const char *name, const char *const *list) {
  for (; list && *list; list++) ts_cached_add(cached, name, *list);
}

void ts_cached_add_file(ts_cached *cached, const char *name, const char *path) {
  struct stat facts;
  if (stat(path, &facts)) {
    ts_cached_refuse(cached, "the compiler's file is not known");
    return;
  }
  ts_text value = {0};
  ts_text_print(&value, "%s %lld %lld.%09ld", path, (long long)facts.st_size, (long long)facts.st_mtim.tv_sec,
                facts.st_mtim.tv_nsec);
  if (value.failed)
    cached->key.failed = true;
  else
    ts_cached_add(cached, name, value.chars);
  free(value.chars);
}

/* ---- finding ----------------------------------------------------------------------------------------------------------- */

/* All of a file, to be freed, or why it can't be used. */
static char *read_entry(int folder, const char *name, size_t *bytes, const char **why) {
  int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) {
    *why = errno == ENOENT ? NULL : strerror(errno);
    return NULL;
  }
  struct stat facts;
  char *contents = NULL;
  if (fstat(file, &facts)) {
    *why = strerror(errno);
  } else if (!S_ISREG(facts.st_mode) || !is_private(&facts)) {
    *why = "it is no file of this user's alone";
  } else if (facts.st_size < (off_t)sizeof(head) || (uint64_t)facts.st_size > TS_CACHE_LIMIT_BYTES) {
    *why = "its length is wrong";
  } else {
    *bytes = (size_t)facts.st_size;
    contents = malloc(*bytes);
    *why = "no memory is left for it";
  }
  size_t got = 0;
  ssize_t step = 1;
  while (contents && got < *bytes && step > 0) {
    step = read(file, contents + got, *bytes - got);
    if (step > 0) got += (size_t)step;
  }
  if (contents && got < *bytes) {
    *why = step < 0 ? strerror(errno) : "its length is wrong";
    free(contents);
    contents = NULL;
  }
  if (contents) futimens(file, NULL); /* it is the latest that was used */
  close(file);
  return contents;
}

/* Why a file's contents are not what was stored under the key. NULL: they are. */
static const char *check_entry(const head *h, const char *contents, size_t bytes, const ts_text *key) {
  if (memcmp(h->magic, magic, sizeof magic) != 0) return "another version wrote it";
  uint64_t rest = bytes - sizeof *h;
  bool fits = h->key_bytes <= rest;
  if (fits) rest -= h->key_bytes;
  for (int i = 0; i < TS_CACHE_PARTS && fits; i++) {
    fits = h->part_bytes[i] <= rest;
    rest -= h->part_bytes[i];
  }
  if (!fits || rest > 0) return "its length is wrong";
  if (checksum_of(contents + CHECKED_FROM, bytes - CHECKED_FROM) != h->checksum) return "it is damaged";
  if (h->key_bytes != key->length || memcmp(contents + sizeof *h, key->chars, key->length) != 0)
    return "it is of another build, whose key has the same checksum";
  return NULL;
}

static void free_parts(ts_cache_part parts[TS_CACHE_PARTS]) {
  for (int i = 0; i < TS_CACHE_PARTS; i++) {
    free(parts[i].bytes);
    parts[i] = (ts_cache_part){0};
  }
}

static bool copy_parts(ts_cache_part parts[TS_CACHE_PARTS], const head *h, const char *at) {
  for (int i = 0; i < TS_CACHE_PARTS; i++) {
    parts[i] = (ts_cache_part){.bytes = calloc(h->part_bytes[i] + 1, 1), .count = h->part_bytes[i]};
    if (!parts[i].bytes) {
      free_parts(parts);
      return false;
    }
    memcpy(parts[i].bytes, at, parts[i].count);
    at += parts[i].count;
  }
  return true;
}

bool ts_cached_find(ts_cached *cached, ts_cache_part parts[TS_CACHE_PARTS]) {
  for (int i = 0; i < TS_CACHE_PARTS; i++) parts[i] = (ts_cache_part){0};
  if (cached->key.failed) ts_cached_refuse(cached, "no memory is left for it");
  char unusable[REASON_BYTES];
  int folder = *cached->refusal ? -1 : open_folder(unusable, false);
  if (!*cached->refusal && *unusable) ts_cached_refuse(cached, unusable);
  if (*cached->refusal) {
    trace(cached, "skipped", ": %s", cached->refusal);
    return false;
  }
  char name[NAME_BYTES], *contents = NULL;
  const char *why = NULL;
  size_t bytes = 0;
  write_name(name, cached);
  if (folder >= 0) {
    contents = read_entry(folder, name, &bytes, &why);
    close(folder);
  }
  bool is_found = false;
  if (contents) {
    head h;
    memcpy(&h, contents, sizeof h);
    why = check_entry(&h, contents, bytes, &cached->key);
    is_found = !why && copy_parts(parts, &h, contents + sizeof h + h.key_bytes);
  }
  free(contents);
  if (is_found)
    trace(cached, "hit", ", %zu bytes in %.1f ms", bytes, milliseconds_since(cached));
  else if (why)
    trace(cached, "ignored", ": %s", why);
  else
    trace(cached, "miss", "%s", "");
  return is_found;
}

void ts_cached_reject(const ts_cached *cached, const char *why) { trace(cached, "ignored", ": %s", why); }

/* ---- storing ----------------------------------------------------------------------------------------------------------- */

static void append_part(ts_text *text, const char *bytes, size_t count) {
  if (count > 0) ts_text_append(text, bytes, count);
}

static void print_entry(ts_text *text, const ts_text *key, const ts_cache_part parts[TS_CACHE_PARTS]) {
  head h = {.key_bytes = key->length};
  memcpy(h.magic, magic, sizeof magic);
  for (int i = 0; i < TS_CACHE_PARTS; i++) h.part_bytes[i] = parts[i].count;
  ts_text_append(text, (const char *)&h, sizeof h);
  ts_text_append(text, key->chars, key->length);
  for (int i = 0; i < TS_CACHE_PARTS; i++) append_part(text, parts[i].bytes, parts[i].count);
  if (text->failed) return;
  h.checksum = checksum_of(text->chars + CHECKED_FROM, text->length - CHECKED_FROM);
  memcpy(text->chars, &h, sizeof h);
}

/* Write a file under a name of its own, then give it its name. Returns false, with errno, and leaves nothing, if it can't be.
 */
static bool write_entry(int folder, const char *name, const ts_text *text) {
  char temporary[NAME_BYTES];
  write_temporary_name(temporary, name);
  int file = openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file < 0) return false;
  size_t done = 0;
  ssize_t step = 1;
  while (done < text->length && step > 0) {
    step = write(file, text->chars + done, text->length - done);
    if (step > 0) done += (size_t)step;
  }
  bool is_written = done == text->length;
  int code = errno;
  if (close(file)) {
    if (is_written) code = errno;
    is_written = false;
  }
  if (is_written && renameat(folder, temporary, folder, name)) {
    code = errno;
    is_written = false;
  }
  if (!is_written) unlinkat(folder, temporary, 0);
  errno = code;
  return is_written;
}

void ts_cached_store(const ts_cached *cached, const ts_cache_part parts[TS_CACHE_PARTS]) {
  if (*cached->refusal) return;
  double milliseconds = milliseconds_since(cached);
  ts_text text = {0};
  char name[NAME_BYTES];
  write_name(name, cached);
  print_entry(&text, &cached->key, parts);
  char unusable[REASON_BYTES] = "no memory is left for it, or it is too large";
  int folder = text.failed || text.length > TS_CACHE_LIMIT_BYTES ? -1 : open_folder(unusable, true);
  if (folder >= 0 && !write_entry(folder, name, &text))
    snprintf(unusable, sizeof unusable, "it can't be written: %s", strerror(errno));
  if (*unusable)
    trace(cached, "failed", ": %s", unusable);
  else
    trace(cached, "stored", ", %zu bytes; it was built in %.1f ms", text.length, milliseconds);
  if (folder >= 0) {
    ts_cache_trim(folder, TS_CACHE_LIMIT_BYTES);
    close(folder);
  }
  free(text.chars);
}

void ts_cached_fail(const ts_cached *cached, const char *why) { trace(cached, "failed", ": %s", why); }

void ts_cached_end(ts_cached *cached) {
  free(cached->key.chars);
  *cached = (ts_cached){0};
}

/* ---- all of its files -------------------------------------------------------------------------------------------------- */

typedef struct entry {
  char name[NAME_BYTES];
  uint64_t bytes;
  struct timespec used;
} entry;

typedef struct entries {
  ts_text list; /* of entry */
  uint64_t bytes;
} entries;

/* Read the folder. Returns false, with errno, if it can't be read.
 *
 * is_trimmed  remove temporary files that are too old to be still written */
static bool list_entries(entries *all, int folder, bool is_trimmed) {
  enum { WRITTEN_IN_SECONDS = 3600 };
  *all = (entries){.bytes = 0};
  int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC); /* the list's own place in it */
  DIR *files = again >= 0 ? fdopendir(again) : NULL;
  if (!files) {
    int code = errno;
    if (again >= 0) close(again);
    errno = code;
    return false;
  }
  for (struct dirent *file = readdir(files); file; file = readdir(files)) {
    struct stat facts;
    bool is_temporary = has_ending(file->d_name, temporary_ending), is_entry = has_ending(file->d_name, ending);
    if ((!is_temporary && !is_entry) || strlen(file->d_name) >= NAME_BYTES) continue;
    if (fstatat(folder, file->d_name, &facts, AT_SYMLINK_NOFOLLOW) || !S_ISREG(facts.st_mode)) continue;
    if (is_temporary) {
      if (is_trimmed && facts.st_mtim.tv_sec + WRITTEN_IN_SECONDS < time(NULL)) unlinkat(folder, file->d_name, 0);
      continue;
    }
    entry e = {.bytes = (uint64_t)facts.st_size, .used = facts.st_mtim};
    memcpy(e.name, file->d_name, strlen(file->d_name));
    ts_text_append(&all->list, (const char *)&e, sizeof e);
    all->bytes += e.bytes;
  }
  closedir(files);
  return true;
}

static int compare_used(const void *left, const void *right) {
  const struct timespec *a = &((const entry *)left)->used, *b = &((const entry *)right)->used;
  if (a->tv_sec != b->tv_sec) return a->tv_sec < b->tv_sec ? -1 : 1;
  return (a->tv_nsec > b->tv_nsec) - (a->tv_nsec < b->tv_nsec);
}

void ts_cache_trim(int folder, uint64_t limit) {
  entries all;
  if (!list_entries(&all, folder, true)) return;
  size_t count = all.list.length / sizeof(entry);
  entry *first = (entry *)(void *)all.list.chars;
  bool is_over = all.bytes > limit && !all.list.failed;
  if (is_over) qsort(first, count, sizeof *first, compare_used);
  for (size_t i = 0; is_over && i < count && all.bytes > limit; i++) {
    unlinkat(folder, first[i].name, 0);
    all.bytes -= first[i].bytes;
  }
  free(all.list.chars);
}

ts_cache_state ts_cache_describe(char *text, size_t bytes) {
  ts_cached cached = {.start = 0};
  ts_error error = {.status = TS_OK};
  if (check_environment(&cached, NULL, &error) != TS_OK) {
    snprintf(text, bytes, "%s", error.message);
    return TS_CACHE_UNUSABLE;
  }
  bool is_off = *cached.refusal, is_auto = !strcmp(ts_environment_or("TENSORSTORAGE_CACHE", "auto"), "auto");
  const char *word = is_off    ? "off, as"
                     : is_auto ? "on, but for drivers that have one of their own"
                               : "on, for all drivers, as";
  const char *who = is_auto ? "" : " TENSORSTORAGE_CACHE says";
  char why[REASON_BYTES], contents[REASON_BYTES] = "not made yet";
  int folder = open_folder(why, false);
  char *path = folder_path();
  int code = *why || !path ? 0 : ts_folder_try(path);
  entries all;
  if (!code && folder >= 0 && !list_entries(&all, folder, false)) code = errno;
  if (code) {
    say_unusable(why, path ? path : "", code);
  } else if (folder >= 0) {
    size_t count = all.list.length / sizeof(entry);
    snprintf(contents, sizeof contents, "%zu program%s, %.1f MiB", count, count == 1 ? "" : "s", (double)all.bytes / (1 << 20));
    free(all.list.chars);
  }
  if (*why)
    snprintf(text, bytes, "%s%s, but %s", word, who, why);
  else
    snprintf(text, bytes, "%s%s: %s, %s", word, who, path ? path : "", contents);
  bool has_folder = path != NULL;
  if (folder >= 0) close(folder);
  free(path);
  return is_off || !has_folder ? TS_CACHE_OFF : *why ? TS_CACHE_UNUSABLE : TS_CACHE_ON;
}
