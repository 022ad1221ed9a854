# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# mutate.sh: do the conformance suite and the contract of instructions find faults? Put each fault of tests/mutations/ into a
# copy of the device header, one at a time, and see that a case which passes without it fails with it.
#
# It says nothing about the host library: a fault is in what a kernel includes. docs/mutations.md tells how to write one.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)

usage() {
  cat <<'END'
usage: mutate.sh [--device all|host|cl:P:D|cuda-shim|contract] [NAME|FILE...]

Build the tool with each fault, and run the cases that must find it.

  --device ID  one device (default: all, which is PoCL, the host, cuda-shim and contract); contract is none: what compilers make
               of accesses. Its cases are those of tests/contract_test.sh: ptx.sm_90.f16; ptx.sm_90.copies is that of
               tests/copy_width_test.sh
  NAME         a patch of tests/mutations/, without .patch; default: all of them
  FILE         a patch file; its name has a slash

A fault whose cases need a compiler that is missing is not tried, and counted apart.

Exit codes: 0 all that were tried were caught, 1 one survived, 2 usage, 3 no such device, 4 nothing ran, 5 a patch does not apply
or does not build, or the cases do not even pass without it.
END
}

# die CODE SENTENCE
die() {
  code=$1
  shift
  printf 'mutate: %s\n' "$*" >&2
  exit "$code"
}

# ---- the command line -------------------------------------------------------------------------------------------------

device=all
while [ $# -gt 0 ]; do
  case $1 in
    --device)
      [ $# -gt 1 ] || die 2 "--device needs an id: all, host or cl:0:0"
      device=$2
      shift
      ;;
    --device=*) device=${1#--device=} ;;
    -h | --help)
      usage
      exit 0
      ;;
    -*) die 2 "there is no option '$1'; mutate.sh --help lists them" ;;
    *) break ;;
  esac
  shift
done
case $device in
  all)
    pocl=/etc/OpenCL/vendors/pocl.icd
    [ -e "$pocl" ] || die 3 "PoCL is not installed: apt install pocl-opencl-icd, or choose --device host"
    export OCL_ICD_VENDORS="$pocl"
    devices="cl:0:0 host cuda-shim contract"
    ;;
  host | cuda-shim | contract | cl:*) devices=$device ;;
  *) die 2 "--device is all, host, cuda-shim, contract or the id of an OpenCL device such as cl:0:0, not '$device'" ;;
esac

[ $# -gt 0 ] || set -- "$root"/tests/mutations/*.patch
set -f # globs are for the tool from here on

# patch_file NAME|FILE: where the patch is, from anywhere.
patch_file() {
  case $1 in
    /*) printf '%s\n' "$1" ;;
    */*) printf '%s\n' "$PWD/$1" ;;
    *) printf '%s\n' "$root/tests/mutations/$1.patch" ;;
  esac
}
name_of() { basename "$1" .patch; }

# ---- what a patch says of itself, in the lines before its first hunk ----------------------------------------------------

# field KEY FILE: what follows "# KEY: ".
field() { sed -n "/^--- /q; s/^# $1: *//p" "$2"; }

# family DEVICE FILE: the globs of the cases that must find the fault.
family() {
  own=$(field "must fail on ${1%%:*}" "$2")
  if [ -n "$own" ]; then printf '%s\n' "$own"; else field 'must fail' "$2"; fi
}

# is_for DEVICE FILE: can the fault exist there? Not if it is one of preludes, and none of them is the device's. The contract has
# only those that name it.
is_for() {
  only=$(field 'only on' "$2")
  if [ "$1" = contract ]; then
    case " $only " in *' contract '*) return 0 ;; *) [ -n "$(field 'must fail on contract' "$2")" ] && return 0 || return 1 ;; esac
  fi
  case " $only " in '  ' | *" ${1%%:*} "*) ;; *) return 1 ;; esac
  case $1 in
    host) prelude=host ;;
    cuda-shim) prelude=cuda ;;
    *) prelude=opencl ;;
  esac
  ! grep -q '^+++ b/\(host\|cuda\|opencl\)/' "$2" || grep -q "^+++ b/\($prelude\|core\)/" "$2"
}

