# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# man_test.sh: the manual is read without a warning, there is a page for each command, and it has every option, command and
# variable that --help and README.md have.
. "$TS_SOURCE_DIR/tests/lib.sh"
need man "man is not installed" command -v man
tool=$TS_BUILD_DIR/tensorstorage
pages=$TS_BUILD_DIR/man/man1

# read_page NAME: the page as a reader sees it, in $scratch/page; any warning is a failure.
read_page() {
  LC_ALL=C MANWIDTH=200 man --warnings -l "$pages/$1.1" >"$scratch/page" 2>"$scratch/warnings" || return 1
  cat "$scratch/warnings"
  [ ! -s "$scratch/warnings" ] && grep -q '^NAME' "$scratch/page" && grep -q '^SYNOPSIS' "$scratch/page" &&
    grep -q '^EXIT STATUS' "$scratch/page"
}
# has WORDS: a row of a list, or within one.
has() { grep -q -F -e "       $1" "$scratch/page"; }

"$tool" --help >"$scratch/help"
sed -n 's/^  \([a-z][a-z]*\) .*/\1/p' "$scratch/help" | grep -vx help >"$scratch/commands"
expect "the tool has the commands that it had at first" \
  [ "$(grep -cxE 'devices|run|conform|build|show' "$scratch/commands")" = 5 ]
expect "there is a page for each command, and the tool's own" \
  [ "$(find "$pages" -type f | wc -l)" = $(($(wc -l <"$scratch/commands") + 1)) ]

expect "the tool's page is read without a warning" read_page tensorstorage
while read -r command; do expect "the tool's page has $command" has "$command"; done <"$scratch/commands"
sed -n 's/^| `\([A-Z_]*\)` | .*/\1/p' "$TS_SOURCE_DIR/README.md" | grep -vx TENSORSTORAGE_REQUIRE >"$scratch/variables"
expect "README has variables" [ "$(wc -l <"$scratch/variables")" -gt 5 ]
while read -r variable; do expect "the tool's page has $variable" has "$variable"; done <"$scratch/variables"

while read -r command; do
  expect "the page of $command is read without a warning" read_page "tensorstorage-$command"
  # What begins each row of the help, up to its text.
  "$tool" "$command" --help | sed -n 's/^   *\([^ ].*\)/\1/p' | sed -n 's/  .*//p' >"$scratch/rows"
  expect "the help of $command has --help" grep -qx -e --help "$scratch/rows"
  while read -r row; do expect "the page of $command has $row" has "$row"; done <"$scratch/rows"
  case $command in
    run) expect "its example is README's" has "tensorstorage run examples/scale.c --items 256 --group 256 --arg x_cells=@x.npy" ;;
    build) expect "its example is that of docs/" has "tensorstorage build examples/scale.c --target sm_90 --target gfx90a" ;;
  esac
done <"$scratch/commands"

finish
