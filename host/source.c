/* SPDX-License-Identifier: Apache-2.0
 *
 * source.c: make one text of a user's source. See source.h.
 */
#include "source.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"

/* ---- finding directives ---------------------------------------------------------------------------------------- */

/* Past the next comment, string, character constant, spliced line end or single character. */
static const char *skip(const char *at) {
  if (at[0] == '/' && at[1] == '*') {
    const char *end = strstr(at + 2, "*/");
    return end ? end + 2 : at + strlen(at);
  }
  if (at[0] == '/' && at[1] == '/') {
    while (*at && *at != '\n') at = at[0] == '\\' && at[1] == '\n' ? at + 2 : at + 1;
    return at;
  }
  if (*at == '"' || *at == '\'') {
    char quote = *at++;
    while (*at && *at != quote && *at != '\n') at += at[0] == '\\' && at[1] ? 2 : 1;
    return *at == quote ? at + 1 : at;
  }
  if (at[0] == '\\' && at[1] == '\n') return at + 2;
  return at + 1;
}

/* Past blanks, comments and spliced line ends, as they may stand between the words of a directive. */
static const char *skip_blanks(const char *at) {
  while (*at == ' ' || *at == '\t' || (at[0] == '\\' && at[1] == '\n') || (at[0] == '/' && at[1] == '*')) at = skip(at);
  return at;
}

/* A directive, from its # to the end of its line. */
typedef struct directive {
  const char *begin, *end; /* end: the line end, or the text's */
  const char *name;        /* its first word */
  size_t name_length;
  const char *rest; /* what follows the word */
} directive;

/* The next directive, outside comments and strings. Returns false at the end of the text. */
static bool next_directive(directive *found, const char *at, bool at_line_start) {
  while (*at) {
    if (at_line_start && *at == '#') {
      found->begin = found->end = at;
      while (*found->end && *found->end != '\n') found->end = skip(found->end);
      found->name = skip_blanks(at + 1);
      found->rest = found->name;
      while (isalpha((unsigned char)*found->rest) || *found->rest == '_') found->rest++;
      found->name_length = (size_t)(found->rest - found->name);
      found->rest = skip_blanks(found->rest);
      return true;
    }
    if (*at == '\n')
      at_line_start = true;
    else if (*at != ' ' && *at != '\t' && *at != '\r' && *at != '\\' && !(at[0] == '/' && at[1] == '*'))
      at_line_start = false;
    at = skip(at);
  }
  return false;
}

static bool is_named(const directive *d, const char *name) {
  return d->name_length == strlen(name) && !strncmp(d->name, name, d->name_length);
}

/* The file that an #include names, to be freed; NULL for another directive, or an include that names a macro. *lacks_memory is
 * set where memory ran out, here and below. */
static char *included_file(const directive *d, bool *lacks_memory) {
  if (!is_named(d, "include") || (*d->rest != '"' && *d->rest != '<')) return NULL;
  char close = *d->rest == '"' ? '"' : '>';
  size_t length = 0;
  while (d->rest + 1 + length < d->end && d->rest[1 + length] != close) length++;
  if (d->rest + 1 + length >= d->end) return NULL;
  char *name = strndup(d->rest + 1, length);
  *lacks_memory = *lacks_memory || !name;
  return name;
}

static bool is_pragma_once(const directive *d) { return is_named(d, "pragma") && !strncmp(d->rest, "once", 4); }

/* ---- putting files in place ------------------------------------------------------------------------------------ */

/* A file that is being put in place, and the one that includes it. */
typedef struct place {
  const char *name;
  const struct place *includer; /* NULL: this is the source itself */
} place;

typedef struct flattening {
  ts_text *text;
  const char *header;
  const char *const *include_dirs;
  ts_text once; /* files that said #pragma once, each between line ends */
  bool has_header;
  ts_error *error;
} flattening;

static void flatten(flattening *f, const char *source, const place *here);

/* A whole file, to be freed; NULL if it can't be read. */
static char *read_file(const char *path, bool *lacks_memory) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  ts_text text = {0};
  char block[4096];
  size_t length;
  while ((length = fread(block, 1, sizeof block, file)) > 0) ts_text_append(&text, block, length);
  ts_text_append(&text, "", 0);
  if (ferror(file) || text.failed) {
    free(text.chars);
    text.chars = NULL;
  }
  *lacks_memory = *lacks_memory || text.failed;
  fclose(file);
  return text.chars;
}

/* The contents of DIR/NAME, and its path; both to be freed, NULL if there is no such file. */
static char *read_in(const char *dir, size_t dir_length, const char *name, char **path, bool *lacks_memory) {
  ts_text joined = {0};
  ts_text_print(&joined, "%.*s/%s", (int)dir_length, dir, name);
  char *contents = joined.failed ? NULL : read_file(joined.chars, lacks_memory);
  *lacks_memory = *lacks_memory || joined.failed;
  *path = contents ? joined.chars : NULL;
  if (!contents) free(joined.chars);
  return contents;
}

/* Find a header of the user's: beside the header that includes it, then in the include folders. */
static char *find_header(flattening *f, const place *here, const char *name, char **path) {
  bool *lacks_memory = &f->text->failed; /* so that an unread header is not taken for one that is not there */
  const char *slash = here->includer ? strrchr(here->name, '/') : NULL;
  char *contents = slash ? read_in(here->name, (size_t)(slash - here->name), name, path, lacks_memory) : NULL;
  for (const char *const *dir = f->include_dirs; dir && *dir && !contents; dir++)
    contents = read_in(*dir, strlen(*dir), name, path, lacks_memory);
  return contents;
}

