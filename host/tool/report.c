/* SPDX-License-Identifier: Apache-2.0
 *
 * report.c: tell how a run goes and what came out.
 */
#include "host/tool/report.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/tool/json.h"
#include "host/tool/tool.h"

enum {
  PROGRESS_COLUMNS = 79, /* as much as every terminal has */
  TAIL_LINES = 10        /* of what a dead worker printed */
};

static const char *const verdict_names[RUN_VERDICT_COUNT] = {
    [TS_CASE_PASSED] = "passed", [TS_CASE_FAILED] = "failed", [TS_CASE_SKIPPED] = "skipped", [TS_CASE_ERROR] = "error"};

/* ---- while it runs -------------------------------------------------------------------------------------------- */

static bool shows_progress(const run *r) {
  const char *terminal = getenv("TERM");
  return !r->options->verbose && isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
}

static size_t done_count(const run *r) {
  size_t count = 0;
  for (int i = 0; i < RUN_VERDICT_COUNT; i++) count += r->counts[i];
  return count;
}

void report_start(const run *r) {
  const ts_device_info *device = &r->device;
  printf("device    %s  %s\n", device->id, device->name);
  printf("driver    %s, %s\n", device->vendor, device->driver);
  printf("language  %s%s%s\n", device->language, r->options->building.options.standard ? ", built as " : "",
         r->options->building.options.standard ? r->options->building.options.standard : "");
  printf("cases     %zu\n\n", r->count);
  fflush(stdout);
}

void report_case(const run *r, const run_case *c) {
  if (r->options->verbose) {
    const char *reason = c->result.reason;
    fprintf(stderr, "%-7s  %s  %.3f s%s%s\n", verdict_names[c->result.verdict], c->suite_case->id, c->result.seconds,
            *reason ? ": " : "", reason);
  } else if (shows_progress(r)) {
    size_t wrong = r->counts[TS_CASE_FAILED] + r->counts[TS_CASE_ERROR];
    int used = fprintf(stderr, "\r%zu/%zu, %zu wrong  ", done_count(r), r->count, wrong) - 1;
    int left = PROGRESS_COLUMNS - used;
    if (left > 0) fprintf(stderr, "%-*.*s", left, left, c->suite_case->id);
  }
}

void report_output(const char *bytes, size_t count) { fwrite(bytes, 1, count, stderr); }

