# SPDX-License-Identifier: Apache-2.0
#
# readme_test.sh: README.md shows examples/scale.c as it is and runs it, the files that it and docs/ name exist, and its table of
# instructions is that of tests/contract/, which contract_test.sh checks against what compilers print.
. "$TS_SOURCE_DIR/tests/lib.sh"
need cc "there is no C compiler" command -v "$CC"
need clang "clang is not installed" command -v clang
cd "$TS_SOURCE_DIR"

sed -n '/^```c$/,/^```$/p' README.md | sed '1d; $d' >"$scratch/scale.c"
expect "README's kernel is examples/scale.c" diff "$scratch/scale.c" examples/scale.c

# The commands of "Run your own kernel", but for the devices' names and times. Its x.npy is made without NumPy here.
. "$TS_SOURCE_DIR/tests/npy.sh"
text_bytes 2048 | npy '<f2' '(1024,)' >"$scratch/x.npy"
own=$(sed -n '/^## Run your own kernel$/,/^## A kernel of your own/p' README.md)
without_numbers() { sed 's/^device .*/device/; s/^time .*/time/'; }
command=$(echo "$own" | sed -n 's/^\$ build\/tensorstorage \(run .*\)/\1/p')
ln -s "$TS_SOURCE_DIR/examples" "$scratch/examples"
# shellcheck disable=SC2086 # a list of arguments
run_it() { (cd "$scratch" && TENSORSTORAGE_DEVICE=host "$TS_BUILD_DIR/tensorstorage" $1); }
expect "README's run exits with 0" exits 0 run_it "$command"
echo "$own" | sed -n '/^device /,/^wrote /p' | without_numbers >"$scratch/report"
without_numbers <"$scratch/out" >"$scratch/report_now"
expect "README's run prints what README shows" diff "$scratch/report" "$scratch/report_now"
expect "README's misspelt argument exits with 2" exits 2 run_it "$(echo "$command" | sed 's/x_cells=/x_cell=/')"
echo "$own" | sed -n '/^tensorstorage: /,/^The kernel is/p' >"$scratch/sentence"
expect "README's sentence about it" diff "$scratch/sentence" "$scratch/err"

grep -o '](\([^)#:]*\))' README.md | sed 's/](//; s/)//' >"$scratch/links"
expect "README has links" [ -s "$scratch/links" ]
while read -r link; do expect "README's link $link" [ -e "$link" ]; done <"$scratch/links"

# Every `name` in backticks that looks like a test's is one.
ctest --test-dir "$TS_BUILD_DIR" --show-only=json-v1 | grep -o '"name" : "[a-zA-Z0-9_.+]*"' | sed 's/.*: "//; s/"//' >"$scratch/tests"
grep -o '`\(alone\|conform\|compile\|check\|contract\|cuda\|pairs\|threads\|oclgrind\)_[a-zA-Z0-9_.*]*`' docs/backends.md |
  tr -d '`' | sort -u >"$scratch/named"
expect "docs/backends.md names tests" [ -s "$scratch/named" ]
while read -r name; do
  pattern=$(echo "$name" | sed 's/\./\\./g; s/\*/.*/g')
  expect "docs/backends.md: the test $name" grep -qx "$pattern" "$scratch/tests"
done <"$scratch/named"

# The table of accesses and instructions is what the contract of instructions says.
awk -f tests/contract/rules.awk -f tests/contract/table.awk tests/contract/rules.txt >"$scratch/table"
sed -n '/^| access | PTX /,/^$/p' README.md | sed '/^$/d' >"$scratch/shown"
expect "README's table of instructions is made from tests/contract/rules.txt" diff "$scratch/table" "$scratch/shown"

# The code of a page of docs/ is one file.
for page in copy kernels; do
  awk '/^```c$/ { shown = 1; next } /^```$/ { shown = 0 } shown' docs/$page.md >"$scratch/$page.c"
  expect "docs/$page.md has code" [ -s "$scratch/$page.c" ]
  expect "the code of docs/$page.md is C11" "$CC" -std=c11 -Wall -Wextra -Werror -Wno-psabi -I . -fsyntax-only "$scratch/$page.c"
  expect "the code of docs/$page.md is OpenCL C" clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -Wall -Wextra -Werror \
    -I . -fsyntax-only "$scratch/$page.c"
done
expect "accesses.c is C11" "$CC" -std=c11 -Wall -Wextra -Werror -I . -fsyntax-only examples/accesses.c
expect "accesses.c is OpenCL C" clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -Wall -Wextra -Werror -I . \
  -fsyntax-only examples/accesses.c
finish
