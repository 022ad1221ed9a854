#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# man.sh: make the manual: tensorstorage.1, and a page for each command, of what the tool's --help prints. Nothing is
# written twice: a command or an option that the tool has is in the manual.
#
#   man.sh TOOL FOLDER DOCUMENT...
#
# A document may have a table "## Environment", and commands to try, "$ tensorstorage COMMAND …", which become EXAMPLES. What a help is made of, and what becomes of it:
#
#   usage: …            the first line: SYNOPSIS
#   a paragraph         DESCRIPTION; after the options: NOTES
#   "  --option  text"  OPTIONS (of the tool's own help: COMMANDS); lines below, further in, go on with the text, and rows
#                       within it ("term", two blanks or more, "text") are a list of their own
#   Title:              a line that ends so: a section of that title, with the rows that follow
#   Exit codes: 0 …     EXIT STATUS: a list of the codes, each after a comma or a full stop; other sentences are a paragraph
set -eu
LC_ALL=C
export LC_ALL

tool=$1
folder=$2
shift 2
documents=$folder/documents
version=$("$tool" --version)

# page COMMAND SUMMARY PAGES: the page of the help on standard input. COMMAND is empty for the tool's own, PAGES are all others.
page() {
  awk -v command="$1" -v summary="$2" -v others="$3" -v version="$version" -v documents="$documents" '
    # Text as troff reads it: what looks like a command is none; `code`, variables and names of commands are bold.
    function text(line) {
      gsub(/\\/, "\\e", line)
      gsub(/-/, "\\-", line)
      gsub(/…/, "...", line)
      while (match(line, /`[^`]*`/))
        line = substr(line, 1, RSTART - 1) "\\fB" substr(line, RSTART + 1, RLENGTH - 2) "\\fR" substr(line, RSTART + RLENGTH)
      if (line ~ /^[.\x27]/) line = "\\&" line
      return line
    }
    # What stands before the text of a row, or in a usage: options and commands bold, and words in capitals, which stand for
    # something, in italics.
    function term(line,   made, before, word) {
      made = ""
      while (match(line, /--?[A-Za-z][a-z-]*|[A-Z][A-Z]+[A-Z.a-z]*|[a-z@][a-z_0-9]*|[A-Z]/)) {
        before = substr(line, 1, RSTART - 1)
        word = substr(line, RSTART, RLENGTH)
        line = substr(line, RSTART + RLENGTH)
        made = made text(before) (word ~ /^[A-Z]/ ? "\\fI" : "\\fB") text(word) "\\fR"
      }
      return made text(line)
    }
    function section(name) {
      if (name != title) print ".SH " name
      else print ".PP"
      title = name
      rows = 0
    }
    function end_list() {
      if (inner) print ".RE"
      inner = 0
    }
    # "TERM  text": a row, or of a list within a row.
    function row(line,   cut, begin) {
      cut = match(line, /   *[^ ]/)
      begin = cut + RLENGTH - 1
      print ".TP\n" term(cut ? substr(line, 1, cut - 1) : line)
      print text(cut ? substr(line, begin) : "\\&")
      return begin
    }
    function codes(line,   end, tail, item) {
      section("\"EXIT STATUS\"")
      sub(/^Exit codes: /, "", line)
      while (match(line, /\. [0-9]+ /)) line = substr(line, 1, RSTART - 1) "," substr(line, RSTART + 1)
      tail = ""
      if (match(line, /\. /)) {
        tail = substr(line, RSTART + 2)
        line = substr(line, 1, RSTART - 1)
      }
      sub(/\.$/, "", line)
      while (line != "") {
        end = match(line, /, [0-9]+ /)
        item = end ? substr(line, 1, end - 1) : line
        line = end ? substr(line, end + 2) : ""
        print ".TP\n\\fB" substr(item, 1, index(item, " ") - 1) "\\fR\n" text(substr(item, index(item, " ") + 1))
      }
      if (tail != "") print ".PP\n" text(tail)
    }
    function end_paragraph() {
      if (paragraph ~ /^Exit codes: /) codes(paragraph)
      else if (paragraph != "") {
        section(has_rows ? "NOTES" : "DESCRIPTION")
        print text(paragraph)
      }
      paragraph = ""
    }
    function environment(   line, columns) {
      close(documents)
      print ".SH ENVIRONMENT"
      while ((getline line <documents) > 0) {
        if (line ~ /^## /) in_table = line == "## Environment"
        if (!in_table || line !~ /^\| `/ || line ~ /\| tests only/) continue
        split(line, columns, / *\| */)
        gsub(/`/, "", columns[2])
        print ".TP\n\\fB" text(columns[2]) "\\fR\n" text(columns[3])
      }
    }
    function examples(   line, seen) {
      while ((getline line <documents) > 0) {
        sub(/^\$ build\//, "$ ", line)
        if (index(line, "$ tensorstorage " command " ") != 1 || line in seen) continue
        if (!(0 in seen)) print ".SH EXAMPLES\n.nf"
        seen[0] = seen[line] = 1
        print text(substr(line, 3))
      }
      if (0 in seen) print ".fi"
    }
    BEGIN {
      name = "tensorstorage" (command == "" ? "" : "-" command)
      shown = name
      gsub(/-/, "\\-", shown)
      print ".\\\" Made by man.sh of the help of tensorstorage: change that, not this."
      print ".TH " toupper(name) " 1 \"\" \"" version "\" \"User Commands\""
      print ".SH NAME\n" shown " \\- " text(summary)
    }
    sub(/^usage: /, "") {
      print ".SH SYNOPSIS\n" term($0)
      next
    }
    /^$/ { end_paragraph(); end_list(); rows = 0; next }
    /^  [^ ]/ {
      end_paragraph()
      end_list()
      if (!rows) section(heading != "" ? heading : command == "" ? "COMMANDS" : "OPTIONS")
      heading = ""
      rows = has_rows = 1
      column = row(substr($0, 3)) + 2
      next
    }
    /^   / {
      match($0, /^ */)
      line = substr($0, RLENGTH + 1)
      if (RLENGTH + 1 > column && line ~ /[^ ]   *[^ ]/) {
        if (!inner) print ".RS"
        inner = 1
        row(line)
      } else print text(line)
      next
    }
    /^[A-Z][a-z ]*:$/ { end_paragraph(); heading = toupper(substr($0, 1, length($0) - 1)); next }
    /^Exit codes: / { end_paragraph() }
    { paragraph = paragraph (paragraph == "" ? "" : " ") $0 }
    END {
      end_paragraph()
      end_list()
      if (command == "") environment()
      else examples()
      print ".SH \"SEE ALSO\""
      count = split(others, pages, " ")
      for (i = 1; i <= count; i++) {
        gsub(/-/, "\\-", pages[i])
        print ".BR " pages[i] " (1)" (i < count ? "," : "")
      }
      print ".PP\nREADME.md, docs/ and examples/ are installed in the folder share/doc/tensorstorage beside that of the manual."
    }'
}

rm -rf "$folder"
mkdir -p "$folder"
cat "$@" >"$documents"
"$tool" --help >"$folder/help"
# The tool lists "  name  summary". `help` and --version have no page.
sed -n 's/^  \([a-z][a-z]*\)  *\(.*\)/\1 \2/p' "$folder/help" | grep -v '^help ' >"$folder/commands"
all=$(sed 's/ .*//; s/^/tensorstorage-/' "$folder/commands" | xargs)
while read -r command summary; do
  others=$(echo "tensorstorage $all" | xargs -n 1 | grep -vx "tensorstorage-$command" | xargs)
  "$tool" "$command" --help >"$folder/help"
  page "$command" "$summary" "$others" <"$folder/help" >"$folder/tensorstorage-$command.1"
done <"$folder/commands"
"$tool" --help >"$folder/help"
page "" "run GPU kernels written on tensorstorage.h, and see what they become" "$all" <"$folder/help" >"$folder/main"
rm "$folder/help" "$folder/commands" "$documents"
mv "$folder/main" "$folder/tensorstorage.1"
