# SPDX-License-Identifier: Apache-2.0
#
# summary.awk: read CTest's JUnit file, print why tests were skipped, and the counts on the last line.
#
# A test is skipped if it said so (exit code 77) or is disabled. Whatever else did not run to success has failed: a
# timeout, a crash, a program that was not built.
# Exit code: 0 passed, 1 a test failed, 4 nothing passed.

function attribute(name) {
  return match($0, " " name "=\"[^\"]*\"") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4) : ""
}

function plain(text) {
  gsub(/&lt;/, "<", text)
  gsub(/&gt;/, ">", text)
  gsub(/&quot;/, "\"", text)
  gsub(/&apos;/, "'", text)
  gsub(/&amp;/, "\\&", text)
  return text
}

/<testcase / {
  name = attribute("name")
  status = attribute("status")
  reason = ""
}

/<skipped / {
  if (status == "notrun" && attribute("message") ~ /^SKIP_/) status = "skipped"
}

/SKIP: / && reason == "" {
  reason = $0
  sub(/.*SKIP: /, "", reason)
  sub(/<\/system-out>.*/, "", reason)
}

/<\/testcase>/ {
  if (status == "run") {
    passed++
  } else if (status == "skipped" || status == "disabled") {
    skipped++
    print "skipped: " name ": " (status == "disabled" ? "disabled" : plain(reason))
  } else {
    failed++
    print "failed:  " name
  }
}

END {
  printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
  exit failed ? 1 : passed ? 0 : 4
}