may_crash() { sed '/^--- /q' "$1" | grep -qx '# may crash'; }

for argument; do
  file=$(patch_file "$argument")
  [ -f "$file" ] || die 2 "there is no mutation '$argument': $file does not exist"
  sed -n 1p "$file" | grep -q '^# must fail: .' || die 2 "$file: the first line is no '# must fail: GLOB...'"
  for word in $(field 'only on' "$file"); do
    case $word in cl | host | cuda-shim | contract) ;; *) die 2 "$file: '# only on:' has cl, host, cuda-shim and contract, not '$word'" ;; esac
  done
done

# ---- a tree and a build of its own --------------------------------------------------------------------------------------

start=$(date +%s)
scratch=$(mktemp -d)
runs=
trap 'if [ -n "$runs" ]; then kill $runs 2>/dev/null || :; fi; rm -rf "$scratch"' EXIT
trap 'exit 130' HUP INT TERM
tree=$scratch/tree
export POCL_CACHE_DIR="$scratch/pocl"
unset TENSORSTORAGE_HOST_FLAGS # the tool is built without sanitizers here, so kernels are too

mkdir "$tree" "$POCL_CACHE_DIR"
(cd "$root" && tar -cf - --exclude='./build' --exclude='./build-*' --exclude='./.git' .) | tar -xf - -C "$tree"

# The log of the last thing that was tried, for whoever has to put it right.
log=$scratch/log
show_log() { sed 's/^/    /' "$log"; }

# The tool with all devices, the tests' own among them. The contract needs only what reads instructions, and gets the header by
# its path: no fault makes another one of it.
tool=tensorstorage_cuda_shim
reader=list_instructions
case $device in
  all) configuration=TS_TESTS ;;
  contract) configuration=TS_TESTS tool= ;;
  *) configuration=TS_CUDA_SHIM reader= ;;
esac
# shellcheck disable=SC2086 # one target or none
build() { [ -z "$*" ] || cmake --build "$scratch/build" --target "$@" >"$log" 2>&1; }
# shellcheck disable=SC2086
(cmake -S "$tree" -B "$scratch/build" -G Ninja -D $configuration=ON >"$log" 2>&1 && build $tool $reader) || {
  show_log >&2
  die 5 "the tree does not build as it is"
}

# needs_tool FILE: is the fault for a device that the tool runs kernels on?
needs_tool() {
  for d in $devices; do
    [ "$d" = contract ] || ! is_for "$d" "$1" || return 0
  done
  return 1
}

# On cuda-shim, instructions take the place of core's conversions. These options give them back, for a fault that is not one of
# CUDA's prelude.
core_converts=
for kind in F16 BF16 F8 F64 INTEGER; do core_converts="$core_converts --define TS_HAVE_${kind}_CONVERSION=0"; done

# contract CASE...: as conform, for the contract of instructions. A compile error is an error, as in the suite, and a case whose
# compiler is missing is skipped.
contract() {
  code=0
  # shellcheck disable=SC2046 # words without spaces
  for one in $(printf '%s\n' "$@" | sort -u); do
    machine=${one#*.}
    ended=0
    test=contract_test.sh
    [ "${one##*.}" != copies ] || test=copy_width_test.sh
    TS_SOURCE_DIR=$tree TS_BUILD_DIR=$scratch/build sh "$tree/tests/$test" "${one%%.*}" "${machine%.*}" "${one##*.}" \
      >"$scratch/contract.out" 2>&1 || ended=$?
    cat "$scratch/contract.out" >>"$scratch/contract.log"
    verdict=failed
    case $ended in 0) verdict=passed ;; 77) verdict=skipped ;; esac
    ! grep -q '^FAILED: .* compile for' "$scratch/contract.out" || verdict=error
    case $verdict in failed | error) code=1 ;; esac
    printf '{"id":"%s","verdict":"%s","seconds":0,"reason":"%s"}\n' "$one" "$verdict" \
      "$(sed -n '/^SKIP: /{s///p;q;};2p' "$scratch/contract.out" | tr -d '"\\' | cut -c 1-160)" >>"$scratch/contract.json"
  done
  exit $code
}

