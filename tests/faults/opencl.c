/* SPDX-License-Identifier: Apache-2.0
 *
 * opencl.c: OpenCL, as far as the library calls it, in front of the loader: one call fails, and what is made and released is
 * counted. See faults.h.
 *
 * A function of the library's that is not here reaches the loader untouched; check_faults compares the lists.
 */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/faults/faults.h"

/* The loader's function. */
static void *real(const char *name) {
  static _Atomic(void *) loader;
  void *opened = loader;
  if (!opened) loader = opened = dlopen("libOpenCL.so.1", RTLD_NOW);
  void *function = opened ? dlsym(opened, name) : NULL;
  if (function) return function;
  fprintf(stderr, "faults: libOpenCL.so.1 has no %s\n", name);
  abort();
}

static void hold(faults_object object, long count) { atomic_fetch_add(&faults_here()->held[object], count); }

#define REAL(name) ((__typeof__(&name))real(#name))

/* A call that returns a code. `question`: what it is asked, or 0. */
#define CALL(name, question, parameters, arguments)                                                                            \
  cl_int CL_API_CALL name parameters {                                                                                         \
    return faults_strike(FAULTS_OPENCL, #name, question) ? faults_here()->code : REAL(name) arguments;                         \
  }

/* A call that makes an object. */
#define MAKE(name, type, object, parameters, arguments)                                                                        \
  type CL_API_CALL name parameters {                                                                                           \
    if (faults_strike(FAULTS_OPENCL, #name, 0)) {                                                                              \
      if (code) *code = faults_here()->code;                                                                                   \
      return NULL;                                                                                                             \
    }                                                                                                                          \
    type made = REAL(name) arguments;                                                                                          \
    if (made) hold(object, 1);                                                                                                 \
    return made;                                                                                                               \
  }

/* A call that lets go of one: it does, whatever it returns. */
#define RELEASE(name, type, object)                                                                                            \
  cl_int CL_API_CALL name(type released) {                                                                                     \
    bool fails = faults_strike(FAULTS_OPENCL, #name, 0);                                                                       \
    hold(object, -1);                                                                                                          \
    cl_int code = REAL(name)(released);                                                                                        \
    return fails ? faults_here()->code : code;                                                                                 \
  }

/* clang-format off */

CALL(clGetPlatformIDs, 0, (cl_uint room, cl_platform_id *platforms, cl_uint *count), (room, platforms, count))
CALL(clGetPlatformInfo, q, (cl_platform_id of, cl_platform_info q, size_t room, void *answer, size_t *bytes), (of, q, room, answer, bytes))
CALL(clGetDeviceIDs, 0, (cl_platform_id of, cl_device_type type, cl_uint room, cl_device_id *devices, cl_uint *count), (of, type, room, devices, count))
CALL(clGetDeviceInfo, q, (cl_device_id of, cl_device_info q, size_t room, void *answer, size_t *bytes), (of, q, room, answer, bytes))
CALL(clGetProgramInfo, q, (cl_program of, cl_program_info q, size_t room, void *answer, size_t *bytes), (of, q, room, answer, bytes))
CALL(clGetProgramBuildInfo, q, (cl_program of, cl_device_id device, cl_program_build_info q, size_t room, void *answer, size_t *bytes), (of, device, q, room, answer, bytes))
CALL(clGetKernelInfo, q, (cl_kernel of, cl_kernel_info q, size_t room, void *answer, size_t *bytes), (of, q, room, answer, bytes))
CALL(clGetKernelWorkGroupInfo, q, (cl_kernel of, cl_device_id device, cl_kernel_work_group_info q, size_t room, void *answer, size_t *bytes), (of, device, q, room, answer, bytes))
CALL(clGetEventProfilingInfo, q, (cl_event of, cl_profiling_info q, size_t room, void *answer, size_t *bytes), (of, q, room, answer, bytes))
CALL(clBuildProgram, 0, (cl_program program, cl_uint count, const cl_device_id *devices, const char *options, void (CL_CALLBACK *notify)(cl_program, void *), void *data), (program, count, devices, options, notify, data))
CALL(clSetKernelArg, 0, (cl_kernel kernel, cl_uint index, size_t bytes, const void *value), (kernel, index, bytes, value))
CALL(clFinish, 0, (cl_command_queue queue), (queue))
CALL(clWaitForEvents, 0, (cl_uint count, const cl_event *events), (count, events))
CALL(clEnqueueReadBuffer, 0, (cl_command_queue queue, cl_mem buffer, cl_bool blocks, size_t offset, size_t bytes, void *data, cl_uint count, const cl_event *events, cl_event *event), (queue, buffer, blocks, offset, bytes, data, count, events, event))
CALL(clEnqueueWriteBuffer, 0, (cl_command_queue queue, cl_mem buffer, cl_bool blocks, size_t offset, size_t bytes, const void *data, cl_uint count, const cl_event *events, cl_event *event), (queue, buffer, blocks, offset, bytes, data, count, events, event))

MAKE(clCreateContext, cl_context, FAULTS_CONTEXT, (const cl_context_properties *properties, cl_uint count, const cl_device_id *devices, void (CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *data, cl_int *code), (properties, count, devices, notify, data, code))
MAKE(clCreateCommandQueue, cl_command_queue, FAULTS_QUEUE, (cl_context context, cl_device_id device, cl_command_queue_properties properties, cl_int *code), (context, device, properties, code))
MAKE(clCreateBuffer, cl_mem, FAULTS_BUFFER, (cl_context context, cl_mem_flags flags, size_t bytes, void *host, cl_int *code), (context, flags, bytes, host, code))
MAKE(clCreateSubBuffer, cl_mem, FAULTS_BUFFER, (cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type, const void *info, cl_int *code), (buffer, flags, type, info, code))
MAKE(clCreateProgramWithSource, cl_program, FAULTS_PROGRAM, (cl_context context, cl_uint count, const char **texts, const size_t *lengths, cl_int *code), (context, count, texts, lengths, code))
MAKE(clCreateProgramWithBinary, cl_program, FAULTS_PROGRAM, (cl_context context, cl_uint count, const cl_device_id *devices, const size_t *lengths, const unsigned char **binaries, cl_int *states, cl_int *code), (context, count, devices, lengths, binaries, states, code))
MAKE(clCreateKernel, cl_kernel, FAULTS_KERNEL, (cl_program program, const char *name, cl_int *code), (program, name, code))

RELEASE(clReleaseContext, cl_context, FAULTS_CONTEXT)
RELEASE(clReleaseCommandQueue, cl_command_queue, FAULTS_QUEUE)
RELEASE(clReleaseMemObject, cl_mem, FAULTS_BUFFER)
RELEASE(clReleaseProgram, cl_program, FAULTS_PROGRAM)
RELEASE(clReleaseKernel, cl_kernel, FAULTS_KERNEL)
RELEASE(clReleaseEvent, cl_event, FAULTS_EVENT_OBJECT)

/* clang-format on */

cl_int CL_API_CALL clRetainEvent(cl_event event) {
  if (faults_strike(FAULTS_OPENCL, "clRetainEvent", 0)) return faults_here()->code;
  hold(FAULTS_EVENT_OBJECT, 1);
  return REAL(clRetainEvent)(event);
}

cl_int CL_API_CALL clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                                          const size_t *items, const size_t *group, cl_uint count, const cl_event *events,
                                          cl_event *event) {
  if (faults_strike(FAULTS_OPENCL, "clEnqueueNDRangeKernel", 0)) return faults_here()->code;
  cl_int code = REAL(clEnqueueNDRangeKernel)(queue, kernel, dimensions, offset, items, group, count, events, event);
  if (code == CL_SUCCESS && event) hold(FAULTS_EVENT_OBJECT, 1);
  return code;
}

cl_int CL_API_CALL clGetEventInfo(cl_event event, cl_event_info question, size_t room, void *answer, size_t *bytes) {
  if (faults_strike(FAULTS_OPENCL, "clGetEventInfo", question)) return faults_here()->code;
  cl_int code = REAL(clGetEventInfo)(event, question, room, answer, bytes);
  bool is_state = question == CL_EVENT_COMMAND_EXECUTION_STATUS && code == CL_SUCCESS;
  if (is_state && faults_strike(FAULTS_EVENT, "clGetEventInfo", question)) *(cl_int *)answer = faults_here()->code;
  return code;
}
