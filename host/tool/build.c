/* SPDX-License-Identifier: Apache-2.0
 *
 * build.c: `tensorstorage build`: compiles kernels for targets that need not be there, and says what came out.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "host/tool/json.h"
#include "host/tool/options.h"
#include "host/tool/output_file.h"

static const char usage[] =
    "usage: tensorstorage build FILE --target NAME [OPTION...]\n"
    "\n"
    "Compile the kernels of FILE, and say what came out. Nothing runs, and no device is needed.\n"
    "\n"
    "  --target NAME        what to compile for, see below; may be repeated\n"
    "  -o, --output FILE    write what came out to FILE, whole or not at all; with one --target\n" COMPILING_HELP "\n"
    "Exit codes: 0 built, 2 usage or no such target, 3 a compiler is not installed, 5 it did not build, 6 a "
    "file or memory problem.\n";

/* ---- the report ------------------------------------------------------------------------------------------------------ */

/* "16 registers, 4608 bytes shared, 0 bytes local, 0 bytes spilled": what is known of it. */
static void print_resources(ts_kernel_resources resources) {
  const struct {
    int64_t number;
    const char *unit;
  } parts[] = {{resources.registers, "registers"},
               {resources.shared_bytes, "bytes shared"},
               {resources.local_bytes, "bytes local"},
               {resources.spill_bytes, "bytes spilled"}};
  const char *before = "    ", *after = "";
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
    if (parts[i].number < 0) continue;
    printf("%s%" PRId64 " %s", before, parts[i].number, parts[i].unit);
    before = ", ";
    after = "\n";
  }
  fputs(after, stdout);
}

static void print_report(const compiling *c, const char *target, const ts_binary *binary, const char *output) {
  enum { SIGNATURE_BYTES = 2048 };
  char signature[SIGNATURE_BYTES];
  size_t bytes;
  ts_binary_bytes(binary, &bytes);
  printf("%s for %s: %s, %zu bytes, by %s\n", c->file, target, ts_binary_kind(binary), bytes, ts_binary_compiler(binary));
  for (size_t i = 0; i < ts_binary_kernel_count(binary); i++) {
    ts_signature_text(signature, sizeof signature, ts_binary_signature(binary, i));
    printf("  %s\n", signature);
    print_resources(ts_binary_resources(binary, i));
  }
  if (ts_binary_kernel_count(binary) == 0)
    puts("  no kernel: none is declared with TS_KERNEL, or none could be read, which is told below");
  if (*ts_binary_log(binary)) printf("what %s said:\n%s", ts_binary_compiler(binary), ts_binary_log(binary));
  if (output) printf("written to %s\n", output);
}

static bool add_number(cJSON *object, const char *name, int64_t number) {
  return number < 0 ? cJSON_AddNullToObject(object, name) != NULL : json_add_u64(object, name, (uint64_t)number);
}

static cJSON *json_parameter(const ts_parameter *parameter) {
  cJSON *object = cJSON_CreateObject();
  bool added = object && json_add_text(object, "name", parameter->name);
  added = added && json_add_text(object, "dtype", ts_dtype_name(parameter->dtype));
  if (!parameter->is_scalar) {
    added = added && json_add_text(object, "space", ts_space_name(parameter->space));
    added = added && cJSON_AddBoolToObject(object, "is_const", parameter->is_const);
  }
  if (added) return object;
  cJSON_Delete(object);
  return NULL;
}

static cJSON *json_kernel(const ts_signature *signature, ts_kernel_resources resources) {
  cJSON *object = cJSON_CreateObject();
  bool added = object && json_add_text(object, "name", signature->kernel);
  cJSON *parameters = added ? cJSON_AddArrayToObject(object, "parameters") : NULL;
  for (size_t i = 0; i < signature->parameter_count && signature->is_checked; i++)
    added = added && parameters && cJSON_AddItemToArray(parameters, json_parameter(&signature->parameters[i]));
  added = added && parameters && add_number(object, "registers", resources.registers);
  added = added && add_number(object, "shared_bytes", resources.shared_bytes);
  added = added && add_number(object, "local_bytes", resources.local_bytes);
  added = added && add_number(object, "spill_bytes", resources.spill_bytes);
  if (added) return object;
  cJSON_Delete(object);
  return NULL;
}

