/* SPDX-License-Identifier: Apache-2.0
 *
 * check_cache.c: the files of built programs: what is found is what was stored under the same key, whatever became of the file.
 *
 * Nothing is built here: check_cached_builds.c has the devices.
 */
#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "host/cache.h"

/* ---- a place of its own -------------------------------------------------------------------------------------------- */

static char place[256], folder[300], trace_path[300];
static ts_error error;

/* Each case has a folder, its stderr goes to a file there, and the cache is below it, not made yet. */
static void set_up(void) {
  snprintf(place, sizeof place, "%s/check-cache-XXXXXX", ts_environment_or("TMPDIR", "/tmp"));
  ck_assert_ptr_nonnull(mkdtemp(place));
  snprintf(folder, sizeof folder, "%s/below/cache", place);
  snprintf(trace_path, sizeof trace_path, "%s/trace", place);
  setenv("TENSORSTORAGE_CACHE", "on", 1);
  setenv("TENSORSTORAGE_CACHE_DIR", folder, 1);
  setenv("TENSORSTORAGE_TRACE", "1", 1);
  ck_assert_ptr_nonnull(freopen(trace_path, "w", stderr));
  error = (ts_error){.status = TS_OK};
}

static void tear_down(void) {
  char command[400];
  snprintf(command, sizeof command, "rm -rf '%s'", place);
  ck_assert_int_eq(system(command), 0);
}

/* Check that the trace's last line says something. */
static void assert_traced(const char *what) {
  char lines[16384] = "", *last = lines;
  fflush(stderr);
  FILE *file = fopen(trace_path, "r");
  ck_assert_ptr_nonnull(file);
  lines[fread(lines, 1, sizeof lines - 1, file)] = 0;
  fclose(file);
  for (char *line = lines; *line; line += strcspn(line, "\n") + 1) last = line;
  ck_assert_msg(strstr(last, what) != NULL, "\"%s\" is not in the trace's last line: %s", what, last);
}

/* The path of the cache's only file. */
static const char *only_file(void) {
  static char path[700];
  int count = 0;
  DIR *files = opendir(folder);
  ck_assert_msg(files != NULL, "there is no folder %s", folder);
  for (struct dirent *file = readdir(files); file; file = readdir(files)) {
    if (file->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "%s/%s", folder, file->d_name);
    count++;
  }
  closedir(files);
  ck_assert_msg(count == 1, "%d files in the cache, not 1", count);
  return path;
}

static int files_in(const char *path) {
  int count = 0;
  DIR *files = opendir(path);
  if (!files) return -1;
  for (struct dirent *file = readdir(files); file; file = readdir(files)) count += file->d_name[0] != '.';
  closedir(files);
  return count;
}

static void write_file(const char *path, const char *bytes, size_t count) {
  ck_assert_int_eq(ts_file_write_bytes(path, bytes, count, &error), TS_OK);
  chmod(path, 0600);
}

/* Write a file that was changed last at a time, in seconds. */
static void write_aged(const char *path, const char *text, time_t time) {
  const struct timeval times[2] = {{time, 0}, {time, 0}};
  write_file(path, text, strlen(text));
  ck_assert_int_eq(utimes(path, times), 0);
}

/* ---- a build ---------------------------------------------------------------------------------------------------------- */

static const char source[] = "void k(void) { }\n";

/* Begin with a key that is always the same. */
static ts_cached begin(void) {
  ts_cached cached;
  ck_assert_int_eq(ts_cached_begin(&cached, "maker", "here", source, &(ts_build_options){.name = "k.c"}, NULL, &error), TS_OK);
  ts_cached_add(&cached, "device", "a device");
  return cached;
}

static void store(const char *bytes, size_t count) {
  ts_cached cached = begin();
  char copy[64];
  ck_assert_uint_le(count, sizeof copy);
  memcpy(copy, bytes, count);
  ts_cached_store(&cached, (const ts_cache_part[TS_CACHE_PARTS]){{copy, count}});
  ts_cached_end(&cached);
}

static void free_parts(ts_cache_part parts[TS_CACHE_PARTS]) {
  for (int i = 0; i < TS_CACHE_PARTS; i++) free(parts[i].bytes);
}

