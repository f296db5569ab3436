// What the nine benchmarks by hand and in OpenCL share with tests/cpu_device/loops/nine_kernels.cu: sizes, data, the least
// processor time of five runs, and a number made of all bytes of the result.
#pragma once

#include <time.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Sizes {
  int w, n, m, j, b;  // of pictures, of vectors, of matrices, of the Julia set, of bodies
};
inline Sizes sizes_of(int argc, char** argv) {
  const double part = argc > 1 ? atof(argv[1]) : 1;
  const int w = std::max(64, static_cast<int>(4096 * part) / 64 * 64);
  return {w, w * w, std::max(64, static_cast<int>(512 * part) / 64 * 64), std::max(64, static_cast<int>(1024 * part) / 64 * 64),
          std::max(256, static_cast<int>(4096 * part) / 256 * 256)};
}
inline float start_value(int i) { return static_cast<float>(i % 1000 * 919 % 1000) / 1000.0f; }

inline double processor_ms() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
}

// run(): once; result(): its bytes, when all runs are done.
template <typename Run, typename Result>
void measure(const char* name, size_t bytes, Run run, Result result) {
  double least = 1e9;
  for (int i = 0; i < 5; i++) {
    const double start = processor_ms();
    run();
    least = std::min(least, processor_ms() - start);
  }
  const unsigned char* host = result(bytes);
  unsigned long long number = 0;
  for (size_t i = 0; i < bytes; i++) number = number * 1099511628211ull + host[i];
  printf("%-16s %9.2f ms   %016llx\n", name, least, number);
  fflush(stdout);
}
