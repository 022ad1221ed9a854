# SPDX-License-Identifier: Apache-2.0
#
# reports_test.sh: the JUnit and HTML reports of `conform`, read back by a parser of XML; on the suite of fake_suite.c.
#
#   reports_test.sh TOOL     TOOL: linked with that suite
#
# How the page looks is for eyes: open one in a browser, in light and dark.
. "$TS_SOURCE_DIR/tests/lib.sh"

tool=$1
need xmllint "xmllint is not installed (libxml2-utils)" command -v xmllint
cd "$scratch"

# value FILE XPATH: what it is there.
value() { xmllint --xpath "string($2)" "$1"; }

# has FILE XPATH VALUE
has() {
  has_got=$(value "$1" "$2")
  [ "$has_got" = "$3" ] || { echo "$2 is '$has_got', not '$3'" && return 1; }
}

# ---- a run with everything in it: the reports are written although cases crash --------------------------------------

expect "a run with a crash exits with 5" exits 5 "$tool" conform --filter 'pass.*' --filter 'fail.*' --filter 'skip.*' \
  --filter crash.signal --filter close.crash --define 'A=<b> & "c"' --seed 5 --junit run.xml --html run.html --json run.json
expect "the XML is well-formed" xmllint --noout run.xml
expect "the page is well-formed" xmllint --noout run.html

for element in /testsuites /testsuites/testsuite; do
  expect "$element counts tests, and a worker's bad end" has run.xml "$element/@tests" 10
  expect "$element counts failures" has run.xml "$element/@failures" 2
  expect "$element counts errors, and a worker's bad end" has run.xml "$element/@errors" 2
  expect "$element counts what was skipped" has run.xml "$element/@skipped" 3
done
for verdict in failure:2 error:2 skipped:3; do
  expect "each ${verdict%:*} is in a case" has run.xml "count(//testcase/${verdict%:*})" "${verdict#*:}"
done
expect "the suite is the device's" has run.xml '/testsuites/testsuite/@name' fake:0
expect "the seed is a property" has run.xml '//property[@name="seed"]/@value' 5
expect "how kernels were built is a property" has run.xml '//property[@name="built with"]/@value' "--define 'A=<b> & \"c\"'"
expect "and in the page" has run.html '//tr[th="Built with"]/td' "--define 'A=<b> & \"c\"'"
expect "and in the JSON" grep -F '"shards":1,"defines":["A=<b> & \"c\""]},' run.json
expect "and printed" says "built     --define 'A=<b> & \"c\"'"
expect "a case that passed is empty" has run.xml 'count(//testcase[@name="pass.one"]/*)' 0
expect "a case is of its family" has run.xml '//testcase[@name="pass.one"]/@classname' pass
expect "seconds are there" has run.xml '//testcase[@name="pass.one"]/@time' 0.250000
expect "a failure has its reason" has run.xml '//testcase[@name="fail.value"]/failure/@message' 'byte 3 is 0x01, must be 0x02'
expect "a failure has its reason and the command that repeats it" has run.xml '//testcase[@name="fail.value"]/failure' \
  "byte 3 is 0x01, must be 0x02
tensorstorage conform --device fake:0 --seed 5 --define 'A=<b> & \"c\"' --filter 'fail.value'"
expect "text means itself, and what is no UTF-8 is replaced" has run.xml '//testcase[@name="fail.quoting"]/failure/@message' \
  '"quoted" \ café and no UTF-8: ?'
expect "a crash is an error" has run.xml '//testcase[@name="crash.signal"]/error/@message' \
  'crashed: signal 11 (Segmentation fault)'
expect "a crash shows what was printed" has run.xml 'contains(//testcase[@name="crash.signal"]/error, "about to crash")' true
expect "a skipped case has its reason" has run.xml '//testcase[@name="skip.memory"]/skipped/@message' 'less than 6 GiB are free'

expect "the page begins with the verdict" has run.html '//header/h1' Errors
expect "and the counts" has run.html 'starts-with(//header/p[2], "3 of 9 cases passed, 2 failed, 1 error, 3 skipped, in ")' true
expect "the page has each wrong case" has run.html 'count(//article)' 3
expect "a wrong case has its reason" has run.html '//article[contains(h3, "fail.value")]/p[1]' 'byte 3 is 0x01, must be 0x02'
expect "a wrong case has the command that repeats it" has run.html '//article[contains(h3, "fail.value")]/pre' \
  "tensorstorage conform --device fake:0 --seed 5 --define 'A=<b> & \"c\"' --filter 'fail.value'"
