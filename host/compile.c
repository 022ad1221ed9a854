/* SPDX-License-Identifier: Apache-2.0
 *
 * compile.c: compile kernels for a target without a device. See ts_compile of tensorstorage_host.h.
 *
 * The list of targets stands here and nowhere else. What clang does is in compile_clang.c, what NVRTC does in nvrtc.c.
 */
#include "compile.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "backend.h"
#include "build_error.h"
#include "cache.h"
#include "compiler.h"
#include "cpu.h"
#include "error.h"
#include "nvrtc.h"
#include "process.h"

static const char call[] = "ts_compile";

static ts_status fail_memory(ts_error *error) {
  return ts_fail(error, TS_ERROR_MEMORY, 0, call, "no memory is left to compile");
}

/* ---- the targets --------------------------------------------------------------------------------------------------- */

static ts_status compile_nvrtc(ts_binary *binary, const ts_build_options *options, ts_error *error);
static ts_status compile_host(ts_binary *binary, const ts_build_options *options, ts_error *error);

typedef struct target {
  const char *name;     /* NN: digits, and perhaps letters, follow; P:D: what follows is a device's */
  const char *what;     /* comes out */
  const char *language; /* NULL: the device's */
  bool has_generic;     /* of OpenCL C 3.0: the compiler has generic pointers */
  ts_status (*compile)(ts_binary *, const ts_build_options *, ts_error *); /* NULL: a driver compiles */
} target;

static const target targets[] = {
    {"sm_NN", "machine code (cubin) for an NVIDIA GPU, by NVRTC: sm_75 to sm_120", "cuda", true, compile_nvrtc},
    {"compute_NN", "PTX for that generation of NVIDIA GPUs and later ones, by NVRTC", "cuda", true, compile_nvrtc},
    {"gfxNN", "assembly for an AMD GPU, by clang: gfx90a, gfx942, gfx1100", "opencl", false, ts_compile_clang},
    {"spirv", "a SPIR-V module for OpenCL, by clang and llvm-spirv", "opencl", true, ts_compile_clang},
    {"x86", "assembly for x86-64-v3 (AVX2), by clang", "opencl", true, ts_compile_clang},
    {"cl", "what the first OpenCL device's driver makes, a GPU's if there is one", NULL, false, NULL},
    {"cl:P:D", "what that device's driver makes", NULL, false, NULL},
    {"host", "assembly by the system's C compiler, with the options of the host device", "host", true, compile_host}};
enum { TARGETS = sizeof targets / sizeof targets[0] };

bool ts_target_at(size_t index, const char **name, const char **what) {
  if (index >= TARGETS) return false;
  *name = targets[index].name;
  *what = targets[index].what;
  return true;
}

bool ts_target_has_code(const char *name) {
  for (size_t i = 0; i < TARGETS; i++)
    if (!strcmp(name, targets[i].name)) return targets[i].compile != NULL;
  return false;
}

/* The length of a name's part before its placeholder; all of it, if it has none. */
static size_t fixed_length(const char *name) {
  const char *rest = strstr(name, "NN");
  if (!rest) rest = strstr(name, "P:D");
  return rest ? (size_t)(rest - name) : strlen(name);
}

static const target *find_target(const char *name) {
  for (size_t i = 0; i < TARGETS; i++) {
    size_t length = fixed_length(targets[i].name);
    bool is_whole = !targets[i].name[length];
    if (!strncmp(name, targets[i].name, length) && (is_whole ? !name[length] : isdigit((unsigned char)name[length])))
      return &targets[i];
  }
  return NULL;
}

static ts_status fail_target(const char *name, ts_error *error) {
  static const char *const examples[] = {"sm_75",  "sm_80",  "sm_90",   "sm_100", "sm_120", "compute_75", "compute_90",
                                         "gfx90a", "gfx942", "gfx1100", "spirv",  "x86",    "cl",         "host"};
  const char *nearest = ts_name_nearest(name, examples, sizeof examples / sizeof examples[0]);
  ts_text known = {0};
  ts_text_append(&known, "", 0);
  for (size_t i = 0; i < TARGETS; i++) ts_text_print(&known, "\n  %-10s  %s", targets[i].name, targets[i].what);
  ts_fail(error, TS_ERROR_USAGE, 0, call, "there is no target \"%s\"%s%s; targets:%s", name, nearest ? "; the nearest is " : "",
          nearest ? nearest : "", known.chars ? known.chars : "");
  free(known.chars);
  return error->status;
}

