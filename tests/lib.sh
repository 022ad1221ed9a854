# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# lib.sh: what the shell tests share; `. "$TS_SOURCE_DIR/tests/lib.sh"`. It runs nothing by itself.
#
# CTest gives a test TS_SOURCE_DIR, TS_BUILD_DIR and CC, the C compiler of the build.
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

# expect SENTENCE COMMAND...: COMMAND succeeds; its output is shown if not.
expect() {
  expect_sentence=$1
  shift
  if "$@" >"$scratch/expect.log" 2>&1; then return 0; fi
  echo "FAILED: $expect_sentence"
  sed 's/^/  /' "$scratch/expect.log"
  failures=$((failures + 1))
}

# End the test.
finish() {
  [ "$failures" = 0 ] || exit 1
  exit 0
}
