/* SPDX-License-Identifier: Apache-2.0
 *
 * compile_clang.c: compile OpenCL C for targets that need no driver, with clang, llvm-spirv and the tools of SPIR-V.
 *
 * The newest clang of PATH is taken: older ones know fewer GPUs. TENSORSTORAGE_CLANG names another.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "backend.h"
#include "compile.h"
#include "process.h"

static ts_status fail_memory(ts_error *error) {
  return ts_fail(error, TS_ERROR_MEMORY, 0, "clang", "no memory is left to run clang");
}

/* ---- which clang ---------------------------------------------------------------------------------------------------- */

enum { NEWEST_CLANG = 30, OLDEST_CLANG = 14, PROGRAM_BYTES = 256 };

/* Find clang, and with `translator` the llvm-spirv that fits it: of the same number, or both without one. Returns false if
 * there is none. */
static bool find_clang(char *clang, char *translator) {
  const char *chosen = ts_environment_or("TENSORSTORAGE_CLANG", NULL);
  if (chosen && !translator) {
    snprintf(clang, PROGRAM_BYTES, "%s", chosen);
    return true;
  }
  for (int number = NEWEST_CLANG; number >= OLDEST_CLANG - 1; number--) {
    char suffix[8] = "";
    if (number >= OLDEST_CLANG) snprintf(suffix, sizeof suffix, "-%d", number); /* the last has no number */
    snprintf(clang, PROGRAM_BYTES, "clang%s", suffix);
    if (translator) snprintf(translator, PROGRAM_BYTES, "llvm-spirv%s", suffix);
    if (ts_process_exists(clang) && (!translator || ts_process_exists(translator))) return true;
  }
  return false;
}

/* ---- one call -------------------------------------------------------------------------------------------------------- */

/* The folder and the log of the programs that are run one after another. */
typedef struct session {
  ts_workplace place;
  const char *source, *log;
  ts_error *error;
} session;

/* Run a program; its words end with NULL. Its output is in the log. */
static ts_status run(session *s, const char *const *words) {
  ts_words command = {0};
  int ending = 0, not_started = 0;
  if (!ts_words_append_list(&command, NULL, words)) fail_memory(s->error);
  if (s->error->status == TS_OK) ts_process_run(&ending, &not_started, &command, s->log, s->error);
  bool is_named = !strcmp(words[0], ts_environment_or("TENSORSTORAGE_CLANG", ""));
  if (s->error->status == TS_OK && not_started)
    ts_fail(s->error, TS_ERROR_UNSUPPORTED, not_started, "posix_spawnp", "%s%s can't be started: %s; %s", words[0],
            is_named ? ", which TENSORSTORAGE_CLANG names," : "", strerror(not_started),
            is_named ? "set it to a clang, or unset it for the newest of PATH" : "install it");
  if (s->error->status == TS_OK) ts_process_judge(ending, words[0], s->log, s->error);
  ts_words_free(&command);
  return s->error->status;
}

/* clang says so of a GPU that it does not know, before it reads the source. */
static void judge_target(const ts_binary *binary, const char *clang, ts_error *error) {
  if (error->status != TS_ERROR_BUILD) return;
  if (!strstr(error->message, "invalid target ID") && !strstr(error->message, "unknown target CPU")) return;
  *error = (ts_error){.status = TS_OK};
  ts_fail(error, TS_ERROR_USAGE, 0, "clang",
          "%s does not know the GPU %s; known are for example gfx90a and gfx1100; a newer clang may know more: name it with "
          "TENSORSTORAGE_CLANG",
          clang, binary->target);
}

/* Run clang on the source into the file `output`.
 *
 * how      words of the target, ended by NULL */
