# SPDX-License-Identifier: Apache-2.0
#
# FindMcpp.cmake: the preprocessor libmcpp (Debian: libmcpp-dev), as the target Mcpp::mcpp. Installed too, for programs that
# link the static library.
find_library(MCPP_LIBRARY mcpp)
find_path(MCPP_INCLUDE_DIR mcpp_lib.h)
mark_as_advanced(MCPP_LIBRARY MCPP_INCLUDE_DIR)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Mcpp REQUIRED_VARS MCPP_LIBRARY MCPP_INCLUDE_DIR)

if(Mcpp_FOUND AND NOT TARGET Mcpp::mcpp)
  add_library(Mcpp::mcpp UNKNOWN IMPORTED)
  set_target_properties(Mcpp::mcpp PROPERTIES IMPORTED_LOCATION "${MCPP_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES
                                                                                   "${MCPP_INCLUDE_DIR}")
endif()
