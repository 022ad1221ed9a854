# SPDX-License-Identifier: Apache-2.0
#
# pairs_test.sh: kernels on handles cost what kernels by hand cost (tests/pairs/): the same accesses of memory, no more than 2 %
# more instructions, no more than one register more, but for what known.txt says. docs/zero_overhead.md has what came out. Nothing runs.
#
#   pairs_test.sh cuda | amdgcn | portable [--write]
#
# portable is SPIR-V and x86. The document's table is compared if it is from the same compiler; --write puts it there instead.
. "$TS_SOURCE_DIR/tests/lib.sh"
LC_ALL=C
export LC_ALL
set=$1
pairs=$TS_SOURCE_DIR/tests/pairs
document=$TS_SOURCE_DIR/docs/zero_overhead.md
handles="$pairs/handles.c $TS_SOURCE_DIR/examples/softmax.c $TS_SOURCE_DIR/examples/histogram.c"
library=/usr/lib/x86_64-linux-gnu/amdgcn/bitcode # of AMD's device library: ids, barriers, exp

# The instructions of CUDA are those of the GPU itself. Without nvdisasm they are not compared.
nvdisasm=
for candidate in nvdisasm /usr/local/cuda/bin/nvdisasm; do
  if [ -z "$nvdisasm" ] && command -v "$candidate" >/dev/null; then nvdisasm=$candidate; fi
done

case $set in
  cuda)
    need cuda "nvcc is not installed" command -v nvcc
    need cuda "ptxas is not installed" command -v ptxas
    compiler=$(nvcc --version | sed -n 's/.*release \([0-9.]*\),.*/nvcc \1/p')
    columns="sm_75 sm_80 sm_90 sm_100 sm_120"
    ;;
  amdgcn)
    need amdgcn "clang-19 is not installed" command -v clang-19
    need amdgcn "AMD's device library is not installed" test -e $library/opencl.bc
    compiler=$(clang-19 --version | sed -n 's/.*clang version \([0-9.]*\).*/clang \1/p')
    columns="gfx90a gfx1100"
    ;;
  portable)
    need clang "clang is not installed" command -v clang
    for command in llvm-spirv-14 spirv-dis; do need llvm-spirv "$command is not installed" command -v "$command"; done
    compiler=$(clang --version | sed -n 's/.*clang version \([0-9.]*\).*/clang \1/p')
    columns="SPIR-V x86"
    ;;
esac

# ---- measuring one file for one machine: what list_instructions writes, and registers -----------------------------------

# sass CUBIN: how many instructions its kernels have, without those that fill up a cache line.
sass() {
  [ -n "$nvdisasm" ] || return 0
  "$nvdisasm" -c "$1" | awk '
    /^\.text\./ { name = $1; sub(/^\.text\./, "", name); sub(/:$/, "", name) }
    /\/\*[0-9a-f]+\*\// && !/[ \t]NOP/ { count[name]++ }
    END { for (name in count) print name "\tinstructions\t-\t" count[name] "\t-" }'
}

# list SET FILE MACHINE: append what the compiler made of a file to $scratch/list.
list() {
  case $3 in
    sm_*)
      nvcc -x cu -ptx -Werror all-warnings -arch=compute_"${3#sm_}" -I "$TS_SOURCE_DIR" -o "$scratch/out" "$2" &&
        ptxas -v -arch="$3" -o "$scratch/cubin" "$scratch/out" >"$scratch/ptxas" 2>&1 &&
        awk '/Compiling entry function/ { split($0, part, "\047") }
          match($0, /Used [0-9]+ registers/) { print part[2] "\tregisters\t-\t" substr($0, RSTART + 5, RLENGTH - 15) "\t-" }' \
          "$scratch/ptxas" >>"$scratch/list" && sass "$scratch/cubin" >>"$scratch/list"
      ;;
    gfx*)
      wave=off
      [ "$3" = gfx1100 ] || wave=on
      # The library that Debian has is older than gfx1100: its generation's youngest stands for it.
      isa=${3#gfx}
      [ "$isa" != 1100 ] || isa=1036
      links=
      for part in opencl ocml ockl oclc_daz_opt_off oclc_unsafe_math_off oclc_finite_only_off oclc_correctly_rounded_sqrt_on \
        oclc_wavefrontsize64_$wave oclc_isa_version_"$isa" oclc_abi_version_500; do
        links="$links -Xclang -mlink-builtin-bitcode -Xclang $library/$part.bc"
      done
      # shellcheck disable=SC2086 # options without spaces
      clang-19 -x cl -cl-std=CL1.2 --target=amdgcn-amd-amdhsa -mcpu="$3" -nogpulib $links -O3 -Wall -Wextra -Werror \
        -I "$TS_SOURCE_DIR" -S -o "$scratch/out" "$2" &&
        awk '$1 == ".name:" { name = $2 }
          $1 == ".symbol:" { name = $2; sub(/\.kd$/, "", name) }
          $1 == ".vgpr_count:" { print name "\tregisters\t-\t" $2 "\t-" }' "$scratch/out" >>"$scratch/list"
      ;;
    SPIR-V)
      clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header --target=spir64-unknown-unknown -O1 -Wall -Wextra -Werror \
        -I "$TS_SOURCE_DIR" -emit-llvm -c -o "$scratch/out.bc" "$2" && llvm-spirv-14 "$scratch/out.bc" -o "$scratch/out.spv" &&
        spirv-dis --raw-id "$scratch/out.spv" -o "$scratch/out"
      ;;
    x86)
      clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header --target=x86_64-unknown-linux-gnu -march=x86-64-v3 -O3 -Wall \
        -Wextra -Werror -I "$TS_SOURCE_DIR" -S -o "$scratch/out" "$2"
      ;;
  esac && "$TS_BUILD_DIR/tests/list_instructions" "$1" "$scratch/out" >>"$scratch/list"
}

