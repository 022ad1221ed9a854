/* SPDX-License-Identifier: Apache-2.0
 *
 * results.c: what came out of a run, taken in and summed up.
 */
#include "host/tool/results.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/tool/tool.h"

enum { TAIL_LINES = 10 }; /* of what a dead worker printed */

/* ---- taking in ------------------------------------------------------------------------------------------------ */

uint64_t run_seed(const run *r, const run_case *c) { return r->options->seed + c->repetition; }

static bool is_defined(const building *building, const char *define) {
  for (size_t i = 0; i < building->define_count; i++)
    if (!strcmp(building->defines[i], define)) return true;
  return false;
}

const ts_known_issue *run_find_issue(const run *r, const run_case *c) {
  const building *building = &r->options->building;
  for (const ts_known_issue *issue = ts_known_issues; issue->cases; issue++)
    if (!fnmatch(issue->vendor, r->device.vendor, 0) && !fnmatch(issue->driver, r->device.driver, 0) &&
        (!issue->define || is_defined(building, issue->define)) && !fnmatch(issue->cases, c->suite_case->id, 0))
      return issue;
  return NULL;
}

bool run_take_result(run *r, run_case *c, const ts_case_result *result) {
  size_t repeat = r->options->repeat;
  double seconds = c->result.seconds + result->seconds;
  c->result = *result;
  c->result.seconds = seconds;
  if (result->verdict == TS_CASE_PASSED && c->repetition + 1 < repeat) {
    c->repetition++;
    return false;
  }
  c->is_done = true;
  if (run_is_wrong(c) && repeat > 1)
    snprintf(c->result.reason, sizeof c->result.reason, "in repetition %zu of %zu: %.440s", c->repetition + 1, repeat,
             result->reason);
  if (run_is_wrong(c) && c->issue) c->result.verdict = TS_CASE_KNOWN;
  r->counts[c->result.verdict]++;
  if (run_is_wrong(c) && r->options->fail_fast) r->is_stopped = true;
  return true;
}

/* ---- one case ------------------------------------------------------------------------------------------------- */

const char *run_verdict_name(ts_verdict verdict) {
  static const char *const names[RUN_VERDICT_COUNT] = {[TS_CASE_PASSED] = "passed",
                                                       [TS_CASE_FAILED] = "failed",
                                                       [TS_CASE_SKIPPED] = "skipped",
                                                       [TS_CASE_ERROR] = "error",
                                                       [TS_CASE_KNOWN] = "known"};
  return names[verdict];
}

bool run_is_wrong(const run_case *c) {
  return c->is_done && (c->result.verdict == TS_CASE_FAILED || c->result.verdict == TS_CASE_ERROR);
}

size_t run_repeats(const run *r, size_t wrong) {
  const run_case *told = &r->cases[wrong];
  size_t count = 0;
  for (const run_case *c = told + 1; told->result.verdict == TS_CASE_ERROR && c < r->cases + r->count; c++, count++)
    if (!c->is_done || c->result.verdict != TS_CASE_ERROR || c->output || strcmp(c->result.reason, told->result.reason) != 0)
      break;
  return count;
}

/* A word as a shell reads it back. */
static void print_quoted(ts_text *text, const char *word) {
  ts_text_print(text, "'");
  for (; *word; word++)
    if (*word == '\'')
      ts_text_print(text, "'\\''");
    else
      ts_text_append(text, word, 1);
  ts_text_print(text, "'");
}

void run_print_building(ts_text *text, const run *r) {
  const building *building = &r->options->building;
  if (building->options.standard) ts_text_print(text, " --standard %s", building->options.standard);
  for (size_t i = 0; i < building->define_count; i++) {
    ts_text_print(text, " --define ");
    print_quoted(text, building->defines[i]);
  }
  if (building->options.fast_math) ts_text_print(text, " --fast-math");
  if (building->options.extra) {
    ts_text_print(text, " --option ");
    print_quoted(text, building->options.extra);
  }
}

void run_print_replay(ts_text *text, const run *r, const run_case *c) {
  ts_text_print(text, "tensorstorage conform --device %s --seed %" PRIu64, r->device.id, run_seed(r, c));
  run_print_building(text, r);
  ts_text_print(text, " --filter ");
  print_quoted(text, c->suite_case->id);
}

const char *run_last_lines(const char *text) {
  const char *at = text + strlen(text);
  for (int lines = 0; at > text; at--)
    if (at[-1] == '\n' && at[0] && ++lines == TAIL_LINES) break;
  return at;
}

/* ---- all cases ------------------------------------------------------------------------------------------------ */

size_t run_done_count(const run *r) {
  size_t count = 0;
  for (int i = 0; i < RUN_VERDICT_COUNT; i++) count += r->counts[i];
  return count;
}

int run_exit_code(const run *r) {
  if (r->signal) return TOOL_SIGNAL + r->signal;
  if (r->counts[TS_CASE_ERROR] || r->unclean_ends) return TOOL_ERROR;
  if (r->counts[TS_CASE_FAILED]) return TOOL_FAILED;
  return r->counts[TS_CASE_PASSED] ? TOOL_PASSED : TOOL_NOTHING_RAN;
}

size_t run_count_issue(const run *r, const ts_known_issue *issue, ts_verdict verdict, const run_case **first) {
  size_t count = 0;
  for (size_t i = 0; i < r->count; i++) {
    const run_case *c = &r->cases[i];
    if (c->is_done && c->issue == issue && c->result.verdict == verdict && !count++) *first = c;
  }
  return count;
}

void run_print_fixed(ts_text *text, const run *r, const ts_known_issue *issue) {
  const run_case *first = NULL;
  size_t count = run_count_issue(r, issue, TS_CASE_PASSED, &first);
  if (!count) return;
  ts_text_print(text, "%s", first->suite_case->id);
  if (count > 1) ts_text_print(text, " and %zu more", count - 1);
  ts_text_print(text, " %s on this driver though %s says otherwise", count > 1 ? "pass" : "passes", issue->file);
}

/* Count a case under a name. `tallies` has room for one more. */
static void count_case(run_tally *tallies, size_t *count, const char *name, int length, const run_case *c) {
  size_t i = 0;
  while (i < *count && (tallies[i].name_length != length || strncmp(tallies[i].name, name, (size_t)length) != 0)) i++;
  if (i == *count) tallies[(*count)++] = (run_tally){.name = name, .name_length = length};
  if (c->is_done)
    tallies[i].counts[c->result.verdict]++;
  else
    tallies[i].not_run++;
  tallies[i].seconds += c->result.seconds;
}

run_tally *run_tally_families(const run *r, size_t *count) {
  run_tally *tallies = calloc(r->count + 1, sizeof *tallies);
  *count = 0;
  for (size_t i = 0; i < r->count && tallies; i++) {
    const char *id = r->cases[i].suite_case->id;
    count_case(tallies, count, id, (int)strcspn(id, "."), &r->cases[i]);
  }
  return tallies;
}

run_tally *run_tally_skipped(const run *r, size_t *count) {
  run_tally *tallies = calloc(r->count + 1, sizeof *tallies);
  *count = 0;
  for (size_t i = 0; i < r->count && tallies; i++) {
    const run_case *c = &r->cases[i];
    if (c->is_done && c->result.verdict == TS_CASE_SKIPPED)
      count_case(tallies, count, c->result.reason, (int)strlen(c->result.reason), c);
  }
  return tallies;
}
