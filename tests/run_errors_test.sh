# SPDX-License-Identifier: Apache-2.0
#
# run_errors_test.sh: what `tensorstorage run` refuses or sees fail: each with its exit code and its sentence, and no file is left.
. "$TS_SOURCE_DIR/tests/lib.sh"
. "$TS_SOURCE_DIR/tests/npy.sh"
use_pocl
unset TENSORSTORAGE_DEVICE

tool=$TS_BUILD_DIR/tensorstorage
work=$scratch/work
mkdir "$work"
cd "$work"

cat >add.c <<'END'
#include "tensorstorage.h"

TS_KERNEL(add, (TS_GLOBAL_CONST_ARG(f32) x_cells, TS_GLOBAL_ARG(f32) y_cells, int a)) {
  ts_index i = (ts_index)ts_global_id(0);
  ts_store(ts_global, f32, 1, ts_bind(ts_global, f32, y_cells), i,
           ts_load(ts_global_const, f32, 1, ts_bind(ts_global_const, f32, x_cells), i, 0) + (float)a, 0);
}
END
cat >more.c <<'END'
#include "tensorstorage.h"

TS_KERNEL(shared, (TS_SHARED_ARG(f64) s_cells, TS_CONSTANT_ARG(bf16) c_cells, TS_GLOBAL_ARG(u8) y_cells)) {
  ts_store(ts_global, u8, 1, ts_bind(ts_global, u8, y_cells), 0, 1, 0);
}

TS_KERNEL(crash, (TS_GLOBAL_ARG(u8) y_cells)) {
  ts_store(ts_global, u8, 1, ts_bind(ts_global, u8, y_cells), (ts_index)1 << 46, 1, 0);
}

TS_KERNEL(at, (TS_GLOBAL_ARG(f32) y_cells, int i)) { ts_store(ts_global, f32, 1, ts_bind(ts_global, f32, y_cells), i, 1, 0); }

TS_KERNEL(endless, (TS_GLOBAL_ARG(u32) y_cells)) {
  for (;;) ts_global_atomic_add(u32, ts_bind(ts_global, u32, y_cells), 0, 1u);
}
END
sed 's/(float)a/(float)b/' add.c >broken.c
sed '/^}/d' add.c >unclosed.c
printf '\0\0\200\077\0\0\200\077' | npy '<f4' '(2,)' >x.npy # two ones
ls >"$scratch/before"

# refuses CODE SENTENCE ARGUMENT...: `run ARGUMENT...` ends with CODE, prints nothing, complains so, and leaves the folder as it was.
refuses() {
  refuses_code=$1
  refuses_sentence=$2
  shift 2
  exits "$refuses_code" "$tool" run "$@" || return 1
  complains "$refuses_sentence" || { cat "$scratch/err" && return 1; }
  [ ! -s "$scratch/out" ] || { cat "$scratch/out" && return 1; }
  ls | diff "$scratch/before" -
}
# The same for add.c on the host, with a good x_cells; for PoCL, the test says so itself.
refuses_add() {
  refuses_add_code=$1
  refuses_add_sentence=$2
  shift 2
  refuses "$refuses_add_code" "$refuses_add_sentence" add.c --device host --items 2 --arg x_cells=@x.npy "$@"
}
y="--arg y_cells=y.npy:f32:2"
the_kernel="The kernel is add(global const f32 x_cells, global f32 y_cells, i32 a)"

# ---- the command line

expect "no file" refuses 2 "run takes a file with a kernel" --items 2
expect "two files" refuses 2 'one file is run: not "more.c" after "add.c"' add.c more.c --items 2
expect "no items" refuses 2 "how many work-items? Give --items, e.g. --items 256" add.c
for items in 0 -1 1, ,1 1,2,3,4 x 1x2 99999999999999999999; do
  expect "items $items" refuses 2 "--items is one to three positive numbers, e.g. 256 or 64,16, not \"$items\"" add.c --items=$items
