/* SPDX-License-Identifier: Apache-2.0
 *
 * report_html.c: a run as one page for a browser: the verdict first, then what is wrong, what was skipped and why, and times.
 *
 * The page needs no other file and no script, and is well-formed XML, so that programs can check it.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "host/tool/markup.h"
#include "host/tool/report.h"
#include "host/tool/results.h"
#include "host/tool/tool.h"

enum {
  WRONG_MAX = 200, /* cases that are told in full */
  SLOWEST_MAX = 10
};

static const char style[] =
    ":root{color-scheme:light dark;--page:#fff;--text:#1f2328;--dim:#59636e;--line:#d1d9e0;--box:#f6f8fa;"
    "--passed:#1a7f37;--failed:#cf222e;--error:#a14b00;--skipped:#8c959f}\n"
    "@media(prefers-color-scheme:dark){:root{--page:#0d1117;--text:#e6edf3;--dim:#9198a1;--line:#3d444d;--box:#151b23;"
    "--passed:#3fb950;--failed:#f85149;--error:#e0823d;--skipped:#656c76}}\n"
    "body{margin:0 auto;max-width:62rem;padding:1.5rem;background:var(--page);color:var(--text);"
    "font:15px/1.5 system-ui,'DejaVu Sans',sans-serif}\n"
    "header{border-left:.5rem solid var(--tone);background:var(--box);padding:.75rem 1.25rem}\n"
    "h1{margin:0;font-size:1.9rem;color:var(--tone)}header p{margin:.25rem 0 0}\n"
    "h2{font-size:1.15rem;margin:2rem 0 .5rem}h3{font-size:1rem;margin:0;overflow-wrap:anywhere}\n"
    "table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.25rem .75rem .25rem 0;"
    "border-bottom:1px solid var(--line);vertical-align:top}\n"
    "th{color:var(--dim);font-weight:600}.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}\n"
    ".facts th{width:8rem}code,pre{font:13px/1.5 ui-monospace,'DejaVu Sans Mono',monospace}\n"
    "pre{background:var(--page);border:1px solid var(--line);padding:.5rem .75rem;margin:.5rem 0 0;white-space:pre-wrap;"
    "overflow-wrap:anywhere}\n"
    "article{background:var(--box);border-left:.25rem solid var(--tone);padding:.75rem 1rem;margin:.75rem 0}"
    "article p{margin:.25rem 0 0;overflow-wrap:anywhere;white-space:pre-wrap}\n"
    ".bar{display:flex;height:.6rem;margin-top:.45rem;min-width:8rem}.bar i{background:var(--tone)}\n"
    ".dim{color:var(--dim)}.passed{--tone:var(--passed)}.failed{--tone:var(--failed)}.error{--tone:var(--error)}"
    ".skipped,.none,.known{--tone:var(--skipped)}summary{cursor:pointer}\n";

/* ---- the verdict ---------------------------------------------------------------------------------------------- */

/* In words, and the class of its colour: as the exit code says. */
static const struct {
  int exit_code;
  const char *words, *tone;
} verdicts[] = {{TOOL_PASSED, "Passed", "passed"},
                {TOOL_FAILED, "Failed", "failed"},
                {TOOL_NOTHING_RAN, "Nothing ran", "none"},
                {TOOL_ERROR, "Errors", "error"},
                {TOOL_SIGNAL, "Interrupted", "error"}};
enum { VERDICT_COUNT = sizeof verdicts / sizeof verdicts[0] };

static int find_verdict(const run *r) {
  int code = run_exit_code(r), i = 0;
  while (i < VERDICT_COUNT - 1 && verdicts[i].exit_code != code) i++;
  return i;
}

static void write_verdict(FILE *stream, const run *r) {
  int verdict = find_verdict(r);
  fprintf(stream, "<header class=\"%s\"><h1>%s</h1>\n", verdicts[verdict].tone, verdicts[verdict].words);
  fputs("<p class=\"dim\">", stream);
  markup_text(stream, r->device.id);
  fputs(", ", stream);
  markup_text(stream, r->device.name);
  fprintf(stream, "</p>\n<p>%zu of %zu cases passed, %zu failed, %zu error%s, %zu skipped", r->counts[TS_CASE_PASSED], r->count,
          r->counts[TS_CASE_FAILED], r->counts[TS_CASE_ERROR], r->counts[TS_CASE_ERROR] == 1 ? "" : "s",
          r->counts[TS_CASE_SKIPPED]);
  if (r->counts[TS_CASE_KNOWN]) fprintf(stream, ", %zu known", r->counts[TS_CASE_KNOWN]);
  size_t not_run = r->count - run_done_count(r);
  if (not_run) fprintf(stream, ", %zu not run%s", not_run, r->is_stopped && !r->signal ? " (--fail-fast)" : "");
  fprintf(stream, ", in %.1f s.</p>\n", r->seconds);
  if (r->unclean_ends)
    fprintf(stream, "<p>Worker processes that crashed or hung after their last case: %zu.</p>\n", r->unclean_ends);
  fputs("</header>\n", stream);
}