/* Whether something is found under the same key; it must be "result" then. */
static bool finds(void) {
  ts_cached cached = begin();
  ts_cache_part parts[TS_CACHE_PARTS];
  bool is_found = ts_cached_find(&cached, parts);
  if (is_found) ck_assert_str_eq(parts[0].bytes, "result");
  free_parts(parts);
  ts_cached_end(&cached);
  return is_found;
}

static void store_result(void) { store("result", 6); }

/* ---- what is found ------------------------------------------------------------------------------------------------------ */

START_TEST(cached_find__gives_each_part_as_it_was_stored) {
  ts_cached cached = begin();
  ts_cache_part parts[TS_CACHE_PARTS];
  ck_assert(!ts_cached_find(&cached, parts));
  assert_traced("cache: miss");
  char zeros[] = {1, 0, 2, 0};
  ts_cached_store(&cached, (const ts_cache_part[TS_CACHE_PARTS]){{zeros, sizeof zeros}, {NULL, 0}, {zeros + 2, 1}});
  assert_traced("cache: stored");
  ck_assert(ts_cached_find(&cached, parts));
  assert_traced("cache: hit");
  ck_assert_uint_eq(parts[0].count, 4);
  ck_assert_mem_eq(parts[0].bytes, "\1\0\2\0\0", 5); /* and a 0 behind it */
  ck_assert_uint_eq(parts[1].count, 0);
  ck_assert_str_eq(parts[1].bytes, "");
  ck_assert_uint_eq(parts[2].count, 1);
  ck_assert_mem_eq(parts[2].bytes, "\2\0", 2);
  free_parts(parts);
  ts_cached_end(&cached);
}
END_TEST

START_TEST(cached_store__takes_the_place_of_what_was_stored) {
  store("older", 5);
  store_result();
  only_file();
  ck_assert(finds());
}
END_TEST

/* ---- the key ---------------------------------------------------------------------------------------------------------- */

/* A key in all its parts. */
typedef struct parts {
  const char *maker, *text, *extra, *name, *value, *list[3], *file;
} parts;

static bool finds_under(const parts *of, bool is_stored) {
  ts_cached cached;
  ts_cache_part found[TS_CACHE_PARTS];
  ts_build_options options = {.name = "k.c", .extra = of->extra};
  ck_assert_int_eq(ts_cached_begin(&cached, of->maker, "here", of->text, &options, NULL, &error), TS_OK);
  ts_cached_add(&cached, of->name, of->value);
  ts_cached_add_list(&cached, "list", of->list);
  ts_cached_add_file(&cached, "file", of->file);
  ck_assert_str_eq(cached.refusal, "");
  char result[] = "result";
  if (is_stored) ts_cached_store(&cached, (const ts_cache_part[TS_CACHE_PARTS]){{result, 6}});
  bool is_found = ts_cached_find(&cached, found);
  free_parts(found);
  ts_cached_end(&cached);
  return is_found;
}

START_TEST(cached_find__misses_when_any_part_of_the_key_is_another) {
  char compiler[300], other_compiler[300];
  snprintf(compiler, sizeof compiler, "%s/cc", place);
  snprintf(other_compiler, sizeof other_compiler, "%s/other", place);
  write_aged(compiler, "1", 1000);
  write_aged(other_compiler, "1", 1000);
  const parts stored = {"maker", "text", "-DA", "device", "one", {"ab", "c", NULL}, compiler};
  ck_assert(finds_under(&stored, true));

  parts others[] = {stored, stored, stored, stored, stored, stored, stored, stored, stored, stored};
  enum { OTHERS = sizeof others / sizeof others[0] };
  others[0].maker = "Maker";
  others[1].text = "texT";
  others[2].text = "text\n";
  others[3].extra = "-DB";
  others[4].extra = NULL;
  others[5].name = "driver";
  others[6].value = "two";
  others[7].list[0] = "a", others[7].list[1] = "bc"; /* the same letters, in other words */
  others[8].list[1] = NULL;
  others[9].file = other_compiler;
  for (int i = 0; i < OTHERS; i++) ck_assert_msg(!finds_under(&others[i], false), "key %d is taken for another", i);

  ck_assert(finds_under(&stored, false));
  write_aged(compiler, "12", 1000);
  ck_assert_msg(!finds_under(&stored, false), "a file of another size is taken for the same");
  write_aged(compiler, "1", 1001);
  ck_assert_msg(!finds_under(&stored, false), "a file of another time is taken for the same");
  write_aged(compiler, "1", 1000);
  ck_assert(finds_under(&stored, false));
}
END_TEST

