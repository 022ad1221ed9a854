# SPDX-License-Identifier: Apache-2.0
#
# run_test.sh: `tensorstorage run` on the host and on PoCL: every kind of argument arrives, and what comes out is right. What it
# refuses is in run_errors_test.sh; what NumPy reads of its files in numpy_test.sh.
. "$TS_SOURCE_DIR/tests/lib.sh"
. "$TS_SOURCE_DIR/tests/npy.sh"
use_pocl
unset TENSORSTORAGE_DEVICE

tool=$TS_BUILD_DIR/tensorstorage
corpus=$TS_SOURCE_DIR/tests/npy_corpus
cd "$scratch"

cat >kernels.c <<'END'
#include "tensorstorage.h"
#include "twice.h"

/* y = x + a */
TS_KERNEL(add, (TS_GLOBAL_CONST_ARG(f32) x_cells, TS_GLOBAL_ARG(f32) y_cells, float a)) {
  ts_index i = (ts_index)ts_global_id(0);
  ts_store(ts_global, f32, 1, ts_bind(ts_global, f32, y_cells), i,
           ts_load(ts_global_const, f32, 1, ts_bind(ts_global_const, f32, x_cells), i, 0) + a, 0);
}

/* x = twice x, in place */
TS_KERNEL(twice_in_place, (TS_GLOBAL_ARG(i32) x_cells)) {
  ts_global_i32 x = ts_bind(ts_global, i32, x_cells);
  ts_index i = (ts_index)ts_global_id(0);
  ts_store(ts_global, i32, 1, x, i, TWICE(ts_load(ts_global, i32, 1, x, i, 0)), 0);
}

/* each group turns its items around, by way of shared memory; c is added */
TS_KERNEL(turn, (TS_CONSTANT_ARG(u8) c_cells, TS_SHARED_ARG(i32) s_cells, TS_GLOBAL_ARG(i32) y_cells)) {
  ts_shared_i32 s = ts_bind(ts_shared, i32, s_cells);
  int item = ts_item_in_group(0);
  ts_store(ts_shared, i32, 1, s, item, (int)ts_global_id(0), 0);
  ts_barrier();
  ts_store(ts_global, i32, 1, ts_bind(ts_global, i32, y_cells), (ts_index)ts_global_id(0),
           ts_load(ts_shared, i32, 1, s, ts_group_size(0) - 1 - item, 0) +
               ts_load(ts_constant, u8, 1, ts_bind(ts_constant, u8, c_cells), 2, 0), 0);
}

/* where each work-item is */
TS_KERNEL(ids, (TS_GLOBAL_ARG(i64) y_cells)) {
  ts_index at = ((ts_index)ts_global_id(2) * 3 + (ts_index)ts_global_id(1)) * 4 + (ts_index)ts_global_id(0);
  ts_store(ts_global, i64, 1, ts_bind(ts_global, i64, y_cells), at,
           (ts_i64)(100 * ts_global_id(2) + 10 * ts_global_id(1) + ts_global_id(0)), 0);
}

/* the bits of a scalar of each size */
TS_KERNEL(scalars, (ts_i8 a, ts_u16 b, ts_f16 c, unsigned d, ts_u64 e, TS_GLOBAL_ARG(u64) y_cells)) {
  ts_global_u64 y = ts_bind(ts_global, u64, y_cells);
  ts_store(ts_global, u64, 1, y, 0, (ts_u64)(ts_i64)a, 0);
  ts_store(ts_global, u64, 1, y, 1, b, 0);
  ts_store(ts_global, u64, 1, y, 2, (ts_u64)ts_convert(f32, f16, 1, c), 0);
  ts_store(ts_global, u64, 1, y, 3, d, 0);
  ts_store(ts_global, u64, 1, y, 4, e, 0);
}

