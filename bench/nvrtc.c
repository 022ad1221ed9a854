/* SPDX-License-Identifier: Apache-2.0
 *
 * nvrtc.c: bench_nvrtc: what the header costs NVRTC, which needs no GPU.
 *
 * The time of nvrtcCompileProgram: of a kernel on the header, over the same work in plain CUDA. Neither includes anything else:
 * what is standard there, NVRTC has to read for both. To machine code, which is what a launch waits for and what the bars are
 * for, and to PTX, which a driver still has to assemble: both with the same options. Last as a user of the library has it, who
 * leaves the options to it. It is the process's own time, since NVRTC works alone and waits for nothing, so a busy machine
 * matters less.
 */
#include <stdio.h>

#include "../host/source.h"
#include "../tests/nvrtc.h"
#include "builds.h"
#include "opencl.h"

extern const char ts_embedded_scale[], ts_embedded_scale_by_hand[], ts_embedded_sum[], ts_embedded_sum_by_hand[];

static void open_nvrtc(void) {
  if (!nvrtc_open()) bench_die(BENCH_NO_DEVICE, "NVRTC is not there; it comes with the CUDA toolkit");
}
static void close_nvrtc(void) {}

/* is_minimal: as ts_nvrtc_compile does where it can. */
static double build_seconds(const char *text, const char *architecture, bool is_minimal) {
  const char *const options[] = {architecture, "--minimal"};
  nvrtc_program *program;
  if (nvrtc.create(&program, text, "bench.cu", 0, NULL, NULL)) bench_die(BENCH_FAILED, "nvrtcCreateProgram failed");
  double start = bench_process_seconds();
  int code = nvrtc.compile(program, is_minimal ? 2 : 1, options);
  double seconds = bench_process_seconds() - start;
  if (code) {
    static char log[16384];
    size_t bytes;
    if (!nvrtc.log_size(program, &bytes) && bytes <= sizeof log) nvrtc.log(program, log);
    bench_die(BENCH_FAILED, "a kernel did not build:\n%s", log);
  }
  nvrtc.destroy(&program);
  return seconds;
}

static const char SM_90[] = "--gpu-architecture=sm_90";
static double to_ptx(const char *text) { return build_seconds(text, "--gpu-architecture=compute_90", false); }
static double to_machine_code(const char *text) { return build_seconds(text, SM_90, false); }
static double by_the_library(const char *text) { return build_seconds(text, SM_90, strstr(text, "TENSORSTORAGE_H") != NULL); }

#define THREE "TS_USE_f16", "TS_USE_i8", "TS_USE_f32"
#define KERNELS_TO(what, three, fifteen)                                                                                       \
  {                                                                                                                            \
    {"scale by hand", ts_embedded_scale_by_hand, NULL, 0, 0},                                                                  \
        {"scale by hand, again: null", ts_embedded_scale_by_hand, NULL, 0, 0},                                                 \
        {"scale, its three dtypes, to " what, ts_embedded_scale, BENCH_DEFINES(THREE), 0, three},                              \
        {"scale, all fifteen there, to " what, ts_embedded_scale, NULL, 0, 0},                                                 \
        {"sum by hand", ts_embedded_sum_by_hand, NULL, 4, 0},                                                                  \
        {"sum by hand, again: null", ts_embedded_sum_by_hand, NULL, 4, 0},                                                     \
        {"sum, all fifteen used, to " what, ts_embedded_sum, NULL, 4, fifteen},                                                \
  }
static const bench_row for_ptx[] = KERNELS_TO("PTX", 0, 0), by_library[] = KERNELS_TO("machine code, by the library", 0, 0),
                       for_machine_code[] = KERNELS_TO("machine code", 1.25, 1.8);
enum { KERNELS = sizeof for_ptx / sizeof *for_ptx };

/* In a process of its own, as all that NVRTC does. */
static void find_version(void *result, const void *context) {
  (void)context;
  open_nvrtc();
  int major = 0, minor = 0;
  nvrtc.version(&major, &minor);
  bench_machine *machine = result;
  snprintf(machine->driver, sizeof machine->driver, "no driver takes part, times are those of the process");
  snprintf(machine->compiler, sizeof machine->compiler, "NVRTC %d.%d, for sm_90", major, minor);
}
static void describe(bench_machine *machine) { bench_in_processes(1, sizeof *machine, machine, find_version, NULL); }

int main(int argc, char **argv) {
  bench_options options = bench_read_options(argc, argv);
  bench_row all[3 * KERNELS];
  int count = bench_reported_rows(for_ptx, KERNELS, all);
  count += bench_reported_rows(by_library, KERNELS, all + count);
  count += bench_reported_rows(for_machine_code, KERNELS, all + count);
  bench_check_only(&options, count, all, sizeof *all);
  bench_report *report = bench_report_begin("nvrtc", &options, describe);

  const bench_compiler compiling = {ts_embedded_header_cuda, open_nvrtc, to_ptx, close_nvrtc},
                       library = {ts_embedded_header_cuda, open_nvrtc, by_the_library, close_nvrtc},
                       assembling = {ts_embedded_header_cuda, open_nvrtc, to_machine_code, close_nvrtc};
  printf("What nvrtcCompileProgram costs, over the same work by hand; with the library's options (--minimal) what is on the "
         "header\n");
  bench_builds(&compiling, for_ptx, KERNELS, &options, report);
  bench_builds(&library, by_library, KERNELS, &options, report);
  bench_builds(&assembling, for_machine_code, KERNELS, &options, report);
  return bench_report_end(report);
}