static ts_status run_clang(session *s, const ts_binary *binary, const char *const *how, const char *output,
                           const ts_build_options *options) {
  static const char *const exact[] = {"-ffp-contract=off", NULL}, *const fast[] = {"-cl-fast-relaxed-math", NULL};
  char standard[32];
  snprintf(standard, sizeof standard, "-cl-std=%s", options->standard ? options->standard : "CL3.0");
  const char *const head[] = {binary->compiler, "-x", "cl", standard, "-nogpulib", NULL};
  const char *const files[] = {"-o", output, s->source, NULL};
  ts_words words = {0};
  if (!ts_words_append_list(&words, NULL, head) || !ts_words_append_list(&words, NULL, how) ||
      !ts_words_append_list(&words, NULL, options->fast_math ? fast : exact) ||
      !ts_words_append_list(&words, "-I", options->include_dirs))
    fail_memory(s->error);
  if (s->error->status == TS_OK) ts_words_split(&words, options->extra ? options->extra : "", "the extra options", s->error);
  if (s->error->status == TS_OK && !ts_words_append_list(&words, NULL, files)) fail_memory(s->error);
  if (s->error->status == TS_OK) run(s, (const char *const *)words.items);
  ts_words_free(&words);
  judge_target(binary, binary->compiler, s->error);
  return s->error->status;
}

/* ---- AMD and x86: assembly ------------------------------------------------------------------------------------------- */

/* What AMD's library of OpenCL does for work-items, atomic_add and f16, in front of the source: without it each of these would
 * be a call, and a kernel that calls has other registers. (A global offset is taken for 0.) The library's maths stay calls. */
static const char amd_library[] =
    "#define TS_AMD_EACH(name, x, y, z) static inline __attribute__((always_inline)) size_t ts_amd_##name(uint d) { return d "
    "== 0 "
    "? (x) : d == 1 ? (y) : (z); }\n"
    "#define TS_AMD_IDS(name, id) TS_AMD_EACH(name, __builtin_amdgcn_##id##_x(), __builtin_amdgcn_##id##_y(), "
    "__builtin_amdgcn_##id##_z())\n"
    "TS_AMD_IDS(local_id, workitem_id)\n"
    "TS_AMD_IDS(group_id, workgroup_id)\n"
    "TS_AMD_IDS(local_size, workgroup_size)\n"
    "TS_AMD_IDS(global_size, grid_size)\n"
    "#define get_local_id(d) ts_amd_local_id(d)\n"
    "#define get_group_id(d) ts_amd_group_id(d)\n"
    "#define get_local_size(d) ts_amd_local_size(d)\n"
    "#define get_global_size(d) ts_amd_global_size(d)\n"
    "#define get_num_groups(d) ((get_global_size(d) + get_local_size(d) - 1) / get_local_size(d))\n"
    "#define get_global_id(d) (get_group_id(d) * get_local_size(d) + get_local_id(d))\n"
    "#define atomic_add(cells, x) __atomic_fetch_add(cells, x, __ATOMIC_RELAXED)\n"
    "#define barrier(flags) (__builtin_amdgcn_fence(__ATOMIC_RELEASE, \"workgroup\"), __builtin_amdgcn_s_barrier(), "
    "__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, \"workgroup\"))\n"
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    "#define TS_AMD_HALVES(n) \\\n"
    "  static inline __attribute__((overloadable, always_inline)) float##n vload_half##n(size_t i, const __private half *p) { "
    "\\\n"
    "    return __builtin_convertvector(((const __private half##n *)p)[i], float##n); \\\n"
    "  } \\\n"
    "  static inline __attribute__((overloadable, always_inline)) void vstore_half##n##_rte(float##n v, size_t i, __private "
    "half *p) { \\\n"
    "    ((__private half##n *)p)[i] = __builtin_convertvector(v, half##n); \\\n"
    "  }\n"
    "TS_AMD_HALVES(2) TS_AMD_HALVES(4) TS_AMD_HALVES(8) TS_AMD_HALVES(16)\n"
    "static inline __attribute__((overloadable, always_inline)) float vload_half(size_t i, const __private half *p) { return "
    "p[i]; }\n"
    "static inline __attribute__((overloadable, always_inline)) void vstore_half_rte(float v, size_t i, __private half *p) { "
    "p[i] = v; }\n"
    "#pragma OPENCL EXTENSION cl_khr_fp16 : disable\n";

/* The value of a line "  .name:   value" of AMD's metadata; NULL: it is another. */
static const char *metadata_value(const char *line, const char *key) {
  size_t length = strlen(key);
  line += strspn(line, " -");
  return !strncmp(line, key, length) && line[length] == ':' ? line + length + 1 + strspn(line + length + 1, " ") : NULL;
}

