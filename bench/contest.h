/* SPDX-License-Identifier: Apache-2.0
 *
 * contest.h: the same work by kernels on handles and by hand, on PoCL: the best of the one side against the best of the other.
 *
 * Both sides enter with several kernels, built with the same options, in work-groups of several sizes. In each process the
 * result of every kernel is looked at, all of them run a few rounds, and the fastest of each side then run against each other:
 * the ratio is the time of the best by hand over that of the best on handles.
 */
#ifndef TS_BENCH_CONTEST_H
#define TS_BENCH_CONTEST_H

#include "opencl.h"
#include "report.h"

enum { BENCH_BY_HAND, BENCH_HANDLES, BENCH_SIDES };
enum { BENCH_MAX_ENTRANTS = 400, BENCH_MAX_ARGUMENTS = 6, BENCH_MAX_BUFFERS = 3 };

/* A kernel in one way of running it. Plain data, but for the kernel, which only its own process uses. */
typedef struct bench_entrant {
  int side;
  char name[40], how[24];
  size_t items[3], group[3];
  cl_kernel kernel;
  bool is_looked_at; /* its result: once for each kernel is enough */
  double seconds;
} bench_entrant;

typedef struct bench_contest bench_contest;

/* A row of a report. */
typedef struct bench_subject {
  const char *name;
  double bar;
  const void *context;
  /* Make the buffers, fill them, enter the kernels. */
  void (*prepare)(bench_contest *contest, const void *context);
  /* Whether a kernel's results are right: cells are those of the last buffer. */
  bool (*is_right)(const bench_contest *contest, const void *cells);
} bench_subject;

/* What `prepare` fills in, and what runs in one process. */
struct bench_contest {
  bench_device device;
  bool is_quick; /* of few elements */
  size_t bytes;  /* read and written by a launch */
  size_t elements;
  void *expected; /* freed at the end */
  struct {
    size_t bytes;
    const void *value;
  } arguments[BENCH_MAX_ARGUMENTS]; /* of every kernel, in this order; one of no bytes ends them */
  cl_mem buffers[BENCH_MAX_BUFFERS];
  size_t buffer_bytes[BENCH_MAX_BUFFERS];
  int buffer_count;
  void *at_first; /* what the last buffer holds when results are looked at; NULL: zeros. Freed at the end */
  int entrant_count;
  bench_entrant entrants[BENCH_MAX_ENTRANTS];
};

/* Memory of `bytes`. */
void *bench_memory(size_t bytes);

/* Make the next buffer. It becomes the next argument too. */
void bench_add_buffer(bench_contest *contest, size_t bytes);
void bench_add_argument(bench_contest *contest, size_t bytes, const void *value);

/* Enter the kernel `name` of a source, built with `defines` (ended by NULL), in one way to run it. */
void bench_enter(bench_contest *contest, int side, const char *source, const char *const *defines, const char *name,
                 const size_t items[3], const size_t group[3]);

/* Enter all kernels of a source, built alike, in groups of each size, ended by 0. A kernel's name ends with
 * _x and the number of elements that are one work-item's; groups that the items do not fill are left out, and if it
 * is to be quick all but one. */
void bench_enter_source(bench_contest *contest, int side, const char *source, const char *const *defines, const char *how,
                        const size_t *groups);

/* The whole bench `name`, but for its command line. Returns its exit code. */
int bench_contests(const char *name, const bench_subject *subjects, int count, const bench_options *options);

#endif
