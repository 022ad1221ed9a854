#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# write_docs.sh FILE.json...: put what `./dev bench NAME --json FILE` has found into docs/performance.md: the table between the
# lines `<!-- bench NAME -->` and `<!-- end -->` is replaced by the one that --markdown prints, so a run should be of all rows.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
page=$root/docs/performance.md
new=$(mktemp)
trap 'rm -f "$new" "$new.table"' EXIT
for file; do
  name=$(sed -n 's/^\t"bench":\t"\([a-z]*\)",$/\1/p' "$file")
  grep -qx "<!-- bench $name -->" "$page" || {
    echo "write_docs: $file is no report of a bench, or $page has no line <!-- bench $name -->" >&2
    exit 2
  }
  # The exit code tells of missed bars, which the table shows too.
  "$root/build-bench/bench/bench_$name" --from "$file" --markdown >"$new.table" || [ $? != 2 ]
  awk -v name="$name" '
    FNR == NR { if (/^On /) on = 1; if (on) table = table $0 "\n"; next }
    /^<!-- end -->$/ { skip = 0 }
    !skip
    $0 == "<!-- bench " name " -->" { skip = 1; printf "%s", table }' "$new.table" "$page" >"$new"
  cat "$new" >"$page"
done
