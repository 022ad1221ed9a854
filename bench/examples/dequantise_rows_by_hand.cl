/* SPDX-License-Identifier: Apache-2.0
 *
 * dequantise_rows_by_hand.cl: the work of examples/dequantise_rows.c in plain OpenCL C, in the same form: a work-item for 16 elements
 * of a row, whose columns may be any number.
 */
__kernel void dequantise_rows(const __global char *x, const __global float *scales, __global float *y, int columns, int pitch) {
  long row = (long)get_global_id(1), column = 16 * (long)get_global_id(0), at = row * pitch + column;
  float scale = scales[row];
  if (column + 16 <= columns)
    *(__global float16 *)(y + at) = convert_float16(*(const __global char16 *)(x + at)) * scale;
  else
    for (int i = 0; i < columns - column; ++i) y[at + i] = (float)x[at + i] * scale;
}
