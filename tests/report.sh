#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# report.sh: one table of what ran where, of reports that runs have left. `./dev report` calls it; it runs nothing itself.
set -eu

help() {
  cat <<'END'
usage: ./dev report [--json | --id GLOB] NAME=FILE...

A table with a row for each family of cases and a column for each backend, and below it the reasons of what did not run. Families
whose cases are all in one state on each backend, and in the same ones, share a row. FILE is
what `tensorstorage conform --json FILE` wrote, or tests/programs_compile.sh for a compiler whose code does not run here; NAME
is the column. Several files may have one name: a backend that was run in parts.

  ran       every byte was right                 compiled  a compiler took the program; nothing ran
  known     a known issue of the driver          skipped   the device can't, and says why
  wrong     failed, or an error                  absent    in no report of this backend

  --json    the same for a program
  --id GLOB the cases whose id matches, each with its state and reason on every backend

Exit codes: 0 printed, 2 usage, 4 no case matches --id, 6 a file can't be read, is no report or is cut off.
END
}

say() { printf 'report: %s\n' "$*" >&2; }

as=markdown
glob=
case ${1-} in
  --help | -h)
    help
    exit 0
    ;;
  --json)
    as=json
    shift
    ;;
  --id)
    [ $# -ge 2 ] || { say "--id takes a glob, such as 'load.f16*'" && exit 2; }
    as=ids
    # A glob as a regular expression.
    glob="^$(printf '%s' "$2" | sed 's/[.+(){}|$]/[&]/g; s/\*/.*/g; s/?/./g')\$"
    shift 2
    ;;
esac
[ $# -gt 0 ] || { say "no report is given; ./dev report --help" && exit 2; }
names=
for report; do
  shift
  case $report in
    =* | *=) say "'$report' is no NAME=FILE: a name, and a file" && exit 2 ;;
    *=*) ;;
    *) say "'$report' is no NAME=FILE; the name heads the column, as in pocl=run.json" && exit 2 ;;
  esac
  name=${report%%=*}
  file=${report#*=}
  case $name in *[[:space:]\"\\]*) say "'$name' is no name of a column: it has a blank, a quote or a backslash" && exit 2 ;; esac
  [ ! -d "$file" ] || { say "$file is a folder; name the file that \`conform --json FILE\` wrote" && exit 6; }
  [ -s "$file" ] && [ -r "$file" ] || { say "$file can't be read, or is empty" && exit 6; }
  names="$names $name"
  case $file in /*) ;; *=*) file=./$file ;; esac # else awk takes it for a variable
  set -- "$@" "$file"
done
exec awk -v names="$names" -v as="$as" -v glob="$glob" -f "$(dirname "$0")/report.awk" "$@"
