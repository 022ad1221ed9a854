# SPDX-License-Identifier: Apache-2.0
#
# cuda_shim_same_test.sh: every case that passes on PoCL passes on cuda-shim, by the ids of the two reports which
# conform_pocl_CL1.2 and conform_cuda_shim have left.
. "$TS_SOURCE_DIR/tests/lib.sh"
use_pocl

# passed FILE: the ids of the cases that passed. The JSON has a case a line.
passed() { sed -n 's/^{"id":"\([^"]*\)","status":"passed".*/\1/p' "$1" | sort; }

pocl=$TS_BUILD_DIR/conform_pocl.json
shim=$TS_BUILD_DIR/conform_cuda_shim.json
expect "there is a report of PoCL" grep -q '"id":"cl:0:0","backend":"opencl"' "$pocl"
expect "there is a report of cuda-shim" grep -q '"id":"cuda-shim","backend":"cuda-shim"' "$shim"
[ "$failures" = 0 ] || finish
passed "$pocl" >"$scratch/on_pocl"
passed "$shim" >"$scratch/on_shim"
expect "ten thousand cases passed on PoCL" [ "$(wc -l <"$scratch/on_pocl")" -ge 10000 ]

comm -23 "$scratch/on_pocl" "$scratch/on_shim" >"$scratch/missing"
nothing_is_missing() {
  head -n 20 "$scratch/missing"
  [ ! -s "$scratch/missing" ]
}
expect "no case passed on PoCL and not on cuda-shim" nothing_is_missing
echo "$(wc -l <"$scratch/on_pocl") passed on PoCL, and all of them among the $(wc -l <"$scratch/on_shim") on cuda-shim"
finish
