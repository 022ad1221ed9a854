# SPDX-License-Identifier: Apache-2.0
#
# copy_width_test.sh: each copy of tests/compile_pass/copy_width.c is made of accesses of the width that its row says: neither
# narrower nor wider ones are there. Nothing runs.
#
#   copy_width_test.sh ptx sm_75 | amdgcn gfx90a | spirv - | …
. "$TS_SOURCE_DIR/tests/lib.sh"
LC_ALL=C
export LC_ALL
contract=$TS_SOURCE_DIR/tests/contract
set=$1
machine=$2
. "$contract/compile.sh"

copies=$TS_SOURCE_DIR/tests/compile_pass/copy_width.c
compare() {
  "$TS_BUILD_DIR/tests/list_instructions" "$set" "$scratch/out" >"$scratch/instructions" || return 1
  awk -v set="$set" -v machine="$machine" -f "$contract/rules.awk" -f "$contract/width.awk" "$TS_SOURCE_DIR/core/tables.h" \
    "$contract/rules.txt" "$copies" "$scratch/instructions"
}
# That NAME_width is right, compile_pass sees. Here only the instructions count.
# AMDGCN: conversions of f16 are calls of a library that is not linked here. SPIR-V: at -O1 clang marks loops in a way that
# llvm-spirv turns into a module that spirv-val refuses.
case $set in
  amdgcn) options=-DTS_HAVE_F16_CONVERSION=0 ;;
  spirv) options="-O2 -fno-vectorize -fno-slp-vectorize" ;;
  *) options= ;;
esac
# shellcheck disable=SC2086 # a list of options
expect "the copies compile for $set $machine" compile "$copies" -DWIDTH_IS_NOT_ASSERTED $options
[ "$failures" != 0 ] || expect "the copies for $set $machine are as wide as their rows say" compare
finish