/* 1.5 in each of the dtypes that NumPy lacks */
TS_KERNEL(lacking, (TS_GLOBAL_ARG(bf16) a_cells, TS_GLOBAL_ARG(f8e4m3fn) b_cells, TS_GLOBAL_ARG(f8e5m2) c_cells)) {
  ts_store(ts_global, bf16, 1, ts_bind(ts_global, bf16, a_cells), 0, ts_convert(bf16, f32, 1, 1.5f), 0);
  ts_store(ts_global, f8e4m3fn, 1, ts_bind(ts_global, f8e4m3fn, b_cells), 0, ts_convert(f8e4m3fn, f32, 1, 1.5f), 0);
  ts_store(ts_global, f8e5m2, 1, ts_bind(ts_global, f8e5m2, c_cells), 0, ts_convert(f8e5m2, f32, 1, 1.5f), 0);
}
END
mkdir "a folder"
echo '#define TWICE(x) (2 * (x) + PLUS)' >"a folder/twice.h"
sed '/^TS_KERNEL(add,/,/^}/!{/^#/!d}; /twice\.h/d' kernels.c >add.c
printf '\001\002\003' | npy '|u1' '(3,)' >constant.npy
printf '\001\0\0\0\377\377\377\377' | npy '<i4' '(2,)' >two.npy

run() { "$tool" run "$@"; }
# kernels.c with the folder of its header and a macro; DEVICE and KERNEL come first.
run_kernel() {
  run_kernel_device=$1
  run_kernel_name=$2
  shift 2
  run kernels.c --device "$run_kernel_device" --kernel "$run_kernel_name" -I "a folder" -D PLUS=0 "$@"
}
# shows LINE: exactly this line was printed.
shows() { grep -Fqx -- "$1" "$scratch/out" || { cat "$scratch/out" && return 1; }; }
# holds FILE HEX: these are its elements.
holds() { [ "$(elements "$1")" = "$2" ] || { elements "$1" && return 1; }; }

