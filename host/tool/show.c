/* SPDX-License-Identifier: Apache-2.0
 *
 * show.c: `tensorstorage show`: prints the memory instructions that kernels have become, each beside its line of the source.
 *
 * It says what is there. Whether that is what was asked for, the reader sees.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile.h"
#include "host/tool/json.h"
#include "host/tool/options.h"
#include "text.h"

static const char usage[] =
    "usage: tensorstorage show FILE --target NAME [OPTION...]\n"
    "\n"
    "Compile the kernels of FILE, and print the memory instructions that each has become, with the line of the source that "
    "each is\n"
    "from; then those of functions that kernels call. Nothing runs. Loads of a kernel's own arguments are left out.\n"
    "\n"
    "  --target NAME        what to compile for, see below; may be repeated\n"
    "  --kernel NAME        this kernel only\n"
    "  --sass               of sm_NN: the GPU's own instructions instead of PTX (needs nvdisasm)\n" COMPILING_HELP "\n"
    "Exit codes: 0 shown, 2 usage, no such target or no such kernel, 3 something is not installed, 5 it did not build, 6 a "
    "file or\n"
    "memory problem.\n";

typedef struct showing {
  compiling compiling;
  const char *kernel; /* NULL: all */
  bool as_sass;
  cJSON *functions; /* of the JSON report: the array that comes last */
} showing;

/* ---- the table ------------------------------------------------------------------------------------------------------- */

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static bool is_shown(const ts_instruction *access) { return !(access->flags & TS_ACCESS_PARAMETER); }

/* What a person calls the space: x86 has one memory, and generic means here that the instruction names none. */
static const char *space_text(ts_isa isa, const ts_instruction *access) {
  return isa == TS_ISA_X86 && access->space == TS_SPACE_generic ? "memory"
         : isa == TS_ISA_X86 && access->space == TS_SPACE_local ? "stack"
                                                                : ts_space_name(access->space);
}

/* "scale.c:17" into [bytes]; "-" if it is not told. Returns its length. */
static int place_text(char *text, size_t bytes, const ts_instruction *access) {
  if (!access->file || access->line == 0) return snprintf(text, bytes, "-");
  return snprintf(text, bytes, "%s:%zu", base_name(access->file), access->line);
}

/* The text of a line of the file, without blanks around it; of another file's line nothing. */
static const char *source_line(const compiling *c, const ts_instruction *access, int *length) {
  *length = 0;
  if (!access->file || access->line == 0 || strcmp(base_name(access->file), base_name(c->file)) != 0) return "";
  const char *at = c->building.source;
  for (size_t line = 1; line < access->line && *at; line++) {
    at += strcspn(at, "\n");
    at += *at == '\n';
  }
  at += strspn(at, " \t");
  *length = (int)strcspn(at, "\r\n");
  return at;
}

static bool is_same_line(const ts_instruction *a, const ts_instruction *b) {
  return a->line == b->line && (a->file == b->file || (a->file && b->file && !strcmp(a->file, b->file)));
}

enum { PLACE_BYTES = 256 };

