# SPDX-License-Identifier: Apache-2.0
#
# contract_test.sh: each access is the instructions that tests/contract/rules.txt wants: every policy, dtype, width, promise and
# hint, loads and stores, compiled alone and looked at. Nothing runs.
#
#   contract_test.sh ptx sm_75 | ptx sm_80,sm_90 | amdgcn gfx90a | spirv - | x86 -    [DTYPE]
#   contract_test.sh ptx sm_80,sm_90 all FOLDER      PTX is left in FOLDER, for contract_assemble_test.sh
#
# Of several machines, in their order, cuda.sh tells which PTX two of them share; each is compared with its own rules.
# PTX is also assembled, without spills, and local memory is used just where a kernel has a ts_local.
. "$TS_SOURCE_DIR/tests/lib.sh"
LC_ALL=C
export LC_ALL
contract=$TS_SOURCE_DIR/tests/contract
tables=$TS_SOURCE_DIR/core/tables.h
set=$1
machines=$(echo "$2" | tr , ' ')
machine=${machines%% *}
dtypes=${3-all}
[ "$dtypes" != all ] || dtypes=$(sed -n 's/^#define TS_DTYPE_ROW_\([a-z0-9]*\) .*/\1/p' "$tables")
folder=${4-}

. "$contract/compile.sh"
. "$TS_SOURCE_DIR/tests/cuda.sh"
[ -z "$folder" ] || mkdir -p "$folder"

# Do the instructions keep the contract? What is wrong goes to the file result.
check() {
  "$TS_BUILD_DIR/tests/list_instructions" "$set" "$scratch/out" >"$scratch/instructions" &&
    awk -v set="$set" -v machine="$machine" -f "$contract/rules.awk" -f "$contract/check.awk" "$tables" "$contract/rules.txt" "$scratch/cases.c" \
      "$scratch/instructions" >"$scratch/result"
}

# Each kernel has its return, and none calls, but for the entry that llvm-spirv puts around it.
ends() {
  times=1
  case $set in
    ptx) return_='ret;' call='call[. ]' ;;
    amdgcn) return_='s_endpgm' call='s_(swappc|setpc|call)' ;;
    spirv) return_='OpReturn$' call=nothing times=2 ;;
    x86) return_='ret[lq]?' call='(call|jmp[lq]? *\*)' ;;
  esac
  returns=$(grep -cE "^[[:space:]]*$return_" "$scratch/out")
  kernels=$(grep -c '(' "$scratch/cases.c")
  [ "$returns" = $((times * kernels)) ] || { echo "$kernels kernels, $returns returns" && return 1; }
  ! grep -E "[[:space:]]$call" "$scratch/out" | head -n 5 | grep .
}

for dtype in $dtypes; do
  awk -f "$contract/cases.awk" -v dtype="$dtype" -v generic="$generic" "$tables" >"$scratch/cases.c"
  previous=
  for machine in $machines; do
    if ! same_ptx "$previous" "$machine" "$scratch/cases.c" -I "$contract"; then
      rm -f "$scratch/out"
      expect "the accesses of $dtype compile for $set $machine" compile "$scratch/cases.c"
    elif [ "$dtype" = f32 ]; then # that it is the same is tried with one dtype
      mv "$scratch/out" "$scratch/shared"
      expect "the accesses of $dtype compile for $set $machine too" compile "$scratch/cases.c"
      expect "the accesses of $dtype are the same for $previous and $machine" differ_by_target "$scratch/out" "$scratch/shared"
    fi
    previous=$machine
    if check; then
      echo "$dtype, $machine: $(cat "$scratch/result")"
    else
      failures=$((failures + 1))
      echo "FAILED: the accesses of $dtype for $set $machine are not those of rules.txt"
      cat "$scratch/result"
      finish # so that the fault is told soon: the other dtypes are not looked at
    fi
    expect "each kernel of $dtype for $set $machine has a return and no call" ends
    [ -z "$folder" ] || cp "$scratch/out" "$folder/$machine.$dtype.ptx"
    [ "$set" != ptx ] || [ -n "$folder" ] || expect "ptxas assembles the accesses of $dtype for $machine" assemble_contract "$scratch/out"
  done
done
finish
