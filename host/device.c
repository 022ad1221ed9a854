/* SPDX-License-Identifier: Apache-2.0
 *
 * device.c: which devices there are, and which one is meant.
 *
 * What a device can do is the backend's to say.
 */
#include "backend.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "text.h"

ts_status ts_device_list_append(ts_device_infos *infos, const ts_device_info *info, ts_error *error) {
  if (infos->count == infos->capacity) {
    size_t capacity = 2 * infos->capacity + 4;
    ts_device_info *rows = realloc(infos->rows, capacity * sizeof *rows);
    if (!rows) return ts_fail(error, TS_ERROR_MEMORY, 0, "ts_device_list", "no memory for the list of devices");
    infos->rows = rows;
    infos->capacity = capacity;
  }
  infos->rows[infos->count++] = *info;
  return TS_OK;
}

static const ts_device_info *find_id(const ts_device_infos *infos, const char *id) {
  for (size_t i = 0; i < infos->count; i++)
    if (!strcmp(id, infos->rows[i].id)) return &infos->rows[i];
  return NULL;
}

/* List what there is. Where a driver fails, what the others have is listed all the same.
 *
 * id  of the device that is looked for; no driver after its own is asked, or even loaded. NULL: all of them */
static ts_status list(ts_device_infos *infos, const char *id, ts_error *error) {
  for (const ts_backend *const *backend = ts_backends; *backend && !(id && find_id(infos, id)); backend++) {
    ts_error failure = {.status = TS_OK};
    if ((*backend)->list(infos, &failure) != TS_OK && error->status == TS_OK) *error = failure;
  }
  return error->status;
}

ts_status ts_device_list(ts_device_info **devices, size_t *count, ts_error *error) {
  ts_error failure = {.status = TS_OK};
  ts_device_infos infos = {0};
  if (ts_fail_if_null(&failure, "ts_device_list", "devices", devices) ||
      ts_fail_if_null(&failure, "ts_device_list", "count", count))
    return ts_error_give(error, &failure);
  list(&infos, NULL, &failure);
  *devices = infos.rows;
  *count = infos.count;
  return ts_error_give(error, &failure);
}

void ts_device_list_free(ts_device_info *devices) { free(devices); }

static bool is_opencl(const ts_device_info *info) { return !strcmp(info->backend, "opencl"); }

/* The device that is used when none is named: the first GPU, else the first that is not the host, else the host. NULL: there is
 * none of these. The host does not stand in for a device whose driver failed. */
static const ts_device_info *default_device(const ts_device_infos *infos, bool any_failed) {
  const ts_device_info *host = NULL;
  for (size_t i = 0; i < infos->count; i++)
    if (infos->rows[i].kind == TS_DEVICE_GPU) return &infos->rows[i];
  for (size_t i = 0; i < infos->count; i++) {
    if (strcmp(infos->rows[i].backend, "host") != 0) return &infos->rows[i];
    host = &infos->rows[i];
  }
  return any_failed ? NULL : host;
}

/* Say why no single device is meant: none of those that there are, or several of them.
 *
 * origin  where `which` comes from, to stand after it in the sentence */
static ts_status fail_choice(ts_error *error, ts_status status, const char *which, const char *origin,
                             const ts_device_infos *infos) {
  ts_text message = {0};
  bool any_opencl = false;
  const ts_device_info *nearest = NULL;
  for (size_t i = 0; i < infos->count; i++) {
    const ts_device_info *info = &infos->rows[i];
    any_opencl = any_opencl || is_opencl(info);
    size_t distance = ts_name_distance(which, info->id);
    if (distance <= 2 && (!nearest || distance < ts_name_distance(which, nearest->id))) nearest = info;
  }
  if (status == TS_ERROR_USAGE)
    ts_text_print(&message, "\"%s\"%s matches several devices; choose one by its id:", which, origin);
  else
    ts_text_print(&message, "there is no device \"%s\"%s; choose one by its id, or by a glob on its name:", which, origin);
  for (size_t i = 0; i < infos->count; i++) {
    const ts_device_info *info = &infos->rows[i];
    if (status == TS_ERROR_USAGE && fnmatch(which, info->name, 0) != 0) continue;
    ts_text_print(&message, "\n  %-8s %s%s", info->id, info->name,
                  status == TS_ERROR_NO_DEVICE && info == nearest ? "   (did you mean this?)" : "");
  }
  if (!any_opencl)
    ts_text_print(
        &message,
        "\nNo OpenCL device was found: install a driver. For OpenCL on the CPU: apt install pocl-opencl-icd. For a GPU: "
        "its vendor's package. If one is there, it offers no device; PoCL needs a folder to write to: HOME, or "
        "POCL_CACHE_DIR.");
  ts_fail(error, message.failed ? TS_ERROR_MEMORY : status, 0, "ts_device_open", "%s",
          message.failed ? "no memory for the list of devices" : message.chars);
  free(message.chars);
  return error->status;
}

/* Find the one device that `which` means: an id, else a glob on names. NULL: there is none such, or several, and `error` says
 * so; unless it holds the failure of a driver already, which may have the device. */
static const ts_device_info *choose(const char *which, const char *origin, const ts_device_infos *infos, ts_error *error) {
  const ts_device_info *match = find_id(infos, which);
  if (match) return match;
  size_t matches = 0;
  for (size_t i = 0; i < infos->count; i++)
    if (fnmatch(which, infos->rows[i].name, 0) == 0) {
      match = &infos->rows[i];
      matches++;
    }
  if (matches == 1) return match;
  fail_choice(error, matches ? TS_ERROR_USAGE : TS_ERROR_NO_DEVICE, which, origin, infos);
  return NULL;
}

static ts_status open_chosen(ts_device **device, const ts_device_info *info, ts_error *error) {
  for (const ts_backend *const *backend = ts_backends; *backend; backend++)
    if (!strcmp(info->backend, (*backend)->name)) return (*backend)->device_open(device, info, error);
  return ts_fail(error, TS_ERROR_NO_DEVICE, 0, "ts_device_open", "no backend is called \"%s\"", info->backend);
}

ts_status ts_device_open(ts_device **device, const char *which, ts_error *error) {
  ts_error failure = {.status = TS_OK};
  if (ts_fail_if_null(&failure, "ts_device_open", "device", device)) return ts_error_give(error, &failure);

  const char *from_environment = getenv("TENSORSTORAGE_DEVICE"), *origin = "";
  if (!which && from_environment && *from_environment) {
    which = from_environment;
    origin = " (of TENSORSTORAGE_DEVICE)";
  }

  ts_device_infos infos = {0};
  const ts_device_info *chosen = NULL;
  list(&infos, which, &failure);
  chosen = which ? choose(which, origin, &infos, &failure) : default_device(&infos, failure.status != TS_OK);
  if (chosen) {
    failure.status = TS_OK; /* it was of a driver that is not needed */
    open_chosen(device, chosen, &failure);
  }
  free(infos.rows);
  return ts_error_give(error, &failure);
}

void ts_device_close(ts_device *device) {
  if (device) device->backend->device_close(device);
}

const ts_device_info *ts_device_get_info(const ts_device *device) { return &device->info; }