/* A line of the source stands once for each run of its instructions. */
static void print_routine(const showing *s, const char *target, ts_isa isa, const ts_routine *routine) {
  char place[PLACE_BYTES];
  int place_width = 1, name_width = 1;
  size_t shown = 0;
  for (size_t i = 0; i < routine->access_count; i++) {
    const ts_instruction *a = &routine->accesses[i];
    if (!is_shown(a)) continue;
    int place_length = place_text(place, sizeof place, a), name_length = (int)strlen(a->name);
    if (place_length > place_width) place_width = place_length;
    if (name_length > name_width) name_width = name_length;
    shown++;
  }
  int length;
  const char *name = ts_routine_name(routine->name, &length);
  printf("%s%.*s (%s", routine->is_kernel ? "" : "function ", length, name, target);
  if (strcmp(target, ts_isa_name(isa)) != 0) printf(", %s", ts_isa_name(isa));
  printf("): %zu memory instruction%s of %zu\n", shown, shown == 1 ? "" : "s", routine->instruction_count);
  const ts_instruction *previous = NULL;
  for (size_t i = 0; i < routine->access_count; i++) {
    const ts_instruction *a = &routine->accesses[i];
    if (!is_shown(a)) continue;
    const char *line = source_line(&s->compiling, a, &length);
    place_text(place, sizeof place, a);
    printf("  %-*s  %-*s  %-6s  %-8s  ", place_width, place, name_width, a->name, ts_access_name(a->access),
           space_text(isa, a));
    if (a->bytes > 0)
      printf("%2zu bytes", a->bytes);
    else
      printf(" ? bytes");
    bool is_new = !previous || !is_same_line(previous, a);
    printf(is_new && length > 0 ? "  %.*s\n" : "\n", length, line);
    previous = a;
  }
}

/* ---- as JSON --------------------------------------------------------------------------------------------------------- */

static cJSON *json_access(ts_isa isa, const ts_instruction *access) {
  cJSON *object = cJSON_CreateObject();
  bool added = object && json_add_text(object, "instruction", access->name);
  added = added && json_add_text(object, "access", ts_access_name(access->access));
  added = added && json_add_text(object, "space", space_text(isa, access)) && json_add_u64(object, "bytes", access->bytes);
  added = added && cJSON_AddBoolToObject(object, "invariant", (access->flags & TS_ACCESS_INVARIANT) != 0);
  added = added && cJSON_AddBoolToObject(object, "non_temporal", (access->flags & TS_ACCESS_NON_TEMPORAL) != 0);
  if (access->file && access->line > 0)
    added = added && json_add_text(object, "file", access->file) && json_add_u64(object, "line", access->line);
  if (added) return object;
  cJSON_Delete(object);
  return NULL;
}

static cJSON *json_routine(const char *target, ts_isa isa, const ts_routine *routine) {
  cJSON *object = cJSON_CreateObject();
  const char *key = routine->is_kernel ? "kernel" : "function"; /* a function by the compiler's name, which is unique */
  bool added = object && json_add_text(object, key, routine->name) && json_add_text(object, "target", target);
  added = added && json_add_text(object, "isa", ts_isa_name(isa));
  added = added && json_add_u64(object, "instruction_count", routine->instruction_count);
  cJSON *accesses = added ? cJSON_AddArrayToObject(object, "accesses") : NULL;
  added = accesses;
  for (size_t i = 0; i < routine->access_count; i++)
    if (is_shown(&routine->accesses[i]))
      added = added && cJSON_AddItemToArray(accesses, json_access(isa, &routine->accesses[i]));
  if (added) return object;
  cJSON_Delete(object);
  return NULL;
}

/* ---- the command ----------------------------------------------------------------------------------------------------- */

static int no_kernel(const showing *s) {
  tool_complain("%s has no kernel; declare one with TS_KERNEL of tensorstorage.h", s->compiling.file);
  return ts_status_exit_code(TS_ERROR_NO_KERNEL);
}

static int no_such_kernel(const showing *s, const ts_code *code) {
  const char **names = calloc(code->count + 1, sizeof *names);
  size_t count = 0;
  for (size_t i = 0; names && i < code->count; i++)
    if (code->routines[i].is_kernel) names[count++] = code->routines[i].name;
  const char *nearest = count > 0 ? ts_name_nearest(s->kernel, names, count) : NULL;
  free(names);
  if (nearest)
    tool_complain("%s has no kernel \"%s\"; the nearest is \"%s\"", s->compiling.file, s->kernel, nearest);
  else
    tool_complain("%s has no kernel \"%s\"; without --kernel all are shown", s->compiling.file, s->kernel);
  return TOOL_USAGE;
}

