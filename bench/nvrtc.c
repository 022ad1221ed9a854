/* SPDX-License-Identifier: Apache-2.0
 *
 * nvrtc.c: bench_nvrtc: what the header costs NVRTC, which needs no GPU.
 *
 * The time of nvrtcCompileProgram to PTX: of a kernel on the header, over the same work in plain CUDA. Neither includes
 * anything else: what is standard there, NVRTC has to read for both.
 */
#include <stdio.h>

#include "../tests/nvrtc.h"
#include "builds.h"
#include "opencl.h"

extern const char ts_embedded_scale[], ts_embedded_scale_by_hand[], ts_embedded_sum[], ts_embedded_sum_by_hand[];

static const char USAGE[] = "usage: bench_nvrtc [--rounds N] [--processes N]\n";
static const char ARCHITECTURE[] = "--gpu-architecture=compute_90";

static void open_nvrtc(void) {
  if (!nvrtc_open()) bench_die(BENCH_NO_DEVICE, "NVRTC is not there; it comes with the CUDA toolkit");
}
static void close_nvrtc(void) {}

static double build_seconds(const char *text) {
  const char *const options[] = {ARCHITECTURE};
  nvrtc_program *program;
  if (nvrtc.create(&program, text, "bench.cu", 0, NULL, NULL)) bench_die(BENCH_FAILED, "nvrtcCreateProgram failed");
  double start = bench_seconds();
  int code = nvrtc.compile(program, 1, options);
  double seconds = bench_seconds() - start;
  if (code) {
    static char log[16384];
    size_t bytes;
    if (!nvrtc.log_size(program, &bytes) && bytes <= sizeof log) nvrtc.log(program, log);
    bench_die(BENCH_FAILED, "a kernel did not build:\n%s", log);
  }
  nvrtc.destroy(&program);
  return seconds;
}

static const bench_row kernels[] = {
    {"scale by hand", ts_embedded_scale_by_hand, NULL, 0, 0},
    {"scale by hand, again: null", ts_embedded_scale_by_hand, NULL, 0, 0},
    {"scale, its three dtypes chosen", ts_embedded_scale, BENCH_DEFINES("TS_USE_f16", "TS_USE_i8", "TS_USE_f32"), 0, 1.25},
    {"scale, all fifteen there", ts_embedded_scale, NULL, 0, 0},
    {"sum by hand", ts_embedded_sum_by_hand, NULL, 4, 0},
    {"sum by hand, again: null", ts_embedded_sum_by_hand, NULL, 4, 0},
    {"sum, all fifteen used", ts_embedded_sum, NULL, 4, 1.8},
};
enum { KERNELS = sizeof kernels / sizeof *kernels };

int main(int argc, char **argv) {
  bench_options options = bench_read_options(argc, argv, USAGE);
  bench_print_machine(options);
  printf("compiler   NVRTC; %s\n", ARCHITECTURE);

  const bench_compiler compiler = {open_nvrtc, build_seconds, close_nvrtc};
  bench_spread ratios[BENCH_MAX_ROWS];
  printf("\nWhat nvrtcCompileProgram costs, over the same work by hand");
  bench_builds(&compiler, kernels, KERNELS, options, ratios);
  int verdict = bench_builds_verdict(kernels, KERNELS, ratios);
  bench_print_verdict(verdict);
  return verdict;
}
