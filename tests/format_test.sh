# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# format_test.sh: all C files are laid out as .clang-format says. `./dev format` puts right what this finds.
. "$TS_SOURCE_DIR/tests/lib.sh"

# The layout differs between versions of clang-format, so dev accepts one only and ends with 3 if it is not there.
can_format() {
  status=0
  "$TS_SOURCE_DIR/dev" format --no-install --check || status=$?
  [ "$status" != 3 ]
}
need clang-format "clang-format 14 is not installed" can_format

expect "every C file is laid out; if not: ./dev format" "$TS_SOURCE_DIR/dev" format --no-install --check

mkdir "$scratch/tree"
cp "$TS_SOURCE_DIR/dev" "$TS_SOURCE_DIR/.clang-format" "$scratch/tree"
cat >"$scratch/tree/bad.c" <<'END'
int  a ;
/* clang-format off */
int  b ;
END
format() { "$scratch/tree/dev" format --no-install "$@"; }
expect "--check finds a file that is not laid out" sh -c '! "$0" format --no-install --check' "$scratch/tree/dev"
expect "--check changes nothing" grep -q '^int  a ;' "$scratch/tree/bad.c"
expect "format lays it out" format
expect "and is content with it" format --check
expect "the file is laid out" grep -q '^int a;' "$scratch/tree/bad.c"
expect "clang-format off is respected" grep -q '^int  b ;' "$scratch/tree/bad.c"
finish
