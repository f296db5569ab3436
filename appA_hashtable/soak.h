// Runs something again and again, to find what goes wrong once in a thousand times, and memory that
// is not given back.
#pragma once

#include <stdio.h>
#include <unistd.h>

#include <functional>

#include "../common/book.h"
#include "../common/device.h"
#include "../common/timing.h"

// Bytes of memory that the process occupies.
inline double resident_bytes() {
  long pages = 0, resident = 0;
  if (FILE* file = fopen("/proc/self/statm", "r")) {
    if (fscanf(file, "%ld %ld", &pages, &resident) != 2) resident = 0;
    fclose(file);
  }
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

// Repeats `work` until `seconds` have passed; stops early if it returns false. Returns whether all
// was right: also that neither the host nor the device holds notably more memory at the end than
// after the second time (what is cached is cached by then).
inline bool soak(double seconds, const std::function<bool()>& work) {
  const double allowed_bytes = 64 << 20;
  course::Stopwatch watch;
  size_t free_at_first = 0, free_at_last = 0, total = 0;
  double resident_at_first = 0;
  long rounds = 0;
  while (rounds < 3 || watch.elapsed_ms() < 1000 * seconds) {
    if (!work()) {
      fprintf(stderr, "wrong in round %ld\n", rounds + 1);
      return false;
    }
    rounds++;
    if (rounds == 2) {
      HANDLE_ERROR(cudaMemGetInfo(&free_at_first, &total));
      resident_at_first = resident_bytes();
    }
  }
  HANDLE_ERROR(cudaMemGetInfo(&free_at_last, &total));
  const double device_growth =
      static_cast<double>(free_at_first) - static_cast<double>(free_at_last);
  const double host_growth = resident_bytes() - resident_at_first;
  printf(
      "%ld rounds in %.0f s, all verified; memory grew by %.1f MB on the device and %.1f MB on "
      "the host\n",
      rounds, watch.elapsed_ms() * 1e-3, device_growth * 1e-6, host_growth * 1e-6);
  if (device_growth > allowed_bytes || host_growth > allowed_bytes) {
    fprintf(stderr, "memory is lost in every round\n");
    return false;
  }
  return true;
}