/* ---- NVIDIA --------------------------------------------------------------------------------------------------------- */

ts_kernel_resources *ts_binary_resources_of(ts_binary *binary, const char *kernel, size_t length) {
  const ts_signatures *signatures = &binary->prepared.signatures;
  for (size_t i = 0; i < signatures->count; i++)
    if (strlen(signatures->rows[i].kernel) == length && !strncmp(signatures->rows[i].kernel, kernel, length))
      return &binary->resources[i];
  return NULL;
}

/* The number before a word of a line, as in "0 bytes stack frame, 4608 bytes smem". -1: the line has no such word. */
static int64_t number_before(const char *line, const char *word) {
  const char *at = strstr(line, word);
  if (!at) return -1;
  while (at > line && at[-1] == ' ') at--;
  while (at > line && isdigit((unsigned char)at[-1])) at--;
  return isdigit((unsigned char)*at) ? strtoll(at, NULL, 10) : -1;
}

/* Read what ptxas tells of each kernel, and take those lines out of the log. */
static void take_ptxas_lines(ts_binary *binary) {
  static const char compiling[] = "Compiling entry function '", properties[] = "Function properties for ";
  ts_kernel_resources *resources = NULL, *of_function = NULL; /* a function that is not inlined has a stack of its own */
  char *kept = binary->log;
  for (char *line = binary->log, *next; *line; line = next) {
    size_t length = strcspn(line, "\n");
    next = line + length + (line[length] == '\n');
    char last = *next;
    *next = 0; /* the line alone */
    const char *kernel = strstr(line, compiling);
    if (kernel)
      resources = ts_binary_resources_of(binary, kernel + sizeof compiling - 1, strcspn(kernel + sizeof compiling - 1, "'"));
    const char *function = strstr(line, properties);
    if (function)
      of_function =
          ts_binary_resources_of(binary, function + sizeof properties - 1, strcspn(function + sizeof properties - 1, " \n"));
    if (of_function && strstr(line, "bytes stack frame")) {
      of_function->local_bytes = number_before(line, "bytes stack frame");
      of_function->spill_bytes = number_before(line, "bytes spill stores");
    }
    if (resources && strstr(line, " registers")) {
      int64_t shared = number_before(line, "bytes smem");
      resources->registers = number_before(line, "registers");
      resources->shared_bytes = shared < 0 ? 0 : shared; /* ptxas leaves out what is 0 */
    }
    bool is_info = !strncmp(line, "ptxas info", 10) || strstr(line, "bytes stack frame");
    *next = last;
    if (is_info) continue;
    memmove(kept, line, (size_t)(next - line));
    kept += next - line;
  }
  *kept = 0;
}

static ts_status nvrtc_words(ts_words *words, const ts_build_options *options, ts_error *error) {
  static const char *const exact[] = {"--fmad=false", NULL}, *const fast[] = {"--use_fast_math", NULL};
  if (!ts_words_append(words, "--generate-line-info") ||
      !ts_words_append_list(words, NULL, options->fast_math ? fast : exact) ||
      !ts_words_append_list(words, "-I", options->include_dirs))
    return fail_memory(error);
  return ts_words_split(words, options->extra ? options->extra : "", "the extra options", error);
}

enum { CACHED_PTX, CACHED_CUBIN, CACHED_LOG }; /* the parts of what the cache keeps */

/* Take what NVRTC made before from the cache. Returns false if it has to be compiled. */
static bool find_output(ts_cached *cached, ts_nvrtc_output *output, const ts_binary *binary, const ts_words *words) {
  ts_cache_part parts[TS_CACHE_PARTS];
  if (!*cached->refusal) {
    ts_cached_add(cached, "target", binary->target);
    ts_cached_add(cached, "compiler's name", binary->compiler);
    ts_cached_add_file(cached, "compiler", ts_nvrtc_file());
    ts_cached_add_list(cached, "options", (const char *const *)words->items);
  }
  if (!ts_cached_find(cached, parts)) return false;
  output->ptx = parts[CACHED_PTX].bytes;
  output->cubin = parts[CACHED_CUBIN].bytes;
  output->cubin_bytes = parts[CACHED_CUBIN].count;
  output->log = parts[CACHED_LOG].bytes;
  return true;
}

