// How a program that is wrong on purpose ends: it succeeds if its mistake was seen.
#pragma once

#include <stdio.h>

#include <string>

#include "device.h"
#include "options.h"

namespace course {

// The exit code of a program whose mistake shows as `what` when it is seen. The CPU device must
// show every mistake, unless it `may_hide` there, too; on a GPU some of them show only on some
// days, which `elsewhere` explains.
inline int broken_as_intended(bool seen, const std::string& what, const std::string& elsewhere,
                              bool may_hide = false) {
  if (seen) {
    printf("broken as intended: %s\n", what.c_str());
    return 0;
  }
  printf("the mistake did not show this time: %s\n", elsewhere.c_str());
  return runs_on_cpu_device() && !may_hide ? kExitWrong : 0;
}

}  // namespace course
