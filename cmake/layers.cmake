# One static library a folder of src/. DEPENDS names the layers and system
# libraries below it; test/lint/layers.sh holds the includes to the same arrows.
function(memoizer_layer name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS" ${ARGN})
  add_library(mz_${name} STATIC ${arg_SOURCES})
  target_link_libraries(mz_${name} PUBLIC memoizer_flags ${arg_DEPENDS})
endfunction()
