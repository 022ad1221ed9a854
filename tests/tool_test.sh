# SPDX-License-Identifier: Apache-2.0
#
# tool_test.sh: the tool as it is built: its commands, its devices and its list of cases. What `conform` does when cases
# fail, crash or hang is in check_conform.c; no_driver_test.sh is without an OpenCL driver.
. "$TS_SOURCE_DIR/tests/lib.sh"

tool=$TS_BUILD_DIR/tensorstorage

is_empty() { [ ! -s "$1" ]; }

expect "help exits with 0" exits 0 "$tool" help
expect "help names each command" says "conform    run the conformance cases on a device"
cp "$scratch/out" "$scratch/help"
expect "--help exits with 0" exits 0 "$tool" --help
expect "--help is help" cmp "$scratch/out" "$scratch/help"
expect "-h is help" sh -c '"$1" -h | cmp - "$2"' sh "$tool" "$scratch/help"
for command in devices run conform doctor; do
  expect "$command -h is --help" sh -c '[ "$("$1" $2 -h)" = "$("$1" $2 --help)" ]' sh "$tool" $command
done
expect "help of a command exits with 0" exits 0 "$tool" help devices
expect "help of a command is that command's" says "usage: tensorstorage devices"
expect "--version exits with 0" exits 0 "$tool" --version
expect "--version is the project's" grep -qx 'tensorstorage [0-9]*\.[0-9]*\.[0-9]*' "$scratch/out"
expect "an unknown command exits with 2" exits 2 "$tool" devcies
expect "an unknown command is told with the nearest" complains 'there is no command "devcies"; the nearest is "devices"'
expect "a short one, too" exits 2 "$tool" rnu
expect "with what was meant" complains 'there is no command "rnu"; the nearest is "run"'

if [ -c /dev/full ]; then
  expect "output that cannot be written exits with 6" exits 6 sh -c '"$1" help >/dev/full' sh "$tool"
  expect "output that cannot be written is told" complains "the output could not be written"
fi

expect "devices exits with 0" exits 0 "$tool" devices
expect "the first device is the host" sh -c 'sed -n 2p "$1" | grep -q "^host  "' sh "$scratch/out"
sed '/^$/,$d; 1d; s/ .*//' "$scratch/out" >"$scratch/table_ids"
expect "devices --json exits with 0" exits 0 "$tool" devices --json
grep -o '"id":"[^"]*"' "$scratch/out" | sed 's/"id":"//; s/"//' >"$scratch/json_ids"
expect "the table and the JSON have the same devices" cmp "$scratch/table_ids" "$scratch/json_ids"

expect "conform --list exits with 0" exits 0 "$tool" conform --list
cp "$scratch/out" "$scratch/ids"
expect "there are cases" [ -s "$scratch/ids" ]
sort "$scratch/ids" | uniq -d >"$scratch/repeated"
expect "no id is there twice" is_empty "$scratch/repeated"
grep -v '^[A-Za-z0-9_.]*$' "$scratch/ids" >"$scratch/special" || true
expect "no id has a character that means something to a glob or a shell" is_empty "$scratch/special"

# /dev/stdout names the file that `exits` keeps the output in: replacing it would lose what is in there.
expect "a report never replaces what is printed" exits 6 "$tool" conform --device host --filter load.f32x1.global --json /dev/stdout
expect "and the tool says why" complains "it is where the report is printed"

finish
