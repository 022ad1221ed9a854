/* SPDX-License-Identifier: Apache-2.0
 *
 * bad_driver.c: a driver, of OpenCL and of CUDA, that does what BAD_DRIVER says: crash, hang, or crash when it is unloaded.
 *
 * doctor_test.sh lets OpenCL's loader find it. It has no platform in any case.
 */
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_told(const char *what) {
  const char *told = getenv("BAD_DRIVER");
  return told && !strcmp(told, what);
}

/* No sanitizer's handler turns it into an exit. */
static void crash(void) {
  signal(SIGSEGV, SIG_DFL);
  raise(SIGSEGV);
}

/* ---- OpenCL, as a loader sees it ---------------------------------------------------------------------------------- */

static int get_platforms(unsigned room, void **platforms, unsigned *count) {
  (void)room, (void)platforms;
  static const char words[] = "the driver says farewell\n";
  if (is_told("crash")) {
    if (write(STDERR_FILENO, words, sizeof words - 1) < 0) abort();
    crash();
  }
  while (is_told("hang")) pause();
  if (is_told("exit")) atexit(crash);
  if (count) *count = 0;
  return -1001; /* CL_PLATFORM_NOT_FOUND_KHR */
}

/* A loader wants it to be there, and does not ask without a platform. */
static int get_platform_info(void) { return -30; /* CL_INVALID_VALUE */ }

void *clGetExtensionFunctionAddress(const char *name);
void *clGetExtensionFunctionAddress(const char *name) {
  int (*platforms)(unsigned, void **, unsigned *) = get_platforms;
  int (*info)(void) = get_platform_info;
  void *address = NULL;
  if (!strcmp(name, "clIcdGetPlatformIDsKHR")) memcpy(&address, &platforms, sizeof address);
  if (!strcmp(name, "clGetPlatformInfo")) memcpy(&address, &info, sizeof address);
  return address;
}

/* ---- CUDA: two GPUs, unless BAD_DRIVER is a code of cuInit --------------------------------------------------------- */

int cuInit(unsigned flags);
int cuInit(unsigned flags) {
  const char *code = getenv("BAD_DRIVER");
  return flags || !code ? 0 : atoi(code);
}

int cuDriverGetVersion(int *version);
int cuDriverGetVersion(int *version) {
  *version = 13020;
  return 0;
}

int cuDeviceGetCount(int *count);
int cuDeviceGetCount(int *count) {
  *count = 2;
  return 0;
}
