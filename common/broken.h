// How a program that is wrong on purpose ends: it succeeds if its mistake was seen.
#pragma once

#include <stdio.h>

#include <string>

#include "book.h"
#include "options.h"

namespace course {

// Whether the kernels run on the CPU device instead of a GPU. For messages only: no program
// computes differently.
inline bool on_cpu_device() {
  int device = 0;
  cudaDeviceProp properties;
  HANDLE_ERROR(cudaGetDevice(&device));
  HANDLE_ERROR(cudaGetDeviceProperties(&properties, device));
  return std::string(properties.name).rfind("CPU", 0) == 0;
}

// The exit code of a program whose mistake shows as `what` when it is seen. The CPU device must
// show every mistake; on a GPU some of them show only on some days, which `elsewhere` explains.
inline int broken_as_intended(bool seen, const std::string& what, const std::string& elsewhere) {
  if (seen) {
    printf("broken as intended: %s\n", what.c_str());
    return 0;
  }
  printf("the mistake did not show this time: %s\n", elsewhere.c_str());
  return on_cpu_device() ? kExitWrong : 0;
}

}  // namespace course
