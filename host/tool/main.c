/* SPDX-License-Identifier: Apache-2.0
 *
 * main.c: the tool `tensorstorage`: finds the subcommand. What a subcommand does is in a file of its own.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "host/tool/json.h"
#include "host/tool/tool.h"
#include "text.h"

#ifndef TS_VERSION
#error "TS_VERSION, the version as a string, comes from the build: see CMakeLists.txt"
#endif

static int help(int argc, char **argv);
static int version(int argc, char **argv);

static const struct command {
  const char *name;
  int (*run)(int argc, char **argv);
  const char *summary; /* NULL: another spelling of a command that the help shows already */
  bool has_json;       /* its --json is a report on stdout */
} commands[] = {
    {"devices", tool_devices, "list the devices that kernels can run on", true},
    {"run", tool_run, "run a kernel of your own on .npy files", true},
    {"conform", tool_conform, "run the conformance cases on a device", false},
    {"doctor", tool_doctor, "say what works on this machine, and what is missing", true},
    {"build", tool_build, "compile kernels without a device, and say what came out", true},
    {"show", tool_show, "print the memory instructions that kernels become", true},
    {"help", help, "show this help, or that of a command", false},
    {"--help", help, NULL, false},
    {"-h", help, NULL, false},
    {"--version", version, "show the version", false},
};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static const struct command *find(const char *name) {
  for (int i = 0; i < COMMAND_COUNT; i++)
    if (!strcmp(name, commands[i].name)) return &commands[i];
  return NULL;
}

static int unknown(const char *name) {
  const char *names[COMMAND_COUNT];
  for (int i = 0; i < COMMAND_COUNT; i++) names[i] = commands[i].name;
  const char *nearest = ts_name_nearest(name, names, COMMAND_COUNT);
  if (!nearest) return tool_usage_error(NULL, "there is no command \"%s\"", name);
  return tool_usage_error(NULL, "there is no command \"%s\"; the nearest is \"%s\"", name, nearest);
}

static int help(int argc, char **argv) {
  if (argc > 2) return tool_usage_error(NULL, "%s takes one command, not also \"%s\"", argv[0], argv[2]);
  const struct command *about = argc == 2 ? find(argv[1]) : NULL;
  if (argc == 2 && !about) return unknown(argv[1]);
  if (about && about->run != help && about->run != version) {
    char option[] = "--help";
    return about->run(2, (char *[]){argv[1], option, NULL});
  }
  puts("usage: tensorstorage COMMAND [OPTION...]\n");
  for (int i = 0; i < COMMAND_COUNT; i++)
    if (commands[i].summary) printf("  %-10s %s\n", commands[i].name, commands[i].summary);
  puts("\ntensorstorage COMMAND --help shows the options of a command.\n"
       "Exit codes: 0 passed, 1 failed, 2 usage, 3 no such device or compiler, 4 nothing ran, 5 build failure or\n"
       "crash, 6 a file or memory problem.");
  return TOOL_PASSED;
}

static int version(int argc, char **argv) {
  if (argc > 1) return tool_usage_error(NULL, "--version stands alone, without \"%s\"", argv[1]);
  puts("tensorstorage " TS_VERSION);
  return TOOL_PASSED;
}

static bool asks_for_json(int argc, char **argv) {
  for (int i = 2; i < argc && strcmp(argv[i], "--") != 0; i++)
    if (!strcmp(argv[i], "--json")) return true;
  return false;
}

int main(int argc, char **argv) {
  if (argc < 2) return tool_usage_error(NULL, "no command is given");
  const struct command *command = find(argv[1]);
  if (!command) return unknown(argv[1]);
  bool as_json = command->has_json && asks_for_json(argc, argv); /* asked for, also if another option is wrong */
  int code = command->run(argc - 1, argv + 1);
  if (code != TOOL_PASSED && as_json && !json_has_begun()) json_print_failure(code);
  if (fflush(stdout) || ferror(stdout)) {
    tool_complain("the output could not be written: %s", strerror(errno));
    return TOOL_FILE;
  }
  return code;
}
