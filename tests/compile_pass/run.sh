#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# run.sh: a compiler takes each file of this folder without a warning, under every option that a user may choose.
#
#   run.sh gcc | clang | clang-NN | CL1.2 | CL2.0 | CL3.0 | g++ | nvcc | nvrtc [FILE.c...]
#
# host_*.c are kernel files for the host only. library_*.c include only the host library's header, also in C++. A file that
# says SRC_T is compiled once for each dtype, and dequantise.c once more with no other dtype but f32 chosen. Warnings are errors. That the compiled code is right is for others to say.
#
# -Wno-psabi, as the library itself compiles kernels for the host: no pragma of the header reaches gcc's note that vectors of
# 32 bytes were passed in another way before 4.6.
TS_SOURCE_DIR=${TS_SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
. "$TS_SOURCE_DIR/tests/lib.sh"
LC_ALL=C
export LC_ALL

compiler=${1:?name a compiler: gcc, clang, CL1.2, CL2.0, CL3.0, g++, nvcc or nvrtc}
shift
case $compiler in
  nvcc) need cuda "nvcc is not installed" command -v nvcc ;;
  nvrtc) need cuda "NVRTC is not installed" "$TS_BUILD_DIR/tests/nvrtc_compile" --check ;;
  CL*) need clang "clang is not installed" command -v clang ;;
  *) need "$compiler" "$compiler is not installed" command -v "$compiler" ;;
esac

# The header is found in a folder whose name has a space in it.
root="$scratch/a path/tensorstorage"
mkdir -p "$root"
for part in tensorstorage.h core cuda host opencl; do cp -R "$TS_SOURCE_DIR/$part" "$root"; done
case $compiler in CL*) f16=-mf16c ;; *) f16= ;; esac # the instructions of TS_HAVE_F16_CONVERSION
dtypes=$(sed -n 's/^#define TS_DTYPE_ROW_\([a-z0-9]*\) .*/\1/p' "$TS_SOURCE_DIR/core/tables.h")

# compile FILE OPTIONS...: by the compiler under test.
compile() {
  file=$1
  shift
  case $compiler in
    gcc | clang*)
      "$compiler" -std=c11 -Wall -Wextra -Wconversion -Wno-psabi -Werror -pedantic "$@" -c -o "$scratch/out" "$file"
      ;;
    g++) g++ -x c++ -Wall -Wextra -Wconversion -Werror -pedantic "$@" -c -o "$scratch/out" "$file" ;;
    nvcc) nvcc -x cu -ptx -Werror all-warnings "$@" -o "$scratch/out" "$file" ;;
    nvrtc) "$TS_BUILD_DIR/tests/nvrtc_compile" "$file" "$scratch/out" "$@" ;;
    CL*)
      clang -x cl -cl-std="$compiler" -Xclang -finclude-default-header --target=x86_64 -pedantic-errors -Wall -Wextra -Werror \
        "$@" -c -o "$scratch/out" "$file"
      ;;
  esac
}

# check FILE OPTIONS...: it compiles, and the compiler says nothing.
check() {
  count=$((count + 1))
  if compile "$@" >"$scratch/log" 2>&1 && [ ! -s "$scratch/log" ]; then return 0; fi
  echo "FAILED: $compiler $*"
  sed 's/^/  /' "$scratch/log"
  failures=$((failures + 1))
}

# check_in_tree, check_in_place FILE OPTIONS...: with the header of the tree, or with the flattened one put in place of the
# include. NVRTC gets the header as one text.
check_in_tree() { [ "$compiler" = nvrtc ] || check "$@" -I "$root"; }
check_in_place() {
  header_file=$1
  shift
  case $header_file in */host_library_*) return 0 ;; esac
  sed -e "/^#include \"tensorstorage.h\"/{r $scratch/flat.h" -e 'd;}' "$header_file" >"$scratch/in_place.c"
  check "$scratch/in_place.c" "$@"
}
# check_header FILE OPTIONS...: with one of the two: in place, as the library builds it, but for nvcc, whose header has folders.
check_header() { case $compiler:$1 in nvcc:* | *:*/host_library_*) check_in_tree "$@" ;; *) check_in_place "$@" ;; esac; }

# check_options FILE OPTIONS...: with each choice that a user has, one at a time. What is chosen has nothing to do with how the
# compiler got the header: each choice is tried with one of the two.
check_options() {
  case $compiler in
    gcc | clang*)
      check_in_place "$@" -O0
      check_in_tree "$@" -O3
      check_header "$@" -DTS_HAVE_GENERIC=0
      ;;
    nvcc | nvrtc) for machine in 75 100; do check_header "$@" -arch=compute_$machine; done ;;
    CL*)
      check_in_place "$@" -O0
      check_in_tree "$@" -O3
      check_header "$@" -Xclang -cl-ext=-all
      check_header "$@" -mf16c
      ;;
  esac
  check_header "$@" -DTS_HAVE_F64=0
  check_header "$@" -DTS_INDEX_32
}

cmake -D ROOT="$TS_SOURCE_DIR" -D ENTRY=tensorstorage.h -D OUT="$scratch/flat.h" -P "$TS_SOURCE_DIR/cmake/flatten.cmake"

[ $# -gt 0 ] || set -- "$TS_SOURCE_DIR"/tests/compile_pass/*.c \
  "$TS_SOURCE_DIR"/examples/dequantise.c "$TS_SOURCE_DIR"/examples/histogram.c "$TS_SOURCE_DIR"/examples/ring.c "$TS_SOURCE_DIR"/examples/scale.c \
  "$TS_SOURCE_DIR"/examples/softmax.c
count=0
for source; do
  case $compiler:${source##*/} in
    g++:library_*) for standard in 11 17; do check "$source" -I "$root" -std=c++$standard; done ;;
    gcc:library_* | clang*:library_*) check "$source" -I "$root" ;;
    *:library_* | g++:* | nvcc:host_* | nvrtc:host_* | CL*:host_*) ;;
    *)
      if grep -q SRC_T "$source"; then
        for dtype in $dtypes; do
          check_options "$source" -DSRC_T="$dtype"
          # shellcheck disable=SC2086 # one option or none
          case $source in
            */dequantise.c) check_header "$source" -DSRC_T="$dtype" "-DTS_USE_$dtype" -DTS_USE_f32 $f16 ;;
          esac
        done
      else
        check_options "$source"
      fi
      ;;
  esac
done
echo "$compiler: $count compiled, $failures refused or with a warning"
[ "$count" -gt 0 ] || failures=1
finish