/* ---- what ran ------------------------------------------------------------------------------------------------- */

static void write_fact(FILE *stream, const char *name, const char *value) {
  fputs("<tr>", stream);
  markup_element(stream, "th", name);
  markup_element(stream, "td", value);
  fputs("</tr>\n", stream);
}

static void write_facts(FILE *stream, const run *r) {
  const run_options *options = r->options;
  char started[64], seed[24];
  struct tm calendar;
  ts_text driver = {0}, cases = {0}, building = {0};
  strftime(started, sizeof started, "%Y-%m-%d %H:%M:%S UTC", gmtime_r(&r->started, &calendar));
  snprintf(seed, sizeof seed, "%" PRIu64, options->seed);
  ts_text_print(&driver, "%s, %s", r->device.vendor, r->device.driver);
  ts_text_print(&cases, "%zu", r->count);
  if (options->shard_count > 1)
    ts_text_print(&cases, ", shard %zu/%zu of %zu", options->shard, options->shard_count, r->chosen_count);
  if (options->repeat > 1) ts_text_print(&cases, ", each %zu times", options->repeat);
  run_print_building(&building, r);

  fputs("<h2>What ran</h2>\n<table class=\"facts\">\n", stream);
  write_fact(stream, "Device", r->device.id);
  write_fact(stream, "Name", r->device.name);
  write_fact(stream, "Driver", driver.chars ? driver.chars : "");
  write_fact(stream, "Language", r->device.language);
  if (building.chars) write_fact(stream, "Built with", building.chars + 1);
  write_fact(stream, "Cases", cases.chars ? cases.chars : "");
  write_fact(stream, "Seed", seed);
  write_fact(stream, "Started", started);
  write_fact(stream, "By", "tensorstorage " TS_VERSION);
  fputs("</table>\n", stream);
  free(driver.chars);
  free(cases.chars);
  free(building.chars);
}

/* ---- cases ---------------------------------------------------------------------------------------------------- */

static void write_wrong_case(FILE *stream, const run *r, const run_case *c, size_t repeated) {
  ts_text replay = {0};
  run_print_replay(&replay, r, c);
  const char *verdict = run_verdict_name(c->result.verdict);
  fprintf(stream, "<article class=\"%s\"><h3>%s: <code>", verdict, verdict);
  markup_text(stream, c->suite_case->id);
  fputs("</code></h3>\n", stream);
  markup_element(stream, "p", c->result.reason);
  if (repeated)
    fprintf(stream, "\n<p class=\"dim\">The same: %zu more, up to <code>%s</code></p>", repeated, c[repeated].suite_case->id);
  if (c->output) {
    fputs("\n<p class=\"dim\">It printed last:</p>", stream);
    markup_element(stream, "pre", run_last_lines(c->output));
  }
  fputs("\n<p class=\"dim\">To run it again:</p>", stream);
  markup_element(stream, "pre", replay.chars ? replay.chars : "");
  fputs("</article>\n", stream);
  free(replay.chars);
}

static void write_wrong_cases(FILE *stream, const run *r) {
  size_t told = 0;
  for (size_t i = 0; i < r->count; i++) {
    if (!run_is_wrong(&r->cases[i])) continue;
    if (!told) fputs("<h2>What is wrong</h2>\n", stream);
    if (told++ == WRONG_MAX) {
      fprintf(stream, "<p>The first %d are shown; --json has them all.</p>\n", WRONG_MAX);
      return;
    }
    size_t repeated = run_repeats(r, i);
    write_wrong_case(stream, r, &r->cases[i], repeated);
    i += repeated;
  }
}

static bool write_skipped(FILE *stream, const run *r) {
  size_t count;
  run_tally *reasons = run_tally_skipped(r, &count);
  if (count) fputs("<h2>What was skipped, and why</h2>\n", stream);
  for (size_t k = 0; k < count; k++) {
    fprintf(stream, "<details><summary>%zu: ", reasons[k].counts[TS_CASE_SKIPPED]);
    markup_text(stream, reasons[k].name);
    fputs("</summary>\n<pre>", stream);
    for (size_t i = 0; i < r->count; i++) {
      const run_case *c = &r->cases[i];
      if (c->is_done && c->result.verdict == TS_CASE_SKIPPED && !strcmp(c->result.reason, reasons[k].name))
        fprintf(stream, "%s\n", c->suite_case->id);
    }
    fputs("</pre></details>\n", stream);
  }
  bool is_made = reasons;
  free(reasons);
  return is_made;
}

