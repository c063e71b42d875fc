# Compiler and linker flags, as one interface library that every target of ours
# links. The hardening set follows the OpenSSF compiler guide; a flag that the
# compiler does not know is left out.
include(CheckCCompilerFlag)
include(CheckPIESupported)

option(MEMOIZER_WERROR "Treat warnings as errors (CI does)" OFF)
option(MEMOIZER_COVERAGE "Instrument for line and branch coverage" OFF)
option(MEMOIZER_FUZZ "Build the fuzz targets (clang)" OFF)
set(MEMOIZER_SANITIZE "" CACHE STRING "Value of -fsanitize=, or empty")

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
check_pie_supported(LANGUAGES C)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
# Assertions of ours (must) never depend on NDEBUG.
set(CMAKE_C_FLAGS_RELEASE "-O2 -g -DNDEBUG")
set(CMAKE_C_FLAGS_DEBUG "-O1 -g -fno-omit-frame-pointer")

add_library(memoizer_flags INTERFACE)
target_compile_definitions(memoizer_flags INTERFACE _GNU_SOURCE)
target_include_directories(memoizer_flags INTERFACE "${CMAKE_SOURCE_DIR}/src")

function(memoizer_flag_if_known flag)
  string(MAKE_C_IDENTIFIER "HAVE${flag}" known)
  # "Werror" catches flags that a compiler accepts with a warning.
  set(CMAKE_REQUIRED_FLAGS "-Werror")
  check_c_compiler_flag("${flag}" ${known})
  if(${known})
    target_compile_options(memoizer_flags INTERFACE "${flag}")
  endif()
endfunction()

foreach(flag
    -Wall -Wextra -Wno-missing-field-initializers -Wshadow
    -Wstrict-prototypes -Wmissing-prototypes -Wformat -Wformat=2 -Wcast-qual -Wwrite-strings -Wconversion -Wsign-conversion
    -Wimplicit-fallthrough -Wtrampolines -Wbidi-chars=any -Wvla
    -Wnull-dereference -Walloc-zero -Wthread-safety -Werror=format-security
    -Werror=implicit -Werror=incompatible-pointer-types -Werror=int-conversion
    -fno-delete-null-pointer-checks -fno-strict-overflow -fno-strict-aliasing)
  memoizer_flag_if_known(${flag})
endforeach()
if(MEMOIZER_WERROR)
  target_compile_options(memoizer_flags INTERFACE -Werror)
endif()

if(MEMOIZER_SANITIZE)
  target_compile_options(memoizer_flags INTERFACE
    -fsanitize=${MEMOIZER_SANITIZE} -fno-sanitize-recover=all)
  target_link_options(memoizer_flags INTERFACE
    -fsanitize=${MEMOIZER_SANITIZE})
  target_compile_definitions(memoizer_flags INTERFACE MEMOIZER_SANITIZED=1)
  if(MEMOIZER_SANITIZE MATCHES "thread")
    target_compile_definitions(memoizer_flags INTERFACE
      MEMOIZER_THREAD_SANITIZER=1)
  endif()
elseif(MEMOIZER_COVERAGE)
  target_compile_options(memoizer_flags INTERFACE --coverage
    -fprofile-update=atomic)
  target_link_options(memoizer_flags INTERFACE --coverage)
else()
  foreach(flag
      -fstack-protector-strong -fstack-clash-protection
      -fcf-protection=full -ftrivial-auto-var-init=zero
      -fzero-call-used-regs=used-gpr -Wstack-usage=16384)
    memoizer_flag_if_known(${flag})
  endforeach()
  target_compile_options(memoizer_flags INTERFACE -U_FORTIFY_SOURCE
    -D_FORTIFY_SOURCE=3)
  target_link_options(memoizer_flags INTERFACE -Wl,-z,relro -Wl,-z,now
    -Wl,-z,noexecstack -Wl,-z,nodlopen -Wl,-z,separate-code -Wl,--as-needed)
endif()
if(MEMOIZER_FUZZ)
  # Coverage feedback in every object; only the targets themselves get a main.
  target_compile_options(memoizer_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
