# SPDX-License-Identifier: Apache-2.0
#
# bare.cmake: make a copy of a header without comments, indentation and continued lines, for compilers that read it on every
# build.
#
#   cmake -D FILE=<header> -D OUT=<file> -P bare.cmake
#
# Law: the tokens are the same, and each is in the same line, or in its macro's first: what a compiler says of a line is true
# of FILE's.
# No string of the header may hold a comment's first two characters, or two blanks in a row.
cmake_minimum_required(VERSION 3.25)

foreach(argument FILE OUT)
  if(NOT DEFINED ${argument})
    message(FATAL_ERROR "bare.cmake: ${argument} is not given: cmake -D FILE=… -D OUT=… -P bare.cmake")
  endif()
endforeach()

cmake_path(GET OUT PARENT_PATH folder)
file(MAKE_DIRECTORY "${folder}")
file(READ "${FILE}" rest)
# Of a comment the ends of its lines are left.
set(bare "")
while(rest MATCHES "/\\*")
  string(FIND "${rest}" "/*" begin)
  string(SUBSTRING "${rest}" 0 ${begin} before)
  string(SUBSTRING "${rest}" ${begin} -1 rest)
  string(FIND "${rest}" "*/" length)
  if(length EQUAL -1)
    message(FATAL_ERROR "${FILE}: a comment has no end")
  endif()
  string(SUBSTRING "${rest}" 0 ${length} comment)
  math(EXPR length "${length} + 2")
  string(SUBSTRING "${rest}" ${length} -1 rest)
  string(REGEX REPLACE "[^\n]+" "" lines "${comment}")
  string(APPEND bare "${before} ${lines}")
endwhile()
string(APPEND bare "${rest}")
string(REGEX REPLACE "[ \t]+" " " bare "${bare}")
string(REGEX REPLACE "\n " "\n" bare "${bare}")
string(REGEX REPLACE " \n" "\n" bare "${bare}")
# The lines of a macro in one, the last ones first; as many empty lines follow it.
set(before "")
while(NOT bare STREQUAL before)
  set(before "${bare}")
  string(REGEX REPLACE " ?\\\\\n([^\n]*[^\n\\])\n" " \\1\n\n" bare "${bare}")
endwhile()
file(WRITE "${OUT}" "${bare}")
