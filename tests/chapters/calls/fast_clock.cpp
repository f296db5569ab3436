// Preloaded into a program: its steady clock runs 50 times as fast. What it prints differently then is a host's time.
#include <chrono>
#include <ctime>

// The symbol of std::chrono::steady_clock::now(), which libstdc++ defines. The program finds this one first.
extern "C" std::chrono::steady_clock::time_point fast_now() asm("_ZNSt6chrono3_V212steady_clock3nowEv");

std::chrono::steady_clock::time_point fast_now() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  constexpr long long kFaster = 50;
  return std::chrono::steady_clock::time_point(
      std::chrono::nanoseconds((now.tv_sec * 1000000000LL + now.tv_nsec) * kFaster));
}
