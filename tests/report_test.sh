# SPDX-License-Identifier: Apache-2.0
#
# report_test.sh: the table of backends that `./dev report` makes, of reports written by hand, and of one by the tool.
#
#   report_test.sh TOOL     TOOL: linked with the suite of fake_suite.c
. "$TS_SOURCE_DIR/tests/lib.sh"
tool=$1
cd "$scratch"
report() { sh "$TS_SOURCE_DIR/tests/report.sh" "$@"; }

cat >one.json <<'END'
{"schema":2,
"device":{"id":"cl:0:0"},
"cases":[
{"id":"load.f32x1.global","status":"passed","seconds":1},
{"id":"load.f32x1.generic","status":"skipped","seconds":0,"reason":"the device has no \"generic\" | pointers"},
{"id":"load.f32x2.generic","status":"skipped","seconds":0,"reason":"the device has no \"generic\" | pointers"},
{"id":"copy.a","status":"known","seconds":0,"reason":"crashed: signal 6","issue":"docs/driver-issues/a.cl","replay":"x"},
{"id":"copy.b","status":"failed","seconds":0,"reason":"byte 3 is 0x01","replay":"x"},
{"id":"copy.c","status":"error","seconds":0,"reason":"timed out after 1 s","replay":"x"}
]}
END
cat >part_1.json <<'END'
{"schema":2,
"cases":[
{"id":"load.f32x1.global","status":"skipped","seconds":0,"reason":"not in this part"},
{"id":"copy.a","status":"passed","seconds":1}
]}
END
cat >part_2.json <<'END'
{"schema":2,
"cases":[
{"id":"load.f32x1.global","status":"passed","seconds":1},
{"id":"other.d","status":"passed","seconds":1}
]}
END
cat >compiled.json <<'END'
{"schema":2,
"compiled":{"target":"sm_90"},
"cases":[
{"id":"load.f32x1.global","status":"compiled"},
{"id":"load.f32x1.generic","status":"compiled"},
{"id":"load.f32x2.generic","status":"compiled"},
{"id":"copy.a","status":"skipped","reason":"error: too much data"}
]}
END
cat >alike_1.json <<'END'
{"schema":2,
"cases":[
{"id":"add.a","status":"passed"},
{"id":"load.a","status":"passed"},
{"id":"load.b","status":"skipped","reason":"none"},
{"id":"add.b","status":"passed"},
{"id":"divide.a","status":"passed"},
{"id":"store.a","status":"passed"},
{"id":"store.b","status":"skipped","reason":"none"},
{"id":"multiply.a","status":"passed"},
{"id":"less.a","status":"skipped","reason":"none"},
{"id":"equal.a","status":"skipped","reason":"none"}
]}
END
cat >alike_2.json <<'END'
{"schema":2,
"compiled":{"target":"sm_90"},
"cases":[
{"id":"add.a","status":"compiled"},
{"id":"add.b","status":"compiled"},
{"id":"divide.a","status":"skipped","reason":"none"},
{"id":"multiply.a","status":"compiled"},
{"id":"less.a","status":"compiled"},
{"id":"equal.a","status":"compiled"}
]}
END
cat >alike_table <<'END'
| families | cases | pocl | sm_90 |
|---|---|---|---|
| `add` `multiply` | 3 | ran | compiled |
| `load` | 2 | 1 ran, 1 skipped | absent |
| `divide` | 1 | ran | skipped |
| `store` | 2 | 1 ran, 1 skipped | absent |
| `less` `equal` | 2 | skipped | compiled |
| all | 10 | 6 ran, 4 skipped | 5 compiled, 1 skipped, 4 absent |
END
cat >table <<'END'
| families | cases | pocl | two | sm_90 |
|---|---|---|---|---|
| `load` | 3 | 1 ran, 2 skipped | 1 ran, 2 absent | compiled |
| `copy` | 3 | 1 known, 2 wrong | 1 ran, 2 absent | 1 skipped, 2 absent |
| `other` | 1 | absent | ran | absent |
| all | 7 | 1 ran, 1 known, 2 wrong, 2 skipped, 1 absent | 3 ran, 4 absent | 3 compiled, 1 skipped, 3 absent |

| backend | cases | state | why | families |
|---|---|---|---|---|
| pocl | 2 | skipped | the device has no "generic" \| pointers | load |
| two | 4 | absent | in no report | load copy |
| pocl | 1 | known | crashed: signal 6 | copy |
| sm_90 | 1 | skipped | error: too much data | copy |
| pocl | 1 | wrong | byte 3 is 0x01 | copy |
| sm_90 | 3 | absent | in no report | copy other |
| pocl | 1 | wrong | timed out after 1 s | copy |
| pocl | 1 | absent | in no report | other |
END
all="pocl=one.json two=part_1.json sm_90=compiled.json two=part_2.json"
# shellcheck disable=SC2086 # a list of arguments
expect "a report is made" exits 0 report $all
expect "its table counts every case once for each backend, and gives reasons" diff table out
expect "a report of families that are alike is made" exits 0 report pocl=alike_1.json sm_90=alike_2.json
sed '/^$/,$d' out >alike_out
expect "those share a row, unless their cases differ in state" diff alike_table alike_out
# shellcheck disable=SC2086
expect "the JSON is made" exits 0 report --json $all
expect "and is read back" python3 -c '
import json
made = json.load(open("out"))
assert made["backends"] == ["pocl", "two", "sm_90"], made
assert made["families"][1] == {"family": "copy", "cases": 3, "pocl": {"known": 1, "wrong": 2}, "two": {"ran": 1, "absent": 2},
                               "sm_90": {"skipped": 1, "absent": 2}}, made
