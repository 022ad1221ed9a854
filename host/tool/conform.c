/* SPDX-License-Identifier: Apache-2.0
 *
 * conform.c: `tensorstorage conform`: reads the options, chooses the cases, and decides the exit code.
 *
 * Cases run in pool.c's workers; what is printed is report.c's.
 */
#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/tool/options.h"
#include "host/tool/output_file.h"
#include "host/tool/pool.h"
#include "host/tool/report.h"
#include "host/tool/results.h"
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
    "  --shard I/N          only the I-th of N parts of these cases, from 1/N to N/N\n"
    "  --seed N             other data and another order of the cases (default: 0, the order of --list)\n"
    "  --repeat N           run each case N times, each time with the data of the next seed, until one does not pass\n"
    "  --fail-fast          begin no case after the first that is wrong\n"
    "  --timeout SECONDS    for one case (default: 300)\n"
    "  --json FILE          write the results to FILE, whole or not at all: as JSON (schema 2)\n"
    "  --junit FILE         as JUnit's XML, for CI systems\n"
    "  --html FILE          as one page for a browser\n" BUILDING_HELP
    "  --verbose            a line for each case, and what compilers and drivers print\n"
    "  --help               show this help\n"
    "\n"
    "Exit codes: 0 passed, 1 a case failed, 2 usage, 3 no such device, 4 nothing ran, 5 a case or a process had an error,\n"
    "6 a file or memory problem. docs/conform.md tells the rest.";

static const struct option options_table[] = {BUILDING_OPTIONS,
                                              {"device", required_argument, NULL, 'd'},
                                              {"exclude", required_argument, NULL, 'e'},
                                              {"fail-fast", no_argument, NULL, 'F'},
                                              {"filter", required_argument, NULL, 'f'},
                                              {"help", no_argument, NULL, 'h'},
                                              {"html", required_argument, NULL, 'H'},
                                              {"json", required_argument, NULL, 'j'},
                                              {"junit", required_argument, NULL, 'J'},
                                              {"list", no_argument, NULL, 'l'},
                                              {"repeat", required_argument, NULL, 'r'},
                                              {"seed", required_argument, NULL, 'S'},
                                              {"shard", required_argument, NULL, 'p'},
                                              {"timeout", required_argument, NULL, 't'},
                                              {"verbose", no_argument, NULL, 'v'},
                                              {0}};

/* ---- options -------------------------------------------------------------------------------------------------- */

/* Read a number of digits alone, at least `least`, up to `*end`. Returns false if it is none. */
static bool read_number(uint64_t *number, const char *text, const char **end, uint64_t least) {
  char *stop;
  errno = 0;
  unsigned long long value = strtoull(text, &stop, 10);
  *end = stop;
  *number = value;
  return isdigit((unsigned char)text[0]) && !errno && value >= least;
}

static int take_seed(run_options *options, const char *text) {
  const char *end;
  if (read_number(&options->seed, text, &end, 0) && !*end) return OPTION_TAKEN;
  return tool_usage_error("conform", "--seed is a number from 0 to 2^64 - 1, not \"%s\"", text);
}

static int take_repeat(run_options *options, const char *text) {
  const char *end;
  uint64_t number;
  if (!read_number(&number, text, &end, 1) || *end)
    return tool_usage_error("conform", "--repeat is how often each case runs, at least 1, not \"%s\"", text);
  options->repeat = number;
  return OPTION_TAKEN;
}

static int take_shard(run_options *options, const char *text) {
  const char *end;
  uint64_t shard, count;
  bool is_shard = read_number(&shard, text, &end, 1) && *end == '/' && read_number(&count, end + 1, &end, shard) && !*end &&
                  count <= UINT32_MAX;
  if (!is_shard) return tool_usage_error("conform", "--shard is 1/4 for the first of four parts, up to 4/4, not \"%s\"", text);
  options->shard = shard;
  options->shard_count = count;
  return OPTION_TAKEN;
}

static int take_report(const char **file, const char *option) {
  if (!strcmp(optarg, "-"))
    return tool_usage_error("conform", "--%s takes a file's name, not -: the text of the run goes to the standard output",
                            option);
  *file = optarg;
  return OPTION_TAKEN;
}

