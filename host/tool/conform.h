/* SPDX-License-Identifier: Apache-2.0
 *
 * conform.h: one run of the conformance suite: what was asked for, and what came out.
 *
 * Data only. conform.c reads the options and chooses the cases, pool.c and worker.c run them, report.c tells.
 */
#ifndef TS_TOOL_CONFORM_H
#define TS_TOOL_CONFORM_H

#include "host/tool/options.h"
#include "tests/conformance/suite.h"

typedef struct run_options {
  const char *device;   /* NULL: the default device */
  const char **filters; /* globs; a case is chosen if any matches, or if there are none */
  size_t filter_count;
  const char **excludes; /* globs; a case is not chosen if any matches */
  size_t exclude_count;
  building building;
  const char *json; /* NULL: no file */
  double timeout;   /* seconds, for one case, and for opening and closing the device */
  bool list, verbose;
} run_options;

/* A case that was chosen. */
typedef struct run_case {
  const ts_case *suite_case;
  bool is_done; /* result is known */
  ts_case_result result;
  char *output; /* what its process printed last, if that process ended badly; else NULL */
} run_case;

enum { RUN_VERDICT_COUNT = TS_CASE_ERROR + 1 };

typedef struct run {
  const run_options *options;
  run_case *cases; /* in the order of the suite */
  size_t count;
  size_t counts[RUN_VERDICT_COUNT]; /* of the cases that are done */
  double seconds;
  bool has_device; /* device is known: a worker has opened it */
  ts_device_info device;
  int signal;          /* what interrupted the run; 0: nothing */
  size_t unclean_ends; /* workers that crashed or hung after their last case */
} run;

/* Record the result of a case. */
static inline void run_finish_case(run *r, run_case *c, const ts_case_result *result) {
  c->result = *result;
  c->is_done = true;
  r->counts[result->verdict]++;
}

#endif
