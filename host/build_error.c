/* SPDX-License-Identifier: Apache-2.0
 *
 * build_error.c: what a person reads when a program did not build. See build_error.h.
 */
#include "build_error.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "source.h"
#include "text.h"

/* Read ":12:5", ":12" or "(12)" after a file's name. Returns what follows, or NULL. */
static const char *read_position(const char *at, size_t *line, size_t *column) {
  char *end;
  if (at[0] == '(' && isdigit((unsigned char)at[1])) {
    *line = strtoul(at + 1, &end, 10);
    *column = 0;
    return *end == ')' && *line > 0 ? end + 1 : NULL;
  }
  if (at[0] != ':' || !isdigit((unsigned char)at[1])) return NULL;
  *line = strtoul(at + 1, &end, 10);
  *column = end[0] == ':' && isdigit((unsigned char)end[1]) ? strtoul(end + 1, &end, 10) : 0;
  return *line > 0 ? end : NULL;
}

/* Read where the error is, after a file's name: ":12:5:". Of a macro PoCL says ":12:5 <Spelling=…>:", and the spelling is a
 * place in the header, or the better one in the same file: "kernel.c:12:9". */
static bool read_place(const char *at, const char *name, size_t *line, size_t *column) {
  static const char spelling[] = " <Spelling=";
  const char *end = read_position(at, line, column);
  if (!end || strncmp(end, spelling, sizeof spelling - 1) != 0) return end && *end == ':';
  end += sizeof spelling - 1;
  size_t better_line, better_column;
  if (!strncmp(end, name, strlen(name)) && read_position(end + strlen(name), &better_line, &better_column)) {
    *line = better_line;
    *column = better_column;
  }
  return true;
}

/* A caret is shown by a line of its own: blanks, line numbers, bars and tildes around it. */
static bool is_caret_line(const char *at, size_t length) {
  return memchr(at, '^', length) && strspn(at, " \t|^~0123456789") >= length;
}

static bool caret_follows(const char *line) {
  for (int i = 0; i < 3 && *line; i++) {
    line += strcspn(line, "\n");
    line += *line == '\n';
    if (is_caret_line(line, strcspn(line, "\n"))) return true;
  }
  return false;
}

/* Whether a line of a log speaks of an error: the word, in any case ("fatal error", "ERROR"), before the message's end. */
static bool says_error(const char *at, size_t length) {
  for (size_t i = 0; i + 5 <= length; i++)
    if (tolower((unsigned char)at[i]) == 'e' && (!strncmp(at + i + 1, "rror", 4) || !strncmp(at + i + 1, "RROR", 4)))
      return true;
  return false;
}

bool ts_build_error_find(const char *log, const char *name, size_t *line, size_t *column, bool *shows_caret) {
  size_t name_length = strlen(name);
  for (const char *at = log; name_length > 0 && (at = strstr(at, name)); at++) {
    bool is_whole_name = at == log || strchr(" \n\t\"'(", at[-1]);
    if (!is_whole_name || !read_place(at + name_length, name, line, column)) continue;
    const char *start = at;
    while (start > log && start[-1] != '\n') start--;
    if (!says_error(start, strcspn(start, "\n"))) continue;
    *shows_caret = caret_follows(at);
    return true;
  }
  return false;
}

/* The line of the user's source that is line `at` of the text which the compiler was given, by the text's own #line; 0 if it
 * is of another file. */
static size_t source_line(const char *text, const char *name, size_t at) {
  size_t line = 0, name_length = strlen(name);
  bool is_source = false;
  for (size_t i = 1; i < at && *text; i++) {
    char *end;
    line++;
    if (!strncmp(text, "#line ", 6)) {
      line = strtoul(text + 6, &end, 10) - 1;
      if (!strncmp(end, " \"", 2)) is_source = !strncmp(end + 2, name, name_length) && end[2 + name_length] == '"';
    }
    text += strcspn(text, "\n");
    text += *text == '\n';
  }
  return is_source ? line + 1 : 0;
}

