# SPDX-License-Identifier: Apache-2.0
#
# place_test.sh: where the tool is built and run makes no difference: an empty working folder, one with a tensorstorage.h
# that is not ours, and a tree, a build, a TMPDIR and a cache whose paths have a space in them.
. "$TS_SOURCE_DIR/tests/lib.sh"
use_pocl
export TENSORSTORAGE_HOST_FLAGS= # sanitizers in kernels are for other tests

# A few cases that build kernels of both files of the suite, and read signatures.
cases="--filter load.f32x4.global.* --filter argument.f32"

# conforms FOLDER TOOL: the cases pass on both devices when the tool is run from the folder.
conforms() {
  for conforms_device in host cl:0:0; do
    # shellcheck disable=SC2086 # a list of options, without blanks in them
    (set -f && cd "$1" && "$2" conform --device $conforms_device $cases) >"$scratch/run" 2>&1 ||
      { cat "$scratch/run" && return 1; }
    grep -q '^[1-9][0-9]* passed, 0 failed, 0 skipped' "$scratch/run" || { cat "$scratch/run" && return 1; }
  done
}

mkdir "$scratch/empty" "$scratch/bogus"
echo '#error bogus' >"$scratch/bogus/tensorstorage.h"
expect "an empty working folder" conforms "$scratch/empty" "$TS_BUILD_DIR/tensorstorage"
expect "the working folder stays empty" [ -z "$(ls -A "$scratch/empty")" ]
expect "a working folder with another tensorstorage.h" conforms "$scratch/bogus" "$TS_BUILD_DIR/tensorstorage"

tree="$scratch/a tree"
build="$scratch/a build"
mkdir "$tree" "$scratch/a TMPDIR" "$scratch/a cache"
for part in CMakeLists.txt README.md cmake core cuda examples host opencl tensorstorage.h tests; do
  cp -R "$TS_SOURCE_DIR/$part" "$tree"
done
export TMPDIR="$scratch/a TMPDIR" POCL_CACHE_DIR="$scratch/a cache"
expect "configure with spaces in the paths" cmake -G Ninja -S "$tree" -B "$build"
expect "build with spaces in the paths" cmake --build "$build"
expect "run with spaces in the paths" conforms "$tree" "$build/tensorstorage"
expect "TMPDIR is left empty" [ -z "$(ls -A "$TMPDIR")" ]
finish
