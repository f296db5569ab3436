// How a program that is wrong on purpose runs and ends: it succeeds if its mistake was seen.
#pragma once

#include <stdio.h>
#include <stdlib.h>

#include <functional>
#include <string>

#include "device.h"
#include "options.h"
#include "watchdog.h"

namespace course {

// The exit code of a program whose mistake shows as `what` when it is seen. The CPU device must
// show every mistake, unless it also `may_hide` there. On a GPU, some of them show only on some
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

constexpr double kWatchdogSeconds = 20;

// What became of work that may hang, or that the device may end.
template <typename T>
struct Outcome {
  bool hung = false;  // and was ended
  cudaError_t error = cudaSuccess;
  T result{};  // of work that did neither
};

// Does the work in a child process, which may hang without harm; `work` fills in its result and
// returns what CUDA says. No CUDA call must have been made before. Ends the program if the child
// crashes, or says that the machine lacks something.
template <typename T>
Outcome<T> under_watchdog(const std::function<cudaError_t(T*)>& work,
                          double seconds = kWatchdogSeconds) {
  SharedArray<Outcome<T>> outcome(1);
  const Attempt attempt =
      course::attempt([&] { outcome[0].error = work(&outcome[0].result); }, seconds);
  leave_like(attempt);
  outcome[0].hung = attempt.hung;
  if (!attempt.hung && (attempt.signal != 0 || attempt.exit_code != 0)) exit(kExitWrong);
  return outcome[0];
}

// The exit code for such work, whose mistake is seen if it hung, or failed, or if its result is
// `wrong`, which `what` says.
template <typename T>
int broken_as_intended(const Outcome<T>& outcome, bool wrong, const std::string& what,
                       const std::string& elsewhere, bool may_hide) {
  std::string seen = what;
  if (outcome.hung)
    seen = "the kernel hung, and was ended after " + std::to_string(int(kWatchdogSeconds)) +
           " seconds";
  else if (outcome.error != cudaSuccess)
    seen = std::string("the device reports '") + cudaGetErrorString(outcome.error) + "'";
  return broken_as_intended(outcome.hung || outcome.error != cudaSuccess || wrong, seen, elsewhere,
                            may_hide);
}

}  // namespace course
