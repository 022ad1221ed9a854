#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# alone_test.sh: the flattened tensorstorage.h, from a folder that holds nothing else, serves one compiler, or one of the
# programs of examples/ that use it without the library.
#
#   alone_test.sh gcc | clang | CL1.2 | CL2.0 | CL3.0 | nvcc | nvrtc | scale_opencl | scale_pyopencl | scale_nvrtc
#
# Compilers take it without a warning, alone and with the kernel of scale.c; nothing runs then. Programs run that kernel;
# scale_nvrtc compiles it where there is no GPU, and says so; that it would launch it rightly is seen by a stand-in for CUDA's
# driver, fake_cuda.c, on which no kernel runs.
. "$TS_SOURCE_DIR/tests/lib.sh"

user=${1:?name a compiler or a program}
flat="$scratch/alone here"
mkdir "$flat" "$scratch/work"
cp "$TS_BUILD_DIR/flat/tensorstorage.h" "$flat"
scale=$TS_SOURCE_DIR/examples/scale.c
cp "$scale" "$scratch/work/scale.c" # not beside the tree's header, which would be found first
echo '#include "tensorstorage.h"' >"$scratch/work/empty.c"
cd "$scratch/work"

# quiet COMMAND...: it succeeds and has nothing to say.
quiet() {
  "$@" >"$scratch/log" 2>&1 && [ ! -s "$scratch/log" ] && return 0
  cat "$scratch/log"
  return 1
}

# takes COMMAND...: the compiler, given the options and then each file, has nothing to say.
takes() {
  for source in empty scale; do expect "$user takes $source.c without a warning" quiet "$@" -I "$flat" "$source.c"; done
}

# What a program prints when its result is right: 1024 elements, each compared.
all_right() {
  expect "$user runs" exits 0 "$@" "$flat/tensorstorage.h" scale.c
  expect "$user has each element right" says "1024 of 1024 elements right"
  sed 's/v \* a/v + a/' "$scale" >wrong.c
  expect "$user sees a wrong kernel" exits 1 "$@" "$flat/tensorstorage.h" wrong.c
  sed 's/v \* a/w * a/' "$scale" >broken.c
  expect "$user fails if the kernel does not compile" exits 1 "$@" "$flat/tensorstorage.h" broken.c
}

case $user in
  gcc | clang)
    need "$user" "$user is not installed" command -v "$user"
    takes "$user" -std=c11 -Wall -Wextra -Wconversion -pedantic -fsyntax-only
    ;;
  CL*)
    need clang "clang is not installed" command -v clang
    takes clang -x cl -cl-std="$user" -Xclang -finclude-default-header --target=x86_64 -Wall -Wextra -pedantic-errors -fsyntax-only
    ;;
  nvrtc)
    need cuda "NVRTC is not installed" "$TS_BUILD_DIR/tests/nvrtc_compile" --check
    for source in empty scale; do
      expect "$user takes $source.c without a warning" quiet "$TS_BUILD_DIR/tests/nvrtc_compile" "$source.c" "$scratch/out" \
        --gpu-architecture=compute_75 "--include-path=$flat"
    done
    ;;
  nvcc)
    need cuda "nvcc is not installed" command -v nvcc
    takes nvcc -x cu -ptx -arch=compute_75 -o "$scratch/out"
    ;;
  scale_opencl)
    use_pocl
    all_right "$TS_BUILD_DIR/examples/scale_opencl"
    expect "the compiler's message is shown" complains "use of undeclared identifier 'w'"
    ;;
  scale_pyopencl)
    use_pocl
    python=
    for candidate in python3 /usr/bin/python3; do
      if [ -z "$python" ] && "$candidate" -c 'import pyopencl' 2>/dev/null; then python=$candidate; fi
    done
    need pyopencl "there is no Python with pyopencl" [ -n "$python" ]
    XDG_CACHE_HOME="$scratch/cache" # where pyopencl keeps what it has built
    export XDG_CACHE_HOME
    all_right "$python" "$TS_SOURCE_DIR/examples/scale_pyopencl.py"
    ;;
  scale_nvrtc)
    program=$TS_BUILD_DIR/examples/scale_nvrtc
    need cuda "NVRTC was not there when this was built" [ -x "$program" ]
    expect "$user compiles" exits 0 "$program" "$flat/tensorstorage.h" scale.c
    expect "$user names what it compiled for" says "bytes of PTX for compute_"
    if says "compiled only"; then echo "$user: compiled only, there is no GPU here"; else all_right "$program"; fi
    # How it launches, by a stand-in for the driver, which takes scale's launch and no other.
    launches() { LD_LIBRARY_PATH=$TS_BUILD_DIR/fake_cuda FAKE_CUDA_FACTOR=$1 "$program" "$flat/tensorstorage.h" scale.c; }
    expect "$user compiles for the GPU that is there, and launches" exits 0 launches 1
    expect "$user compiles for that GPU" says "bytes of PTX for compute_90"
    expect "$user has each element right" says "scale by CUDA: 1024 of 1024 elements right"
    expect "$user sees a wrong result" exits 1 launches 2
    expect "$user counts what is right" says "scale by CUDA: 0 of 1024 elements right"
    sed 's/v \* a/w * a/' "$scale" >broken.c
    expect "$user fails if the kernel does not compile" exits 1 "$program" "$flat/tensorstorage.h" broken.c
    expect "the compiler's message is shown, at the kernel's own line" complains 'scale.c(21): error: identifier "w" is undefined'
    ;;
  *)
    echo "alone_test.sh: there is no check of \"$user\""
    exit 2
    ;;
esac
finish
