# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# header_test.sh: the flattened tensorstorage.h compiles alone, without a warning, in every language that needs no
# vendor's compiler, and has the tokens of the header with its parts. It runs nothing.
. "$TS_SOURCE_DIR/tests/lib.sh"
need cc "there is no C compiler" command -v "$CC"
need clang "clang is not installed" command -v clang

# Only the flattened header is in this folder: nothing else can be found.
flat=$scratch/alone
mkdir "$flat"
cp "$TS_BUILD_DIR/flat/tensorstorage.h" "$flat"
echo '#include "tensorstorage.h"' >"$flat/user.c"

c11="-std=c11 -Wall -Wextra -Wconversion -Werror"
opencl="-x cl -Xclang -finclude-default-header -Wall -Wextra -Werror -pedantic-errors"

# same_tokens COMPILER OPTION...: the flattened header leaves the tokens and macros that the header with its parts leaves.
same_tokens() {
  "$@" -E -dD -P -I "$TS_SOURCE_DIR" "$TS_SOURCE_DIR/tensorstorage.h" | tr -s ' \n\t' '\n' >"$scratch/parts.tokens"
  "$@" -E -dD -P "$flat/tensorstorage.h" | tr -s ' \n\t' '\n' >"$scratch/flat.tokens"
  cmp "$scratch/parts.tokens" "$scratch/flat.tokens"
}

# shellcheck disable=SC2086 # lists of options
{
  expect "C11, the build's compiler" "$CC" $c11 -fsyntax-only "$flat/user.c"
  expect "C11, clang" clang $c11 -fsyntax-only "$flat/user.c"
  expect "OpenCL C 1.2, clang" clang $opencl -cl-std=CL1.2 -fsyntax-only "$flat/user.c"
  expect "OpenCL C 3.0, clang" clang $opencl -cl-std=CL3.0 -fsyntax-only "$flat/user.c"
  expect "signatures, the build's compiler" "$CC" $c11 -DTS_READ_SIGNATURES -fsyntax-only "$flat/user.c"
}
expect "the same tokens in C11" same_tokens "$CC" -std=c11 -x c
expect "the same tokens in OpenCL C 1.2" same_tokens clang -x cl -cl-std=CL1.2
expect "the same tokens in OpenCL C 3.0" same_tokens clang -x cl -cl-std=CL3.0
expect "the same tokens where signatures are read" same_tokens "$CC" -x c -DTS_READ_SIGNATURES
finish
