# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# compile.sh: compile a file of kernels as $set (ptx, amdgcn, spirv, x86) for $machine, for tests that look at instructions. To be
# read into one, after lib.sh, where contract is this folder.

# newest_clang: the newest clang that compiles for the machine, as its command.
newest_clang() {
  echo 'kernel void f(void) {}' >"$scratch/empty.cl"
  for candidate in clang-19 clang-18 clang-17 clang-16 clang-15 clang clang-14; do
    if "$candidate" -x cl --target=amdgcn-amd-amdhsa -mcpu="$machine" -nogpulib -S -o "$scratch/empty.s" "$scratch/empty.cl" \
      >/dev/null 2>&1; then
      echo "$candidate"
      return 0
    fi
  done
  return 1
}

# Skip the test unless its compiler is there.
generic=1 # whether it has generic pointers
case $set in
  ptx)
    need cuda "nvcc is not installed" command -v nvcc
    need cuda "ptxas is not installed" command -v ptxas
    ;;
  amdgcn)
    need amdgcn "no clang that is installed compiles for $machine" newest_clang
    clang=$(newest_clang)
    ;;
  spirv)
    need clang "clang is not installed" command -v clang
    for command in llvm-spirv-14 spirv-val spirv-dis; do
      need llvm-spirv "$command is not installed" command -v "$command"
    done
    ;;
  x86)
    need clang "clang is not installed" command -v clang
    generic=0
    ;;
esac

# compile FILE [OPTION...]: to $scratch/out.
compile() {
  file=$1
  shift
  case $set in
    ptx) nvcc -x cu -ptx -Werror all-warnings -arch=compute_"${machine#sm_}" -I "$TS_SOURCE_DIR" -I "$contract" -o "$scratch/out" "$@" "$file" ;;
    amdgcn)
      "$clang" -x cl -cl-std=CL2.0 --target=amdgcn-amd-amdhsa -mcpu="$machine" -nogpulib -O3 -Wall -Wextra -Werror \
        -I "$TS_SOURCE_DIR" -I "$contract" -S -o "$scratch/out" "$@" "$file"
      ;;
    spirv)
      clang -x cl -cl-std=CL2.0 --target=spir64-unknown-unknown -O1 -Xclang -finclude-default-header -Wall -Wextra -Werror \
        -I "$TS_SOURCE_DIR" -I "$contract" -emit-llvm -c -o "$scratch/out.bc" "$@" "$file" &&
        llvm-spirv-14 --spirv-max-version=1.0 "$scratch/out.bc" -o "$scratch/out.spv" && spirv-val --target-env opencl2.1 "$scratch/out.spv" &&
        spirv-dis --raw-id "$scratch/out.spv" -o "$scratch/out"
      ;;
    x86)
      clang -x cl -cl-std=CL1.2 --target=x86_64-unknown-linux-gnu -march=x86-64-v3 -O3 -Xclang -finclude-default-header -Wall -Wextra \
        -Werror -I "$TS_SOURCE_DIR" -I "$contract" -S -o "$scratch/out" "$@" "$file"
      ;;
  esac
}
