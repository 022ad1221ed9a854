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

static const char USAGE[] = "usage: bench_nvrtc [--rounds N] [--processes N]\n";

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
#define KERNELS_WITH_BARS(three, fifteen)                                                                                      \
  {                                                                                                                            \
    {"scale by hand", ts_embedded_scale_by_hand, NULL, 0, 0},                                                                  \
        {"scale by hand, again: null", ts_embedded_scale_by_hand, NULL, 0, 0},                                                 \
        {"scale, its three dtypes chosen", ts_embedded_scale, BENCH_DEFINES(THREE), 0, three},                                 \
        {"scale, all fifteen there", ts_embedded_scale, NULL, 0, 0}, {"sum by hand", ts_embedded_sum_by_hand, NULL, 4, 0},     \
        {"sum by hand, again: null", ts_embedded_sum_by_hand, NULL, 4, 0},                                                     \
        {"sum, all fifteen used", ts_embedded_sum, NULL, 4, fifteen},                                                          \
  }
static const bench_row with_bars[] = KERNELS_WITH_BARS(1.25, 1.8), without_bars[] = KERNELS_WITH_BARS(0, 0);
enum { KERNELS = sizeof with_bars / sizeof *with_bars };

int main(int argc, char **argv) {
  bench_options options = bench_read_options(argc, argv, USAGE);
  bench_print_machine(options);
  printf("compiler   NVRTC, for sm_90; times are those of the process\n");

  const bench_compiler compiling = {ts_embedded_header_cuda, open_nvrtc, to_ptx, close_nvrtc},
                       assembling = {ts_embedded_header_cuda, open_nvrtc, to_machine_code, close_nvrtc},
                       library = {ts_embedded_header_cuda, open_nvrtc, by_the_library, close_nvrtc};
  bench_spread ratios[BENCH_MAX_ROWS];
  printf("\nWhat nvrtcCompileProgram to PTX costs, over the same work by hand");
  bench_builds(&compiling, without_bars, KERNELS, options, ratios);
  printf("\nTo machine code, what is on the header by the options of the library (--minimal), by hand by none");
  bench_builds(&library, without_bars, KERNELS, options, ratios);
  printf("\nTo machine code, with the same options");
  bench_builds(&assembling, with_bars, KERNELS, options, ratios);
  int verdict = bench_builds_verdict(with_bars, KERNELS, ratios);
  bench_print_verdict(verdict);
  return verdict;
}
