# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# bench_test.sh NAME ROWS: the bench NAME on little memory, and those rows of it whose names start with ROWS: kernels give right
# results, the JSON has all that report.h says, and it compares with itself. What was measured is not looked at.
. "$TS_SOURCE_DIR/tests/lib.sh"
name=$1
only=$2
bench=$TS_BUILD_DIR/bench/bench_$name
has_nvrtc() {
  "$bench" --quick --rounds 1 --only "$only"
  [ $? != 3 ]
}
case $name in
  nvrtc) need cuda "NVRTC is not there" has_nvrtc ;;
  *) use_pocl ;;
esac
need numpy "python3 is not installed" command -v python3
json=$scratch/bench.json

# Of few rounds on a busy machine any verdict may come out.
gives_a_verdict() {
  "$@"
  case $? in 0 | 1 | 4) ;; *) return 1 ;; esac
}
expect "the bench ends with a verdict" gives_a_verdict "$bench" --quick --only "$only" --json "$json"

is_whole() {
  python3 - "$json" "$name" "$only" <<'END_OF_PYTHON'
import json, sys

report = json.load(open(sys.argv[1]))
assert report["schema"] == 1 and report["bench"] == sys.argv[2], report
machine = report["machine"]
assert machine["cores"] >= 1
for member in "processor", "load", "driver", "compiler":
    assert machine[member], member
assert report["rows"], "no rows"
for row in report["rows"]:
    assert row["name"].startswith(sys.argv[3]), row
    assert row["of"] and row["better"] in ("more", "less"), row
    for spread in row["ratio"], row["null"]:
        assert 0 < spread["least"] <= spread["median"] <= spread["most"], row
    assert row["bar"] is None or row["bar"] > 0, row
    assert row["seconds"] > 0 and row["rival_seconds"] > 0, row
    assert row["processes"] == 1 and row["rounds"] == 3, row
    assert len(row["rivals"]) >= 2, row
    for rival in row["rivals"]:
        assert rival["name"] and rival["seconds"] > 0, row
assert len({row["name"] for row in report["rows"]}) == len(report["rows"]), "two rows of one name"
END_OF_PYTHON
}
expect "the JSON is whole" is_whole
expect "it is no worse than itself" exits 0 "$bench" --from "$json" --compare "$json"
expect "every row was compared" grep -q '^0 of [1-9][0-9]* rows worse$' "$scratch/out"
expect "an unknown row ends with 2" exits 2 "$bench" --only nonsense
expect "an unknown row is told, with all there are" sh -c 'grep "no row that starts with .nonsense.; rows: " "$1" | grep -qF "$2"' sh "$scratch/err" "$only"
finish