done
expect "no group" refuses 2 '--group is one to three positive numbers' add.c --items 2 --group 0
expect "repeat" refuses 2 '--repeat is a number from 1 to 1000000, not "0"' add.c --items 2 --repeat 0
expect "timeout" refuses 2 '--timeout is a positive number of seconds, not "-1"' add.c --items 2 --timeout -1
expect "an option without its value" refuses 2 "option --items needs a value" add.c --items
expect "a short option without its value" refuses 2 "option -D needs a value" add.c -D
expect "a misspelt option" refuses 2 'there is no option "--grup"; the nearest is --group' add.c --grup 2
expect "a define that is none" refuses 2 '--define is NAME or NAME=VALUE, not "3=4"' add.c -D 3=4
expect "a standard that is none" refuses 2 '--standard is CL1.2 or CL3.0, not "CL2.0"' add.c --standard CL2.0
expect "a file that is not there" refuses 6 "no.c cannot be read: No such file or directory" no.c --items 2
expect "a file without a name" refuses 6 '"" cannot be read: No such file or directory' "" --items 2
expect "a file that is no text" refuses 6 "x.npy is no text: it has a byte that is 0; give a C source with kernels" x.npy --items 2
expect "a folder" refuses 6 ". cannot be read: Is a directory" . --items 2

# ---- as JSON: what is on stdout when there is no report

# fails_as_json CODE SENTENCE COMMAND...: the object has the exit code, and the sentence that is on stderr too.
fails_as_json() {
  fails_code=$1
  fails_sentence=$2
  shift 2
  exits "$fails_code" "$tool" "$@" || return 1
  complains "$fails_sentence" && says "{\"schema\":1,\"error\":\"$fails_sentence" || { cat "$scratch/out" "$scratch/err" && return 1; }
  says "\"exit\":$fails_code}" || { cat "$scratch/out" && return 1; }
  [ "$(grep -c '' "$scratch/out")" = 1 ]
}
expect "JSON of a misspelt option" fails_as_json 2 "there is no option" run add.c --grup 2 --json
expect "JSON of no file" fails_as_json 6 "no.c cannot be read" run no.c --items 2 --json
expect "JSON of an argument that is wrong, from the kernel's process" fails_as_json 2 "no argument was given for" run add.c --device host --items 2 --json
expect "JSON of a kernel that does not build" fails_as_json 5 "broken.c did not build for host" run broken.c --device host --items 2 --json
expect "JSON of a crash" fails_as_json 5 "more.c, kernel crash on host: crashed: " run more.c --device host --kernel crash --items 1 --arg y_cells=y.npy:u8:1 --json
expect "JSON of devices" fails_as_json 2 "devices takes no argument" devices --json x
expect "JSON of doctor" fails_as_json 2 "doctor takes no argument" doctor --json x
expect "JSON of build" fails_as_json 2 "no --target is given" build add.c --json
expect "JSON of show" fails_as_json 2 "no --target is given" show add.c --json
expect "JSON of a target that does not build" exits 5 "$tool" build broken.c --target host --json
expect "is that target's" grep -q '^{"target":"host","error":".*broken.c did not build.*","exit":5}$' "$scratch/out"
expect "JSON of show for one that does not build" exits 5 "$tool" show broken.c --target host --json
expect "is that target's" grep -q '^{"target":"host","error":".*broken.c did not build.*","exit":5}$' "$scratch/out"
expect "no JSON where none is asked for" exits 2 "$tool" run add.c
expect "stdout is empty" [ ! -s "$scratch/out" ]

# ---- what an argument says