static void store_output(const ts_cached *cached, const ts_nvrtc_output *output) {
  const ts_cache_part parts[TS_CACHE_PARTS] = {[CACHED_PTX] = {output->ptx, strlen(output->ptx)},
                                               [CACHED_CUBIN] = {output->cubin, output->cubin_bytes},
                                               [CACHED_LOG] = {output->log, strlen(output->log)}};
  ts_cached_store(cached, parts);
}

static ts_status compile_nvrtc(ts_binary *binary, const ts_build_options *options, ts_error *error) {
  bool is_machine_code = !strncmp(binary->target, "sm_", 3);
  const char *text = binary->prepared.text.chars;
  ts_words words = {0};
  ts_nvrtc_output output = {0};
  ts_cached cached = {0};
  if (ts_nvrtc_name(binary->compiler, sizeof binary->compiler, error) == TS_OK &&
      nvrtc_words(&words, options, error) == TS_OK &&
      ts_cached_begin(&cached, "NVRTC, minimal first", binary->target, text, options, NULL, error) == TS_OK &&
      !find_output(&cached, &output, binary, &words) &&
      ts_nvrtc_compile(&output, binary->target, text, options->name, &words, error) == TS_OK)
    store_output(&cached, &output);
  ts_cached_end(&cached);
  ts_words_free(&words);
  if (error->status != TS_OK) return error->status;
  binary->kind = is_machine_code ? "cubin" : "PTX";
  binary->has_isa = true;
  binary->isa = TS_ISA_PTX;
  binary->log = output.log;
  binary->bytes = is_machine_code ? output.cubin : output.ptx;
  binary->byte_count = is_machine_code ? output.cubin_bytes : strlen(output.ptx);
  binary->assembly = is_machine_code ? output.ptx : NULL;
  if (!is_machine_code) free(output.cubin); /* of the cache, and empty */
  take_ptxas_lines(binary);
  return TS_OK;
}

/* ---- the host, and drivers ------------------------------------------------------------------------------------------- */

/* What the host device compiles, launch functions too: without them nothing would set the running work-item, and the compiler
 * would take it for NULL. */
static ts_status compile_host(ts_binary *binary, const ts_build_options *options, ts_error *error) {
  const ts_signatures *signatures = &binary->prepared.signatures;
  if (!ts_compiler_name(binary->compiler, sizeof binary->compiler, &ts_compiler_c))
    snprintf(binary->compiler, sizeof binary->compiler, "cc");
  char *whole = ts_cpu_launchable(&ts_cpu_text_c, binary->prepared.text.chars, signatures->rows, signatures->count);
  if (!whole) return fail_memory(error);
  ts_compiler_assemble(&binary->bytes, &binary->log, whole, options, error);
  free(whole);
  if (error->status != TS_OK) return error->status;
  binary->byte_count = strlen(binary->bytes);
#if defined(__x86_64__) || defined(__i386__)
  binary->kind = "x86 assembly";
  binary->has_isa = true;
  binary->isa = TS_ISA_X86;
#else
  binary->kind = "assembly";
#endif
  return TS_OK;
}

/* Copy the id of the device that "cl" means. Errors: TS_ERROR_NO_DEVICE. */
static ts_status default_opencl_device(char *id, size_t bytes, ts_error *error) {
  ts_device_info *devices = NULL;
  size_t count = 0;
  const ts_device_info *chosen = NULL;
  ts_error failure = {.status = TS_OK}; /* of a driver, when another may have a device */
  ts_device_list(&devices, &count, &failure);
  for (size_t i = 0; i < count; i++)
    if (!strcmp(devices[i].backend, "opencl") &&
        (!chosen || (devices[i].kind == TS_DEVICE_GPU && chosen->kind != TS_DEVICE_GPU)))
      chosen = &devices[i];
  if (chosen)
    snprintf(id, bytes, "%s", chosen->id);
  else if (failure.status != TS_OK)
    *error = failure;
  else
    ts_fail(error, TS_ERROR_NO_DEVICE, 0, call,
            "there is no OpenCL device: install a driver. For OpenCL on the CPU: apt install pocl-opencl-icd. For a GPU: its "
            "vendor's package");
  ts_device_list_free(devices);
  return error->status;
}

