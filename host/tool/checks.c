/* SPDX-License-Identifier: Apache-2.0
 *
 * checks.c: what `tensorstorage doctor` looks at: compilers, OpenCL's loader and drivers, CUDA's driver, the cache, devices,
 * tools.
 *
 * The smoke kernel is examples/scale.c: shared memory, a barrier, a conversion. Devices run it, targets compile it.
 */
#define _GNU_SOURCE /* dladdr */
#include "host/tool/checks.h"

#include <ctype.h>
#include <dlfcn.h>
#include <glob.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "cache.h"
#include "compile.h"
#include "compiler.h"
#include "host/tool/probe.h"
#include "process.h"

extern const char ts_embedded_smoke[];

#define INSTALL_OPENCL "apt-get install pocl-opencl-icd"
#define INSTALL_CUDA "https://developer.nvidia.com/cuda-downloads" /* Debian's own is too old */

#define NOWHERE "/nowhere" /* a folder without vendor files */

/* What a check is about. */
typedef struct subject {
  void (*check)(const struct subject *s, finding *f);
  const char *name;    /* of the finding */
  const char *what;    /* a device's id, a target, a program, a library */
  const char *use;     /* of a program: what for */
  const char *install; /* a command; NULL: there is none */
  const char *vendors; /* OpenCL's loader sees this vendor file only; NULL: all */
} subject;

/* ---- findings ----------------------------------------------------------------------------------------------------- */

