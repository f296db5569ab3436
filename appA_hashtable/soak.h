// Runs something again and again, to find what goes wrong once in a thousand times, and memory that
// is never freed.
#pragma once

#include <stdio.h>
#include <unistd.h>

#include <functional>

#include "../common/program/device.h"
#include "../common/handle_error.h"
#include "../common/program/timing.h"

// Bytes of memory that the process occupies.
inline double resident_bytes() {
  long pages = 0, resident = 0;
  if (FILE* file = fopen("/proc/self/statm", "r")) {
    if (fscanf(file, "%ld %ld", &pages, &resident) != 2) resident = 0;
    fclose(file);
  }
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

// Repeats `work` until `seconds` have passed, or until it returns false. Returns whether all
// results were right and memory did not grow. The count begins after the second round, when caches
// are filled. CUDA does not report how much of the device's memory this process holds, only how
// much is free. That also depends on other programs, so memory counts as lost only if it has become
// less in each quarter of the time.
inline bool soak(double seconds, const std::function<bool()>& work) {
  const double allowed_bytes = 64 << 20;
  const auto device_free = [] {
    size_t free_bytes = 0, total_bytes = 0;
    HANDLE_ERROR(cudaMemGetInfo(&free_bytes, &total_bytes));
    return static_cast<double>(free_bytes);
  };
  const auto repeat = [&](long* rounds, double until_ms, const course::Stopwatch& watch) {
    do {
      if (!work()) {
        fprintf(stderr, "wrong in round %ld\n", *rounds + 1);
        return false;
      }
      ++*rounds;
    } while (watch.elapsed_ms() < until_ms);
    return true;
  };
  course::Stopwatch watch;
  long rounds = 0;
  if (!repeat(&rounds, 0, watch) || !repeat(&rounds, 0, watch)) return false;
  const double resident_at_first = resident_bytes(), free_at_first = device_free();
  double free_before = free_at_first;
  bool device_loses = true;
  for (int quarter = 1; quarter <= 4; quarter++) {
    if (!repeat(&rounds, 250 * quarter * seconds, watch)) return false;
    device_loses = device_loses && free_before - device_free() > allowed_bytes / 8;
    free_before = device_free();
  }
  const double host_growth = resident_bytes() - resident_at_first;
  printf(
      "%ld rounds in %.0f s, all verified; the process grew by %.1f MB; free memory of the device: "
      "%+.1f MB (other programs count, too)\n",
      rounds, watch.elapsed_ms() * 1e-3, host_growth * 1e-6, (free_before - free_at_first) * 1e-6);
  if (!device_loses && host_growth <= allowed_bytes) return true;
  fprintf(stderr, "memory of the %s is lost all the time\n", device_loses ? "device" : "host");
  return false;
}