# conform DEVICE GLOB...: become the tool, and run these cases. The results go to $scratch/DEVICE.json, the report to
# $scratch/DEVICE.log.
conform() {
  conform_device=$1
  shift
  [ "$conform_device" != contract ] || contract "$@"
  for glob; do
    shift
    set -- "$@" --filter "$glob"
  done
  # shellcheck disable=SC2086 # a list of options
  exec "$scratch/build/$tool" conform --device "$conform_device" --timeout "$patience" --json "$scratch/$conform_device.json" $options "$@" \
    >"$scratch/$conform_device.log" 2>&1
}

# conform_all FILE...: on each device at the same time, the families of these patches. Results as of conform; its exit codes
# to $scratch/DEVICE.code, or none where no patch is for the device.
conform_all() {
  runs=
  for d in $devices; do
    rm -f "$scratch/$d.json" "$scratch/$d.code" "$scratch/$d.log"
    globs=
    options=
    [ "$d" != cuda-shim ] || options=$core_converts
    for patch; do
      ! is_for "$d" "$patch" || globs="$globs $(family "$d" "$patch")"
      ! grep -q '^+++ b/cuda/' "$patch" || options=
    done
    [ -n "$globs" ] || continue
    # shellcheck disable=SC2086 # a list of globs, and set -f
    conform "$d" $globs &
    runs="$runs $!"
    echo $! >"$scratch/$d.run"
  done
  for d in $devices; do
    [ -e "$scratch/$d.run" ] || continue
    code=0
    wait "$(cat "$scratch/$d.run")" || code=$?
    echo "$code" >"$scratch/$d.code"
    rm "$scratch/$d.run"
  done
  runs=
}

# ---- without a fault ----------------------------------------------------------------------------------------------------

files=$scratch/files
for argument; do patch_file "$argument"; done >"$files"
IFS='
'
# shellcheck disable=SC2046 # one word a line
set -- $(cat "$files")
unset IFS

patience=600 # seconds for a case: many that are right, on a busy machine
conform_all "$@"
for d in $devices; do
  [ -e "$scratch/$d.code" ] || continue
  code=$(cat "$scratch/$d.code")
  if [ "$code" != 0 ]; then
    sed 's/^/    /' "$scratch/$d.log" >&2
    [ "$code" = 3 ] || code=5
    die "$code" "without a fault, the cases do not pass on $d"
  fi
  mv "$scratch/$d.json" "$scratch/$d.right.json"
done

# ---- with each fault ----------------------------------------------------------------------------------------------------

caught=0
survived=0
broken=0
untried=0
report() { printf '%-28s %-8s %s\n' "$@"; }
give_up() {
  broken=$((broken + 1))
  report "$@"
}

# verdict DEVICE FILE: a word and a line of text. "caught": the first case that passed without the fault and fails with it.
# "broken": none failed, but one had an error, so the fault is not one that a case could find. "untried": no case could run, for
# lack of a compiler. "survived": none of them.
verdict() {
  crash=0
  ! may_crash "$2" || crash=1
  awk -F'"' -v crash="$crash" -v device="$1" '
    $2 != "id" { next }
    FILENAME == ARGV[1] { if ($8 == "passed") passed[$4] = 1; next }
    $8 == "skipped" && device == "contract" { skip = $14 }
    !($4 in passed) { next }
    $8 == "failed" || (crash && $8 == "error" && $14 ~ /^(crashed|timed out|ts_kernel_launch: kernel)/) { print "caught " $4 ": " $14; found = 1; exit }
    $8 == "error" && error == "" { error = $4 ": " $14 }
    { ran = 1 }
    END {
      if (found) exit
      if (error != "") print "broken ERROR: " error
      else if (ran) print "survived SURVIVED"
      else if (skip != "") print "untried not tried: " skip
      else print "broken ERROR: no case of the family runs here"
    }' "$scratch/$1.right.json" "$scratch/$1.json"
}

