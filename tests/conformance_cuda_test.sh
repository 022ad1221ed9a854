# SPDX-License-Identifier: Apache-2.0
#
# conformance_cuda_test.sh: every program of the conformance suite compiles for CUDA, and is assembled without spills. Nothing runs.
#
#   conformance_cuda_test.sh sm_75 | … | sm_120...    by nvcc and ptxas, for generations of GPUs, in their order; cuda.sh tells
#                                                   which PTX two of them share
#   conformance_cuda_test.sh nvrtc                    by NVRTC: to PTX by the older of its two back ends, to machine code by the
#                                                   newer. With little optimisation where NVRTC offers it: nvcc has done all
. "$TS_SOURCE_DIR/tests/lib.sh"
. "$TS_SOURCE_DIR/tests/cuda.sh"
by_nvrtc() { "$TS_BUILD_DIR/tensorstorage" build "$@"; }
if [ "$1" = nvrtc ]; then
  use_plain
  need cuda "NVRTC is not installed" by_nvrtc "$TS_SOURCE_DIR/examples/scale.c" --target compute_75
  fast=--option=--Ofast-compile=max
  by_nvrtc "$TS_SOURCE_DIR/examples/scale.c" --target compute_75 "$fast" >"$scratch/log" 2>&1 || fast=
else
  need cuda "nvcc is not installed" command -v nvcc
  need cuda "ptxas is not installed" command -v ptxas
fi

# compile COMMAND...: what it says is cut short: a line of a program is long once its macros are expanded.
compile() {
  "$@" >"$scratch/log" 2>&1 && return 0
  cut -c 1-300 "$scratch/log" | head -n 20
  return 1
}

# assemble: by ptxas. What a thread has of local memory is its ts_local arrays, where they are indexed at run time, a
# vector of which a lane is chosen at run time, and layouts that are known at run time: these kernels alone have a stack.
assemble() {
  by_ptxas "$scratch/out.ptx" || return 1
  awk '
    /Compiling entry function/ { split($0, part, "\047"); kernel = part[2] }
    / bytes stack frame/ {
      count++
      must = kernel ~ /^(access_local|address|cast|copy_by_item|law)$/
      may = must || kernel ~ /^(compute|layout|dynamic_.*|tile_local_.*)$/
      if (must && $1 == 0 || !may && $1 > 0) { print kernel ": " $0; wrong = 1 }
      if ($5 > 0 || $9 > 0) { print kernel ": " $0; wrong = 1 }
    }
    END { exit wrong || !count }' "$scratch/ptxas"
}

# by_nvcc PROGRAM MACHINE...: each machine assembles what was compiled for it, or for the one before. That this is the same is
# tried with one program.
by_nvcc() {
  program=$1
  shift
  previous=
  for machine; do
    if ! same_ptx "$previous" "$machine" "$program"; then
      expect "nvcc compiles $name for $machine" ptx_of "$program" "$scratch/out.ptx"
    elif [ "$name" = dtype.f32 ]; then
      expect "nvcc compiles $name for $machine too" ptx_of "$program" "$scratch/own.ptx"
      expect "for $previous and $machine it makes the same of $name" differ_by_target "$scratch/own.ptx" "$scratch/out.ptx"
    fi
    expect "ptxas assembles $name for $machine" assemble
    previous=$machine
  done
}
ptx_of() {
  rm -f "$2"
  compile nvcc -x cu -ptx -Werror all-warnings -arch=compute_"${machine#sm_}" -I "$TS_SOURCE_DIR" -o "$2" "$1"
}

mkdir "$scratch/programs"
"$TS_BUILD_DIR/tests/write_programs" "$scratch/programs"
count=0
for program in "$scratch"/programs/*.c; do
  name=$(basename "$program" .c)
  if [ "$1" = nvrtc ]; then
    expect "NVRTC compiles $name" compile by_nvrtc "$program" --target compute_75 --target sm_100 ${fast:+"$fast"}
  else
    by_nvcc "$program" "$@"
  fi
  count=$((count + 1))
done
echo "$count programs"
expect "there are programs" [ "$count" -gt 40 ]
finish