/* Show a routine. is_first: nothing was printed before. False: memory ran out. */
static bool show_routine(showing *s, const char *target, ts_isa isa, const ts_routine *routine, bool *is_first) {
  if (s->compiling.as_json && !routine->is_kernel) {
    cJSON *function = json_routine(target, isa, routine);
    bool is_added = cJSON_AddItemToArray(s->functions, function);
    if (!is_added) cJSON_Delete(function);
    return is_added;
  }
  if (!*is_first) fputs(s->compiling.as_json ? ",\n" : "\n", stdout);
  *is_first = false;
  if (s->compiling.as_json) return json_write(stdout, json_routine(target, isa, routine));
  print_routine(s, target, isa, routine);
  return true;
}

/* Show what was compiled for one target: the kernels, then, if all are shown, the functions that they call. Returns the exit
 * code. */
static int show_binary(showing *s, const char *target, const ts_binary *binary, bool *is_first) {
  ts_code code = {0};
  ts_isa isa = TS_ISA_PTX;
  ts_error error = {.status = TS_OK};
  if (ts_binary_code(&code, &isa, binary, s->as_sass, &error) != TS_OK) return tool_library_error(&error);
  size_t kernels = 0, shown = 0;
  bool is_complete = true;
  for (size_t i = 0; i < code.count && is_complete; i++) {
    const ts_routine *routine = &code.routines[i];
    kernels += routine->is_kernel;
    if (!routine->is_kernel || (s->kernel && strcmp(s->kernel, routine->name) != 0)) continue;
    is_complete = show_routine(s, target, isa, routine, is_first);
    shown++;
  }
  int result = kernels == 0 ? no_kernel(s) : shown == 0 ? no_such_kernel(s, &code) : TOOL_PASSED;
  for (size_t i = 0; i < code.count && is_complete && kernels > 0 && !s->kernel; i++)
    if (!code.routines[i].is_kernel) is_complete = show_routine(s, target, isa, &code.routines[i], is_first);
  ts_code_free(&code);
  if (is_complete) return result;
  tool_complain("memory ran out");
  return TOOL_FILE;
}

static int show(showing *s) {
  int code = TOOL_PASSED;
  bool is_first = true;
  if (s->compiling.as_json) {
    s->functions = cJSON_CreateArray();
    json_begin("kernels");
    puts("");
  }
  for (size_t i = 0; i < s->compiling.target_count && code < TOOL_SIGNAL; i++) {
    const char *target = s->compiling.targets[i];
    ts_error error;
    tool_forget_complaint();
    int one = TOOL_PASSED;
    ts_binary *binary = compiling_compile(&s->compiling, target, &error, &one);
    if (binary) one = show_binary(s, target, binary, &is_first);
    ts_binary_destroy(binary);
    if (one != TOOL_PASSED && s->compiling.as_json) {
      if (!is_first) fputs(",\n", stdout);
      is_first = false;
      json_write(stdout, json_failed_target(target, one));
    }
    if (code == TOOL_PASSED || one > TOOL_SIGNAL) code = one; /* the first that failed counts */
  }
  if (s->compiling.as_json) {
    fputs("\n],\n\"functions\":", stdout);
    if (!json_write(stdout, s->functions)) {
      tool_complain("memory ran out");
      code = TOOL_FILE;
    }
    puts("}");
  }
  return code;
}

static int take(void *own, int option, const char *value) {
  showing *s = own;
  if (option == 'k')
    s->kernel = value;
  else
    s->as_sass = true;
  return OPTION_TAKEN;
}

int tool_show(int argc, char **argv) {
  static const struct option options[] = {
      COMPILING_OPTIONS, {"kernel", required_argument, NULL, 'k'}, {"sass", no_argument, NULL, 'S'}, {0}};
  showing s = {0};
  int code = compiling_read(&s.compiling, argc, argv, options, "-:" COMPILING_LETTERS, usage, ts_target_has_code, take, &s);
  if (code == OPTION_TAKEN) code = show(&s);
  compiling_free(&s.compiling);
  return code;
}
