/* SPDX-License-Identifier: Apache-2.0
 *
 * On PoCL 3.1 the kernel does not see what fill has stored: out[1] is 0. All calls of fill, which is not inlined, are given one
 * array of __local memory; so LLVM writes that array into fill, and PoCL then gives fill an array of its own.
 */
static __attribute__((noinline)) void fill(__local uint *tile, uint k) { tile[k] = k; }
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void issue(__global uint *out) {
  __local uint tile[64];
  fill(tile, get_local_id(0));
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_local_id(0)] = tile[get_local_id(0)];
}
