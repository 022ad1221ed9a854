# SPDX-License-Identifier: Apache-2.0
#
# embed.cmake: make a C source that holds a text file, as `const char ts_embedded_<NAME>[]` ended by a 0.
#
#   cmake -D NAME=<C identifier> -D FILE=<text file> -D OUT=<C source> -P embed.cmake
#
# Written as characters, not as a string literal: C11 promises no literal longer than 4095 bytes. As '\xe2', not as 0xe2:
# a byte above 127 then fits wherever plain char is signed.
cmake_minimum_required(VERSION 3.25)

foreach(argument NAME FILE OUT)
  if(NOT DEFINED ${argument})
    message(FATAL_ERROR "embed.cmake: ${argument} is not given: cmake -D NAME=… -D FILE=… -D OUT=… -P embed.cmake")
  endif()
endforeach()

file(READ "${FILE}" text HEX)
string(REPEAT "[0-9a-f]" 32 row)
string(REGEX REPLACE "(${row})" "\\1\n" text "${text}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," text "${text}")
cmake_path(GET FILE FILENAME file_name)
file(WRITE "${OUT}" "/* Made from ${file_name}: change that, not this. */\n"
                    "extern const char ts_embedded_${NAME}[];\nconst char ts_embedded_${NAME}[] = {\n${text}'\\0'};\n")
