// Preloaded into a program: its steady clock counts how often it is asked. Each answer is 1 to 5 ms later than the one
// before, never the same twice in a row, so the median, the smallest and the last of several times differ. What a program
// makes of the host's time is then the same in every run.
//
// With HOST_MEMORY_KB=20, the system says that 20 kB of memory are available.
#include <dlfcn.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

// The symbol of std::chrono::steady_clock::now(), which libstdc++ defines. The program finds this one first. The runtime
// of the CPU device does not use it (runtime/device/host_time.h).
extern "C" std::chrono::steady_clock::time_point counted_now() asm("_ZNSt6chrono3_V212steady_clock3nowEv");

std::chrono::steady_clock::time_point counted_now() {
  // A thread for itself: how often the others ask depends on who runs first.
  static thread_local long long asked = 0, ms = 0;
  ms += 1 + asked++ * 7 % 5;
  return std::chrono::steady_clock::time_point(std::chrono::milliseconds(ms));
}

extern "C" FILE* fopen(const char* path, const char* mode) {
  static const auto real = reinterpret_cast<FILE* (*)(const char*, const char*)>(dlsym(RTLD_NEXT, "fopen"));
  const char* const kb = getenv("HOST_MEMORY_KB");
  if (kb == nullptr || strcmp(path, "/proc/meminfo") != 0) return real(path, mode);
  static std::string text;
  text = std::string("MemTotal: 999999999 kB\nMemAvailable: ") + kb + " kB\n";
  return fmemopen(text.data(), text.size(), mode);
}
