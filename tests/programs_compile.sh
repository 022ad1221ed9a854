#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# programs_compile.sh: which cases of the conformance suite a compiler takes whose code does not run here, as a report that
# tests/report.sh reads. Nothing runs: a case is `compiled`, or `skipped` with what the compiler said of its program.
#
#   programs_compile.sh BUILD TARGET FILE [OPTION...]
#
# BUILD: a build folder; TARGET: one of `tensorstorage build --help`, which tells the options, too
set -eu
build=$1
target=$2
file=$3
shift 3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

"$build/tests/write_programs" "$scratch"
{
  printf '{"schema":2,\n"compiled":{"target":"%s"},\n"cases":[' "$target"
  separator=
  while read -r program id; do
    if [ "$program" != "${last-}" ]; then
      last=$program
      state='"status":"compiled"'
      "$build/tensorstorage" build "$scratch/$program.c" --target "$target" "$@" >"$scratch/log" 2>&1 || {
        reason=$(grep -m 1 'error' "$scratch/log" || tail -n 1 "$scratch/log")
        state="\"status\":\"skipped\",\"reason\":\"$(printf '%.200s' "$reason" | tr -d '[:cntrl:]' | sed 's/[\\"]/\\&/g')\""
      }
    fi
    printf '%s\n{"id":"%s",%s}' "$separator" "$id" "$state"
    separator=,
  done <"$scratch/ids"
  printf '\n]}\n'
} >"$file"