# measure COLUMN: $scratch/COLUMN.cells gets a cell for each kernel. What is wrong goes to the output.
measure() {
  case $1 in
    sm_*) kind=ptx hand=cu ;;
    gfx*) kind=amdgcn hand=cl ;;
    SPIR-V) kind=spirv hand=cl ;;
    x86) kind=x86 hand=cl ;;
  esac
  : >"$scratch/list"
  list $kind "$pairs/by_hand.$hand" "$1" || return 1
  mv "$scratch/list" "$scratch/by_hand"
  : >"$scratch/list"
  for file in $handles; do list $kind "$file" "$1" || return 1; done
  awk -v set=$kind -v machine="$1" -f "$TS_SOURCE_DIR/tests/contract/rules.awk" -f "$pairs/compare.awk" "$pairs/known.txt" \
    "$scratch/by_hand" "$scratch/list" >"$scratch/$1.cells"
}

# keeps_subnormals MACHINE: kernels there keep the subnormal numbers of f16, also with the options that drop those of f32: why
# core may take AMD's conversions of f16 (TS_HAVE_F16_CONVERSION).
keeps_subnormals() {
  clang-19 -x cl -cl-std=CL1.2 --target=amdgcn-amd-amdhsa -mcpu="$1" -nogpulib -O3 -cl-denorms-are-zero -cl-fast-relaxed-math \
    -DTS_HAVE_F16_CONVERSION=0 -I "$TS_SOURCE_DIR" -S -o "$scratch/out" "$TS_SOURCE_DIR/examples/histogram.c" &&
    grep -q '\.amdhsa_float_denorm_mode_32 0$' "$scratch/out" && grep -q '\.amdhsa_float_denorm_mode_16_64 3$' "$scratch/out"
}
if [ "$set" = amdgcn ]; then
  for column in $columns; do expect "f16 keeps subnormal numbers on $column" keeps_subnormals "$column"; done
fi

# ---- the table ----------------------------------------------------------------------------------------------------------

for column in $columns; do expect "the pairs are equal for $column" measure "$column"; done

{
  echo "Of $compiler:"
  echo
  echo "| kernel | $(echo "$columns" | sed 's/ / | /g') |"
  echo "|---$(echo "$columns" | sed 's/[^ ][^ ]*/|---/g; s/ //g')|"
  # shellcheck disable=SC2046 # names without spaces
  awk -F '\t' '
    FNR == 1 { file++ }
    file == 1 { names[++count] = $1 }
    { cells[$1] = cells[$1] " | " $2 }
    END { for (k = 1; k <= count; k++) print "| " names[k] cells[names[k]] " |" }' \
    $(for column in $columns; do echo "$scratch/$column.cells"; done)
} >"$scratch/table"

# The lines between <!-- SET --> and <!-- end -->.
documented() { awk -v begin="<!-- $set -->" '$0 == "<!-- end -->" { on = 0 } on; $0 == begin { on = 1 }' "$document"; }

if [ "${2-}" = --write ]; then
  awk -v begin="<!-- $set -->" -v table="$scratch/table" '
    $0 == "<!-- end -->" { skip = 0 }
    !skip
    $0 == begin { while ((getline line <table) > 0) print line; skip = 1 }' "$document" >"$scratch/document"
  cp "$scratch/document" "$document"
elif [ "$set" = cuda ] && [ -z "$nvdisasm" ]; then
  echo "nvdisasm is not installed: instructions, and the table of docs/zero_overhead.md, are not compared"
elif documented | grep -qxF "Of $compiler:"; then
  documented >"$scratch/documented"
  expect "docs/zero_overhead.md has the table that comes out (--write writes it)" diff "$scratch/documented" "$scratch/table"
else
  echo "docs/zero_overhead.md is of another compiler than $compiler: its table is not compared"
fi
finish
