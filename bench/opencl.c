/* SPDX-License-Identifier: Apache-2.0
 *
 * opencl.c: open PoCL, build a text.
 */
#define _XOPEN_SOURCE 700 /* nftw */
#include "opencl.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../host/source.h"
#include "measure.h"

/* What the library builds with: OpenCL C 3.0, argument information, no contraction. */
static const char *const OPTIONS = "-cl-std=CL3.0 -cl-kernel-arg-info -DTS_GROUP_IS_SERIAL=1";
static const char *const NO_CONTRACTION = "#pragma OPENCL FP_CONTRACT OFF\n";

void bench_check(cl_int code, const char *call) {
  if (code != CL_SUCCESS) bench_die(BENCH_FAILED, "%s returned %d", call, code);
}

/* ---- the kernel cache ------------------------------------------------------------------------------------------- */

static char cache[] = "/tmp/tensorstorage-bench-XXXXXX";

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *walk) {
  (void)status;
  (void)kind;
  (void)walk;
  return remove(path);
}
static void remove_cache(void) { nftw(cache, remove_entry, 16, FTW_DEPTH | FTW_PHYS); }

/* ---- the device ------------------------------------------------------------------------------------------------- */

static cl_device_id find_pocl(void) {
  cl_platform_id platforms[16];
  cl_uint count = 0;
  clGetPlatformIDs(16, platforms, &count); /* with no driver it fails, and the count stays 0 */
  for (cl_uint i = 0; i < count && i < 16; i++) {
    char name[128] = "";
    cl_device_id device;
    clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name - 1, name, NULL);
    if (strcmp(name, "Portable Computing Language") != 0) continue;
    if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_CPU, 1, &device, NULL) == CL_SUCCESS) return device;
  }
  bench_die(BENCH_NO_DEVICE, "PoCL is not there; install pocl-opencl-icd");
}

bench_device bench_open(void) {
  if (!mkdtemp(cache)) bench_die(BENCH_FAILED, "there is no room for a kernel cache at %s", cache);
  atexit(remove_cache);
  setenv("POCL_CACHE_DIR", cache, 1);
  bench_device device = {.id = find_pocl()};
  cl_int code;
  device.context = clCreateContext(NULL, 1, &device.id, NULL, NULL, &code);
  bench_check(code, "clCreateContext");
  device.queue = clCreateCommandQueue(device.context, device.id, 0, &code);
  bench_check(code, "clCreateCommandQueue");
  return device;
}

void bench_close(bench_device device) {
  clReleaseCommandQueue(device.queue);
  clReleaseContext(device.context);
}

static void describe(void *result, const void *context) {
  (void)context;
  bench_machine *machine = result;
  char version[128] = "", name[128] = "", platform[256] = "";
  cl_device_id device = find_pocl();
  cl_platform_id of;
  clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name - 1, name, NULL);
  clGetDeviceInfo(device, CL_DRIVER_VERSION, sizeof version - 1, version, NULL);
  clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof of, &of, NULL);
  clGetPlatformInfo(of, CL_PLATFORM_VERSION, sizeof platform - 1, platform, NULL);
  const char *llvm = strstr(platform, "LLVM ");
  snprintf(machine->driver, sizeof machine->driver, "PoCL %s, %s", version, name);
  snprintf(machine->compiler, sizeof machine->compiler, "%.*s, %s", llvm ? (int)strcspn(llvm, ",") : 0, llvm ? llvm : "",
           OPTIONS);
}

/* In a process of its own: a driver that has started does not survive the fork of a measuring process. */
void bench_describe_opencl(bench_machine *machine) { bench_in_processes(1, sizeof *machine, machine, describe, NULL); }

/* ---- buffers ---------------------------------------------------------------------------------------------------- */

void *bench_map(bench_device device, cl_mem cells, size_t bytes) {
  cl_int code;
  void *mapped = clEnqueueMapBuffer(device.queue, cells, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0, NULL, NULL, &code);
  bench_check(code, "clEnqueueMapBuffer");
  return mapped;
}

void bench_unmap(bench_device device, cl_mem cells, void *mapped) {
  bench_check(clEnqueueUnmapMemObject(device.queue, cells, mapped, 0, NULL, NULL), "clEnqueueUnmapMemObject");
  bench_check(clFinish(device.queue), "clFinish");
}

/* ---- programs --------------------------------------------------------------------------------------------------- */

char *bench_text(const char *header, const char *source, const char *const *defines, const char *const *include_dirs) {
  ts_build_options options = {.name = "bench.c", .defines = defines, .include_dirs = include_dirs};
  ts_text text = {0};
  ts_error error = {.status = TS_OK};
  bool has_header;
  if (ts_source_defines(&text, &options, &error) != TS_OK ||
      ts_source_flatten(&text, source, header, &options, &has_header, &error) != TS_OK)
    bench_die(BENCH_FAILED, "%s", error.message);
  if (text.failed) bench_die(BENCH_FAILED, "memory ran out");
  return text.chars;
}

cl_program bench_build(bench_device device, const char *text) {
  const char *strings[] = {NO_CONTRACTION, text};
  cl_int code;
  cl_program program = clCreateProgramWithSource(device.context, 2, strings, NULL, &code);
  bench_check(code, "clCreateProgramWithSource");
  code = clBuildProgram(program, 1, &device.id, OPTIONS, NULL, NULL);
  if (code == CL_SUCCESS) return program;
  static char log[16384];
  clGetProgramBuildInfo(program, device.id, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
  bench_die(BENCH_FAILED, "a kernel did not build:\n%s", log);
}
