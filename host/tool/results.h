/* SPDX-License-Identifier: Apache-2.0
 *
 * results.h: what came out of a run, taken in and summed up, for whoever tells it.
 *
 * It prints nothing: report.c, report_junit.c and report_html.c do.
 */
#ifndef TS_TOOL_RESULTS_H
#define TS_TOOL_RESULTS_H

#include "host/tool/conform.h"
#include "text.h"

/* The seed of the data of a case's repetition. */
uint64_t run_seed(const run *r, const run_case *c);

/* The first known issue that fits the device, how kernels are built, and the case; NULL: there is none. */
const ts_known_issue *run_find_issue(const run *r, const run_case *c);

/* Take the result of a case's repetition. A case that failed or is an error is `known` if it has an issue.
 *
 * Law: a case is done after its last repetition, or after the first that did not pass; that one's result is the case's.
 * Returns whether it is done. If it is not, c->repetition is the next one. */
bool run_take_result(run *r, run_case *c, const ts_case_result *result);

/* "passed", "failed", "skipped", "error", "known". */
const char *run_verdict_name(ts_verdict verdict);

/* How many cases are done. */
size_t run_done_count(const run *r);

/* Whether a case is done and failed or is an error, for no known reason. */
bool run_is_wrong(const run_case *c);

/* How many cases that follow a wrong one are errors for the same reason, as those of a program that does not build are: they
 * need not be told one by one. */
size_t run_repeats(const run *r, size_t wrong);

/* The exit code. What outranks what: a run that was interrupted says little; an error may hide failures. */
int run_exit_code(const run *r);

/* Append the options that kernels were built with, as a shell reads them, a blank before each; nothing if there are none. */
void run_print_building(ts_text *text, const run *r);

/* Append the command that runs a case alone, with the options and the seed that matter. */
void run_print_replay(ts_text *text, const run *r, const run_case *c);

/* Where the last lines of a text begin: as many as are told of what a dead worker printed. */
const char *run_last_lines(const char *text);

/* How many cases with this issue have this verdict, TS_CASE_KNOWN or TS_CASE_PASSED, and the first of them. */
size_t run_count_issue(const run *r, const ts_known_issue *issue, ts_verdict verdict, const run_case **first);

/* Append that cases pass although they have this issue; nothing if none does. */
void run_print_fixed(ts_text *text, const run *r, const ts_known_issue *issue);

/* Cases that have a name in common, counted. */
typedef struct run_tally {
  const char *name; /* [name_length] */
  int name_length;
  size_t counts[RUN_VERDICT_COUNT], not_run;
  double seconds;
} run_tally;

/* Count the cases by family, what an id begins with up to the first dot; or the skipped ones by reason. In the order in which
 * the names first appear. Returns an array to be freed; NULL: memory ran out. */
run_tally *run_tally_families(const run *r, size_t *count);
run_tally *run_tally_skipped(const run *r, size_t *count);

#endif
