# SPDX-License-Identifier: Apache-2.0
#
# threads_test.sh: two threads launch on queues of their own, on the host, with library and kernel under ThreadSanitizer.
. "$TS_SOURCE_DIR/tests/lib.sh"
need cc "there is no C compiler" command -v "$CC"
unset TENSORSTORAGE_HOST_FLAGS ASAN_OPTIONS LSAN_OPTIONS
cd "$TS_SOURCE_DIR"

echo 'int main(void) { return 0; }' >"$scratch/nothing.c"
expect "a program compiles under ThreadSanitizer" "$CC" -fsanitize=thread -o "$scratch/nothing" "$scratch/nothing.c"
need tsan "ThreadSanitizer does not run on this kernel" "$scratch/nothing"

# The library's own sources, without its build's sanitizers. No OpenCL driver: those are not under ThreadSanitizer.
expect "the library compiles under ThreadSanitizer" "$CC" -std=c11 -D_POSIX_C_SOURCE=200809L -fsanitize=thread -g -O1 -I . \
  -I host -o "$scratch/two_queues" tests/two_queues.c host/*.c opencl/driver.c \
  "$TS_BUILD_DIR"/embedded/tensorstorage_library/header*.c -lOpenCL -lmcpp -lm -lpthread -ldl
# ThreadSanitizer's own check of what is printed crashes in libmcpp.
export TSAN_OPTIONS=check_printf=0
mkdir "$scratch/no_drivers"
export OCL_ICD_VENDORS="$scratch/no_drivers" TENSORSTORAGE_HOST_FLAGS=-fsanitize=thread TENSORSTORAGE_HOST_THREADS=2

# Twice: both threads store what they built, then both find it.
export TENSORSTORAGE_CACHE=on TENSORSTORAGE_CACHE_DIR="$scratch/cache"
for cache in empty filled; do
  expect "two queues on two threads, the cache $cache" exits 0 "$scratch/two_queues"
  expect "both threads read what they wrote, the cache $cache" says "2 of 2 threads"
  expect "ThreadSanitizer has nothing to say, the cache $cache" [ ! -s "$scratch/err" ]
done
expect "three programs are in the cache" [ "$(find "$scratch/cache" -type f | wc -l)" = 3 ]

"$scratch/two_queues" shared >"$scratch/out" 2>"$scratch/err" || :
expect "two kernels that write one buffer are a data race" complains "data race"
finish