void report_end_progress(const run *r) {
  if (shows_progress(r) && done_count(r)) fprintf(stderr, "\r%*s\r", PROGRESS_COLUMNS, "");
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

/* Where the last lines of a text begin. */
static const char *last_lines(const char *text) {
  const char *at = text + strlen(text);
  for (int lines = 0; at > text; at--)
    if (at[-1] == '\n' && at[0] && ++lines == TAIL_LINES) break;
  return at;
}

void report_unclean_end(const run *r, const char *reason, const char *tail, size_t count) {
  report_end_progress(r);
  tool_complain("a worker process %s, after its last case%s", reason, count ? "; it printed last:" : "");
  char *text = strndup(tail, count);
  if (text) print_indented(stderr, "    ", last_lines(text));
  free(text);
}

/* A word as a shell reads it back. */
static void print_quoted(const char *word) {
  putchar('\'');
  for (; *word; word++)
    if (*word == '\'')
      fputs("'\\''", stdout);
    else
      putchar(*word);
  putchar('\'');
}

static void print_replay(const run *r, const run_case *c) {
  printf("  tensorstorage conform --device %s", r->device.id);
  if (r->options->building.options.standard) printf(" --standard %s", r->options->building.options.standard);
  for (size_t i = 0; i < r->options->building.define_count; i++) {
    fputs(" --define ", stdout);
    print_quoted(r->options->building.defines[i]);
  }
  if (r->options->building.options.fast_math) fputs(" --fast-math", stdout);
  if (r->options->building.options.extra) {
    fputs(" --option ", stdout);
    print_quoted(r->options->building.options.extra);
  }
  fputs(" --filter ", stdout);
  print_quoted(c->suite_case->id);
  putchar('\n');
}

static void print_wrong_case(const run *r, const run_case *c) {
  printf("%-7s %s\n", verdict_names[c->result.verdict], c->suite_case->id);
  print_indented(stdout, "  ", c->result.reason);
  if (c->output) {
    puts("  it printed last (--verbose shows all):");
    print_indented(stdout, "    ", last_lines(c->output));
  }
  print_replay(r, c);
  putchar('\n');
}

static bool is_skipped(const run_case *c, const char *reason) {
  return c->is_done && c->result.verdict == TS_CASE_SKIPPED && !strcmp(c->result.reason, reason);
}

/* Reasons in the order in which they first appear, each with its count. */
static void print_skipped(const run *r) {
  for (size_t i = 0; i < r->count; i++) {
    const char *reason = r->cases[i].result.reason;
    if (!is_skipped(&r->cases[i], reason)) continue;
    size_t earlier = 0, count = 0;
    for (size_t j = 0; j < i; j++) earlier += is_skipped(&r->cases[j], reason);
    if (earlier) continue;
    for (size_t j = i; j < r->count; j++) count += is_skipped(&r->cases[j], reason);
    printf("skipped %zu: %s\n", count, reason);
  }
  if (r->counts[TS_CASE_SKIPPED]) putchar('\n');
}

/* A program that does not build, or a group that is given up, is told once and not for each of its cases. */
static bool repeats(const run_case *c, const run_case *told) {
  return c->is_done && c->result.verdict == TS_CASE_ERROR && told->result.verdict == TS_CASE_ERROR && !c->output &&
         !strcmp(c->result.reason, told->result.reason);
}

static void print_wrong_cases(const run *r) {
  for (size_t i = 0; i < r->count; i++) {
    const run_case *c = &r->cases[i];
    if (!c->is_done || (c->result.verdict != TS_CASE_FAILED && c->result.verdict != TS_CASE_ERROR)) continue;
    print_wrong_case(r, c);
    size_t repeated = 0;
    while (i + 1 < r->count && repeats(&r->cases[i + 1], c)) i++, repeated++;
    if (repeated) printf("error   the same: %zu more, up to %s\n\n", repeated, r->cases[i].suite_case->id);
  }
}

void report_end(const run *r) {
  print_wrong_cases(r);
  print_skipped(r);
  if (done_count(r) < r->count) printf("interrupted: %zu of %zu cases were run\n", done_count(r), r->count);
  printf("%zu passed, %zu failed, %zu skipped, %zu errors in %.1f s\n", r->counts[TS_CASE_PASSED], r->counts[TS_CASE_FAILED],
         r->counts[TS_CASE_SKIPPED], r->counts[TS_CASE_ERROR], r->seconds);
}

/* ---- JSON ----------------------------------------------------------------------------------------------------- */

static cJSON *json_summary(const run *r) {
  cJSON *summary = cJSON_CreateObject();
  bool added = summary;
  added = added && json_add_u64(summary, "passed", r->counts[TS_CASE_PASSED]);
  added = added && json_add_u64(summary, "failed", r->counts[TS_CASE_FAILED]);
  added = added && json_add_u64(summary, "skipped", r->counts[TS_CASE_SKIPPED]);
  added = added && json_add_u64(summary, "errors", r->counts[TS_CASE_ERROR]);
  added = added && json_add_seconds(summary, "seconds", r->seconds);
  if (added) return summary;
  cJSON_Delete(summary);
  return NULL;
}

static cJSON *json_case(const run_case *c) {
  cJSON *object = cJSON_CreateObject();
  bool added = object;
  added = added && json_add_text(object, "id", c->suite_case->id);
  added = added && json_add_text(object, "status", verdict_names[c->result.verdict]);
  added = added && json_add_seconds(object, "seconds", c->result.seconds);
  if (c->result.verdict != TS_CASE_PASSED) added = added && json_add_text(object, "reason", c->result.reason);
  if (added) return object;
  cJSON_Delete(object);
  return NULL;
}

bool report_json(const run *r, FILE *stream) {
  fprintf(stream, "{\"schema\":%d,\n\"device\":", JSON_SCHEMA);
  bool written = json_write(stream, json_device(&r->device));
  fputs(",\n\"summary\":", stream);
  written = written && json_write(stream, json_summary(r));
  fprintf(stream, ",\n%s\"cases\":[", done_count(r) < r->count ? "\"interrupted\":true,\n" : "");
  const char *separator = "\n";
  for (size_t i = 0; i < r->count && written; i++) {
    if (!r->cases[i].is_done) continue;
    fputs(separator, stream);
    written = json_write(stream, json_case(&r->cases[i]));
    separator = ",\n";
  }
  fputs("\n]}\n", stream);
  return written;
}
