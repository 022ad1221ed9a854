/* SPDX-License-Identifier: Apache-2.0
 *
 * signature.c: read the signatures of a source's kernels. See signature.h, and core/signature.h for what is read.
 *
 * The preprocessor is libmcpp: its state is global, so one thread uses it at a time, and it reads a file by its name, so the
 * text goes into a temporary one.
 */
#include "signature.h"

#include <ctype.h>
#include <errno.h>
#include <mcpp_lib.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend.h"
#include "source.h"

static const char call[] = "ts_program_build";

static ts_status fail_memory(ts_error *error) {
  return ts_fail(error, TS_ERROR_MEMORY, 0, call, "no memory for the kernels' signatures");
}

/* ---- the table -------------------------------------------------------------------------------------------------- */

static void free_signature(ts_signature *signature) {
  for (size_t i = 0; i < signature->parameter_count; i++) free((char *)signature->parameters[i].name);
  free((ts_parameter *)signature->parameters);
  free((char *)signature->kernel);
}

void ts_signatures_free(ts_signatures *signatures) {
  for (size_t i = 0; i < signatures->count; i++) free_signature(&signatures->rows[i]);
  free(signatures->rows);
  *signatures = (ts_signatures){0};
}

/* Add a signature without parameters. Returns NULL when memory ran out. */
static ts_signature *add_kernel(ts_signatures *signatures, const char *kernel, size_t length) {
  ts_signature *rows = realloc(signatures->rows, (signatures->count + 1) * sizeof *rows);
  if (!rows) return NULL;
  signatures->rows = rows;
  char *name = strndup(kernel, length);
  if (!name) return NULL;
  rows[signatures->count] = (ts_signature){.kernel = name, .is_checked = true};
  return &rows[signatures->count++];
}

static bool add_parameter(ts_signature *signature, const ts_parameter *parameter) {
  size_t count = signature->parameter_count;
  ts_parameter *rows = realloc((ts_parameter *)signature->parameters, (count + 1) * sizeof *rows);
  if (!rows) return false;
  signature->parameters = rows;
  rows[count] = *parameter;
  rows[count].name = strdup(parameter->name);
  if (!rows[count].name) return false;
  signature->parameter_count++;
  return true;
}

ts_status ts_signatures_add_unchecked(ts_signatures *signatures, const char *kernel, size_t parameter_count, ts_error *error) {
  ts_signature *signature = add_kernel(signatures, kernel, strlen(kernel));
  if (!signature) return fail_memory(error);
  signature->is_checked = false;
  for (size_t i = 0; i < parameter_count; i++) {
    char position[24];
    snprintf(position, sizeof position, "%zu", i);
    if (!add_parameter(signature, &(ts_parameter){.name = position})) return fail_memory(error);
  }
  return TS_OK;
}

void ts_signature_print(ts_text *text, const ts_signature *signature) {
  ts_text_print(text, "%s(", signature->kernel);
  for (size_t i = 0; i < signature->parameter_count; i++) {
    const ts_parameter *parameter = &signature->parameters[i];
    const char *dtype = ts_dtype_name(parameter->dtype), *separator = i ? ", " : "";
    if (!signature->is_checked)
      ts_text_print(text, "%s%s", separator, parameter->name);
    else if (parameter->is_scalar)
      ts_text_print(text, "%s%s %s", separator, dtype, parameter->name);
    else if (parameter->is_const && parameter->space != TS_SPACE_constant)
      ts_text_print(text, "%s%s const %s %s", separator, ts_space_name(parameter->space), dtype, parameter->name);
    else
      ts_text_print(text, "%s%s %s %s", separator, ts_space_name(parameter->space), dtype, parameter->name);
  }
  ts_text_print(text, ")");
}

/* ---- tokens ----------------------------------------------------------------------------------------------------- */

typedef struct token {
  const char *chars;
  size_t length; /* 0 at the end of the text */
} token;

typedef struct reader {
  const char *at;
  token token;      /* the current one */
  const char *file; /* of the current token, as #line says; in quotes */
  size_t file_length;
  size_t line;
  bool has_index_32; /* ts_index is 32 bits wide */
} reader;

static bool is_word_char(char c) { return isalnum((unsigned char)c) || c == '_'; }

static bool is_word(token t) { return t.length > 0 && is_word_char(t.chars[0]) && !isdigit((unsigned char)t.chars[0]); }

static bool is(token t, const char *text) { return t.length == strlen(text) && !strncmp(t.chars, text, t.length); }

/* Past a line that starts with #, learning from `#line 12 "file"` where the text came from. */
static void read_directive(reader *r) {
  const char *end = r->at + strcspn(r->at, "\n");
  size_t line;
  int name = 0;
  if (sscanf(r->at, "#line %zu %n", &line, &name) == 1) {
    r->line = line - 1; /* the line end of the directive counts one */
    r->file = r->at + name;
    r->file_length = r->file < end ? (size_t)(end - r->file) : 0;
  }
  r->at = end;
}

