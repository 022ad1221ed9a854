# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# kernel_api_test.sh: docs/kernel_api.md has each public name of the kernel header, with its arguments, and no other.
. "$TS_SOURCE_DIR/tests/lib.sh"
cd "$TS_SOURCE_DIR"
page=docs/kernel_api.md
headers="core/*.h cuda/prelude.h host/prelude.h opencl/prelude.h"

# What headers have: a macro or a function as name(arguments), without types; and as a name alone, each name that they define.
# shellcheck disable=SC2086 # a list of patterns
{
  sed -n -E 's/^ *#define ((ts|TS)_[A-Za-z0-9_]+\([^)]*\)).*/\1/p' $headers
  sed -n -E 's/^TS_(INLINE|OUTLINE) [a-z0-9_ ]+ \**(ts_[a-z0-9_]+\([^)]*\)) .*/\2/p' $headers |
    sed -E 's/\(void\)/()/; s/([(,])[^(,)]*[ *]([a-z0-9_]+)/\1 \2/g; s/\( /(/'
} | sort -u >"$scratch/signatures"
# shellcheck disable=SC2086
{
  sed 's/(.*//' "$scratch/signatures"
  sed -n -E 's/^ *#define (TS_[A-Za-z0-9_]+).*/\1/p; s/^ *(TS_[A-Z0-9_]+) = .*/\1/p; s/^(typedef |\} ?).*\b(ts_[a-z_]+);.*/\2/p' $headers
  grep -ohE 'TS_USE_[A-Za-z0-9_]+|TS_INDEX_32|TS_NO_SATURATE' $headers
} | sort -u >"$scratch/names"

# What the page has: whatever stands in code in the first column of a table.
sed -n -E 's/^\| (`[^|]*`)[^`|]*\|.*/\1/p' "$page" | grep -oE '`[^`]*`' | tr -d '`' >"$scratch/page"
while read -r word; do
  case $word in
    *\(*) expect "the headers have $word" grep -qxF -- "$word" "$scratch/signatures" ;;
    *) expect "the headers have $word" grep -qxF -- "$word" "$scratch/names" ;;
  esac
done <"$scratch/page"
expect "no name stands twice" [ -z "$(sort "$scratch/page" | uniq -d)" ]
expect "the page has tables" [ "$(wc -l <"$scratch/page")" -gt 100 ]

# Names in small letters are public, but for those of one language and two that a copy is made of.
grep '^ts_' "$scratch/signatures" | grep -vE '^ts_(cuda|host)_|^ts_(plan_copy|layout_has_multiples)\(' >"$scratch/public"
while read -r word; do expect "the page has $word" grep -qxF -- "$word" "$scratch/page"; done <"$scratch/public"
# Of those in capitals the ones that examples are written in.
# shellcheck disable=SC2046
cat $(grep -lE '^TS_KERNEL|^TS_FUNCTION' examples/*.c) examples/storages/*.h | sed -E 's/_[1-6]\(/_2(/' | grep -oE '\bTS_[A-Za-z0-9_]+' | grep -v '^TS_USE_' |
  sort -u >"$scratch/used"
while read -r word; do expect "the page has $word, which an example uses" grep -qE "\`${word}[\`(]" "$page"; done <"$scratch/used"
for word in $(sed -n -E 's/^#define TS_(DTYPE|POLICY)_ROW_([a-z0-9_]+) .*/\2/p' core/tables.h); do
  expect "the page has $word, of core/tables.h" grep -qF "\`$word\`" "$page"
done
finish
