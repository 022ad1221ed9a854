# SPDX-License-Identifier: Apache-2.0
#
# functions.cmake: what every target of the tree gets, and how a text file gets into one.

set(TS_CMAKE_DIR ${CMAKE_CURRENT_LIST_DIR})

# C11 and POSIX 2008, all warnings as errors, sanitizers if TS_SANITIZE says so. The tree's root is an include folder.
function(ts_target_defaults target)
  set_target_properties(${target} PROPERTIES C_STANDARD 11 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF
                                             COMPILE_WARNING_AS_ERROR ON)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_definitions(${target} PRIVATE _POSIX_C_SOURCE=200809L)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion)
  if(TS_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PRIVATE -fsanitize=address,undefined)
  endif()
endfunction()

# Give `target` the text of `file` as `extern const char ts_embedded_<name>[]`, ended by a 0. Changes of the file rebuild it.
function(ts_embed target name file)
  cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
  set(source ${CMAKE_CURRENT_BINARY_DIR}/embedded/${target}/${name}.c)
  add_custom_command(
    OUTPUT ${source}
    COMMAND ${CMAKE_COMMAND} -D NAME=${name} -D FILE=${file} -D OUT=${source} -P ${TS_CMAKE_DIR}/embed.cmake
    DEPENDS ${file} ${TS_CMAKE_DIR}/embed.cmake
    COMMENT "Embedding ${name}"
    VERBATIM)
  target_sources(${target} PRIVATE ${source})
endfunction()
