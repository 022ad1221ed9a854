# SPDX-License-Identifier: Apache-2.0
#
# copy_serial_test.sh: the code of copies on a CPU that runs the work-items of a group one after another, as x86: what is
# prefetched, and that a tile is transposed in registers. Nothing runs.
. "$TS_SOURCE_DIR/tests/lib.sh"
LC_ALL=C
export LC_ALL
contract=$TS_SOURCE_DIR/tests/contract
set=x86
. "$contract/compile.sh"

# count KERNEL PATTERN: its lines of assembly that match, an extended regular expression.
count() { sed -n "/^$1:/,/^\.Lfunc_end/p" "$scratch/out" | grep -cE "$2"; }
none() { [ "$(count "$1" "$2")" = 0 ]; }
some() { [ "$(count "$1" "$2")" -ge "${3:-1}" ]; }

expect "the copies compile for a serial device" compile "$contract/copy_serial.c" -DTS_GROUP_IS_SERIAL=1
expect "every kernel is there" test "$(grep -c '^[a-z_]*_kernel:' "$scratch/out")" = 5
expect "a run of 8 KiB is prefetched" some long_run_kernel prefetcht1
expect "a run of 4 KiB is not" none short_run_kernel prefetch
expect "of every second element, two lines are asked for at once" some every_second_kernel prefetcht1 2
expect "every second element is loaded by vectors" none every_second_kernel 'gather|insertps'
expect "a tile is prefetched where that is asked for" some prefetch_kernel prefetcht1
expect "and nowhere else" none transpose_kernel prefetch
# Sixteen rows of four become four vectors of sixteen: eight of the sixteen loads put a row into the upper half of a vector.
expect "a tile is read by rows of four" some transpose_kernel vinsertf128 8
expect "a tile is transposed by shuffles of whole vectors" some transpose_kernel 'v(unpck[lh]p[sd]|shufps|perm).*ymm' 8
expect "and not element by element" none transpose_kernel 'gather|insertps|extractps'

expect "the copies compile for another device" compile "$contract/copy_serial.c" -DTS_GROUP_IS_SERIAL=0
expect "there nothing is prefetched" test "$(grep -c prefetcht "$scratch/out")" = 0
finish
