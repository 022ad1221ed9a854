/* SPDX-License-Identifier: Apache-2.0
 *
 * require.h: skip a test program that lacks something, or fail if it was required. tests/lib.sh is the same for shell.
 */
#ifndef TS_TESTS_REQUIRE_H
#define TS_TESTS_REQUIRE_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Is `requirement` one of the names in TENSORSTORAGE_REQUIRE, which are separated by commas? */
static inline bool ts_is_required(const char *requirement) {
  const char *name = getenv("TENSORSTORAGE_REQUIRE");
  while (name) {
    size_t length = strcspn(name, ",");
    if (length == strlen(requirement) && !strncmp(name, requirement, length)) return true;
    name = name[length] ? name + length + 1 : NULL;
  }
  return false;
}

/* Go on if `condition` holds. Else the whole program is skipped for `reason`, or it fails if TENSORSTORAGE_REQUIRE names
 * the requirement. Call it from main, before any suite runs: cases that need a device are a program of their own, since
 * CTest counts programs. */
static inline void ts_skip_unless(const char *requirement, bool condition, const char *reason) {
  if (condition) return;
  if (ts_is_required(requirement)) {
    printf("FAILED: %s, and TENSORSTORAGE_REQUIRE names %s\n", reason, requirement);
    exit(EXIT_FAILURE);
  }
  printf("SKIP: %s\n", reason);
  exit(77);
}

#endif
