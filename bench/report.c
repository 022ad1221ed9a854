/* SPDX-License-Identifier: Apache-2.0
 *
 * report.c: rows as JSON, and what is made of them.
 */
#include "report.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SCHEMA = 1 };

struct bench_report {
  bench_options options;
  cJSON *now, *base; /* base: NULL without --compare */
};

/* ---- making the document -------------------------------------------------------------------------------------------- */

static void must(const void *made) {
  if (!made) bench_die(BENCH_FAILED, "memory ran out");
}

/* Six digits are more than any measurement has. */
static double rounded(double number) {
  char digits[32];
  snprintf(digits, sizeof digits, "%.6g", number);
  return strtod(digits, NULL);
}

static void add_text(cJSON *object, const char *name, const char *text) { must(cJSON_AddStringToObject(object, name, text)); }
static void add_number(cJSON *object, const char *name, double number) {
  must(cJSON_AddNumberToObject(object, name, rounded(number)));
}
static void add_spread(cJSON *object, const char *name, bench_spread spread) {
  cJSON *added = cJSON_AddObjectToObject(object, name);
  must(added);
  add_number(added, "median", spread.median);
  add_number(added, "least", spread.least);
  add_number(added, "most", spread.most);
}

/* The rest of the first line of a file that starts with `start`, without what separates them; "unknown" if there is none. */
static void read_line(char *line, int bytes, const char *path, const char *start) {
  FILE *file = fopen(path, "r");
  int found = 0;
  while (file && !found && fgets(line, bytes, file)) found = !strncmp(line, start, strlen(start));
  if (file) fclose(file);
  if (!found) {
    snprintf(line, (size_t)bytes, "unknown");
    return;
  }
  const char *rest = line + strlen(start);
  rest += strspn(rest, "\t :");
  memmove(line, rest, strlen(rest) + 1);
  line[strcspn(line, "\n")] = 0;
}

static void add_machine(cJSON *document, const bench_machine *described) {
  cJSON *machine = cJSON_AddObjectToObject(document, "machine");
  must(machine);
  char line[256];
  read_line(line, sizeof line, "/proc/cpuinfo", "model name");
  add_text(machine, "processor", line);
  add_number(machine, "cores", (double)sysconf(_SC_NPROCESSORS_ONLN));
  read_line(line, sizeof line, "/proc/loadavg", "");
  add_text(machine, "load", line);
  add_text(machine, "driver", described->driver);
  add_text(machine, "compiler", described->compiler);
}

/* ---- reading a document ------------------------------------------------------------------------------------------- */

static const cJSON *member(const cJSON *object, const char *name) { return cJSON_GetObjectItemCaseSensitive(object, name); }
static const char *text_of(const cJSON *object, const char *name) { return member(object, name)->valuestring; }

static bench_spread spread_of(const cJSON *row, const char *name) {
  const cJSON *spread = member(row, name);
  return (bench_spread){member(spread, "median")->valuedouble, member(spread, "least")->valuedouble,
                        member(spread, "most")->valuedouble};
}
static double bar_of(const cJSON *row) { return cJSON_IsNumber(member(row, "bar")) ? member(row, "bar")->valuedouble : 0; }
static bool is_less_better(const cJSON *row) { return !strcmp(text_of(row, "better"), "less"); }

static bool is_spread(const cJSON *spread) {
  static const char *const names[] = {"median", "least", "most"};
  for (int i = 0; i < 3; i++)
    if (!cJSON_IsNumber(member(spread, names[i])) || !(member(spread, names[i])->valuedouble > 0)) return false;
  return true;
}

/* What a document lacks, or NULL: what is used of it later on is there then. */
static const char *lack_of(const cJSON *document) {
  static const char *const texts[] = {"processor", "load", "driver", "compiler"};
  const cJSON *machine = member(document, "machine"), *rows = member(document, "rows"), *row;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (!cJSON_IsString(member(machine, texts[i]))) return "the machine";
  if (!cJSON_IsNumber(member(machine, "cores"))) return "the machine";
  if (!cJSON_IsArray(rows)) return "rows";
  cJSON_ArrayForEach(row, rows) {
    if (!cJSON_IsString(member(row, "name")) || !cJSON_IsString(member(row, "better"))) return "the name of a row";
    if (!is_spread(member(row, "ratio")) || !is_spread(member(row, "null"))) return "the ratio of a row";
    if (!cJSON_IsNumber(member(row, "seconds")) || !cJSON_IsNumber(member(row, "rival_seconds"))) return "the times of a row";
    if (!cJSON_IsNumber(member(row, "processes")) || !cJSON_IsNumber(member(row, "rounds"))) return "the rounds of a row";
  }
  return NULL;
}

