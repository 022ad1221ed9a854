/* SPDX-License-Identifier: Apache-2.0
 *
 * scale_opencl.c: the kernel of scale.c in a plain OpenCL program. Of TensorStorage it needs the one file tensorstorage.h,
 * and no library.
 *
 *   cc -o scale_opencl scale_opencl.c -lOpenCL
 *   ./scale_opencl /usr/local/include/tensorstorage.h scale.c
 *
 * The driver's compiler is given the header's text under the name that the kernel includes, so that no folder is searched.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 32 * 32, LOG_BYTES = 65536 };

/* End the program unless `code`, which `call` gave, says success. */
static void check(cl_int code, const char *call) {
  if (code == CL_SUCCESS) return;
  fprintf(stderr, "%s failed: OpenCL error %d\n", call, code);
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

static cl_program program_of_text(cl_context context, const char *text) {
  cl_int code;
  cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &code);
  check(code, "clCreateProgramWithSource");
  return program;
}

/* Compile a kernel's source, which includes "tensorstorage.h", and link it. Shows the compiler's log if it does not compile. */
static cl_program build(cl_context context, cl_device_id device, const char *header, const char *source) {
  const char *header_name = "tensorstorage.h";
  cl_program header_program = program_of_text(context, header), compiled = program_of_text(context, source);
  cl_int code =
      clCompileProgram(compiled, 1, &device, "-cl-std=CL1.2", 1, &header_program, &header_name, NULL, NULL); /* or CL3.0 */
  if (code != CL_SUCCESS) {
    static char log[LOG_BYTES];
    clGetProgramBuildInfo(compiled, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    fputs(log, stderr);
  }
  check(code, "clCompileProgram");
  cl_program linked = clLinkProgram(context, 1, &device, NULL, 1, &compiled, NULL, NULL, &code);
  check(code, "clLinkProgram");
  clReleaseProgram(compiled);
  clReleaseProgram(header_program);
  return linked;
}

/* The first GPU of the first platform that has one, else the first device. */
static cl_device_id choose_device(void) {
  cl_platform_id platforms[16];
  cl_uint count = 0;
  check(clGetPlatformIDs(16, platforms, &count), "clGetPlatformIDs");
  const cl_device_type wanted[] = {CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_ALL};
  for (int w = 0; w < 2; w++) {
    for (cl_uint p = 0; p < count && p < 16; p++) {
      cl_device_id device;
      if (clGetDeviceIDs(platforms[p], wanted[w], 1, &device, NULL) == CL_SUCCESS) return device;
    }
  }
  fputs("there is no OpenCL device; on Debian, pocl-opencl-icd makes one of the CPU\n", stderr);
  exit(1);
}

/* y = a * x, by the kernel. x holds the bits of f16. */
static void scale(cl_context context, cl_device_id device, cl_program program, cl_ushort x[COUNT], cl_float a,
                  cl_float y[COUNT]) {
  cl_int code;
  const size_t x_bytes = COUNT * sizeof *x, y_bytes = COUNT * sizeof *y;
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
  check(code, "clCreateCommandQueue");
  cl_kernel kernel = clCreateKernel(program, "scale", &code);
  check(code, "clCreateKernel");
  cl_mem x_cells = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, x_bytes, x, &code);
  check(code, "clCreateBuffer");
  cl_mem y_cells = clCreateBuffer(context, CL_MEM_WRITE_ONLY, y_bytes, NULL, &code);
  check(code, "clCreateBuffer");

  /* The parameters are exactly those that TS_KERNEL shows. */
  check(clSetKernelArg(kernel, 0, sizeof x_cells, &x_cells), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, sizeof y_cells, &y_cells), "clSetKernelArg");
  check(clSetKernelArg(kernel, 2, sizeof a, &a), "clSetKernelArg");
  const size_t items = 256, group = 256;
  check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL), "clEnqueueNDRangeKernel");
  check(clEnqueueReadBuffer(queue, y_cells, CL_TRUE, 0, y_bytes, y, 0, NULL, NULL), "clEnqueueReadBuffer");

  clReleaseMemObject(y_cells);
  clReleaseMemObject(x_cells);
  clReleaseKernel(kernel);
  clReleaseCommandQueue(queue);
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: %s tensorstorage.h scale.c\n", argv[0]);
    return 2;
  }
  char *header = read_text(argv[1]), *source = read_text(argv[2]);
  cl_int code;
  cl_device_id device = choose_device();
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
  check(code, "clCreateContext");
  cl_program program = build(context, device, header, source);

  static cl_ushort x[COUNT];
  static cl_float y[COUNT];
  for (int i = 0; i < COUNT; i++) x[i] = (cl_ushort)(0x3c00 + i); /* the f16 of 1 + i / 1024 */
  scale(context, device, program, x, 2.5f, y);
  int right = 0;
  for (int i = 0; i < COUNT; i++) right += y[i] == 2.5f * (1 + (float)i / 1024);
  printf("scale by OpenCL: %d of %d elements right\n", right, (int)COUNT);

  clReleaseProgram(program);
  clReleaseContext(context);
  free(source);
  free(header);
  return right == COUNT ? 0 : 1;
}
