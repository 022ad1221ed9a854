# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# dev_test.sh: the command line of `dev`, what it installs and what its exit codes and last line are, in a copy of the
# tree where apt, cmake, ctest and the tool are stand-ins that write down how they were called. It installs nothing.
. "$TS_SOURCE_DIR/tests/lib.sh"

tree="$scratch/a tree"
bin=$scratch/bin
mkdir -p "$tree/tests" "$tree/build" "$tree/build-test" "$tree/bench" "$bin"
cp "$TS_SOURCE_DIR/bench/help.txt" "$tree/bench"
cp "$TS_SOURCE_DIR/dev" "$tree"
for file in summary.awk mutate.sh fuzz_copy.c; do cp "$TS_SOURCE_DIR/tests/$file" "$tree/tests"; done
ln -s /bin/echo "$bin/echo"
for command in awk cat dirname env grep rm sed sh xargs; do ln -s "$(command -v "$command")" "$bin/$command"; done

# stand_in NAME: a command that adds its name and arguments to the file calls, then does what its standard input says.
stand_in() {
  {
    echo '#!/bin/sh'
    echo "printf '%s\\n' \"\${0##*/} \$*\" >>'$scratch/calls'"
    cat
  } >"$bin/$1"
  chmod +x "$bin/$1"
}
stand_in dpkg-query <<END
for package; do :; done
grep -qx "\$package" '$scratch/absent' || echo installed
END
stand_in apt-cache <<END
grep -x "\$2" '$scratch/offered' || :
END
stand_in apt-get <<END
[ ! -e '$scratch/mirror is down' ] || { rm '$scratch/mirror is down'; exit 100; }
END
stand_in cmake <<END
[ ! -e '$scratch/broken' ]
END
stand_in ctest <<END
cat '$scratch/results' >'$tree/build-test/results.xml'
END
stand_in id <<END
cat '$scratch/user'
END
for name in nproc sleep; do echo 'echo 1' | stand_in "$name"; done
{
  echo '#!/bin/sh'
  echo 'echo "device ${OCL_ICD_VENDORS-any}: $*"'
  echo 'exit 4'
} >"$tree/build/tensorstorage"
chmod +x "$tree/build/tensorstorage"

# A machine with everything, and root.
reset() {
  : >"$scratch/absent"
  : >"$scratch/offered"
  : >"$scratch/calls"
  : >"$scratch/results"
  rm -f "$scratch/mirror is down" "$scratch/broken" "$bin/sudo"
  echo 0 >"$scratch/user"
}

# dev ARGUMENT...: run it; its exit code goes to $status, its output to the file output.
dev() {
  status=0
  (unset TENSORSTORAGE_DEVICE && PATH=$bin "$tree/dev" "$@") >"$scratch/output" 2>&1 || status=$?
}
ended() { [ "$status" = "$1" ] || { echo "exit code $status" && cat "$scratch/output" && return 1; }; }
said() { grep -qFe "$1" "$scratch/output" || { cat "$scratch/output" && return 1; }; }
last_line() { [ "$(tail -n 1 "$scratch/output")" = "$1" ] || { cat "$scratch/output" && return 1; }; }
called() { grep -qxFe "$1" "$scratch/calls" || { cat "$scratch/calls" && return 1; }; }
not_called() { if grep -e "^$1" "$scratch/calls"; then return 1; fi; }
times_called() { [ "$(grep -ce "^$1" "$scratch/calls")" = "$2" ] || { cat "$scratch/calls" && return 1; }; }

# ---- the command line ---------------------------------------------------------------------------------------------------

reset
for words in help --help -h ""; do
  # shellcheck disable=SC2086 # no word is no argument
  dev $words
  expect "'$words' is the manual" ended 0
  for command in build install conform fuzz test mutate bench drivers format help; do
    expect "the manual of '$words' has $command" grep -q "^  $command " "$scratch/output"
  done
done
for command in build install conform test fuzz mutate drivers format; do
  dev "$command" --help
  expect "'$command --help' is no mistake" ended 0
  expect "'$command --help' is its manual" grep -q "^$command " "$scratch/output"
  expect "'$command --help' is no other's manual" [ "$(grep -cE '^(build|install|conform|test|fuzz|mutate|bench|drivers|format) ' "$scratch/output")" = 1 ]
  expect "'$command --help' does nothing" test ! -s "$scratch/calls"
done
dev fuzz --help
expect "the manual of fuzz has the options of its program" said "--minutes M"
dev mutate --help
expect "the manual of mutate has its options" said "--device ID"
dev biuld
expect "an unknown command ends with 2" ended 2
expect "an unknown command is named" said "there is no command 'biuld'; commands: build, "
dev build twice
expect "an argument of build ends with 2" ended 2
dev format --chekc
expect "an unknown option of format ends with 2" ended 2
expect "an unknown option of format is named" said "takes only --check, and got '--chekc'"
dev bench benhc
expect "an unknown bench ends with 2" ended 2
expect "an unknown bench is named" said "and got 'benhc'"
for words in "bench --help" "bench copy --help" "bench copy --quick -h"; do
  # shellcheck disable=SC2086 # several words
  dev $words
  expect "'$words' is help.txt" cmp "$scratch/output" "$TS_SOURCE_DIR/bench/help.txt"
done
expect "no wrong command line does anything" test ! -s "$scratch/calls"

# ---- packages -----------------------------------------------------------------------------------------------------------

dev build
expect "with everything there, build builds" ended 0
expect "with everything there, nothing is installed" not_called apt
expect "build configures" called "cmake --preset default"
expect "build builds" called "cmake --build --preset default"