/* One target as an object. */
static cJSON *json_target(const char *target, const ts_binary *binary, const char *output) {
  cJSON *object = cJSON_CreateObject();
  bool added = object && json_add_text(object, "target", target);
  size_t bytes;
  ts_binary_bytes(binary, &bytes);
  added = added && json_add_text(object, "kind", ts_binary_kind(binary)) && json_add_u64(object, "bytes", bytes);
  added = added && json_add_text(object, "compiler", ts_binary_compiler(binary));
  added = added && json_add_text(object, "log", ts_binary_log(binary));
  if (output) added = added && json_add_text(object, "output", output);
  cJSON *kernels = added ? cJSON_AddArrayToObject(object, "kernels") : NULL;
  added = kernels;
  for (size_t i = 0; i < ts_binary_kernel_count(binary); i++)
    added = added && cJSON_AddItemToArray(kernels, json_kernel(ts_binary_signature(binary, i), ts_binary_resources(binary, i)));
  if (added) return object;
  cJSON_Delete(object);
  return NULL;
}

/* ---- the command ------------------------------------------------------------------------------------------------------ */

/* Write what came out. Returns false, having said why. */
static bool write_binary(output_file *file, const ts_binary *binary) {
  size_t bytes;
  const void *data = ts_binary_bytes(binary, &bytes);
  fwrite(data, 1, bytes, file->stream); /* its error is seen at the end */
  return output_file_commit(file);
}

/* A report's text, to be freed with cJSON_free. NULL, having said why, if memory ran out. */
static char *print_json(cJSON *object, int *code) {
  char *text = json_print(object);
  if (text) return text;
  tool_complain("memory ran out");
  *code = TOOL_FILE;
  return NULL;
}

/* Compile for one target, write and tell. The report is made before the file gets its name: without one there is no file.
 * Returns the exit code. */
static int build_target(const compiling *c, const char *target, const char *output) {
  output_file file = {0};
  ts_error error;
  int code = TOOL_PASSED;
  if (output && !output_file_open(&file, output)) return TOOL_FILE;
  ts_binary *binary = compiling_compile(c, target, &error, &code);
  char *json = c->as_json && binary ? print_json(json_target(target, binary, output), &code) : NULL;
  if (!binary || code != TOOL_PASSED)
    output_file_abandon(&file);
  else if (output && !write_binary(&file, binary))
    code = TOOL_FILE;
  if (c->as_json && code != TOOL_PASSED) {
    cJSON_free(json);
    json = print_json(json_failed_target(target, code), &code);
  }
  if (json)
    fputs(json, stdout);
  else if (!c->as_json && binary && code == TOOL_PASSED)
    print_report(c, target, binary, output);
  cJSON_free(json);
  ts_binary_destroy(binary);
  return code;
}

static int take(void *own, int option, const char *value) {
  (void)option; /* there is one of its own */
  *(const char **)own = value;
  return OPTION_TAKEN;
}

int tool_build(int argc, char **argv) {
  static const struct option options[] = {COMPILING_OPTIONS, {"output", required_argument, NULL, 'o'}, {0}};
  const char *output = NULL;
  compiling c;
  int code = compiling_read(&c, argc, argv, options, "-:" COMPILING_LETTERS "o:", usage, NULL, take, &output);
  if (code == OPTION_TAKEN && output && c.target_count > 1)
    code = tool_usage_error(c.command, "--output takes what one target gives: give one --target, not %zu", c.target_count);
  if (code == OPTION_TAKEN && output && output_file_is_there_as(output, c.file))
    code = tool_usage_error(c.command, "--output %s would replace the kernels that are compiled: name another file", output);
  if (code == OPTION_TAKEN) {
    code = TOOL_PASSED;
    if (c.as_json) json_begin("targets");
    for (size_t i = 0; i < c.target_count && code < TOOL_SIGNAL; i++) {
      if (c.as_json) fputs(i ? ",\n" : "\n", stdout);
      tool_forget_complaint();
      int one = build_target(&c, c.targets[i], output);
      if (code == TOOL_PASSED || one > TOOL_SIGNAL) code = one; /* the first that failed counts */
    }
    if (c.as_json) puts("\n]}");
  }
  compiling_free(&c);
  return code;
}