expect "no equals sign" refuses_add 2 '--arg is NAME=WHAT, e.g. x_cells=@in.npy or a=2.5, not "a"' --arg a
expect "no name" refuses_add 2 '--arg is NAME=WHAT' --arg =2
expect "nothing" refuses_add 2 '--arg a: nothing is given after the =' --arg a=
expect "twice" refuses_add 2 '--arg a is given twice' --arg a=1 --arg a=2
expect "no file's name" refuses_add 2 '--arg y_cells: @ is followed by a file' --arg y_cells=@
expect "a misspelt dtype" refuses_add 2 '--arg y_cells: "f322" is no dtype; the nearest is f32' --arg y_cells=y.npy:f322:2
expect "a misspelt dtype of a file" refuses_add 2 '--arg y_cells: "bf61" is no dtype; the nearest is bf16' --arg y_cells=@x.npy:bf61
expect "an output without dtype and shape" refuses_add 2 '--arg y_cells: say what y.npy is to be: y.npy:f32:1024, dtype and shape; or @y.npy to read it' \
  --arg y_cells=y.npy
expect "an output without shape" refuses_add 2 '--arg y_cells: say what - is to be' --arg y_cells=-:f32
expect "an output that is no .npy" refuses_add 2 "--arg y_cells: an output's name ends with .npy and has no colon in it; this one is \"y.bin\"" \
  --arg y_cells=y.bin:f32:2
expect "an output with a colon in its name" refuses_add 2 'has no colon in it; this one is "y_cl"' --arg y_cells=y_cl:0:0.npy:f16:4096
for shape in '' x 2, ,2 2x3 -2; do
  expect "the shape $shape" refuses_add 2 "--arg y_cells: a shape is one number or several, e.g. 1024 or 64,16, not \"$shape\"" \
    --arg "y_cells=y.npy:f32:$shape"
done
for shape in 4294967296,4294967296 9223372036854775808 99999999999999999999 0,99999999999999999999; do
  expect "a huge shape" refuses_add 2 "--arg y_cells: the shape $shape has more than 2^63 bytes" --arg y_cells=y.npy:f32:$shape
done
expect "a number with a shape" refuses_add 2 "--arg a: a number has no shape; a scalar is --arg a=-3, an output --arg a=out.npy:i32:4" \
  --arg a=-3:i32:4
expect "one file for two outputs" refuses_add 2 "--arg y_cells and --arg z both write ./y.npy" $y --arg z=./y.npy:f32:2
expect "an output that another argument reads" refuses_add 2 "--arg y_cells would replace ./x.npy, which --arg x_cells reads; write another file" \
  --arg y_cells=./x.npy:f32:2 --arg a=1
expect "in whatever order" refuses 2 "--arg y_cells would replace x.npy, which --arg x_cells reads" add.c --device host --items 2 \
  --arg y_cells=x.npy:f32:2 --arg x_cells=@x.npy --arg a=1

# ---- devices and kernels

expect "an unknown device" refuses 3 'there is no device "cl:9:9"' add.c --device cl:9:9 --items 2
expect "an unknown kernel, and the nearest" refuses 2 'more.c has no kernel "crsh"; its kernels: crash, ' more.c --device host --items 2 --kernel crsh
expect "which kernel?" refuses 2 'more.c has 4 kernels; choose one with --kernel:' more.c --device host --items 2
echo 'int nothing;' >"$scratch/none.c"
expect "no kernel" refuses 2 "none.c has no kernel; declare one with TS_KERNEL of tensorstorage.h" "$scratch/none.c" --device host --items 2
cat >"$scratch/apostrophe.c" <<'END'
#include "tensorstorage.h"
#if 0
don't
#endif
TS_KERNEL(k, (TS_GLOBAL_ARG(f32) y_cells)) { (void)y_cells; }
END
expect "a kernel that the preprocessor of signatures does not read" refuses 2 "apostrophe.c can't be read, though a compiler takes it" \
  "$scratch/apostrophe.c" --device host --items 2 --arg y_cells=y.npy:f32:2
