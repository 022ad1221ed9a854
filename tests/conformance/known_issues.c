/* SPDX-License-Identifier: Apache-2.0
 *
 * known_issues.c: the faults of drivers that cases meet. docs/driver-issues/README.md tells more of each, and of those that no
 * case meets, since kernels or the header go around them.
 *
 * A row names the versions that it was seen on, and no more: of another nobody knows.
 */
#include "suite.h"

#define POCL_3_1 "The pocl project", "3.1*"

/* clang-format off */
const ts_known_issue ts_known_issues[] = {
    {POCL_3_1, "TS_GROUP_IS_SERIAL=0", "copy_async.f32.padded.*.by.1x1*", "docs/driver-issues/pocl-copies-in-nested-loops.cl",
     "the compiler aborts on asynchronous copies in nested loops, where a group is one work-item"},
    {POCL_3_1, "TS_GROUP_IS_SERIAL=0", "copy_random_by_group.6.shared.constant.b8.u32.7", "docs/driver-issues/pocl-loops-of-one-round.cl",
     "two loops that have a round for the first work-item alone are taken for code that is never reached"},
    {0}};
/* clang-format on */
