/* SPDX-License-Identifier: Apache-2.0
 *
 * fuzz_npy.c: any bytes, read as .npy. What is accepted is written and read again: the same array, and NumPy's layout of a
 * file.
 *
 * check_npy.c runs it on tests/npy_corpus/. To look for more (clang, libclang-rt-14-dev):
 *   clang -std=c11 -g -fsanitize=fuzzer,address,undefined -D_POSIX_C_SOURCE=200809L -I . -I host tests/fuzz_npy.c \
 *     host/tool/npy.c build/libtensorstorage.a -o fuzz_npy && ./fuzz_npy -max_len=512 tests/npy_corpus
 */
#define _POSIX_C_SOURCE 200809L
#include "fuzz_npy.h"

#include <stdlib.h>
#include <string.h>

#include "host/tool/npy.h"

static void demand(bool condition) {
  if (!condition) abort();
}

/* Read an array that must be all right. Returns its elements, to be freed. */
static void *read_back(npy_header *header, char *file, size_t bytes, ts_dtype dtype) {
  char why[NPY_WHY_BYTES];
  FILE *stream = fmemopen(file, bytes, "r");
  demand(stream && npy_read_header(header, stream, bytes, &dtype, why));
  void *elements = malloc(header->elements * ts_dtype_bytes(dtype) + 1);
  demand(elements && npy_read_elements(header, stream, elements, why));
  fclose(stream);
  return elements;
}

static void check_round_trip(const npy_header *header, const void *elements) {
  size_t bytes = header->elements * ts_dtype_bytes(header->dtype), file_bytes;
  char *file = NULL;
  FILE *stream = open_memstream(&file, &file_bytes);
  demand(stream);
  npy_write_header(stream, header->dtype, header->rank, header->shape);
  demand(ftell(stream) % 64 == 0);
  fwrite(elements, 1, bytes, stream);
  demand(!fclose(stream));

  npy_header again;
  void *same = read_back(&again, file, file_bytes, header->dtype);
  demand(again.dtype == header->dtype && again.rank == header->rank && again.elements == header->elements);
  demand(!memcmp(again.shape, header->shape, (size_t)header->rank * sizeof header->shape[0]));
  demand(!again.is_fortran && !again.is_swapped && !memcmp(same, elements, bytes));
  free(same);
  free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!size) return 0; /* fmemopen takes no empty file */
  char *copy = malloc(size);
  char why[NPY_WHY_BYTES] = "";
  npy_header header;
  demand(copy);
  memcpy(copy, data, size);
  for (int named = -1; named < (int)TS_DTYPE_COUNT; named++) { /* -1: the dtype is not named */
    ts_dtype dtype = (ts_dtype)named;
    FILE *stream = fmemopen(copy, size, "r");
    demand(stream);
    if (npy_read_header(&header, stream, size, named < 0 ? NULL : &dtype, why)) {
      void *elements = malloc(header.elements * ts_dtype_bytes(header.dtype) + 1);
      demand(elements && header.elements * ts_dtype_bytes(header.dtype) < size);
      demand(npy_read_elements(&header, stream, elements, why));
      check_round_trip(&header, elements);
      free(elements);
    } else {
      demand(why[0]);
    }
    fclose(stream);
  }
  free(copy);
  return 0;
}