expect "by the user's line" complains "apostrophe.c:3: error: "
for device in host cl:0:0; do
  expect "$device: a kernel that does not build" refuses 5 "broken.c did not build for $device" broken.c --device $device --items 2 $y
  expect "$device: the line is shown" complains 'broken.c:6'
  expect "$device: the line is shown" complains 'ts_bind(ts_global_const, f32, x_cells), i, 0) + (float)b, 0);'
  # The caret is under the b: in the column of the b of the line above.
  expect "$device: with a caret under the mistake" awk '/\(float\)b, 0\);$/ { at = index($0, "(float)b") + 7 }
    /^[ |]*\^/ && at && index($0, "^") == at { found = 1 } END { exit !found }' "$scratch/err"
  expect "$device: a group that is too large" refuses 2 "1048576 work-items in dimension 0 of a work-group are more than the " add.c --device $device --items 1048576 --group 1048576 --arg x_cells=@x.npy $y --arg a=1
done
sed 1d add.c >"$scratch/bare.c"
sed 's/^  ts_index i.*/  ts_layout rows = ts_layout_make_1(2, 1);/' add.c >"$scratch/dynamic.c"
{ printf '\357\273\277' && cat broken.c; } >"$scratch/marked.c"
for target in host cl:0:0; do
  expect "$target: no include" exits 5 "$tool" run "$scratch/bare.c" --device $target --items 2
  expect "$target: is told" complains 'bare.c uses TS_KERNEL and does not include its header: write #include "tensorstorage.h" before it'
  expect "$target: dynamic layouts that were not asked for" exits 5 "$tool" run "$scratch/dynamic.c" --device $target --items 2
  expect "$target: are told" complains "hint: ts_layout is there where TS_USE_DYNAMIC_LAYOUTS is 1: write #define TS_USE_DYNAMIC_LAYOUTS 1 before"
  expect "$target: a byte order mark is no mistake" exits 5 "$tool" run "$scratch/marked.c" --device $target --items 2
  expect "$target: the mistake behind it is told" complains 'marked.c:6'
done
for compiler in gcc clang; do
  expect "$compiler: a brace that is missing at the end" exits 5 env CC=$compiler "$tool" build unclosed.c --target host
  expect "$compiler: is told" complains "hint: unclosed.c ends inside a function or a type: a } is missing"
done
expect "options of the environment are named" exits 5 env TENSORSTORAGE_HOST_FLAGS=-DN=4 "$tool" run broken.c --device host --items 2
expect "after those of the command" sh -c 'grep -A 1 "^options: -I" "$0" | grep -qx "TENSORSTORAGE_HOST_FLAGS: -DN=4"' "$scratch/err"
expect "no options of the environment" exits 5 env TENSORSTORAGE_HOST_FLAGS= "$tool" run broken.c --device host --items 2
expect "they are not named" sh -c '! grep TENSORSTORAGE_HOST_FLAGS "$0"' "$scratch/err"
expect "a group that does not divide the items" refuses_add 2 "are not a multiple of the 3 of a work-group" --items 8 --group 3 $y --arg a=1
for device in host cl:0:0; do
  expect "$device: more work-items than are counted" refuses 2 "the grid has more than 9223372036854775807 work-items; launch fewer" \
    add.c --device $device --items 4611686018427387904,4 --arg x_cells=@x.npy $y --arg a=1
done
expect "a standard that the device lacks is told by the device" refuses 2 'CL1.1' add.c --device cl:0:0 --items 2 --standard CL1.1

# ---- arguments and parameters

expect "a missing argument" refuses_add 2 'no argument was given for "a"' $y
expect "all that are missing" refuses 2 'no argument was given for "x_cells", "y_cells", "a"' add.c --device host --items 2
expect "the kernel is shown" complains "$the_kernel"
expect "a misspelt argument, and the nearest" refuses_add 2 'add has no parameter "y_cell"; the nearest is "y_cells"' --arg y_cell=y.npy:f32:2
expect "a surplus argument" refuses_add 2 'add has no parameter "z"' $y --arg a=1 --arg z=2
expect "a number for memory" refuses_add 2 "y_cells is global memory: give it a file, --arg y_cells=@in.npy, or what to make, --arg y_cells=out.npy:f32:1024" \
  --arg y_cells=2