/* What a driver's binary is, by how it begins. */
static const char *kind_of_driver_binary(const char *bytes, size_t count) {
  static const struct {
    const char *begin, *kind;
  } kinds[] = {
      {"poclbin", "PoCL binary"}, {"\177ELF", "ELF binary"}, {"\003\002\043\007", "SPIR-V"}, {"//\n// Generated by", "PTX"}};
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
    if (count >= strlen(kinds[i].begin) && !strncmp(bytes, kinds[i].begin, strlen(kinds[i].begin))) return kinds[i].kind;
  return "driver's binary";
}

static ts_status compile_by_driver(ts_binary *binary, const char *source, const ts_build_options *options, ts_error *error) {
  char id[sizeof((ts_device_info *)0)->id];
  snprintf(id, sizeof id, "%s", binary->target);
  if (!strcmp(id, "cl") && default_opencl_device(id, sizeof id, error) != TS_OK) return error->status;
  if (ts_device_open(&binary->device, id, error) != TS_OK) return error->status;
  snprintf(binary->compiler, sizeof binary->compiler, "%s", ts_device_get_info(binary->device)->name);
  if (ts_program_build(&binary->program, binary->device, source, options, error) != TS_OK) return error->status;
  ts_text bytes = {0};
  ts_text_append(&bytes, "", 0);
  if (binary->device->backend->program_binary(binary->program, &bytes, error) != TS_OK || bytes.failed) {
    free(bytes.chars);
    return error->status != TS_OK ? error->status : fail_memory(error);
  }
  binary->bytes = bytes.chars;
  binary->byte_count = bytes.length;
  binary->kind = kind_of_driver_binary(bytes.chars, bytes.length);
  binary->log = calloc(1, 1);
  return binary->log ? TS_OK : fail_memory(error);
}

/* ---- ts_compile ------------------------------------------------------------------------------------------------------ */

/* Put into the log why there are no signatures, if the header was included and they could not be read. */
static ts_status log_unread(ts_binary *binary, ts_error *error) {
  if (!binary->prepared.unread) return TS_OK;
  ts_text log = {0};
  ts_text_print(&log, "the kernels' signatures can't be read: %s%s", binary->prepared.unread, binary->log);
  free(binary->log);
  binary->log = log.chars;
  return log.failed ? fail_memory(error) : TS_OK;
}

/* Prepare the source for a compiler that is no driver, and compile it. */
static ts_status compile_prepared(ts_binary *binary, const target *chosen, const char *source, const ts_build_options *options,
                                  ts_error *error) {
  ts_text predefined = {0};
  bool is_3 = !options->standard || !strcmp(options->standard, "CL3.0");
  ts_text_append(&predefined, "", 0);
  if (!strcmp(chosen->language, "opencl")) ts_text_print(&predefined, "#define __OPENCL_C_VERSION__ %d\n", is_3 ? 300 : 120);
  bool is_opencl_without = !strcmp(chosen->language, "opencl") && !(is_3 && chosen->has_generic);
  ts_predefine_capabilities(&predefined, true, !is_opencl_without);
  if (predefined.failed) fail_memory(error);
  if (error->status == TS_OK) ts_prepare(&binary->prepared, chosen->language, predefined.chars, source, options, error);
  free(predefined.chars);
  if (error->status != TS_OK) return error->status;

  size_t kernels = binary->prepared.signatures.count;
  binary->resources = calloc(kernels + 1, sizeof *binary->resources);
  if (!binary->resources) return fail_memory(error);
  for (size_t i = 0; i < kernels; i++) binary->resources[i] = (ts_kernel_resources){-1, -1, -1, -1};
  chosen->compile(binary, options, error);
  if (error->status == TS_ERROR_BUILD)
    ts_build_error_present(error, binary->target, binary->compiler, options, source, binary->prepared.text.chars);
  if (error->status == TS_OK && binary->byte_count == 0)
    ts_fail(error, TS_ERROR_BUILD, 0, call,
            "%s did not build for %s: %s ended as if all were well and made nothing: it is no compiler; set %s to one",
            options->name, binary->target, binary->compiler, chosen->compile == compile_host ? "CC" : "TENSORSTORAGE_CLANG");
  return error->status == TS_OK ? log_unread(binary, error) : error->status;
}