/* Past a string or character constant. */
static void read_string(reader *r) {
  char quote = *r->at++;
  while (*r->at && *r->at != quote && *r->at != '\n') r->at += r->at[0] == '\\' && r->at[1] ? 2 : 1;
  if (*r->at == quote) r->at++;
}

static void advance(reader *r) {
  for (bool is_line_start = false;; r->at++) {
    if (*r->at == '\n') {
      r->line++;
      is_line_start = true;
    } else if (*r->at == '#' && is_line_start) {
      read_directive(r);
      r->at--;
    } else if (*r->at != ' ' && *r->at != '\t' && *r->at != '\r') {
      break;
    }
  }
  const char *start = r->at;
  if (*r->at == '"' || *r->at == '\'')
    read_string(r);
  else if (is_word_char(*r->at))
    while (is_word_char(*r->at)) r->at++;
  else if (*r->at)
    r->at++;
  r->token = (token){start, (size_t)(r->at - start)};
}

/* ---- one kernel ------------------------------------------------------------------------------------------------- */

enum { MAX_PARAMETER_TOKENS = 16 };

/* The tokens of one parameter, without const, which says nothing about a value. */
typedef struct parameter_tokens {
  token tokens[MAX_PARAMETER_TOKENS];
  size_t count;
} parameter_tokens;

static ts_status fail_at(const reader *r, const char *kernel, ts_error *error, const char *text) {
  return ts_fail(error, TS_ERROR_BUILD, 0, call, "%.*s, line %zu: kernel \"%s\": %s", (int)r->file_length, r->file, r->line,
                 kernel, text);
}

/* Copy tokens, a blank between each two, cut to fit. */
static void join(char *text, size_t bytes, const token *tokens, size_t count) {
  size_t length = 0;
  text[0] = 0;
  for (size_t i = 0; i < count && length < bytes; i++)
    length += (size_t)snprintf(text + length, bytes - length, "%s%.*s", i ? " " : "", (int)tokens[i].length, tokens[i].chars);
}

/* The dtype of a scalar parameter's type as it is spelled in the source. */
static bool scalar_dtype(const reader *r, ts_dtype *dtype, const char *type) {
  static const struct {
    const char *type;
    ts_dtype dtype;
  } c_types[] = {
      {"float", TS_DTYPE_f32}, {"double", TS_DTYPE_f64},       {"int", TS_DTYPE_i32},
      {"uint", TS_DTYPE_u32},  {"unsigned int", TS_DTYPE_u32}, {"unsigned", TS_DTYPE_u32},
  };
  for (size_t i = 0; i < sizeof c_types / sizeof c_types[0]; i++)
    if (!strcmp(type, c_types[i].type)) {
      *dtype = c_types[i].dtype;
      return true;
    }
  if (!strcmp(type, "ts_index")) {
    *dtype = r->has_index_32 ? TS_DTYPE_i32 : TS_DTYPE_i64;
    return true;
  }
  return !strncmp(type, "ts_", 3) && ts_dtype_from_name(dtype, type + 3);
}

static bool space_from_name(ts_space *space, const char *name) {
  for (int i = 0; i < TS_SPACE_END; i++)
    if (!strcmp(name, ts_space_name((ts_space)i))) {
      *space = (ts_space)i;
      return true;
    }
  return false;
}

/* ts_argument ( space , mutability , dtype ) name */
static bool is_pointer(const parameter_tokens *p) {
  const token *t = p->tokens;
  return p->count == 9 && is(t[0], "ts_argument") && is(t[1], "(") && is(t[3], ",") && is(t[5], ",") && is(t[7], ")") &&
         is_word(t[8]);
}

