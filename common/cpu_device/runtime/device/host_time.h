// The host's clock, for the runtime. A test that replaces the clock of programs (tests/chapters/calls/counted_clock.cpp)
// leaves this one alone: what the runtime waits for must not depend on it.
#pragma once

#include <time.h>

#include <chrono>

namespace cpu_device {

inline std::chrono::steady_clock::time_point host_time() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::chrono::steady_clock::time_point(std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec));
}

}  // namespace cpu_device
