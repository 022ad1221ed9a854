/* SPDX-License-Identifier: Apache-2.0
 *
 * copies_by_hand.cl: the work of copies.c in plain OpenCL C.
 */
#define TEN(X, tens)                                                                                                           \
  X(tens##0) X(tens##1) X(tens##2) X(tens##3) X(tens##4) X(tens##5) X(tens##6) X(tens##7) X(tens##8) X(tens##9)
#define FIFTY(X) TEN(X, 1) TEN(X, 2) TEN(X, 3) TEN(X, 4) TEN(X, 5)

#define DEFINE(i)                                                                                                              \
  static inline void copy_##i(__local float *to, const __global float *from) {                                                 \
    uint id = get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2));                   \
    uint items = get_local_size(0) * get_local_size(1) * get_local_size(2);                                                    \
    for (uint v = id; v < 32 * 32 / 4; v += items) {                                                                           \
      uint row = v / 8, column = v % 8 * 4;                                                                                    \
      *(__local float4 *)(to + row * (32 + 4 * i) + column) =                                                                  \
          *(const __global float4 *)(from + (long)row * (1024 + 16 * i) + column);                                             \
    }                                                                                                                          \
  }
FIFTY(DEFINE)

#define CALL(i) copy_##i(tile, x + 4 * i);
__kernel void copies(const __global float *x, __global float *y, float a) {
  __local float tile[31 * (32 + 4 * 59) + 32] __attribute__((aligned(16)));
  tile[get_local_id(0)] = a;
  if (a != 1.0f) {
    FIFTY(CALL)
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  y[get_global_id(0)] = tile[get_local_id(0)];
}