START_TEST(cached_find__misses_when_only_the_files_name_is_the_same) {
  char theirs[700], ours[700];
  const parts other = {"other maker", source, NULL, "device", "a device", {NULL}, "/dev/null"};
  ck_assert(finds_under(&other, true));
  snprintf(theirs, sizeof theirs, "%s", only_file());
  ck_assert_int_eq(unlink(theirs), 0);
  store_result();
  snprintf(ours, sizeof ours, "%s", only_file());
  ck_assert(finds_under(&other, true));
  ck_assert_int_eq(rename(theirs, ours), 0);
  ck_assert(!finds());
  assert_traced("it is of another build, whose key has the same checksum");
  store_result();
  ck_assert(finds());
}
END_TEST

/* Options that are no more than their text, and those behind which there may be more. */
static const struct {
  const char *options;
  bool is_cached;
} option_rows[] = {{"", true},
                   {"-DN=4 -O3 -g", true},
                   {"-cl-denorms-are-zero -Werror", true},
                   {"-fsanitize=address,undefined -mavx2", true},
                   {"--use_fast_math --fmad=false", true},
                   {"-march=native", false},
                   {"-I folder", false},
                   {"-include file.h", false},
                   {"@file", false},
                   {"-Wp,-include,file.h", false},
                   {"-fplugin=name", false},
                   {"-fprofile-use", false},
                   {"-fsanitize-blacklist=names", false},
                   {"-I.", false},
                   {"-B..", false},
                   {"-fno-file -o a/b", false},
                   {"--pre-include=file.h", false},
                   {"-lname", false},
                   {"'-DN=4", false}};

START_TEST(cached_begin__leaves_options_alone_that_may_name_files) {
  ts_cached cached;
  ts_build_options options = {.name = "k.c", .extra = option_rows[_i].options};
  ck_assert_int_eq(ts_cached_begin(&cached, "maker", "here", source, &options, NULL, &error), TS_OK);
  ck_assert_msg(!*cached.refusal == option_rows[_i].is_cached, "%s: \"%s\"", option_rows[_i].options, cached.refusal);
  ts_cached_end(&cached);
}
END_TEST

static const struct {
  const char *text;
  bool is_cached;
} text_rows[] = {{"int include = 1; // #include <a.h>\n", true},
                 {"/*\n#include <a.h>\n*/ const char *date = \"now\";\n", true},
                 {"#pragma once\n#define include\n", true},
                 {"#include <a.h>\n", false},
                 {"int a;\n # /* of the folder */ include NAME\n", false},
                 {"#if 1\n#include_next \"a.h\"\n#endif\n", false},
                 {"const char *date = __DATE__;\n", false},
                 {"int t = sizeof __TIME__;\n", false},
                 {"#if __has_include(<a.h>)\n#endif\n", false},
                 {"__asm__(\".incbin \\\"a\\\"\");\n", false}};

START_TEST(cached_begin__leaves_a_text_alone_that_is_not_all_that_is_compiled) {
  ts_cached cached;
  ck_assert_int_eq(ts_cached_begin(&cached, "maker", "here", text_rows[_i].text, &(ts_build_options){0}, NULL, &error), TS_OK);
  ck_assert_msg(!*cached.refusal == text_rows[_i].is_cached, "%s\"%s\"", text_rows[_i].text, cached.refusal);
  ts_cached_end(&cached);
}
END_TEST

/* ---- the environment ----------------------------------------------------------------------------------------------------- */

static const struct {
  const char *value, *own;
  bool uncached, is_cached;
} switch_rows[] = {{"auto", NULL, false, true}, {"", NULL, false, true},     {"auto", "it has its own", false, false},
                   {"on", NULL, false, true},   {"off", NULL, false, false}, {"on", "it has its own", false, true},
                   {"on", NULL, true, false},   {"", NULL, true, false}};