/* Print a line of the source, and a caret under one of its columns. */
static void print_line(ts_text *text, const char *source, const char *name, size_t line, size_t column) {
  enum { MAX_SHOWN = 200 };
  for (size_t i = 1; i < line && *source; i++) {
    source += strcspn(source, "\n");
    source += *source == '\n';
  }
  size_t length = strcspn(source, "\r\n");
  if (length == 0) return;
  ts_text_print(text, "\n%s:%zu:\n%.*s", name, line, (int)(length < MAX_SHOWN ? length : MAX_SHOWN), source);
  if (column == 0 || column > length + 1 || column > MAX_SHOWN) return;
  ts_text_append(text, "\n", 1);
  for (size_t i = 0; i + 1 < column; i++) ts_text_append(text, source[i] == '\t' ? "\t" : " ", 1);
  ts_text_append(text, "^", 1);
}

static void print_list(ts_text *text, const char *flag, const char *const *list) {
  for (; list && *list; list++) {
    ts_text_print(text, " %s", flag);
    if (strpbrk(*list, " \t\"\\"))
      ts_text_quote(text, *list);
    else
      ts_text_print(text, "%s", *list);
  }
}

static void print_options(ts_text *text, const ts_build_options *options) {
  size_t before = text->length;
  print_list(text, "-D", options->defines);
  print_list(text, "-I", options->include_dirs);
  if (options->standard) ts_text_print(text, " standard %s", options->standard);
  if (options->fast_math) ts_text_print(text, " fast math");
  if (options->extra) ts_text_print(text, " %s", options->extra);
  if (text->length == before) ts_text_print(text, " none");
}

/* ---- names that the header's macros made: what a compiler calls undeclared, and nobody wrote ------------------------ */

