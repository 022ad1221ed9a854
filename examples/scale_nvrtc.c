/* SPDX-License-Identifier: Apache-2.0
 *
 * scale_nvrtc.c: the kernel of scale.c compiled by NVRTC in a plain C program. Of TensorStorage it needs the one file
 * tensorstorage.h, and no library.
 *
 *   cc -I /usr/local/cuda/include -o scale_nvrtc scale_nvrtc.c -L /usr/local/cuda/lib64 -lnvrtc -ldl
 *   ./scale_nvrtc /usr/local/include/tensorstorage.h scale.c
 *
 * NVRTC is given the header's text under the name that the kernel includes. It needs no GPU. Where the driver and a GPU are
 * there, the kernel is launched too, and its result is compared; else the program says that it was compiled only.
 */
#include <cuda.h>
#include <dlfcn.h>
#include <nvrtc.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 32 * 32, OPTION_BYTES = 64 };

/* End the program, saying what failed. */
static void fail(const char *call, const char *why) {
  fprintf(stderr, "%s failed: %s\n", call, why);
  exit(1);
}

/* The text of a file, ended by a 0; the caller frees it. Ends the program if the file can't be read. */
static char *read_text(const char *name) {
  FILE *file = fopen(name, "rb");
  long bytes = file && !fseek(file, 0, SEEK_END) ? ftell(file) : -1;
  char *text = bytes >= 0 ? malloc((size_t)bytes + 1) : NULL;
  if (!text || fseek(file, 0, SEEK_SET) || fread(text, 1, (size_t)bytes, file) != (size_t)bytes) {
    perror(name);
    exit(1);
  }
  fclose(file);
  text[bytes] = '\0';
  return text;
}

/* ---- compiling -------------------------------------------------------------------------------------------------- */

static void check_nvrtc(nvrtcResult code, const char *call) {
  if (code != NVRTC_SUCCESS) fail(call, nvrtcGetErrorString(code));
}

/* The PTX of a kernel's source, which includes "tensorstorage.h", for GPUs of compute capability major.minor and later. The
 * caller frees it. Shows the compiler's log if there is something in it. */
static char *compile(const char *header, const char *source, int major, int minor) {
  const char *header_name = "tensorstorage.h";
  nvrtcProgram program;
  check_nvrtc(nvrtcCreateProgram(&program, source, "scale.c", 1, &header, &header_name), "nvrtcCreateProgram");

  char architecture[OPTION_BYTES];
  snprintf(architecture, sizeof architecture, "--gpu-architecture=compute_%d%d", major, minor);
  const char *options[] = {architecture};
  nvrtcResult code = nvrtcCompileProgram(program, 1, options);
  size_t bytes = 0;
  if (nvrtcGetProgramLogSize(program, &bytes) == NVRTC_SUCCESS && bytes > 1) {
    char *log = malloc(bytes);
    if (log && nvrtcGetProgramLog(program, log) == NVRTC_SUCCESS) fputs(log, stderr);
    free(log);
  }
  check_nvrtc(code, "nvrtcCompileProgram");

  check_nvrtc(nvrtcGetPTXSize(program, &bytes), "nvrtcGetPTXSize");
  char *ptx = malloc(bytes);
  if (!ptx) fail("malloc", "memory ran out");
  check_nvrtc(nvrtcGetPTX(program, ptx), "nvrtcGetPTX");
  nvrtcDestroyProgram(&program);
  return ptx;
}

/* ---- launching: the driver is opened at run time, so that the program starts where there is none -------------------- */

typedef struct driver {
  CUresult (*init)(unsigned flags);
  CUresult (*device_get)(CUdevice *device, int ordinal);
  CUresult (*attribute)(int *value, CUdevice_attribute attribute, CUdevice device);
  CUresult (*retain)(CUcontext *context, CUdevice device);
  CUresult (*set_current)(CUcontext context);
  CUresult (*load)(CUmodule *module, const void *image);
  CUresult (*function)(CUfunction *function, CUmodule module, const char *name);
  CUresult (*allocate)(CUdeviceptr *cells, size_t bytes);
  CUresult (*upload)(CUdeviceptr to, const void *from, size_t bytes);
  CUresult (*download)(void *to, CUdeviceptr from, size_t bytes);
  CUresult (*launch)(CUfunction function, unsigned groups_x, unsigned groups_y, unsigned groups_z, unsigned group_x,
                     unsigned group_y, unsigned group_z, unsigned shared_bytes, CUstream stream, void **arguments,
                     void **extra);
} driver;