static int parse_option(run_options *options, int option) {
  switch (option) {
  case 'd': options->device = optarg; return OPTION_TAKEN;
  case 'e': options->excludes[options->exclude_count++] = optarg; return OPTION_TAKEN;
  case 'f': options->filters[options->filter_count++] = optarg; return OPTION_TAKEN;
  case 'j': return take_report(&options->files[REPORT_JSON], "json");
  case 'J': return take_report(&options->files[REPORT_JUNIT], "junit");
  case 'H': return take_report(&options->files[REPORT_HTML], "html");
  case 'F': options->fail_fast = true; return OPTION_TAKEN;
  case 'S': return take_seed(options, optarg);
  case 'r': return take_repeat(options, optarg);
  case 'p': return take_shard(options, optarg);
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
    int answer = getopt_long(argc, argv, "+:h" BUILDING_LETTERS, options_table, NULL);
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

/* A number that looks random, another one for each seed and number (the end of splitmix64). */
static uint64_t scatter(uint64_t seed, uint64_t number) {
  uint64_t z = (number + 1) * 0x9e3779b97f4a7c15u ^ seed * 0xd1342543de82ef95u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static int compare_order(const void *left, const void *right) {
  const run_case *a = left, *b = right;
  const uint64_t keys[][2] = {{a->order[0], b->order[0]},
                              {a->suite_case->group, b->suite_case->group},
                              {a->order[1], b->order[1]},
                              {a->suite_case->number, b->suite_case->number}};
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
    if (keys[i][0] != keys[i][1]) return keys[i][0] < keys[i][1] ? -1 : 1;
  return 0;
}

/* Fill r->cases, which has room for all: the cases of this shard, in the order of the seed. A shard is a run of neighbours in
 * the list, so that few groups are split. Law: each chosen case is in exactly one of the shards, and they differ by one case
 * at most. */
static void choose_cases(run *r, const ts_case *cases, size_t count) {
  const run_options *options = r->options;
  for (size_t i = 0; i < count; i++)
    if (is_chosen(options, cases[i].id)) r->cases[r->chosen_count++] = (run_case){.suite_case = &cases[i]};
  size_t least = r->chosen_count / options->shard_count, larger = r->chosen_count % options->shard_count;
  size_t before = options->shard - 1; /* of the shards, the first ones are larger by one */
  size_t first = before * least + (before < larger ? before : larger);
  r->count = least + (before < larger);
  memmove(r->cases, r->cases + first, r->count * sizeof *r->cases);
  if (!options->seed) return;
  for (size_t i = 0; i < r->count; i++) {
    run_case *c = &r->cases[i];
    c->order[0] = scatter(options->seed, c->suite_case->group);
    c->order[1] = scatter(options->seed, c->suite_case->number);
  }
  qsort(r->cases, r->count, sizeof *r->cases, compare_order);
}

/* There is no case to run. Returns the exit code. */
static int complain_of_none(const run *r, size_t count) {
  if (r->chosen_count)
    tool_complain("shard %zu/%zu is empty: there are only %zu cases", r->options->shard, r->options->shard_count,
                  r->chosen_count);
  else
    tool_complain("no case matches: `tensorstorage conform --list` shows the %zu that there are", count);
  return TOOL_NOTHING_RAN;
}

/* ---- the run -------------------------------------------------------------------------------------------------- */

static bool (*const writers[REPORT_COUNT])(const run *r, FILE *stream) = {
    [REPORT_JSON] = report_json, [REPORT_JUNIT] = report_junit, [REPORT_HTML] = report_html};

static void abandon_files(output_file files[REPORT_COUNT]) {
  for (int i = 0; i < REPORT_COUNT; i++) output_file_abandon(&files[i]);
}

/* Find out whether all files can be written, before anything runs. Returns false, having said why, if not. */
static bool open_files(output_file files[REPORT_COUNT], const run_options *options) {
  for (int i = 0; i < REPORT_COUNT; i++) {
    if (!options->files[i]) continue;
    bool is_open = output_file_open(&files[i], options->files[i]);
    for (int j = 0; j < i && is_open; j++)
      if (files[j].stream && output_file_is_same(&files[i], &files[j])) {
        tool_complain("%s is to be two reports: give each a file of its own", options->files[i]);
        is_open = false;
      }
    if (is_open) continue;
    abandon_files(files);
    return false;
  }
  return true;
}

/* Write the reports. Returns false, having said why, if one could not be written; the others are. */
static bool write_files(output_file files[REPORT_COUNT], const run *r) {
  bool all = true;
  for (int i = 0; i < REPORT_COUNT; i++) {
    if (!files[i].stream) continue;
    if (writers[i](r, files[i].stream)) {
      all = output_file_commit(&files[i]) && all;
    } else {
      tool_complain("memory ran out: %s is not written", r->options->files[i]);
      output_file_abandon(&files[i]);
      all = false;
    }
  }
  return all;
}

static int run_and_report(run *r, char **argv) {
  output_file files[REPORT_COUNT] = {{0}};
  if (!open_files(files, r->options)) return TOOL_FILE;

  ts_error error = {.status = TS_OK};
  pool_run(r, argv, &error);
  report_end_progress(r);
  int code = error.status == TS_OK ? run_exit_code(r) : tool_library_error(&error);
  if (!r->has_device) {
    abandon_files(files);
    return code;
  }

  /* The files come first: they are complete even if nobody reads the output to its end. */
  bool are_written = write_files(files, r);
  report_end(r);
  return are_written ? code : TOOL_FILE;
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
    if (!r->count)
      code = complain_of_none(r, count);
    else
      code = options->list ? list_cases(r) : run_and_report(r, argv);
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
  run_options options = {
      .timeout = TIMEOUT_SECONDS, .repeat = 1, .shard = 1, .shard_count = 1, .filters = lists, .excludes = lists + room};
  if (!building_make(&options.building, argc) || !lists) {
    if (!lists) tool_complain("memory ran out");
    building_free(&options.building);
    free(lists);
    return TOOL_FILE;
  }
  options.building.options.uncached = true; /* the compiler is what is tried */
  bool is_worker = argc > 1 && !strcmp(argv[1], WORKER_OPTION);
  int code = is_worker ? parse_options(&options, argc - 1, argv + 1) : parse_options(&options, argc, argv);
  if (code == OPTION_TAKEN) code = is_worker ? worker_run(&options) : conform(&options, argv);
  building_free(&options.building);
  free(lists);
  return code;
}
