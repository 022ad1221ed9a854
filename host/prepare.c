/* SPDX-License-Identifier: Apache-2.0
 *
 * prepare.c: the text that a compiler is given, and the signatures of its kernels. See prepare.h.
 */
#include "prepare.h"

#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "process.h"
#include "source.h"

static const char call[] = "ts_program_build";

static ts_status check_options(const ts_build_options *options, ts_error *error) {
  if (options->standard && strcmp(options->standard, "CL1.2") != 0 && strcmp(options->standard, "CL3.0") != 0)
    return ts_fail(error, TS_ERROR_USAGE, 0, call,
                   "\"%s\" is no standard; choose \"CL1.2\" or \"CL3.0\", or NULL for the device's own", options->standard);
  ts_words words = {0}; /* a driver would be given them as they are */
  if (options->extra) ts_words_split(&words, options->extra, "the extra options", error);
  ts_words_free(&words);
  return error->status;
}

static void print_language(ts_text *text, const char *language) {
  static const char *const languages[][2] = {{"OPENCL", "opencl"}, {"CUDA", "cuda"}, {"HOST", "host"}};
  for (size_t i = 0; i < sizeof languages / sizeof languages[0]; i++)
    ts_text_print(text, "#define TS_LANGUAGE_%s %d\n", languages[i][0], !strcmp(language, languages[i][1]));
}

void ts_predefine_capabilities(ts_text *lines, bool has_f64, bool has_generic) {
  ts_text_print(lines, "#ifndef TS_HAVE_F64\n#define TS_HAVE_F64 %d\n#endif\n", has_f64);
  ts_text_print(lines, "#ifndef TS_HAVE_GENERIC\n#define TS_HAVE_GENERIC %d\n#endif\n", has_generic);
}

ts_status ts_prepare(ts_prepared *p, const char *language, const char *predefined, const char *source,
                     const ts_build_options *options, ts_error *error) {
  ts_text readable = {0};
  bool has_header;
  const char *header = !strcmp(language, "cuda") ? ts_embedded_header_cuda : ts_embedded_header;
  if (check_options(options, error) != TS_OK) return error->status;
  p->name = strdup(options->name);
  if (!p->name) return ts_fail(error, TS_ERROR_MEMORY, 0, call, "no memory for a program");
  if (!strcmp(language, "opencl") && !options->fast_math) ts_text_print(&p->text, "#pragma OPENCL FP_CONTRACT OFF\n");
  if (ts_source_defines(&readable, options, error) != TS_OK || ts_source_defines(&p->text, options, error) != TS_OK) goto done;
  print_language(&readable, language);
  ts_text_print(&readable, "%s", predefined);
  size_t macros_length = p->text.length;
  if (ts_source_flatten(&p->text, source, header, options, &has_header, error) != TS_OK) goto done;
  if (!has_header) goto done;
  ts_text_append(&readable, p->text.chars + macros_length, p->text.length - macros_length);
  if (readable.failed)
    ts_fail(error, TS_ERROR_MEMORY, 0, call, "no memory for the text of %s", options->name);
  else
    ts_signatures_read(&p->signatures, readable.chars, options->name, options->include_dirs, &p->unread, error);
done:
  free(readable.chars);
  return error->status;
}

void ts_prepared_free(ts_prepared *p) {
  free(p->name);
  free(p->text.chars);
  ts_signatures_free(&p->signatures);
  free(p->unread);
  *p = (ts_prepared){0};
}
