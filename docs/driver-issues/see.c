/* SPDX-License-Identifier: Apache-2.0
 *
 * see.c: run one of the kernels beside it on the first OpenCL device, and say whether what it wrote is right.
 *
 *   cc see.c -lOpenCL -o see && ./see pocl-dominating-variable.cl
 *
 * A kernel file has one kernel, issue(__global uint *out), and needs nothing else. One group of it runs, of as many work-items
 * as its reqd_work_group_size says. Then out[k] must be k, for each k below 64, and what is behind must be as it was.
 *
 * Exit codes: 0 right, 1 wrong, 2 it could not be run. A driver may also end the process, or never return.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>

enum { VALUES = 64, ALL = 2 * VALUES, UNTOUCHED = 12345 };

static void must(cl_int status, const char *call) {
  if (status == CL_SUCCESS) return;
  printf("%s: error %d\n", call, status);
  _Exit(2);
}

int main(int argc, char **argv) {
  static char text[16384], build_log[16384], driver[256];
  const char *source = text;
  FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
  if (!file || !fread(text, 1, sizeof text - 1, file)) {
    puts("usage: see FILE.cl");
    return 2;
  }
  cl_platform_id platform;
  cl_device_id device;
  cl_int status;
  cl_uint out[ALL];
  size_t items[3];
  for (int k = 0; k < ALL; k++) out[k] = UNTOUCHED;
  must(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
  must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
  must(clGetDeviceInfo(device, CL_DRIVER_VERSION, sizeof driver, driver, NULL), "clGetDeviceInfo");
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  must(status, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
  must(status, "clCreateCommandQueue");
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
  must(status, "clCreateProgramWithSource");
  status = clBuildProgram(program, 1, &device, "-cl-std=CL1.2", NULL, NULL);
  if (status) clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof build_log, build_log, NULL);
  fputs(build_log, stdout);
  must(status, "clBuildProgram");
  cl_kernel kernel = clCreateKernel(program, "issue", &status);
  must(status, "clCreateKernel");
  must(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof items, items, NULL),
       "clGetKernelWorkGroupInfo");
  cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof out, out, &status);
  must(status, "clCreateBuffer");
  must(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), "clSetKernelArg");
  must(clEnqueueNDRangeKernel(queue, kernel, 3, NULL, items, items, 0, NULL, NULL), "clEnqueueNDRangeKernel");
  must(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL), "clEnqueueReadBuffer");
  for (cl_uint k = 0; k < ALL; k++) {
    cl_uint right = k < VALUES ? k : UNTOUCHED;
    if (out[k] == right) continue;
    printf("driver %s: wrong: out[%u] is %u, must be %u\n", driver, k, out[k], right);
    return 1;
  }
  printf("driver %s: right\n", driver);
  return 0;
}
