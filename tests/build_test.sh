# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# build_test.sh: the command lines of `build` and `show`: what is refused, and how it is told. What they make for each target
# is in compile_test.sh.
. "$TS_SOURCE_DIR/tests/lib.sh"
need cc "there is no C compiler" command -v "$CC"
tool=$TS_BUILD_DIR/tensorstorage
scale=$TS_SOURCE_DIR/examples/scale.c

for command in build show; do
  expect "$command --help exits with 0" exits 0 "$tool" $command --help
  expect "$command's help is its own" says "usage: tensorstorage $command FILE --target NAME"
  expect "$command's help lists the targets" says "  gfxNN       assembly for an AMD GPU"
  expect "-h is --help" sh -c '[ "$("$1" $2 -h)" = "$("$1" $2 --help)" ]' sh "$tool" $command
  expect "$command without a file exits with 2" exits 2 "$tool" $command --target host
  expect "and says what is missing" complains "$command takes a file with kernels"
  expect "$command without a target exits with 2" exits 2 "$tool" $command "$scale"
  expect "and says what is missing" complains "no --target is given, e.g. --target sm_90"
  expect "$command of two files exits with 2" exits 2 "$tool" $command "$scale" other.c --target host
  expect "and names the second" complains 'one file is compiled: not "other.c" after "'
  expect "an unknown target exits with 2" exits 2 "$tool" $command "$scale" --target sm90
  expect "and is told with the nearest" complains 'there is no target "sm90"; the nearest is sm_90; targets:'
  expect "a target that is near none exits with 2" exits 2 "$tool" $command "$scale" --target avx2
  expect "and is told without one" complains 'there is no target "avx2"; targets:'
  expect "an unknown option exits with 2" exits 2 "$tool" $command "$scale" --targte host
  expect "and is told with the nearest" complains 'there is no option "--targte"; the nearest is --target'
  expect "an option without its value exits with 2" exits 2 "$tool" $command "$scale" -D
  expect "and is told" complains "option -D needs a value"
  expect "a wrong macro exits with 2" exits 2 "$tool" $command "$scale" --target host -D 4=2
  expect "and is told" complains '--define is NAME or NAME=VALUE, not "4=2"'
  expect "a wrong standard exits with 2" exits 2 "$tool" $command "$scale" --target host --standard CL9
  expect "a file that is not there exits with 6" exits 6 "$tool" $command "$scratch/no such.c" --target host
  expect "and is told" complains "no such.c cannot be read: No such file or directory"
  expect "a compiler that is missing exits with 3" exits 3 env PATH=/no/folder TENSORSTORAGE_CLANG= "$tool" $command "$scale" --target x86
  expect "and what to install is told" complains "apt install clang-19, or clang"
  expect "a library that is missing exits with 3" exits 3 env TENSORSTORAGE_NVRTC=/no/libnvrtc.so "$tool" $command "$scale" \
    --target sm_90
  expect "and is named" complains "NVRTC can't be opened as /no/libnvrtc.so"
done

expect "build's help lists drivers" sh -c '"$1" build --help | grep -q "^  cl:P:D "' sh "$tool"
expect "show's does not, since what they make can't be read" sh -c '! "$1" show --help | grep "^  cl"' sh "$tool"
expect "a file that cannot be written exits with 6" exits 6 "$tool" build "$scale" --target host -o "$scratch/no folder/made"
expect "and is told" complains "no folder/made cannot be written: No such file or directory"
mkdir "$scratch/folder"
expect "a folder is no output" exits 6 "$tool" build "$scale" --target host -o "$scratch/folder"
expect "an output for two targets exits with 2" exits 2 "$tool" build "$scale" --target host --target host -o "$scratch/made"
expect "nothing was written" [ ! -e "$scratch/made" ]
cp "$scale" "$scratch/own.c"
ln -s own.c "$scratch/link.c"
for name in own.c link.c; do
  expect "the source is no output" exits 2 "$tool" build "$scratch/own.c" --target host -o "$scratch/$name"
  expect "and is told" complains "$name would replace the kernels that are compiled: name another file"
done
expect "the source is as it was" cmp "$scale" "$scratch/own.c"

expect "of two targets the one that fails counts" exits 2 "$tool" build "$scale" --target nowhere --target host
expect "and the other is built" says "scale.c for host: "
expect "JSON has both" exits 2 "$tool" build "$scale" --target nowhere --target host --json
expect "the error too" says '{"target":"nowhere","error":"there is no target'
expect "and its exit code" grep -q '^{"target":"nowhere",.*,"exit":2},$' "$scratch/out"
expect "the file's own folder is searched for its includes" sh -c '
  mkdir "$2/own" && echo "#define ANSWER 42" >"$2/own/mine.h" &&
  printf "#include \"tensorstorage.h\"\n#include \"mine.h\"\nTS_STATIC_ASSERT(ANSWER == 42, \"found\");\n" >"$2/own/kernel.c" &&
  "$1" build "$2/own/kernel.c" --target host' sh "$tool" "$scratch"
expect "nothing is left in TMPDIR" sh -c 'mkdir "$2/tmp" && TMPDIR=$2/tmp "$1" build "$3" --target host && [ -z "$(ls -A "$2/tmp")" ]' \
  sh "$tool" "$scratch" "$scale"

# ---- what is odd ------------------------------------------------------------------------------------------------------------

cat >"$scratch/nothing.c" <<'END'
#include "tensorstorage.h"
END
for target in host x86; do
  case $target in
    host) variable=CC ;;
    x86) variable=TENSORSTORAGE_CLANG ;;
  esac
  for command in build show; do
    expect "a compiler that makes nothing exits with 5" exits 5 env $variable=/bin/true "$tool" $command "$scale" --target $target
    expect "and the variable that names another is told" complains "and made nothing: it is no compiler; set $variable to one"
  done
done
expect "show of no kernel exits with 2, as run does" exits 2 env TENSORSTORAGE_HOST_FLAGS= "$tool" show "$scratch/nothing.c" --target host
expect "and says so" complains "nothing.c has no kernel; declare one with TS_KERNEL of tensorstorage.h"
for target in host x86 sm_90 cl; do
  expect "an open quote exits with 2" exits 2 "$tool" build "$scale" --target $target --option "-DA='1"
  expect "and is told in one way" complains "tensorstorage: a quote is not closed in the extra options: -DA='1"
done

# An interrupted compiler leaves no file.
printf '#!/bin/sh\n[ "$1" = --version ] || exec sleep 30\n' >"$scratch/slow_cc"
chmod +x "$scratch/slow_cc"
mkdir "$scratch/interrupted"
for command in build show; do
  expect "SIGTERM ends it with 143" exits 143 env CC="$scratch/slow_cc" TMPDIR="$scratch/interrupted" timeout --preserve-status 1 \
    "$tool" $command "$scale" --target host
  expect "nothing is left in TMPDIR" [ -z "$(ls -A "$scratch/interrupted")" ]
done

# CUDA is opened when it is asked for, and not before.
not_linked() { ! ldd "$tool" | grep -i 'nvrtc\|cuda'; }
expect "the tool is not linked with CUDA" not_linked

mkdir "$scratch/kept"
expect "TENSORSTORAGE_KEEP keeps the files" env TENSORSTORAGE_KEEP="$scratch/kept" "$tool" build "$scale" --target host
expect "the source is among them" sh -c '[ -s "$1"/tensorstorage-*/kernel.c ] && [ -s "$1"/tensorstorage-*/kernel.s ]' sh "$scratch/kept"
finish
