# SPDX-License-Identifier: Apache-2.0
#
# readme_test.sh: README.md shows examples/scale.c as it is, the files that it and docs/ name exist, and the kernels of the table of
# instructions compile. That the table is what compilers print is not checked: docs/backends.md says how to look.
. "$TS_SOURCE_DIR/tests/lib.sh"
need cc "there is no C compiler" command -v "$CC"
need clang "clang is not installed" command -v clang
cd "$TS_SOURCE_DIR"

sed -n '/^```c$/,/^```$/p' README.md | sed '1d; $d' >"$scratch/scale.c"
expect "README's kernel is examples/scale.c" diff "$scratch/scale.c" examples/scale.c

grep -o '](\([^)#:]*\))' README.md | sed 's/](//; s/)//' >"$scratch/links"
expect "README has links" [ -s "$scratch/links" ]
while read -r link; do expect "README's link $link" [ -e "$link" ]; done <"$scratch/links"

# Every `name` in backticks that looks like a test's is one.
ctest --test-dir "$TS_BUILD_DIR" --show-only=json-v1 | grep -o '"name" : "[a-zA-Z0-9_.+]*"' | sed 's/.*: "//; s/"//' >"$scratch/tests"
grep -o '`\(conform\|compile\|check\|cuda\|threads\|oclgrind\)_[a-zA-Z0-9_.*]*`' docs/backends.md |
  tr -d '`' | sort -u >"$scratch/named"
expect "docs/backends.md names tests" [ -s "$scratch/named" ]
while read -r name; do
  pattern=$(echo "$name" | sed 's/\./\\./g; s/\*/.*/g')
  expect "docs/backends.md: the test $name" grep -qx "$pattern" "$scratch/tests"
done <"$scratch/named"

expect "accesses.c is C11" "$CC" -std=c11 -Wall -Wextra -Werror -I . -fsyntax-only examples/accesses.c
expect "accesses.c is OpenCL C" clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -Wall -Wextra -Werror -I . \
  -fsyntax-only examples/accesses.c
finish
