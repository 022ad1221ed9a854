/* SPDX-License-Identifier: Apache-2.0
 *
 * devices.c: `tensorstorage devices`: the devices that kernels can run on, as a table or as JSON.
 */
#include <stdio.h>
#include <string.h>

#include "host/tool/json.h"
#include "host/tool/tool.h"

static const char usage[] = "usage: tensorstorage devices [OPTION...]\n"
                            "\n"
                            "  --json   print all that is known of each device, or what went wrong, as JSON (schema 1)\n"
                            "  --help   show this help\n"
                            "\n"
                            "--device of conform and run takes an id of this list, or a glob that one name matches.\n"
                            "Exit codes: 0 listed, 2 usage, 5 a driver failed, and the devices of all others are\n"
                            "listed, 6 a file or memory problem.";

enum { COLUMN_COUNT = 6, MEMORY_TEXT_BYTES = 32 };

typedef const char *table_row[COLUMN_COUNT];

static const table_row heading = {"id", "name", "kind", "language", "memory", "f64"};

/* A row points into the info, and into `memory` [MEMORY_TEXT_BYTES] for the text made here. */
static void make_row(table_row row, const ts_device_info *info, char *memory) {
  snprintf(memory, MEMORY_TEXT_BYTES, "%.1f GiB", (double)info->global_bytes / (double)(1ull << 30));
  row[0] = info->id;
  row[1] = info->name;
  row[2] = json_device_kind(info->kind);
  row[3] = info->language;
  row[4] = memory;
  row[5] = info->has_f64 ? "yes" : "no";
}

static void widen(int width[COLUMN_COUNT], const table_row row) {
  for (int i = 0; i < COLUMN_COUNT; i++)
    if (width[i] < (int)strlen(row[i])) width[i] = (int)strlen(row[i]);
}

/* Columns are as wide as their widest text; nothing follows the last. */
static void print_row(const int width[COLUMN_COUNT], const table_row row) {
  for (int i = 0; i < COLUMN_COUNT; i++) printf(i + 1 < COLUMN_COUNT ? "%-*s  " : "%.*s\n", width[i], row[i]);
}

static void print_table(const ts_device_info *devices, size_t count, bool has_failed) {
  int width[COLUMN_COUNT] = {0};
  table_row row;
  char memory[MEMORY_TEXT_BYTES];
  bool any_opencl = false;
  widen(width, heading);
  for (size_t i = 0; i < count; i++) {
    make_row(row, &devices[i], memory);
    widen(width, row);
    any_opencl = any_opencl || !strcmp(devices[i].backend, "opencl");
  }
  print_row(width, heading);
  for (size_t i = 0; i < count; i++) {
    make_row(row, &devices[i], memory);
    print_row(width, row);
  }
  if (!any_opencl && !has_failed)
    puts("\nNo OpenCL device was found. For OpenCL on the CPU: apt install pocl-opencl-icd; if it is installed, see doctor");
}

/* {"schema":1,"devices":[…]}, one device a line. Returns false if memory ran out. */
static bool print_json(const ts_device_info *devices, size_t count) {
  json_begin("devices");
  bool printed = true;
  for (size_t i = 0; i < count && printed; i++) {
    fputs(i ? ",\n" : "\n", stdout);
    printed = json_write(stdout, json_device(&devices[i]));
  }
  puts("\n]}");
  return printed;
}

static int list(bool as_json) {
  ts_error error = {.status = TS_OK};
  ts_device_info *devices = NULL;
  size_t count = 0;
  bool printed = true;
  ts_device_list(&devices, &count, &error);
  if (as_json)
    printed = print_json(devices, count);
  else
    print_table(devices, count, error.status != TS_OK);
  ts_device_list_free(devices);
  if (error.status != TS_OK) return tool_library_error(&error);
  if (printed) return TOOL_PASSED;
  tool_complain("memory ran out");
  return TOOL_FILE;
}

int tool_devices(int argc, char **argv) {
  static const struct option options[] = {{"help", no_argument, NULL, 'h'}, {"json", no_argument, NULL, 'j'}, {0}};
  bool as_json = false;
  for (;;) {
    int at = optind;
    int answer = getopt_long(argc, argv, "+:h", options, NULL);
    if (answer == -1) break;
    switch (answer) {
    case 'h': puts(usage); return TOOL_PASSED;
    case 'j': as_json = true; break;
    default: return tool_option_error(argv[0], options, answer, argv, at);
    }
  }
  if (optind < argc) return tool_usage_error(argv[0], "devices takes no argument \"%s\"", argv[optind]);
  return list(as_json);
}