ts_status ts_compile(ts_binary **binary, const char *name, const char *source, const ts_build_options *options,
                     ts_error *error) {
  ts_error failure = {.status = TS_OK};
  if (ts_fail_if_null(&failure, call, "binary", binary) || ts_fail_if_null(&failure, call, "target", name) ||
      ts_fail_if_null(&failure, call, "source", source))
    return ts_error_give(error, &failure);
  const target *chosen = find_target(name);
  ts_build_options used = options ? *options : (ts_build_options){0};
  if (!used.name) used.name = "kernel.c";
  ts_binary *made = calloc(1, sizeof *made);
  if (made) made->target = strdup(name);
  if (!chosen)
    fail_target(name, &failure);
  else if (!made || !made->target)
    fail_memory(&failure);
  else if (chosen->compile)
    compile_prepared(made, chosen, source, &used, &failure);
  else
    compile_by_driver(made, source, &used, &failure);
  if (failure.status == TS_OK)
    *binary = made;
  else
    ts_binary_destroy(made);
  return ts_error_give(error, &failure);
}

void ts_binary_destroy(ts_binary *binary) {
  if (!binary) return;
  ts_program_destroy(binary->program);
  ts_device_close(binary->device);
  ts_prepared_free(&binary->prepared);
  free(binary->resources);
  free(binary->target);
  free(binary->bytes);
  free(binary->assembly);
  free(binary->log);
  free(binary);
}

const void *ts_binary_bytes(const ts_binary *binary, size_t *bytes) {
  *bytes = binary->byte_count;
  return binary->bytes;
}

const char *ts_binary_kind(const ts_binary *binary) { return binary->kind; }

const char *ts_binary_compiler(const ts_binary *binary) { return binary->compiler; }

const char *ts_binary_log(const ts_binary *binary) { return binary->log; }

/* Only what is text already stands for itself. */
const char *ts_binary_assembly(const ts_binary *binary) {
  bool is_text = binary->has_isa && binary->isa != TS_ISA_SPIRV;
  return binary->assembly ? binary->assembly : is_text ? binary->bytes : NULL;
}

static const ts_signatures *signatures_of(const ts_binary *binary) {
  return binary->program ? &binary->program->signatures : &binary->prepared.signatures;
}

size_t ts_binary_kernel_count(const ts_binary *binary) { return signatures_of(binary)->count; }

const ts_signature *ts_binary_signature(const ts_binary *binary, size_t index) {
  const ts_signatures *signatures = signatures_of(binary);
  return index < signatures->count ? &signatures->rows[index] : NULL;
}

ts_kernel_resources ts_binary_resources(const ts_binary *binary, size_t index) {
  if (binary->resources && index < ts_binary_kernel_count(binary)) return binary->resources[index];
  return (ts_kernel_resources){-1, -1, -1, -1};
}

size_t ts_signature_text(char *text, size_t bytes, const ts_signature *signature) {
  ts_text whole = {0};
  ts_signature_print(&whole, signature);
  snprintf(text, bytes, "%s", whole.chars && !whole.failed ? whole.chars : signature->kernel);
  size_t length = whole.length;
  free(whole.chars);
  return length;
}

/* ---- instructions ---------------------------------------------------------------------------------------------------- */

bool ts_cuda_program(char *path, size_t bytes, const char *name) {
  const char *const toolkits[] = {ts_environment_or("CUDA_HOME", ""), ts_environment_or("CUDA_PATH", ""), "/usr/local/cuda"};
  snprintf(path, bytes, "%s", name);
  if (ts_process_exists(path)) return true;
  for (size_t i = 0; i < sizeof toolkits / sizeof toolkits[0]; i++) {
    int length = snprintf(path, bytes, "%s/bin/%s", toolkits[i], name);
    if (*toolkits[i] && length >= 0 && (size_t)length < bytes && ts_process_exists(path)) return true;
  }
  return false;
}