expect "the kernel is shown" complains "$the_kernel"
expect "a file for a number" refuses_add 2 "a is a scalar, i32: give it a number, --arg a=2" $y --arg a=@x.npy
expect "an output for a const parameter" refuses 2 "x_cells is const: the kernel can't store to it, so nothing would come out; give it a file to read" \
  add.c --device host --items 2 --arg x_cells=y.npy:f32:2
expect "a const parameter written back" refuses 2 "x_cells is const" add.c --device host --items 2 --arg x_cells=@x.npy:y.npy
printf '\0\0\0\0\0\0\0\0' | npy '<u4' '(2,)' >"$scratch/u4.npy"
printf '\0\0\0\0' | npy '<i2' '(2,)' >"$scratch/i2.npy"
expect "another dtype in the file" refuses_add 2 "y_cells is f32, and $scratch/i2.npy holds i16" --arg "y_cells=@$scratch/i2.npy"
expect "bits that may be meant so" refuses_add 2 "y_cells is f32, and $scratch/u4.npy holds u32; if these are the bits of f32: --arg y_cells=@$scratch/u4.npy:f32" \
  --arg "y_cells=@$scratch/u4.npy"
expect "another dtype for an output" refuses_add 2 "y_cells is f32, and its --arg says f16" --arg y_cells=y.npy:f16:2
expect "another dtype for a scalar" refuses_add 2 "a is i32, and its --arg says f32" $y --arg a=1:f32
expect "a scalar that is no number" refuses_add 2 '--arg a: "2.5" is no whole number; i32 goes from -2147483648 to 2147483647' $y --arg a=2.5
expect "a scalar that does not fit" refuses_add 2 '--arg a: 2147483648 does not fit: i32 goes from -2147483648 to 2147483647' $y --arg a=2147483648
expect "a file for shared memory" refuses 2 "s_cells is shared memory: give it the number of its f64 elements, --arg s_cells=1024" \
  more.c --device host --items 1 --kernel shared --arg s_cells=@x.npy
expect "bytes for shared memory of a known dtype" refuses 2 "s_cells is shared memory: give it the number of its f64 elements" \
  more.c --device host --items 1 --kernel shared --arg s_cells=8:shared
expect "no shared memory" refuses 2 '"s_cells" was given no element' more.c --device host --items 1 --kernel shared --arg s_cells=0
expect "too much shared memory" refuses 2 '"s_cells" was given 1000000 elements of 8 bytes' more.c --device host --items 1 --kernel shared --arg s_cells=1000000
expect "an output for constant memory" refuses 2 "c_cells is const" more.c --device host --items 1 --kernel shared --arg s_cells=1 --arg c_cells=c.npy:bf16:2
text_bytes 70000 | npy '<u2' '(35000,)' >"$scratch/large.npy"
expect "too much constant memory" refuses 2 "c_cells: 70000 bytes are more than the constant memory of " more.c --device host --items 1 --kernel shared --arg s_cells=1 \
  --arg "c_cells=@$scratch/large.npy:bf16"

printf '__kernel void plain(__global float *y, float a) { y[0] = a; }\n' >"$scratch/plain.cl"
expect "a number without a dtype where there is no signature" refuses 2 "--arg 1: what 1 is can't be read; say its dtype, --arg 1=2.5:f32" \
  "$scratch/plain.cl" --device cl:0:0 --items 1 --arg 0=y.npy:f32:1 --arg 1=2.5
echo 'void plain(float *y) { y[0] = 0; }' >"$scratch/plain.c"
expect "a kernel without a signature on the host" refuses 2 'plain.c has no kernel "plain"; it has none: declare it with TS_KERNEL' \
  "$scratch/plain.c" --device host --items 1 --kernel plain

