# SPDX-License-Identifier: Apache-2.0
#
# opencl_x86_test.sh: what the backend opencl-x86 finds: each kernel of opencl_x86/faults.c is right, and where it is made wrong
# that is told. The suite's cases there: conform_opencl_x86_*.
. "$TS_SOURCE_DIR/tests/lib.sh"
. "$TS_SOURCE_DIR/tests/npy.sh"
need clang "clang is not installed" command -v clang
need sanitizers "this build has no sanitizers" [ -n "${TENSORSTORAGE_HOST_FLAGS-}" ]
export TENSORSTORAGE_CLANG=clang
mkdir "$scratch/no_drivers"
export OCL_ICD_VENDORS="$scratch/no_drivers"
cd "$TS_SOURCE_DIR/tests/opencl_x86"

# x: 0, 1, … 15 as f32.
{
  printf '\0\0\0\0\0\0\200?\0\0\0@\0\0@@\0\0\200@\0\0\240@\0\0\300@\0\0\340@'
  printf '\0\0\0A\0\0\020A\0\0 A\0\0000A\0\0@A\0\0PA\0\0`A\0\0pA'
} | npy '<f4' '(16,)' >"$scratch/x.npy"

# launch KERNEL FAULT: y goes to $scratch/out.
launch() {
  "$TS_BUILD_DIR/tensorstorage_opencl_x86" run faults.c --device opencl-x86 --kernel "$1" --items 16 --group 16 --arg x_cells=@"$scratch/x.npy" \
    --arg y_cells=-:f32:16 --arg s_cells=16 --arg fault="$2" >"$scratch/out" 2>"$scratch/err"
}
is_right() { launch "$1" 0 && tail -n 1 "$scratch/out" | grep -x '0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15'; }
# tells KERNEL WORDS: the wrong kernel does not come to its end, and WORDS say why.
tells() {
  ! launch "$1" 1 || return 1
  grep -q -- "$2" "$scratch/err" || { head -n 30 "$scratch/err" && return 1; }
}
# is_wrong KERNEL: it ends, and what it computed is what nobody has written.
is_wrong() { launch "$1" 1 && tail -n 1 "$scratch/out" | grep -e '-2.8735182e-16'; }
line_of() { grep -n -- "$1" faults.c | head -n 1 | cut -d : -f 1; }

for kernel in read_beyond shared_beyond local_beyond promise streaming_promise overflow divergent_barrier missing_barrier \
  missing_wait; do
  expect "$kernel is right without its fault" is_right $kernel
done
expect "an element beyond the end is not read unseen" tells read_beyond 'READ of size 16'
expect "it is one behind a buffer" grep -q 'heap-buffer-overflow' "$scratch/err"
expect "nor written, to an argument in shared memory" tells shared_beyond 'WRITE of size 4'
expect "nor one of an array of the work-item" tells local_beyond 'stack-buffer-overflow'
expect "a promise of alignment that is not kept is told, with the user's line" \
  tells promise "^faults.c:$(line_of 'TS_ALIGN(16)), TS_ALIGN(16));'):.*store to misaligned address .* requires 16 byte alignment"
expect "where it is a streaming access, the processor refuses it" tells streaming_promise 'AddressSanitizer: SEGV'
expect "an overflow is told" tells overflow 'runtime error: signed integer overflow'
expect "a barrier that not all reach is told" tells divergent_barrier 'a barrier was not reached by all work-items'
expect "a missing barrier makes the result wrong" is_wrong missing_barrier
expect "so does an asynchronous copy that nobody waits for" is_wrong missing_wait
finish
