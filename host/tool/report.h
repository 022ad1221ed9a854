/* SPDX-License-Identifier: Apache-2.0
 *
 * report.h: tell how a run goes and what came out: to a person, and in files for programs and browsers.
 *
 * The report goes to stdout; progress, a worker's output and sentences about workers go to stderr.
 */
#ifndef TS_TOOL_REPORT_H
#define TS_TOOL_REPORT_H

#include <stdio.h>

#include "host/tool/conform.h"

/* The device and the number of cases: as soon as the device is known. */
void report_start(const run *r);

/* A case is done. Shows the progress on a terminal, or one line for the case if the run is verbose. */
void report_case(const run *r, const run_case *c);

/* What a worker printed, as it is. */
void report_output(const char *bytes, size_t count);

/* A worker crashed or hung after its last case; `tail` [count] is what it printed last. */
void report_unclean_end(const run *r, const char *reason, const char *tail, size_t count);

/* Remove the progress line, if there is one. */
void report_end_progress(const run *r);

/* Each case that failed, with how to run it again; those that were skipped; the counts. */
void report_end(const run *r);

/* The whole run in a file. Return false if memory ran out. Errors of the stream are left for its owner to see. */

/* JSON, one case a line. */
bool report_json(const run *r, FILE *stream);

/* JUnit's XML, as CI systems read it (report_junit.c). */
bool report_junit(const run *r, FILE *stream);

/* A page for a browser that needs no other file (report_html.c). It is well-formed XML, too. */
bool report_html(const run *r, FILE *stream);

#endif
