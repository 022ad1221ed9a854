/* SPDX-License-Identifier: Apache-2.0
 *
 * doctor.c: `tensorstorage doctor`: says what works on this machine, what is missing and what is broken.
 *
 * It reads the options and prints; checks.c looks.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/tool/checks.h"
#include "host/tool/child.h"
#include "host/tool/json.h"
#include "host/tool/options.h"

enum { CHECK_SECONDS = 60 }; /* where --timeout does not say */

static const char usage[] =
    "usage: tensorstorage doctor [OPTION...]\n"
    "\n"
    "Say what works here: compilers, drivers, the cache of built programs, devices (each runs a kernel) and tools, a line for\n"
    "each. Drivers are tried in processes of their own: one that crashes or hangs is told.\n"
    "\n"
    "  --json               print the findings as JSON (schema 1), one a line\n"
    "  --timeout SECONDS    for each check (default: 60)\n"
    "  --help               show this help\n"
    "\n"
    "Exit codes: 0 a device runs kernels and nothing is broken; what is missing is only named. 2 usage, 3 no device runs\n"
    "kernels, 5 something is broken, 6 a file or memory problem, 130 interrupted.";

typedef struct report {
  bool as_json, failed; /* failed: memory ran out */
  size_t counts[FINDING_BROKEN + 1], devices;
} report;

static const char *const states[] = {"works", "missing", "broken"};

static cJSON *json_finding(const finding *f) {
  cJSON *object = cJSON_CreateObject();
  bool added = object;
  added = added && json_add_text(object, "name", f->name);
  added = added && json_add_text(object, "state", states[f->state]);
  added = added && json_add_text(object, "text", f->text);
  if (*f->install) added = added && json_add_text(object, "install", f->install);
  if (added) return object;
  cJSON_Delete(object);
  return NULL;
}

static void tell(const finding *f, void *context) {
  report *r = context;
  bool is_first = !r->counts[FINDING_WORKS] && !r->counts[FINDING_MISSING] && !r->counts[FINDING_BROKEN];
  r->counts[f->state]++;
  r->devices += f->ran_kernel;
  if (r->as_json) {
    fputs(is_first ? "\n" : ",\n", stdout);
    r->failed = !json_write(stdout, json_finding(f)) || r->failed;
  } else {
    printf("%-7s  %-16s  %.*s\n", states[f->state], f->name, (int)strcspn(f->text, "\n"), f->text);
  }
  fflush(stdout);
}

/* What was counted, or that there is more to count. */
static void tell_end(const report *r) {
  if (r->as_json)
    printf("\n]%s}\n", child_caught_signal() ? ",\n\"interrupted\":true" : "");
  else if (child_caught_signal())
    printf("\ninterrupted by signal %d: the rest was not looked at\n", child_caught_signal());
  else
    printf("\n%zu device%s ran a kernel, %zu broken, %zu missing\n", r->devices, r->devices == 1 ? "" : "s",
           r->counts[FINDING_BROKEN], r->counts[FINDING_MISSING]);
}

static int exit_code(const report *r) {
  if (child_caught_signal()) return TOOL_SIGNAL + child_caught_signal();
  if (r->failed) return TOOL_FILE;
  if (r->counts[FINDING_BROKEN]) return TOOL_ERROR;
  return r->devices ? TOOL_PASSED : TOOL_NO_DEVICE;
}

static int examine(report *r, double timeout) {
  child_catch_signals();
  if (r->as_json) json_begin("findings");
  child_make_place();
  r->failed = !checks_run(timeout, tell, r) || r->failed;
  child_remove_place();
  tell_end(r);
  if (r->failed) tool_complain("memory ran out");
  return exit_code(r);
}

int tool_doctor(int argc, char **argv) {
  static const struct option options[] = {
      {"help", no_argument, NULL, 'h'}, {"json", no_argument, NULL, 'j'}, {"timeout", required_argument, NULL, 't'}, {0}};
  report r = {0};
  double timeout = CHECK_SECONDS;
  for (;;) {
    int at = optind;
    int answer = getopt_long(argc, argv, "+:h", options, NULL);
    if (answer == -1) break;
    switch (answer) {
    case 'h': puts(usage); return TOOL_PASSED;
    case 'j': r.as_json = true; break;
    case 't':
      if (take_timeout(&timeout, argv[0], optarg) != OPTION_TAKEN) return TOOL_USAGE;
      break;
    default: return tool_option_error(argv[0], options, answer, argv, at);
    }
  }
  if (optind < argc) return tool_usage_error(argv[0], "doctor takes no argument \"%s\"", argv[optind]);
  return examine(&r, timeout);
}