START_TEST(cached_begin__does_as_TENSORSTORAGE_CACHE_says) {
  ts_cached cached;
  ts_cache_part none[TS_CACHE_PARTS];
  setenv("TENSORSTORAGE_CACHE", switch_rows[_i].value, 1);
  ts_build_options options = {.name = "k.c", .uncached = switch_rows[_i].uncached};
  ck_assert_int_eq(ts_cached_begin(&cached, "maker", "here", source, &options, switch_rows[_i].own, &error), TS_OK);
  char result[] = "result";
  ts_cached_store(&cached, (const ts_cache_part[TS_CACHE_PARTS]){{result, 6}});
  ck_assert_int_eq(ts_cached_find(&cached, none), switch_rows[_i].is_cached);
  assert_traced(switch_rows[_i].is_cached ? "cache: hit" : "cache: skipped");
  ck_assert_int_eq(files_in(folder), switch_rows[_i].is_cached ? 1 : -1);
  free_parts(none);
  ts_cached_end(&cached);
}
END_TEST

START_TEST(cached_begin__refuses_a_word_that_TENSORSTORAGE_CACHE_does_not_have) {
  ts_cached cached;
  setenv("TENSORSTORAGE_CACHE", "yes", 1);
  ck_assert_int_eq(ts_cached_begin(&cached, "maker", "here", source, &(ts_build_options){0}, NULL, &error), TS_ERROR_USAGE);
  ck_assert_str_eq(error.message, "TENSORSTORAGE_CACHE is \"yes\"; set it to auto, on or off");
  ts_cached_end(&cached);
}
END_TEST

START_TEST(cached_find__says_nothing_unless_it_is_asked_to) {
  unsetenv("TENSORSTORAGE_TRACE");
  ck_assert(!finds());
  store_result();
  ck_assert(finds());
  struct stat facts;
  fflush(stderr);
  ck_assert_int_eq(stat(trace_path, &facts), 0);
  ck_assert_int_eq(facts.st_size, 0);
}
END_TEST

START_TEST(cached_store__makes_the_folder_for_its_user_alone) {
  char below[300];
  umask(0);
  store_result();
  struct stat facts;
  ck_assert_int_eq(stat(folder, &facts), 0);
  ck_assert_uint_eq(facts.st_mode & 07777, 0700);
  snprintf(below, sizeof below, "%s/below", place);
  ck_assert_int_eq(stat(below, &facts), 0);
  ck_assert_uint_eq(facts.st_mode & 07777, 0700);
  ck_assert_int_eq(stat(only_file(), &facts), 0);
  ck_assert_uint_eq(facts.st_mode & 07777, 0600);
}
END_TEST

START_TEST(cached_store__chooses_the_folder_as_the_XDG_specification_does) {
  char expected[400];
  unsetenv("TENSORSTORAGE_CACHE_DIR");
  setenv("HOME", place, 1);
  setenv("XDG_CACHE_HOME", "not/absolute", 1);
  store_result();
  snprintf(expected, sizeof expected, "%s/.cache/tensorstorage", place);
  ck_assert_int_eq(files_in(expected), 1);

  char caches[300];
  snprintf(caches, sizeof caches, "%s/caches", place);
  setenv("XDG_CACHE_HOME", caches, 1);
  ck_assert(!finds());
  store_result();
  snprintf(expected, sizeof expected, "%s/tensorstorage", caches);
  ck_assert_int_eq(files_in(expected), 1);
}
END_TEST

START_TEST(cached_store__does_without_a_folder) {
  unsetenv("TENSORSTORAGE_CACHE_DIR");
  unsetenv("XDG_CACHE_HOME");
  unsetenv("HOME");
  ck_assert(!finds());
  assert_traced("set TENSORSTORAGE_CACHE_DIR, or HOME");
  store_result();
  assert_traced("cache: failed");
  ck_assert(!finds());
}
END_TEST

/* ---- folders and files that are not to be trusted --------------------------------------------------------------------- */

START_TEST(cached_store__does_without_a_folder_that_can_not_be_made) {
  char file[300], below_it[400];
  snprintf(file, sizeof file, "%s/file", place);
  write_file(file, "", 0);
  setenv("TENSORSTORAGE_CACHE_DIR", file, 1);
  ck_assert(!finds());
  store_result();
  assert_traced("Not a directory");
  snprintf(below_it, sizeof below_it, "%s/cache", file);
  setenv("TENSORSTORAGE_CACHE_DIR", below_it, 1);
  ck_assert(!finds());
  store_result();
  assert_traced("Not a directory");
}
END_TEST

