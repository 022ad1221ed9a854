/* SPDX-License-Identifier: Apache-2.0
 *
 * stream.h: LOAD and STORE of the hand-written kernels, with or without a streaming hint.
 *
 * STREAM  0: no hint, 1: stores are streamed, 2: loads too
 */
#if STREAM >= 2
#define LOAD(cells) __builtin_nontemporal_load(cells)
#else
#define LOAD(cells) (*(cells))
#endif
#if STREAM >= 1
#define STORE(value, cells) __builtin_nontemporal_store(value, cells)
#else
#define STORE(value, cells) (*(cells) = (value))
#endif