/* Open the driver and its first GPU. Returns false if there is none. */
static bool open_driver(driver *d, CUdevice *device) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  if (!library) return false;
  const struct {
    void *pointer;
    const char *name;
  } symbols[] = {{&d->init, "cuInit"},
                 {&d->device_get, "cuDeviceGet"},
                 {&d->attribute, "cuDeviceGetAttribute"},
                 {&d->retain, "cuDevicePrimaryCtxRetain"},
                 {&d->set_current, "cuCtxSetCurrent"},
                 {&d->load, "cuModuleLoadData"},
                 {&d->function, "cuModuleGetFunction"},
                 {&d->allocate, "cuMemAlloc_v2"},
                 {&d->upload, "cuMemcpyHtoD_v2"},
                 {&d->download, "cuMemcpyDtoH_v2"},
                 {&d->launch, "cuLaunchKernel"}};
  for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
    void *symbol = dlsym(library, symbols[i].name);
    if (!symbol) fail("dlsym", symbols[i].name);
    memcpy(symbols[i].pointer, &symbol, sizeof symbol);
  }
  return d->init(0) == CUDA_SUCCESS && d->device_get(device, 0) == CUDA_SUCCESS;
}

static void check_cuda(CUresult code, const char *call) {
  char why[OPTION_BYTES];
  snprintf(why, sizeof why, "CUDA error %d", (int)code);
  if (code != CUDA_SUCCESS) fail(call, why);
}

/* y = a * x, by the kernel. x holds the bits of f16. What the driver gives is returned when the program ends. */
static void scale(const driver *d, CUdevice device, const char *ptx, const unsigned short x[COUNT], float a, float y[COUNT]) {
  CUcontext context;
  CUmodule module;
  CUfunction kernel;
  CUdeviceptr x_cells, y_cells;
  check_cuda(d->retain(&context, device), "cuDevicePrimaryCtxRetain");
  check_cuda(d->set_current(context), "cuCtxSetCurrent");
  check_cuda(d->load(&module, ptx), "cuModuleLoadData");
  check_cuda(d->function(&kernel, module, "scale"), "cuModuleGetFunction");
  check_cuda(d->allocate(&x_cells, COUNT * sizeof *x), "cuMemAlloc");
  check_cuda(d->allocate(&y_cells, COUNT * sizeof *y), "cuMemAlloc");
  check_cuda(d->upload(x_cells, x, COUNT * sizeof *x), "cuMemcpyHtoD");
  void *arguments[] = {&x_cells, &y_cells, &a}; /* exactly the parameters that TS_KERNEL shows */
  check_cuda(d->launch(kernel, 1, 1, 1, 256, 1, 1, 0, NULL, arguments, NULL), "cuLaunchKernel");
  check_cuda(d->download(y, y_cells, COUNT * sizeof *y), "cuMemcpyDtoH");
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: %s tensorstorage.h scale.c\n", argv[0]);
    return 2;
  }
  driver d;
  CUdevice device;
  int major = 7, minor = 5; /* the oldest that NVRTC 13 compiles for */
  bool has_gpu = open_driver(&d, &device);
  if (has_gpu) {
    check_cuda(d.attribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device), "cuDeviceGetAttribute");
    check_cuda(d.attribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device), "cuDeviceGetAttribute");
  }

  char *header = read_text(argv[1]), *source = read_text(argv[2]);
  char *ptx = compile(header, source, major, minor);
  free(source);
  free(header);
  printf("scale by NVRTC: %zu bytes of PTX for compute_%d%d\n", strlen(ptx), major, minor);
  if (!has_gpu) {
    puts("compiled only: there is no NVIDIA GPU, so nothing ran");
    free(ptx);
    return 0;
  }

  static unsigned short x[COUNT];
  static float y[COUNT];
  for (int i = 0; i < COUNT; i++) x[i] = (unsigned short)(0x3c00 + i); /* the f16 of 1 + i / 1024 */
  scale(&d, device, ptx, x, 2.5f, y);
  free(ptx);
  int right = 0;
  for (int i = 0; i < COUNT; i++) right += y[i] == 2.5f * (1 + (float)i / 1024);
  printf("scale by CUDA: %d of %d elements right\n", right, (int)COUNT);
  return right == COUNT ? 0 : 1;
}
