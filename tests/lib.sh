# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# lib.sh: what the shell tests share; `. "$TS_SOURCE_DIR/tests/lib.sh"`. It runs nothing by itself.
#
# CTest gives a test TS_SOURCE_DIR, TS_BUILD_DIR, TS_PLAIN_DIR (a build without sanitizers; it may be the same) and CC, the C
# compiler of the build.
set -eu

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
failures=0

# need NAME REASON COMMAND...: go on if COMMAND succeeds. Else the whole test is skipped for REASON, or it fails if
# TENSORSTORAGE_REQUIRE names NAME. tests/require.h is the same for C.
need() {
  need_name=$1
  need_reason=$2
  shift 2
  if "$@" >/dev/null 2>&1; then return 0; fi
  case ",${TENSORSTORAGE_REQUIRE-}," in
    *",$need_name,"*)
      echo "FAILED: $need_reason, and TENSORSTORAGE_REQUIRE names $need_name"
      exit 1
      ;;
  esac
  echo "SKIP: $need_reason"
  exit 77
}

# Is there an OpenCL device of PoCL?
has_pocl() { clinfo -l | grep -q 'Portable Computing Language'; }

# Let OpenCL have the device of PoCL alone, as cl:0:0, or skip the test.
use_pocl() {
  need pocl "there is no OpenCL device of PoCL" has_pocl
  export OCL_ICD_VENDORS=/etc/OpenCL/vendors/pocl.icd
}

# use_plain: take programs from the build without sanitizers.
use_plain() {
  [ -x "$TS_PLAIN_DIR/tensorstorage" ] || { echo "FAILED: there is no build in $TS_PLAIN_DIR; ./dev test makes it" && exit 1; }
  TS_BUILD_DIR=$TS_PLAIN_DIR
}

# expect SENTENCE COMMAND...: COMMAND succeeds; its output is shown if not.
expect() {
  expect_sentence=$1
  shift
  if "$@" >"$scratch/expect.log" 2>&1; then return 0; fi
  echo "FAILED: $expect_sentence"
  sed 's/^/  /' "$scratch/expect.log"
  failures=$((failures + 1))
}

# exits CODE COMMAND...: the command's output goes to $scratch/out, its sentences to $scratch/err.
exits() {
  exits_code=$1
  shift
  exits_got=0
  "$@" >"$scratch/out" 2>"$scratch/err" || exits_got=$?
  if [ "$exits_got" = "$exits_code" ]; then return 0; fi
  echo "exit code $exits_got, not $exits_code"
  cat "$scratch/out" "$scratch/err"
  return 1
}
says() { grep -F -- "$1" "$scratch/out"; }
complains() { grep -F -- "$1" "$scratch/err"; }

# End the test.
finish() {
  [ "$failures" = 0 ] || exit 1
  exit 0
}