/* Read what the metadata at the assembly's end tells of each kernel. Its kernels are a list: each begins with "  - ". */
static void read_amd_resources(ts_binary *binary) {
  ts_kernel_resources found = {-1, -1, -1, -1};
  const char *at = strstr(binary->bytes, "amdhsa.kernels:"), *name = NULL;
  while (at) {
    bool is_end = *at != ' ' && strncmp(at, "amdhsa.kernels:", 15) != 0;
    if (is_end || !strncmp(at, "  - ", 4)) {
      ts_kernel_resources *kept = name ? ts_binary_resources_of(binary, name, strcspn(name, "\n")) : NULL;
      if (kept) *kept = found;
      if (is_end) return;
      name = NULL;
    }
    const char *value;
    bool is_own = strspn(at, " -") == 4; /* deeper ones are of its arguments */
    if (is_own && (value = metadata_value(at, ".name"))) name = value;
    if (is_own && (value = metadata_value(at, ".vgpr_count"))) found.registers = strtoll(value, NULL, 10);
    if (is_own && (value = metadata_value(at, ".group_segment_fixed_size"))) found.shared_bytes = strtoll(value, NULL, 10);
    if (is_own && (value = metadata_value(at, ".private_segment_fixed_size"))) found.local_bytes = strtoll(value, NULL, 10);
    if (is_own && (value = metadata_value(at, ".vgpr_spill_count"))) found.spill_bytes = 4 * strtoll(value, NULL, 10);
    at = strchr(at, '\n');
    if (at) at++;
  }
}

/* Write the source that clang is to read. */
static void write_source(session *s, const ts_binary *binary) {
  bool is_amd = !strncmp(binary->target, "gfx", 3);
  ts_text text = {0};
  ts_text_print(&text, "%s%s", is_amd ? amd_library : "", binary->prepared.text.chars);
  if (text.failed)
    fail_memory(s->error);
  else
    ts_file_write(s->source, text.chars, s->error);
  free(text.chars);
}

static ts_status compile_assembly(session *s, ts_binary *binary, const ts_build_options *options) {
  bool is_x86 = !strcmp(binary->target, "x86");
  char machine[64];
  snprintf(machine, sizeof machine, "-mcpu=%.50s", binary->target);
  const char *const x86[] = {
      "--target=x86_64-pc-linux-gnu", "-march=x86-64-v3", "-DTS_GROUP_IS_SERIAL=1", "-O3", "-g1", "-S", NULL};
  const char *const amd[] = {"--target=amdgcn-amd-amdhsa", machine, "-O3", "-g1", "-S", NULL};
  const char *output = ts_workplace_file(&s->place, "kernel.s");
  if (!output) return fail_memory(s->error);
  if (run_clang(s, binary, is_x86 ? x86 : amd, output, options) != TS_OK) return s->error->status;
  binary->bytes = ts_file_read(output, &binary->byte_count, s->error);
  binary->log = ts_file_read(s->log, NULL, s->error);
  binary->kind = is_x86 ? "x86 assembly" : "AMDGCN assembly";
  binary->has_isa = true;
  binary->isa = is_x86 ? TS_ISA_X86 : TS_ISA_AMDGCN;
  if (s->error->status == TS_OK && !is_x86) read_amd_resources(binary);
  return s->error->status;
}

/* ---- SPIR-V ---------------------------------------------------------------------------------------------------------- */

/* A translator has no words for some of what clang makes where it optimises. */
static void tell_refusal(session *s, const char *who, const char *whose) {
  ts_error refusal = *s->error;
  *s->error = (ts_error){.status = TS_OK};
  ts_fail(s->error, TS_ERROR_BUILD, refusal.driver_code, who,
          "%s refuses what %s made of this kernel; `--option -O0` is a way around it, without optimisation. It says: %s", who,
          whose, refusal.message);
}

/* Compile to a module. (At -O1 clang marks loops in a way that llvm-spirv turns into a module that spirv-val refuses.)
 *
 * with_lines  for a person. Without, it is SPIR-V 1.0 and nothing but kernels, which every driver takes that takes any */
