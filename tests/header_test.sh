# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# header_test.sh: the flattened tensorstorage.h has the tokens of the header with its parts, in every language that needs no
# vendor's compiler, and where signatures are read. That it compiles alone: alone_test.sh. It runs nothing.
. "$TS_SOURCE_DIR/tests/lib.sh"
need cc "there is no C compiler" command -v "$CC"
need clang "clang is not installed" command -v clang

# Only the flattened header is in this folder: nothing else can be found.
flat=$scratch/alone
mkdir "$flat"
cp "$TS_BUILD_DIR/flat/tensorstorage.h" "$flat"
echo '#include "tensorstorage.h"' >"$flat/user.c"

# same_tokens COMPILER OPTION...: the flattened header leaves the tokens and macros that the header with its parts leaves.
same_tokens() {
  "$@" -E -dD -P -I "$TS_SOURCE_DIR" "$TS_SOURCE_DIR/tensorstorage.h" | tr -s ' \n\t' '\n' >"$scratch/parts.tokens"
  "$@" -E -dD -P "$flat/tensorstorage.h" | tr -s ' \n\t' '\n' >"$scratch/flat.tokens"
  cmp "$scratch/parts.tokens" "$scratch/flat.tokens"
}

# same_lines FOLDER COMPILER OPTION...: what run-time compilers get has the same tokens in the same lines, told by the line
# markers that a preprocessor leaves.
same_lines() {
  bare=$TS_BUILD_DIR/$1/tensorstorage.h
  shift
  "$@" -E -dD - <"$flat/tensorstorage.h" | tr -s ' \n\t' '\n' >"$scratch/flat.lines"
  "$@" -E -dD - <"$bare" | tr -s ' \n\t' '\n' >"$scratch/bare.lines"
  cmp "$scratch/flat.lines" "$scratch/bare.lines"
}

expect "signatures, the build's compiler" "$CC" -std=c11 -Wall -Wextra -Werror -DTS_READ_SIGNATURES -fsyntax-only "$flat/user.c"
expect "the same tokens in C11" same_tokens "$CC" -std=c11 -x c
expect "the same tokens in OpenCL C 1.2" same_tokens clang -x cl -cl-std=CL1.2
expect "the same tokens in OpenCL C 3.0" same_tokens clang -x cl -cl-std=CL3.0
expect "the same tokens where signatures are read" same_tokens "$CC" -x c -DTS_READ_SIGNATURES
expect "without comments, the same lines in C11" same_lines bare "$CC" -std=c11 -x c
expect "without comments, the same lines in OpenCL C" same_lines bare clang -x cl -cl-std=CL1.2
expect "without comments, the same lines in CUDA" same_lines bare clang -x c++ -D__CUDACC__ -D__CUDA_ARCH__=900
expect "the copy for CUDA has the same lines" same_lines bare_cuda clang -x c++ -D__CUDACC__ -D__CUDA_ARCH__=900
expect "and where signatures are read" same_lines bare_cuda "$CC" -x c -DTS_READ_SIGNATURES
expect "without comments, there is no comment" sh -c '! grep -F "/*" "$0"' "$TS_BUILD_DIR/bare/tensorstorage.h"
finish