# ---- files

expect "an input that is not there" refuses_add 6 "no.npy, for y_cells: No such file or directory" --arg y_cells=@no.npy
expect "an input that is no .npy" refuses_add 6 "add.c, for y_cells: it is no .npy file: it does not begin with \\x93NUMPY" --arg y_cells=@add.c
expect "an empty input" refuses_add 6 "/dev/null, for y_cells: it is no regular file" --arg y_cells=@/dev/null
head -c 40 x.npy >"$scratch/cut.npy"
expect "an input cut in its header" refuses_add 6 "it ends in its header" --arg "y_cells=@$scratch/cut.npy"
head -c "$(($(wc -c <x.npy) - 1))" x.npy >"$scratch/cut.npy"
expect "an input cut in its elements" refuses_add 6 "2 elements of 4 bytes, which are 8 bytes; 7 follow, so it is cut short" \
  --arg "y_cells=@$scratch/cut.npy"
npy '<f4' '(1000000000000,)' </dev/null >"$scratch/lies.npy"
expect "an input that lies" refuses_add 6 "which are 4000000000000 bytes; 0 follow, so it is cut short" --arg "y_cells=@$scratch/lies.npy"
npy '<f4' '(1099511627776,)' </dev/null >"$scratch/huge.npy"
if truncate -s $(($(wc -c <"$scratch/huge.npy") + 4398046511104)) "$scratch/huge.npy" 2>/dev/null; then
  expect "an input of 4 TiB, all there" refuses_add 2 "y_cells: 4398046511104 bytes are more than " --arg "y_cells=@$scratch/huge.npy"
  expect "the limit is told" complains "bytes; ask for less"
fi
for device in host cl:0:0; do
  expect "$device: more memory than there is" refuses 2 "y_cells: 40000000000000 bytes are more than the largest buffer of " add.c --device $device --items 2 \
    --arg x_cells=@x.npy --arg y_cells=y.npy:f32:10000000000000
done
# broken.c does not build: that the output's trouble is told shows that it was found before.
expect "an output in a folder that is not there" refuses 6 "no/y.npy cannot be written: No such file or directory" broken.c --device host \
  --items 2 --arg y_cells=no/y.npy:f32:2
mkdir "$scratch/folder.npy"
expect "an output that is a folder" refuses 6 "folder.npy cannot be written: it is a folder" broken.c --device host --items 2 \
  --arg "y_cells=$scratch/folder.npy:f32:2"
if [ -c /dev/full ]; then
  expect "a report that cannot be printed exits with 6" exits 6 sh -c '"$0" run add.c --device host --items 2 --arg x_cells=@x.npy \
    --arg y_cells=-:f32:2 --arg a=1 >/dev/full' "$tool"
fi

# ---- kernels that fail

for device in host cl:0:0; do
  expect "$device: a store past the end" refuses 5 "the kernel stored past the end of y_cells: to element 1, counted from 0, of 1; give it more elements" \
    add.c --device $device --items 2 --arg x_cells=@x.npy --arg y_cells=y.npy:f32:1 --arg a=1
  for i in -1 -16384; do
    expect "$device: a store before the start, $i" refuses 5 "the kernel stored before the start of y_cells: to element $i; an index became negative" \
      more.c --device $device --kernel at --items 1 --arg y_cells=y.npy:f32:2 --arg i=$i
  done
  # A sanitizer would end the process in its own way: the crash is to be one.
  expect "$device: a crash" exits 5 env ASAN_OPTIONS=handle_segv=0:handle_sigbus=0 "$tool" run more.c --device $device --kernel crash --items 1 \
    --arg y_cells=y.npy:u8:1
  expect "$device: a crash is told by its signal" complains "more.c, kernel crash on $device: crashed: signal 11"
  expect "$device: and what it mostly comes from" complains \
    "The kernel probably loaded or stored outside a buffer, or at an address less aligned than its TS_ALIGN promises"
  expect "$device: a crash" refuses 5 "more.c, kernel crash on $device: crashed: " more.c --device $device --kernel crash --items 1 \
    --arg y_cells=y.npy:u8:1
  expect "$device: it is told when" complains "while it was running the kernel; no output is written"
  expect "$device: one that never ends" refuses 5 "more.c, kernel endless on $device: timed out after 4 s (--timeout) while it was running the kernel" \
    more.c --device $device --kernel endless --items 1 --arg y_cells=y.npy:u32:1 --timeout 4
