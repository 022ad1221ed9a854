# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# install_test.sh: what `cmake --install` leaves, static and shared: the files; the tool runs; programs outside the tree, in C
# and C++, by find_package and by pkg-config, build and run; a shared library shows what its header declares and nothing else.
. "$TS_SOURCE_DIR/tests/lib.sh"
need cc "there is no C compiler" command -v "$CC"
need g++ "g++ is not installed" command -v g++
export TENSORSTORAGE_HOST_FLAGS= # nothing here is built with sanitizers

devices=host
if has_pocl; then
  export OCL_ICD_VENDORS=/etc/OpenCL/vendors/pocl.icd
  devices="host cl:0:0"
else
  echo "programs run on the host only: there is no OpenCL device of PoCL"
fi

# ---- a project of somebody else ------------------------------------------------------------------------------------------

mkdir "$scratch/project"
cat >"$scratch/project/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(Other LANGUAGES ${LANGUAGE})
find_package(TensorStorage ${WANTED} REQUIRED)
add_executable(program run_scale.${SUFFIX})
set_target_properties(program PROPERTIES C_STANDARD 11 CXX_STANDARD 20)
target_link_libraries(program PRIVATE TensorStorage::tensorstorage)
END
cp "$TS_SOURCE_DIR/examples/run_scale.c" "$scratch/project/run_scale.c"
cp "$TS_SOURCE_DIR/examples/run_scale.c" "$scratch/project/run_scale.cpp"

# build_project NAME LANGUAGE SUFFIX VERSION
build_project() {
  cmake -G Ninja -S "$scratch/project" -B "$scratch/$1" -D CMAKE_PREFIX_PATH="$prefix" -D LANGUAGE="$2" -D SUFFIX="$3" -D WANTED="$4" &&
    cmake --build "$scratch/$1"
}

# runs PROGRAM: every element of the example is right on every device. The kernel is the one that was installed.
runs() {
  for runs_device in $devices; do
    exits 0 "$1" "$runs_device" "$prefix/share/doc/tensorstorage/examples/scale.c" && says "1024 of 1024 elements right" ||
      return 1
  done
}

# by_pkg_config COMPILER...: compile and link with what pkg-config says of tensorstorage, given the options of $pkg_options.
by_pkg_config() {
  # shellcheck disable=SC2086 # a list of options
  by=$(pkg-config $pkg_options --cflags --libs tensorstorage) || return 1
  echo "$by"
  eval '"$@" -o "$scratch/program" "$scratch/project/run_scale.$suffix"' "$by"
}

# ---- the checks of one kind of library -----------------------------------------------------------------------------------

check_programs() {
  expect "$kind: find_package in C" build_project "$kind C" C c 0.1
  expect "$kind: the program in C runs" runs "$scratch/$kind C/program"
  expect "$kind: find_package in C++" build_project "$kind C++" CXX cpp 0.1.0
  expect "$kind: the program in C++ runs" runs "$scratch/$kind C++/program"
  expect "$kind: another version is not taken" exits 1 build_project "$kind 0.2" C c 0.2
  expect "$kind: and the version that is there is named" complains "version: 0.1.0"

  export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
  for pkg_options in "" --static; do
    suffix=c
    expect "$kind: pkg-config $pkg_options in C" by_pkg_config "$CC" -std=c11 -Wall -Wextra -Werror
    expect "$kind: the program by pkg-config $pkg_options in C runs" runs "$scratch/program"
    suffix=cpp
    expect "$kind: pkg-config $pkg_options in C++" by_pkg_config g++ -std=c++20
    expect "$kind: the program by pkg-config $pkg_options in C++ runs" runs "$scratch/program"
  done
  expect "$kind: pkg-config knows the version" [ "$(pkg-config --modversion tensorstorage)" = 0.1.0 ]
}

check_tool() {
  expect "$kind: the tool runs" exits 0 "$prefix/bin/tensorstorage" --version
  expect "$kind: and is of this version" says "tensorstorage 0.1.0"
  expect "$kind: its suite runs" exits 0 "$prefix/bin/tensorstorage" conform --device host --filter 'load.f32x4.global.*'
  expect "$kind: it runs an example" exits 0 "$prefix/bin/tensorstorage" build \
    "$prefix/share/doc/tensorstorage/examples/scale.c" --target host
  for page in tensorstorage tensorstorage-run; do
    expect "$kind: $page has a page" [ -s "$prefix/share/man/man1/$page.1" ]
  done
}

# Every link of the documents to a file leads to one.
check_links() {
  (
    cd "$prefix/share/doc/tensorstorage"
    for document in *.md docs/*.md; do
      grep -o ']([^)]*)' "$document" | sed 's/^](//; s/)$//; s/#.*//' | grep -v -e ':' -e '^$' | sed "s|^|$(dirname "$document")/|" || true
    done
  ) | sort -u >"$scratch/links"
  expect "$kind: the documents have links" [ "$(wc -l <"$scratch/links")" -gt 20 ]
  while read -r link; do
    expect "$kind: the documents' link $link" [ -f "$prefix/share/doc/tensorstorage/$link" ]
  done <"$scratch/links"
}

