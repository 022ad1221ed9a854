/* SPDX-License-Identifier: Apache-2.0
 *
 * backend.c: the backend "opencl-x86", of tests only: kernels are compiled as OpenCL C by clang to x86 code, with the
 * sanitizers of the environment (compiler.h), and run on this machine's CPU.
 *
 * What runs is opencl/prelude.h and core/ as an OpenCL driver would read them; the built-in functions are our own (builtins.cl,
 * items.c). No OpenCL driver takes part, and nothing here says what one would do: reports call it opencl-x86, never OpenCL.
 *
 * Shared arrays of a kernel are variables of the loaded object, each with AddressSanitizer's red zones around it. So one group
 * runs at a time.
 */
#include "host/backend.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "host/cpu_program.h"
#include "host/fiber.h"

extern const ts_backend ts_opencl_x86_backend;
extern const char ts_embedded_opencl_x86[];

/* -O0: what the source says is done, and nothing is optimised away before a sanitizer sees it. -march: the prelude's way with
 * instructions for f16, where the machine has them. No start-up files: zeroed data is shared arrays, and nothing else. */
#define COMMON_FLAGS(standard)                                                                                                 \
  { "-cl-std=" standard, "-fPIC", "-g1", "-march=native", "-nostartfiles", "-Wno-psabi", NULL }
static const char *const flags_12[] = COMMON_FLAGS("CL1.2"), *const flags_30[] = COMMON_FLAGS("CL3.0");
static const char *const exact_flags[] = {"-O0", "-ffp-contract=off", NULL};
static const char *const fast_flags[] = {"-O1", "-cl-fast-relaxed-math", NULL};

static const ts_compiler compiler = {.language = "OpenCL C",
                                     .variable = "TENSORSTORAGE_CLANG",
                                     .command = "clang",
                                     .package = "clang",
                                     .source = "kernel.cl",
                                     .common = flags_30,
                                     .exact = exact_flags,
                                     .fast = fast_flags};

/* Behind the kernels: what fills their shared arrays with what a group must not count on. */
static const ts_cpu_text around = {
    .before = ts_embedded_opencl_x86,
    .after = "#line 1 \"<module>\"\n"
             "__attribute__((visibility(\"hidden\"))) extern __constant uchar __bss_start[], _end[];\n"
             "void ts_x86_fill_shared(void *nothing);\n"
             "__attribute__((no_sanitize(\"address\", \"undefined\", \"thread\"))) void ts_x86_fill_shared(void *nothing) {\n"
             "  for (volatile uchar *p = (volatile uchar *)(ulong)__bss_start; (ulong)p != (ulong)_end; ++p) *p = 0xA5;\n"
             "}\n",
    .linkage = "",
    .enter = "ts_x86_enter(item)",
};

static bool is_cl_12(const ts_build_options *options) { return options->standard && !strcmp(options->standard, "CL1.2"); }

static ts_status x86_list(ts_device_infos *infos, ts_error *error) {
  ts_device_info info;
  ts_status status = ts_cpu_describe(&info, error);
  if (status != TS_OK) return status;
  char cpu[TS_DEVICE_TEXT_BYTES - 32], name[TS_DEVICE_TEXT_BYTES - 32];
  snprintf(cpu, sizeof cpu, "%.*s", (int)sizeof cpu - 1, info.name);
  if (!ts_compiler_name(name, sizeof name, &compiler)) snprintf(name, sizeof name, "no compiler found");
  snprintf(info.id, sizeof info.id, "opencl-x86");
  snprintf(info.backend, sizeof info.backend, "opencl-x86");
  snprintf(info.name, sizeof info.name, "no OpenCL, but %s", cpu);
  snprintf(info.language, sizeof info.language, "OpenCL C 3.0, %s", name);
  info.compute_units = 1;
  return ts_device_list_append(infos, &info, error);
}

static ts_status x86_device_open(ts_device **device, const ts_device_info *info, ts_error *error) {
  return ts_cpu_device_open(device, &ts_opencl_x86_backend, info, error);
}

static ts_status x86_predefine(ts_device *device, const ts_build_options *options, ts_text *lines, ts_error *error) {
  (void)device;
  (void)error;
  ts_text_print(lines, "#define __OPENCL_C_VERSION__ %d\n", is_cl_12(options) ? 120 : 300);
  if (is_cl_12(options)) ts_text_print(lines, "#ifndef TS_HAVE_GENERIC\n#define TS_HAVE_GENERIC 0\n#endif\n");
  return TS_OK;
}

static ts_status x86_program_build(ts_program **program, ts_device *device, const char *text, const ts_signature *signatures,
                                   size_t signature_count, const ts_build_options *options, ts_error *error) {
  (void)device;
  ts_compiler chosen = compiler;
  if (is_cl_12(options)) chosen.common = flags_12;
  if (ts_cpu_program_build(program, &chosen, &around, text, signatures, signature_count, options, NULL, error) != TS_OK)
    return error->status;
  ts_cpu_program *built = (ts_cpu_program *)*program;
  void *fill = dlsym(built->object, "ts_x86_fill_shared"); /* NULL: it has no kernel */
  memcpy(&built->group_start, &fill, sizeof fill);
  built->items_apart = true;
  return TS_OK;
}

const ts_backend ts_opencl_x86_backend = {
    .name = "opencl-x86",
    .language = "opencl",
    .list = x86_list,
    .device_open = x86_device_open,
    .device_close = ts_cpu_device_close,
    .queue_create = ts_cpu_queue_create,
    .queue_finish = ts_cpu_queue_finish,
    .queue_destroy = ts_cpu_queue_destroy,
    .event_wait = ts_cpu_event_wait,
    .event_seconds = ts_cpu_event_seconds,
    .event_destroy = ts_cpu_event_destroy,
    .buffer_create = ts_cpu_buffer_create,
    .buffer_destroy = ts_cpu_buffer_destroy,
    .buffer_write = ts_cpu_buffer_write,
    .buffer_read = ts_cpu_buffer_read,
    .predefine = x86_predefine,
    .program_build = x86_program_build,
    .program_destroy = ts_cpu_program_destroy,
    .kernel_get = ts_cpu_kernel_get,
    .kernel_destroy = ts_cpu_kernel_destroy,
    .kernel_arg = ts_cpu_kernel_arg,
    .kernel_launch = ts_cpu_kernel_launch,
};