expect "reasons of skips are counted" has run.html '//details[1]/summary' '2: the device has no f64'
expect "the families are counted" has run.html '//tr[td/code="fail"]/td[3]' 2
expect "the page needs no other file" has run.html 'count(//script | //link | //img | //@src)' 0

built="--standard CL1.2 --fast-math --option '-O1'"
expect "a run with the other options of a build" exits 0 "$tool" conform --filter pass.one --standard CL1.2 --fast-math --option=-O1 --json built.json \
  --junit built.xml
expect "they are printed" says "built     $built"
expect "they are in the XML" has built.xml '//property[@name="built with"]/@value' "$built"
expect "they are in the JSON" grep -F '"standard":"CL1.2","fast_math":true,"option":"-O1"},' built.json

# ---- known issues of the driver: 4 crashes and a failure, two that are fixed ------------------------------------------

expect "a run with known issues exits with 0" exits 0 "$tool" conform --filter 'known.crash.*' --filter known.value \
  --filter 'known.fixed.*' --junit known.xml --html known.html
expect "the XML is well-formed" xmllint --noout known.xml
expect "the page is well-formed" xmllint --noout known.html
expect "they are no failures" has known.xml 'sum(//testsuite/@*[name() = "failures" or name() = "errors"])' 0
expect "they are counted as skipped" has known.xml '//testsuite/@skipped' 5
expect "and say why" has known.xml '//testcase[@name="known.value"]/skipped/@message' \
  'known, docs/driver-issues/value.cl: byte 3 is 0x01, must be 0x02'
expect "a case that passes all the same is a pass" has known.xml 'count(//testcase[@name="known.fixed.one"]/*)' 0
expect "the page's verdict is Passed" has known.html '//header/h1' Passed
expect "its counts have them" has known.html 'starts-with(//header/p[2], "2 of 7 cases passed, 0 failed, 0 errors, 0 skipped, 5 known, in ")' true
expect "they are not among what is wrong" has known.html 'count(//article)' 0
expect "they are listed, and what is fixed" has known.html '//h2[.="Known issues of the driver"]/following-sibling::pre[1]' \
  "1: byte 3 is wrong (docs/driver-issues/value.cl)
fixed: known.fixed.one and 1 more pass on this driver though docs/driver-issues/fixed.cl says otherwise
4: the driver <crashes> (docs/driver-issues/crash.cl)"
expect "a page without them does not speak of them" has run.html 'count(//h2[.="Known issues of the driver"])' 0

# ---- other ends -----------------------------------------------------------------------------------------------------

expect "a run that passes exits with 0" exits 0 "$tool" conform --filter 'pass.*' --junit passed.xml --html passed.html
expect "its verdict is Passed" has passed.html '//header/h1' Passed
expect "it was built with no options" has passed.xml 'count(//property[@name="built with"])' 0
expect "its counts are 0" has passed.xml 'sum(//testsuite/@*[name() = "failures" or name() = "errors" or name() = "skipped"])' 0

expect "a run that is stopped exits with 5" exits 5 "$tool" conform --filter 'deaths.*' --fail-fast --junit stopped.xml \
  --html stopped.html
expect "cases that did not run are no passes" has stopped.xml 'count(//skipped[@message="not run: stopped by --fail-fast"])' 4
expect "they are counted" has stopped.xml '//testsuite/@skipped' 4
expect "the page says so" has stopped.html 'contains(//header, "4 not run (--fail-fast)")' true

expect "a report that cannot be written exits with 6" exits 6 "$tool" conform --filter pass.one --html no/such.html
expect "and is found before anything runs" [ ! -s out ]
for option in --json --junit --html; do
  expect "$option - exits with 2" exits 2 "$tool" conform --filter pass.one $option -
  expect "and the tool says why" complains "$option takes a file's name, not -"
done
expect "and no file has that name" [ ! -e - ]
expect "two reports in one file exit with 6" exits 6 "$tool" conform --filter pass.one --json same --junit same
expect "and the tool says so" complains "same is to be two reports"
expect "and nothing is left of them" [ "$(echo same*)" = 'same*' ]
finish
