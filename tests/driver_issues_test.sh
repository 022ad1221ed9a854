# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# driver_issues_test.sh: the kernels of docs/driver-issues, on one driver.
#
#   driver_issues_test.sh pocl       each fails in the way that the table says, on the version that it names. One that no longer
#                                    does makes this fail: then the table and tests/conformance/known_issues.c name too many versions
#   driver_issues_test.sh oclgrind   each is right in a simulator that sees races and what nothing has written
#   driver_issues_test.sh intel      each is right on another vendor's driver
. "$TS_SOURCE_DIR/tests/lib.sh"
driver=$1
issues=$TS_SOURCE_DIR/docs/driver-issues
case $driver in
  pocl) use_pocl ;;
  oclgrind) need oclgrind "oclgrind is not installed" command -v oclgrind ;;
  intel)
    need intel "there is no driver of Intel; ./dev drivers installs it" [ -e "$TS_SOURCE_DIR/drivers/icd" ]
    export OCL_ICD_VENDORS="$TS_SOURCE_DIR/drivers/icd"
    ;;
esac
cd "$scratch" # PoCL leaves files where it fails

expect "the program that runs a kernel compiles" "$CC" -std=c11 -Wall -Wextra -Wconversion -Werror "$issues/see.c" -lOpenCL -o see
[ "$failures" = 0 ] || finish

# see ISSUE: run it, on a driver that may crash or never end; the status goes to the file status, the output to told.
see() {
  see_status=0
  timeout 60 ./see "$issues/$1.cl" >told 2>&1 || see_status=$?
  echo "$see_status" >status
}

# fails ISSUE WORDS: it is not right there, and WORDS are printed.
fails() {
  see "$1"
  [ "$(cat status)" != 0 ] && grep -qF "$2" told && return 0
  cat status told
  return 1
}
# ends_badly ISSUE: the process ends by a signal, or not at all.
ends_badly() {
  see "$1"
  [ "$(cat status)" -ge 124 ] || { cat status told && return 1; }
}

fail_on_pocl() {
  case $(clinfo | sed -n 's/^ *Driver Version *//p') in
    3.1*)
      expect "copies in nested loops" fails pocl-copies-in-nested-loops 'Could not find a dominating alternative variable'
      expect "loops of one round" ends_badly pocl-loops-of-one-round
      expect "loops of one round in branches" fails pocl-loops-of-one-round-in-branches 'Incoming edges to non-entry block'
      expect "a local array of a function" fails pocl-local-array-of-a-function 'wrong: out[1] is 0, must be 1'
      ;;
    *)
      for kernel in "$issues"/pocl-*.cl; do
        see "$(basename "$kernel" .cl)"
        echo "$(basename "$kernel"): exit code $(cat status), $(tail -n 1 told)"
      done
      echo "SKIP: the table of docs/driver-issues says nothing of this version of PoCL"
      exit 77
      ;;
  esac
}

# is_right KERNEL COMMAND...: COMMAND is ./see, in whatever way.
is_right() {
  is_right_kernel=$1
  shift
  : >log
  "$@" "$is_right_kernel" >told 2>&1 && grep -q '^driver .*: right$' told && [ ! -s log ] && return 0
  cat told log
  return 1
}

# What the tool says of an issue is in the folder.
each_file_is_there() {
  sed -n 's/.*"docs\/driver-issues\/\([^"]*\)".*/\1/p' "$TS_SOURCE_DIR/tests/conformance/known_issues.c" >named
  [ -s named ] || return 1
  while read -r name; do [ -f "$issues/$name" ] || { echo "$name" && return 1; }; done <named
  for kernel in "$issues"/*.cl; do grep -qF "\`$(basename "$kernel")\`" "$issues/README.md" || { echo "$kernel" && return 1; }; done
}
expect "each file that a known issue names is there, and each kernel is in the table" each_file_is_there

case $driver in
  pocl) fail_on_pocl ;;
  oclgrind)
    for kernel in "$issues"/*.cl; do
      expect "$(basename "$kernel") is right in oclgrind" is_right "$kernel" oclgrind --data-races --uninitialized --check-api \
        --build-options -cl-opt-disable --log log ./see
    done
    ;;
  intel) for kernel in "$issues"/*.cl; do expect "$(basename "$kernel") is right" is_right "$kernel" ./see; done ;;
esac
finish
