/* SPDX-License-Identifier: Apache-2.0
 *
 * report_junit.c: a run as JUnit's XML, in the form that CI systems read: Jenkins, GitLab and their like.
 *
 * One suite, the device's; a case's class is its family. There is no written standard; elements here are those that all know.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "host/tool/markup.h"
#include "host/tool/report.h"
#include "host/tool/results.h"

static void write_property(FILE *stream, const char *name, const char *value) {
  fputs("<property", stream);
  markup_attribute(stream, "name", name);
  markup_attribute(stream, "value", value);
  fputs("/>\n", stream);
}

static bool write_properties(FILE *stream, const run *r) {
  char seed[24];
  ts_text building = {0};
  snprintf(seed, sizeof seed, "%" PRIu64, r->options->seed);
  run_print_building(&building, r);
  fputs("<properties>\n", stream);
  write_property(stream, "device", r->device.id);
  write_property(stream, "name", r->device.name);
  write_property(stream, "vendor", r->device.vendor);
  write_property(stream, "driver", r->device.driver);
  write_property(stream, "language", r->device.language);
  if (building.chars) write_property(stream, "built with", building.chars + 1);
  write_property(stream, "seed", seed);
  fputs("</properties>\n", stream);
  bool is_whole = !building.failed;
  free(building.chars);
  return is_whole;
}

/* The counts of a suite, as its attributes. A worker's bad end is an error beside those of cases. */
static void write_counts(FILE *stream, const run *r) {
  fprintf(stream, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"%.6f\"", r->count + r->unclean_ends,
          r->counts[TS_CASE_FAILED], r->counts[TS_CASE_ERROR] + r->unclean_ends,
          r->counts[TS_CASE_SKIPPED] + r->counts[TS_CASE_KNOWN] + r->count - run_done_count(r), r->seconds);
}

/* What went wrong: the reason, and with it what the process printed, and how to run the case again. */
static bool write_wrong(FILE *stream, const run *r, const run_case *c) {
  const char *element = c->result.verdict == TS_CASE_FAILED ? "failure" : "error";
  ts_text text = {0};
  ts_text_print(&text, "%s\n", c->result.reason);
  if (c->output) ts_text_print(&text, "it printed last:\n%s\n", run_last_lines(c->output));
  run_print_replay(&text, r, c);
  fprintf(stream, "<%s", element);
  markup_attribute(stream, "message", c->result.reason);
  fputs(">", stream);
  if (!text.failed) markup_text(stream, text.chars);
  fprintf(stream, "</%s>", element);
  free(text.chars);
  return !text.failed;
}

static void write_skipped(FILE *stream, const char *reason) {
  fputs("<skipped", stream);
  markup_attribute(stream, "message", reason);
  fputs("/>", stream);
}

/* There is no element for what fails for a known reason: it is skipped, and says so. */
static bool write_known(FILE *stream, const run_case *c) {
  ts_text text = {0};
  ts_text_print(&text, "known, %s: %s", c->issue->file, c->result.reason);
  if (!text.failed) write_skipped(stream, text.chars);
  free(text.chars);
  return !text.failed;
}

static bool write_case(FILE *stream, const run *r, const run_case *c) {
  bool written = true;
  const char *id = c->suite_case->id;
  char family[TS_CASE_ID_BYTES];
  snprintf(family, sizeof family, "%.*s", (int)strcspn(id, "."), id);
  fputs("<testcase", stream);
  markup_attribute(stream, "classname", family);
  markup_attribute(stream, "name", id);
  fprintf(stream, " time=\"%.6f\">", c->result.seconds);
  if (!c->is_done)
    write_skipped(stream, r->is_stopped && !r->signal ? "not run: stopped by --fail-fast" : "not run: interrupted");
  else if (c->result.verdict == TS_CASE_SKIPPED)
    write_skipped(stream, c->result.reason);
  else if (c->result.verdict == TS_CASE_KNOWN)
    written = write_known(stream, c);
  else if (run_is_wrong(c))
    written = write_wrong(stream, r, c);
  fputs("</testcase>\n", stream);
  return written;
}

bool report_junit(const run *r, FILE *stream) {
  char started[32];
  struct tm calendar;
  strftime(started, sizeof started, "%Y-%m-%dT%H:%M:%S", gmtime_r(&r->started, &calendar));
  fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites", stream);
  write_counts(stream, r);
  fputs(">\n<testsuite", stream);
  markup_attribute(stream, "name", r->device.id);
  markup_attribute(stream, "timestamp", started);
  write_counts(stream, r);
  fputs(">\n", stream);
  bool written = write_properties(stream, r);
  for (size_t i = 0; i < r->count && written; i++) written = write_case(stream, r, &r->cases[i]);
  for (size_t i = 0; i < r->unclean_ends; i++)
    fprintf(stream,
            "<testcase classname=\"worker\" name=\"end %zu\" time=\"0\">"
            "<error message=\"a worker process crashed or hung after its last case\"/></testcase>\n",
            i + 1);
  fputs("</testsuite>\n</testsuites>\n", stream);
  return written;
}
