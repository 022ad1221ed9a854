/* SPDX-License-Identifier: Apache-2.0
 *
 * npy.c: NumPy's .npy files.
 *
 *   "\x93NUMPY"  major  minor  length (u16, or u32 from version 2 on, little-endian)  header [length]  elements
 *
 * The header is a dictionary of Python with three keys, read here by hand. Nothing in a file is believed: what it says is
 * compared with the file's size before any memory is asked for.
 */
#include "host/tool/npy.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char magic[] = "\x93NUMPY";

enum {
  MAGIC_BYTES = sizeof magic - 1,
  PREFIX_BYTES = MAGIC_BYTES + 2, /* magic and version */
  HEADER_BYTES_MAX = 65536,       /* NPY_RANK_MAX lengths of 20 digits take 1.5 KiB */
  ALIGN_BYTES = 64,               /* of the first element */
  DESCR_BYTES = 16,               /* a longer descr is none of ours */
  IS_LITTLE_ENDIAN = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
};

/* How NumPy spells the dtypes: kind and bytes. One that it lacks is written as its bits. */
static const struct spelling {
  ts_dtype dtype;
  char kind, digit;
  bool is_stand_in;
} spellings[] = {
    {TS_DTYPE_b8, 'b', '1', false},  {TS_DTYPE_i8, 'i', '1', false},      {TS_DTYPE_u8, 'u', '1', false},
    {TS_DTYPE_i16, 'i', '2', false}, {TS_DTYPE_u16, 'u', '2', false},     {TS_DTYPE_i32, 'i', '4', false},
    {TS_DTYPE_u32, 'u', '4', false}, {TS_DTYPE_i64, 'i', '8', false},     {TS_DTYPE_u64, 'u', '8', false},
    {TS_DTYPE_f16, 'f', '2', false}, {TS_DTYPE_f32, 'f', '4', false},     {TS_DTYPE_f64, 'f', '8', false},
    {TS_DTYPE_bf16, 'u', '2', true}, {TS_DTYPE_f8e4m3fn, 'u', '1', true}, {TS_DTYPE_f8e5m2, 'u', '1', true},
};
enum { SPELLING_COUNT = sizeof spellings / sizeof spellings[0] };
_Static_assert(SPELLING_COUNT == (int)TS_DTYPE_COUNT, "each dtype is spelled once");