static void read_document(cJSON **into, const char *path, const char *option, const char *bench) {
  FILE *file = fopen(path, "rb");
  if (!file) bench_die(BENCH_USAGE, "%s: '%s' can't be read: %s", option, path, strerror(errno));
  size_t count = 0, room = 1 << 16;
  char *text = malloc(room);
  for (size_t got; text && (got = fread(text + count, 1, room - count, file)) > 0;)
    if ((count += got) == room) text = realloc(text, room *= 2);
  must(text);
  fclose(file);
  cJSON *document = *into = cJSON_ParseWithLength(text, count);
  free(text);
  if (!document) bench_die(BENCH_USAGE, "%s: '%s' is no JSON", option, path);
  const cJSON *schema = member(document, "schema"), *name = member(document, "bench");
  if (!cJSON_IsNumber(schema) || !cJSON_IsString(name))
    bench_die(BENCH_USAGE, "%s: '%s' is no report of a bench; --json writes one", option, path);
  if (schema->valuedouble != SCHEMA)
    bench_die(BENCH_USAGE, "%s: '%s' is of schema %g, and this bench reads schema %d: measure again", option, path,
              schema->valuedouble, SCHEMA);
  if (strcmp(name->valuestring, bench) != 0)
    bench_die(BENCH_USAGE, "%s: '%s' is of the bench %s, and this one is %s", option, path, name->valuestring, bench);
  const char *lack = lack_of(document);
  if (lack) bench_die(BENCH_USAGE, "%s: '%s' lacks %s: it is no whole report of a bench", option, path, lack);
}

/* ---- printing ------------------------------------------------------------------------------------------------------- */

static bool is_reached(const cJSON *row) {
  double median = spread_of(row, "ratio").median, bar = bar_of(row);
  return bar == 0 || (is_less_better(row) ? median <= bar : median >= bar);
}
static bool is_null(bench_spread null) { return null.median >= 0.99 && null.median <= 1.01; }

static void print_machine(const cJSON *document) {
  const cJSON *machine = member(document, "machine");
  printf("processor  %s, %g online\n", text_of(machine, "processor"), member(machine, "cores")->valuedouble);
  printf("load       %s\n", text_of(machine, "load"));
  printf("driver     %s\n", text_of(machine, "driver"));
  printf("compiler   %s\n", text_of(machine, "compiler"));
  fflush(stdout);
}

static double ms_of(const cJSON *row, const char *name) { return 1e3 * member(row, name)->valuedouble; }

static void print_columns(void) {
  printf("%-42s %9s %9s   %-20s   %-20s   %s\n", "", "rival ms", "own ms", "ratio [least, most]", "null [least, most]", "bar");
}

static void print_row(const cJSON *row) {
  bench_spread ratio = spread_of(row, "ratio"), null = spread_of(row, "null");
  printf("%-42s %9.2f %9.2f   %.3f [%.3f, %.3f]   %.3f [%.3f, %.3f]", text_of(row, "name"), ms_of(row, "rival_seconds"),
         ms_of(row, "seconds"), ratio.median, ratio.least, ratio.most, null.median, null.least, null.most);
  if (bar_of(row) > 0) printf("   %.2f %s", bar_of(row), is_reached(row) ? "reached" : "MISSED");
  printf("\n");
  fflush(stdout);
}

