/* SPDX-License-Identifier: Apache-2.0
 *
 * fake_cuda.c: a libcuda.so.1 with one GPU of compute capability 9.0, for examples/scale_nvrtc.c. It takes the launch of the
 * kernel scale, in one group of 256 work-items, and computes what that would; all else fails. It runs no kernel: what is
 * tested is how the program calls the driver. FAKE_CUDA_FACTOR is a factor of each result: 1 for the right one.
 *
 * The prototypes are those of cuda.h, which also gives the functions the names that they have in the library.
 */
#include <cuda.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 32 * 32, CELLS_MAX = 2 };

static int state; /* what this points at stands for a context, a module and a function */
static void *cells[CELLS_MAX];
static int cells_count;

CUresult cuInit(unsigned flags) { return flags ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS; }

/* NVRTC asks the driver for tables of its own, and does without. */
CUresult cuGetExportTable(const void **table, const CUuuid *id) {
  (void)id;
  *table = NULL;
  return CUDA_ERROR_NOT_FOUND;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  *device = 7;
  return ordinal ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
  *value = attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR ? 9 : 0;
  return device == 7 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  *context = (CUcontext)&state;
  return device == 7 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuCtxSetCurrent(CUcontext context) { return context == (CUcontext)&state ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT; }

CUresult cuModuleLoadData(CUmodule *module, const void *image) {
  *module = (CUmodule)&state;
  return strstr(image, ".target sm_90") ? CUDA_SUCCESS : CUDA_ERROR_NO_BINARY_FOR_GPU;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
  *function = (CUfunction)&state;
  return module == (CUmodule)&state && !strcmp(name, "scale") ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult cuMemAlloc(CUdeviceptr *pointer, size_t bytes) {
  if (cells_count == CELLS_MAX || !(cells[cells_count] = calloc(1, bytes))) return CUDA_ERROR_OUT_OF_MEMORY;
  *pointer = (CUdeviceptr)cells[cells_count++];
  return CUDA_SUCCESS;
}

CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes) {
  memcpy((void *)to, from, bytes);
  return CUDA_SUCCESS;
}

CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes) {
  memcpy(to, (const void *)from, bytes);
  return CUDA_SUCCESS;
}

/* x holds the f16 of numbers from 1 up to 2: 0x3c00 and ten bits of fraction. */
CUresult cuLaunchKernel(CUfunction function, unsigned groups_x, unsigned groups_y, unsigned groups_z, unsigned group_x,
                        unsigned group_y, unsigned group_z, unsigned shared_bytes, CUstream stream, void **arguments,
                        void **extra) {
  const char *factor = getenv("FAKE_CUDA_FACTOR");
  if (function != (CUfunction)&state || !factor || groups_x * groups_y * groups_z != 1 || group_x != 256 ||
      group_y * group_z != 1 || shared_bytes || stream || extra)
    return CUDA_ERROR_INVALID_VALUE;
  const unsigned short *x = (const unsigned short *)*(const CUdeviceptr *)arguments[0];
  float *y = (float *)*(const CUdeviceptr *)arguments[1], a = *(const float *)arguments[2] * (float)atof(factor);
  for (int i = 0; i < COUNT; i++) y[i] = a * (1 + (float)(x[i] - 0x3c00) / 1024);
  return CUDA_SUCCESS;
}
