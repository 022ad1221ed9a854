/* SPDX-License-Identifier: Apache-2.0
 *
 * json.h: what the tool's JSON has in common: a device, text and 64-bit numbers.
 *
 * The library under it is cJSON. Whoever opened a stream looks for its errors.
 */
#ifndef TS_TOOL_JSON_H
#define TS_TOOL_JSON_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "tensorstorage_host.h"

enum { JSON_SCHEMA = 1 }; /* of all but the report of a run, which has a number of its own (report.c) */

/* A string that the caller deletes. Bytes that are no UTF-8 (a driver may give any) become '?', so that the file is always
 * JSON. NULL: memory ran out. */
cJSON *json_text(const char *text);

/* Add a member to an object. Each returns false if memory ran out. */

/* A value, which is deleted if it can't be added; NULL: memory had run out before. */
bool json_add(cJSON *object, const char *name, cJSON *value);

bool json_add_text(cJSON *object, const char *name, const char *text);

/* All digits, also beyond the 2^53 that a double holds. */
bool json_add_u64(cJSON *object, const char *name, uint64_t number);

/* To a microsecond. */
bool json_add_seconds(cJSON *object, const char *name, double seconds);

/* All that is known of a device, as an object that the caller deletes. NULL: memory ran out. */
cJSON *json_device(const ts_device_info *info);

/* Begin a report on stdout: an object with a schema and an array of this name, whose elements follow. Whoever begins it ends it
 * with "]}", also when something fails in between: an element then says so. */
void json_begin(const char *array);
bool json_has_begun(void);

/* What went wrong is the same in all reports: "error", what tool_complain said of it, and "exit", the exit code.
 *
 * json_failed_target   an element in the place of a target's; the caller deletes it. NULL: memory ran out
 * json_print_failure   in place of a report that has not begun */
cJSON *json_failed_target(const char *target, int code);
void json_print_failure(int code);

/* A value's text on one line, to be freed with cJSON_free; the value is deleted. NULL: it was NULL, or memory ran out. */
char *json_print(cJSON *value);

/* Write a value on one line, and delete it. Returns false if it is NULL, or if memory ran out. */
bool json_write(FILE *stream, cJSON *value);

/* The JSON word of a kind: "cpu", "gpu", "other". */
const char *json_device_kind(ts_device_kind kind);

#endif
