/* SPDX-License-Identifier: Apache-2.0
 *
 * report.c: tell how a run goes and what came out.
 */
#include "host/tool/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/tool/json.h"
#include "host/tool/results.h"
#include "host/tool/tool.h"

enum {
  PROGRESS_COLUMNS = 79, /* as much as every terminal has */
  REPORT_SCHEMA = 2      /* of the run's JSON: 1 had no status `known` */
};

/* ---- while it runs -------------------------------------------------------------------------------------------- */

static bool shows_progress(const run *r) {
  const char *terminal = getenv("TERM");
  return !r->options->verbose && isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
}

void report_start(const run *r) {
  const ts_device_info *device = &r->device;
  printf("device    %s  %s\n", device->id, device->name);
  printf("driver    %s, %s\n", device->vendor, device->driver);
  printf("language  %s\n", device->language);
  ts_text building = {0};
  run_print_building(&building, r);
  if (building.chars) printf("built     %s\n", building.chars + 1);
  free(building.chars);
  printf("cases     %zu", r->count);
  if (r->options->shard_count > 1)
    printf(", shard %zu/%zu of %zu", r->options->shard, r->options->shard_count, r->chosen_count);
  if (r->options->repeat > 1) printf(", each %zu times", r->options->repeat);
  printf("\nseed      %" PRIu64 "\n\n", r->options->seed);
  fflush(stdout);
}

void report_case(const run *r, const run_case *c) {
  if (r->options->verbose) {
    const char *reason = c->result.reason;
    fprintf(stderr, "%-7s  %s  %.3f s%s%s\n", run_verdict_name(c->result.verdict), c->suite_case->id, c->result.seconds,
            *reason ? ": " : "", reason);
  } else if (shows_progress(r)) {
    size_t wrong = r->counts[TS_CASE_FAILED] + r->counts[TS_CASE_ERROR];
    int used = fprintf(stderr, "\r%zu/%zu, %zu wrong  ", run_done_count(r), r->count, wrong) - 1;
    int left = PROGRESS_COLUMNS - used;
    if (left > 0) fprintf(stderr, "%-*.*s", left, left, c->suite_case->id);
  }
}

void report_output(const char *bytes, size_t count) { fwrite(bytes, 1, count, stderr); }

void report_end_progress(const run *r) {
  if (shows_progress(r) && run_done_count(r)) fprintf(stderr, "\r%*s\r", PROGRESS_COLUMNS, "");
}

/* ---- after it ------------------------------------------------------------------------------------------------- */

/* Every line of a text, with `indent` before it. */
static void print_indented(FILE *stream, const char *indent, const char *text) {
  while (*text) {
    int length = (int)strcspn(text, "\n");
    fprintf(stream, "%s%.*s\n", indent, length, text);
    text += length;
    if (*text) text++;
  }
}

void report_unclean_end(const run *r, const char *reason, const char *tail, size_t count) {
  report_end_progress(r);
  tool_complain("a worker process %s, after its last case%s", reason, count ? "; it printed last:" : "");
  char *text = strndup(tail, count);
  if (text) print_indented(stderr, "    ", run_last_lines(text));
  free(text);
}

static void print_wrong_case(const run *r, const run_case *c) {
  printf("%-7s %s\n", run_verdict_name(c->result.verdict), c->suite_case->id);
  print_indented(stdout, "  ", c->result.reason);
  if (c->output) {
    puts("  it printed last (--verbose shows all):");
    print_indented(stdout, "    ", run_last_lines(c->output));
  }
  ts_text replay = {0};
  run_print_replay(&replay, r, c);
  if (replay.chars) printf("  %s\n", replay.chars);
  free(replay.chars);
  putchar('\n');
}

/* Reasons in the order in which they first appear, each with its count. */
static void print_skipped(const run *r) {
  size_t count;
  run_tally *reasons = run_tally_skipped(r, &count);
  for (size_t i = 0; i < count; i++)
    printf("skipped %zu: %.*s\n", reasons[i].counts[TS_CASE_SKIPPED], reasons[i].name_length, reasons[i].name);
  if (count) putchar('\n');
  free(reasons);
}

/* Each known issue that cases met, with their number; and each that is no more. */
static void print_issues(const run *r) {
  const run_case *first;
  bool any = false;
  for (const ts_known_issue *issue = ts_known_issues; issue->cases; issue++) {
    size_t count = run_count_issue(r, issue, TS_CASE_KNOWN, &first);
    if (count) printf("known %zu: %s (%s)\n", count, issue->what, issue->file);
    ts_text fixed = {0};
    run_print_fixed(&fixed, r, issue);
    if (fixed.chars) printf("fixed: %s\n", fixed.chars);
    any = any || count || fixed.chars;
    free(fixed.chars);
  }
  if (any) putchar('\n');
}