START_TEST(cached_find__does_not_use_a_folder_that_others_can_write) {
  store_result();
  ck_assert(finds());
  ck_assert_int_eq(chmod(folder, 0770), 0);
  ck_assert(!finds());
  assert_traced("others can write it");
  store_result();
  assert_traced("others can write it");
  ck_assert_int_eq(chmod(folder, 0702), 0);
  ck_assert(!finds());
  ck_assert_int_eq(chmod(folder, 0755), 0);
  ck_assert(finds());
  if (geteuid() == 0) { /* nobody else can give a folder away */
    ck_assert_int_eq(chown(folder, 65534, 65534), 0);
    ck_assert(!finds());
    assert_traced("belongs to another user");
  }
}
END_TEST

START_TEST(cached_find__does_not_use_a_file_that_others_can_write) {
  store_result();
  ck_assert_int_eq(chmod(only_file(), 0620), 0);
  ck_assert(!finds());
  assert_traced("it is no file of this user's alone");
  store_result();
  ck_assert(finds());
  if (geteuid() != 0) {
    ck_assert_int_eq(chmod(only_file(), 0), 0);
    ck_assert(!finds());
    store_result();
    ck_assert(finds());
  }
}
END_TEST

/* Put something else in the file's place; what it was, is beside the folder. */
static void replace(int (*make)(const char *path, const char *moved)) {
  char path[700], moved[300];
  store_result();
  snprintf(path, sizeof path, "%s", only_file());
  snprintf(moved, sizeof moved, "%s/moved", place);
  ck_assert_int_eq(rename(path, moved), 0);
  ck_assert_int_eq(make(path, moved), 0);
}

static int make_link(const char *path, const char *moved) { return symlink(moved, path); }
static int make_pipe(const char *path, const char *moved) {
  (void)moved;
  return mkfifo(path, 0600);
}
static int make_folder(const char *path, const char *moved) {
  (void)moved;
  return mkdir(path, 0700);
}

START_TEST(cached_find__follows_no_link) {
  replace(make_link);
  ck_assert(!finds());
  assert_traced("cache: ignored");
  store("another", 7);
  struct stat facts;
  ck_assert_int_eq(lstat(only_file(), &facts), 0);
  ck_assert(S_ISREG(facts.st_mode));
  char moved[300];
  snprintf(moved, sizeof moved, "%s/moved", place);
  ck_assert_int_eq(stat(moved, &facts), 0); /* what the link led to is as it was */
  ck_assert_int_gt(facts.st_size, 0);
}
END_TEST

START_TEST(cached_find__waits_for_no_pipe) {
  replace(make_pipe);
  ck_assert(!finds());
  store_result();
  ck_assert(finds());
}
END_TEST

START_TEST(cached_store__does_without_a_name_that_is_taken_by_a_folder) {
  replace(make_folder);
  ck_assert(!finds());
  store_result();
  assert_traced("it can't be written: Is a directory");
  only_file(); /* and no temporary one */
  ck_assert(!finds());
}
END_TEST

/* ---- damage ------------------------------------------------------------------------------------------------------------- */

START_TEST(cached_find__misses_a_file_that_is_cut_at_any_length) {
  store_result();
  char path[700];
  snprintf(path, sizeof path, "%s", only_file());
  size_t count;
  char *whole = ts_file_read(path, &count, &error);
  ck_assert_uint_gt(count, 100);
  for (size_t length = 0; length < count; length++) {
    write_file(path, whole, length);
    ck_assert_msg(!finds(), "found in the first %zu bytes of %zu", length, count);
  }
  write_file(path, whole, count);
  ck_assert(finds());
  char *longer = calloc(count + 1, 1);
  memcpy(longer, whole, count);
  write_file(path, longer, count + 1);
  ck_assert_msg(!finds(), "found in a file that is longer by one byte");
  store_result();
  ck_assert(finds());
  free(whole);
  free(longer);
}
END_TEST

START_TEST(cached_find__misses_a_file_with_any_byte_changed) {
  static const unsigned char changes[] = {0x01, 0x80, 0xff};
  store_result();
  char path[700];
  snprintf(path, sizeof path, "%s", only_file());
  size_t count;
  char *whole = ts_file_read(path, &count, &error);
  for (size_t at = 0; at < count; at++) {
    for (size_t c = 0; c < sizeof changes; c++) {
      whole[at] = (char)(whole[at] ^ changes[c]);
      write_file(path, whole, count);
      ck_assert_msg(!finds(), "found with byte %zu of %zu changed by %#x", at, count, changes[c]);
      whole[at] = (char)(whole[at] ^ changes[c]);
    }
  }
  store_result();
  ck_assert(finds());
  free(whole);
}
END_TEST