# tellers DEVICE: of each case that fails now, and did not before: the place and the name of the first test of order.txt that runs
# it.
tellers() {
  awk -v device="${1%%:*}" '
    FILENAME == ARGV[1] { if (!/^#/ && NF) { place[++tests] = $1; runs[tests] = $2 } next }
    FILENAME == ARGV[3] { if ($8 == "passed") passed[$4] = 1; next } # ARGV[2] is FS
    !($4 in passed) || ($8 != "failed" && $8 != "error") { next }
    {
      for (k = 1; k <= tests; k++) {
        # Of the contract a test has one set and machine, with all dtypes (ptx.sm_90 has ptx.sm_90.f16), or with the copies alone.
        found = runs[k] == device || runs[k] == $4 || ($4 !~ /\.copies$/ && index($4, runs[k] ".") == 1)
        if (found) { print k, place[k]; break }
      }
    }' "$root/tests/order.txt" FS='"' "$scratch/$1.right.json" "$scratch/$1.json"
}

judge() {
  if [ ! -e "$scratch/$1.json" ]; then
    give_up "$(name_of "$2")" "$1" "ERROR: the suite ended with $(cat "$scratch/$1.code"):"
    sed 's/^/    /' "$scratch/$1.log"
    return
  fi
  answer=$(verdict "$1" "$2")
  report "$(name_of "$2")" "$1" "${answer#* }"
  case $answer in
    caught*) caught=$((caught + 1)) && tellers "$1" >>"$scratch/told" ;;
    survived*) survived=$((survived + 1)) ;;
    untried*) untried=$((untried + 1)) ;;
    *) broken=$((broken + 1)) ;;
  esac
}

# No fuzz: a patch whose surroundings have changed may not mean the same any more. The dry run comes first, so that nothing
# is half applied.
apply() { patch -p1 --fuzz=0 --batch --no-backup-if-mismatch -d "$tree" "$@" >"$log" 2>&1; }

: >"$scratch/tellers"
patience=120 # and one that may hang
report mutation device 'caught by'
for file; do
  if ! { apply --dry-run -i "$file" && apply -i "$file"; }; then
    give_up "$(name_of "$file")" - "ERROR: the patch does not apply; make it anew:"
    show_log
    continue
  fi
  : >"$scratch/told"
  if ! needs_tool "$file" || build $tool; then
    conform_all "$file"
    for d in $devices; do
      ! is_for "$d" "$file" || judge "$d" "$file"
    done
    sort -n "$scratch/told" | head -n 1 >>"$scratch/tellers"
  else
    give_up "$(name_of "$file")" - "ERROR: the tool does not build with it:"
    show_log
  fi
  apply -R -i "$file" || die 5 "$file could not be taken back: $(cat "$log")"
done

# Of the tests of ./dev test in their order, the first that runs a case which found the fault.
echo
sort "$scratch/tellers" | uniq -c | sort -k 2,2n | while read -r count _ test; do echo "$test is the first test to tell of $count"; done
echo "$(($(date +%s) - start)) seconds"
[ "$untried" = 0 ] || echo "$untried not tried"
[ "$broken" = 0 ] || echo "$broken could not be tried"
echo "$caught caught, $survived survived"
[ "$broken" = 0 ] || exit 5
[ "$survived" = 0 ] || exit 1
[ "$caught" -gt 0 ] || [ "$untried" = 0 ] || exit 3
[ "$caught" -gt 0 ] || exit 4