static bool said_once(const flattening *f, const char *path) {
  const char *at = f->once.chars;
  for (size_t length = strlen(path); at && (at = strstr(at, path)); at++)
    if (at[-1] == '\n' && at[length] == '\n') return true;
  return false;
}

static bool is_being_included(const place *here, const char *path) {
  for (; here; here = here->includer)
    if (!strcmp(here->name, path)) return true;
  return false;
}

/* Put the file of one include line in place. Returns false if it is the compiler's to find. */
static bool place_include(flattening *f, const char *name, const place *here) {
  if (!strcmp(name, "tensorstorage.h")) {
    f->has_header = true;
    ts_text_print(f->text, "#line 1 \"tensorstorage.h\"\n");
    ts_text_append(f->text, f->header, strlen(f->header));
    ts_text_append(f->text, "\n", 1);
    return true;
  }
  char *path = NULL, *contents = find_header(f, here, name, &path);
  if (!contents) return false;
  if (!said_once(f, path) && !is_being_included(here, path)) {
    flatten(f, contents, &(place){.name = path, .includer = here});
    ts_text_append(f->text, "\n", 1);
  }
  free(path);
  free(contents);
  return true;
}

static size_t lines_in(const char *begin, const char *end) {
  size_t lines = 0;
  for (; begin < end; begin++) lines += *begin == '\n';
  return lines;
}

static size_t depth_of(const place *here) {
  size_t depth = 0;
  for (; here; here = here->includer) depth++;
  return depth;
}

static void print_line(ts_text *text, size_t line, const char *name) {
  ts_text_print(text, "#line %zu ", line);
  ts_text_quote(text, name);
}

static void flatten(flattening *f, const char *source, const place *here) {
  enum { MAX_DEPTH = 64 };
  if (depth_of(here) > MAX_DEPTH) {
    ts_fail(f->error, TS_ERROR_USAGE, 0, "ts_program_build",
            "includes are nested deeper than %d, at last in %s; does a file include itself?", MAX_DEPTH, here->name);
    return;
  }
  static const char byte_order_mark[] = "\xef\xbb\xbf"; /* some editors put it first; compilers disagree on it */
  if (!strncmp(source, byte_order_mark, sizeof byte_order_mark - 1)) source += sizeof byte_order_mark - 1;
  size_t line = 1;
  print_line(f->text, line, here->name);
  ts_text_append(f->text, "\n", 1);
  const char *at = source;
  directive d;
  while (f->error->status == TS_OK && next_directive(&d, at, at == source || at[-1] == '\n')) {
    ts_text_append(f->text, at, (size_t)(d.begin - at));
    line += lines_in(at, d.end);
    char *name = included_file(&d, &f->text->failed);
    if (name && place_include(f, name, here))
      print_line(f->text, line + 1, here->name);
    else if (here->includer && is_pragma_once(&d))
      ts_text_print(&f->once, "\n%s\n", here->name);
    else
      ts_text_append(f->text, d.begin, (size_t)(d.end - d.begin));
    free(name);
    at = d.end;
  }
  ts_text_append(f->text, at, strlen(at));
}

ts_status ts_source_flatten(ts_text *text, const char *source, const char *header, const ts_build_options *options,
                            bool *has_header, ts_error *error) {
  flattening f = {.text = text, .header = header, .include_dirs = options->include_dirs, .error = error};
  flatten(&f, source, &(place){.name = options->name});
  if (text->failed || f.once.failed)
    ts_fail(error, TS_ERROR_MEMORY, 0, "ts_program_build", "no memory for the text of %s", options->name);
  free(f.once.chars);
  *has_header = f.has_header;
  return error->status;
}

/* ---- options and signatures ------------------------------------------------------------------------------------- */

ts_status ts_source_defines(ts_text *text, const ts_build_options *options, ts_error *error) {
  for (const char *const *define = options->defines; define && *define; define++) {
    const char *name = *define, *equals = strchr(name, '=');
    if ((!isalpha((unsigned char)*name) && *name != '_') || strchr(name, '\n'))
      return ts_fail(error, TS_ERROR_USAGE, 0, "ts_program_build",
                     "\"%s\" defines no macro; write NAME or NAME=VALUE, on one line", name);
    int name_length = (int)(equals ? equals - name : (ptrdiff_t)strlen(name));
    ts_text_print(text, "#define %.*s %s\n", name_length, name, equals ? equals + 1 : "1");
  }
  return TS_OK;
}

const char *ts_source_reaches_out(const char *text) {
  static const char *const directives[] = {"#include", "#include_next", "#import", "#embed"};
  static const char *const words[] = {"__DATE__", "__TIME__", "__TIMESTAMP__", "__has_include", "__has_embed", ".incbin"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (strstr(text, words[i])) return words[i];
  directive d;
  for (const char *at = text; next_directive(&d, at, at == text || at[-1] == '\n'); at = d.end)
    for (size_t i = 0; i < sizeof directives / sizeof directives[0]; i++)
      if (is_named(&d, directives[i] + 1)) return directives[i];
  return NULL;
}

void ts_source_blank(char *text) {
  directive d;
  for (const char *at = text; next_directive(&d, at, at == text || at[-1] == '\n'); at = d.end) {
    bool is_system_include = is_named(&d, "include") && *d.rest == '<';
    if (!is_system_include && !is_named(&d, "warning")) continue;
    for (char *c = text + (d.begin - text); c < d.end; c++)
      if (*c != '\n') *c = ' ';
  }
}