# The headers of the folder, and no other of ours, in one file.
check_headers() {
  cat >"$scratch/both.c" <<'END'
#include <tensorstorage.h>
#include <tensorstorage_host.h>
TS_KERNEL(copy, (TS_GLOBAL_CONST_ARG(f32) x, TS_GLOBAL_ARG(f32) y)) { y[ts_global_id(0)] = x[ts_global_id(0)]; }
END
  expect "$kind: both headers in one file" "$CC" -std=c11 -Wall -Wextra -Wno-psabi -Werror -I "$prefix/include" -fsyntax-only \
    "$scratch/both.c"
}

# The files, but for manual and documents, are those of standard input.
files_are() {
  (cd "$prefix" && find bin include lib -type f -o -type l | sort) >"$scratch/files"
  sort | diff - "$scratch/files"
}

# No path of the tree, of its build, or of a library of this machine is in what is installed as text.
has_no_path() {
  if grep -r -e "$TS_SOURCE_DIR" -e "$build" -e "$scratch" -e '/usr/lib' "$prefix/include" "$prefix/lib/cmake" "$prefix/lib/pkgconfig" \
    "$prefix/share/man"; then return 1; fi
}

# What the library shows is what its header declares.
shows_its_header() {
  nm -D --defined-only "$prefix/lib/libtensorstorage.so" | awk '{ print $3 }' | sort >"$scratch/shown"
  "$CC" -E -P "$prefix/include/tensorstorage_host.h" | grep -o '\<ts_[a-z0-9_]*(' | tr -d '(' | sort -u >"$scratch/declared"
  [ "$(wc -l <"$scratch/declared")" -gt 50 ] && diff "$scratch/declared" "$scratch/shown"
}

# One build for both kinds, kept for the next run: only what is linked and installed differs.
build=$TS_BUILD_DIR/install
make() {
  cmake -G Ninja -S "$TS_SOURCE_DIR" -B "$build" -D CMAKE_C_COMPILER="$CC" -D CMAKE_INSTALL_LIBDIR=lib -D BUILD_SHARED_LIBS="$1" && cmake --build "$build"
}

package="bin/tensorstorage
include/tensorstorage.h
include/tensorstorage_host.h
lib/cmake/TensorStorage/FindMcpp.cmake
lib/cmake/TensorStorage/TensorStorageConfig.cmake
lib/cmake/TensorStorage/TensorStorageConfigVersion.cmake
lib/cmake/TensorStorage/TensorStorageTargets-noconfig.cmake
lib/cmake/TensorStorage/TensorStorageTargets.cmake
lib/pkgconfig/tensorstorage.pc"

# Static: by way of DESTDIR, and used where that is, which is not where it was said to go.
kind=static
prefix="$scratch/staged here/opt/a prefix"
expect "$kind: build" make OFF
expect "$kind: install" env DESTDIR="$scratch/staged here" cmake --install "$build" --prefix "/opt/a prefix"
expect "$kind: the files" files_are <<END
$package
lib/libtensorstorage.a
END
expect "$kind: no path of this machine" has_no_path
check_links
check_tool
check_headers
check_programs

kind=shared
prefix="$scratch/shared prefix"
expect "$kind: build" make ON
expect "$kind: install" cmake --install "$build" --prefix "$prefix"
expect "$kind: the files" files_are <<END
$package
lib/libtensorstorage.so
lib/libtensorstorage.so.0.1
lib/libtensorstorage.so.0.1.0
END
expect "$kind: no path of this machine" has_no_path
check_tool
check_headers
export LD_LIBRARY_PATH="$prefix/lib"
check_programs
expect "$kind: the library shows what its header declares" shows_its_header
expect "$kind: a program needs the library by its version" sh -c 'readelf -d "$0" | grep "NEEDED.*\[libtensorstorage.so.0.1\]"' \
  "$scratch/program"
expect "$kind: and not what the library is made of" sh -c '! readelf -d "$0" | grep "NEEDED.*\(OpenCL\|mcpp\)"' "$scratch/program"

# The tree as a part of another project: the same target.
mkdir "$scratch/parent"
cp "$scratch/project/run_scale.c" "$scratch/parent"
cat >"$scratch/parent/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.25)
project(Parent LANGUAGES C)
add_subdirectory("$TS_SOURCE_DIR" tensorstorage EXCLUDE_FROM_ALL)
add_executable(program run_scale.c)
target_link_libraries(program PRIVATE TensorStorage::tensorstorage)
END
part() {
  cmake -G Ninja -S "$scratch/parent" -B "$scratch/part" -D CMAKE_C_COMPILER="$CC" && cmake --build "$scratch/part"
}
expect "a part of another project: build" part
expect "a part of another project: the program runs" runs "$scratch/part/program"
finish