static bool is_name_char(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Where `part` is in a name, or NULL. */
static const char *find_part(const char *name, size_t length, const char *part) {
  size_t part_length = strlen(part);
  for (size_t i = 1; i + part_length <= length; i++)
    if (!strncmp(name + i, part, part_length)) return name + i;
  return NULL;
}

/* Whether a name ends with a dtype, and "xW" for a wide access or nothing. `length` becomes that of the dtype. */
static bool read_dtype(const char *name, size_t *length, bool *is_wide) {
  for (int dtype = 0; dtype < TS_DTYPE_COUNT; dtype++) {
    const char *text = ts_dtype_name((ts_dtype)dtype);
    size_t dtype_length = strlen(text);
    if (*length < dtype_length || strncmp(name, text, dtype_length) != 0) continue;
    const char *rest = name + dtype_length;
    size_t rest_length = *length - dtype_length;
    *is_wide = (rest_length == 2 && rest[0] == 'x' && strchr("248", rest[1])) || (rest_length == 3 && !strncmp(rest, "x16", 3));
    if (!*is_wide && rest_length != 0 && (rest_length != 2 || strncmp(rest, "x1", 2) != 0)) continue;
    *length = dtype_length;
    return true;
  }
  return false;
}

/* Whether a name is that of a policy of the table. */
static bool is_policy(const char *name, size_t length) {
#define TS_ROW(P, space, mutability, A, B, C) #P,
  static const char *const policies[] = {TS_POLICIES_NAMED(TS_ROW, , , ) TS_POLICIES_GENERIC(TS_ROW, , , )};
#undef TS_ROW
  for (size_t i = 0; i < sizeof policies / sizeof *policies; i++)
    if (strlen(policies[i]) == length && !strncmp(policies[i], name, length)) return true;
  return false;
}

/* Of a name that ts_load and its like, or a copy, make of a policy and a dtype. */
static bool print_storage_hint(ts_text *text, const char *name, size_t length) {
  enum { POLICY_BYTES = 32 };
  static const char *const parts[] = {"_load_", "_store_", "_offset_", "_distance_", "_element_size_", "_name_"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    const char *part = find_part(name, length, parts[i]);
    if (!part) continue;
    const char *dtype = part + strlen(parts[i]);
    int storage_length = (int)(part - name);
    size_t dtype_length = length - (size_t)(dtype - name);
    char with_prefix[POLICY_BYTES];
    bool is_wide;
    if (!read_dtype(dtype, &dtype_length, &is_wide)) continue;
    snprintf(with_prefix, sizeof with_prefix, "ts_%.*s", storage_length, name);
    if (!strncmp(name, "ts_", 3))
      ts_text_print(text,
                    "hint: %.*s is no policy; the header has such as ts_global, ts_global_const, ts_shared and ts_local\n",
                    storage_length, name);
    else if (is_policy(with_prefix, strlen(with_prefix)))
      ts_text_print(text, "hint: %.*s is no policy, and %s is one\n", storage_length, name, with_prefix);
    else if (is_wide)
      ts_text_print(
          text,
          "hint: the storage %.*s has no %.*s; TS_STORAGE_WIDTHS(%.*s, %.*s) makes its wide accesses of the narrow ones "
          "(docs/storages.md)\n",
          storage_length, name, (int)length, name, storage_length, name, (int)dtype_length, dtype);
    else
      ts_text_print(text, "hint: %.*s is no policy of the header, and as a storage it lacks %.*s (docs/storages.md)\n",
                    storage_length, name, (int)length, name);
    return true;
  }
  return false;
}

static bool print_hint(ts_text *text, const char *name, size_t length) {
  const char *layout_end = find_part(name, length, "_must_be_declared_as_a_layout");
  if (!layout_end) return print_storage_hint(text, name, length);
  int layout = (int)(layout_end - name);
  ts_text_print(
      text,
      "hint: no layout %.*s is declared before it is copied; TS_ROW_MAJOR_2(%.*s, rows, columns) and its like declare "
      "one (docs/copy.md)\n",
      layout, name, layout, name);
  return true;
}

static bool says(const char *at, size_t length, const char *words) {
  const char *found = strstr(at, words);
  return found && found < at + length;
}

/* Whether a text has a name, as a whole. */
static bool has_name(const char *text, const char *name, size_t length) {
  for (const char *at = text; *at; at++) {
    bool is_start = is_name_char(*at) && (at == text || !is_name_char(at[-1]));
    if (is_start && !strncmp(at, name, length) && !is_name_char(at[length])) return true;
  }
  return false;
}

static const char *next_line(const char *line) {
  line += strcspn(line, "\n");
  return line + (*line == '\n');
}

/* The kernel is written for a header that its text does not have. */
static bool lacks_header(const char *text) {
  return strstr(text, "TS_KERNEL(") && !strstr(text, "#line 1 \"tensorstorage.h\"\n");
}

/* A name of the header that is undeclared though the header has it: it was not asked for. */
static bool print_dynamic_hint(ts_text *text, const char *name, size_t length) {
  static const char layout[] = "ts_layout";
  if (strncmp(name, layout, sizeof layout - 1) != 0 || !has_name(ts_embedded_header, name, length)) return false;
  ts_text_print(text,
                "hint: %.*s is there where TS_USE_DYNAMIC_LAYOUTS is 1: write #define TS_USE_DYNAMIC_LAYOUTS 1 before the "
                "include of tensorstorage.h\n",
                (int)length, name);
  return true;
}

/* Say what is behind the first error of a text without the header; else what is behind the first name that the log calls
 * undeclared and that only the header can have. Returns the line of the log that does, or NULL. */
static const char *print_hints(ts_text *hints, const char *log, const ts_build_options *options, const char *source,
                               const char *text) {
  static const char *const undeclared[] = {"undeclared", "implicit declaration", "is undefined", "unknown type name"};
  enum { WORDS = sizeof undeclared / sizeof *undeclared };
  bool is_headless = lacks_header(text);
  for (; *log; log = next_line(log)) {
    size_t line_length = strcspn(log, "\n"), word = 0;
    if (!says_error(log, line_length)) continue;
    if (is_headless) {
      ts_text_print(hints,
                    "hint: %s uses TS_KERNEL and does not include its header: write #include \"tensorstorage.h\" before it\n",
                    options->name);
      return log;
    }
    while (word < WORDS && !says(log, line_length, undeclared[word])) word++;
    if (word == WORDS) continue;
    const char *guess = strstr(log, "did you mean"); /* a name that is declared */
    if (guess && guess < log + line_length) line_length = (size_t)(guess - log);
    for (size_t i = 0, length; i < line_length; i += length + !length) {
      for (length = 0; is_name_char(log[i + length]);) length++;
      if (length == 0) continue;
      if (print_dynamic_hint(hints, log + i, length)) return log;
      if (!has_name(source, log + i, length) && print_hint(hints, log + i, length)) return log;
    }
  }
  return NULL;
}

/* Cut off the errors after that of `line`, and print how many there were: they follow from it. */
static void cut_errors(ts_text *text, char *log, const char *line) {
  const char *end = NULL;
  size_t count = 0;
  for (line = next_line(line); *line; line = next_line(line)) {
    if (!says(line, strcspn(line, "\n"), "error: ")) continue;
    if (!end) end = line;
    count++;
  }
  if (!end) return;
  log[end - log] = 0;
  ts_text_print(text, "\n[%zu more error%s that may follow from this one]", count, count == 1 ? "" : "s");
}

/* A source that ends inside a function runs into the launch functions that follow it on a CPU (cpu.c). A compiler then names
 * the end of these, and no line of the source. */
static void print_end_hint(ts_text *text, const char *log, const char *name) {
  static const char launch[] = "<launch of ";
  for (size_t length; *log; log += length + (log[length] == '\n')) {
    length = strcspn(log, "\n");
    if (strncmp(log, launch, sizeof launch - 1) != 0 || !says_error(log, length)) continue;
    if (!says(log, length, "at end of input") && !says(log, length, "expected '}'")) continue;
    ts_text_print(text, "hint: %s ends inside a function or a type: a } is missing\n", name);
    return;
  }
}

void ts_build_error_present(ts_error *error, const char *target, const char *compiler, const ts_build_options *options,
                            const char *source, const char *text) {
  enum { LOG_BYTES_AT_LEAST = 512 };
  ts_text head = {0}, tail = {0};
  size_t line, column;
  bool shows_caret;
  char *log = error->message;

  ts_text_print(&head, "%s did not build for %s (%s)\noptions:", options->name, target, compiler);
  print_options(&head, options);
  ts_text_append(&head, "\n", 1);
  const char *hinted = print_hints(&head, log, options, source, text);
  print_end_hint(&head, log, options->name);
  if (hinted) cut_errors(&tail, log, hinted);
  bool is_found = ts_build_error_find(log, options->name, &line, &column, &shows_caret);
  if (is_found && !shows_caret)
    print_line(&tail, source, options->name, line, column);
  else if (!is_found && ts_build_error_find(log, "input.cl", &line, &column, &shows_caret) &&
           source_line(text, options->name, line) > 0)
    print_line(&tail, source, options->name, source_line(text, options->name, line), column);

  size_t room = sizeof error->message - LOG_BYTES_AT_LEAST, length = strlen(log);
  while (length > 0 && isspace((unsigned char)log[length - 1])) log[--length] = 0;
  if (!head.failed && !tail.failed && head.length + tail.length < room) {
    ts_text_cut(log, length, 0, sizeof error->message - head.length - tail.length);
    length = strlen(log);
    memmove(log + head.length, log, length + 1);
    memcpy(log, head.chars, head.length);
    if (tail.length > 0) memcpy(log + head.length + length, tail.chars, tail.length + 1);
  }
  free(head.chars);
  free(tail.chars);
}
