# SPDX-License-Identifier: Apache-2.0
#
# copy_size_test.sh: code does not grow with the tile: each copy of a tile of 128 x 128 (tests/contract/copy_size.c) has at most
# 1.25 times the instructions of that of 32 x 32. Nothing runs.
#
#   copy_size_test.sh ptx sm_90 | x86 any
#
# x86 is the way that PoCL goes: OpenCL C for a device whose groups are serial.
. "$TS_SOURCE_DIR/tests/lib.sh"
LC_ALL=C
export LC_ALL
contract=$TS_SOURCE_DIR/tests/contract
set=$1
machine=$2
. "$contract/compile.sh"

# Whether clang vectorises a loop hangs on how long it is: that is its choice, and no growth.
case $set in x86) options="-DTS_GROUP_IS_SERIAL=1 -fno-vectorize" ;; *) options= ;; esac
compare() {
  "$TS_BUILD_DIR/tests/list_instructions" "$set" "$scratch/out" >"$scratch/instructions" || return 1
  awk '
    $2 == "routine" { split($1, part, "__"); count[part[1] " " part[2], part[3]] = $4; copies[part[1] " " part[2]] }
    END {
      for (copy in copies) {
        small = count[copy, 32]
        large = count[copy, 128]
        n++
        if (small && large && large <= 1.25 * small) continue
        print copy ": " small + 0 " instructions, and " large + 0 " for 16 times as many elements"
        wrong = 1
      }
      exit wrong || n != 12
    }' "$scratch/instructions"
}
# shellcheck disable=SC2086 # a list of options
expect "the copies compile for $set $machine" compile "$contract/copy_size.c" $options
[ "$failures" != 0 ] || expect "for $set $machine the code of a large tile is about as long as that of a small one" compare
finish