/* For docs/performance.md: on what, and the rows. */
static void print_markdown(const cJSON *document) {
  const cJSON *machine = member(document, "machine"), *rows = member(document, "rows"), *row = cJSON_GetArrayItem(rows, 0);
  printf("\nOn %s, %g online, load %.*s; %s; %s; ", text_of(machine, "processor"), member(machine, "cores")->valuedouble,
         (int)strcspn(text_of(machine, "load"), " "), text_of(machine, "load"), text_of(machine, "driver"),
         text_of(machine, "compiler"));
  if (row) printf("processes: %g, rounds: %g\n", member(row, "processes")->valuedouble, member(row, "rounds")->valuedouble);
  printf("\n| row | rival, ms | own, ms | ratio [least, most] | null row | bar |\n|---|---|---|---|---|---|\n");
  cJSON_ArrayForEach(row, rows) {
    bench_spread ratio = spread_of(row, "ratio"), null = spread_of(row, "null");
    printf("| %s | %.2f | %.2f | %.3f [%.3f, %.3f] | %.3f [%.3f, %.3f] |", text_of(row, "name"), ms_of(row, "rival_seconds"),
           ms_of(row, "seconds"), ratio.median, ratio.least, ratio.most, null.median, null.least, null.most);
    if (bar_of(row) > 0) printf(" %.2f %s", bar_of(row), is_reached(row) ? "reached" : "**missed**");
    printf(" |\n");
  }
}

/* The verdict on the bars, which is printed. */
static int judge(const cJSON *document) {
  const cJSON *rows = member(document, "rows"), *row;
  int verdict = BENCH_REACHED;
  cJSON_ArrayForEach(row, rows) if (!is_reached(row)) verdict = BENCH_MISSED;
  cJSON_ArrayForEach(row, rows) if (bar_of(row) > 0 && !is_null(spread_of(row, "null"))) verdict = BENCH_NO_VERDICT;
  printf("\n%s\n", verdict == BENCH_REACHED  ? "every bar is reached"
                   : verdict == BENCH_MISSED ? "a bar is MISSED"
                                             : "no verdict: a null row is not within 1 % of 1; measure on an idle machine");
  return verdict;
}

/* ---- comparing ------------------------------------------------------------------------------------------------------ */

static const cJSON *row_named(const cJSON *document, const char *name) {
  const cJSON *rows = member(document, "rows"), *row;
  cJSON_ArrayForEach(row, rows) if (!strcmp(text_of(row, "name"), name)) return row;
  return NULL;
}

/* How far a row's null column lies from 1. */
static double noise_of(const cJSON *row) {
  bench_spread null = spread_of(row, "null");
  return fmax(fabs(null.least - 1), fabs(null.most - 1));
}

static void print_other_machine(const cJSON *now, const cJSON *base) {
  static const char *const names[] = {"processor", "driver", "compiler"};
  const cJSON *here = member(now, "machine"), *there = member(base, "machine");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(text_of(here, names[i]), text_of(there, names[i])) != 0)
      printf("The base is from another machine: its %s is \"%s\", and here it is \"%s\". Ratios are compared all the same.\n",
             names[i], text_of(there, names[i]), text_of(here, names[i]));
  double cores = member(here, "cores")->valuedouble, base_cores = member(there, "cores")->valuedouble;
  if (cores != base_cores)
    printf(
        "The base is from another machine: it has %g processors online, and here are %g. Ratios are compared all the same.\n",
        base_cores, cores);
}

static void print_missing(const cJSON *from, const cJSON *in, const char *where) {
  const cJSON *rows = member(from, "rows"), *row;
  cJSON_ArrayForEach(row, rows) if (!row_named(in, text_of(row, "name"))) printf("%-42s is %s\n", text_of(row, "name"), where);
}

/* Compare by the rule of help.txt. Returns the exit code. */
static int compare(const cJSON *now, const cJSON *base, const bench_options *options) {
  printf("\nCompared with %s; worse by more than %g %% and the noise is WORSE\n", options->compare, 100 * options->threshold);
  print_other_machine(now, base);
  printf("%-42s %7s %7s %9s %8s\n", "", "base", "now", "change", "noise");
  const cJSON *rows = member(now, "rows"), *row;
  int compared = 0, worse = 0;
  cJSON_ArrayForEach(row, rows) {
    const cJSON *old = row_named(base, text_of(row, "name"));
    if (!old) continue;
    double from = spread_of(old, "ratio").median, to = spread_of(row, "ratio").median, change = to / from - 1;
    double loss = is_less_better(row) ? change : -change, noise = fmax(noise_of(row), noise_of(old));
    bool is_worse = loss > options->threshold + noise;
    printf("%-42s %7.3f %7.3f %+7.1f %% %6.1f %%%s\n", text_of(row, "name"), from, to, 100 * change, 100 * noise,
           is_worse ? "  WORSE" : "");
    compared++;
    worse += is_worse;
  }
  print_missing(base, now, "in the base alone");
  print_missing(now, base, "not in the base");
  printf("\n%d of %d rows worse\n", worse, compared);
  return !compared ? BENCH_NO_VERDICT : worse ? BENCH_MISSED : BENCH_REACHED;
}

