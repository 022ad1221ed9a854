/* SPDX-License-Identifier: Apache-2.0
 *
 * cache.h: built programs, kept in files, so that the next process need not build them again.
 *
 * It knows no compiler and no driver: who builds says what the result hangs on, the key, and gives and takes bytes. A file
 * holds the whole key, and its bytes are compared: two programs whose keys differ are never taken for each other, whatever the
 * file is called. No failure here is one of a build: what can't be read is a miss, what can't be written is not kept.
 *
 * The environment is read at each build:
 *   TENSORSTORAGE_CACHE      off: no cache. on: also where the driver has a cache of its own. auto, or not set: elsewhere
 *   TENSORSTORAGE_CACHE_DIR  the folder; else tensorstorage in XDG_CACHE_HOME, else in .cache of HOME
 *   TENSORSTORAGE_TRACE      if not empty, a line on stderr says what was done with each build
 */
#ifndef TS_HOST_CACHE_H
#define TS_HOST_CACHE_H

#include "process.h"
#include "tensorstorage_host.h"
#include "text.h"

enum { TS_CACHE_PARTS = 3 }; /* at most, that one result is made of */

/* The files of the folder take about as many bytes; past it, those that were not used for longest are removed. */
#define TS_CACHE_LIMIT_BYTES ((uint64_t)256 << 20)

/* Bytes of a result. Those that ts_cache_find gives are the caller's to free, and have a 0 behind them. */
typedef struct ts_cache_part {
  char *bytes;
  size_t count;
} ts_cache_part;

/* One build, as the cache sees it. */
typedef struct ts_cached {
  ts_text key;
  char refusal[256]; /* why no cache takes part; empty: it does */
  char name[256];    /* of the source and the device, for the trace */
  double start;      /* seconds of a clock */
} ts_cached;

/* Begin, with the source's text as the first part of the key, and the extra options as the second.
 *
 * maker    who builds, for the key: "OpenCL"
 * target   what for, for the trace: "cl:0:0"
 * text     all that is compiled. If it reaches out for more (ts_source_reaches_out), or the options seem to name files, no
 * cache takes part own      why the maker is better left to its own cache, as a clause; NULL: it has none Errors
 * TS_ERROR_USAGE: TENSORSTORAGE_CACHE is none of its words. */
ts_status ts_cached_begin(ts_cached *cached, const char *maker, const char *target, const char *text,
                          const ts_build_options *options, const char *own, ts_error *error);

/* Add to the key: a text; each word of a list that NULL ends; which file it is, by its path, size and time of change. */
void ts_cached_add(ts_cached *cached, const char *name, const char *value);
void ts_cached_add_list(ts_cached *cached, const char *name, const char *const *list);
void ts_cached_add_file(ts_cached *cached, const char *name, const char *path);

/* Let no cache take part if options, in one text, seem to name files: what is in these is not in the key. begin does so for the
 * extra options. */
void ts_cached_check_options(ts_cached *cached, const char *options);

/* Let no cache take part, for a reason that is a clause, unless there is one already. */
void ts_cached_refuse(ts_cached *cached, const char *reason);

/* Find what was stored under the key. Returns false, and no part, if there is nothing that is whole. */
bool ts_cached_find(ts_cached *cached, ts_cache_part parts[TS_CACHE_PARTS]);

/* Say that what was found is of no use: for the trace. The build that follows stores in its place. */
void ts_cached_reject(const ts_cached *cached, const char *why);

/* Store a result, all of it or nothing; parts that are missing are empty. */
void ts_cached_store(const ts_cached *cached, const ts_cache_part parts[TS_CACHE_PARTS]);

/* Say that what was built can't be stored: for the trace. */
void ts_cached_fail(const ts_cached *cached, const char *why);

void ts_cached_end(ts_cached *cached);

typedef enum ts_cache_state { TS_CACHE_ON, TS_CACHE_OFF, TS_CACHE_UNUSABLE } ts_cache_state;

/* Say in a line for people whether programs are kept and why, where, and how many there are. Leaves all as it is. */
ts_cache_state ts_cache_describe(char *text, size_t bytes);

/* Remove files until those of the folder take `limit` bytes or fewer, the one that was used longest ago first; and what a
 * process that was killed left behind. Other files than the cache's are left alone.
 *
 * folder   a descriptor of it */
void ts_cache_trim(int folder, uint64_t limit);

#endif