static const char *compile_module(session *s, ts_binary *binary, const char *translator, bool with_lines, const char *name,
                                  const ts_build_options *options) {
  const char *const how[] = {"--target=spir64-unknown-unknown", "-O2", with_lines ? "-g1" : "-g0", "-emit-llvm", "-c", NULL};
  const char *bitcode = ts_workplace_file(&s->place, "kernel.bc"), *module = ts_workplace_file(&s->place, name);
  const char *const translate[] = {translator, bitcode, "-o", module, with_lines ? NULL : "--spirv-max-version=1.0", NULL};
  if (!bitcode || !module) fail_memory(s->error);
  if (s->error->status == TS_OK) run_clang(s, binary, how, bitcode, options);
  if (s->error->status == TS_OK && !binary->log) binary->log = ts_file_read(s->log, NULL, s->error);
  if (s->error->status == TS_OK && run(s, translate) == TS_ERROR_BUILD) tell_refusal(s, "llvm-spirv", "clang");
  return s->error->status == TS_OK ? module : NULL;
}

/* The module as text with lines; NULL without an error: there is no spirv-dis. */
static char *disassemble(session *s, ts_binary *binary, const char *translator, const ts_build_options *options) {
  if (!ts_process_exists("spirv-dis")) return NULL;
  const char *module = compile_module(s, binary, translator, true, "lines.spv", options);
  if (!module) return NULL;
  const char *text = ts_workplace_file(&s->place, "kernel.spvasm");
  const char *const words[] = {"spirv-dis", "--raw-id", "--no-color", module, "-o", text, NULL};
  if (!text) fail_memory(s->error);
  return s->error->status == TS_OK && run(s, words) == TS_OK ? ts_file_read(text, NULL, s->error) : NULL;
}

static void validate(session *s, const char *translator, const char *module) {
  const char *const words[] = {"spirv-val", "--target-env", "opencl2.1", module, NULL};
  if (run(s, words) == TS_ERROR_BUILD) tell_refusal(s, "spirv-val", translator);
}

static ts_status compile_spirv(session *s, ts_binary *binary, const char *translator, const ts_build_options *options) {
  const char *module = compile_module(s, binary, translator, false, "kernel.spv", options);
  if (!module) return s->error->status;
  binary->bytes = ts_file_read(module, &binary->byte_count, s->error);
  binary->kind = "SPIR-V";
  binary->has_isa = true;
  binary->isa = TS_ISA_SPIRV;
  if (s->error->status == TS_OK && ts_process_exists("spirv-val")) validate(s, translator, module);
  if (s->error->status == TS_OK) binary->assembly = disassemble(s, binary, translator, options);
  return s->error->status;
}

ts_status ts_compile_clang(ts_binary *binary, const ts_build_options *options, ts_error *error) {
  session s = {.error = error};
  char clang[PROGRAM_BYTES], translator[PROGRAM_BYTES];
  bool is_spirv = !strcmp(binary->target, "spirv");
  if (!find_clang(clang, is_spirv ? translator : NULL)) {
    if (is_spirv)
      return ts_fail(error, TS_ERROR_UNSUPPORTED, 0, "clang",
                     "SPIR-V is made by clang and llvm-spirv of the same number, which are not installed: apt install clang-14 "
                     "llvm-spirv-14");
    return ts_fail(error, TS_ERROR_UNSUPPORTED, 0, "clang",
                   "OpenCL C is compiled for %s by clang, which is not installed: apt install clang-19, or clang",
                   binary->target);
  }
  snprintf(binary->compiler, sizeof binary->compiler, "%s", clang);
  if (ts_workplace_make(&s.place, error) != TS_OK) return error->status;
  s.source = ts_workplace_file(&s.place, "kernel.cl");
  s.log = ts_workplace_file(&s.place, "log");
  if (!s.source || !s.log) fail_memory(error);
  if (error->status == TS_OK) write_source(&s, binary);
  if (error->status == TS_OK) {
    if (is_spirv)
      compile_spirv(&s, binary, translator, options);
    else
      compile_assembly(&s, binary, options);
  }
  ts_workplace_remove(&s.place);
  return error->status;
}
