# SPDX-License-Identifier: Apache-2.0
#
# cache_test.sh: the tool and the cache of built programs: what it finds gives the same, many processes share it, a damaged file or no
# folder stops nobody, and commands that try a compiler never read it. check_cache.c and check_cached_builds.c have the details.
. "$TS_SOURCE_DIR/tests/lib.sh"
. "$TS_SOURCE_DIR/tests/npy.sh"
need cc "there is no C compiler" command -v "$CC"
unset TENSORSTORAGE_DEVICE

tool=$TS_BUILD_DIR/tensorstorage
mkdir "$scratch/no drivers"
export OCL_ICD_VENDORS="$scratch/no drivers" TENSORSTORAGE_CACHE=auto TENSORSTORAGE_CACHE_DIR="$scratch/cache" TENSORSTORAGE_TRACE=1
cd "$scratch"
text_bytes 2048 | npy '<f2' '(1024,)' >x.npy

# scale OUTPUT: run examples/scale.c on the host.
scale() {
  "$tool" run "$TS_SOURCE_DIR/examples/scale.c" --device host --items 256 --group 256 --arg x_cells=@x.npy --arg y_cells="$1:f32:32,32" --arg a=2.5
}
files() { find "$scratch/cache" -type f | wc -l; }

expect "a first run" exits 0 scale built.npy
expect "it is not found, and stored" complains "cache: stored"
expect "a second run" exits 0 scale found.npy
expect "it is found" complains "cache: hit"
expect "nothing more is stored" [ "$(wc -l <"$scratch/err")" = 1 ]
expect "both gave the same" cmp built.npy found.npy
expect "there is one file" [ "$(files)" = 1 ]

unset TENSORSTORAGE_TRACE
expect "a run without a trace" exits 0 scale found.npy
expect "it says nothing" [ ! -s "$scratch/err" ]
export TENSORSTORAGE_TRACE=1

file=$(find "$scratch/cache" -type f)
head -c 1000 "$file" >cut && cat cut >"$file"
expect "a run with a file that is cut" exits 0 scale found.npy
expect "the file is ignored" complains "cache: ignored"
expect "it gave the same" cmp built.npy found.npy
expect "a run after it" exits 0 scale found.npy
expect "the file is whole again" complains "cache: hit"

rm -r "$scratch/cache"
for n in 1 2 3 4 5 6 7 8; do
  { exits 0 scale "many$n.npy" >"log$n" 2>&1 && cmp built.npy "many$n.npy" && : >"good$n"; } &
done
wait
for n in 1 2 3 4 5 6 7 8; do expect "run $n of eight at once" [ -e "good$n" ]; done
expect "they left one file" [ "$(files)" = 1 ]

: >no_folder
expect "a run without a folder" exits 0 env TENSORSTORAGE_CACHE_DIR="$scratch/no_folder" "$tool" run "$TS_SOURCE_DIR/examples/scale.c" --device host \
  --items 256 --group 256 --arg x_cells=@x.npy --arg y_cells=found.npy:f32:32,32 --arg a=2.5
expect "the trace says why" complains "no_folder can't be used: Not a directory"
expect "it gave the same" cmp built.npy found.npy

TENSORSTORAGE_CACHE=maybe
expect "a word that there is not exits with 2" exits 2 scale found.npy
expect "the words are told" complains 'TENSORSTORAGE_CACHE is "maybe"; set it to auto, on or off'
TENSORSTORAGE_CACHE=on

# A compiler that leaves a line for each object that it links.
cat >counting_cc <<END
#!/bin/sh
case "\$*" in *-shared*) echo one >>"$scratch/compiles" ;; esac
exec $CC "\$@"
END
chmod +x counting_cc
export CC="$scratch/counting_cc"
compiles() { wc -l <"$scratch/compiles"; }
expect "a run by this compiler" exits 0 scale found.npy
expect "it is stored" complains "cache: stored"
expect "a second run by it" exits 0 scale found.npy
expect "both took one compile" [ "$(compiles)" = 1 ]
expect "doctor" "$tool" doctor
expect "doctor compiled the same kernel" [ "$(compiles)" = 2 ]
for round in 1 2; do
  expect "conform, round $round" exits 0 "$tool" conform --device host --filter load.f32x4.global
  expect "conform compiled, round $round" [ "$(compiles)" = $((2 + round)) ]
done
expect "neither stored anything" [ "$(files)" = 2 ]
finish
