# SPDX-License-Identifier: Apache-2.0
#
# cuda_shim_threads_test.sh: the backend cuda-shim under ThreadSanitizer, to which each work-item is a thread that only barriers
# order: cases of the suite are free of races, and a barrier that is missing is found.
. "$TS_SOURCE_DIR/tests/lib.sh"
need cc "there is no C compiler" command -v "$CC"
need "$CXX" "$CXX is not installed" command -v "$CXX"
unset ASAN_OPTIONS LSAN_OPTIONS
cd "$TS_SOURCE_DIR"

echo 'int main(void) { return 0; }' >"$scratch/nothing.c"
expect "a program compiles under ThreadSanitizer" "$CC" -fsanitize=thread -o "$scratch/nothing" "$scratch/nothing.c"
need tsan "ThreadSanitizer does not run on this kernel" "$scratch/nothing"

# A tree of its own beside the others, so that the next run only builds what has changed.
tree=$TS_BUILD_DIR/thread-sanitizer
expect "the tree is configured for ThreadSanitizer" cmake -S . -B "$tree" -G Ninja -D TS_CUDA_SHIM=ON \
  -D CMAKE_C_COMPILER="$CC" -D CMAKE_C_FLAGS='-fsanitize=thread -g -O1'
expect "the tree builds under ThreadSanitizer" cmake --build "$tree" --target tensorstorage_cuda_shim run_scale_cuda_shim
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
finish
