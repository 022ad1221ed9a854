/* SPDX-License-Identifier: Apache-2.0
 *
 * PoCL 3.1 takes two loops after each other, which have a round for the first work-item and none for the others, for code that is
 * never reached, and drops what leads to them. Of this kernel nothing is left (parallel.bc is `unreachable` alone), so that what
 * lies behind it in memory runs: a segmentation fault, mostly. With a loop before them, that loop loses its end.
 */
__kernel __attribute__((reqd_work_group_size(2, 1, 1))) void issue(__global uint *out) {
  uint id = get_local_id(0), items = get_local_size(0);
  for (uint v = id; v < 1; v += items) out[v] = 0;
  for (uint v = id; v < 1; v += items) out[v + 1] = 1;
  barrier(CLK_GLOBAL_MEM_FENCE);
  for (uint k = id; k < 64; k += items) out[k] = k;
}
