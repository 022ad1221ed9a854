/* SPDX-License-Identifier: Apache-2.0
 *
 * fuzz_npy.h: the entry that libFuzzer calls, for the test that replays its corpus.
 */
#ifndef TS_TESTS_FUZZ_NPY_H
#define TS_TESTS_FUZZ_NPY_H

#include <stddef.h>
#include <stdint.h>

/* Read the bytes as a file. Aborts if anything is wrong with how they are read; that they are refused is fine. Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
