#include "/work/main/core/tables.h"
#include "/work/main/core/choice.h"
#include "/work/main/core/flags.h"
#include "/work/main/opencl/prelude.h"
#include "/work/main/core/storage.h"
#include "/work/main/core/convert.h"
__kernel void k(__global float *x) { x[0] = 1; }