static ts_status parse_parameter(const reader *r, const parameter_tokens *p, ts_signature *signature, ts_error *error) {
  char name[256], type[256], problem[1024];
  ts_parameter parameter = {.name = name};
  bool is_scalar = p->count >= 2 && !is(p->tokens[0], "ts_argument") && is_word(p->tokens[p->count - 1]);

  if (is_pointer(p)) {
    char space[32];
    join(space, sizeof space, &p->tokens[2], 1);
    join(type, sizeof type, &p->tokens[6], 1);
    join(name, sizeof name, &p->tokens[8], 1);
    parameter.is_const = is(p->tokens[4], "CONST");
    if (space_from_name(&parameter.space, space) && ts_dtype_from_name(&parameter.dtype, type))
      return add_parameter(signature, &parameter) ? TS_OK : fail_memory(error);
    snprintf(problem, sizeof problem, "parameter \"%s\": \"%s\" is no dtype; use one such as f32, bf16 or i64", name, type);
  } else if (is_scalar) {
    join(type, sizeof type, p->tokens, p->count - 1);
    join(name, sizeof name, &p->tokens[p->count - 1], 1);
    parameter.is_scalar = true;
    if (scalar_dtype(r, &parameter.dtype, type)) return add_parameter(signature, &parameter) ? TS_OK : fail_memory(error);
    snprintf(
        problem, sizeof problem,
        "parameter \"%s\": \"%s\" is not the same type on every device; use ts_ and a dtype (ts_i64, ts_f16), float, double, "
        "int, unsigned, uint or ts_index, or for memory TS_GLOBAL_ARG(f32) and its like",
        name, type);
  } else {
    join(type, sizeof type, p->tokens, p->count);
    snprintf(problem, sizeof problem,
             "\"%s\" is no parameter; write a type and a name, such as TS_GLOBAL_ARG(f32) x_cells or float a, or void alone "
             "for none",
             type);
  }
  return fail_at(r, signature->kernel, error, problem);
}

/* Collect the tokens up to the comma or the parenthesis that ends a parameter; what is too long is cut, and then no parameter.
 */
static void collect(reader *r, parameter_tokens *p) {
  p->count = 0;
  for (int depth = 0; r->token.length > 0; advance(r)) {
    if (depth == 0 && (is(r->token, ",") || is(r->token, ")"))) return;
    depth += is(r->token, "(") - is(r->token, ")");
    if (!is(r->token, "const") && p->count < MAX_PARAMETER_TOKENS) p->tokens[p->count++] = r->token;
  }
}

/* name ( parameters ) ts_signature_end */
static ts_status parse_kernel(reader *r, ts_signatures *signatures, ts_error *error) {
  ts_signature *signature = add_kernel(signatures, r->token.chars, r->token.length);
  if (!signature) return fail_memory(error);
  advance(r);
  if (!is(r->token, "("))
    return fail_at(r, signature->kernel, error, "the parameters stand in parentheses of their own: TS_KERNEL(name, (float a))");
  do {
    parameter_tokens p;
    advance(r);
    collect(r, &p);
    bool is_alone = signature->parameter_count == 0 && is(r->token, ")");
    if (is_alone && (p.count == 0 || (p.count == 1 && is(p.tokens[0], "void")))) break;
    if (parse_parameter(r, &p, signature, error) != TS_OK) return error->status;
  } while (is(r->token, ","));
  advance(r);
  if (!is(r->token, "ts_signature_end"))
    return fail_at(r, signature->kernel, error,
                   "something follows the parameters: write TS_KERNEL(name, (float a)) and then the body");
  return TS_OK;
}

ts_status ts_signatures_parse(ts_signatures *signatures, const char *preprocessed, ts_error *error) {
  reader r = {.at = preprocessed, .file = "", .line = 1};
  r.has_index_32 = strstr(preprocessed, "ts_signature_index_32") != NULL;
  if (*preprocessed == '#') read_directive(&r);
  for (advance(&r); r.token.length > 0; advance(&r)) {
    if (!is(r.token, "ts_signature_begin")) continue;
    advance(&r);
    if (parse_kernel(&r, signatures, error) != TS_OK) break;
  }
  return error->status;
}

/* ---- the preprocessor ------------------------------------------------------------------------------------------- */

/* Write a text into a new temporary file, to be removed by the caller.
 *
 * path    out: its name, to be freed; NULL if there is none
 * Errors  TS_ERROR_FILE, TS_ERROR_MEMORY */
static ts_status write_temporary(char **path, const char *text, ts_error *error) {
  const char *folder = getenv("TMPDIR");
  if (!folder || !*folder) folder = "/tmp";
  ts_text name = {0};
  ts_text_print(&name, "%s/tensorstorage-XXXXXX", folder);
  if (name.failed) return fail_memory(error);

  int descriptor = mkstemp(name.chars);
  FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
  bool written = file && fputs(text, file) >= 0;
  if (file) written = fclose(file) == 0 && written;
  if (!file && descriptor >= 0) close(descriptor);
  if (written) {
    *path = name.chars;
    return TS_OK;
  }
  ts_fail(error, TS_ERROR_FILE, errno, "mkstemp",
          "no temporary file could be written in %s: %s; set TMPDIR to a folder that can be written", folder, strerror(errno));
  if (descriptor >= 0) unlink(name.chars);
  free(name.chars);
  return error->status;
}

/* Whether the preprocessor found no memory: it says so, or had none to say it. */
static bool lacked_memory(const char *complaint) {
  return complaint && (!*complaint || strstr(complaint, "Out of memory (required size is "));
}

