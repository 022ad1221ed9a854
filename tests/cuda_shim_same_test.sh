# SPDX-License-Identifier: Apache-2.0
#
# cuda_shim_same_test.sh: every case that passes on PoCL passes on cuda-shim, by the ids of the two reports. That of cuda-shim
# is the file that conform_cuda_shim has left.
. "$TS_SOURCE_DIR/tests/lib.sh"
use_pocl

# passed FILE: the ids of the cases that passed. The JSON has a case a line.
passed() { sed -n 's/^{"id":"\([^"]*\)","status":"passed".*/\1/p' "$1" | sort; }

pocl=$scratch/pocl.json
expect "the suite passes on PoCL" exits 0 "$TS_BUILD_DIR/tensorstorage" conform --device cl:0:0 --json "$pocl"
expect "the report of cuda-shim is there" [ -s "$TS_BUILD_DIR/conform_cuda_shim.json" ]
expect "it is one of cuda-shim" grep -q '"id":"cuda-shim","backend":"cuda-shim"' "$TS_BUILD_DIR/conform_cuda_shim.json"
passed "$pocl" >"$scratch/on_pocl"
passed "$TS_BUILD_DIR/conform_cuda_shim.json" >"$scratch/on_shim"
expect "ten thousand cases passed on PoCL" [ "$(wc -l <"$scratch/on_pocl")" -ge 10000 ]

comm -23 "$scratch/on_pocl" "$scratch/on_shim" >"$scratch/missing"
nothing_is_missing() {
  head -n 20 "$scratch/missing"
  [ ! -s "$scratch/missing" ]
}
expect "no case passed on PoCL and not on cuda-shim" nothing_is_missing
echo "$(wc -l <"$scratch/on_pocl") passed on PoCL, all of them among the $(wc -l <"$scratch/on_shim") of cuda-shim"
finish
