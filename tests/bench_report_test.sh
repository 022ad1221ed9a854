# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# bench_report_test.sh: the command line that all benches have, and their reports: the verdict, the table, the comparison. Reports are
# written by hand here, so nothing is measured.
. "$TS_SOURCE_DIR/tests/lib.sh"
bench=$TS_BUILD_DIR/bench/bench_copy

# report ROW…: a report of bench_copy. A row is "name better median null_least null_most bar".
report() {
  printf '{"schema": 1, "bench": "copy", "machine": {"processor": "%s", "cores": 2, "load": "0", "driver": "d", "compiler": "c"}, "rows": [' \
    "${processor:-A}"
  comma=
  for row; do
    # shellcheck disable=SC2086 # the words of a row
    set -- $row
    printf '%s{"name": "%s", "of": "x", "better": "%s", "ratio": {"median": %s, "least": %s, "most": %s}, ' "$comma" "$1" "$2" "$3" "$3" "$3"
    printf '"null": {"median": 1, "least": %s, "most": %s}, "bar": %s, "seconds": 0.5, "rival_seconds": 0.25, ' "$4" "$5" "$6"
    printf '"processes": 5, "rounds": 31, "rivals": []}'
    comma=,
  done
  echo ']}'
}
base=$scratch/base.json
now=$scratch/now.json
compare() { "$bench" --from "$now" --compare "$base" "$@"; }
refuses() { exits 2 "$@"; }

# ---- the comparison -----------------------------------------------------------------------------------------------------

report "speed more 1.00 0.99 1.01 null" "cost less 1.10 0.99 1.01 null" >"$base"
cp "$base" "$now"
expect "the same is no worse" exits 0 compare
expect "all rows are compared" says "0 of 2 rows worse"

report "speed more 0.80 0.99 1.01 null" "cost less 1.10 0.99 1.01 null" >"$now"
expect "less of what should be more is worse" exits 1 compare
expect "the row is shown" grep -q '^speed .*1\.000 *0\.800 *-20\.0 % *1\.0 %  WORSE$' "$scratch/out"
expect "and it alone" says "1 of 2 rows worse"
expect "a wider threshold lets it pass" exits 0 compare --threshold 25%
expect "a threshold is also a number" exits 0 compare --threshold 19.1
expect "the noise is added to the threshold" exits 1 compare --threshold 18.9

report "speed more 1.00 0.99 1.01 null" "cost less 1.32 0.99 1.01 null" >"$now"
expect "more of what should be less is worse" exits 1 compare
expect "that row is shown" grep -q '^cost .*1\.100 *1\.320 *+20\.0 % *1\.0 %  WORSE$' "$scratch/out"

report "speed more 1.20 0.99 1.01 null" "cost less 0.88 0.99 1.01 null" >"$now"
expect "better is not worse" exits 0 compare
report "speed more 0.95 0.99 1.01 null" "cost less 1.15 0.99 1.01 null" >"$now"
expect "a change within threshold and noise is not worse" exits 0 compare
report "speed more 0.87 0.90 1.00 null" "cost less 1.10 0.99 1.01 null" >"$now"
expect "the noise is that of the row's null row" exits 0 compare
report "speed more 0.84 0.90 1.00 null" "cost less 1.10 0.99 1.01 null" >"$now"
expect "and a row beyond it is worse" exits 1 compare
cp "$now" "$scratch/noisy"
report "speed more 1.00 1.00 1.12 null" "cost less 1.10 0.99 1.01 null" >"$base"
expect "the noise of the base counts, too" exits 0 compare

report "speed more 1.00 0.99 1.01 null" "old more 1.00 0.99 1.01 null" >"$base"
report "speed more 1.00 0.99 1.01 null" "new more 1.00 0.99 1.01 null" >"$now"
expect "rows of one side count for nothing" exits 0 compare
expect "a row that is no more is named" grep -qx 'old  *is in the base alone' "$scratch/out"
expect "a row that was not there is named" grep -qx 'new  *is not in the base' "$scratch/out"
expect "the others are compared" says "0 of 1 rows worse"
report "new more 1.00 0.99 1.01 null" >"$now"
expect "nothing in common is no verdict" exits 4 compare