/* A program that does not build, or a group that is given up, is told once and not for each of its cases. */
static void print_wrong_cases(const run *r) {
  for (size_t i = 0; i < r->count; i++) {
    if (!run_is_wrong(&r->cases[i])) continue;
    print_wrong_case(r, &r->cases[i]);
    size_t repeated = run_repeats(r, i);
    i += repeated;
    if (repeated) printf("error   the same: %zu more, up to %s\n\n", repeated, r->cases[i].suite_case->id);
  }
}

void report_end(const run *r) {
  print_wrong_cases(r);
  print_skipped(r);
  print_issues(r);
  if (run_done_count(r) < r->count)
    printf("%s: %zu of %zu cases were run\n", r->is_stopped && !r->signal ? "stopped by --fail-fast" : "interrupted",
           run_done_count(r), r->count);
  printf("%zu passed, %zu failed, %zu skipped, %zu error%s", r->counts[TS_CASE_PASSED], r->counts[TS_CASE_FAILED],
         r->counts[TS_CASE_SKIPPED], r->counts[TS_CASE_ERROR], r->counts[TS_CASE_ERROR] == 1 ? "" : "s");
  if (r->counts[TS_CASE_KNOWN]) printf(", %zu known", r->counts[TS_CASE_KNOWN]);
  printf(" in %.1f s\n", r->seconds);
}

/* ---- JSON ----------------------------------------------------------------------------------------------------- */

static cJSON *json_summary(const run *r) {
  cJSON *summary = cJSON_CreateObject();
  bool added = summary;
  added = added && json_add_u64(summary, "passed", r->counts[TS_CASE_PASSED]);
  added = added && json_add_u64(summary, "failed", r->counts[TS_CASE_FAILED]);
  added = added && json_add_u64(summary, "skipped", r->counts[TS_CASE_SKIPPED]);
  added = added && json_add_u64(summary, "errors", r->counts[TS_CASE_ERROR]);
  added = added && json_add_u64(summary, "known", r->counts[TS_CASE_KNOWN]);
  added = added && json_add_seconds(summary, "seconds", r->seconds);
  if (added) return summary;
  cJSON_Delete(summary);
  return NULL;
}

/* How kernels were built; what was not given is not there. */
static bool json_add_building(cJSON *object, const building *building) {
  const ts_build_options *built = &building->options;
  bool added = !built->standard || json_add_text(object, "standard", built->standard);
  cJSON *defines = added && building->define_count > 0 ? cJSON_AddArrayToObject(object, "defines") : NULL;
  added = added && (defines || building->define_count == 0);
  for (size_t i = 0; i < building->define_count && added; i++)
    added = cJSON_AddItemToArray(defines, json_text(building->defines[i]));
  added = added && (!built->fast_math || cJSON_AddTrueToObject(object, "fast_math"));
  return added && (!built->extra || json_add_text(object, "option", built->extra));
}

static cJSON *json_options(const run_options *options) {
  cJSON *object = cJSON_CreateObject();
  bool added = object;
  added = added && json_add_u64(object, "seed", options->seed);
  added = added && json_add_u64(object, "repeat", options->repeat);
  added = added && json_add_u64(object, "shard", options->shard);
  added = added && json_add_u64(object, "shards", options->shard_count);
  added = added && json_add_building(object, &options->building);
  if (added) return object;
  cJSON_Delete(object);
  return NULL;
}

static bool json_add_replay(cJSON *object, const run *r, const run_case *c) {
  ts_text replay = {0};
  run_print_replay(&replay, r, c);
  bool added = !replay.failed && json_add_text(object, "replay", replay.chars);
  free(replay.chars);
  return added;
}

static cJSON *json_case(const run *r, const run_case *c) {
  cJSON *object = cJSON_CreateObject();
  bool added = object;
  added = added && json_add_text(object, "id", c->suite_case->id);
  added = added && json_add_text(object, "status", run_verdict_name(c->result.verdict));
  added = added && json_add_seconds(object, "seconds", c->result.seconds);
  if (c->result.verdict != TS_CASE_PASSED) added = added && json_add_text(object, "reason", c->result.reason);
  if (c->issue) added = added && json_add_text(object, "issue", c->issue->file);
  if (run_is_wrong(c) || c->result.verdict == TS_CASE_KNOWN) added = added && json_add_replay(object, r, c);
  if (added) return object;
  cJSON_Delete(object);
  return NULL;
}

bool report_json(const run *r, FILE *stream) {
  fprintf(stream, "{\"schema\":%d,\n\"device\":", REPORT_SCHEMA);
  bool written = json_write(stream, json_device(&r->device));
  fputs(",\n\"options\":", stream);
  written = written && json_write(stream, json_options(r->options));
  fputs(",\n\"summary\":", stream);
  written = written && json_write(stream, json_summary(r));
  fprintf(stream, ",\n%s\"cases\":[", run_done_count(r) < r->count ? "\"interrupted\":true,\n" : "");
  const char *separator = "\n";
  for (size_t i = 0; i < r->count && written; i++) {
    if (!r->cases[i].is_done) continue;
    fputs(separator, stream);
    written = json_write(stream, json_case(r, &r->cases[i]));
    separator = ",\n";
  }
  fputs("\n]}\n", stream);
  return written;
}
