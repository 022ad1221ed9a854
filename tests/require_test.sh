# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# require_test.sh: a lack is a skip, or a failure where TENSORSTORAGE_REQUIRE names it; the same from shell and from C.
. "$TS_SOURCE_DIR/tests/lib.sh"
need cc "there is no C compiler" command -v "$CC"

cat >"$scratch/lacks.sh" <<'END'
. "$TS_SOURCE_DIR/tests/lib.sh"
need pocl "no PoCL" false
END
cat >"$scratch/has.sh" <<'END'
. "$TS_SOURCE_DIR/tests/lib.sh"
need pocl "no PoCL" true
END
cat >"$scratch/require.c" <<'END'
#include "tests/require.h"
int main(int argc, char **argv) {
  (void)argv;
  ts_skip_unless("pocl", argc > 1, "no PoCL");
  return 0;
}
END
"$CC" -std=c11 -Wall -Wextra -Wconversion -Werror -I "$TS_SOURCE_DIR" "$scratch/require.c" -o "$scratch/require"

# ends_with CODE LINE REQUIRED COMMAND...: with REQUIRED in TENSORSTORAGE_REQUIRE, COMMAND prints LINE and ends with CODE.
ends_with() {
  code=$1
  line=$2
  required=$3
  shift 3
  status=0
  output=$(TENSORSTORAGE_REQUIRE=$required "$@" 2>&1) || status=$?
  echo "exit code $status, output: $output"
  [ "$status" = "$code" ] && [ "$output" = "$line" ]
}

failed="FAILED: no PoCL, and TENSORSTORAGE_REQUIRE names pocl"
for lacks in "sh $scratch/lacks.sh" "$scratch/require"; do
  # shellcheck disable=SC2086 # a command and its argument
  {
    expect "$lacks: nothing required" ends_with 77 "SKIP: no PoCL" "" $lacks
    expect "$lacks: others required" ends_with 77 "SKIP: no PoCL" "clang,pocl2,poc,oclgrind" $lacks
    expect "$lacks: required alone" ends_with 1 "$failed" "pocl" $lacks
    expect "$lacks: required first" ends_with 1 "$failed" "pocl,clang" $lacks
    expect "$lacks: required last" ends_with 1 "$failed" "clang,pocl" $lacks
  }
done
expect "shell: nothing lacks" ends_with 0 "" "pocl" sh "$scratch/has.sh"
expect "C: nothing lacks" ends_with 0 "" "pocl" "$scratch/require" has
finish
