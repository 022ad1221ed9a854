# SPDX-License-Identifier: Apache-2.0
#
# flatten.cmake: make one file of a header and of the parts that it includes, for compilers that get it as a string.
#
#   cmake -D ROOT=<folder> -D ENTRY=tensorstorage.h -D OUT=<file> [-D WITHOUT=<part>;…] -P flatten.cmake
#
# This is no preprocessor: the only lines that it replaces are `#include "…"`. Code stays as it is; a part's file comment
# is replaced by one line that names the part, and only the entry keeps its own. A part that does not exist becomes an
# #error that names it, so a language whose prelude is missing says so. `#include <…>` is left alone.
#
# Law: after preprocessing, the tokens are those of the entry with its parts in place, whatever is defined.
#
# A part is left out where the compiler has certainly read it already: its earlier copy stands in a branch that is still
# open. Elsewhere it is repeated (two branches may need it), and its include guard keeps the copies apart. A part without an
# include guard is meant to be read as often as it is included.
#
# The parts WITHOUT are for other compilers than this copy is, and stand in branches that those take alone. In the place of each
# are an #error and empty lines, so that all other lines keep their numbers.
cmake_minimum_required(VERSION 3.25)

foreach(argument ROOT ENTRY OUT)
  if(NOT DEFINED ${argument})
    message(FATAL_ERROR "flatten.cmake: ${argument} is not given: cmake -D ROOT=… -D ENTRY=… -D OUT=… -P flatten.cmake")
  endif()
endforeach()

# The state of the walk, as global properties, since a CMake function returns nothing.
#   TEXT        the flattened text so far
#   BRANCHES    the open #if branches, outermost first: a number that no other branch has, or "guard"
#   LAST_BRANCH the number given last
#   READ_<part> the open branches, without guards, where the part was read last
set_property(GLOBAL PROPERTY TEXT "")
set_property(GLOBAL PROPERTY BRANCHES "")
set_property(GLOBAL PROPERTY LAST_BRANCH 0)

# Follow one preprocessor directive. An include guard is no branch: the first copy of a part opens it.
function(follow_branches directive is_guard)
  get_property(branches GLOBAL PROPERTY BRANCHES)
  get_property(last GLOBAL PROPERTY LAST_BRANCH)
  if(directive MATCHES "^(elif|else|endif)$")
    list(POP_BACK branches)
  endif()
  if(is_guard)
    list(APPEND branches guard)
  elseif(directive MATCHES "^(if|ifdef|ifndef|elif|else)$")
    math(EXPR last "${last} + 1")
    list(APPEND branches ${last})
  endif()
  set_property(GLOBAL PROPERTY BRANCHES "${branches}")
  set_property(GLOBAL PROPERTY LAST_BRANCH ${last})
endfunction()

# The open branches without guards, as "1/4/": a branch inside another one starts with the other's.
function(open_branches result)
  get_property(branches GLOBAL PROPERTY BRANCHES)
  list(REMOVE_ITEM branches guard)
  list(TRANSFORM branches APPEND "/")
  list(JOIN branches "" joined)
  set(${result} "${joined}" PARENT_SCOPE)
endfunction()

# The part that `name` means inside `includer`: beside the includer, else from the root. Both are relative to the root.
function(resolve_part result includer name)
  cmake_path(GET includer PARENT_PATH folder)
  cmake_path(APPEND folder "${name}" OUTPUT_VARIABLE part)
  cmake_path(NORMAL_PATH part)
  if(NOT EXISTS "${ROOT}/${part}")
    set(part "${name}")
  endif()
  set(${result} "${part}" PARENT_SCOPE)
endfunction()

# Append what stands for an include of `part`.
function(include_part part)
  open_branches(here)
  get_property(is_read GLOBAL PROPERTY "READ_${part}" SET)
  get_property(read_in GLOBAL PROPERTY "READ_${part}")
  string(FIND "${here}" "${read_in}" position)
  if(is_read AND position EQUAL 0)
    return()
  endif()
  if(NOT EXISTS "${ROOT}/${part}")
    set_property(GLOBAL APPEND_STRING PROPERTY TEXT
                 "#error \"${ENTRY}: there is no ${part} in this version, so this language cannot be compiled\"\n")
    return()
  endif()
  file(READ "${ROOT}/${part}" text)
  if(text MATCHES "(^|\n)#ifndef [A-Z0-9_]*_H\n")
    set_property(GLOBAL PROPERTY "READ_${part}" "${here}")
  endif()
  if(part IN_LIST WITHOUT)
    get_property(before GLOBAL PROPERTY TEXT)
    set_property(GLOBAL PROPERTY TEXT "")
    flatten_part("${part}")
    get_property(text GLOBAL PROPERTY TEXT)
    string(REGEX REPLACE "[^\n]+" "" text "${text}")
    set_property(GLOBAL PROPERTY TEXT "${before}\n#error \"this copy of ${ENTRY} is without ${part}\"\n${text}")
    return()
  endif()
  set_property(GLOBAL APPEND_STRING PROPERTY TEXT "\n/* ---- ${part} ---- */\n")
  flatten_part("${part}")
endfunction()

# Append the lines of `part`.
function(flatten_part part)
  file(READ "${ROOT}/${part}" rest)
  if(NOT part STREQUAL ENTRY AND rest MATCHES "^/\\* SPDX")
    string(FIND "${rest}" "*/\n" length)
    math(EXPR length "${length} + 3")
    string(SUBSTRING "${rest}" ${length} -1 rest)
  endif()
  set(is_first_directive TRUE)
  while(NOT rest STREQUAL "")
    string(FIND "${rest}" "\n" length)
    if(length EQUAL -1)
      message(FATAL_ERROR "${part}: the last line does not end with a newline")
    endif()
    string(SUBSTRING "${rest}" 0 ${length} line)
    math(EXPR length "${length} + 1")
    string(SUBSTRING "${rest}" ${length} -1 rest)
    if(line MATCHES "^[ \t]*#[ \t]*include[ \t]*\"([^\"]+)\"")
      resolve_part(included "${part}" "${CMAKE_MATCH_1}")
      include_part("${included}")
    else()
      set_property(GLOBAL APPEND_STRING PROPERTY TEXT "${line}\n")
    endif()
    if(line MATCHES "^[ \t]*#[ \t]*([a-z]+)[ \t]*([A-Za-z0-9_]*)")
      set(directive "${CMAKE_MATCH_1}")
      set(is_guard FALSE)
      if(is_first_directive AND "${directive} ${CMAKE_MATCH_2}" MATCHES "^ifndef .*_H$")
        set(is_guard TRUE)
      endif()
      set(is_first_directive FALSE)
      follow_branches("${directive}" ${is_guard})
    endif()
  endwhile()
endfunction()

flatten_part("${ENTRY}")

get_property(branches GLOBAL PROPERTY BRANCHES)
if(NOT branches STREQUAL "")
  message(FATAL_ERROR "${ENTRY}: an #if of it or of one of its parts has no #endif")
endif()
get_property(text GLOBAL PROPERTY TEXT)
file(WRITE "${OUT}" "${text}")
