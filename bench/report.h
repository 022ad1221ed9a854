/* SPDX-License-Identifier: Apache-2.0
 *
 * report.h: what a bench has found, as lines, as JSON, as a table for docs/, and compared with what it found before.
 *
 * A report is a JSON document from its first row on, so one that is read from a file is used as one that was just measured:
 *
 *   {"schema": 1, "bench": "copy",
 *    "machine": {"processor", "cores", "load", "driver", "compiler"},
 *    "rows": [{"name", "of": "what over what", "better": "more" or "less",
 *              "ratio": {"median", "least", "most"}, "null": the same three, "bar": a number or null, "seconds",
 *              "rival_seconds", "processes", "rounds", "rivals": [{"name", "seconds"}, …]}, …]}
 */
#ifndef TS_BENCH_REPORT_H
#define TS_BENCH_REPORT_H

#include "measure.h"

typedef struct bench_report bench_report;

/* A ratio that was measured. */
typedef struct bench_figure {
  const char *name, *of;
  bool less_is_better;
  bench_spread ratio, null;
  double bar;                    /* 0: there is none */
  double rival_seconds, seconds; /* medians */
  int processes, rounds;
} bench_figure;

/* What runs kernels, and what builds them and how. */
typedef struct bench_machine {
  char driver[512], compiler[512];
} bench_machine;

/* Begin a report, and print the machine.
 *
 * bench     its name on the command line
 * describe  fills in a machine; ends the program if it is not there
 * With --from the program ends here, with the verdict of the file that was read. Files that the command line names are looked
 * at now, so that a wrong one is known before minutes are spent. */
bench_report *bench_report_begin(const char *bench, const bench_options *options, void (*describe)(bench_machine *machine));

/* Add a row, and print it as a line. */
void bench_report_add(bench_report *report, const bench_figure *figure);

/* Add one of those that took part in the last row, and its median time. */
void bench_report_rival(bench_report *report, const char *name, double seconds);

/* Write and print what the command line asks for, free the report. Returns the bench's exit code. */
int bench_report_end(bench_report *report);

#endif
