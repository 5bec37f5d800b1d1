# What makes an error of ours harder to use: canaries on stacks, checked calls of
# the C library, checked operator[], tables that are read-only once the program
# has started. test/security/hardened.py looks whether it arrived in the
# binaries. Not beside sanitizers, which check the same and want to see the
# plain calls.
function(warpsan_harden)
  if(WARPSAN_SANITIZE)
    return()
  endif()
  foreach(Target ${ARGN})
    target_compile_options(${Target} PRIVATE
      -fstack-protector-strong
      -fstack-clash-protection
      $<$<STREQUAL:${CMAKE_SYSTEM_PROCESSOR},x86_64>:-fcf-protection=full>
      # The C library refuses it where nothing is optimized.
      $<$<NOT:$<CONFIG:Debug,>>:-U_FORTIFY_SOURCE>
      $<$<NOT:$<CONFIG:Debug,>>:-D_FORTIFY_SOURCE=3>)
    target_compile_definitions(${Target} PRIVATE _GLIBCXX_ASSERTIONS)
    target_link_options(${Target} PRIVATE
      -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
  endforeach()
endfunction()
