/* SPDX-License-Identifier: Apache-2.0
 *
 * npy.h: NumPy's .npy files: the header, and the elements in row-major order and this machine's byte order.
 *
 * One array of one of our dtypes; no structured dtypes, no Python objects. It knows no device and prints nothing: what is
 * wrong is a sentence for the caller, without the file's name.
 * Source: numpy.lib.format, "NPY format", versions 1.0, 2.0 and 3.0.
 */
#ifndef TS_TOOL_NPY_H
#define TS_TOOL_NPY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "tensorstorage_host.h"

enum {
  NPY_RANK_MAX = 64, /* NumPy's own */
  NPY_WHY_BYTES = 512
};

typedef struct npy_header {
  ts_dtype dtype;
  bool is_bits;    /* the file holds unsigned numbers or raw bytes, and may be meant as another dtype of the same size */
  bool is_swapped; /* the file's byte order is not this machine's */
  bool is_fortran; /* the first index moves fastest */
  int rank;
  uint64_t shape[NPY_RANK_MAX];
  size_t elements; /* the product of the shape; so many elements fit into SIZE_MAX bytes */
} npy_header;

/* Open a file and read its header. Returns a stream that stands at the first element, to be closed; NULL: see `why`.
 *
 * named    the dtype that the user says it is; NULL: the file's own. Raw bytes, and 8-bit floats, must be named
 * Errors   no regular file, no .npy, a header that breaks the format or lies about the file's size, another dtype. */
FILE *npy_open(npy_header *header, const char *path, const ts_dtype *named, char why[NPY_WHY_BYTES]);

/* The same for a stream of file_bytes bytes that stands at its start. */
bool npy_read_header(npy_header *header, FILE *stream, uint64_t file_bytes, const ts_dtype *named, char why[NPY_WHY_BYTES]);

/* Read what follows the header.
 *
 * elements  [header->elements] out: row-major, whatever the file's order; undefined on failure
 * Errors    the file got shorter; memory for a second array, which a file in Fortran order needs. */
bool npy_read_elements(const npy_header *header, FILE *stream, void *elements, char why[NPY_WHY_BYTES]);

/* Write a header of version 1.0, padded to a multiple of 64 bytes; row-major elements in this machine's byte order are to
 * follow. Errors of the stream are left for its owner to see.
 *
 * shape    [rank], rank <= NPY_RANK_MAX */
void npy_write_header(FILE *stream, ts_dtype dtype, int rank, const uint64_t *shape);

/* What stands in for a dtype that NumPy lacks: "u2" for bf16, "u1" for f8; NULL for all that it has. */
const char *npy_stand_in(ts_dtype dtype);

#endif
