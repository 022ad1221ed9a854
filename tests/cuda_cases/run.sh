#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# run.sh: what nvcc makes of the cases of this folder: traps of CUDA that once cost somebody days, each in a file.
#
#   run.sh [CASE.c...]
#
# A case is compiled to PTX for each architecture and assembled by ptxas, where spills are errors, and local memory too unless
# the case says "local memory". Nothing runs on a GPU. Lines of the case's first comment say what the PTX must be like, by
# regular expressions of whole instructions (ld.shared.v4.f32); cp.async has its bytes behind it, kernel parameters do not count:
#
#   has: RE             there is such an instruction; "has 100 120: RE" only for these architectures
#   lacks: RE           there is none
#   order: RE1 RE2      the first RE1 stands before the first RE2
#   same with: OPTION   with this option the instructions are the same
#   options: OPTION...  for nvcc
#
# In every case each kernel returns, and no load or store is generic unless the case says "generic".
TS_SOURCE_DIR=${TS_SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
. "$TS_SOURCE_DIR/tests/lib.sh"
need cuda "nvcc is not installed" command -v nvcc
need cuda "ptxas is not installed" command -v ptxas

architectures="75 80 90 100 120"

# The memory instructions and conversions of a PTX file in their order.
instructions() {
  sed -nE 's/^[[:space:]]*(\{[[:space:]]*)?(@%p[0-9]+[[:space:]]+)?((ld|st|atom|red|cvt|cvta|cp)\.[a-z0-9.:_]*)(.*\], ([0-9]+);)?.*/\3 \6/p' "$1" |
    sed 's/ $//' |
    grep -v '^[ls][dt]\.param'
}

# ask CASE WHAT: the rest of the lines of the case that start with WHAT.
ask() { sed -n "s/^ \* $2//p" "$1"; }

# wrong SENTENCE: report a failed case, with what the compiler made of it.
wrong() {
  echo "FAILED: $name for sm_$machine: $1"
  sed 's/^/  /' "$scratch/log"
  failures=$((failures + 1))
}

compile() {
  # shellcheck disable=SC2046 # a list of options
  nvcc -x cu -ptx -Werror all-warnings -arch=compute_"$machine" -I "$TS_SOURCE_DIR" $(ask "$file" 'options: ') "$@" "$file"
}

assemble() {
  set -- -v --warn-on-spills -Werror -arch=sm_"$machine" -o "$scratch/out.cubin" "$scratch/out.ptx"
  grep -q '^ \* local memory' "$file" || set -- --warn-on-local-memory-usage "$@"
  ptxas "$@"
}

# The number of the first line that is RE, or nothing.
first() { grep -nxE -- "$1" "$scratch/list" | head -n 1 | cut -d: -f1; }

[ $# -gt 0 ] || set -- "$TS_SOURCE_DIR"/tests/cuda_cases/*.c
count=0
for file; do
  name=${file##*/}
  for machine in $architectures; do
    count=$((count + 1))
    if ! compile -o "$scratch/out.ptx" >"$scratch/log" 2>&1; then
      wrong "it does not compile"
      continue
    fi
    assemble >"$scratch/log" 2>&1 || wrong "ptxas refuses it, or a register is spilled"
    instructions "$scratch/out.ptx" >"$scratch/list"
    cp "$scratch/list" "$scratch/log"
    [ "$(grep -c '\.entry' "$scratch/out.ptx")" -le "$(grep -c '^[[:space:]]*ret;' "$scratch/out.ptx")" ] ||
      wrong "a kernel does not return"
    [ -s "$scratch/list" ] || wrong "nothing is left of it"
    grep -q '^ \* generic' "$file" || [ -z "$(first '(ld|st)(\.v[248])?\.[fubs][0-9]+')" ] || wrong "an access is generic"
    ask "$file" 'has' >"$scratch/asks"
    while IFS= read -r line; do
      case " ${line%%:*} " in "  " | *" $machine "*) ;; *) continue ;; esac
      [ -n "$(first "${line#*: }")" ] || wrong "there is no ${line#*: }"
    done <"$scratch/asks"
    ask "$file" 'lacks' >"$scratch/asks"
    while IFS= read -r line; do
      case " ${line%%:*} " in "  " | *" $machine "*) ;; *) continue ;; esac
      [ -z "$(first "${line#*: }")" ] || wrong "there is a ${line#*: }"
    done <"$scratch/asks"
    ask "$file" 'order: ' >"$scratch/asks"
    while read -r before after; do
      [ "$(first "$before")" -lt "$(first "$after")" ] || wrong "$before is not before $after"
    done <"$scratch/asks"
    ask "$file" 'same with: ' >"$scratch/asks"
    while read -r option; do
      compile "$option" -o "$scratch/other.ptx" >"$scratch/log" 2>&1 || wrong "with $option it does not compile"
      instructions "$scratch/other.ptx" | diff "$scratch/list" - >"$scratch/log" || wrong "$option changes instructions"
    done <"$scratch/asks"
  done
done
echo "cuda_cases: $count compiled, $failures not as they must be"
[ "$count" -gt 0 ] || failures=1
finish
