/* SPDX-License-Identifier: Apache-2.0
 *
 * json.c: what the tool's JSON has in common: a device, text and 64-bit numbers.
 */
#include "host/tool/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/tool/tool.h"
#include "host/tool/utf8.h"

cJSON *json_text(const char *text) {
  size_t bytes = strlen(text) + 1;
  char *copy = malloc(bytes);
  if (!copy) return NULL;
  memcpy(copy, text, bytes);
  for (char *at = copy; *at;) {
    size_t length = utf8_length(at);
    if (!length) *at = '?';
    at += length ? length : 1;
  }
  cJSON *value = cJSON_CreateString(copy);
  free(copy);
  return value;
}

bool json_add(cJSON *object, const char *name, cJSON *value) {
  if (cJSON_AddItemToObject(object, name, value)) return true;
  cJSON_Delete(value);
  return false;
}

bool json_add_text(cJSON *object, const char *name, const char *text) { return json_add(object, name, json_text(text)); }

bool json_add_u64(cJSON *object, const char *name, uint64_t number) {
  char digits[24];
  snprintf(digits, sizeof digits, "%" PRIu64, number);
  return cJSON_AddRawToObject(object, name, digits);
}

bool json_add_seconds(cJSON *object, const char *name, double seconds) {
  return cJSON_AddNumberToObject(object, name, round(seconds * 1e6) / 1e6);
}

const char *json_device_kind(ts_device_kind kind) {
  return kind == TS_DEVICE_CPU ? "cpu" : kind == TS_DEVICE_GPU ? "gpu" : "other";
}

static bool add_sizes(cJSON *object, const char *name, const size_t sizes[3]) {
  cJSON *array = cJSON_AddArrayToObject(object, name);
  bool added = array;
  for (int i = 0; i < 3; i++) {
    char digits[24];
    snprintf(digits, sizeof digits, "%zu", sizes[i]);
    added = added && cJSON_AddItemToArray(array, cJSON_CreateRaw(digits));
  }
  return added;
}

cJSON *json_device(const ts_device_info *info) {
  cJSON *device = cJSON_CreateObject();
  bool added = device;
  added = added && json_add_text(device, "id", info->id);
  added = added && json_add_text(device, "backend", info->backend);
  added = added && json_add_text(device, "name", info->name);
  added = added && json_add_text(device, "vendor", info->vendor);
  added = added && json_add_text(device, "driver", info->driver);
  added = added && json_add_text(device, "language", info->language);
  added = added && json_add_text(device, "kind", json_device_kind(info->kind));
  added = added && cJSON_AddBoolToObject(device, "little_endian", info->little_endian);
  added = added && cJSON_AddBoolToObject(device, "has_f64", info->has_f64);
  added = added && cJSON_AddBoolToObject(device, "has_generic", info->has_generic);
  added = added && json_add_u64(device, "compute_units", info->compute_units);
  added = added && json_add_u64(device, "max_group_items", info->max_group_items);
  added = added && add_sizes(device, "max_group_size", info->max_group_size);
  added = added && json_add_u64(device, "max_buffer_bytes", info->max_buffer_bytes);
  added = added && json_add_u64(device, "max_constant_bytes", info->max_constant_bytes);
  added = added && json_add_u64(device, "shared_bytes", info->shared_bytes);
  added = added && json_add_u64(device, "global_bytes", info->global_bytes);
  added = added && json_add_u64(device, "base_align_bytes", info->base_align_bytes);
  if (added) return device;
  cJSON_Delete(device);
  return NULL;
}

static bool has_begun;

void json_begin(const char *array) {
  printf("{\"schema\":%d,\n\"%s\":[", JSON_SCHEMA, array);
  has_begun = true;
}

bool json_has_begun(void) { return has_begun; }

static bool add_failure(cJSON *object, int code) {
  const char *sentence = *tool_complaint() ? tool_complaint() : code > TOOL_SIGNAL ? "interrupted" : "memory ran out";
  return json_add_text(object, "error", sentence) && cJSON_AddNumberToObject(object, "exit", code);
}

cJSON *json_failed_target(const char *target, int code) {
  cJSON *object = cJSON_CreateObject();
  if (object && json_add_text(object, "target", target) && add_failure(object, code)) return object;
  cJSON_Delete(object);
  return NULL;
}

void json_print_failure(int code) {
  cJSON *object = cJSON_CreateObject();
  bool added = object && cJSON_AddNumberToObject(object, "schema", JSON_SCHEMA) && add_failure(object, code);
  if (!added) cJSON_Delete(object);
  json_write(stdout, added ? object : NULL); /* memory that ran out twice leaves nothing to say it with */
  puts("");
}

char *json_print(cJSON *value) {
  char *text = value ? cJSON_PrintUnformatted(value) : NULL;
  cJSON_Delete(value);
  return text;
}

bool json_write(FILE *stream, cJSON *value) {
  char *text = json_print(value);
  if (!text) return false;
  fputs(text, stream);
  cJSON_free(text);
  return true;
}