START_TEST(cached_find__says_that_another_version_wrote_it) {
  store_result();
  char path[700];
  snprintf(path, sizeof path, "%s", only_file());
  size_t count;
  char *whole = ts_file_read(path, &count, &error);
  ck_assert_int_eq(strncmp(whole, "TSprog1\n", 8), 0);
  whole[6] = '0';
  write_file(path, whole, count);
  ck_assert(!finds());
  assert_traced("another version wrote it");
  free(whole);
}
END_TEST

START_TEST(cached_store__leaves_nothing_when_the_disk_is_full) {
  store_result();
  char path[700];
  snprintf(path, sizeof path, "%s", only_file());
  ck_assert_int_eq(unlink(path), 0);
  signal(SIGXFSZ, SIG_IGN);
  const struct rlimit small = {.rlim_cur = 64, .rlim_max = RLIM_INFINITY};
  ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
  setenv("TENSORSTORAGE_TRACE", "", 1); /* its file is limited as well */
  store_result();
  ck_assert_int_eq(files_in(folder), 0);
  ck_assert(!finds());
}
END_TEST

/* ---- many at once ---------------------------------------------------------------------------------------------------------
 */

enum { PROCESSES = 8, ROUNDS = 200, LARGE_BYTES = 200000 };

/* Store results of one letter under one key, find, and see that each that is found is of one letter. Returns the exit code. */
static int store_and_find(int process) {
  char *result = malloc(LARGE_BYTES);
  int found = 0;
  for (int i = 0; i < ROUNDS; i++) {
    ts_cached cached = begin();
    ts_cache_part parts[TS_CACHE_PARTS];
    memset(result, 'a' + process, LARGE_BYTES);
    ts_cached_store(&cached, (const ts_cache_part[TS_CACHE_PARTS]){{result, LARGE_BYTES}});
    if (ts_cached_find(&cached, parts)) {
      found++;
      bool is_one = parts[0].count == LARGE_BYTES;
      for (size_t k = 1; is_one && k < LARGE_BYTES; k++) is_one = parts[0].bytes[k] == parts[0].bytes[0];
      if (!is_one) return 1;
    }
    free_parts(parts);
    ts_cached_end(&cached);
  }
  free(result);
  return found == ROUNDS ? 0 : 2;
}

START_TEST(cached_store__is_done_by_eight_processes_at_once) {
  setenv("TENSORSTORAGE_TRACE", "", 1);
  pid_t children[PROCESSES];
  for (int i = 0; i < PROCESSES; i++) {
    children[i] = fork();
    ck_assert_int_ge(children[i], 0);
    if (children[i] == 0) _exit(store_and_find(i));
  }
  for (int i = 0; i < PROCESSES; i++) {
    int status = 0;
    ck_assert_int_eq(waitpid(children[i], &status, 0), children[i]);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "process %d: %s", i,
                  WIFEXITED(status) && WEXITSTATUS(status) == 1 ? "found parts of two results" : "did not find each time");
  }
  only_file(); /* no temporary one is left */
}
END_TEST

/* ---- the limit ---------------------------------------------------------------------------------------------------------- */

/* Make a file of 100 bytes that was used so many seconds ago. */
static void make_aged(const char *name, time_t seconds_ago) {
  char path[700], bytes[100] = "";
  snprintf(path, sizeof path, "%s/%s", folder, name);
  write_file(path, bytes, sizeof bytes);
  time_t used = time(NULL) - seconds_ago;
  const struct timeval times[2] = {{used, 0}, {used, 0}};
  ck_assert_int_eq(utimes(path, times), 0);
}

static bool is_there(const char *name) {
  char path[700];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return !access(path, F_OK);
}

static void trim(uint64_t limit) {
  int opened = open(folder, O_RDONLY | O_DIRECTORY);
  ck_assert_int_ge(opened, 0);
  ts_cache_trim(opened, limit);
  close(opened);
}