reset
dev install --prefix 'a folder'
expect "install builds" called "cmake --build --preset default"
expect "install passes arguments on" called "cmake --install $tree/build --prefix a folder"
reset
echo libmcpp-dev >"$scratch/absent"
dev install --no-install
expect "install needs the packages of build" ended 3

reset
echo libmcpp-dev >"$scratch/absent"
echo clang >>"$scratch/absent"
dev build
expect "an absent package is installed" ended 0
expect "the lists are fetched first" called "apt-get -q -y update"
expect "only what is absent and needed is installed" \
  called "apt-get -q -y install --no-install-recommends libmcpp-dev"

reset
echo libmcpp-dev >"$scratch/absent"
: >"$scratch/mirror is down"
dev build
expect "apt is tried again once" ended 0
expect "apt is tried again once: two updates" times_called "apt-get -q -y update" 2

reset
printf 'cmake\nlibmcpp-dev\n' >"$scratch/absent"
dev build --no-install
expect "--no-install ends with 3" ended 3
expect "--no-install names what is missing, and the command" \
  said "apt-get install --no-install-recommends cmake libmcpp-dev"
expect "--no-install installs nothing" not_called apt-get
expect "--no-install builds nothing then" not_called cmake
dev build --no-install --no-install
expect "--no-install is taken once" ended 2

echo 1000 >"$scratch/user"
dev build
expect "with neither root nor sudo, it ends with 3" ended 3
expect "with neither root nor sudo, it says so" said "there is neither root nor sudo: cmake libmcpp-dev"
stand_in sudo <<'END'
exec "$@"
END
dev build
expect "with sudo, it installs" ended 0
expect "with sudo, it installs as root" \
  called "sudo env DEBIAN_FRONTEND=noninteractive apt-get -q -y install --no-install-recommends cmake libmcpp-dev"

one_passed='<testcase name="a" status="run"></testcase>'
reset
echo "$one_passed" >"$scratch/results"
echo oclgrind >"$scratch/absent"
dev test
expect "an optional package that apt lacks is no reason to stop" ended 0
expect "an optional package that apt lacks is not installed" not_called apt-get
dev test --no-install
expect "--no-install does not stop for an optional package" ended 0
echo oclgrind >"$scratch/offered"
dev test
expect "an optional package that apt offers is installed" \
  called "apt-get -q -y install --no-install-recommends oclgrind"

# ---- conform and test ---------------------------------------------------------------------------------------------------

reset
: >"$scratch/broken"
dev conform
expect "a failed build ends with 5" ended 5
expect "a failed build is a sentence" said "the build 'default' failed"

reset
dev conform --device host --filter 'a b'
expect "conform ends as the tool does" ended 4
expect "conform passes arguments on, and its device" said "device any: conform --device host --filter a b"
if [ -e /etc/OpenCL/vendors/pocl.icd ]; then
  dev conform --list
  expect "conform is on PoCL by default" said "device /etc/OpenCL/vendors/pocl.icd: conform --device cl:0:0 --list"
fi
status=0
TENSORSTORAGE_DEVICE=host PATH=$bin "$tree/dev" conform >"$scratch/output" 2>&1 || status=$?
expect "TENSORSTORAGE_DEVICE is left to the tool" said "device any: conform"
mkdir -p "$tree/build-clang/tests"
cp "$tree/build/tensorstorage" "$tree/build-clang/tests/fuzz_copy"
dev fuzz --device host --minutes 3
expect "fuzz ends as its program does" ended 4
expect "fuzz passes arguments on, and its device" said "device any: --device host --minutes 3"
expect "fuzz builds what it runs" called "cmake --build --preset clang --target fuzz_copy"

reset
cat >"$scratch/results" <<'END'
<testsuite name="x" tests="6" failures="1" skipped="2">
  <testcase name="passes" classname="passes" time="0.1" status="run">
    <system-out>SKIP: this one only says so</system-out>
  </testcase>
  <testcase name="skips" classname="skips" time="0.1" status="notrun">
    <skipped message="SKIP_RETURN_CODE=77"/>
    <system-out>a line
SKIP: no &quot;PoCL&quot; &amp; &lt;more&gt;
SKIP: not this</system-out>
  </testcase>
  <testcase name="is_off" status="disabled">
    <skipped message="Disabled"/>
  </testcase>
  <testcase name="is_not_built" status="notrun">
    <skipped message="Unable to find executable"/>
  </testcase>
  <testcase name="breaks" status="fail">
    <failure message="Timeout"/>
  </testcase>
  <testcase name="passes_too" status="run"></testcase>
</testsuite>
END
dev test -R x
expect "a failed test ends with 1" ended 1
expect "test builds with gcc" called "cmake --build --preset test"
expect "test builds with clang" called "cmake --build --preset clang"
expect "ctest gets the arguments, and may not run nothing" grep -q 'ctest .*--no-tests=error.* -R x$' "$scratch/calls"
expect "a skipped test has its reason" said 'skipped: skips: no "PoCL" & <more>'
expect "a disabled test is skipped" said "skipped: is_off: disabled"
expect "a test that was not built has failed" said "failed:  is_not_built"
expect "the last line has the counts" last_line "2 passed, 2 failed, 2 skipped"

echo "$one_passed" >"$scratch/results"
dev test
expect "all passed ends with 0" ended 0
expect "all passed: the last line has the counts" last_line "1 passed, 0 failed, 0 skipped"
: >"$scratch/results"
dev test
expect "nothing ran ends with 4" ended 4
expect "nothing ran: the last line has the counts" last_line "0 passed, 0 failed, 0 skipped"
finish