/* Run the preprocessor over a file. Returns whether it had no complaint; both texts are to be freed, and are NULL if memory ran
 * out, the complaint also if there is none.
 *
 * broken  out: whether it found no memory the last time: libmcpp keeps pointers to what it freed then, and would free it again,
 *         so it is not called any more */
static bool preprocess(const char *path, const char *const *include_dirs, char **output, char **complaint, bool *broken) {
  static bool is_broken;
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static const char *const fixed[] = {"mcpp", "-N", "-I-", "-V199901L", "-W0"};
  enum { FIXED = sizeof fixed / sizeof fixed[0] };
  size_t dirs = 0;
  while (include_dirs && include_dirs[dirs]) dirs++;
  char **arguments = calloc(FIXED + dirs + 2, sizeof *arguments);
  bool complete = arguments != NULL;
  for (size_t i = 0; complete && i < FIXED + dirs + 1; i++) {
    ts_text argument = {0};
    if (i < FIXED)
      ts_text_print(&argument, "%s", fixed[i]);
    else if (i < FIXED + dirs)
      ts_text_print(&argument, "-I%s", include_dirs[i - FIXED]);
    else
      ts_text_print(&argument, "%s", path);
    arguments[i] = argument.chars;
    complete = !argument.failed;
  }
  bool succeeded = false;
  if (complete) {
    pthread_mutex_lock(&lock);
    *broken = is_broken;
    if (!is_broken) {
      mcpp_use_mem_buffers(1);
      succeeded = mcpp_lib_main((int)(FIXED + dirs + 1), arguments) == 0;
      const char *text = mcpp_get_mem_buffer(OUT), *errors = mcpp_get_mem_buffer(ERR);
      is_broken = !succeeded && lacked_memory(errors ? errors : "");
      *output = strdup(text ? text : "");
      *complaint = succeeded ? NULL : strdup(errors ? errors : "");
      mcpp_use_mem_buffers(1); /* frees them; with 0 it would free them again the next time */
    }
    pthread_mutex_unlock(&lock);
  }
  for (size_t i = 0; arguments && arguments[i]; i++) free(arguments[i]);
  free(arguments);
  return succeeded;
}

/* What the preprocessor complained of, with the source's name for the file's; to be freed. NULL if memory ran out. */
static char *complaint_of(const char *complaint, const char *path, const char *name) {
  ts_text text = {0};
  for (const char *line = complaint, *end; *line; line = end) {
    end = line + strcspn(line, "\n");
    end += *end != 0;
    const char *at = strstr(line, path), *rest = line;
    if (!strncmp(line, "Unknown encoding: ", strlen("Unknown encoding: "))) continue; /* of the locale */
    if (at && at < end) {
      ts_text_append(&text, line, (size_t)(at - line));
      ts_text_print(&text, "%s", name);
      rest = at + strlen(path);
    }
    ts_text_append(&text, rest, (size_t)(end - rest));
  }
  if (!text.failed) return text.chars;
  free(text.chars);
  return NULL;
}

/* Preprocess a text.
 *
 * output  out: to be freed; NULL if the preprocessor complained, and *unread then says what */
static ts_status preprocess_text(char **output, const char *text, const char *name, const char *const *include_dirs,
                                 char **unread, ts_error *error) {
  char *path = NULL, *complaint = NULL;
  bool broken = false;
  if (write_temporary(&path, text, error) != TS_OK) return error->status;
  if (!preprocess(path, include_dirs, output, &complaint, &broken)) {
    free(*output);
    *output = NULL;
    if (complaint && !lacked_memory(complaint)) *unread = complaint_of(complaint, path, name);
    free(complaint);
  }
  unlink(path);
  free(path);
  if (broken)
    return ts_fail(error, TS_ERROR_MEMORY, 0, "mcpp_lib_main",
                   "the preprocessor found no memory for an earlier program, and can't be used again: start a new process");
  return *output || *unread ? TS_OK : fail_memory(error);
}

ts_status ts_signatures_read(ts_signatures *signatures, const char *text, const char *name, const char *const *include_dirs,
                             char **unread, ts_error *error) {
  static const char index_probe[] = "\n#ifdef TS_INDEX_32\nts_signature_index_32\n#endif\n";
  *unread = NULL;
  ts_text readable = {0};
  ts_text_print(&readable, "#define TS_READ_SIGNATURES 1\n%s%s", text, index_probe);
  if (readable.failed) {
    free(readable.chars);
    return fail_memory(error);
  }
  ts_source_blank(readable.chars);
  char *preprocessed = NULL;
  if (preprocess_text(&preprocessed, readable.chars, name, include_dirs, unread, error) == TS_OK && preprocessed)
    ts_signatures_parse(signatures, preprocessed, error);
  free(readable.chars);
  free(preprocessed);
  return error->status;
}
