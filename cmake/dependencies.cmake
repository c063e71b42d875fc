# What memoizer needs from the system. cmake/install-deps.sh installs it on
# Debian and Ubuntu and prints the package names elsewhere.
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(jansson REQUIRED IMPORTED_TARGET jansson>=2.13)
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash>=0.8.0)
pkg_check_modules(crypto REQUIRED IMPORTED_TARGET libcrypto>=1.1.1)
if(BUILD_TESTING)
  pkg_check_modules(check REQUIRED IMPORTED_TARGET check>=0.15)
endif()