/* ---- a report --------------------------------------------------------------------------------------------------------- */

bench_report *bench_report_begin(const char *bench, const bench_options *options, void (*describe)(bench_machine *machine)) {
  static bench_report the_report; /* there is one in a program */
  bench_report *report = &the_report;
  report->options = *options;
  if (options->compare) read_document(&report->base, options->compare, "--compare", bench);
  if (options->from) {
    read_document(&report->now, options->from, "--from", bench);
    print_machine(report->now);
    printf("\n");
    print_columns();
    const cJSON *rows = member(report->now, "rows"), *row;
    cJSON_ArrayForEach(row, rows) print_row(row);
    exit(bench_report_end(report));
  }
  FILE *file = options->json ? fopen(options->json, "ab") : NULL;
  if (options->json && !file) bench_die(BENCH_FILE, "--json: '%s' can't be written: %s", options->json, strerror(errno));
  if (file) fclose(file);

  bench_machine described = {0};
  describe(&described);
  report->now = cJSON_CreateObject();
  must(report->now);
  add_number(report->now, "schema", SCHEMA);
  add_text(report->now, "bench", bench);
  add_machine(report->now, &described);
  must(cJSON_AddArrayToObject(report->now, "rows"));
  print_machine(report->now);
  printf("measured   processes: %d, rounds: %d; the median of the medians [least, most]%s\n\n", options->processes,
         options->rounds, options->is_quick ? "; quick: no figures worth keeping" : "");
  print_columns();
  return report;
}

void bench_report_add(bench_report *report, const bench_figure *figure) {
  cJSON *row = cJSON_CreateObject();
  must(row);
  add_text(row, "name", figure->name);
  add_text(row, "of", figure->of);
  add_text(row, "better", figure->less_is_better ? "less" : "more");
  add_spread(row, "ratio", figure->ratio);
  add_spread(row, "null", figure->null);
  must(figure->bar > 0 ? cJSON_AddNumberToObject(row, "bar", figure->bar) : cJSON_AddNullToObject(row, "bar"));
  add_number(row, "rival_seconds", figure->rival_seconds);
  add_number(row, "seconds", figure->seconds);
  add_number(row, "processes", figure->processes);
  add_number(row, "rounds", figure->rounds);
  must(cJSON_AddArrayToObject(row, "rivals"));
  cJSON_AddItemToArray(cJSON_GetObjectItemCaseSensitive(report->now, "rows"), row);
  print_row(row);
}

void bench_report_rival(bench_report *report, const char *name, double seconds) {
  const cJSON *rows = member(report->now, "rows");
  cJSON *rival = cJSON_CreateObject();
  must(rival);
  add_text(rival, "name", name);
  add_number(rival, "seconds", seconds);
  cJSON_AddItemToArray(cJSON_GetObjectItemCaseSensitive(cJSON_GetArrayItem(rows, cJSON_GetArraySize(rows) - 1), "rivals"),
                       rival);
}

static void write_json(const cJSON *document, const char *path) {
  char *text = cJSON_Print(document);
  must(text);
  FILE *file = fopen(path, "wb");
  int failed = !file || fprintf(file, "%s\n", text) < 0;
  if (file) failed |= fclose(file) != 0;
  if (failed) bench_die(BENCH_FILE, "--json: '%s' can't be written: %s", path, strerror(errno));
  cJSON_free(text);
}

int bench_report_end(bench_report *report) {
  int exit_code = judge(report->now);
  if (report->options.json) write_json(report->now, report->options.json);
  if (report->options.is_markdown) print_markdown(report->now);
  if (report->base) exit_code = compare(report->now, report->base, &report->options);
  cJSON_Delete(report->base);
  cJSON_Delete(report->now);
  *report = (bench_report){.now = NULL};
  return exit_code;
}
