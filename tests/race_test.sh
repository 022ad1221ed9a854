# SPDX-License-Identifier: Apache-2.0
#
# race_test.sh: the backends cuda-shim and opencl-x86 under ThreadSanitizer, to which each work-item is a thread that only barriers
# order: cases of the suite are free of races, and a barrier that is missing is found.
. "$TS_SOURCE_DIR/tests/lib.sh"
. "$TS_SOURCE_DIR/tests/npy.sh"
need cc "there is no C compiler" command -v "$CC"
need "$CXX" "$CXX is not installed" command -v "$CXX"
need clang "clang is not installed" command -v clang
unset ASAN_OPTIONS LSAN_OPTIONS
cd "$TS_SOURCE_DIR"

echo 'int main(void) { return 0; }' >"$scratch/nothing.c"
expect "a program compiles under ThreadSanitizer" "$CC" -fsanitize=thread -o "$scratch/nothing" "$scratch/nothing.c"
need tsan "ThreadSanitizer does not run on this kernel" "$scratch/nothing"

# A tree of its own beside the others, so that the next run only builds what has changed.
tree=$TS_BUILD_DIR/thread-sanitizer
expect "the tree is configured for ThreadSanitizer" cmake -S . -B "$tree" -G Ninja -D TS_CUDA_SHIM=ON -D TS_OPENCL_X86=ON \
  -D CMAKE_C_COMPILER="$CC" -D CMAKE_C_FLAGS='-fsanitize=thread -g -O1'
expect "the tree builds under ThreadSanitizer" cmake --build "$tree" --target tensorstorage_cuda_shim run_scale_cuda_shim tensorstorage_opencl_x86
tool=$tree/tensorstorage_cuda_shim
run_scale=$tree/tests/cuda_shim/run_scale_cuda_shim

# ThreadSanitizer's own check of what is printed crashes in libmcpp, which also compares names with memcmp, past the end of the
# shorter one. No OpenCL driver: those are not under ThreadSanitizer.
export TSAN_OPTIONS=check_printf=0:strict_memcmp=0:halt_on_error=1 TENSORSTORAGE_HOST_FLAGS='-fsanitize=thread -O0' TENSORSTORAGE_HOST_THREADS=2
mkdir "$scratch/no_drivers"
export OCL_ICD_VENDORS="$scratch/no_drivers"

set -f # globs are for the tool
expect "cases of f32 and u32, of groups, barriers, atomics and asynchronous copies are free of races" exits 0 "$tool" conform --device cuda-shim \
  --filter '*.f32x*' --filter '*.u32x*' --filter 'barrier.*' --filter 'ids.*' --filter 'declared.*' --filter 'copy_async.f32.*' --exclude 'convert*'
expect "more than a thousand of them ran" grep -Eq '^[0-9]{4,} passed, 0 failed, 0 skipped, 0 errors' "$scratch/out"

expect "scale is right" exits 0 "$run_scale" cuda-shim
expect "scale is free of races" [ ! -s "$scratch/err" ]

# Each item reads what its neighbour wrote: wrong, but no race as long as the barrier stands between.
neighbour='s/\(ts_load(ts_shared, f32, 4, tile, \)in_tile/\1(in_tile + 4) % 1024/'
sed "$neighbour" examples/scale.c >"$scratch/ordered.c"
expect "another kernel is wrong" exits 1 "$run_scale" cuda-shim "$scratch/ordered.c"
expect "a barrier orders what work-items exchange" [ ! -s "$scratch/err" ]
sed "/ts_barrier();/d; $neighbour" examples/scale.c >"$scratch/race.c"
expect "a missing barrier stops the program" exits 66 "$run_scale" cuda-shim "$scratch/race.c"
expect "a missing barrier is a data race" complains "WARNING: ThreadSanitizer: data race"

export TENSORSTORAGE_CLANG=clang TENSORSTORAGE_HOST_FLAGS='-fsanitize=thread'
tool=$tree/tensorstorage_opencl_x86
expect "cases of f32, of groups, barriers and copies through shared memory are free of races on the OpenCL path" exits 0 "$tool" conform --device opencl-x86 \
  --filter '*.f32x*' --filter 'barrier.*' --filter 'ids.*' --filter 'declared.*' --filter 'copy_async.f32.*' --filter 'copy_through*.7x1' \
  --filter 'copy_edge.shared.*.7' --exclude 'convert*'
expect "nine hundred of them ran" grep -Eq '^9[0-9]{2} passed, 0 failed, 0 skipped, 0 errors' "$scratch/out"

head -c 64 README.md | npy '<f4' '(16,)' >"$scratch/x.npy"

# launch FAULT: a kernel whose work-items exchange elements by way of shared memory; with a fault, without the barrier.
launch() {
  "$tool" run tests/opencl_x86/faults.c --device opencl-x86 --kernel missing_barrier --items 16 --group 16 --arg x_cells=@"$scratch/x.npy" \
    --arg y_cells=-:f32:16 --arg s_cells=16 --arg "fault=$1"
}
expect "a barrier orders what work-items exchange there" exits 0 launch 0
expect "a missing barrier stops the program there" exits 5 launch 1
expect "a missing barrier is a data race there" complains "WARNING: ThreadSanitizer: data race"
finish
