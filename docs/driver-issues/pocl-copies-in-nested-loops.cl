/* SPDX-License-Identifier: Apache-2.0
 *
 * PoCL 3.1 ends the process while it compiles this: "Could not find a dominating alternative variable."
 * Its async_work_group_copy has barriers, which stand in two loops here: one of a number of rounds that is not known, and in it
 * one of eight. The group is a single work-item, the copies are of vectors, and there is a barrier before them.
 */
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void issue(__global uint *out) {
  __local uint2 tile[256];
  const __global uint2 *in = (const __global uint2 *)out;
  int rounds = out[0] == 12345 ? 2 : 1;
  event_t e = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < rounds; ++k)
    for (uint r = 0; r != 8; ++r) e = async_work_group_copy(tile + 128 * k + 16 * r, in + 4 * r, 16, e);
  wait_group_events(1, &e);
  for (uint k = 0; k < 64; k++) out[k] = k;
}