cp "$base" "$now"
processor=B report "speed more 1.00 0.99 1.01 null" >"$now"
expect "another machine is compared" exits 0 compare
expect "and said to be another" says 'The base is from another machine: its processor is "A", and here it is "B".'

# ---- the verdict and the table ------------------------------------------------------------------------------------------

report "speed more 0.95 0.99 1.01 0.95" "cost less 1.15 0.99 1.01 1.15" >"$now"
expect "a ratio that is the bar reaches it" exits 0 "$bench" --from "$now"
expect "it says so" says "every bar is reached"
report "speed more 0.94 0.99 1.01 0.95" >"$now"
expect "less than a bar misses it" exits 1 "$bench" --from "$now"
expect "the row that misses is marked" says "0.95 MISSED"
report "cost less 1.16 0.99 1.01 1.15" >"$now"
expect "more than a bar of what should be less misses it" exits 1 "$bench" --from "$now"
report "speed more 0.99 0.97 1.01 0.95" >"$now"
sed -i 's/"null": {"median": 1,/"null": {"median": 0.98,/' "$now"
expect "a null row far from 1 is no verdict" exits 4 "$bench" --from "$now"
report "speed more 0.94 0.99 1.01 0.95" >"$now"
"$bench" --from "$now" --markdown >"$scratch/out" || :
expect "the table for docs" says '| speed | 250.00 | 500.00 | 0.940 [0.940, 0.940] | 1.000 [0.990, 1.010] | 0.95 **missed** |'

# ---- what is refused ----------------------------------------------------------------------------------------------------

report "speed more 1.00 0.99 1.01 null" >"$now"
expect "no file" refuses "$bench" --from "$scratch/none"
expect "no file is told" complains "can't be read: No such file"
echo '{"schema": 1,' >"$base"
expect "no JSON" refuses "$bench" --from "$now" --compare "$base"
expect "no JSON is told" complains "'$base' is no JSON"
echo '[1]' >"$base"
expect "no report" refuses "$bench" --from "$now" --compare "$base"
expect "no report is told" complains "is no report of a bench"
sed 's/"schema": 1/"schema": 2/' "$now" >"$base"
expect "another schema" refuses "$bench" --from "$now" --compare "$base"
expect "another schema is told" complains "is of schema 2, and this bench reads schema 1"
sed 's/"bench": "copy"/"bench": "header"/' "$now" >"$base"
expect "another bench" refuses "$bench" --from "$now" --compare "$base"
expect "another bench is told" complains "is of the bench header, and this one is copy"
for member in median seconds better rounds processor cores rows; do
  sed "s/\"$member\"/\"gone\"/" "$now" >"$base"
  expect "a report without $member" refuses "$bench" --from "$now" --compare "$base"
  expect "a report without $member is told" complains "no whole report of a bench"
done

cp "$now" "$base"
for threshold in many -1 101% 5%% ''; do
  expect "the threshold '$threshold'" refuses compare --threshold "$threshold"
  expect "the threshold '$threshold' is told" complains "--threshold takes per cent from 0 to 100, such as 5%, and got '$threshold'"
done
expect "a threshold without a comparison" refuses "$bench" --from "$now" --threshold 5%
expect "rounds" refuses "$bench" --rounds 0
expect "rounds are told" complains "--rounds takes a number from 1 to 1000, and got '0'"
expect "an option without its value" refuses "$bench" --compare
expect "measuring what is read" refuses "$bench" --from "$now" --quick
expect "an unknown option" refuses "$bench" --qiuck
expect "an unknown option is told" complains "there is no option '--qiuck'; --help lists the options"
expect "a file that can't be written ends with 6" exits 6 "$bench" --quick --json "$scratch/none/file"
expect "before anything is measured" complains "can't be written: No such file"
expect "--help is help.txt" sh -c '"$1" --help | cmp - "$2"' sh "$bench" "$TS_SOURCE_DIR/bench/help.txt"
finish
