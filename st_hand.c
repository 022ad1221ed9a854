__kernel void k(__global float *x) { x[0] = 1; }