assert {"backend": "pocl", "state": "skipped", "cases": 2, "reason": "the device has no \"generic\" | pointers"} in made["reasons"]
'
# shellcheck disable=SC2086
expect "one case is told" exits 0 report --id 'copy.?' $all
expect "on each backend" [ "$(head -n 4 out | tr -s ' ' | tr '\n' ';')" = "copy.a; pocl known: crashed: signal 6; two ran; sm_90 skipped: error: too much data;" ]

expect "the tool writes a report" exits 0 "$tool" conform --filter 'pass.*' --filter 'skip.*' --json run.json
expect "that is taken" exits 0 report fake=run.json
expect "and counted" says '| `skip` | 3 | skipped |'

# What a compiler takes, in a build folder of stand-ins: two programs, the second of which it refuses.
mkdir -p build/tests
cat >build/tests/write_programs <<'END'
#!/bin/sh
touch "$1/good.c" "$1/bad.c"
printf '%s\n' 'good load.a' 'good load.b' 'bad copy.c' >"$1/ids"
END
cat >build/tensorstorage <<'END'
#!/bin/sh
[ "$1 $3 $4 $5 $6" = 'build --target gfx90a --option -O0' ] || exit 2
case $2 in */good.c) exit 0 ;; esac
echo 'note: first'
echo 'bad.c:7: error: no "x" here'
exit 5
END
chmod +x build/tests/write_programs build/tensorstorage
expect "programs are compiled" sh "$TS_SOURCE_DIR/tests/programs_compile.sh" build gfx90a gfx.json --option -O0
expect "their report is taken" exits 0 report gfx90a=gfx.json
expect "what compiled is counted" says '| `load` | 2 | compiled |'
expect "what did not has its reason" says '| gfx90a | 1 | skipped | bad.c:7: error: no "x" here | copy |'

expect "no report is an error of usage" exits 2 report
expect "so is a file without a name" exits 2 report one.json
expect "a file that is not there is told" exits 6 report pocl=nowhere.json
expect "by its name" complains "nowhere.json can't be read"
printf '%s\n' '{"schema":2,' '"cases":[' ']}' >nothing.json
expect "a file without cases is no report" exits 6 report pocl=nothing.json
expect "which is told" complains "nothing.json: there is no case in it"
sed 's/"passed"/"perhaps"/' part_1.json >wrong.json
expect "nor is one with another status" exits 6 report pocl=wrong.json
expect "which is told" complains 'has the status "perhaps"'
expect "a folder is none" exits 6 report pocl=.
expect "which is told" complains ". is a folder"
sed 's/"schema":2/"schema":7/' one.json >later.json
expect "a report of a schema that is not known is refused" exits 6 report two=part_1.json pocl=later.json
expect "with both numbers" complains "later.json: it has schema 7; reports of schema 2 are read"
head -n 6 one.json >cut.json
expect "a report that is cut off is refused" exits 6 report pocl=cut.json
expect "which is told" complains "cut.json: it is cut off"
expect "before others too" exits 6 report pocl=cut.json two=part_1.json
expect "by its own name" complains "cut.json: it is cut off"
expect "and prints nothing" [ ! -s out ]
python3 -c 'import json, sys; json.dump(json.load(open("one.json")), sys.stdout)' >dumped.json
expect "another layout is refused" exits 6 report pocl=dumped.json
expect "as no report as the tool writes it" complains 'dumped.json: it is no report as `tensorstorage conform --json` writes it'

expect "a bar in a name" exits 0 report 'a|b=part_1.json'
expect "makes no column in the heading" [ "$(head -n 2 out | tr '\n' ' ')" = '| families | cases | a\|b | |---|---|---| ' ]
expect "a bar in the name of a backend with a reason" exits 0 report 'a|b=compiled.json'
expect "makes none in that table" says '| a\|b | 1 | skipped | error: too much data | copy |'
expect "a name with a quote is an error of usage" exits 2 report 'a"b=part_1.json'
mkdir x=y
cp part_1.json x=y
expect "a file's path may have an equals sign" exits 0 report two=x=y/part_1.json
expect "a glob that matches no case ends with 4" exits 4 report --id 'lead.*' pocl=one.json
expect "which is told" complains "no case of these reports matches --id"
finish
