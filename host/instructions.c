/* SPDX-License-Identifier: Apache-2.0
 *
 * instructions.c: read the memory instructions out of what a compiler made of a kernel. See instructions.h.
 *
 * What an instruction does stands in the tables, one for each instruction set; the code below them finds instructions and
 * source lines in a text, and asks the tables.
 */
#include "instructions.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "text.h"

/* ---- the tables -------------------------------------------------------------------------------------------------- */

/* What one word of an instruction says. An instruction begins with an opcode and goes on with words; bytes are the last of
 * those named, times the product of all times. */
typedef struct row {
  const char *word;
  int access; /* of ts_access: the row is an opcode; NONE: it is no memory instruction, or the row is no opcode */
  int space;  /* of ts_space; NONE: says nothing of it */
  unsigned bytes, times, flags;
} row;

enum { NONE = -1 };

#define OPCODE(word, access, space, bytes)                                                                                     \
  { word, TS_ACCESS_##access, TS_SPACE_##space, bytes, 1, 0 }
#define TWICE(word, access, space)                                                                                             \
  { word, TS_ACCESS_##access, TS_SPACE_##space, 4, 2, 0 }
#define SPACE(word, space)                                                                                                     \
  { word, NONE, TS_SPACE_##space, 0, 1, 0 }
#define BYTES(word, bytes)                                                                                                     \
  { word, NONE, NONE, bytes, 1, 0 }
#define TIMES(word, times)                                                                                                     \
  { word, NONE, NONE, 0, times, 0 }
#define HINT(word, flags)                                                                                                      \
  { word, NONE, NONE, 0, 1, flags }
#define PARAMETER(word)                                                                                                        \
  { word, NONE, TS_SPACE_constant, 0, 1, TS_ACCESS_PARAMETER }
enum { NO_FLAG = 0, INVARIANT = TS_ACCESS_INVARIANT, NON_TEMPORAL = TS_ACCESS_NON_TEMPORAL };

/* clang-format off */

/* opcode.word.word: ld.global.nc.v4.f32 */
static const row ptx_words[] = {
  OPCODE("ld", LOAD, generic, 0), OPCODE("st", STORE, generic, 0),
  OPCODE("atom", ATOMIC, generic, 0), OPCODE("red", ATOMIC, generic, 0),
  SPACE("global", global), SPACE("shared", shared), SPACE("shared::cta", shared), SPACE("const", constant), SPACE("local", local),
  PARAMETER("param"), PARAMETER("param::entry"), PARAMETER("param::func"),
  HINT("nc", INVARIANT), HINT("cs", NON_TEMPORAL),
  TIMES("v2", 2), TIMES("v4", 4), TIMES("v8", 8),
  BYTES("b8", 1), BYTES("u8", 1), BYTES("s8", 1),
  BYTES("b16", 2), BYTES("u16", 2), BYTES("s16", 2), BYTES("f16", 2), BYTES("bf16", 2),
  BYTES("b32", 4), BYTES("u32", 4), BYTES("s32", 4), BYTES("f32", 4), BYTES("f16x2", 4), BYTES("bf16x2", 4),
  BYTES("b64", 8), BYTES("u64", 8), BYTES("s64", 8), BYTES("f64", 8), BYTES("b128", 16),
  {0}};

/* OPCODE.WORD.WORD: LDG.E.128.CONSTANT. Memory is counted in 32-bit registers where nothing else is said. */
static const row sass_words[] = {
  OPCODE("LDG", LOAD, global, 4), OPCODE("STG", STORE, global, 4), OPCODE("ATOMG", ATOMIC, global, 4),
  OPCODE("RED", ATOMIC, global, 4), OPCODE("REDG", ATOMIC, global, 4),
  OPCODE("LDS", LOAD, shared, 4), OPCODE("STS", STORE, shared, 4), OPCODE("ATOMS", ATOMIC, shared, 4),
  OPCODE("LDC", LOAD, constant, 4), OPCODE("LDCU", LOAD, constant, 4), OPCODE("ULDC", LOAD, constant, 4),
  OPCODE("LDL", LOAD, local, 4), OPCODE("STL", STORE, local, 4),
  OPCODE("LD", LOAD, generic, 4), OPCODE("ST", STORE, generic, 4), OPCODE("ATOM", ATOMIC, generic, 4),
  HINT("CONSTANT", INVARIANT), HINT("EF", NON_TEMPORAL),
  BYTES("U8", 1), BYTES("S8", 1), BYTES("U16", 2), BYTES("S16", 2), BYTES("32", 4), BYTES("64", 8), BYTES("128", 16),
  BYTES("256", 32),
  {0}};

/* opcode_word operand, operand hint hint: global_load_dwordx4 v[0:3], v4, s[0:1] glc slc. Buffers are private memory: in
 * OpenCL nothing else goes through them. */
static const row amdgcn_words[] = {
  OPCODE("global_load", LOAD, global, 4), OPCODE("global_store", STORE, global, 4), OPCODE("global_atomic", ATOMIC, global, 4),
  OPCODE("flat_load", LOAD, generic, 4), OPCODE("flat_store", STORE, generic, 4), OPCODE("flat_atomic", ATOMIC, generic, 4),
  OPCODE("s_load", LOAD, constant, 4), OPCODE("s_buffer_load", LOAD, constant, 4),
  OPCODE("scratch_load", LOAD, local, 4), OPCODE("scratch_store", STORE, local, 4),
  OPCODE("buffer_load", LOAD, local, 4), OPCODE("buffer_store", STORE, local, 4),
  OPCODE("ds_read", LOAD, shared, 4), OPCODE("ds_load", LOAD, shared, 4),
  TWICE("ds_read2", LOAD, shared), TWICE("ds_read2st64", LOAD, shared),
  TWICE("ds_load_2addr", LOAD, shared), TWICE("ds_load_2addr_stride64", LOAD, shared),
  OPCODE("ds_write", STORE, shared, 4), OPCODE("ds_store", STORE, shared, 4),
  TWICE("ds_write2", STORE, shared), TWICE("ds_write2st64", STORE, shared),
  TWICE("ds_store_2addr", STORE, shared), TWICE("ds_store_2addr_stride64", STORE, shared),
  OPCODE("ds_add", ATOMIC, shared, 4), OPCODE("ds_sub", ATOMIC, shared, 4), OPCODE("ds_rsub", ATOMIC, shared, 4),
  OPCODE("ds_inc", ATOMIC, shared, 4), OPCODE("ds_dec", ATOMIC, shared, 4), OPCODE("ds_min", ATOMIC, shared, 4),
  OPCODE("ds_max", ATOMIC, shared, 4), OPCODE("ds_and", ATOMIC, shared, 4), OPCODE("ds_or", ATOMIC, shared, 4),
  OPCODE("ds_xor", ATOMIC, shared, 4), OPCODE("ds_wrxchg", ATOMIC, shared, 4), OPCODE("ds_cmpst", ATOMIC, shared, 4),
  OPCODE("ds_storexchg", ATOMIC, shared, 4), OPCODE("ds_cmpstore", ATOMIC, shared, 4),
  HINT("glc", NO_FLAG), HINT("slc", NON_TEMPORAL), HINT("dlc", NO_FLAG), HINT("nt", NON_TEMPORAL), HINT("sc0", NO_FLAG),
  HINT("sc1", NO_FLAG), HINT("th:TH_LOAD_NT", NON_TEMPORAL), HINT("th:TH_STORE_NT", NON_TEMPORAL),
  BYTES("ubyte", 1), BYTES("sbyte", 1), BYTES("byte", 1), BYTES("b8", 1), BYTES("u8", 1), BYTES("i8", 1),
  BYTES("ushort", 2), BYTES("sshort", 2), BYTES("short", 2), BYTES("b16", 2), BYTES("u16", 2), BYTES("i16", 2),
  BYTES("dword", 4), BYTES("dwordx2", 8), BYTES("dwordx3", 12), BYTES("dwordx4", 16), BYTES("dwordx8", 32),
  BYTES("dwordx16", 64), BYTES("b32", 4), BYTES("u32", 4), BYTES("i32", 4), BYTES("f32", 4), BYTES("b64", 8), BYTES("u64", 8),
  BYTES("i64", 8), BYTES("f64", 8), BYTES("b96", 12), BYTES("b128", 16), BYTES("b256", 32), BYTES("b512", 64), BYTES("x2", 8),
  {0}};

/* Of x86 every instruction may have one operand in memory. A row is found by how the mnemonic begins, without the v of AVX; the
 * first that fits counts. */
typedef struct x86_row {
  const char *prefix;
  int access;     /* if the last operand is in memory; if another is, it is a load. NONE: touches no memory */
  unsigned bytes; /* 0: those of the registers */
  unsigned share; /* of the registers' bytes: one half, one fourth, … */
  unsigned flags;
} x86_row;
#define MEMORY(prefix, access, bytes) {prefix, TS_ACCESS_##access, bytes, 1, 0}
#define SHARE(prefix, access, share) {prefix, TS_ACCESS_##access, 0, share, 0}
#define NO_MEMORY(prefix) {prefix, NONE, 0, 1, 0}

static const x86_row x86_rows[] = {
  NO_MEMORY("lea"), NO_MEMORY("nop"), NO_MEMORY("prefetch"), NO_MEMORY("clflush"), NO_MEMORY("j"), NO_MEMORY("call"),
  {"movnt", TS_ACCESS_STORE, 0, 1, TS_ACCESS_NON_TEMPORAL},
  MEMORY("movshdup", STORE, 0), MEMORY("movsldup", STORE, 0), MEMORY("movss", STORE, 4), MEMORY("movsd", STORE, 8),
  MEMORY("movdq", STORE, 0), MEMORY("movd", STORE, 4), MEMORY("movq", STORE, 8), MEMORY("movlp", STORE, 8), MEMORY("movhp", STORE, 8),
  MEMORY("movzb", STORE, 1), MEMORY("movzw", STORE, 2), MEMORY("movsb", STORE, 1), MEMORY("movsw", STORE, 2),
  MEMORY("movsl", STORE, 4), MEMORY("mov", STORE, 0), MEMORY("maskmov", STORE, 0), MEMORY("pmaskmov", STORE, 0),
  MEMORY("broadcastss", STORE, 4), MEMORY("broadcastsd", STORE, 8), MEMORY("broadcastf128", STORE, 16),
  MEMORY("broadcasti128", STORE, 16), MEMORY("broadcastf32x4", STORE, 16), MEMORY("broadcasti32x4", STORE, 16),
  MEMORY("broadcastf64x2", STORE, 16), MEMORY("broadcasti64x2", STORE, 16), MEMORY("broadcastf64x4", STORE, 32),
  MEMORY("broadcasti64x4", STORE, 32), MEMORY("pbroadcastb", STORE, 1), MEMORY("pbroadcastw", STORE, 2),
  MEMORY("pbroadcastd", STORE, 4), MEMORY("pbroadcastq", STORE, 8),
  MEMORY("insertps", STORE, 4), MEMORY("insertf128", STORE, 16), MEMORY("inserti128", STORE, 16),
  MEMORY("extractps", STORE, 4), MEMORY("extractf128", STORE, 16), MEMORY("extracti128", STORE, 16),
  MEMORY("extractf64x4", STORE, 32), MEMORY("extracti64x4", STORE, 32),
  MEMORY("pinsrb", STORE, 1), MEMORY("pinsrw", STORE, 2), MEMORY("pinsrd", STORE, 4), MEMORY("pinsrq", STORE, 8),
  MEMORY("pextrb", STORE, 1), MEMORY("pextrw", STORE, 2), MEMORY("pextrd", STORE, 4), MEMORY("pextrq", STORE, 8),
  MEMORY("cvtsi2ssl", LOAD, 4), MEMORY("cvtsi2ssq", LOAD, 8), MEMORY("cvtsi2sdl", LOAD, 4), MEMORY("cvtsi2sdq", LOAD, 8),
  MEMORY("cvtss2", LOAD, 4), MEMORY("cvttss2", LOAD, 4), MEMORY("cvtsd2", LOAD, 8), MEMORY("cvttsd2", LOAD, 8),
  SHARE("cvtph2ps", LOAD, 2), SHARE("cvtps2ph", STORE, 2), SHARE("cvtps2pd", LOAD, 2), SHARE("cvtdq2pd", LOAD, 2),
  SHARE("pmovzxbw", LOAD, 2), SHARE("pmovzxbd", LOAD, 4), SHARE("pmovzxbq", LOAD, 8), SHARE("pmovzxwd", LOAD, 2),
  SHARE("pmovzxwq", LOAD, 4), SHARE("pmovzxdq", LOAD, 2), SHARE("pmovsxbw", LOAD, 2), SHARE("pmovsxbd", LOAD, 4),
  SHARE("pmovsxbq", LOAD, 8), SHARE("pmovsxwd", LOAD, 2), SHARE("pmovsxwq", LOAD, 4), SHARE("pmovsxdq", LOAD, 2),
  SHARE("pmovwb", STORE, 2), SHARE("pmovdb", STORE, 4), SHARE("pmovdw", STORE, 2), SHARE("pmovqb", STORE, 8),
  SHARE("pmovqw", STORE, 4), SHARE("pmovqd", STORE, 2),
  MEMORY("scatter", STORE, 0), MEMORY("pscatter", STORE, 0), MEMORY("compress", STORE, 0), MEMORY("pcompress", STORE, 0),
  MEMORY("flds", LOAD, 4), MEMORY("fldl", LOAD, 8), MEMORY("fldt", LOAD, 10), MEMORY("fild", LOAD, 0),
  MEMORY("fsts", STORE, 4), MEMORY("fstl", STORE, 8), MEMORY("fstps", STORE, 4), MEMORY("fstpl", STORE, 8),
  MEMORY("fstpt", STORE, 10), MEMORY("fist", STORE, 0),
  MEMORY("set", STORE, 1), MEMORY("cmpxchg", UPDATE, 0), MEMORY("cmp", LOAD, 0), MEMORY("test", LOAD, 0), MEMORY("bts", UPDATE, 0),
  MEMORY("btr", UPDATE, 0), MEMORY("btc", UPDATE, 0), MEMORY("bt", LOAD, 0), MEMORY("push", LOAD, 0), MEMORY("pop", STORE, 0),
  MEMORY("mul", LOAD, 0), MEMORY("imul", LOAD, 0), MEMORY("div", LOAD, 0), MEMORY("idiv", LOAD, 0), MEMORY("xchg", ATOMIC, 0),
  MEMORY("", UPDATE, 0)};

/* OpLoad %type %pointer Aligned|Nontemporal 16. Operands are counted from 0, a result's type is the first. */
typedef struct spirv_row {
  const char *word;
  int access;
  size_t pointer; /* the operand that is the pointer */
  int data;       /* the operand whose type has the bytes; NONE: what the pointer points at */
  size_t hints;   /* where the memory operands begin; 0: it has none */
} spirv_row;

static const spirv_row spirv_rows[] = {
  {"OpLoad", TS_ACCESS_LOAD, 1, NONE, 2}, {"OpStore", TS_ACCESS_STORE, 0, NONE, 2},
  {"OpAtomicLoad", TS_ACCESS_ATOMIC, 1, NONE, 0}, {"OpAtomicStore", TS_ACCESS_ATOMIC, 0, NONE, 0},
  {"OpAtomic", TS_ACCESS_ATOMIC, 1, NONE, 0},
  {"vloadn", TS_ACCESS_LOAD, 4, 0, 0}, {"vload_half", TS_ACCESS_LOAD, 4, NONE, 0},
  {"vstoren", TS_ACCESS_STORE, 5, 3, 0}, {"vstore_half", TS_ACCESS_STORE, 5, NONE, 0}};

static const row spirv_words[] = {
  SPACE("CrossWorkgroup", global), SPACE("Workgroup", shared), SPACE("UniformConstant", constant), SPACE("Function", local),
  SPACE("Generic", generic), PARAMETER("Input"), HINT("Nontemporal", NON_TEMPORAL), HINT("Volatile", NO_FLAG),
  HINT("Aligned", NO_FLAG), HINT("None", NO_FLAG),
  {0}};

/* clang-format on */

/* ---- the reader --------------------------------------------------------------------------------------------------- */

/* A .loc of PTX: a place, and where the function that it is in was inlined. */
typedef struct place {
  size_t file, line, column;
  bool is_inlined;
  size_t at_file, at_line, at_column;
} place;

/* What is known of an id of SPIR-V. */
typedef struct spirv_id {
  unsigned bytes;   /* of a type: its size */
  const row *space; /* of a pointer type: its storage class; NULL: none that is known */
  size_t type;      /* of a value: its type; of a pointer type: what it points at */
  const char *name; /* of a function or a string */
  bool is_kernel;   /* of a function */
} spirv_id;

typedef struct reader {
  ts_code *code;
  const row *words;
  const char *source; /* the file whose lines are meant, or NULL */
  bool failed;        /* memory ran out */

  char **files; /* [file_count] by the number that .file gave them; entries may be NULL */
  size_t file_count;
  char **functions; /* [function_count] names that .type calls a function */
  size_t function_count;
  char **kernels; /* [kernel_count] SASS, AMDGCN: names that a directive calls a kernel */
  size_t kernel_count;
  place *places; /* [place_count] those of the routine so far */
  size_t place_count;
  spirv_id *ids; /* [id_count] */
  size_t id_count;

  ts_routine *routine; /* the one that the line is in; NULL: none */
  const char *file;    /* where the instructions come from; NULL, 0: not known */
  size_t line;
  bool is_in_statement;  /* PTX: the last statement goes on */
  bool was_place;        /* SASS: the last line was a place too, further inside */
  size_t user_registers; /* AMDGCN: scalar registers that the launch fills */
  bool is_launch[128];   /* AMDGCN: those that hold what the launch filled in, or copies of it */
} reader;

/* Make an array at least `count` long, zero beyond the old end. Returns false, and remembers it, if memory ran out. */
static bool grow(reader *r, void *array, size_t *count, size_t wanted, size_t bytes) {
  void *old;
  memcpy(&old, array, sizeof old);
  if (wanted <= *count) return true;
  char *more = realloc(old, wanted * bytes);
  if (!more) {
    r->failed = true;
    return false;
  }
  memset(more + *count * bytes, 0, (wanted - *count) * bytes);
  memcpy(array, &more, sizeof more);
  *count = wanted;
  return true;
}

static char *copy(reader *r, const char *text, size_t length) {
  char *copied = strndup(text, length);
  if (!copied) r->failed = true;
  return copied;
}

static bool begins(const char *text, const char *with) { return !strncmp(text, with, strlen(with)); }

static const char *skip_blanks(const char *at) { return at + strspn(at, " \t"); }

/* A word ends at a blank, a comma, a bracket or the end. */
static size_t word_length(const char *at) { return strcspn(at, " \t,()[]"); }

static bool is_source(const reader *r, const char *file) {
  const char *slash = strrchr(file, '/');
  return !r->source || !strcmp(slash ? slash + 1 : file, r->source);
}

static void begin_routine(reader *r, const char *name, size_t length, bool is_kernel) {
  size_t count = r->code->count;
  if (!grow(r, &r->code->routines, &r->code->count, count + 1, sizeof *r->code->routines)) return;
  r->routine = &r->code->routines[count];
  r->routine->name = copy(r, name, length);
  r->routine->is_kernel = is_kernel;
  r->place_count = 0;
  r->file = NULL;
  r->line = 0;
  r->was_place = r->is_in_statement = false;
  for (size_t i = 0; i < sizeof r->is_launch; i++) r->is_launch[i] = i < r->user_registers;
}

/* Add an access to the routine, at the reader's place. */
static void add_access(reader *r, const ts_instruction *access, const char *name, size_t length) {
  ts_routine *routine = r->routine;
  size_t count = routine->access_count;
  if (!grow(r, &routine->accesses, &routine->access_count, count + 1, sizeof *access)) return;
  ts_instruction *added = &routine->accesses[count];
  *added = *access;
  added->name = copy(r, name, length);
  added->file = r->file ? copy(r, r->file, strlen(r->file)) : NULL;
  added->line = r->line;
}

/* Note the NAME of a directive that goes on with `what`, as in `.type NAME,@function`. */
static void note_name(reader *r, char ***names, size_t *count, const char *at, const char *what) {
  size_t length = strcspn(at, ", \t"), last = *count;
  if (!strstr(at + length, what)) return;
  if (grow(r, names, count, last + 1, sizeof **names)) (*names)[last] = copy(r, at, length);
}

static bool is_among(char *const *names, size_t count, const char *name, size_t length) {
  for (size_t i = 0; i < count; i++)
    if (names[i] && strlen(names[i]) == length && !strncmp(names[i], name, length)) return true;
  return false;
}

/* ---- instructions that are made of words: PTX, SASS, AMDGCN -------------------------------------------------------- */

static const row *find_word(const row *words, const char *word, size_t length) {
  for (; words->word; words++)
    if (words->access == NONE && strlen(words->word) == length && !strncmp(words->word, word, length)) return words;
  return NULL;
}

/* The longest opcode that a mnemonic begins with. */
static const row *find_opcode(const row *words, const char *mnemonic, char separator) {
  const row *found = NULL;
  for (; words->word; words++) {
    size_t length = strlen(words->word);
    if (words->access != NONE && begins(mnemonic, words->word) &&
        (mnemonic[length] == separator || !word_length(mnemonic + length)) && (!found || length > strlen(found->word)))
      found = words;
  }
  return found;
}

static void apply(ts_instruction *access, unsigned *times, const row *word) {
  if (word->space != NONE) access->space = (ts_space)word->space;
  if (word->bytes > 0) access->bytes = word->bytes;
  *times *= word->times;
  access->flags |= word->flags;
}

/* Apply the words of a mnemonic after its opcode. */
static void apply_words(ts_instruction *access, unsigned *times, const row *words, const char *at, size_t length,
                        char separator) {
  const char *end = at + length;
  while (at < end) {
    at += *at == separator;
    const char *next = memchr(at, separator, (size_t)(end - at));
    if (!next) next = end;
    const row *word = find_word(words, at, (size_t)(next - at));
    if (word) apply(access, times, word);
    at = next;
  }
}

/* Read "mnemonic operands": `separator` stands between the mnemonic's words. Operands that are words of the table are hints,
 * and become a part of the name. */
static bool read_words(reader *r, ts_instruction *access, ts_text *name, const char *text, char separator) {
  const row *opcode = find_opcode(r->words, text, separator);
  if (!opcode) return false;
  size_t length = word_length(text), prefix = strlen(opcode->word);
  unsigned times = 1;
  *access = (ts_instruction){.access = (ts_access)opcode->access};
  apply(access, &times, opcode);
  apply_words(access, &times, r->words, text + prefix, length - prefix, separator);
  ts_text_append(name, text, length);
  for (const char *at = text + length; *at;) {
    at += strspn(at, " \t,()[]");
    length = word_length(at);
    const row *word = separator == '_' ? find_word(r->words, at, length) : NULL;
    if (word && length > 0) {
      apply(access, &times, word);
      ts_text_print(name, " %s", word->word);
    }
    at += length;
  }
  access->bytes *= times;
  return true;
}

/* Count an instruction of words, and add its access if it is one. `finish` may add to what its operands say; may be NULL. */
static void read_instruction(reader *r, const char *text, char separator,
                             void (*finish)(const reader *, const char *text, ts_instruction *access)) {
  ts_instruction access;
  ts_text name = {0};
  r->routine->instruction_count++;
  if (read_words(r, &access, &name, text, separator)) {
    if (finish) finish(r, text, &access);
    add_access(r, &access, name.chars ? name.chars : "", name.length);
  }
  r->failed = r->failed || name.failed;
  free(name.chars);
}

/* ---- PTX ---------------------------------------------------------------------------------------------------------- */

static const char *file_of(const reader *r, size_t number) { return number < r->file_count ? r->files[number] : NULL; }

/* Note `.file 3 "folder" "name"`, of which the last string counts. A .file without a number names no place. */
static void read_file_directive(reader *r, const char *at) {
  char *end;
  size_t number = strtoul(at, &end, 10);
  if (end == at || number > 100000) return;
  const char *name = NULL;
  size_t length = 0;
  for (const char *quote = strchr(end, '"'); quote; quote = strchr(name + length + 1, '"')) {
    name = quote + 1;
    length = strcspn(name, "\"");
    if (!name[length]) break;
  }
  if (!name || !grow(r, &r->files, &r->file_count, number + 1, sizeof *r->files)) return;
  free(r->files[number]);
  r->files[number] = copy(r, name, length);
}

static void set_place(reader *r, const place *here) {
  r->file = file_of(r, here->file);
  r->line = r->file ? here->line : 0;
}

/* From the innermost place outwards, to the first in the source, else to the last. The place that a function was inlined at
 * was a .loc before, which may be inlined itself. */
static void resolve_place(reader *r, place here) {
  enum { MAX_DEPTH = 64 };
  for (int depth = 0; depth < MAX_DEPTH && here.is_inlined; depth++) {
    const char *file = file_of(r, here.file);
    if (r->source && file && is_source(r, file)) break;
    place outer = {.file = here.at_file, .line = here.at_line, .column = here.at_column};
    for (size_t i = r->place_count; i > 0; i--) {
      const place *p = &r->places[i - 1];
      if (p->file != outer.file || p->line != outer.line || p->column != outer.column) continue;
      outer = *p;
      break;
    }
    here = outer;
  }
  set_place(r, &here);
}

/* .loc 2 45 3, function_name $L__info_string1, inlined_at 1 21 5 */
static void read_loc(reader *r, const char *at) {
  place here = {0};
  char *end;
  here.file = strtoul(at, &end, 10);
  here.line = strtoul(end, &end, 10);
  here.column = strtoul(end, &end, 10);
  const char *inlined = strstr(end, "inlined_at ");
  if (inlined) {
    here.is_inlined = true;
    here.at_file = strtoul(inlined + strlen("inlined_at "), &end, 10);
    here.at_line = strtoul(end, &end, 10);
    here.at_column = strtoul(end, &end, 10);
  }
  size_t count = r->place_count;
  if (grow(r, &r->places, &r->place_count, count + 1, sizeof here)) r->places[count] = here;
  resolve_place(r, here);
}

/* The routine of ".visible .entry NAME(" or ".func (.param .b32 result) NAME(". */
static bool read_ptx_routine(reader *r, const char *line) {
  const char *entry = strstr(line, ".entry"), *at = entry ? entry : strstr(line, ".func");
  if (!at || *line != '.') return false;
  at = skip_blanks(at + strcspn(at, " \t"));
  if (*at == '(') at = skip_blanks(at + strcspn(at, ")") + 1);
  begin_routine(r, at, word_length(at), entry);
  return true;
}

/* A statement may go over several lines, and a line may have several. */
static void read_ptx(reader *r, const char *line) {
  if (begins(line, ".loc")) {
    if (r->routine) read_loc(r, line + 4);
    return;
  }
  if (read_ptx_routine(r, line) || !r->routine) return;
  for (const char *at = line; *(at += strspn(at, " \t{}"));) {
    size_t length = strcspn(at, ";");
    bool is_statement = r->is_in_statement || islower((unsigned char)*at) || *at == '@';
    if (!is_statement || (!r->is_in_statement && at[word_length(at) - 1] == ':')) return;
    if (!r->is_in_statement) {
      if (*at == '@') at = skip_blanks(at + strcspn(at, " \t"));
      read_instruction(r, at, '.', NULL);
      length = strcspn(at, ";");
    }
    r->is_in_statement = !at[length];
    if (r->is_in_statement) return;
    at += length + 1;
  }
}

/* ---- SASS --------------------------------------------------------------------------------------------------------- */

/* `//## File "scale.c", line 13 inlined at "scale.c", line 20`, from the innermost to the outermost, each on a line. */
static bool read_sass_place(reader *r, const char *line) {
  static const char start[] = "//## File \"", middle[] = "\", line ";
  if (!begins(line, start)) {
    r->was_place = false;
    return false;
  }
  const char *name = line + sizeof start - 1, *end = strstr(name, middle);
  if (!end) return true;
  bool is_settled = r->was_place && r->file && r->source && is_source(r, r->file);
  if (!is_settled) {
    size_t count = r->file_count;
    if (!grow(r, &r->files, &r->file_count, count + 1, sizeof *r->files)) return true;
    r->files[count] = copy(r, name, (size_t)(end - name));
    r->file = r->files[count];
    r->line = strtoul(end + sizeof middle - 1, NULL, 10);
  }
  r->was_place = true;
  return true;
}

/* The constant bank 0 holds the kernel's arguments. */
static void finish_sass(const reader *r, const char *text, ts_instruction *access) {
  (void)r;
  if (access->space == TS_SPACE_constant && strstr(text, "c[0x0]")) access->flags |= TS_ACCESS_PARAMETER;
}

/* A comment with the address, then @!P0 LDG.E.128.CONSTANT R4, [R2.64] ; inside a section .text.NAME. A function that a kernel
 * calls stands behind it in the same section, once for each kernel, as $KERNEL$NAME. */
static void read_sass(reader *r, const char *line) {
  static const char section[] = ".text.";
  if (begins(line, ".section")) {
    const char *name = skip_blanks(line + strlen(".section"));
    r->routine = NULL;
    size_t length = begins(name, section) ? strcspn(name += sizeof section - 1, ",\" \t") : 0;
    if (length > 0) begin_routine(r, name, length, is_among(r->kernels, r->kernel_count, name, length));
    return;
  }
  if (r->routine && *line == '$' && line[strlen(line) - 1] == ':') begin_routine(r, line, strlen(line) - 1, false);
  if (!r->routine || read_sass_place(r, line) || !begins(line, "/*")) return;
  const char *at = strstr(line, "*/");
  at = at ? skip_blanks(at + 2) : "";
  if (*at == '@') at = skip_blanks(at + strcspn(at, " \t"));
  if (!isupper((unsigned char)*at)) return;
  read_instruction(r, at, '.', finish_sass);
}

/* ---- assembly as gcc and clang write it: AMDGCN, x86 --------------------------------------------------------------- */

static void read_gas(reader *r, const char *line, bool says_kernels, void (*read)(reader *, const char *)) {
  size_t word = strcspn(line, " \t:");
  if (line[word] == ':') {
    if (is_among(r->functions, r->function_count, line, word))
      begin_routine(r, line, word, !says_kernels || is_among(r->kernels, r->kernel_count, line, word));
  } else if (begins(line, ".loc")) {
    if (r->routine) read_loc(r, line + 4);
  } else if (begins(line, ".cfi_endproc") || begins(line, ".size")) {
    r->routine = NULL;
  } else if (r->routine && islower((unsigned char)*line)) {
    read(r, line);
  }
}

/* What a scalar operand "s5" or "s[4:7]" names. Returns false for any other. */
static bool scalar_registers(const char *operand, size_t *first, size_t *last) {
  if (operand[0] != 's') return false;
  bool is_range = operand[1] == '[';
  char *end;
  if (!isdigit((unsigned char)operand[is_range ? 2 : 1])) return false;
  *first = *last = strtoul(operand + (is_range ? 2 : 1), &end, 10);
  if (is_range && *end == ':') *last = strtoul(end + 1, &end, 10);
  return true;
}

/* Whether the second operand is registers that the launch has filled. An s_load through them reads arguments, or what the
 * launch put beside them; any other reads the user's memory. */
static bool is_from_launch(const reader *r, const char *text) {
  const char *second = strchr(text, ',');
  size_t first, last;
  return second && scalar_registers(skip_blanks(second + 1), &first, &last) && last < sizeof r->is_launch &&
         r->is_launch[first];
}

static void finish_amdgcn(const reader *r, const char *text, ts_instruction *access) {
  if (access->space == TS_SPACE_constant && is_from_launch(r, text)) access->flags |= TS_ACCESS_PARAMETER;
}

static void read_amdgcn(reader *r, const char *text) {
  read_instruction(r, text, '_', finish_amdgcn);
  const char *operands = skip_blanks(text + strcspn(text, " \t"));
  bool is_copied = begins(text, "s_mov") && is_from_launch(r, text);
  size_t first, last;
  if (scalar_registers(operands, &first, &last) && !begins(text, "s_cmp") && !begins(text, "s_bitcmp"))
    for (size_t i = first; i <= last && i < sizeof r->is_launch; i++) r->is_launch[i] = is_copied;
}

/* ---- x86 ---------------------------------------------------------------------------------------------------------- */

/* The length of an operand: up to a comma outside parentheses, a comment, or the end. */
static size_t operand_length(const char *at) {
  size_t length = 0;
  for (int depth = 0; at[length] && at[length] != '#' && (depth > 0 || at[length] != ','); length++)
    depth += at[length] == '(' ? 1 : at[length] == ')' ? -1 : 0;
  return length;
}

static unsigned vector_bytes(const char *operand) {
  return begins(operand, "%xmm") ? 16 : begins(operand, "%ymm") ? 32 : begins(operand, "%zmm") ? 64 : 0;
}

/* "{1to8}" after the memory operand: one element is read for all lanes. */
static unsigned broadcast_lanes(const char *operand, size_t length) {
  const char *at = strstr(operand, "{1to");
  return at && at < operand + length ? (unsigned)strtoul(at + 4, NULL, 10) : 1;
}

/* The bytes of a register for integers: %al, %ax, %eax, %rax, %r8b, %r8w, %r8d, %r8. */
static unsigned integer_bytes(const char *operand) {
  size_t length = strcspn(operand, ",{ \t");
  if (*operand != '%' || length < 3) return 0;
  char last = operand[length - 1];
  if (operand[1] == 'e') return 4;
  if (operand[1] == 'r' && isdigit((unsigned char)operand[2])) return last == 'd' ? 4 : last == 'w' ? 2 : last == 'b' ? 1 : 8;
  return operand[1] == 'r' ? 8 : last == 'l' || last == 'h' ? 1 : 2;
}

/* The bytes that the mnemonic's end tells: of a scalar in a vector register, or of an integer. */
static unsigned suffix_bytes(const char *mnemonic, size_t length, bool is_vector) {
  const char *end = mnemonic + length - 1;
  if (is_vector && length > 2 && *mnemonic != 'p') return !strncmp(end - 1, "ss", 2) ? 4 : !strncmp(end - 1, "sd", 2) ? 8 : 0;
  if (is_vector) return 0;
  return *end == 'b' ? 1 : *end == 'w' ? 2 : *end == 'l' ? 4 : *end == 'q' ? 8 : 0;
}

static const x86_row *find_x86_row(const char *mnemonic) {
  const x86_row *found = x86_rows;
  while (!begins(mnemonic, found->prefix)) found++; /* the last row's prefix is empty */
  return found;
}

static void read_x86(reader *r, const char *text) {
  r->routine->instruction_count++;
  bool is_locked = begins(text, "lock");
  if (is_locked) text = skip_blanks(text + 4);
  size_t name_length = strcspn(text, " \t");
  const char *memory = NULL;
  size_t memory_length = 0;
  bool is_last = false;
  unsigned vector = 0, integer = 0, lanes = 1;
  for (const char *at = skip_blanks(text + name_length); *at && *at != '#';) {
    size_t length = operand_length(at);
    if (vector_bytes(at) > vector) vector = vector_bytes(at);
    if (integer_bytes(at) > integer) integer = integer_bytes(at);
    is_last = !strchr("%$*{", *at);
    if (is_last) {
      memory = at;
      memory_length = length;
      lanes = broadcast_lanes(at, length);
    }
    at = skip_blanks(at + length + (at[length] == ','));
  }
  if (!memory) return;

  const char *mnemonic = text + (*text == 'v');
  const x86_row *found = find_x86_row(mnemonic);
  if (found->access == NONE) return;
  unsigned bytes = found->bytes;
  if (bytes == 0) bytes = suffix_bytes(mnemonic, name_length - (*text == 'v'), vector > 0);
  if (bytes == 0) bytes = vector > 0 ? vector / found->share / lanes : integer;
  ts_instruction access = {
      .access = is_last ? (ts_access)found->access : TS_ACCESS_LOAD, .bytes = bytes, .flags = found->flags};
  if (is_locked) access.access = TS_ACCESS_ATOMIC;
  if (!is_last && found->access == TS_ACCESS_ATOMIC) access.access = TS_ACCESS_ATOMIC;
  if (strstr(memory, "(%rsp") && strstr(memory, "(%rsp") < memory + memory_length) access.space = TS_SPACE_local;
  if (begins(memory, ".LC")) access.space = TS_SPACE_constant;
  add_access(r, &access, text, name_length);
}

/* ---- SPIR-V ------------------------------------------------------------------------------------------------------- */

enum { SPIRV_WORDS = 64, SPIRV_IDS = 1 << 22 };

/* The id that "%12" is, with its entry there; 0: it is none. */
static size_t id_of(reader *r, const char *word) {
  if (!word || *word != '%') return 0;
  size_t id = strtoul(word + 1, NULL, 10);
  return id < SPIRV_IDS && grow(r, &r->ids, &r->id_count, id + 1, sizeof *r->ids) ? id : 0;
}

/* The entry of an id. Valid until another id is asked for. */
static spirv_id *entry_of(reader *r, const char *word) {
  size_t id = id_of(r, word);
  return &r->ids[id];
}

/* Cut a line into words, strings without their quotes. Returns how many. */
static size_t cut_words(char *line, char *words[SPIRV_WORDS]) {
  size_t count = 0;
  while (*(line += strspn(line, " \t")) && *line != ';' && count < SPIRV_WORDS) {
    const char *ends = " \t";
    if (*line == '"') {
      ends = "\"";
      line++;
    }
    words[count++] = line;
    line += strcspn(line, ends);
    if (*line) *line++ = 0;
  }
  return count;
}

/* Note what an instruction says of types, names and values. `id` is its result. */
static void note_spirv(reader *r, const char *opcode, size_t id, char **words, size_t count) {
  size_t first = count > 0 ? id_of(r, words[0]) : 0, second = count > 1 ? id_of(r, words[1]) : 0;
  spirv_id *entry = &r->ids[id];
  if (count == 0) return;
  if (!strcmp(opcode, "OpTypeInt") || !strcmp(opcode, "OpTypeFloat")) {
    entry->bytes = (unsigned)strtoul(words[0], NULL, 10) / 8;
  } else if (!strcmp(opcode, "OpTypeVector") && count > 1) {
    entry->bytes = r->ids[first].bytes * (unsigned)strtoul(words[1], NULL, 10);
  } else if (!strcmp(opcode, "OpTypeStruct")) {
    unsigned bytes = 0;
    for (size_t i = 0; i < count; i++) bytes += entry_of(r, words[i])->bytes;
    r->ids[id].bytes = bytes;
  } else if (!strcmp(opcode, "OpTypePointer") && count > 1) {
    entry->bytes = 8; /* of the 64-bit addresses that kernels have */
    entry->space = find_word(spirv_words, words[0], strlen(words[0]));
    entry->type = second;
  } else if (!strcmp(opcode, "OpString")) {
    entry->name = words[0];
  } else if (!strcmp(opcode, "OpEntryPoint") && count > 2) {
    r->ids[second].name = words[2];
    r->ids[second].is_kernel = true;
  } else if (!strcmp(opcode, "OpName") && count > 1) {
    if (!r->ids[first].name) r->ids[first].name = words[1];
  } else if (id > 0) {
    entry->type = first;
  }
}

static const spirv_row *find_spirv_row(const char *opcode, char **words, size_t count) {
  const char *name = !strcmp(opcode, "OpExtInst") && count > 2 ? words[2] : opcode;
  for (size_t i = 0; i < sizeof spirv_rows / sizeof spirv_rows[0]; i++)
    if (begins(name, spirv_rows[i].word)) return &spirv_rows[i];
  return NULL;
}

/* Read "Aligned|Nontemporal 16" into the flags. */
static void apply_memory_operands(ts_instruction *access, const char *mask) {
  for (unsigned times = 1; *mask; mask += *mask == '|') {
    size_t length = strcspn(mask, "|");
    const row *word = find_word(spirv_words, mask, length);
    if (word) apply(access, &times, word);
    mask += length;
  }
}

static void read_spirv_access(reader *r, const spirv_row *found, const char *opcode, char **words, size_t count) {
  if (found->pointer >= count || found->data >= (int)count) return;
  size_t pointer = id_of(r, words[found->pointer]), data = found->data == NONE ? 0 : id_of(r, words[found->data]);
  const spirv_id *pointer_type = &r->ids[r->ids[pointer].type];
  size_t type = found->data == NONE ? pointer_type->type : found->data == 0 ? data : r->ids[data].type;
  ts_instruction access = {.access = (ts_access)found->access, .bytes = r->ids[type].bytes};
  unsigned times = 1;
  if (pointer_type->space) apply(&access, &times, pointer_type->space);
  ts_text name = {0};
  ts_text_print(&name, "%s", !strcmp(opcode, "OpExtInst") ? words[2] : opcode);
  for (size_t i = found->hints; i > 0 && i < count; i++) ts_text_print(&name, " %s", words[i]);
  if (found->hints > 0 && found->hints < count) apply_memory_operands(&access, words[found->hints]);
  add_access(r, &access, name.chars ? name.chars : "", name.length);
  r->failed = r->failed || name.failed;
  free(name.chars);
}

static void read_spirv(reader *r, char *line) {
  char *all[SPIRV_WORDS];
  size_t total = cut_words(line, all);
  bool has_result = total > 2 && *all[0] == '%' && !strcmp(all[1], "=");
  if (total == 0 || !id_of(r, "%1")) return;
  size_t id = has_result ? id_of(r, all[0]) : 0;
  const char *opcode = all[has_result ? 2 : 0];
  char **words = all + (has_result ? 3 : 1);
  size_t count = total - (has_result ? 3 : 1);
  if (!strcmp(opcode, "OpFunction")) {
    const char *name = r->ids[id].name ? r->ids[id].name : all[0];
    begin_routine(r, name, strlen(name), r->ids[id].is_kernel);
  } else if (!strcmp(opcode, "OpFunctionEnd")) {
    r->routine = NULL;
  } else if (!strcmp(opcode, "OpLine") && count > 1) {
    r->file = entry_of(r, words[0])->name;
    r->line = strtoul(words[1], NULL, 10);
  } else if (!strcmp(opcode, "OpNoLine")) {
    r->file = NULL;
    r->line = 0;
  } else if (r->routine && strcmp(opcode, "OpLabel") != 0 && strcmp(opcode, "OpFunctionParameter") != 0 &&
             strcmp(opcode, "OpVariable") != 0) {
    const spirv_row *found = find_spirv_row(opcode, words, count);
    r->routine->instruction_count++;
    if (found) read_spirv_access(r, found, opcode, words, count);
  }
  if (!r->failed) note_spirv(r, opcode, id, words, count);
}

/* ---- all of them -------------------------------------------------------------------------------------------------- */

/* What must be known before the first instruction, and may stand after it. */
static void read_ahead(reader *r, const char *line) {
  static const char registers[] = ".amdhsa_user_sgpr_count", kernel[] = ".amdhsa_kernel";
  if (begins(line, ".file"))
    read_file_directive(r, line + 5);
  else if (begins(line, ".type"))
    note_name(r, &r->functions, &r->function_count, skip_blanks(line + 5), "function");
  else if (begins(line, ".other"))
    note_name(r, &r->kernels, &r->kernel_count, skip_blanks(line + 6), "STO_CUDA_ENTRY");
  else if (begins(line, kernel))
    note_name(r, &r->kernels, &r->kernel_count, skip_blanks(line + sizeof kernel - 1), "");
  else if (begins(line, registers))
    r->user_registers = strtoul(line + sizeof registers - 1, NULL, 10);
}

/* Give each line of a text, which is cut into lines, to `read`, without its leading blanks. */
static void each_line(reader *r, char *text, void (*read)(reader *, char *)) {
  for (char *next; text && !r->failed; text = next) {
    next = strchr(text, '\n');
    if (next) *next++ = 0;
    read(r, text + strspn(text, " \t"));
  }
}

static void ahead_line(reader *r, char *line) { read_ahead(r, line); }
static void ptx_line(reader *r, char *line) { read_ptx(r, line); }
static void sass_line(reader *r, char *line) { read_sass(r, line); }
static void amdgcn_line(reader *r, char *line) { read_gas(r, line, true, read_amdgcn); }
static void x86_line(reader *r, char *line) { read_gas(r, line, false, read_x86); }

static const struct {
  const row *words;
  void (*read)(reader *, char *line);
} isas[] = {[TS_ISA_PTX] = {ptx_words, ptx_line},
            [TS_ISA_SASS] = {sass_words, sass_line},
            [TS_ISA_AMDGCN] = {amdgcn_words, amdgcn_line},
            [TS_ISA_X86] = {NULL, x86_line},
            [TS_ISA_SPIRV] = {spirv_words, read_spirv}};

/* Read the text, of which two copies are cut into lines: names of the second are pointed at until the end. */
static void read_text(reader *r, ts_isa isa, const char *text) {
  char *ahead = strdup(text), *lines = strdup(text);
  r->words = isas[isa].words;
  r->failed = !ahead || !lines;
  if (!r->failed) each_line(r, ahead, ahead_line);
  if (!r->failed) each_line(r, lines, isas[isa].read);
  free(ahead);
  free(lines);
}

static ts_routine *find_routine(const ts_code *code, const char *name) {
  for (size_t i = 0; i < code->count; i++)
    if (code->routines[i].name && !strcmp(code->routines[i].name, name)) return &code->routines[i];
  return NULL;
}

/* Drop what has no instruction, a declaration, and entry points of SPIR-V that only call the function of the same name: that
 * is the kernel then. */
static void drop_empty_routines(ts_code *code) {
  ts_code kept = {.routines = code->routines};
  for (size_t i = 0; i < code->count; i++) {
    ts_routine routine = code->routines[i], *twin = routine.name ? find_routine(&kept, routine.name) : NULL;
    if (routine.instruction_count > 0 && (routine.access_count > 0 || !twin)) {
      kept.routines[kept.count++] = routine;
    } else {
      if (twin) twin->is_kernel = twin->is_kernel || routine.is_kernel;
      free(routine.name);
    }
  }
  code->count = kept.count;
}

ts_status ts_code_read(ts_code *code, ts_isa isa, const char *text, const char *source, ts_error *error) {
  reader r = {.code = code, .source = source};
  read_text(&r, isa, text);
  for (size_t i = 0; i < r.file_count; i++) free(r.files[i]);
  for (size_t i = 0; i < r.function_count; i++) free(r.functions[i]);
  for (size_t i = 0; i < r.kernel_count; i++) free(r.kernels[i]);
  free(r.files);
  free(r.functions);
  free(r.kernels);
  free(r.places);
  free(r.ids);
  drop_empty_routines(code);
  if (!r.failed) return TS_OK;
  ts_code_free(code);
  return ts_fail(error, TS_ERROR_MEMORY, 0, "ts_code_read", "no memory for a kernel's instructions");
}

static void free_routine(ts_routine *routine) {
  for (size_t k = 0; k < routine->access_count; k++) {
    free(routine->accesses[k].name);
    free(routine->accesses[k].file);
  }
  free(routine->accesses);
  free(routine->name);
}

void ts_code_drop(ts_code *code, const char *prefix) {
  size_t kept = 0;
  for (size_t i = 0; i < code->count; i++) {
    if (code->routines[i].name && !strncmp(code->routines[i].name, prefix, strlen(prefix)))
      free_routine(&code->routines[i]);
    else
      code->routines[kept++] = code->routines[i];
  }
  code->count = kept;
}

void ts_code_free(ts_code *code) {
  for (size_t i = 0; i < code->count; i++) free_routine(&code->routines[i]);
  free(code->routines);
  *code = (ts_code){0};
}

const ts_routine *ts_code_find(const ts_code *code, const char *name) { return find_routine(code, name); }

/* _Z, then N if the name is within others, each after its length: _ZN12_INTERNAL_a12ts_plan_copyEi. SASS writes the kernel's
 * name before it: $k$_Z. */
const char *ts_routine_name(const char *name, int *length) {
  const char *last = strrchr(name, '$'), *at = last ? last + 1 : name;
  *length = (int)strlen(at);
  if (!begins(at, "_Z")) return at;
  const char *found = at;
  at += 2 + (at[2] == 'N');
  for (char *end; isdigit((unsigned char)*at); at = found + *length) {
    size_t bytes = strtoul(at, &end, 10);
    if (bytes == 0 || bytes > strlen(end)) return found;
    found = end;
    *length = (int)bytes;
  }
  return found;
}

const char *ts_isa_name(ts_isa isa) {
  static const char *const names[] = {[TS_ISA_PTX] = "PTX",
                                      [TS_ISA_SASS] = "SASS",
                                      [TS_ISA_AMDGCN] = "AMDGCN",
                                      [TS_ISA_X86] = "x86",
                                      [TS_ISA_SPIRV] = "SPIR-V"};
  return names[isa];
}

const char *ts_access_name(ts_access access) {
  static const char *const names[] = {
      [TS_ACCESS_LOAD] = "load", [TS_ACCESS_STORE] = "store", [TS_ACCESS_UPDATE] = "update", [TS_ACCESS_ATOMIC] = "atomic"};
  return names[access];
}

size_t ts_routine_count(const ts_routine *routine, ts_access access, ts_space space, size_t bytes, unsigned flags) {
  size_t count = 0;
  for (size_t i = 0; i < routine->access_count; i++) {
    const ts_instruction *a = &routine->accesses[i];
    count += a->access == access && a->space == space && a->bytes == bytes && (a->flags & flags) == flags;
  }
  return count;
}
