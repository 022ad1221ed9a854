#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# run.sh: a compiler refuses each mistake of this folder, and an error line names it.
#
#   run.sh gcc | clang | CL1.2 | CL3.0 | nvcc | nvrtc [CASE.c...]
#
# A case is a kernel with one mistake. With FIXED defined it must compile without a warning, so that nothing but the mistake
# is refused. Without, the compile must fail, and one line must hold both "error" and the words after "expect:" in the
# case's first comment; after "expect gcc:" (clang, opencl, nvcc) for one compiler's other words; nvrtc has those of nvcc. A case without words for a
# compiler is not for it: its comment says why. Where a case says "errors: 3", the words are in the first error, the one that is
# read, and there are at most 3. The warning flags are the defaults, as a user may have no others; without its mistake a case
# for OpenCL C is compiled with -pedantic-errors too.
TS_SOURCE_DIR=${TS_SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
. "$TS_SOURCE_DIR/tests/lib.sh"
LC_ALL=C
export LC_ALL

compiler=${1:?name a compiler: gcc, clang, CL1.2, CL3.0, nvcc or nvrtc}
shift
case $compiler in
  gcc) need gcc "gcc is not installed" command -v gcc ;;
  nvcc) need cuda "nvcc is not installed" command -v nvcc ;;
  nvrtc) need cuda "NVRTC is not installed" "$TS_BUILD_DIR/tests/nvrtc_compile" --check ;;
  *) need clang "clang is not installed" command -v clang ;;
esac

# compile FILE OPTIONS...: by the compiler under test, as a user without warning flags would.
compile() {
  file=$1
  shift
  case $compiler in
    gcc | clang) "$compiler" -std=c11 -fsyntax-only -I "$TS_SOURCE_DIR" "$@" "$file" ;;
    nvcc) nvcc -x cu -ptx -arch=compute_75 -o "$scratch/out.ptx" -I "$TS_SOURCE_DIR" "$@" "$file" ;;
    nvrtc) "$TS_BUILD_DIR/tests/nvrtc_compile" "$file" "$scratch/out.ptx" -arch=compute_75 -I"$TS_SOURCE_DIR" "$@" ;;
    CL*)
      clang -x cl -cl-std="$compiler" -Xclang -finclude-default-header --target=x86_64 -fsyntax-only \
        -I "$TS_SOURCE_DIR" "$@" "$file"
      ;;
  esac
}

# words FILE: what an error line of this compiler must hold. Nothing, if the case is not for it.
words() {
  case $compiler in CL*) key=opencl ;; nvrtc) key=nvcc ;; *) key=$compiler ;; esac
  sed -n "s/^ \* expect $key: //p" "$1" | grep . || sed -n 's/^ \* expect: //p' "$1"
}

# errors: the lines of the log that are errors, neither notes nor counts.
errors() { grep -E '[0-9)]: (fatal )?error( #[0-9-]+)?: ' "$scratch/log"; }

# complain SENTENCE: report a failed case with the compiler's output.
complain() {
  echo "FAILED: $compiler, $name: $1"
  sed 's/^/  /' "$scratch/log"
  failures=$((failures + 1))
}

case $compiler in CL*) strict=-pedantic-errors ;; *) strict= ;; esac
[ $# -gt 0 ] || set -- "$TS_SOURCE_DIR"/tests/compile_fail/*.c
count=0
for file; do
  name=${file##*/}
  expected=$(words "$file")
  [ -n "$expected" ] || continue
  count=$((count + 1))
  # shellcheck disable=SC2086 # one option or none
  if ! compile "$file" -DFIXED=1 $strict >"$scratch/log" 2>&1 || [ -s "$scratch/log" ]; then
    complain "without its mistake (-DFIXED=1) it must compile, and without a warning"
  elif compile "$file" >"$scratch/log" 2>&1; then
    complain "it compiles"
  elif ! grep error "$scratch/log" | grep -qF -- "$expected"; then
    complain "no error line says: $expected"
  elif ! grep -q '^ \* errors: ' "$file"; then
    continue
  elif ! errors | sed -n 1p | grep -qF -- "$expected"; then
    complain "the first error does not say: $expected"
  elif [ "$(errors | wc -l)" -gt "$(sed -n 's/^ \* errors: //p' "$file")" ]; then
    complain "$(errors | wc -l) errors are more than its comment allows"
  fi
done
echo "$compiler: $count mistakes, $failures not refused as they must be"
[ "$count" -gt 0 ] || failures=1
finish
