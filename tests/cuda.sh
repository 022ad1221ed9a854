# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# cuda.sh: when PTX for one generation of GPUs stands for that of the next. To be read into a shell test, after lib.sh.
#
# Where the text of a file is the same for both, once it is preprocessed, and nvcc has one back end for both. A newer GPU takes
# PTX for an older one, so ptxas assembles it for either.

# cuda_text MACHINE FILE OPTION...: what is left of a file for sm_75, say. The headers ask of a machine its number, and no more.
cuda_text() {
  machine_number=${1#sm_}
  shift
  g++ -E -P -x c++ -D__CUDACC__ -D__CUDACC_VER_MAJOR__=13 -D__CUDACC_VER_MINOR__=0 -D__CUDA_ARCH__="${machine_number}0" \
    -I "$TS_SOURCE_DIR" "$@"
}

# same_ptx OLDER NEWER FILE OPTION...: is it so? OLDER may be empty: there is none.
same_ptx() {
  case $1,$2 in
    sm_??,sm_?? | sm_1??,sm_1??) ;; # the back end is another one from sm_100 on
    *) return 1 ;;
  esac
  older=$1
  newer=$2
  shift 2
  cuda_text "$older" "$@" >"$scratch/older" && cuda_text "$newer" "$@" >"$scratch/newer" && cmp -s "$scratch/older" "$scratch/newer"
}

# differ_by_target FILE FILE: two files of PTX, of which one was not needed, are the same but for the machine's name.
differ_by_target() {
  for ptx; do sed '/^\.target /d; /^\/\//d' "$ptx" >"$ptx.plain"; done
  cmp "$1.plain" "$2.plain"
}

# by_ptxas FILE: assemble it for $machine, without spills. What ptxas says of its kernels is in $scratch/ptxas.
by_ptxas() {
  ptxas -v --warn-on-spills -Werror -arch="$machine" -o "$scratch/out.cubin" "$1" >"$scratch/ptxas" 2>&1 && return 0
  cat "$scratch/ptxas"
  return 1
}

# assemble_contract FILE: each kernel of the contract assembles for $machine, without spills; it has local memory (a frame) if it
# has a ts_local, else none.
assemble_contract() {
  by_ptxas "$1" || return 1
  awk '
    /Compiling entry function/ { split($0, part, "\047"); kernel = part[2] }
    / bytes stack frame/ {
      count++
      sub(/^ */, "")
      if ((kernel ~ /__ts_local/) != ($1 > 0)) { print kernel ": " $0; wrong = 1 }
    }
    END { exit wrong || !count }' "$scratch/ptxas"
}