/* Disassemble a cubin. *text is to be freed. */
static ts_status disassemble(char **text, const ts_binary *binary, ts_error *error) {
  enum { PATH_BYTES = 4096 };
  char program[PATH_BYTES];
  if (!ts_cuda_program(program, sizeof program, "nvdisasm"))
    return ts_fail(
        error, TS_ERROR_UNSUPPORTED, 0, "nvdisasm",
        "the GPU's own instructions are shown by nvdisasm, which is not installed: it is in the CUDA toolkit, and in the "
        "package nvidia-cuda-nvdisasm of PyPI; put it into PATH");
  ts_workplace place;
  if (ts_workplace_make(&place, error) != TS_OK) return error->status;
  const char *cubin = ts_workplace_file(&place, "kernel.cubin"), *log = ts_workplace_file(&place, "log");
  ts_words command = {0};
  int ending = 0, not_started = 0;
  const char *const words[] = {program, "-gi", "-c", cubin, NULL};
  if (!cubin || !log || !ts_words_append_list(&command, NULL, words)) fail_memory(error);
  if (error->status == TS_OK) ts_file_write_bytes(cubin, binary->bytes, binary->byte_count, error);
  if (error->status == TS_OK) ts_process_run(&ending, &not_started, &command, log, error);
  if (error->status == TS_OK && not_started)
    ts_fail(error, TS_ERROR_UNSUPPORTED, not_started, "posix_spawnp", "%s can't be started: %s", program,
            strerror(not_started));
  if (error->status == TS_OK) ts_process_judge(ending, program, log, error);
  if (error->status == TS_OK) {
    *text = ts_file_read(log, NULL, error);
  }
  ts_words_free(&command);
  ts_workplace_remove(&place);
  return error->status;
}

/* Of x86 the signatures tell what is a kernel, if there are any. */
static void mark_kernels(ts_code *code, const ts_binary *binary) {
  const ts_signatures *signatures = signatures_of(binary);
  for (size_t i = 0; i < code->count && signatures->count > 0; i++) {
    code->routines[i].is_kernel = false;
    for (size_t k = 0; k < signatures->count && code->routines[i].name; k++)
      if (!strcmp(code->routines[i].name, signatures->rows[k].kernel)) code->routines[i].is_kernel = true;
  }
}

ts_status ts_binary_code(ts_code *code, ts_isa *isa, const ts_binary *binary, bool as_sass, ts_error *error) {
  const char *text = ts_binary_assembly(binary);
  char *sass = NULL;
  if (!binary->has_isa)
    return ts_fail(error, TS_ERROR_UNSUPPORTED, 0, call,
                   "the instructions of %s for %s can't be read; choose another target: sm_NN, compute_NN, gfxNN, spirv, x86, "
                   "host",
                   binary->kind, binary->target);
  if (as_sass && strcmp(binary->kind, "cubin") != 0)
    return ts_fail(error, TS_ERROR_USAGE, 0, call, "SASS is of machine code: choose sm_90 or another sm_NN, not %s",
                   binary->target);
  if (!text)
    return ts_fail(error, TS_ERROR_UNSUPPORTED, 0, call,
                   "the instructions of SPIR-V are shown by spirv-dis, which is not installed: apt install spirv-tools");
  if (as_sass && disassemble(&sass, binary, error) != TS_OK) return error->status;
  const char *name = binary->prepared.name, *slash = strrchr(name, '/');
  *isa = as_sass ? TS_ISA_SASS : binary->isa;
  ts_code_read(code, *isa, as_sass ? sass : text, slash ? slash + 1 : name, error);
  free(sass);
  if (error->status == TS_OK) ts_code_drop(code, TS_CPU_LAUNCH_PREFIX); /* of the host: the kernels stand beside them */
  if (error->status == TS_OK && *isa == TS_ISA_X86) mark_kernels(code, binary);
  return error->status;
}
