# SPDX-License-Identifier: Apache-2.0
#
# threads_test.sh: many threads use one device at once, under ThreadSanitizer.
#
#   sh threads_test.sh host | pocl   host: kernels are under it, too. pocl: library and program alone
. "$TS_SOURCE_DIR/tests/lib.sh"
need cc "there is no C compiler" command -v "$CC"
unset TENSORSTORAGE_HOST_FLAGS ASAN_OPTIONS LSAN_OPTIONS
cd "$TS_SOURCE_DIR"

echo 'int main(void) { return 0; }' >"$scratch/nothing.c"
expect "a program compiles under ThreadSanitizer" "$CC" -fsanitize=thread -o "$scratch/nothing" "$scratch/nothing.c"
need tsan "ThreadSanitizer does not run on this kernel" "$scratch/nothing"
[ "$1" = host ] || use_pocl

# The library's own sources, without its build's sanitizers.
expect "the library compiles under ThreadSanitizer" "$CC" -std=c11 -D_POSIX_C_SOURCE=200809L -fsanitize=thread -g -O1 -I . \
  -I host -o "$scratch/threads" tests/threads.c host/*.c opencl/driver.c \
  "$TS_BUILD_DIR"/embedded/tensorstorage_library/header*.c -lOpenCL -lmcpp -lm -lpthread -ldl
# ThreadSanitizer's own check of what is printed crashes in libmcpp.
export TSAN_OPTIONS=check_printf=0

# are_safe DEVICE: threads that keep to what the library asks of them do not disturb each other.
are_safe() {
  expect "threads on $1" exits 0 "$scratch/threads" "$1"
  expect "all threads on $1 read what they wrote" says "6 of 6 threads"
  expect "ThreadSanitizer has nothing to say about $1" lacks "ThreadSanitizer"
}
# are_unsafe DEVICE HOW: a race that it must see in one of ten runs, as the threads do not meet in each.
are_unsafe() {
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    "$scratch/threads" "$1" "$2" >"$scratch/out" 2>"$scratch/err" || :
    ! grep -q "data race" "$scratch/err" || break
  done
  expect "threads with $2 on $1 are a data race" complains "data race"
}
lacks() { ! grep -F -- "$1" "$scratch/err"; }

case $1 in
  host)
    mkdir "$scratch/no_drivers"
    export OCL_ICD_VENDORS="$scratch/no_drivers" TENSORSTORAGE_HOST_FLAGS=-fsanitize=thread TENSORSTORAGE_HOST_THREADS=2
    # Twice: three threads store what they built, then all find it.
    export TENSORSTORAGE_CACHE=on TENSORSTORAGE_CACHE_DIR="$scratch/cache"
    are_safe host
    are_safe host
    expect "four programs are in the cache" [ "$(find "$scratch/cache" -type f | wc -l)" = 4 ]
    are_unsafe host one_buffer
    ;;
  pocl) # of PoCL itself it sees the locks and the memory that it hands out
    are_safe cl:0:0
    are_unsafe cl:0:0 one_queue
    ;;
esac
finish