START_TEST(cache_trim__removes_what_was_not_used_for_longest) {
  char below[300];
  snprintf(below, sizeof below, "%s/below", place);
  ck_assert_int_eq(mkdir(below, 0700), 0);
  ck_assert_int_eq(mkdir(folder, 0700), 0);
  make_aged("000000000000000a.program", 10);
  make_aged("000000000000000b.program", 40);
  make_aged("000000000000000c.program", 30);
  make_aged("000000000000000d.program", 20);
  make_aged("notes.program", 5000);
  make_aged("000000000000000e.txt", 5000);
  make_aged("000000000000000f.1-2.tmp", 5000);
  make_aged("000000000000000f.1-3.tmp", 50);

  trim(400);
  ck_assert_int_eq(files_in(folder), 7); /* all but the temporary file that nobody writes any more */
  ck_assert(!is_there("000000000000000f.1-2.tmp"));
  trim(399);
  ck_assert(!is_there("000000000000000b.program"));
  ck_assert_int_eq(files_in(folder), 6);
  trim(150);
  ck_assert(is_there("000000000000000a.program"));
  ck_assert_int_eq(files_in(folder), 4);
  trim(0);
  ck_assert_int_eq(files_in(folder), 3);
  ck_assert(is_there("notes.program") && is_there("000000000000000e.txt") && is_there("000000000000000f.1-3.tmp"));
}
END_TEST

START_TEST(cached_find__makes_a_file_the_latest_that_was_used) {
  store_result();
  const char *path = only_file();
  const struct timeval long_ago[2] = {{1000, 0}, {1000, 0}};
  ck_assert_int_eq(utimes(path, long_ago), 0);
  ck_assert(finds());
  struct stat facts;
  ck_assert_int_eq(stat(path, &facts), 0);
  ck_assert_int_gt(facts.st_mtime, time(NULL) - 100);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("cache");
  TCase *tests = tcase_create("all");
  suite_add_tcase(suite, tests);
  tcase_add_checked_fixture(tests, set_up, tear_down);
#define ROWS(table) (int)(sizeof table / sizeof table[0])
  tcase_add_test(tests, cached_find__gives_each_part_as_it_was_stored);
  tcase_add_test(tests, cached_store__takes_the_place_of_what_was_stored);
  tcase_add_test(tests, cached_find__misses_when_any_part_of_the_key_is_another);
  tcase_add_test(tests, cached_find__misses_when_only_the_files_name_is_the_same);
  tcase_add_loop_test(tests, cached_begin__leaves_options_alone_that_may_name_files, 0, ROWS(option_rows));
  tcase_add_loop_test(tests, cached_begin__leaves_a_text_alone_that_is_not_all_that_is_compiled, 0, ROWS(text_rows));
  tcase_add_loop_test(tests, cached_begin__does_as_TENSORSTORAGE_CACHE_says, 0, ROWS(switch_rows));
  tcase_add_test(tests, cached_begin__refuses_a_word_that_TENSORSTORAGE_CACHE_does_not_have);
  tcase_add_test(tests, cached_find__says_nothing_unless_it_is_asked_to);
  tcase_add_test(tests, cached_store__makes_the_folder_for_its_user_alone);
  tcase_add_test(tests, cached_store__chooses_the_folder_as_the_XDG_specification_does);
  tcase_add_test(tests, cached_store__does_without_a_folder);
  tcase_add_test(tests, cached_store__does_without_a_folder_that_can_not_be_made);
  tcase_add_test(tests, cached_find__does_not_use_a_folder_that_others_can_write);
  tcase_add_test(tests, cached_find__does_not_use_a_file_that_others_can_write);
  tcase_add_test(tests, cached_find__follows_no_link);
  tcase_add_test(tests, cached_find__waits_for_no_pipe);
  tcase_add_test(tests, cached_store__does_without_a_name_that_is_taken_by_a_folder);
  tcase_add_test(tests, cached_find__misses_a_file_that_is_cut_at_any_length);
  tcase_add_test(tests, cached_find__misses_a_file_with_any_byte_changed);
  tcase_add_test(tests, cached_find__says_that_another_version_wrote_it);
  tcase_add_test(tests, cached_store__leaves_nothing_when_the_disk_is_full);
  tcase_add_test(tests, cached_store__is_done_by_eight_processes_at_once);
  tcase_add_test(tests, cache_trim__removes_what_was_not_used_for_longest);
  tcase_add_test(tests, cached_find__makes_a_file_the_latest_that_was_used);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
