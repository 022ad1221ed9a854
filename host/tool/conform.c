/* SPDX-License-Identifier: Apache-2.0
 *
 * conform.c: `tensorstorage conform`: reads the options, chooses the cases, and decides the exit code.
 *
 * Cases run in pool.c's workers; what is printed is report.c's.
 */
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/tool/options.h"
#include "host/tool/output_file.h"
#include "host/tool/pool.h"
#include "host/tool/report.h"
#include "host/tool/conform.h"
#include "host/tool/tool.h"
#include "host/tool/worker.h"

static const char usage[] =
    "usage: tensorstorage conform [OPTION...]\n"
    "\n"
    "Run the conformance cases on a device, in processes of their own.\n"
    "\n"
    "  --device ID|GLOB     an id of `tensorstorage devices`, or a glob that one device's name matches\n"
    "                       (default: $TENSORSTORAGE_DEVICE, else the first GPU, else OpenCL, else the host)\n"
    "  --list               print the ids of the cases, and run none\n"
    "  --filter GLOB        only cases whose id matches; may be repeated: any of them\n"
    "  --exclude GLOB       no case whose id matches; may be repeated: any of them\n"
    "  --json FILE          write the results to FILE, whole or not at all\n"
    "  --timeout SECONDS    for one case (default: 300)\n" BUILDING_HELP
    "  --verbose            a line for each case, and what compilers and drivers print\n"
    "  --help               show this help\n"
    "\n"
    "Exit codes: 0 passed, 1 a case failed, 2 usage, 3 no such device, 4 nothing ran, 5 a case or a process had an error,\n"
    "6 a file or memory problem. docs/conform.md tells the rest.";

static const struct option options_table[] = {BUILDING_OPTIONS,
                                              {"device", required_argument, NULL, 'd'},
                                              {"exclude", required_argument, NULL, 'e'},
                                              {"filter", required_argument, NULL, 'f'},
                                              {"help", no_argument, NULL, 'h'},
                                              {"json", required_argument, NULL, 'j'},
                                              {"list", no_argument, NULL, 'l'},
                                              {"timeout", required_argument, NULL, 't'},
                                              {"verbose", no_argument, NULL, 'v'},
                                              {0}};

/* ---- options -------------------------------------------------------------------------------------------------- */

static int parse_option(run_options *options, int option) {
  switch (option) {
  case 'd': options->device = optarg; return OPTION_TAKEN;
  case 'e': options->excludes[options->exclude_count++] = optarg; return OPTION_TAKEN;
  case 'f': options->filters[options->filter_count++] = optarg; return OPTION_TAKEN;
  case 'j': options->json = optarg; return OPTION_TAKEN;
  case 'l': options->list = true; return OPTION_TAKEN;
  case 'v': options->verbose = true; return OPTION_TAKEN;
  case 't': return take_timeout(&options->timeout, "conform", optarg);
  case 'h': puts(usage); return TOOL_PASSED;
  default: return building_take(&options->building, "conform", option, optarg);
  }
}

static int parse_options(run_options *options, int argc, char **argv) {
  for (;;) {
    int at = optind;
    int answer = getopt_long(argc, argv, "+:" BUILDING_LETTERS, options_table, NULL);
    if (answer == -1) break;
    if (answer == '?' || answer == ':') return tool_option_error("conform", options_table, answer, argv, at);
    int code = parse_option(options, answer);
    if (code != OPTION_TAKEN) return code;
  }
  if (optind < argc)
    return tool_usage_error("conform", "conform takes no argument \"%s\"; --filter chooses cases", argv[optind]);
  return OPTION_TAKEN;
}

/* ---- which cases ---------------------------------------------------------------------------------------------- */

static bool matches_any(const char *id, const char *const *globs, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!fnmatch(globs[i], id, 0)) return true;
  return false;
}

static bool is_chosen(const run_options *options, const char *id) {
  return (!options->filter_count || matches_any(id, options->filters, options->filter_count)) &&
         !matches_any(id, options->excludes, options->exclude_count);
}

/* Fill r->cases, which has room for all. */
static void choose_cases(run *r, const ts_case *cases, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (is_chosen(r->options, cases[i].id)) r->cases[r->count++] = (run_case){.suite_case = &cases[i]};
}

/* ---- the run -------------------------------------------------------------------------------------------------- */

/* What outranks what: a run that was interrupted says little; an error may hide failures. */
static int exit_code(const run *r) {
  if (r->signal) return TOOL_SIGNAL + r->signal;
  if (r->counts[TS_CASE_ERROR] || r->unclean_ends) return TOOL_ERROR;
  if (r->counts[TS_CASE_FAILED]) return TOOL_FAILED;
  return r->counts[TS_CASE_PASSED] ? TOOL_PASSED : TOOL_NOTHING_RAN;
}

static int run_and_report(run *r, char **argv) {
  output_file file = {0};
  if (r->options->json && !output_file_open(&file, r->options->json)) return TOOL_FILE;

  ts_error error = {.status = TS_OK};
  pool_run(r, argv, &error);
  report_end_progress(r);
  int code = error.status == TS_OK ? exit_code(r) : tool_library_error(&error);
  if (!r->has_device) {
    output_file_abandon(&file);
    return code;
  }

  /* The file comes first: it is complete even if nobody reads the output to its end. */
  bool is_written = true;
  if (r->options->json && !report_json(r, file.stream)) {
    tool_complain("memory ran out: %s is not written", r->options->json);
    output_file_abandon(&file);
    is_written = false;
  } else if (r->options->json) {
    is_written = output_file_commit(&file);
  }
  report_end(r);
  return is_written ? code : TOOL_FILE;
}

static int list_cases(const run *r) {
  for (size_t i = 0; i < r->count; i++) puts(r->cases[i].suite_case->id);
  return TOOL_PASSED;
}

static int conform(const run_options *options, char **argv) {
  ts_error error = {.status = TS_OK};
  ts_case *cases = NULL;
  size_t count = 0;
  if (ts_cases_create(&cases, &count, &error)) return tool_library_error(&error);

  int code;
  run *r = calloc(1, sizeof *r);
  run_case *chosen = calloc(count ? count : 1, sizeof *chosen);
  if (!r || !chosen) {
    tool_complain("memory ran out");
    code = TOOL_FILE;
  } else {
    r->options = options;
    r->cases = chosen;
    choose_cases(r, cases, count);
    if (!r->count) {
      tool_complain("no case matches: `tensorstorage conform --list` shows the %zu that there are", count);
      code = TOOL_NOTHING_RAN;
    } else {
      code = options->list ? list_cases(r) : run_and_report(r, argv);
    }
    for (size_t i = 0; i < r->count; i++) free(r->cases[i].output);
  }
  free(chosen);
  free(r);
  ts_cases_free(cases);
  return code;
}

int tool_conform(int argc, char **argv) {
  size_t room = (size_t)argc + 1; /* each list has fewer entries than there are arguments, and an end */
  const char **lists = calloc(2 * room, sizeof *lists);
  run_options options = {.timeout = TIMEOUT_SECONDS, .filters = lists, .excludes = lists + room};
  if (!building_make(&options.building, argc) || !lists) {
    building_free(&options.building);
    free(lists);
    return TOOL_FILE;
  }
  bool is_worker = argc > 1 && !strcmp(argv[1], WORKER_OPTION);
  int code = is_worker ? parse_options(&options, argc - 1, argv + 1) : parse_options(&options, argc, argv);
  if (code == OPTION_TAKEN) code = is_worker ? worker_run(&options) : conform(&options, argv);
  building_free(&options.building);
  free(lists);
  return code;
}
