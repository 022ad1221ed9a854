/* SPDX-License-Identifier: Apache-2.0
 *
 * options.h: the options that several subcommands have, read in one way: how kernels are built, and what is compiled for what.
 */
#ifndef TS_TOOL_OPTIONS_H
#define TS_TOOL_OPTIONS_H

#include "host/tool/tool.h"

/* What the readers of options return when they are no exit codes. */
enum { OPTION_TAKEN = -1, OPTION_UNKNOWN = -2 };

/* The value of --timeout. Returns OPTION_TAKEN, or an exit code. */
int take_timeout(double *seconds, const char *command, const char *value);

enum { TIMEOUT_SECONDS = 300 }; /* where --timeout does not say */

/* ---- how kernels are built: conform, build, run, show ------------------------------------------------------------------- */

typedef struct building {
  ts_build_options options; /* what the library is given */
  const char **defines;     /* options.defines, ended by NULL */
  size_t define_count;
  const char **include_dirs; /* options.include_dirs, ended by NULL */
  size_t include_count;
  char *source; /* the text of the file with kernels; owned */
  char *folder; /* that the file is in; owned, and the first of the include folders */
} building;

/* Rows for getopt_long, and for its short options. */
#define BUILDING_OPTIONS                                                                                                       \
  {"define", required_argument, NULL, 'D'}, {"fast-math", no_argument, NULL, 'm'}, {"option", required_argument, NULL, 'O'}, { \
    "standard", required_argument, NULL, 's'                                                                                   \
  }
#define BUILDING_LETTERS "D:"
#define BUILDING_HELP                                                                                                          \
  "  -D, --define NAME=V  define a macro for all kernels, e.g. TS_HAVE_F64=0; may be repeated\n"                               \
  "  --standard NAME      build OpenCL kernels as CL1.2 or CL3.0\n"                                                            \
  "  --fast-math          build kernels with fast and inexact arithmetic: a conversion is the same then, a sum may not be\n"   \
  "  --option TEXT        more options for the compiler, as a shell would split them\n"

/* Make room for as many defines and folders as a command line has words. Returns false, having said so, if memory ran out. */
bool building_make(building *b, int argc);
void building_free(building *b);

/* Take one of BUILDING_OPTIONS, or 'I': a folder. Returns OPTION_TAKEN; OPTION_UNKNOWN: it is another; or an exit code. */
int building_take(building *b, const char *command, int option, const char *value);

/* Read the file with kernels, once all options are taken. Returns false, having said why, if it can't be. */
bool building_read(building *b, const char *file);

/* ---- what is compiled for what: build, show ------------------------------------------------------------------------ */

typedef struct compiling {
  const char *command;
  const char *file; /* its name, as it was given */
  const char **targets;
  size_t target_count;
  building building;
  bool as_json;
} compiling;

#define COMPILING_OPTIONS                                                                                                      \
  BUILDING_OPTIONS, {"help", no_argument, NULL, 'h'}, {"include", required_argument, NULL, 'I'},                               \
      {"json", no_argument, NULL, 'j'}, {                                                                                      \
    "target", required_argument, NULL, 't'                                                                                     \
  }
#define COMPILING_LETTERS BUILDING_LETTERS "hI:"
#define COMPILING_HELP                                                                                                         \
  BUILDING_HELP                                                                                                                \
  "  -I, --include DIR    look for the file's own includes in DIR too; may be repeated\n"                                      \
  "  --json               print the report, or what went wrong, as JSON (schema 1)\n"                                          \
  "  --help               show this help\n"

/* Read a whole command line, and the file that it names. `take` is given the options that are the subcommand's own.
 *
 * is_target  which names of ts_target_at the help lists; NULL: all
 * Returns OPTION_TAKEN, or an exit code; `c` is to be freed in any case. */
int compiling_read(compiling *c, int argc, char **argv, const struct option *options, const char *letters, const char *usage,
                   bool (*is_target)(const char *name), int (*take)(void *own, int option, const char *value), void *own);
void compiling_free(compiling *c);

/* Compile for one target. Returns the binary; NULL, having said why on stderr, with the exit code in *code. From now on SIGINT
 * and its like end the call, when the compiler has ended: *code is then more than TOOL_SIGNAL, and the caller is to end, too.
 */
ts_binary *compiling_compile(const compiling *c, const char *target, ts_error *error, int *code);

#endif
