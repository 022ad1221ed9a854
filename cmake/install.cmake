# SPDX-License-Identifier: Apache-2.0
#
# install.cmake: what `cmake --install` puts where, and what other projects find it by. docs/install.md is for its users.
#
#   include/            tensorstorage.h and tensorstorage_host.h, one file each, which include no other of ours
#   lib/                the library; pkgconfig/tensorstorage.pc; cmake/TensorStorage/ for find_package
#   bin/                the tool
#   share/man/man1/     its manual, made of what --help prints
#   share/doc/          README.md, docs/, examples/, and what these link to
#
# No path of this machine goes into the installed files, so that they can be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(TS_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/TensorStorage)

# ---- headers, library, tool ---------------------------------------------------------------------------------------------

add_custom_target(tensorstorage_headers ALL DEPENDS ${TS_FLAT_HEADER} ${TS_FLAT_HOST_HEADER})
install(FILES ${TS_FLAT_HEADER} ${TS_FLAT_HOST_HEADER} TYPE INCLUDE)
set_target_properties(${TS_PUBLIC_LIBRARY} PROPERTIES EXPORT_NAME tensorstorage)
install(TARGETS ${TS_PUBLIC_LIBRARY} EXPORT TensorStorageTargets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS tensorstorage)

# ---- find_package(TensorStorage) ----------------------------------------------------------------------------------------

install(EXPORT TensorStorageTargets NAMESPACE TensorStorage:: DESTINATION ${TS_PACKAGE_DIR})
configure_package_config_file(cmake/TensorStorageConfig.cmake.in TensorStorageConfig.cmake INSTALL_DESTINATION ${TS_PACKAGE_DIR})
# Before 1.0 a minor version may change what programs see.
write_basic_package_version_file(TensorStorageConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/TensorStorageConfig.cmake ${PROJECT_BINARY_DIR}/TensorStorageConfigVersion.cmake
              cmake/FindMcpp.cmake DESTINATION ${TS_PACKAGE_DIR})

# ---- pkg-config ---------------------------------------------------------------------------------------------------------

# Where the prefix is, seen from the file. A static library names what it is made of without --static too: there is no other.
set(TS_PC_DIR ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX}/${TS_PC_DIR} OUTPUT_VARIABLE TS_PC_PREFIX)
if(BUILD_SHARED_LIBS)
  set(TS_PC_LIBS "")
else()
  set(TS_PC_LIBS "-lOpenCL -lmcpp -lm -lpthread -ldl")
endif()
configure_file(cmake/tensorstorage.pc.in tensorstorage.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tensorstorage.pc DESTINATION ${TS_PC_DIR})

# ---- manual and documents -----------------------------------------------------------------------------------------------

# One page for each command that the tool lists, and one for the tool: which there are is the tool's business.
if(NOT CMAKE_CROSSCOMPILING)
  file(GLOB TS_DOCUMENTS CONFIGURE_DEPENDS README.md docs/*.md)
  set(TS_MAN_DIR ${PROJECT_BINARY_DIR}/man/man1)
  add_custom_command(
    OUTPUT ${TS_MAN_DIR}/tensorstorage.1
    COMMAND sh ${PROJECT_SOURCE_DIR}/cmake/man.sh $<TARGET_FILE:tensorstorage> ${TS_MAN_DIR} ${TS_DOCUMENTS}
    DEPENDS tensorstorage cmake/man.sh ${TS_DOCUMENTS}
    COMMENT "Making the manual"
    VERBATIM)
  add_custom_target(tensorstorage_man ALL DEPENDS ${TS_MAN_DIR}/tensorstorage.1)
  install(DIRECTORY ${TS_MAN_DIR}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()

set(TS_DOC_DIR ${CMAKE_INSTALL_DATAROOTDIR}/doc/tensorstorage)
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${TS_DOC_DIR})
install(DIRECTORY docs examples DESTINATION ${TS_DOC_DIR} PATTERN CMakeLists.txt EXCLUDE)
# Files of the tree that the documents link to, to be read where the links lead. install_test follows each.
install(FILES DEVELOPERS.md DESTINATION ${TS_DOC_DIR})
install(DIRECTORY core DESTINATION ${TS_DOC_DIR})
install(FILES host/tensorstorage_host.h host/instructions.c DESTINATION ${TS_DOC_DIR}/host)
install(FILES tests/conformance/storage.c tests/conformance/storage_cases.c DESTINATION ${TS_DOC_DIR}/tests/conformance)
install(FILES tests/contract/rules.txt DESTINATION ${TS_DOC_DIR}/tests/contract)
install(FILES tests/pairs/by_hand.cl tests/pairs/by_hand.cu tests/pairs/handles.c tests/pairs/known.txt
        DESTINATION ${TS_DOC_DIR}/tests/pairs)
