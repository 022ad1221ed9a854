/* SPDX-License-Identifier: Apache-2.0
 *
 * argument.c: what one `--arg NAME=WHAT` of `tensorstorage run` says.
 */
#include "host/tool/argument.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "host/tool/options.h"
#include "text.h"

static const char command[] = "run";

enum { FIELDS_MAX = 3 }; /* of WHAT, between colons */

/* Split at colons, in place; the last field takes those that are too many. Returns how many there are. */
static int split(const char *fields[FIELDS_MAX], char *what) {
  int count = 0;
  for (char *at = what; at && count < FIELDS_MAX; count++) {
    fields[count] = at;
    at = count + 1 < FIELDS_MAX ? strchr(at, ':') : NULL;
    if (at) *at++ = '\0';
  }
  return count;
}

static bool is_npy(const char *name) {
  static const char ending[] = ".npy";
  size_t length = strlen(name), ending_length = sizeof ending - 1;
  return length > ending_length && !strcmp(name + length - ending_length, ending);
}

/* No dtype has this name: say so, with the nearest. */
static int fail_dtype(const run_argument *a, const char *word) {
  const char *names[TS_DTYPE_COUNT];
  for (int i = 0; i < TS_DTYPE_COUNT; i++) names[i] = ts_dtype_name((ts_dtype)i);
  const char *nearest = ts_name_nearest(word, names, TS_DTYPE_COUNT);
  return tool_usage_error(command, "--arg %s: \"%s\" is no dtype%s%s", a->name, word, nearest ? "; the nearest is " : "",
                          nearest ? nearest : "; they are f32, bf16, i64 and the like");
}

static int take_dtype(run_argument *a, const char *word) {
  a->has_dtype = ts_dtype_from_name(&a->dtype, word);
  return a->has_dtype ? OPTION_TAKEN : fail_dtype(a, word);
}

static int take_output(run_argument *a, const char *name) {
  if (!is_npy(name))
    return tool_usage_error(command, "--arg %s: an output's name ends with .npy and has no colon in it; this one is \"%s\"",
                            a->name, name);
  a->output = name;
  return OPTION_TAKEN;
}

/* 64,16 */
static int take_shape(run_argument *a, const char *text) {
  npy_header *h = &a->header;
  *h = (npy_header){.dtype = a->dtype, .elements = 1};
  const char *at = text;
  do {
    char *end = NULL;
    uint64_t length = isdigit((unsigned char)*at) ? strtoull(at, &end, 10) : 0;
    if (!end || (*end && *end != ',') || h->rank == NPY_RANK_MAX)
      return tool_usage_error(command, "--arg %s: a shape is one number or several, e.g. 1024 or 64,16, not \"%s\"", a->name,
                              text);
    h->shape[h->rank++] = length;
    size_t most = (size_t)INT64_MAX / ts_dtype_bytes(a->dtype);
    if (length > INT64_MAX || (length > 0 && h->elements > most / length))
      return tool_usage_error(command, "--arg %s: the shape %s has more than 2^63 bytes", a->name, text);
    h->elements *= length;
    at = *end ? end + 1 : NULL;
  } while (at);
  return OPTION_TAKEN;
}

/* @IN.npy[:DTYPE][:OUT.npy] or @IN.npy[:DTYPE]:- */
static int parse_input(run_argument *a, const char *const *fields, int count) {
  a->kind = ARGUMENT_INPUT;
  a->input = fields[0] + 1;
  if (!*a->input) return tool_usage_error(command, "--arg %s: @ is followed by a file's name, e.g. @in.npy", a->name);
  int at = 1;
  bool names_dtype = count == FIELDS_MAX || (count == 2 && !is_npy(fields[1]) && strcmp(fields[1], "-") != 0);
  if (names_dtype && take_dtype(a, fields[at++]) != OPTION_TAKEN) return TOOL_USAGE;
  a->is_printed = at < count && !strcmp(fields[at], "-");
  return at < count && !a->is_printed ? take_output(a, fields[at]) : OPTION_TAKEN;
}

/* OUT.npy:DTYPE:SHAPE or -:DTYPE:SHAPE */
static int parse_output(run_argument *a, const char *const *fields, int count) {
  bool is_printed = !strcmp(fields[0], "-");
  a->kind = is_printed ? ARGUMENT_PRINT : ARGUMENT_OUTPUT;
  a->is_printed = is_printed;
  if (count == FIELDS_MAX && !is_npy(fields[0]) && isdigit((unsigned char)fields[0][strspn(fields[0], "+-.")]))
    return tool_usage_error(command,
                            "--arg %s: a number has no shape; a scalar is --arg %s=%s, an output --arg %s=out.npy:%s:%s",
                            a->name, a->name, fields[0], a->name, fields[1], fields[2]);
  if (count < FIELDS_MAX)
    return tool_usage_error(command, "--arg %s: say what %s is to be: %s:f32:1024, dtype and shape; or @%s to read it", a->name,
                            fields[0], fields[0], is_printed ? "in.npy" : fields[0]);
  if (!is_printed && take_output(a, fields[0]) != OPTION_TAKEN) return TOOL_USAGE;
  if (take_dtype(a, fields[1]) != OPTION_TAKEN) return TOOL_USAGE;
  return take_shape(a, fields[2]);
}

/* VALUE[:DTYPE] or BYTES:shared */
static int parse_value(run_argument *a, const char *const *fields, int count) {
  a->kind = ARGUMENT_VALUE;
  a->value = fields[0];
  if (!*a->value)
    return tool_usage_error(command, "--arg %s: nothing is given after the =; a number, @in.npy, or out.npy:f32:1024", a->name);
  if (count == 1) return OPTION_TAKEN;
  if (strcmp(fields[1], "shared") != 0) return take_dtype(a, fields[1]);
  a->kind = ARGUMENT_BYTES;
  return OPTION_TAKEN;
}

int run_argument_parse(run_argument *a, const char *text) {
  *a = (run_argument){.text = strdup(text)};
  if (!a->text) {
    tool_complain("memory ran out");
    return TOOL_FILE;
  }
  char *equals = strchr(a->text, '=');
  if (!equals || equals == a->text)
    return tool_usage_error(command, "--arg is NAME=WHAT, e.g. x_cells=@in.npy or a=2.5, not \"%s\"", text);
  *equals = '\0';
  a->name = a->text;
  const char *fields[FIELDS_MAX];
  int count = split(fields, equals + 1);
  if (*fields[0] == '@') return parse_input(a, fields, count);
  bool is_output = count == FIELDS_MAX || !strcmp(fields[0], "-") || is_npy(fields[0]);
  return is_output ? parse_output(a, fields, count) : parse_value(a, fields, count);
}

void run_argument_free(run_argument *a) {
  if (a->stream) fclose(a->stream);
  output_file_abandon(&a->file);
  free(a->text);
  *a = (run_argument){.text = NULL};
}
