// A kernel that takes a while, however fast the device is: for tests of what measures time. They
// know only that a measured time is not shorter than that, and no longer than all of the test's.
#pragma once

#include <unistd.h>


namespace course {

// One thread, `ms` milliseconds at least.
static __global__ void slow_kernel(int ms) {
#ifdef __CUDA_ARCH__
  unsigned long long start, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
  do asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  while (now - start < 1000000ull * ms);
#else
  usleep(1000 * ms);
#endif
}

// What a time must not be below that was measured over slow_kernel(ms): clocks differ, and a GPU's
// ticks only every microsecond or so.
inline double at_least(int ms) { return 0.99 * ms; }

}  // namespace course