static bool refuse(char why[NPY_WHY_BYTES], const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool refuse(char why[NPY_WHY_BYTES], const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(why, NPY_WHY_BYTES, format, arguments);
  va_end(arguments);
  return false;
}

/* ---- the dictionary ------------------------------------------------------------------------------------------- */

/* What the header says, before it is known whether we can use it. */
typedef struct dictionary {
  char descr[DESCR_BYTES]; /* cut */
  bool is_structured;      /* descr is a list or a tuple */
  bool is_fortran;
  int rank;
  uint64_t shape[NPY_RANK_MAX];
} dictionary;

typedef struct cursor {
  const char *at, *end;
} cursor;

/* Skip white space. Returns the character that follows; 0 at the end. */
static char peek(cursor *c) {
  while (c->at < c->end && strchr(" \t\r\n\f", *c->at) && *c->at) c->at++;
  return c->at < c->end ? *c->at : '\0';
}

static bool take(cursor *c, char character) {
  if (peek(c) != character) return false;
  c->at++;
  return true;
}

static bool take_word(cursor *c, const char *word) {
  size_t length = strlen(word);
  peek(c);
  if ((size_t)(c->end - c->at) < length || memcmp(c->at, word, length) != 0) return false;
  c->at += length;
  return true;
}

/* 'text' or "text", without escapes. Longer text is cut to `bytes`, with its 0. */
static bool take_string(cursor *c, char *text, size_t bytes) {
  char quote = peek(c);
  if (quote != '\'' && quote != '"') return false;
  const char *start = ++c->at;
  while (c->at < c->end && *c->at != quote) c->at++;
  if (c->at == c->end || memchr(start, '\0', (size_t)(c->at - start))) return false;
  snprintf(text, bytes, "%.*s", (int)(c->at - start), start);
  c->at++;
  return true;
}

/* Digits without a leading zero, and the L of Python 2's long integers. */
static bool take_length(cursor *c, uint64_t *length) {
  if (!isdigit((unsigned char)peek(c))) return false;
  const char *start = c->at;
  *length = 0;
  for (; c->at < c->end && isdigit((unsigned char)*c->at); c->at++) {
    unsigned digit = (unsigned)(*c->at - '0');
    if (*length > ((uint64_t)INT64_MAX - digit) / 10) return false;
    *length = 10 * *length + digit;
  }
  if (c->at < c->end && *c->at == 'L') c->at++;
  return *start != '0' || *length == 0;
}

/* (), (3,), (3, 4), (3, 4,): one length needs its comma, or it is no tuple. */
static bool take_shape(cursor *c, dictionary *d) {
  if (!take(c, '(')) return false;
  bool has_comma = true;
  for (d->rank = 0; !take(c, ')'); d->rank++) {
    if (!has_comma || d->rank == NPY_RANK_MAX || !take_length(c, &d->shape[d->rank])) return false;
    has_comma = take(c, ',');
  }
  return d->rank != 1 || has_comma;
}

/* Skip a list or tuple, whatever is in it. */
static bool skip_structure(cursor *c) {
  int depth = 0;
  do {
    char character = peek(c), text[DESCR_BYTES];
    if (character == '\'' || character == '"') {
      if (!take_string(c, text, sizeof text)) return false;
      continue;
    }
    if (!character) return false;
    depth += (character == '[' || character == '(') - (character == ']' || character == ')');
    c->at++;
  } while (depth > 0);
  return true;
}

static bool take_descr(cursor *c, dictionary *d) {
  char first = peek(c);
  d->is_structured = first == '[' || first == '(';
  return d->is_structured ? skip_structure(c) : take_string(c, d->descr, sizeof d->descr);
}

static bool take_fortran_order(cursor *c, dictionary *d) {
  d->is_fortran = take_word(c, "True");
  return d->is_fortran || take_word(c, "False");
}

/* Keys in any order, each of them once. */
static bool take_dictionary(cursor *c, dictionary *d, char why[NPY_WHY_BYTES]) {
  static const struct {
    const char *key;
    bool (*take)(cursor *c, dictionary *d);
    const char *wanted;
  } keys[] = {{"descr", take_descr, "a dtype in quotes"},
              {"fortran_order", take_fortran_order, "True or False"},
              {"shape", take_shape, "a tuple of at most 64 lengths, e.g. (3, 4) or (5,)"}};
  enum { KEY_COUNT = sizeof keys / sizeof keys[0] };
  bool is_known[KEY_COUNT] = {false};

  *d = (dictionary){.rank = 0};
  if (!take(c, '{')) return refuse(why, "its header is no Python dictionary: it does not begin with {");
  for (bool has_comma = true; !take(c, '}'); has_comma = take(c, ',')) {
    char key[2 * DESCR_BYTES];
    if (!has_comma || !take_string(c, key, sizeof key) || !take(c, ':'))
      return refuse(why, "its header is no Python dictionary of 'descr', 'fortran_order' and 'shape'");
    int k = 0;
    while (k < KEY_COUNT && strcmp(key, keys[k].key) != 0) k++;
    if (k == KEY_COUNT) return refuse(why, "its header has a key '%s' that no .npy file has", key);
    if (is_known[k]) return refuse(why, "its header has '%s' twice", key);
    if (!keys[k].take(c, d)) return refuse(why, "its header's '%s' is not %s", key, keys[k].wanted);
    is_known[k] = true;
  }
  for (int k = 0; k < KEY_COUNT; k++)
    if (!is_known[k]) return refuse(why, "its header lacks '%s'", keys[k].key);
  if (peek(c)) return refuse(why, "its header goes on after the dictionary");
  return true;
}

/* ---- what it means -------------------------------------------------------------------------------------------- */

/* Find the dtype of a kind and its bytes. Raw bytes (V), and the 8-bit float that ml_dtypes writes as f1, are none. */
static bool find_dtype(ts_dtype *dtype, char kind, const char *digits) {
  for (int i = 0; i < SPELLING_COUNT; i++) {
    if (spellings[i].is_stand_in || spellings[i].kind != kind || spellings[i].digit != digits[0] || digits[1]) continue;
    *dtype = spellings[i].dtype;
    return true;
  }
  return false;
}

static bool read_dtype(npy_header *h, const dictionary *d, const ts_dtype *named, char why[NPY_WHY_BYTES]) {
  if (d->is_structured) return refuse(why, "it holds records (a structured dtype); save one field of it");
  const char *at = d->descr;
  char order = *at && strchr("<>=|", *at) ? *at++ : '=';
  char kind = *at ? *at++ : '\0';
  bool has_dtype = find_dtype(&h->dtype, kind, at);
  bool is_unnamed = (kind == 'V' && at[0] && strchr("1248", at[0]) && !at[1]) || (kind == 'f' && !strcmp(at, "1"));
  if (!has_dtype && !is_unnamed)
    return refuse(why, "it holds '%s'; kernels know b1, i1 … i8, u1 … u8, f2, f4, f8, and bf16 and f8 as u2, u1, V2 or V1",
                  d->descr);
  size_t bytes = (size_t)(at[0] - '0');
  h->is_bits = kind == 'u' || is_unnamed;
  h->is_swapped = bytes > 1 && (order == '<' || order == '>') && (order == '<') != IS_LITTLE_ENDIAN;
  if (!named)
    return has_dtype ||
           refuse(why, "it holds '%s', which says no dtype; name it, e.g. :%s", d->descr, bytes == 1 ? "f8e5m2" : "bf16");
  if (has_dtype && *named == h->dtype) return true;
  if (!h->is_bits || ts_dtype_bytes(*named) != bytes)
    return refuse(why, "it holds '%s', which can't be named %s; only bits of the same size (u or V) can", d->descr,
                  ts_dtype_name(*named));
  h->dtype = *named;
  return true;
}

/* Take over the shape, and count its elements. */
static bool read_shape(npy_header *h, const dictionary *d, char why[NPY_WHY_BYTES]) {
  size_t product = 1; /* of the lengths that are not 0: NumPy has an empty array only if it could hold the rest */
  bool is_empty = false, is_huge = false;
  h->rank = d->rank;
  for (int i = 0; i < d->rank; i++) {
    h->shape[i] = d->shape[i];
    is_empty = is_empty || d->shape[i] == 0;
    if (d->shape[i] > 0) is_huge = is_huge || __builtin_mul_overflow(product, d->shape[i], &product);
  }
  if (is_huge || product > (size_t)PTRDIFF_MAX / ts_dtype_bytes(h->dtype))
    return refuse(why, "its header says a shape of more than 2^63 bytes");
  h->elements = is_empty ? 0 : product;
  return true;
}

/* ---- files ---------------------------------------------------------------------------------------------------- */

/* The number of the header's bytes, from the bytes behind the version. */
static bool read_header_length(uint32_t *length, FILE *stream, int major, char why[NPY_WHY_BYTES]) {
  unsigned char bytes[4] = {0};
  size_t count = major == 1 ? 2 : 4;
  if (fread(bytes, 1, count, stream) != count) return refuse(why, "it ends before its header");
  *length = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
  if (*length > HEADER_BYTES_MAX)
    return refuse(why, "its header is said to have %" PRIu32 " bytes; no array of numbers needs more than %d", *length,
                  HEADER_BYTES_MAX);
  return true;
}

static bool compare_size(const npy_header *h, uint64_t start, uint64_t file_bytes, char why[NPY_WHY_BYTES]) {
  uint64_t wanted = (uint64_t)h->elements * ts_dtype_bytes(h->dtype), there = file_bytes - start;
  if (there == wanted) return true;
  return refuse(why, "its header says %zu elements of %zu bytes, which are %" PRIu64 " bytes; %" PRIu64 " follow, so it is %s",
                h->elements, ts_dtype_bytes(h->dtype), wanted, there,
                there < wanted ? "cut short" : "something else or more than one array");
}

bool npy_read_header(npy_header *header, FILE *stream, uint64_t file_bytes, const ts_dtype *named, char why[NPY_WHY_BYTES]) {
  unsigned char prefix[PREFIX_BYTES];
  size_t got = fread(prefix, 1, sizeof prefix, stream);
  if (got < MAGIC_BYTES || memcmp(prefix, magic, MAGIC_BYTES) != 0)
    return refuse(why, "it is no .npy file: it does not begin with \\x93NUMPY");
  if (got < sizeof prefix) return refuse(why, "it ends before its header");
  int major = prefix[MAGIC_BYTES], minor = prefix[MAGIC_BYTES + 1];
  if (major < 1 || major > 3 || minor != 0)
    return refuse(why, "it is .npy of version %d.%d; 1.0, 2.0 and 3.0 are known", major, minor);

  uint32_t length = 0;
  if (!read_header_length(&length, stream, major, why)) return false;
  char *text = malloc(length + 1u);
  if (!text) return refuse(why, "no memory for its header");
  dictionary d;
  cursor c = {.at = text, .end = text + length};
  bool is_read = fread(text, 1, length, stream) == length;
  is_read = is_read ? take_dictionary(&c, &d, why) : refuse(why, "it ends in its header");
  free(text);
  if (!is_read) return false;

  *header = (npy_header){.is_fortran = d.is_fortran};
  uint64_t start = PREFIX_BYTES + (major == 1 ? 2u : 4u) + length;
  return read_dtype(header, &d, named, why) && read_shape(header, &d, why) && compare_size(header, start, file_bytes, why);
}

FILE *npy_open(npy_header *header, const char *path, const ts_dtype *named, char why[NPY_WHY_BYTES]) {
  struct stat facts;
  if (stat(path, &facts)) {
    refuse(why, "%s", strerror(errno));
    return NULL;
  }
  if (!S_ISREG(facts.st_mode)) { /* asked before it is opened: a pipe would make us wait */
    refuse(why, S_ISDIR(facts.st_mode) ? "it is a folder" : "it is no regular file; save what comes from a pipe to one first");
    return NULL;
  }
  FILE *stream = fopen(path, "rbe");
  if (!stream) {
    refuse(why, "%s", strerror(errno));
    return NULL;
  }
  if (npy_read_header(header, stream, (uint64_t)facts.st_size, named, why)) return stream;
  fclose(stream);
  return NULL;
}

/* ---- elements ------------------------------------------------------------------------------------------------- */

static void swap_bytes(unsigned char *elements, size_t count, size_t bytes) {
  for (size_t i = 0; i < count; i++, elements += bytes)
    for (size_t b = 0; b < bytes / 2; b++) {
      unsigned char low = elements[b];
      elements[b] = elements[bytes - 1 - b];
      elements[bytes - 1 - b] = low;
    }
}

/* Copy from the order in which the first index moves fastest to the one in which the last does. At least one element. */
static void make_row_major(const npy_header *h, unsigned char *to, const unsigned char *from) {
  size_t bytes = ts_dtype_bytes(h->dtype);
  size_t stride[NPY_RANK_MAX], at = 0; /* of `from`, in elements */
  uint64_t index[NPY_RANK_MAX] = {0};
  for (int d = 0; d < h->rank; d++) stride[d] = d > 0 ? stride[d - 1] * (size_t)h->shape[d - 1] : 1;
  for (size_t i = 0; i < h->elements; i++) {
    memcpy(to + i * bytes, from + at * bytes, bytes);
    for (int d = h->rank - 1; d >= 0; d--) { /* the next index, as an odometer counts */
      at += stride[d];
      if (++index[d] < h->shape[d]) break;
      at -= stride[d] * (size_t)h->shape[d];
      index[d] = 0;
    }
  }
}

static bool read_all(FILE *stream, void *to, size_t bytes, char why[NPY_WHY_BYTES]) {
  if (!bytes || fread(to, 1, bytes, stream) == bytes) return true;
  return refuse(why, "%s", ferror(stream) ? strerror(errno) : "it got shorter while it was read");
}

bool npy_read_elements(const npy_header *header, FILE *stream, void *elements, char why[NPY_WHY_BYTES]) {
  size_t bytes = header->elements * ts_dtype_bytes(header->dtype);
  bool must_reorder = header->is_fortran && header->rank > 1 && header->elements > 0;
  unsigned char *from = must_reorder ? malloc(bytes) : elements;
  if (must_reorder && !from)
    return refuse(why, "no memory for a second array of %zu bytes, which its Fortran order needs", bytes);
  bool is_read = read_all(stream, from, bytes, why);
  if (is_read && header->is_swapped) swap_bytes(from, header->elements, ts_dtype_bytes(header->dtype));
  if (is_read && must_reorder) make_row_major(header, elements, from);
  if (must_reorder) free(from);
  return is_read;
}

/* ---- writing -------------------------------------------------------------------------------------------------- */

static const struct spelling *spelling_of(ts_dtype dtype) {
  int i = 0;
  while (spellings[i].dtype != dtype) i++;
  return &spellings[i];
}

void npy_write_header(FILE *stream, ts_dtype dtype, int rank, const uint64_t *shape) {
  const struct spelling *as = spelling_of(dtype);
  char text[2048]; /* 64 lengths of 19 digits and 2 more characters, and the words around them */
  size_t at = 0;
  char order = as->digit == '1' ? '|' : IS_LITTLE_ENDIAN ? '<' : '>';
  at += (size_t)snprintf(text + at, sizeof text - at, "{'descr': '%c%c%c', 'fortran_order': False, 'shape': (", order, as->kind,
                         as->digit);
  for (int d = 0; d < rank; d++) at += (size_t)snprintf(text + at, sizeof text - at, "%s%" PRIu64, d > 0 ? ", " : "", shape[d]);
  at += (size_t)snprintf(text + at, sizeof text - at, "%s), }", rank == 1 ? "," : "");

  enum { START_BYTES = PREFIX_BYTES + 2 };
  while ((START_BYTES + at + 1) % ALIGN_BYTES != 0) text[at++] = ' ';
  text[at++] = '\n';
  fwrite(magic, 1, MAGIC_BYTES, stream);
  const unsigned char rest[] = {1, 0, (unsigned char)(at & 0xff), (unsigned char)(at >> 8)};
  fwrite(rest, 1, sizeof rest, stream);
  fwrite(text, 1, at, stream);
}

const char *npy_stand_in(ts_dtype dtype) {
  const struct spelling *as = spelling_of(dtype);
  if (!as->is_stand_in) return NULL;
  return as->digit == '1' ? "u1" : "u2";
}