done
# Crashes when it is unloaded, as one does that overwrote what the driver needs at its end.
cat >"$scratch/late.c" <<'END'
#include "tensorstorage.h"
int atexit(void (*function)(void));
void abort(void);
TS_KERNEL(late, (TS_GLOBAL_ARG(u8) y_cells)) {
  (void)y_cells;
  atexit(abort);
}
END
expect "a crash after the kernel" refuses 5 "kernel late on host: crashed: signal 6" "$scratch/late.c" --device host --items 1 --arg y_cells=y.npy:u8:1
expect "is told to come from the kernel" complains \
  "The kernel had ended before; it probably stored outside its buffers, over memory that is not its own"
# The same by a kernel that was seen to store past an end: that is the one verdict.
sed 's/(void)y_cells/ts_store(ts_global, u8, 1, ts_bind(ts_global, u8, y_cells), 1, 1, 0)/' "$scratch/late.c" >"$scratch/past_and_late.c"
expect "a crash of a kernel that stored past an end" refuses 5 "the kernel stored past the end of y_cells: to element 1" \
  "$scratch/past_and_late.c" --device host --items 1 --arg y_cells=y.npy:u8:1
expect "is not told" [ "$(grep -c '^tensorstorage: ' "$scratch/err")" = 1 ]
cp x.npy "$scratch/kept.npy"
expect "a crash leaves an output that was there" exits 5 "$tool" run more.c --device host --kernel crash --items 1 \
  --arg "y_cells=$scratch/kept.npy:u8:1"
expect "as it was" cmp x.npy "$scratch/kept.npy"

# PoCL draws what it can't compile, and ends the process: not in the user's folder. Another version may compile it.
issue=$TS_SOURCE_DIR/docs/driver-issues/pocl-copies-in-nested-loops.cl
"$tool" run "$issue" --device cl:0:0 --items 1 --group 1 --arg 0=-:u32:1024 >"$scratch/out" 2>"$scratch/err" || true
expect "PoCL: no drawing is left" sh -c 'ls | diff "$0" -' "$scratch/before"

# A compiler that is killed leaves no file.
printf '#!/bin/sh\n[ "$1" = --version ] || exec sleep 30\n' >"$scratch/slow_cc"
chmod +x "$scratch/slow_cc"
mkdir "$scratch/tmp"
expect "a compiler that takes too long" exits 5 env CC="$scratch/slow_cc" TMPDIR="$scratch/tmp" "$tool" run more.c --device host \
  --kernel endless --items 1 --arg y_cells=-:u32:1 --timeout 1
expect "it is told when" complains "timed out after 1 s (--timeout) while it was building the program"
expect "nothing is left in TMPDIR" [ -z "$(ls -A "$scratch/tmp")" ]

# Interrupted: the kernel and the temporary go.
"$tool" run more.c --device host --kernel endless --items 1 --arg y_cells=y.npy:u32:1 >/dev/null 2>&1 &
tool_pid=$!
sleep 3
kill -TERM $tool_pid
code=0
wait $tool_pid || code=$?
expect "SIGTERM ends it with 143" [ $code = 143 ]
expect "and leaves nothing" sh -c 'ls | diff "$0" -' "$scratch/before"

finish