/* What cases met of the driver's known issues, and which of these are no more. Returns false if memory ran out. */
static bool write_issues(FILE *stream, const run *r) {
  ts_text issues = {0};
  const run_case *first;
  for (const ts_known_issue *issue = ts_known_issues; issue->cases; issue++) {
    size_t count = run_count_issue(r, issue, TS_CASE_KNOWN, &first);
    if (count) ts_text_print(&issues, "%zu: %s (%s)\n", count, issue->what, issue->file);
    if (run_count_issue(r, issue, TS_CASE_PASSED, &first)) {
      ts_text_print(&issues, "fixed: ");
      run_print_fixed(&issues, r, issue);
      ts_text_print(&issues, "\n");
    }
  }
  if (issues.chars) {
    fputs("<h2>Known issues of the driver</h2>\n", stream);
    markup_element(stream, "pre", issues.chars);
    fputs("\n", stream);
  }
  free(issues.chars);
  return !issues.failed;
}

/* ---- families and times --------------------------------------------------------------------------------------- */

/* A family's verdicts as lengths, relative to its number of cases. */
static void write_bar(FILE *stream, const run_tally *family) {
  static const ts_verdict order[] = {TS_CASE_FAILED, TS_CASE_ERROR, TS_CASE_PASSED, TS_CASE_KNOWN, TS_CASE_SKIPPED};
  fputs("<td><div class=\"bar\">", stream);
  for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
    if (family->counts[order[i]])
      fprintf(stream, "<i class=\"%s\" style=\"flex:%zu;min-width:3px\"></i>", run_verdict_name(order[i]),
              family->counts[order[i]]);
  fputs("</div></td>", stream);
}

static bool write_families(FILE *stream, const run *r) {
  size_t count;
  run_tally *families = run_tally_families(r, &count);
  fputs("<h2>By family</h2>\n<table>\n<tr><th>Family</th><th class=\"n\">Passed</th><th class=\"n\">Failed</th>"
        "<th class=\"n\">Errors</th><th class=\"n\">Known</th><th class=\"n\">Skipped</th><th class=\"n\">Not run</th><th "
        "class=\"n\">Seconds</th>"
        "<th></th></tr>\n",
        stream);
  for (size_t i = 0; i < count; i++) {
    const run_tally *family = &families[i];
    const size_t numbers[] = {family->counts[TS_CASE_PASSED], family->counts[TS_CASE_FAILED],  family->counts[TS_CASE_ERROR],
                              family->counts[TS_CASE_KNOWN],  family->counts[TS_CASE_SKIPPED], family->not_run};
    fprintf(stream, "<tr><td><code>%.*s</code></td>", family->name_length, family->name);
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++)
      fprintf(stream, "<td class=\"n%s\">%zu</td>", numbers[k] ? "" : " dim", numbers[k]);
    fprintf(stream, "<td class=\"n\">%.3f</td>", family->seconds);
    write_bar(stream, family);
    fputs("</tr>\n", stream);
  }
  fputs("</table>\n", stream);
  bool is_made = families;
  free(families);
  return is_made;
}

static int compare_seconds(const void *left, const void *right) {
  const run_case *const *a = left, *const *b = right;
  double difference = (*b)->result.seconds - (*a)->result.seconds;
  return difference < 0 ? -1 : difference > 0;
}

static bool write_slowest(FILE *stream, const run *r) {
  const run_case **cases = calloc(r->count, sizeof *cases);
  if (!cases) return false;
  for (size_t i = 0; i < r->count; i++) cases[i] = &r->cases[i];
  qsort(cases, r->count, sizeof *cases, compare_seconds);
  fputs("<h2>The slowest cases</h2>\n<p class=\"dim\">The first case of a program also builds it.</p>\n<table>\n"
        "<tr><th>Case</th><th class=\"n\">Seconds</th></tr>\n",
        stream);
  for (size_t i = 0; i < r->count && i < SLOWEST_MAX && cases[i]->is_done; i++)
    fprintf(stream, "<tr><td><code>%s</code></td><td class=\"n\">%.3f</td></tr>\n", cases[i]->suite_case->id,
            cases[i]->result.seconds);
  fputs("</table>\n", stream);
  free(cases);
  return true;
}

/* ---- the page ------------------------------------------------------------------------------------------------- */

bool report_html(const run *r, FILE *stream) {
  fprintf(stream,
          "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>\n"
          "<meta name=\"viewport\" content=\"width=device-width\"/>\n<title>%s: conformance of ",
          verdicts[find_verdict(r)].words);
  markup_text(stream, r->device.id);
  fprintf(stream, "</title>\n<style>\n%s</style></head>\n<body>\n", style);
  write_verdict(stream, r);
  write_wrong_cases(stream, r);
  write_facts(stream, r);
  bool written = write_skipped(stream, r) && write_issues(stream, r);
  written = written && write_families(stream, r) && write_slowest(stream, r);
  fputs("</body></html>\n", stream);
  return written;
}