for device in host cl:0:0; do
  expect "$device: a file is read, and the result printed" exits 0 run add.c --device $device --items 3 --arg a=0.5 \
    --arg "x_cells=@$corpus/numpy_f4.npy" --arg y_cells=-:f32:3
  expect "$device: the device is told" grep -q "^device  $device  " out
  expect "$device: the kernel is told" shows "kernel  add(global const f32 x_cells, global f32 y_cells, f32 a)"
  expect "$device: the only kernel needs no name, and the elements are right" shows "0.5 1.5 100.5"
  expect "$device: nothing else is said" [ ! -s err ]

  expect "$device: an output is written" exits 0 run add.c --device $device --items 3 --arg a=0x1p-1 \
    --arg "x_cells=@$corpus/numpy_f4.npy" --arg y_cells=y.npy:f32:3,1
  expect "$device: the output is told" shows "wrote   y.npy  f32 (3, 1)"
  expect "$device: it has 0.5, 1.5, 100.5" holds y.npy 0000003f0000c03f0000c942
  expect "$device: its header is NumPy's" grep -aq "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 1), } " y.npy

  expect "$device: in place, from a big-endian file, written back to another" exits 0 run_kernel $device twice_in_place --items 24 \
    --arg "x_cells=@$corpus/numpy_swapped.npy:back.npy"
  expect "$device: it has 0, 2, … 46" holds back.npy "$(for i in $(seq 0 2 46); do printf '%02x000000' "$i"; done)"
  cp two.npy same.npy
  chmod 640 same.npy
  expect "$device: written back to the same file" exits 0 run_kernel $device twice_in_place --items 2 --arg x_cells=@same.npy:same.npy
  expect "$device: it has 2, -2" holds same.npy 02000000feffffff
  expect "$device: the file keeps its mode" [ "$(stat -c %a same.npy)" = 640 ]
  expect "$device: the macro's value arrives" exits 0 run kernels.c --device $device --kernel twice_in_place --items 2 \
    --include "a folder" --define PLUS=1 --arg x_cells=@two.npy:same.npy
  expect "$device: it has 3, -1" holds same.npy 03000000ffffffff

  expect "$device: shared memory by its elements, and a constant buffer" exits 0 run_kernel $device turn --items 8 --group 4 \
    --arg c_cells=@constant.npy --arg s_cells=4 --arg y_cells=-:i32:8
  expect "$device: each group is turned, and 3 added" shows "6 5 4 3 10 9 8 7"

  expect "$device: three dimensions" exits 0 run_kernel $device ids --items 4,3,2 --group 2,1,2 --arg y_cells=-:i64:6,4
  expect "$device: the sizes are told" shows "items   4 x 3 x 2 in groups of 2 x 1 x 2"
  expect "$device: a row is a line" shows "120 121 122 123"
  expect "$device: six rows" [ "$(grep -c '^[0-9]* [0-9]* [0-9]* [0-9]*$' out)" = 6 ]

  expect "$device: scalars of each size" exits 0 run_kernel $device scalars --items 1 --arg a=-128 --arg b=0xffff --arg c=2048 \
    --arg d=4294967295 --arg e=18446744073709551615 --arg y_cells=-:u64:5
  expect "$device: their values arrive" shows "18446744073709551488 65535 2048 4294967295 18446744073709551615"

  expect "$device: bf16 and f8 are written" exits 0 run_kernel $device lacking --items 1 --arg a_cells=a.npy:bf16:1 \
    --arg b_cells=b.npy:f8e4m3fn:1 --arg c_cells=c.npy:f8e5m2:1
  expect "$device: bf16 as u2, with a notice" complains "a.npy holds the bits of bf16 as u2, since NumPy has no bf16; @a.npy:bf16 reads them"
  expect "$device: f8 as u1" complains "b.npy holds the bits of f8e4m3fn as u1"
  expect "$device: the bits of 1.5" holds a.npy c03f
  expect "$device: the bits of 1.5" holds b.npy 3c
  expect "$device: the bits of 1.5" holds c.npy 3e
  expect "$device: they can be read again" exits 0 run_kernel $device lacking --items 1 --arg a_cells=@a.npy:bf16 \
    --arg b_cells=@b.npy:f8e4m3fn:b.npy --arg c_cells=-:f8e5m2:1
  expect "$device: and printed as a number" shows "1.5"

  expect "$device: repeated" exits 0 run_kernel $device twice_in_place --items 2 --arg x_cells=@two.npy:same.npy --repeat 3
  expect "$device: the output is that of the first launch" holds same.npy 02000000feffffff
  expect "$device: times are told" grep -q '^time    [0-9.e-]* ms least, [0-9.e-]* ms median of 3 launches after a first of' out
  expect "$device: 8 bytes were read and 8 written" grep -q '^rate    [0-9.e+-]* GB/s at the median: 16 bytes' out

  # Loads, stores, conversions and single operations: the same bytes on every device.
  text_bytes 4096 | npy '<u2' '(2048,)' >bits.npy
  text_bytes 4096 | npy '|u1' '(4096,)' >bytes.npy
  text_bytes 512 | npy '<u4' '(128,)' >scales.npy
  examples=$TS_SOURCE_DIR/examples
  of=${device%%:*}
  expect "$device: scale.c" exits 0 run "$examples/scale.c" --device $device --items 256 --group 256 --arg a=-0.3 \
    --arg x_cells=@bits.npy:f16 --arg "y_cells=scale_$of.npy:f32:1024"
  for dtype in i8 f8e4m3fn f8e5m2; do
    expect "$device: dequantise.c of $dtype" exits 0 run "$examples/dequantise.c" --device $device -D SRC_T=$dtype --items 1024 \
      --arg "x_cells=@bytes.npy:$dtype" --arg scale_cells=@scales.npy:f32 --arg "y_cells=dequantise_${dtype}_$of.npy:f32:4096"
  done
  expect "$device: dequantise.c of bf16" exits 0 run "$examples/dequantise.c" --device $device -D SRC_T=bf16 --items 512 \
    --arg x_cells=@bits.npy:bf16 --arg scale_cells=@scales.npy:f32 --arg "y_cells=dequantise_bf16_$of.npy:f32:2048"
  expect "$device: histogram.c" exits 0 run "$examples/histogram.c" --device $device --items 512 --group 64 \
    --arg x_cells=@bytes.npy --arg "bin_cells=histogram_$of.npy:u32:256" --arg count=4096
