/* SPDX-License-Identifier: Apache-2.0
 *
 * suite.h: the conformance suite as the tool sees it: a list of cases, and a way to run one.
 *
 * No process, no output and no file here: the tool decides which cases run, in which process, and reports.
 */
#ifndef TS_CONFORMANCE_SUITE_H
#define TS_CONFORMANCE_SUITE_H

#include "tensorstorage_host.h"

enum { TS_CASE_ID_BYTES = 80, TS_CASE_REASON_BYTES = 512 };

/* One case. `id` is (operation, dtype and width, policy, flags), e.g. "load.f16x4.global.align2.invariant". */
typedef struct ts_case {
  char id[TS_CASE_ID_BYTES];
  unsigned group; /* cases of one group share programs: run them in one process, in the order of the list */
  size_t number;  /* of the case in the list */
} ts_case;

/* All cases, the same list in the same order in every process; groups are contiguous. Freed by ts_cases_free.
 * Errors: TS_ERROR_MEMORY. */
ts_status ts_cases_create(ts_case **cases, size_t *count, ts_error *error);
void ts_cases_free(ts_case *cases);

/* The text of the program behind a group of cases, as a kernel file on its own, and a name for it such as "dtype.f16". The text
 * is freed by free(). NULL: memory ran out. */
char *ts_case_group_source(unsigned group, char name[TS_CASE_ID_BYTES]);

/* KNOWN is never a case's own result: the tool makes it of FAILED and ERROR where a known issue says so. */
typedef enum ts_verdict { TS_CASE_PASSED, TS_CASE_FAILED, TS_CASE_SKIPPED, TS_CASE_ERROR, TS_CASE_KNOWN } ts_verdict;

typedef struct ts_case_result {
  ts_verdict verdict;
  double seconds;                    /* wall clock, with a build that the case was the first to need */
  char reason[TS_CASE_REASON_BYTES]; /* one line; empty if passed. FAILED: where the first wrong byte is, and both values */
} ts_case_result;

/* What cases of one process share: a device, its queue, programs built so far. */
typedef struct ts_suite ts_suite;
ts_status ts_suite_open(ts_suite **suite, const char *device, const ts_build_options *options, ts_error *error);
void ts_suite_close(ts_suite *suite);

/* The device that the suite runs on. */
const ts_device_info *ts_suite_device(const ts_suite *suite);

/* Run one case. A program that does not build, or a driver's error, is TS_CASE_ERROR with the sentence as its reason.
 *
 * seed     of what is random in the case's data: the same seed gives the same data, whatever ran before */
void ts_case_run(ts_suite *suite, const ts_case *c, uint64_t seed, ts_case_result *result);

/* A fault of a driver that cases meet. */
typedef struct ts_known_issue {
  const char *vendor, *driver; /* globs of a device's, as ts_device_info has them */
  const char *define;          /* NAME=VALUE: it is met only where kernels are built with this; NULL: always */
  const char *cases;           /* a glob of those that fail, and of no others: one that passes is told as fixed */
  const char *file;            /* of docs/driver-issues: the smallest kernel that shows it */
  const char *what;            /* happens, in one line */
} ts_known_issue;

/* The list, ended by a row whose `cases` is NULL. A case is of the first row that fits. */
extern const ts_known_issue ts_known_issues[];

#endif
