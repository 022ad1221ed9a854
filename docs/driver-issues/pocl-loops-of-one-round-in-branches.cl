/* SPDX-License-Identifier: Apache-2.0
 *
 * PoCL 3.1 ends the process while it compiles this: in ParallelRegion::Verify, assertion "Incoming edges to non-entry block!".
 * The loops are those of pocl-loops-of-one-round.cl, in branches that all work-items take alike, between two barriers.
 */
__kernel __attribute__((reqd_work_group_size(2, 1, 1))) void issue(__global uint *out) {
  uint id = get_local_id(0), items = get_local_size(0), number = out[0];
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (number == 0) {
    for (uint v = id; v < 1; v += items) out[v] = 0;
    for (uint v = id; v < 1; v += items) out[v + 1] = 1;
  } else if (number == 1) {
    for (uint v = id; v < 1; v += items) out[v + 1] = 1;
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
  for (uint k = id; k < 64; k += items) out[k] = k;
}