done
for name in scale dequantise_i8 dequantise_f8e4m3fn dequantise_f8e5m2 dequantise_bf16 histogram; do
  expect "$name: the host and PoCL give the same bytes" cmp ${name}_host.npy ${name}_cl.npy
  expect "$name: they are not zeros" grep -q '[1-9a-f]' <<END
$(elements ${name}_host.npy)
END
done

expect "PoCL: how it is built can be said" exits 0 run kernels.c --device cl:0:0 --kernel twice_in_place --items 2 -I "a folder" \
  --standard CL1.2 --fast-math --option="-DPLUS=5 -cl-denorms-are-zero" --arg x_cells=@two.npy:same.npy
expect "PoCL: it has 7, 3" holds same.npy 0700000003000000

expect "the default device is told" exits 0 run add.c --items 3 --arg a=0 --arg "x_cells=@$corpus/numpy_f4.npy" --arg y_cells=-:f32:3
expect "it is the first OpenCL device" grep -q "^device  cl:0:0  " out
expect "the environment chooses" exits 0 env TENSORSTORAGE_DEVICE=host "$tool" run add.c --items 3 --arg a=0 \
  --arg "x_cells=@$corpus/numpy_f4.npy" --arg y_cells=-:f32:3
expect "it is the host" grep -q "^device  host  " out

# Dimensions that are not given are 1.
cat >grid.c <<'END'
#include "tensorstorage.h"
TS_KERNEL(grid, (TS_GLOBAL_ARG(i32) y_cells)) {
  ts_global_i32 y = ts_bind(ts_global, i32, y_cells);
  ts_index i = (ts_index)(ts_global_id(0) + 8 * ts_global_id(1));
  ts_store(ts_global, i32, 1, y, i, 100 * ts_group_size(0) + 10 * ts_group_size(1) + ts_group_size(2), 0);
}
END
for device in host cl:0:0; do
  expect "$device: a group of fewer dimensions" exits 0 run grid.c --device $device --items 8,3 --group 4 --arg y_cells=-:i32:3,8
  expect "$device: has 4 x 1 x 1" [ "$(grep -c '^411 411 411 411 411 411 411 411$' out)" = 3 ]
done

expect "what was read is printed" exits 0 run add.c --device host --items 3 --arg a=0.5 --arg "x_cells=@$corpus/numpy_f4.npy" \
  --arg "y_cells=@$corpus/numpy_f4.npy:-"
expect "as it is afterwards" shows "0.5 1.5 100.5"
expect "its dtype may be said" exits 0 run add.c --device host --items 3 --arg a=0.5 --arg "x_cells=@$corpus/numpy_f4.npy" \
  --arg "y_cells=@$corpus/numpy_f4.npy:f32:-" --json
expect "JSON has it" says '"elements":[0.5,1.5,100.5]'

expect "JSON" exits 0 run add.c --device host --items 3 --arg a=inf --arg "x_cells=@$corpus/numpy_f4.npy" --arg y_cells=-:f32:3 --json --repeat 2
expect "JSON has the kernel" says '"kernel":"add","is_checked":true,"items":[3],"group":[],'
expect "JSON has what is no number as text" says '"elements":["inf","inf","inf"]'
expect "JSON counts the bytes" says '"repeats":2,'
expect "JSON counts the bytes" says '"bytes":24,'

# A kernel without TS_KERNEL: by position.
cat >plain.cl <<'END'
__kernel void add(__global const float *x, __global float *y, float a, __local int *s) {
  s[get_local_id(0)] = 1;
  y[get_global_id(0)] = x[get_global_id(0)] + a * s[get_local_id(0)];
}
END
expect "a kernel without a signature" exits 0 run plain.cl --device cl:0:0 --items 3 --arg "0=@$corpus/numpy_f4.npy" --arg 1=-:f32:3 \
  --arg 2=0.5:f32 --arg 3=64:shared
expect "it is told that nothing is checked" complains \
  "no TS_KERNEL of add could be read: its arguments go by position, --arg 0=…, and nothing checks them"
expect "it runs" shows "0.5 1.5 100.5"
expect "the report says so too" says "add(0, 1, 2, 3), arguments unchecked"

finish
