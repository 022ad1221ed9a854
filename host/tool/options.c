/* SPDX-License-Identifier: Apache-2.0
 *
 * options.c: the options that several subcommands have. See options.h.
 */
#include "host/tool/options.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/tool/child.h"
#include "text.h"

static bool no_memory(void) {
  tool_complain("memory ran out");
  return false;
}

int take_timeout(double *seconds, const char *command, const char *value) {
  char *end;
  double number = strtod(value, &end);
  if (end == value || *end || !isfinite(number) || number <= 0)
    return tool_usage_error(command, "--timeout is a positive number of seconds, not \"%s\"", value);
  *seconds = number;
  return OPTION_TAKEN;
}

/* ---- how kernels are built ----------------------------------------------------------------------------------------- */

bool building_make(building *b, int argc) {
  size_t room = (size_t)argc + 2; /* each list has fewer entries than there are words, and a folder of ours, and an end */
  *b = (building){.defines = calloc(room, sizeof *b->defines), .include_dirs = calloc(room, sizeof *b->include_dirs)};
  b->options.defines = b->defines;
  b->options.include_dirs = b->include_dirs;
  return (b->defines && b->include_dirs) || no_memory();
}

void building_free(building *b) {
  free(b->defines);
  free(b->include_dirs);
  free(b->source);
  free(b->folder);
}

static int take_define(building *b, const char *command, const char *text) {
  size_t length = strcspn(text, "=");
  bool is_name = length > 0 && !isdigit((unsigned char)text[0]);
  for (size_t i = 0; i < length; i++) is_name = is_name && (isalnum((unsigned char)text[i]) || text[i] == '_');
  if (!is_name) return tool_usage_error(command, "--define is NAME or NAME=VALUE, not \"%s\"", text);
  b->defines[b->define_count++] = text;
  return OPTION_TAKEN;
}

static int take_standard(building *b, const char *command, const char *text) {
  if (strcmp(text, "CL1.2") != 0 && strcmp(text, "CL3.0") != 0)
    return tool_usage_error(command, "--standard is CL1.2 or CL3.0, not \"%s\"", text);
  b->options.standard = text;
  return OPTION_TAKEN;
}

static int take_compiler_option(building *b, const char *command, const char *text) {
  if (b->options.extra)
    return tool_usage_error(command, "--option is given once, with all options in it: not \"%s\" after \"%s\"", text,
                            b->options.extra);
  b->options.extra = text;
  return OPTION_TAKEN;
}

int building_take(building *b, const char *command, int option, const char *value) {
  switch (option) {
  case 'D': return take_define(b, command, value);
  case 's': return take_standard(b, command, value);
  case 'O': return take_compiler_option(b, command, value);
  case 'm': b->options.fast_math = true; return OPTION_TAKEN;
  case 'I': b->include_dirs[b->include_count++] = value; return OPTION_TAKEN;
  default: return OPTION_UNKNOWN;
  }
}

/* The folder that a file is in comes first, as it does for compilers. */
static bool add_own_folder(building *b, const char *file) {
  const char *slash = strrchr(file, '/');
  b->folder = slash > file ? strndup(file, (size_t)(slash - file)) : strdup(slash ? "/" : ".");
  if (!b->folder) return no_memory();
  memmove(b->include_dirs + 1, b->include_dirs, b->include_count * sizeof *b->include_dirs);
  b->include_dirs[0] = b->folder;
  b->include_count++;
  return true;
}

static bool read_source(building *b, const char *name) {
  FILE *file = fopen(name, "rb");
  ts_text text = {0};
  char block[4096];
  size_t length;
  ts_text_append(&text, "", 0);
  while (file && (length = fread(block, 1, sizeof block, file)) > 0) ts_text_append(&text, block, length);
  bool is_read = file && !ferror(file);
  if (!is_read) tool_complain("%s cannot be read: %s", *name ? name : "\"\"", strerror(errno));
  if (file) fclose(file);
  b->source = text.chars;
  if (!is_read || text.failed) return is_read && no_memory();
  bool is_text = strlen(text.chars) == text.length;
  if (!is_text) tool_complain("%s is no text: it has a byte that is 0; give a C source with kernels", name);
  return is_text;
}

bool building_read(building *b, const char *file) {
  b->options.name = file;
  return add_own_folder(b, file) && read_source(b, file);
}

/* ---- what is compiled for what --------------------------------------------------------------------------------------- */

static void print_help(const char *usage, bool (*is_target)(const char *)) {
  const char *name, *what;
  fputs(usage, stdout);
  puts("\nTargets:");
  for (size_t i = 0; ts_target_at(i, &name, &what); i++)
    if (!is_target || is_target(name)) printf("  %-10s  %s\n", name, what);
}

static int take_own(compiling *c, int option, int (*take)(void *, int, const char *), void *own) {
  switch (option) {
  case 1:
    if (c->file) return tool_usage_error(c->command, "one file is compiled: not \"%s\" after \"%s\"", optarg, c->file);
    c->file = optarg;
    return OPTION_TAKEN;
  case 't': c->targets[c->target_count++] = optarg; return OPTION_TAKEN;
  case 'j': c->as_json = true; return OPTION_TAKEN;
  default: return take(own, option, optarg);
  }
}

int compiling_read(compiling *c, int argc, char **argv, const struct option *options, const char *letters, const char *usage,
                   bool (*is_target)(const char *name), int (*take)(void *own, int option, const char *value), void *own) {
  *c = (compiling){.command = argv[0], .targets = calloc((size_t)argc + 1, sizeof *c->targets)};
  if (!building_make(&c->building, argc) || (!c->targets && !no_memory())) return TOOL_FILE;
  for (;;) {
    int at = optind;
    int answer = getopt_long(argc, argv, letters, options, NULL);
    if (answer == -1) break;
    if (answer == '?' || answer == ':') return tool_option_error(c->command, options, answer, argv, at);
    if (answer == 'h') {
      print_help(usage, is_target);
      return TOOL_PASSED;
    }
    int code = building_take(&c->building, c->command, answer, optarg);
    if (code == OPTION_UNKNOWN) code = take_own(c, answer, take, own);
    if (code != OPTION_TAKEN) return code;
  }
  if (!c->file && optind < argc) c->file = argv[optind];
  if (!c->file) return tool_usage_error(c->command, "%s takes a file with kernels", c->command);
  if (c->target_count == 0) return tool_usage_error(c->command, "no --target is given, e.g. --target sm_90");
  return building_read(&c->building, c->file) ? OPTION_TAKEN : TOOL_FILE;
}

void compiling_free(compiling *c) {
  building_free(&c->building);
  free(c->targets);
}

ts_binary *compiling_compile(const compiling *c, const char *target, ts_error *error, int *code) {
  ts_binary *binary = NULL;
  *error = (ts_error){.status = TS_OK};
  child_catch_signals(); /* the library, which removes its temporary files, is let finish */
  bool failed = ts_compile(&binary, target, c->building.source, &c->building.options, error) != TS_OK;
  if (child_caught_signal()) {
    ts_binary_destroy(binary);
    snprintf(error->message, sizeof error->message, "interrupted by signal %d", child_caught_signal());
    *code = TOOL_SIGNAL + child_caught_signal();
    return NULL;
  }
  if (failed) *code = tool_library_error(error);
  return binary;
}
