# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# mutate_test.sh: mutate.sh reports a fault that the suite finds, and can fail: a change that is no fault survives, a patch
# that does not apply or does not build is an error. `./dev mutate` tries all faults; this tries a few.
. "$TS_SOURCE_DIR/tests/lib.sh"
need cc "there is no C compiler" command -v "$CC"
need pocl "PoCL is not installed" has_pocl
need "$CXX" "$CXX is not installed" command -v "$CXX"

# mutate ARGUMENT...: run it; its exit code goes to $status, its output to the file output.
mutate() {
  status=0
  sh "$TS_SOURCE_DIR/tests/mutate.sh" "$@" >"$scratch/output" 2>&1 || status=$?
}
ended() { [ "$status" = "$1" ] || { echo "exit code $status" && cat "$scratch/output" && return 1; }; }
said() { grep -qe "$1" "$scratch/output" || { cat "$scratch/output" && return 1; }; }
last_line() { [ "$(tail -n 1 "$scratch/output")" = "$1" ] || { cat "$scratch/output" && return 1; }; }

# change FROM TO: a patch that replaces the line FROM of core/flags.h, whose one family is `size.u8x1`.
change() {
  printf '# must fail: size.u8x1\n--- a/core/flags.h\n+++ b/core/flags.h\n@@ -1,1 +1,1 @@\n-%s\n+%s\n' "$1" "$2"
}
first_line=$(sed -n 1p "$TS_SOURCE_DIR/core/flags.h")
change "$first_line" "$first_line of" >"$scratch/comment.patch"
change "what stood there once" "/*" >"$scratch/stale.patch"
change "$first_line" "#error of a test $first_line" >"$scratch/no_kernel.patch"
sed 1d "$scratch/comment.patch" >"$scratch/no_family.patch"
sed '1s/$/\n# only on: cl/' "$scratch/comment.patch" >"$scratch/other_device.patch"
sed '1s/size/sizes/' "$scratch/comment.patch" >"$scratch/no_case.patch"
sed '1s/.*/# must fail: amdgcn.gfx9999.u8\n# only on: contract/' "$scratch/comment.patch" >"$scratch/no_compiler.patch"

mutate distance_sign barrier_shared
expect "faults that are found end with 0" ended 0
expect "a fault is found on PoCL" said '^distance_sign  *cl:0:0  *distance\.bf16\..*: target: .* bytes are wrong'
expect "a fault is found on the host" said '^distance_sign  *host  *distance\.bf16\..*: target: .* bytes are wrong'
expect "a fault is found on cuda-shim" said '^distance_sign  *cuda-shim  *distance\.bf16\..*: target: .* bytes are wrong'
expect "a fault of two preludes is found on PoCL" said '^barrier_shared  *cl:0:0  *barrier\.shared\.'
expect "a fault of two preludes is found on the host" said '^barrier_shared  *host  *barrier\.shared\.'
expect "it is told which test notices them first" said '^conform_pocl_CL1\.2 is the first test to tell of 2$'
expect "the last line counts a fault on each device" last_line "5 caught, 0 survived"

mutate --device host "$scratch/comment.patch" name
expect "a change that no case finds ends with 1" ended 1
expect "a change that no case finds has survived" said '^comment  *host  *SURVIVED$'
expect "the others are still tried" said '^name  *host  *name\.bf16\.'
expect "the last line counts both" last_line "1 caught, 1 survived"

mutate --device host "$scratch/stale.patch" "$scratch/no_kernel.patch" name
expect "a patch that does not apply ends with 5" ended 5
expect "a patch that does not apply is told" said '^stale  *-  *ERROR: the patch does not apply'
expect "kernels that do not build are no fault that was found" said '^no_kernel  *host  *ERROR: size\.u8x1: '
expect "the tree is whole again for the next" said '^name  *host  *name\.bf16\.'
expect "the last line counts neither" last_line "1 caught, 0 survived"

mutate --device host "$scratch/other_device.patch"
expect "a patch for other devices ends with 4" ended 4
mutate --device host "$scratch/no_case.patch"
expect "a family that has no case ends with 5" ended 5
(unset TENSORSTORAGE_REQUIRE && mutate --device contract "$scratch/no_compiler.patch" && echo "$status" >"$scratch/status")
expect "a fault whose compiler is missing, and no other, ends with 3" [ "$(cat "$scratch/status")" = 3 ]
expect "a fault whose compiler is missing is not tried" said '^no_compiler  *contract  *not tried: no clang that is installed compiles for gfx9999$'
expect "what was not tried is no success" last_line "0 caught, 0 survived"
mutate --device host "$scratch/no_family.patch"
expect "a patch without a family ends with 2" ended 2
mutate no_such_fault
expect "an unknown name ends with 2" ended 2
mutate --device gpu
expect "an unknown device ends with 2" ended 2
mutate --device
expect "a device without an id ends with 2" ended 2
finish