static void find(finding *f, finding_state state, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void find(finding *f, finding_state state, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(f->text, sizeof f->text, format, arguments);
  va_end(arguments);
  f->state = state;
}

/* What the library said. Only a compiler that is not installed is no mistake. */
static void find_error(finding *f, const ts_error *error) {
  find(f, error->status == TS_ERROR_UNSUPPORTED ? FINDING_MISSING : FINDING_BROKEN, "%.*s", (int)sizeof f->text - 1,
       error->message);
}

/* ---- devices ------------------------------------------------------------------------------------------------------ */

enum { SMOKE_COUNT = 32 * 32, SMOKE_GROUP = 256 };

/* y = a * x, by the smoke kernel. */
static ts_status scale(ts_device *device, const uint16_t x[SMOKE_COUNT], float a, float y[SMOKE_COUNT], ts_error *error) {
  const size_t x_bytes = SMOKE_COUNT * sizeof *x, y_bytes = SMOKE_COUNT * sizeof *y;
  const ts_build_options options = {.name = "scale.c", .uncached = true}; /* to see that it builds */
  const ts_grid grid = {.items = {SMOKE_GROUP}, .group = {SMOKE_GROUP}};
  ts_queue *queue = NULL;
  ts_program *program = NULL;
  ts_kernel *kernel = NULL;
  ts_buffer *x_cells = NULL, *y_cells = NULL;
  ts_status status = ts_queue_create(&queue, device, error);
  if (!status) status = ts_program_build(&program, device, ts_embedded_smoke, &options, error);
  if (!status) status = ts_kernel_get(&kernel, program, "scale", error);
  if (!status) status = ts_buffer_create(&x_cells, device, TS_SPACE_global, x_bytes, error);
  if (!status) status = ts_buffer_create(&y_cells, device, TS_SPACE_global, y_bytes, error);
  if (!status) status = ts_buffer_write(queue, x_cells, 0, x, x_bytes, error);
  if (!status) status = ts_kernel_arg_buffer(kernel, "x_cells", x_cells, error);
  if (!status) status = ts_kernel_arg_buffer(kernel, "y_cells", y_cells, error);
  if (!status) status = ts_kernel_arg_f32(kernel, "a", a, error);
  if (!status) status = ts_kernel_launch(queue, kernel, grid, NULL, error);
  if (!status) status = ts_buffer_read(queue, y_cells, 0, y, y_bytes, error);
  ts_kernel_destroy(kernel);
  ts_program_destroy(program);
  ts_queue_destroy(queue);
  ts_buffer_destroy(x_cells);
  ts_buffer_destroy(y_cells);
  return status;
}

static void check_device(const subject *s, finding *f) {
  static uint16_t x[SMOKE_COUNT];
  static float y[SMOKE_COUNT];
  const float a = 2.5f;
  ts_device *device = NULL;
  ts_error error = {.status = TS_OK};
  double start = child_now();
  for (int i = 0; i < SMOKE_COUNT; i++) x[i] = (uint16_t)(0x3c00 + i); /* the f16 of 1 + i / 1024 */
  if (ts_device_open(&device, s->what, &error) || scale(device, x, a, y, &error)) {
    find_error(f, &error);
    ts_device_close(device);
    return;
  }
  double seconds = child_now() - start;
  int wrong = 0;
  while (wrong < SMOKE_COUNT && y[wrong] == a * (1 + (float)wrong / 1024)) wrong++;
  const char *name = ts_device_get_info(device)->name;
  f->ran_kernel = wrong == SMOKE_COUNT;
  if (f->ran_kernel)
    find(f, FINDING_WORKS, "%s: ran the smoke kernel, %.2f s with its build", name, seconds);
  else
    find(f, FINDING_BROKEN, "%s: the smoke kernel's element %d is %g, must be %g", name, wrong, (double)y[wrong],
         (double)(a * (1 + (float)wrong / 1024)));
  ts_device_close(device);
}

/* ---- OpenCL's loader and drivers ---------------------------------------------------------------------------------- */

/* The loader that this program is linked with. Most tell who they are, by a function of their own. No driver is loaded. */
static void check_loader(const subject *s, finding *f) {
  enum { LOADER_VERSION = 2, LOADER_NAME = 3 }; /* of clGetICDLoaderInfoOCLICD */
  int (*get_info)(int question, size_t bytes, void *text, size_t *needed) = NULL;
  char name[128] = "OpenCL's ICD loader", version[64] = "";
  Dl_info where = {0};
  void *library = dlopen(s->what, RTLD_LAZY);
  void *entry = library ? dlsym(library, "clGetPlatformIDs") : NULL;
  void *(*get_address)(const char *name) = NULL;
  void *symbol = library ? dlsym(library, "clGetExtensionFunctionAddress") : NULL;
  if (!entry || !dladdr(entry, &where)) {
    find(f, FINDING_BROKEN, "%s has no clGetPlatformIDs", s->what);
    return;
  }
  memcpy(&get_address, &symbol, sizeof symbol); /* C has no cast for it, POSIX promises that it works */
  symbol = get_address ? get_address("clGetICDLoaderInfoOCLICD") : NULL;
  memcpy(&get_info, &symbol, sizeof symbol);
  if (get_info) {
    get_info(LOADER_NAME, sizeof name, name, NULL);
    get_info(LOADER_VERSION, sizeof version, version, NULL);
  }
  find(f, FINDING_WORKS, "%s, %s%s%s", where.dli_fname, name, *version ? " " : "", version);
}

/* The first line of a vendor file, a library's name. Returns false if there is none. */
static bool read_vendor_file(const char *path, char *library, size_t bytes) {
  size_t length = 0;
  ts_error ignored = {.status = TS_OK};
  char *text = ts_file_read(path, NULL, &ignored);
  const char *start = text ? text + strspn(text, " \t\r\n") : "";
  length = strcspn(start, "\r\n");
  while (length && isspace((unsigned char)start[length - 1])) length--;
  snprintf(library, bytes, "%.*s", (int)length, start);
  free(text);
  return length > 0;
}

/* Where PoCL keeps what it compiles, by its own rule (pocl_cache_init_topdir). Without it, it shows no device or builds
 * nothing, and does not say why. Returns 0, or a code of errno. */
static int try_pocl_cache(char *path, size_t bytes) {
  const char *chosen = ts_environment_or("POCL_CACHE_DIR", NULL), *caches = ts_environment_or("XDG_CACHE_HOME", NULL);
  const char *home = getenv("HOME");
  if (chosen)
    snprintf(path, bytes, "%s", chosen);
  else if (caches)
    snprintf(path, bytes, "%s/pocl/kcache", caches);
  else if (home)
    snprintf(path, bytes, "%s/.cache/pocl/kcache", home);
  else
    snprintf(path, bytes, "/tmp/pocl/kcache");
  return ts_folder_try(path);
}

/* Do with a vendor file, or with a library that was named itself, what a loader does: open it and ask for its platforms. */
static void check_driver(const subject *s, finding *f) {
  char library[1024];
  size_t length = strlen(s->what);
  bool is_file = length > 4 && !strcmp(s->what + length - 4, ".icd");
  if (!is_file) snprintf(library, sizeof library, "%s", s->what);
  if (is_file && !read_vendor_file(s->what, library, sizeof library)) {
    find(f, FINDING_BROKEN, "%s names no library, or cannot be read: install its package again", s->what);
    return;
  }
  void *driver = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
  if (!driver && is_file)
    find(f, FINDING_BROKEN, "the driver can't be opened: %s: install its package again, or remove %s", dlerror(), s->what);
  else if (!driver)
    find(f, FINDING_BROKEN, "OCL_ICD_VENDORS is no folder, vendor file or driver: %s: correct or unset it", dlerror());
  if (!driver) return;
  void *(*get_address)(const char *name) = NULL;
  int (*get_platforms)(unsigned room, void **platforms, unsigned *count) = NULL;
  void *symbol = dlsym(driver, "clGetExtensionFunctionAddress");
  memcpy(&get_address, &symbol, sizeof symbol);
  symbol = get_address ? get_address("clIcdGetPlatformIDsKHR") : NULL;
  memcpy(&get_platforms, &symbol, sizeof symbol);
  unsigned count = 0;
  char cache[1024];
  int unwritten = strstr(library, "pocl") ? try_pocl_cache(cache, sizeof cache) : 0;
  if (!get_platforms)
    find(f, FINDING_BROKEN, "%s is no OpenCL driver: it has no clIcdGetPlatformIDsKHR; remove %s", library, s->what);
  else if (get_platforms(0, NULL, &count) || !count)
    find(f, FINDING_MISSING, "%s has no platform: its device is not there, or this user may not use it", library);
  else if (unwritten)
    find(f, FINDING_BROKEN, "PoCL can't write its cache, %s: %s; set POCL_CACHE_DIR to a folder that can be written", cache,
         strerror(unwritten));
  else
    find(f, FINDING_WORKS, "%s, %u platform%s", library, count, count == 1 ? "" : "s");
}

/* ---- CUDA's driver -------------------------------------------------------------------------------------------------- */

static void check_cuda(const subject *s, finding *f) {
  enum { CUDA_NO_DEVICE = 100 };
  static const char *const names[] = {"cuInit", "cuDriverGetVersion", "cuDeviceGetCount"};
  void *symbols[3] = {NULL};
  int (*initialise)(unsigned) = NULL, (*get_version)(int *) = NULL, (*get_count)(int *) = NULL;
  void *driver = dlopen(s->what, RTLD_NOW | RTLD_LOCAL);
  if (!driver) {
    find(f, FINDING_MISSING, "NVIDIA's driver is not installed; for an NVIDIA GPU: %s (non-free)", s->install);
    return;
  }
  for (int i = 0; i < 3; i++) symbols[i] = dlsym(driver, names[i]);
  memcpy(&initialise, &symbols[0], sizeof symbols[0]);
  memcpy(&get_version, &symbols[1], sizeof symbols[1]);
  memcpy(&get_count, &symbols[2], sizeof symbols[2]);
  if (!initialise || !get_version || !get_count) {
    find(f, FINDING_BROKEN, "%s is no CUDA driver: cuInit, cuDriverGetVersion or cuDeviceGetCount is not in it", s->what);
    return;
  }
  int code = initialise(0), version = 0, count = 0;
  if (!code) code = get_count(&count);
  get_version(&version);
  if (code && code != CUDA_NO_DEVICE)
    find(f, FINDING_BROKEN,
         "%s does not start: code %d; are the driver and the kernel's module of one version? A restart helps", s->what, code);
  else if (code || !count)
    find(f, FINDING_MISSING, "%s finds no NVIDIA GPU", s->what);
  else
    find(f, FINDING_WORKS, "%s for CUDA %d.%d, %d GPU%s", s->what, version / 1000, version % 1000 / 10, count,
         count == 1 ? "" : "s");
}

/* ---- the cache of built programs ------------------------------------------------------------------------------------ */

static void check_cache(const subject *s, finding *f) {
  static const finding_state states[] = {
      [TS_CACHE_ON] = FINDING_WORKS, [TS_CACHE_OFF] = FINDING_MISSING, [TS_CACHE_UNUSABLE] = FINDING_BROKEN};
  char text[1024];
  ts_cache_state state = ts_cache_describe(text, sizeof text);
  (void)s;
  find(f, states[state], "%s", text);
}

/* ---- compilers and tools -------------------------------------------------------------------------------------------- */

/* A folder to run a program in, which nobody wants to debug. Returns false, having found out why there is none. */
static bool make_place(ts_workplace *place, finding *f) {
  ts_error error = {.status = TS_OK};
  bool is_made = ts_workplace_make(place, &error) == TS_OK;
  if (!is_made) find_error(f, &error);
  place->is_kept = false;
  return is_made;
}

static void check_compiler(const subject *s, finding *f) {
  char name[256];
  ts_workplace place;
  if (!make_place(&place, f)) return;
  ts_workplace_remove(&place);
  if (ts_compiler_name(name, sizeof name, &ts_compiler_c))
    find(f, FINDING_WORKS, "%s", name);
  else if (getenv("CC") && *getenv("CC"))
    find(f, FINDING_BROKEN, "CC is \"%s\", and does not run: set it to a C compiler, or unset it", getenv("CC"));
  else
    find(f, FINDING_MISSING, "the host device compiles kernels with a C compiler: %s", s->install);
}

static void check_target(const subject *s, finding *f) {
  ts_binary *binary = NULL;
  ts_error error = {.status = TS_OK};
  const ts_build_options options = {.name = "scale.c", .uncached = true};
  if (ts_compile(&binary, s->what, ts_embedded_smoke, &options, &error)) {
    find_error(f, &error);
    return;
  }
  size_t bytes;
  ts_binary_bytes(binary, &bytes);
  find(f, FINDING_WORKS, "%s compiles the smoke kernel, to %zu bytes of %s", ts_binary_compiler(binary), bytes,
       ts_binary_kind(binary));
  ts_binary_destroy(binary);
}

/* The first line of a text that has a version, "21.10", in it. Returns its length. */
static size_t version_line(const char **text) {
  for (const char *line = *text; *line; line += strcspn(line, "\n") + (strchr(line, '\n') != NULL)) {
    size_t length = strcspn(line, "\n");
    for (size_t i = 1; i + 1 < length; i++) {
      if (line[i] != '.' || !isdigit((unsigned char)line[i - 1]) || !isdigit((unsigned char)line[i + 1])) continue;
      *text = line + strspn(line, " \t");
      return length - (size_t)(*text - line);
    }
  }
  return 0;
}

static void check_program(const subject *s, finding *f) {
  char path[1024];
  if (!ts_cuda_program(path, sizeof path, s->what)) {
    find(f, FINDING_MISSING, "%s: %s", s->use, s->install);
    return;
  }
  ts_workplace place;
  ts_words command = {0};
  ts_error error = {.status = TS_OK};
  int ending = 0, not_started = 0;
  if (!make_place(&place, f)) return;
  const char *log = ts_workplace_file(&place, "log");
  bool has_run = log && ts_words_append(&command, path) && ts_words_append(&command, "--version") &&
                 !ts_process_run(&ending, &not_started, &command, log, &error) && !not_started && ending == 0;
  char *said = has_run ? ts_file_read(log, NULL, &error) : NULL;
  const char *version = said ? said : "";
  int length = (int)version_line(&version);
  if (has_run)
    find(f, FINDING_WORKS, "%s%s%.*s", path, length ? ": " : "", length, version);
  else
    find(f, FINDING_BROKEN, "%s --version does not run: install it again", path);
  free(said);
  ts_words_free(&command);
  ts_workplace_remove(&place);
}

/* ---- each in a process of its own ----------------------------------------------------------------------------------- */

typedef struct checking {
  double timeout;
  void (*tell)(const finding *f, void *context);
  void *context;
  bool has_broken_driver; /* which may be why there is no OpenCL device */
} checking;

static void use_vendors(const subject *s) {
  if (s->vendors) setenv("OCL_ICD_VENDORS", s->vendors, 1);
}

/* In the child. */
static void work(const void *about, FILE *answer) {
  const subject *s = about;
  finding f = {.state = FINDING_BROKEN};
  use_vendors(s);
  s->check(s, &f);
  fwrite(&f, sizeof f, 1, answer);
  fflush(answer); /* it may crash at its end */
}

/* How a child ended badly, with the last line that it printed. */
static void find_ending(finding *f, const probe *p, const char *before) {
  size_t end = p->said.count;
  while (end && p->said.bytes[end - 1] == '\n') end--;
  size_t start = end;
  while (start && p->said.bytes[start - 1] != '\n') start--;
  find(f, FINDING_BROKEN, "%s%s%s%.*s", before, p->ending, end > start ? "; it printed last: " : "", (int)(end - start),
       p->said.bytes + start);
  f->ran_kernel = false;
}

static finding_state run(const checking *c, const subject *s) {
  probe p;
  finding f = {.state = FINDING_BROKEN};
  probe_run(&p, work, s, c->timeout);
  bool has_answer = p.answer.length == sizeof f && !p.answer.failed;
  if (has_answer) memcpy(&f, p.answer.chars, sizeof f);
  if (*p.ending)
    find_ending(&f, &p, has_answer ? "it did its work and then, when its libraries were unloaded, " : "");
  else if (p.answer.failed)
    find(&f, FINDING_BROKEN, "what it found is not known: memory ran out");
  else if (!has_answer)
    find(&f, FINDING_BROKEN, "its process sent an answer that makes no sense");
  probe_free(&p);
  snprintf(f.name, sizeof f.name, "%s", s->name);
  snprintf(f.install, sizeof f.install, "%s", f.state == FINDING_MISSING && s->install ? s->install : "");
  if (!child_caught_signal()) c->tell(&f, c->context);
  return f.state;
}

/* ---- devices, by listing ---------------------------------------------------------------------------------------------- */

/* The answer: what the library said, then the devices. */
static void list(const void *about, FILE *answer) {
  ts_device_info *devices = NULL;
  ts_error error = {.status = TS_OK};
  size_t count = 0;
  use_vendors(about);
  ts_device_list(&devices, &count, &error);
  fwrite(&error, sizeof error, 1, answer);
  if (count) fwrite(devices, sizeof *devices, count, answer);
  fflush(answer);
  ts_device_list_free(devices);
}

/* Run the smoke kernel on each device that a loader which sees these vendors finds. Returns false, having told it, if they
 * can't be listed.
 *
 * vendors      NULL: all
 * opencl_only  leave out other devices, which were tried before */
static bool run_devices(const checking *c, const char *vendors, bool opencl_only) {
  probe p;
  subject listing = {.vendors = vendors};
  probe_run(&p, list, &listing, c->timeout);
  ts_error error = {.status = TS_OK};
  bool is_listed = !*p.ending && p.answer.length >= sizeof error && !p.answer.failed;
  if (is_listed) memcpy(&error, p.answer.chars, sizeof error);
  if (!is_listed || error.status != TS_OK) {
    finding f = {.name = "devices"};
    if (is_listed)
      find_error(&f, &error);
    else if (*p.ending)
      find_ending(&f, &p, "listing them ");
    else
      find(&f, FINDING_BROKEN, "they can't be listed: memory ran out");
    if (!child_caught_signal()) c->tell(&f, c->context);
  }
  size_t count = is_listed ? (p.answer.length - sizeof error) / sizeof(ts_device_info) : 0;
  bool any_opencl = error.status != TS_OK; /* the one that there is may be what failed */
  for (size_t i = 0; i < count && !child_caught_signal(); i++) {
    ts_device_info device;
    memcpy(&device, p.answer.chars + sizeof error + i * sizeof device, sizeof device);
    bool is_opencl = !strcmp(device.backend, "opencl");
    any_opencl = any_opencl || is_opencl;
    char name[64];
    snprintf(name, sizeof name, "device %s", device.id);
    subject s = {.check = check_device, .name = name, .what = device.id, .vendors = vendors};
    if (!strcmp(device.backend, "host")) s.install = "apt-get install gcc libc6-dev";
    if (is_opencl || !opencl_only) run(c, &s);
  }
  bool is_missing = is_listed && !any_opencl && !vendors; /* of some vendors it would say nothing */
  if (is_missing && !c->has_broken_driver && !child_caught_signal()) {
    finding f = {.name = "OpenCL device", .install = INSTALL_OPENCL};
    find(&f, FINDING_MISSING, "there is no OpenCL device; for OpenCL on the CPU: " INSTALL_OPENCL);
    c->tell(&f, c->context);
  }
  probe_free(&p);
  return is_listed;
}

/* ---- all ---------------------------------------------------------------------------------------------------------------- */

/* The vendor files that a loader sees, or what OCL_ICD_VENDORS names: one of them, or a library. */
static void find_drivers(glob_t *files) {
  const char *chosen = ts_environment_or("OCL_ICD_VENDORS", NULL);
  struct stat facts;
  if (chosen && (stat(chosen, &facts) || !S_ISDIR(facts.st_mode))) {
    glob(chosen, GLOB_NOCHECK, NULL, files); /* itself */
    return;
  }
  char pattern[4096];
  const char *folder = chosen ? chosen : ts_environment_or("OPENCL_VENDOR_PATH", "/etc/OpenCL/vendors");
  snprintf(pattern, sizeof pattern, "%s/*.icd", folder);
  glob(pattern, 0, NULL, files);
}

static void run_drivers(checking *c, const glob_t *files, bool works[]) {
  for (size_t i = 0; i < files->gl_pathc && !child_caught_signal(); i++) {
    const char *path = files->gl_pathv[i], *slash = strrchr(path, '/');
    char name[64];
    snprintf(name, sizeof name, "driver %.50s", slash ? slash + 1 : path);
    finding_state state = run(c, &(subject){.check = check_driver, .name = name, .what = path});
    works[i] = state == FINDING_WORKS;
    c->has_broken_driver = c->has_broken_driver || state == FINDING_BROKEN;
  }
}

bool checks_run(double timeout, void (*tell)(const finding *f, void *context), void *context) {
  static const subject first[] = {
      {check_compiler, "C compiler", NULL, NULL, "apt-get install gcc libc6-dev", NULL},
      {check_loader, "OpenCL loader", "libOpenCL.so.1", NULL, NULL, NOWHERE},
      {check_cuda, "CUDA driver", "libcuda.so.1", NULL, "apt-get install nvidia-driver", NULL},
      {check_cache, "program cache", NULL, NULL, NULL, NULL},
  };
  static const subject last[] = {
      {check_target, "target x86", "x86", NULL, "apt-get install clang", NULL},
      {check_target, "target gfx90a", "gfx90a", NULL, "apt-get install clang", NULL},
      {check_target, "target spirv", "spirv", NULL, "apt-get install clang-14 llvm-spirv-14", NULL},
      {check_target, "target sm_90", "sm_90", NULL, INSTALL_CUDA, NULL},
      {check_program, "nvdisasm", "nvdisasm", "shows an NVIDIA GPU's own instructions", "pip install nvidia-cuda-nvdisasm",
       NULL},
      {check_program, "ptxas", "ptxas", "assembles PTX, in tests", INSTALL_CUDA, NULL},
      {check_program, "spirv-dis", "spirv-dis", "shows SPIR-V as text", "apt-get install spirv-tools", NULL},
      {check_program, "spirv-val", "spirv-val", "validates SPIR-V", "apt-get install spirv-tools", NULL},
      {check_program, "oclgrind", "oclgrind", "finds races in OpenCL kernels", "apt-get install oclgrind", NULL},
  };
  checking c = {.timeout = timeout, .tell = tell, .context = context};
  glob_t files = {0};
  find_drivers(&files);
  bool *works = calloc(files.gl_pathc + 1, sizeof *works);
  if (!works) {
    globfree(&files);
    return false;
  }
  for (size_t i = 0; i < sizeof first / sizeof first[0] && !child_caught_signal(); i++) run(&c, &first[i]);
  run_drivers(&c, &files, works);
  /* If one driver spoils the list of all, the others are tried alone. */
  if (!run_devices(&c, NULL, false) && !child_caught_signal()) {
    run_devices(&c, NOWHERE, false);
    for (size_t i = 0; i < files.gl_pathc; i++)
      if (works[i] && !child_caught_signal()) run_devices(&c, files.gl_pathv[i], true);
  }
  for (size_t i = 0; i < sizeof last / sizeof last[0] && !child_caught_signal(); i++) run(&c, &last[i]);
  free(works);
  globfree(&files);
  return true;
}
