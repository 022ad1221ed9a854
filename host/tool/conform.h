/* SPDX-License-Identifier: Apache-2.0
 *
 * conform.h: one run of the conformance suite: what was asked for, and what came out.
 *
 * Data only. conform.c reads the options and chooses the cases, pool.c and worker.c run them, results.c sums up, report*.c
 * tell.
 */
#ifndef TS_TOOL_CONFORM_H
#define TS_TOOL_CONFORM_H

#include <time.h>

#include "host/tool/options.h"
#include "tests/conformance/suite.h"

/* The files that a run can be reported in. */
enum { REPORT_JSON, REPORT_JUNIT, REPORT_HTML, REPORT_COUNT };

typedef struct run_options {
  const char *device;   /* NULL: the default device */
  const char **filters; /* globs; a case is chosen if any matches, or if there are none */
  size_t filter_count;
  const char **excludes; /* globs; a case is not chosen if any matches */
  size_t exclude_count;
  building building;
  const char *files[REPORT_COUNT]; /* NULL: no such file */
  double timeout;                  /* seconds, for one case, and for opening and closing the device */
  uint64_t seed;                   /* of the data, and of the order of the cases; 0: the order of the suite */
  size_t repeat;                   /* so often runs each case: repetition k, from 0, with the data of seed + k */
  size_t shard, shard_count;       /* the shard-th part, from 1, of so many */
  bool list, verbose, fail_fast;
} run_options;

/* A case that was chosen. */
typedef struct run_case {
  const ts_case *suite_case;
  uint64_t order[2];           /* where it stands: of its group, of the case */
  size_t repetition;           /* that runs, or is the last that ran */
  bool is_done;                /* result is known */
  ts_case_result result;       /* of that repetition; its seconds are those of all repetitions */
  char *output;                /* what its process printed last, if that process ended badly; else NULL */
  const ts_known_issue *issue; /* of this driver, that the case must meet; NULL: none, or the case was not begun */
} run_case;

enum { RUN_VERDICT_COUNT = TS_CASE_KNOWN + 1 };

typedef struct run {
  const run_options *options;
  run_case *cases;                  /* in the order in which they are handed out; groups are contiguous */
  size_t count, chosen_count;       /* of this shard, and of all */
  size_t counts[RUN_VERDICT_COUNT]; /* of the cases that are done */
  time_t started;                   /* calendar time */
  double seconds;
  bool has_device; /* device is known: a worker has opened it */
  ts_device_info device;
  int signal;          /* what interrupted the run; 0: nothing */
  bool is_stopped;     /* a case is wrong, and --fail-fast says that no other begins */
  size_t unclean_ends; /* workers that crashed or hung after their last case */
} run;

#endif
